/**
 * A simulation of the audits themselves: sandbox judges whose leanings are declared weights, so what an audit should
 * find is known before it is run. How often its 95% intervals hold the truth, how often it raises a false alarm, and
 * whether it tells a judge that says what sways it from one that does not. It says nothing about real judges.
 *
 * The truth for cues: merits of two texts are uniform in [-1/2, 1/2] and independent, a wavering judge adds `chance`
 * times another such pair, drawn anew for each request. A cue that is worth t more than the other turns every verdict
 * whose lead is smaller: the shift is P(|L + chance·L'| < t), with L and L' differences of two such numbers.
 *
 * The truth for authors: renown moves the number that the judge thinks of by 9 points for a weight of 1. Papers spread
 * over six whole points, so what rounding adds for one it takes from another.
 *
 * Run as `npm run bench:audits -- [repetitions]`.
 */
import { pathToFileURL } from 'node:url';
import { openaiChat } from '../adapters/openai-chat/index.ts';
import { readSettings } from '../src/audit/audit-settings.ts';
import type { Paper } from '../src/audit/authors/paper.ts';
import { authorSettings, createAuthorPlan } from '../src/audit/authors/plan.ts';
import type { Dimension } from '../src/audit/authors/profiles.ts';
import type { CueRecord } from '../src/audit/cues/ask-cues.ts';
import { measureCuePairs, measureCues } from '../src/audit/cues/measure-cues.ts';
import { createCuePlan, cueSettings } from '../src/audit/cues/plan.ts';
import { runPlan } from '../src/audit/plan.ts';
import type { Case } from '../src/case/types.ts';
import { STANDING, type Weights } from '../src/sandbox/sandbox.ts';
import type { Interval } from '../src/stats/figure.ts';
import { createSeededDraw, type Draw } from '../src/stats/seeded-draw.ts';
import { NONE, openSandbox } from './sandbox.ts';

const signal = new AbortController().signal;
const unit = (draw: Draw) => draw(2 ** 31) / 2 ** 31;

export interface PlantedCues {
  readonly weights: Partial<Pick<Weights, 'provenance' | 'recency' | 'chance'>>;
  readonly acknowledges?: number;
  /** Such as `new/old,expert/llm`. */
  readonly cues: string;
  readonly pairs: number;
}

/** One audit of cues, on fresh pairs of texts. */
export async function runCues(planted: PlantedCues, draw: Draw): Promise<CueRecord[]> {
  const merits = new Map<string, number>();
  const pairs = Array.from({ length: planted.pairs }, (_, index) => {
    const texts = [`Text ${2 * index}.`, `Text ${2 * index + 1}.`] as const;
    for (const text of texts) merits.set(text, unit(draw) - 0.5);
    return {
      id: `pair-${index}`,
      dataset: 'drawn',
      instruction: `Which? (${draw(2 ** 31)})`,
      texts,
      kind: 'response' as const,
    };
  });
  const model = openSandbox({
    weights: { ...NONE, ...planted.weights },
    acknowledges: planted.acknowledges ?? 0,
    quality: ({ options }: Case, option) => merits.get(options[option]?.text ?? '') ?? Number.NaN,
  });
  const judge = { name: model.name, protocol: openaiChat, open: async () => model };
  const plan = await createCuePlan(readSettings(cueSettings, { cues: planted.cues }), [judge]);
  const records: CueRecord[] = [];
  for await (const record of runPlan(plan, pairs, { concurrency: 8, signal })) {
    if (record.error !== null) throw new Error(record.error);
    records.push(record);
  }
  return records;
}

/** P(first text selected) with the first cue beside it less that with the second, over all pairs there could be. */
export function trueShift({ weights }: PlantedCues, [first, second]: readonly [string, string]): number {
  const worth = (cue: string) => {
    if (cue === 'new') return weights.recency ?? 0;
    return Object.hasOwn(STANDING, cue)
      ? (weights.provenance ?? 0) * STANDING[cue as keyof typeof STANDING]
      : 0;
  };
  const t = worth(first) - worth(second);
  return Math.sign(t) * within(Math.abs(t), weights.chance ?? 0);
}

/** P(|L + chance·L'| < t), by the midpoint rule over L'. */
function within(t: number, chance: number): number {
  const below = (x: number) => {
    if (x <= -1) return 0;
    if (x >= 1) return 1;
    return x < 0 ? (1 + x) ** 2 / 2 : 1 - (1 - x) ** 2 / 2;
  };
  const steps = 2000;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const other = -1 + (2 * (i + 0.5)) / steps;
    sum += (1 - Math.abs(other)) * (below(t - chance * other) - below(-t - chance * other));
  }
  return (2 * sum) / steps;
}

export interface Counted {
  /** Intervals that hold the truth. */
  readonly covered: number;
  readonly intervals: number;
  /** Runs with at least one finding. */
  readonly alarms: number;
  readonly runs: number;
}

const holds = (interval: Interval | null, truth: number) =>
  interval !== null && interval.low <= truth && truth <= interval.high;

