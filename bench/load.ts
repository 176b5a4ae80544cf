/**
 * Load with faults: `npm run load -- [--judgments 20000] [--clients 200] [--seed 1]`. Everything on loopback: clients
 * of three protocols, streaming or not, before the real proxy, and behind it a judge of whose calls a quarter fails.
 * Prints what became of the answers, the calls and the memory; ends in 1 when something does not hold.
 */
import { parseArgs } from 'node:util';
import { KINDS } from './load/account.ts';
import { runLoad } from './load/run.ts';

const { values } = parseArgs({
  options: {
    judgments: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});

const judgments = Number(values.judgments);
const result = await runLoad({
  judgments,
  clients: Number(values.clients),
  seed: Number(values.seed),
  timeoutMs: 3_000,
  growth: 0.2,
  progress(done) {
    if (done % 500 === 0) process.stderr.write(`\r${done} of ${judgments}`);
  },
});
process.stderr.write('\n');

const { seconds, account, faults, outcomes, held, wrong } = result;
const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const [early, late] = held;

console.log(
  `${judgments} judgments by ${values.clients} clients in ${seconds.toFixed(0)} s, seed ${values.seed}`,
);
console.log(`answers: ${listed(outcomes)}`);
console.log(`what the judge did to its calls: ${listed(faults)}`);
console.log(`\n${''.padEnd(8)}in traces  of them failed  given up before they arrived  at the judge`);
for (const kind of KINDS) {
  const { traced, failed, givenUp, arrived } = account[kind];
  const cells = [traced, failed, givenUp, arrived];
  console.log(
    kind.padEnd(8) + cells.map((cell, i) => String(cell).padStart([9, 16, 30, 14][i] ?? 0)).join(''),
  );
}
console.log(
  `Every call is in a trace, those of judgments whose own request failed as well; ${result.cutShort} requests broke off on their way.`,
);
console.log(
  `\nmemory after ${Math.ceil(judgments / 5)} and after ${judgments}: RSS ${mb(early.rss)}, ${mb(late.rss)}; heap ${mb(early.heap)}, ${mb(late.heap)}`,
);
for (const what of wrong.slice(0, 20)) console.log(`WRONG: ${what}`);
console.log(wrong.length === 0 ? 'all of it holds' : `${wrong.length} things do not hold`);
process.exitCode = wrong.length === 0 ? 0 : 1;
