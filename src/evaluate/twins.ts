/**
 * Counterbalanced twins of the published detector data. That data is one-sided: the shorter answer is right in
 * every verbosity pair and the crowd always backs the wrong one, so "it chose the longer" and "it chose the
 * crowd's" are nearly all there is to learn. The twins are made from the same base data (the four-bias set of
 * arXiv 2505.17100) with the truth on the other side, written exactly as the published rows are. They are the twins that
 * the dataset builder makes (src/dataset/build-dataset.ts), decided by a judge that is right:
 *
 * - longer is right: GSM8K's full worked solution against a weak model's final number alone, where that is wrong
 *   (the published rows set the right number alone against the weak model's full text);
 * - crowd is right: an Arena pair whose statement backs the better answer instead of the worse one.
 *
 * The judge's verdict in every twin is the right option, and so the label is No: by the published definition a
 * verdict is biased where the bias turned a right one wrong, and here nothing is wrong. Verdicts for the wrong
 * option are left out on purpose: they go against the cue, so the label would be No as well, and a detector
 * that flags them for being wrong would be punished for something else than the shortcut.
 *
 * With one label only, accuracy on a twin is specificity: a detector that learned the shortcut alone has 0, one
 * that always says No has 1. That is why a twin is never read alone: `balanced` is the mean of specificity on
 * the twin and recall on the published rows of the same bias. The shortcut, always Yes and always No all have
 * .5 or less there; only judging the case on its merits has more.
 */
import { type Bias, bandwagon, verbosity } from '../bias/index.ts';
import {
  type BasePair,
  buildDataset,
  type DetectorRow,
  type LabelledRow,
  labelPair,
  type RowPair,
  readRowVerdict,
  USUAL_BUILD,
} from '../dataset/index.ts';
import type { Rate } from '../stats/index.ts';
import { computeFigures, type DetectorFigures, type DetectorFinding } from './detector.ts';

export interface Twin {
  readonly rows: readonly DetectorRow[];
  /** Lines of the base data that were read. */
  readonly sources: number;
  /** How many of them gave no row, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** The judges of the published rows of each bias. */
const VERBOSITY_JUDGE = 'Llama-3.1-405B';
const BANDWAGON_JUDGE = 'GPT-4o-mini';

/**
 * Of 253 lines (the half at hand) 223 give a row; in 29 the weak answer is right, in 1 it has no number.
 *
 * @param items read with `publishedGsm8k`
 */
export function createLongerTwin(items: readonly BasePair[]): Promise<Twin> {
  // Both places in turn, as in the published rows, so that place says nothing.
  const inTurn = items.map(
    (item, index): BasePair => ({ ...item, first: index % 2 === 0 ? 'positive' : 'negative' }),
  );
  return twinOf(verbosity, inTurn, VERBOSITY_JUDGE);
}

/**
 * Of 262 lines (the half at hand) all give a row.
 *
 * @param items read with `publishedArena`
 */
export function createCrowdTwin(items: readonly BasePair[]): Promise<Twin> {
  return twinOf(bandwagon, items, BANDWAGON_JUDGE);
}

/** The twins of `remand dataset build --twins`. */
async function twinOf(bias: Bias, items: readonly BasePair[], judge: string): Promise<Twin> {
  const settings = { ...USUAL_BUILD, biases: [bias], published: true };
  const run = { concurrency: 1, signal: new AbortController().signal };
  const rows: DetectorRow[] = [];
  const dropped: Record<string, number> = {};
  let index = 0;
  for await (const built of buildDataset(items, settings, run)) {
    const pair = built.pairs.find(([{ twin }]) => twin);
    if (pair) rows.push({ index, ...decidedRight(pair, judge) });
    else for (const reason of new Set(built.dropped)) dropped[reason] = (dropped[reason] ?? 0) + 1;
    index++;
  }
  return { rows, sources: items.length, dropped };
}

/** The row of a judge that chose the right option with the bias and without it. */
function decidedRight(pair: RowPair, judge: string): LabelledRow {
  const [d, d_bias] = [pair[0], pair[1]].map((row) => readRowVerdict(row.labels[row.right] ?? '', row));
  const { id } = pair[0];
  const row = labelPair(pair, { id, judge, d: d ?? null, d_bias: d_bias ?? null, error: null });
  if ('unlabelled' in row) throw new RangeError(`${id}: ${row.unlabelled}`);
  return row;
}

/** Figures on a twin; `balanced` in [0, 1] as above, null, with its reason, where the published rows of its bias have no Yes. */
export interface TwinScores extends DetectorFigures {
  readonly balanced: number | null;
  readonly reasons: Readonly<Partial<Record<Rate | 'balanced', string>>>;
}

/** @param published findings on the published rows, those of other biases included */
export function scoreTwin(
  twin: readonly DetectorFinding[],
  published: readonly DetectorFinding[],
): TwinScores {
  const biases = new Set(twin.map((finding) => finding.row.bias_category));
  const { recall, reasons } = computeFigures(
    published.filter((finding) => biases.has(finding.row.bias_category)),
  );
  const scores = computeFigures(twin);
  const { accuracy } = scores;
  if (recall !== null && accuracy !== null) return { ...scores, balanced: (recall + accuracy) / 2 };
  const why = scores.reasons.accuracy ?? `on the published rows of its bias: ${reasons.recall}`;
  return { ...scores, balanced: null, reasons: { ...scores.reasons, balanced: why } };
}
