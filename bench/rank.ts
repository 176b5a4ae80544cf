/** How long and how much memory the ranking of a thousand contestants by a million verdicts takes: `node bench/rank.ts 1000 1000000`. */
import { type PairVerdict, pairedStrengths } from '../src/stats/index.ts';
import { createSeededDraw } from '../src/stats/seeded-draw.ts';

const [contestants = 1000, count = 1_000_000] = process.argv.slice(2).map(Number);
const draw = createSeededDraw(1);
const strengths = Array.from({ length: contestants }, () => (draw(2000) - 1000) / 1000);
function* judge(): Generator<PairVerdict> {
  for (let n = 0; n < count; n++) {
    const a = draw(contestants);
    const b = (a + 1 + draw(contestants - 1)) % contestants;
    const lead = (strengths[a] ?? 0) - (strengths[b] ?? 0) + 0.2;
    const [up, down] = [Math.exp(lead / 2), Math.exp(-lead / 2)];
    const at = (draw(2 ** 30) / 2 ** 30) * (up + down + 0.4);
    const better = at < up ? 'first' : at < up + down ? 'second' : 'tie';
    yield { first: `m${a}`, second: `m${b}`, better, item: `q${n >> 2}` };
  }
}
const began = performance.now();
const found = pairedStrengths(judge());
const seconds = (performance.now() - began) / 1000;
if (!('strengths' in found)) throw new Error(found.reason);
const middle = strengths.reduce((sum, one) => sum + one, 0) / contestants;
const held = found.strengths.filter(({ name, interval }) => {
  const declared = (strengths[Number(name.slice(1))] ?? 0) - middle;
  return interval.low <= declared && declared <= interval.high;
}).length;
console.log(
  `${contestants} contestants, ${count} verdicts: ${seconds.toFixed(1)} s, ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB at most; ${((100 * held) / contestants).toFixed(1)} % of the intervals hold the declared strength`,
);
