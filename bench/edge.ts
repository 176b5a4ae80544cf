/** `npm run bench:edge`: what the Worker needs of a plan of Cloudflare's. Ends in 1 where it does not fit the free one. */
import { parseArgs } from 'node:util';
import { scriptSize, startUp } from './edge/build.ts';
import { edgeCpu } from './edge/cpu.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '300' } } });

const LIMITS = { sizeKib: 1024, startMs: 200, cpuMs: 10 };

const sizeKib = (await scriptSize()) / 1024;
const startMs = await startUp();
const { judging, passing } = await edgeCpu(32 * 1024, Number(values.requests));
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const line = (sorted: readonly number[]) =>
  [50, 98, 99].map((share) => `p${share} ${at(sorted, share / 100).toFixed(1)} ms`).join(', ');

console.log(`script: ${sizeKib.toFixed(0)} KiB packed, of ${LIMITS.sizeKib}`);
console.log(`start-up: ${startMs.toFixed(0)} ms active, of ${LIMITS.startMs}`);
console.log(`CPU of workerd, HTTP included, 32 KB prompts, ${values.requests} requests after as many:`);
console.log(`  a judgment in both orders (two calls to the judge): ${line(judging)}`);
console.log(`  the same request passed through (one call): ${line(passing)}`);
const fits = sizeKib < LIMITS.sizeKib && startMs < LIMITS.startMs && at(judging, 0.99) < LIMITS.cpuMs;
console.log(fits ? 'fits the free plan' : 'does not fit the free plan');
process.exitCode = fits ? 0 : 1;
