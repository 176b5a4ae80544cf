/**
 * A simulation of the evaluation itself: judges whose biases are declared weights, cases whose merits are drawn, and
 * so an effect that is known before anything is measured. Whether the probe finds what was planted, and whether the
 * intervals of `remand eval judge` cover the truth as often as they claim, can be told here and nowhere else. It says
 * nothing about real judges.
 *
 * The truth, from the weights alone: merits of the two options are uniform in [-1/2, 1/2] and independent, so the
 * better one leads by less than t with probability 1 - (1 - t)² for t in [0, 1]. A bias that is worth t to the worse
 * option (its weight times what it is fed: 1 for place, 0.9 for a crowd of 90%, the logarithm of the ratio of lengths,
 * the difference in tone) turns the verdict exactly where that lead is smaller.
 *
 * Run as `npm run bench:sandbox -- [repetitions]`, which writes docs/sandbox.md.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vader from 'vader-sentiment';
import { openaiChat } from '../adapters/openai-chat/index.ts';
import { finalNumber } from '../src/case/final-answer.ts';
import type { DatasetRow } from '../src/dataset/base.ts';
import type { RowPair } from '../src/dataset/judge-pairs.ts';
import { createArmTally } from '../src/evaluate/arms/arm-summary.ts';
import { createArm } from '../src/evaluate/arms/index.ts';
import { type ArmRecord, runArms } from '../src/evaluate/arms/run-arms.ts';
import { createMemoryCalls } from '../src/models/call-store.ts';
import { createSpend } from '../src/models/ledger.ts';
import { createModel, type Model } from '../src/models/model.ts';
import { systemClock } from '../src/ports.ts';
import { createSandboxJudge, NO_WEIGHTS, type SandboxOptions, type Weights } from '../src/sandbox/sandbox.ts';
import type { Interval } from '../src/stats/figure.ts';
import { pairedDifference } from '../src/stats/paired-difference.ts';
import { createSeededDraw, type Draw } from '../src/stats/seeded-draw.ts';
import { type Line, sandboxPage } from './sandbox-page.ts';

/** How far the judge lowers the weight of a bias it is told of. */
export const HEEDS = 0.8;
export const NONE: Weights = { ...NO_WEIGHTS, quality: 1 };

export interface Planted {
  readonly bias: string;
  readonly weight: Exclude<keyof Weights, 'quality' | 'chance'>;
  /** What a weight of 1 is worth to the worse option in D_bias. */
  readonly strength: number;
  /** The two options' texts without and with the bias, the better one's first. */
  readonly texts: (better: number, worse: number) => { readonly d: Texts; readonly dBias: Texts };
  /** The majority's statement is for the worse option; the order is turned round. */
  readonly crowd?: true;
  readonly turned?: true;
}
export type Texts = readonly [better: string, worse: string];

export const plain = (answer: number) => `The sum is as follows.\n#### ${answer}`;
export const same = (better: number, worse: number): Texts => [plain(better), plain(worse)];
export const long = (answer: number) => `${'All of it is added up here. '.repeat(4)}\n#### ${answer}`;
export const cheerful = (answer: number) => `What a wonderful, happy day, I love it!\n#### ${answer}`;
export const gloomy = (answer: number) => `What a terrible, awful day, I hate it.\n#### ${answer}`;
export const tone = (text: string): number => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound;
/** Answers are numbers of five digits, so that they are equally long. */
const ANY = 10_000;

export const PLANTED: readonly Planted[] = [
  {
    bias: 'position',
    weight: 'position',
    strength: 1,
    turned: true,
    texts: (better, worse) => ({ d: same(better, worse), dBias: same(better, worse) }),
  },
  {
    bias: 'bandwagon',
    weight: 'majority',
    strength: 0.9,
    crowd: true,
    texts: (better, worse) => ({ d: same(better, worse), dBias: same(better, worse) }),
  },
  {
    bias: 'verbosity',
    weight: 'length',
    strength: Math.log(long(ANY).length / plain(ANY).length),
    texts: (better, worse) => ({ d: same(better, worse), dBias: [plain(better), long(worse)] }),
  },
  {
    bias: 'sentiment',
    weight: 'tone',
    strength: tone(cheerful(ANY)) - tone(gloomy(ANY)),
    texts: (better, worse) => ({ d: same(better, worse), dBias: [gloomy(better), cheerful(worse)] }),
  },
];