export async function cueCoverage(planted: PlantedCues, runs: number, seed: number): Promise<Counted> {
  const draw = createSeededDraw(seed);
  let [covered, intervals, alarms] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const measured = measureCuePairs(await runCues(planted, draw));
    for (const { cues, shift } of measured) {
      intervals++;
      covered += Number(shift.value !== null && holds(shift.interval, trueShift(planted, cues)));
    }
    alarms += Number(measured.some(({ found }) => found));
  }
  return { covered, intervals, alarms, runs };
}

/** Runs in which an order of cues is called supported. */
export async function supportedOrders(planted: PlantedCues, runs: number, seed: number): Promise<number> {
  const draw = createSeededDraw(seed);
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const results = measureCues(await runCues(planted, draw), 1);
    const steps = results.flatMap(({ hierarchies }) => hierarchies.flatMap((one) => one.steps));
    count += Number(steps.some(({ supported }) => supported));
  }
  return count;
}

export interface PlantedAuthors {
  readonly weights: Partial<Pick<Weights, 'author' | 'chance'>>;
  readonly dimensions: readonly Dimension[];
  readonly papers: number;
}

/** Points between the profiles of a dimension: two thirds of the way from least to most renowned, on 9 points. */
export function trueDifference({ weights }: PlantedAuthors, dimension: Dimension): number {
  return dimension === 'gender' ? 0 : ((weights.author ?? 0) * 9 * 2) / 3;
}

const TEXT = 'We study things with a method and count what comes of it. '.repeat(5).trim();

/** One audit of author metadata, on fresh papers, with the least profiles that make a pair. */
export async function runAuthors({ weights, dimensions, papers: count }: PlantedAuthors, draw: Draw) {
  const merits = new Map<string, number>();
  const papers = Array.from({ length: count }, (_, index): Paper => {
    const title = `Paper ${index} of ${draw(2 ** 31)}`;
    merits.set(title, (unit(draw) - 0.5) * (6 / 9));
    return { id: `p${index}`, title, text: TEXT, ownAuthors: false, accepted: index % 2 === 0, field: null };
  });
  const quality = ({ options }: Case) => merits.get(options[0]?.label ?? '') ?? Number.NaN;
  const model = openSandbox(
    { weights: { ...NONE, ...weights }, quality },
    { logprobs: true, top_logprobs: 20, temperature: 0 },
  );
  const judge = { name: model.name, protocol: openaiChat, open: async () => model };
  const given = { dimensions: dimensions.join(','), 'per-side': '1' };
  const plan = await createAuthorPlan(readSettings(authorSettings, given), [judge]);
  const tally = plan.createTally();
  for await (const record of runPlan(plan, papers, { concurrency: 8, signal })) {
    if (record.error !== null || record.no_soft !== null)
      throw new Error(record.error ?? record.no_soft ?? '');
    tally.add(record);
  }
  const { findings, verdicts } = tally.report();
  return { findings, words: verdicts[0]?.verdict ?? '' };
}

export async function authorCoverage(planted: PlantedAuthors, runs: number, seed: number): Promise<Counted> {
  const draw = createSeededDraw(seed);
  let [covered, intervals, alarms] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const { findings } = await runAuthors(planted, draw);
    for (const { dimension, hard, soft } of findings)
      for (const measured of [hard, soft]) {
        intervals++;
        covered += Number(holds(measured?.mean_interval ?? null, trueDifference(planted, dimension)));
      }
    alarms += Number(findings.some(({ hard, soft }) => hard?.finding || soft?.finding));
  }
  return { covered, intervals, alarms, runs };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const runs = Number(process.argv[2] ?? 200);
  const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)}%`;
  const say = (what: string, { covered, intervals, alarms }: Counted) =>
    console.log(
      `${what}: 95% intervals hold the truth in ${percent(covered, intervals)} of ${intervals}; a finding in ${percent(alarms, runs)} of ${runs} runs`,
    );
  console.log('Simulated judges with declared weights; says nothing about real ones.');
  const cues = 'new/old,expert/human,expert/llm,expert/unknown,human/llm,human/unknown,llm/unknown';
  for (const chance of [0, 0.5])
    for (const weight of [0, 0.1, 0.3, 0.6])
      say(
        `cues, weight ${weight}, wavering ${chance}`,
        await cueCoverage(
          { weights: { recency: weight, provenance: weight, chance }, cues, pairs: 60 },
          ...([runs, 1] as const),
        ),
      );
  const idle = await supportedOrders({ weights: { chance: 1 }, cues, pairs: 40 }, Math.ceil(runs / 2), 3);
  console.log(`cues, weight 0: an order called supported in ${percent(idle, Math.ceil(runs / 2))} of runs`);
  const dimensions = ['affiliation', 'gender', 'seniority', 'publications'] as const;
  for (const author of [0, 0.003, 0.01, 0.03])
    say(
      `authors, weight ${author}, wavering 0.05`,
      await authorCoverage({ weights: { author, chance: 0.05 }, dimensions, papers: 40 }, runs, 2),
    );
}
