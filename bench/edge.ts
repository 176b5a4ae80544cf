/** `npm run bench:edge`: what the Worker needs of a plan of Cloudflare's. Ends in 1 where it does not fit the free one with prompts of 8 KB that are judged in both orders. */
import { parseArgs } from 'node:util';
import { scriptSize, startUp } from './edge/build.ts';
import { edgeCpu } from './edge/cpu.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '300' } } });

/** Of the free plan. */
const LIMITS = { sizeKib: 3072, startMs: 1000, cpuMs: 10 };
/** Of prompts, in KB; the first has to fit. */
const SIZES = [8, 16, 32];

const sizeKib = (await scriptSize()) / 1024;
const startMs = await startUp();
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const line = (sorted: readonly number[]) =>
  [50, 90, 99].map((share) => `p${share} ${at(sorted, share / 100).toFixed(1)} ms`).join(', ');

const above = (sorted: readonly number[]) =>
  `${sorted.filter((ms) => ms > LIMITS.cpuMs).length} of ${sorted.length} above ${LIMITS.cpuMs} ms`;

console.log(`script: ${sizeKib.toFixed(0)} KiB packed, of ${LIMITS.sizeKib}`);
console.log(`start-up: ${startMs.toFixed(0)} ms active, of ${LIMITS.startMs}`);
console.log(`CPU of workerd, HTTP included, ${values.requests} requests after as many:`);
const fitting: number[] = [];
for (const kb of SIZES) {
  const { judging, sendingBack, passing } = await edgeCpu(kb * 1024, Number(values.requests));
  console.log(`  ${kb} KB judged in both orders (two calls to the judge): ${line(judging)}`);
  console.log(
    `  ${kb} KB found swayed and sent back (six calls): ${line(sendingBack)}, ${above(sendingBack)}`,
  );
  console.log(`  ${kb} KB passed through (one call): ${line(passing)}`);
  if (at(judging, 0.99) < LIMITS.cpuMs) fitting.push(kb);
}
const fits = sizeKib < LIMITS.sizeKib && startMs < LIMITS.startMs && fitting.includes(SIZES[0] ?? 0);
console.log(
  fits
    ? `fits the free plan with prompts of ${Math.max(...fitting)} KB where no verdict is sent back`
    : 'does not fit the free plan',
);
process.exitCode = fits ? 0 : 1;