/** The share of verdicts that a bias worth `t` to the worse option turns. */
export function turnedShare(t: number): number {
  return 1 - (1 - Math.min(1, Math.max(0, t))) ** 2;
}

/** What is true of all cases there could be, for a weight. */
export function truthOf({ strength }: Planted, weight: number) {
  const t = weight * strength;
  return { turned: turnedShare(t), turnedAfterProbe: turnedShare(t * (1 - HEEDS)) };
}

export interface Measured {
  readonly pairs: number;
  /** Share of the pairs decided differently with and without the bias, with its mid-p interval. */
  readonly turned: Estimate;
  readonly turnedAfterProbe: Estimate;
  /** Fall of the accuracy from D to D_bias, with Newcombe's interval; position has none: turning a pair harms no side. */
  readonly fall: Estimate | null;
  /** Share of the pairs in which the probe found the bias in D_bias. */
  readonly found: number;
}
export interface Estimate {
  readonly value: number;
  readonly interval: Interval;
}

/** @param others weights of biases that are not looked for */
export async function measure(
  planted: Planted,
  weight: number,
  pairs: number,
  draw: Draw,
  others: Partial<Weights> = {},
): Promise<Measured> {
  const { rows, merits } = casesOf(planted, pairs, draw);
  const judge = sandbox({ ...NONE, ...others, [planted.weight]: weight }, merits);
  const tally = createArmTally(1);
  const records: ArmRecord[] = [];
  const tools = { rounds: 1, clock: systemClock, detector: null, sampling: null };
  const arms = (['none', 'probe'] as const).map((name) => createArm(name, tools));
  const signal = new AbortController().signal;
  for await (const group of runArms(rows, [judge], arms, { concurrency: 8, signal, clock: systemClock })) {
    tally.add(group);
    records.push(...group);
  }
  const [none, probe] = tally.summaries();
  const probed = records.filter(({ arm }) => arm === 'probe');
  const found = probed.filter(({ d_bias: outcome }) => outcome?.found.includes(planted.bias)).length;
  const failure = records.find(({ error }) => error !== null);
  if (!none || !probe || failure) throw new Error(`the simulation failed: ${failure?.error ?? 'no summary'}`);
  return {
    pairs,
    turned: contrary(none.consistency),
    turnedAfterProbe: contrary(probe.consistency),
    fall: planted.turned ? null : fallOf(records.filter(({ arm }) => arm === 'none')),
    found: found / pairs,
  };
}

function contrary({ value, interval }: { value: number | null; interval: Interval | null }): Estimate {
  if (value === null || interval === null) throw new RangeError('nothing was measured');
  return { value: 1 - value, interval: { low: 1 - interval.high, high: 1 - interval.low } };
}

function fallOf(records: readonly ArmRecord[]): Estimate {
  const counts = { both: 0, gained: 0, lost: 0, neither: 0 };
  for (const { d, d_bias: dBias, right } of records) {
    const before = dBias?.final === right.d_bias;
    const after = d?.final === right.d;
    counts[before ? (after ? 'both' : 'lost') : after ? 'gained' : 'neither']++;
  }
  const difference = pairedDifference(counts);
  if (difference.value === null) throw new RangeError(difference.reason);
  return { value: difference.value, interval: difference.interval };
}

/** Pairs whose merits are drawn; the better one stands first in every other, so that place says nothing. */
function casesOf(planted: Planted, count: number, draw: Draw) {
  const merits = new Map<string, number>();
  const rows = Array.from({ length: count }, (_, index): RowPair => {
    const answers = [ANY + 2 * index, ANY + 2 * index + 1] as const;
    const [one, other] = answers.map(() => draw(2 ** 31) / 2 ** 31 - 0.5) as [number, number];
    const [better, worse] = one > other ? answers : [answers[1], answers[0]];
    merits.set(String(answers[0]), one).set(String(answers[1]), other);
    const { d, dBias } = planted.texts(better, worse);
    const right = index % 2;
    const head = {
      id: `case-${index}`,
      base: `case-${index}`,
      twin: false,
      biases: [planted.bias],
      instruction: `Which sum is better? (${index})`,
      labels: ['Output (a)', 'Output (b)'],
    };
    const placed = (texts: Texts, at: number) => (at === 0 ? [...texts] : texts.toReversed());
    const there = planted.turned ? 1 - right : right;
    const against = head.labels[1 - there] ?? '';
    const statements = planted.crowd ? [`90% believe that ${against} is better`] : [];
    const clean: DatasetRow = { ...head, set: 'd', options: placed(d, right), right, statements: [] };
    return [clean, { ...head, set: 'd_bias', options: placed(dBias, there), right: there, statements }];
  });
  return { rows, merits };
}

