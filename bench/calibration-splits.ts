/**
 * What calibrating does to recorded judges: settled on one half of the items, seen on the other, 200 seeded splits.
 * `npm run figures:calibration -- items.jsonl verdicts.jsonl`
 */
import { findBias } from '../src/bias/index.ts';
import { createProbeDetector } from '../src/detect/probe.ts';
import { judgeRecorded } from '../src/evaluate/recorded-run.ts';
import { systemClock } from '../src/ports.ts';
import { loadRecords } from '../src/sandbox/node.ts';
import { splitHalves } from './split-halves.ts';

const SPLITS = 200;
const [items, verdicts] = process.argv.slice(2);
const position = findBias('position');
if (!items || !verdicts || !position)
  throw new Error('usage: npm run figures:calibration -- items.jsonl verdicts.jsonl');

const records = await loadRecords({ items, verdicts });
console.log(
  '| judge | second judgment | sent back in | mean gain, always | mean gain, calibrated | significantly worse |',
);
console.log('|---|---|---:|---:|---:|---:|');
for (const voice of records.voices) {
  const again = records.items.some(({ id }) => (records.lookup(voice, id)?.length ?? 0) > 1);
  if (!again) continue;
  const run = {
    records,
    voice,
    detector: createProbeDetector(),
    biases: [position],
    rounds: 1,
    clock: systemClock,
  };
  const judged = (await judgeRecorded(run)).map((orders) =>
    orders.map(({ item, biases, before, after }) => ({
      item,
      biases,
      before: before.right,
      after: after.right,
    })),
  );
  const found = splitHalves(judged, position.name, SPLITS);
  const cells = [
    ...[voice.judge, voice.strategy, `${found.sent_back} of ${found.splits}`],
    ...[
      found.mean_gain_always.toFixed(2),
      found.mean_gain_calibrated.toFixed(2),
      String(found.significantly_worse),
    ],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
