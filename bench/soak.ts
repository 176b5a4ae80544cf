/**
 * `npm run soak -- --minutes 30` (or `--seconds 60`; `--rate 20`, `--seed 1`): the proxy on Node at a fixed rate, with
 * faults, on loopback. Prints what it found and ends in 1 where something does not hold.
 */
import { parseArgs } from 'node:util';
import { runSoak } from './load/soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

const seconds = values.seconds === undefined ? Number(values.minutes ?? 30) * 60 : Number(values.seconds);
const rate = Number(values.rate);
if (!(seconds > 0 && rate > 0)) throw new RangeError('--minutes or --seconds, and --rate, must be above 0');

const result = await runSoak({
  seconds,
  rate,
  seed: Number(values.seed),
  warmUpSeconds: Math.max(20, seconds / 10),
  growth: 0.1,
  progress: (judged, so) => process.stderr.write(`\r${judged} judgments in ${so.toFixed(0)} s`),
});
process.stderr.write('\n');

const { judgments, outcomes, faults, rss, young, active, calls, wrong } = result;
const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

console.log(`${judgments} judgments at ${rate} a second, seed ${values.seed}`);
console.log(`answers: ${listed(outcomes)}`);
console.log(`what the judge did to its calls: ${listed(faults)}`);
console.log(`model calls: ${calls.counted}, charged to the budget: ${calls.charged}`);
console.log(
  `resident memory, median of the first and of the last third: ${mb(rss.first)}, ${mb(rss.last)} ` +
    `(${((rss.last / rss.first - 1) * 100).toFixed(1)}%)`,
);
console.log(`set aside by V8 for young objects: ${mb(young.first)}, ${mb(young.last)}`);
console.log(`what keeps the process alive at rest: ${listed(active)}`);
for (const what of wrong.slice(0, 20)) console.log(`WRONG: ${what}`);
console.log(wrong.length === 0 ? 'all of it holds' : `${wrong.length} things do not hold`);
process.exitCode = wrong.length === 0 ? 0 : 1;