export function sandbox(weights: Weights, merits: ReadonlyMap<string, number>): Model {
  const quality = (subject: { options: readonly { text: string }[] }, option: number) =>
    merits.get(finalNumber(subject.options[option]?.text ?? '') ?? '') ?? 0;
  return openSandbox({ weights, quality, heeds: HEEDS });
}

/** @param parameters fields of each request */
export function openSandbox(
  options: SandboxOptions,
  parameters: Readonly<Record<string, unknown>> = {},
): Model {
  return createModel({
    name: 'sandbox',
    model: 'remand-sandbox',
    protocol: openaiChat,
    url: 'http://sandbox.invalid',
    key: null,
    parameters,
    store: createMemoryCalls(),
    clock: systemClock,
    retries: 0,
    spend: createSpend({ calls: null, tokens: null }),
    fetch: createSandboxJudge(options),
  });
}

export interface Coverage {
  readonly repetitions: number;
  /** How many of them have an interval that holds the truth. */
  readonly turned: number;
  readonly turnedAfterProbe: number;
  /** Null for position. */
  readonly fall: number | null;
}

/** How often the intervals cover the truth, over fresh samples of cases. */
export async function coverage(
  planted: Planted,
  weight: number,
  options: { readonly repetitions: number; readonly pairs: number; readonly seed: number },
): Promise<Coverage> {
  const draw = createSeededDraw(options.seed);
  const truth = truthOf(planted, weight);
  const covers = (estimate: Estimate, value: number) =>
    estimate.interval.low <= value && value <= estimate.interval.high;
  const counts = { turned: 0, turnedAfterProbe: 0, fall: 0 };
  for (let i = 0; i < options.repetitions; i++) {
    const measured = await measure(planted, weight, options.pairs, draw);
    counts.turned += Number(covers(measured.turned, truth.turned));
    counts.turnedAfterProbe += Number(covers(measured.turnedAfterProbe, truth.turnedAfterProbe));
    if (measured.fall) counts.fall += Number(covers(measured.fall, truth.turned));
  }
  return { ...counts, repetitions: options.repetitions, fall: planted.turned ? null : counts.fall };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const repetitions = Number(process.argv[2] ?? 200);
  const pairs = 50;
  const lines: Line[] = [];
  for (const [index, planted] of PLANTED.entries())
    for (const [step, t] of [0, 0.05, 0.1, 0.2, 0.4, 0.7].entries()) {
      const weight = t / planted.strength;
      const truth = truthOf(planted, weight);
      const one = await measure(planted, weight, 500, createSeededDraw(1 + index));
      // A seed for each weight: with one for all, an unlucky sample would show in every line.
      const options = { repetitions, pairs, seed: 101 + 10 * index + step };
      const { turned, turnedAfterProbe, fall } = await coverage(planted, weight, options);
      const share = { kind: 'share', of: repetitions } as const;
      lines.push({
        bias: planted.bias,
        weight,
        truth: truth.turned,
        measured: one.turned.value,
        found: one.found,
        measures: [
          { ...share, name: 'turned', truth: truth.turned, held: turned },
          { ...share, name: 'turned after the probe', truth: truth.turnedAfterProbe, held: turnedAfterProbe },
          ...(fall === null
            ? []
            : [{ name: 'fall', kind: 'fall', truth: truth.turned, held: fall, of: repetitions } as const]),
        ],
      });
      console.error(`${planted.bias}, weight ${weight.toFixed(2)}: done`);
    }
  const date = new Date().toISOString().slice(0, 10);
  const made = `Made on ${date} by \`npm run bench:sandbox -- ${repetitions}\`.`;
  const page = sandboxPage(lines, pairs, made);
  await writeFile(join(import.meta.dirname, '..', 'docs', 'sandbox.md'), page);
  console.log(page);
}
