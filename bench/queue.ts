/**
 * How many labels the queue saves: simulated annotators, who know what is right, label recorded judgments until it is
 * settled whether sending back pays, in the order of the queue (`/remand/queue?for=rulings`) and in an order by chance.
 *
 *     node bench/queue.ts items.jsonl verdicts.jsonl
 */
import { findBias } from '../src/bias/index.ts';
import { createProbeDetector } from '../src/detect/index.ts';
import { judgeRecorded } from '../src/evaluate/index.ts';
import { systemClock } from '../src/ports.ts';
import { countRulings, rankCases } from '../src/proxy/labels/label-routes.ts';
import { loadRecords } from '../src/sandbox/node.ts';
import { createSeededDraw } from '../src/stats/index.ts';

/** A judgment as the queue sees it, and what an annotator would say of it. */
export interface LabelledCase {
  readonly status: string;
  readonly moved: boolean;
  readonly judge: string;
  readonly biases: string[];
  readonly before: boolean;
  readonly after: boolean;
}

export interface Labelling {
  /** Labels until the ruling was settled; all cases where it never was. */
  readonly labels: number;
  readonly isSettled: boolean;
  /** Whether sending back turned more of the labelled verdicts right than wrong. */
  readonly pays: boolean;
}

/** @param order that the cases are labelled in; those that the queue holds to be equal come by chance */
export function simulateLabelling(
  cases: readonly LabelledCase[],
  order: 'queue' | 'chance',
  seed: number,
): Labelling {
  const draw = createSeededDraw(seed);
  const rest = cases.map((one) => ({ one, key: draw(2 ** 31) })).sort((a, b) => a.key - b.key);
  const shuffled = rest.map(({ one }) => one);
  const rulings = countRulings();
  const sorted = order === 'queue' ? rankCases(shuffled, rulings).map(({ one }) => one) : shuffled;
  const found = () => rulings.list()[0];
  for (const [n, one] of sorted.entries()) {
    rulings.add(one);
    const ruling = found();
    if (ruling && !ruling.isOpen)
      return { labels: n + 1, isSettled: true, pays: ruling.better > ruling.worse };
  }
  const { better = 0, worse = 0 } = found() ?? {};
  return { labels: sorted.length, isSettled: false, pays: better > worse };
}

/** @returns the cases of each recorded judge and strategy, by `judge/strategy` */
export async function readRecordedCases(
  items: string,
  verdicts: string,
): Promise<Map<string, LabelledCase[]>> {
  const records = await loadRecords({ items, verdicts });
  const position = findBias('position');
  if (!position) throw new Error('there is no bias "position"');
  const all = new Map<string, LabelledCase[]>();
  for (const voice of records.voices) {
    const run = { records, voice, detector: createProbeDetector(), biases: [position], rounds: 1 };
    const judged = (await judgeRecorded({ ...run, clock: systemClock })).flat();
    all.set(
      `${voice.judge}/${voice.strategy}`,
      judged.map(({ biases, before, after, remanded }) => {
        const moved = before.winner !== after.winner;
        const status = !remanded ? 'unchanged' : moved ? 'revised' : 'insisted';
        return {
          status,
          moved,
          judge: voice.judge,
          biases: remanded ? [...biases] : [],
          before: before.right,
          after: after.right,
        };
      }),
    );
  }
  return all;
}

const RUNS = 200;

async function main([items, verdicts]: readonly string[]): Promise<void> {
  if (items === undefined || verdicts === undefined)
    throw new Error('give the files of items and of verdicts');
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  console.log(
    '| judge | judgments | moved | labels, queue | labels, chance | settled | the same answer as all labels |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|');
  for (const [name, cases] of await readRecordedCases(items, verdicts)) {
    if (!cases.some(({ biases }) => biases.length > 0)) continue;
    const all = simulateAll(cases);
    const runs = (order: 'queue' | 'chance') =>
      Array.from({ length: RUNS }, (_, seed) => simulateLabelling(cases, order, seed));
    const [queue, chance] = [runs('queue'), runs('chance')];
    const share = (some: readonly Labelling[], is: (one: Labelling) => boolean) =>
      `${Math.round((100 * some.filter(is).length) / some.length)}%`;
    console.log(
      `| ${name} | ${cases.length} | ${cases.filter(({ moved }) => moved).length} | ${median(queue.map(({ labels }) => labels))} | ${median(chance.map(({ labels }) => labels))} | ${share(queue, ({ isSettled }) => isSettled)} | ${share(queue, ({ pays }) => pays === all)} |`,
    );
  }
}

/** What all labels together say. */
function simulateAll(cases: readonly LabelledCase[]): boolean {
  const better = cases.filter(({ before, after }) => !before && after).length;
  return better > cases.filter(({ before, after }) => before && !after).length;
}

if (import.meta.main) await main(process.argv.slice(2));
