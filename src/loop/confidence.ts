/** How sure a verdict is, from what was paid for already: its probability, the other order, and probes. */
import {
  isNone,
  kindOf,
  sameVerdict,
  type Verdict,
  type VerdictDraw,
  type VerdictValue,
} from '../case/index.ts';
import { average } from '../stats/mean.ts';

export interface Confidence {
  /**
   * A score, no probability before it is calibrated: the mean probability of the verdict where the replies tell one, the
   * lead of the best score, else the share of the verdicts that agree.
   */
  readonly score: number;
  /** That it is right, as labels of this judge say; null where there are none. */
  readonly probability: number | null;
  /** The verdicts that it rests on, and whether each decides the same as the final one. */
  readonly grounds: readonly ConfidenceGround[];
}

export interface ConfidenceGround {
  readonly from: 'verdict' | 'sample' | 'other-order' | 'earlier' | 'cue-undone';
  readonly agrees: boolean;
  /** Of what the verdict says, as its reply's log-probabilities have it; null where it has none. */
  readonly probability: number | null;
}

/**
 * @param final the verdict that goes out
 * @param others on the same case: in the other order, before it was sent back, with a cue undone; of the original options
 * @returns null where nothing tells how sure the judge is
 */
export function measureConfidence(
  final: Verdict,
  others: readonly { readonly from: ConfidenceGround['from']; readonly verdict: Verdict }[],
): Confidence | null {
  if (isNone(final)) return null;
  const all = [
    { from: 'verdict' as const, verdict: final },
    ...others.filter(({ verdict }) => !isNone(verdict)),
  ];
  const wholes: Verdict[] = [];
  const draws = all.map(({ verdict }) => toDraw(verdict, wholes));
  const combined = combineDraws(draws);
  if (!combined?.isTold) return null;
  const decision = decisionOf(draws[0] ?? {});
  // Scores decide nothing by themselves: of them it is the option that leads, null where none does.
  const decided = decision ?? kindOf(final).preferred?.(final);
  const isBest = decided === undefined || (decided !== null && combined.best.includes(decided));
  // The lead of another option is none of the verdict that goes out.
  const other = decision === undefined ? 0 : shareOf(decision, draws);
  const score = isBest ? combined.confidence : other;
  return {
    score,
    probability: null,
    grounds: all.map(({ from, verdict }, n) => ({
      from,
      agrees: sameVerdict(verdict, final),
      probability: draws[n]?.probability ?? null,
    })),
  };
}

/** @param wholes verdicts that are compared as wholes (lists), each different one once */
function toDraw(verdict: Verdict, wholes: Verdict[]): VerdictDraw {
  const draw = kindOf(verdict).toDraw?.(verdict);
  if (draw) return draw;
  const known = wholes.findIndex((one) => sameVerdict(one, verdict));
  return { choice: known < 0 ? wholes.push(verdict) - 1 : known };
}

const shareOf = (value: ReturnType<typeof decisionOf>, draws: readonly VerdictDraw[]): number =>
  draws.filter((draw) => decisionOf(draw) === value).length / draws.length;

// One verdict from several draws of a judge on one item (samples, both orders), and how sure the judge is of it.

/** What a judge said of an item, all draws together. */
export interface CombinedVerdict {
  /** The values that the draws speak for equally; more than one where they leave it open. */
  readonly best: readonly VerdictValue[];
  /**
   * A score, no probability before it is calibrated: the mean probability of the verdict where the draws have one, the
   * lead over the second option where they are scores, else the share of draws that say the same. One draw without any of
   * this tells nothing: 1 for all.
   */
  readonly confidence: number;
  readonly kind: 'choice' | 'scores' | 'score' | 'pass';
  /** Whether the draws say anything of how sure the judge is: there are several, or they have probabilities or a lead. */
  readonly isTold: boolean;
}

/** Equal up to what adding up in another order changes. */
const EQUAL = 1e-9;

/**
 * @returns null where no draw has a verdict
 *
 * @example combineDraws([{ …, choice: 0 }, { …, choice: 0 }, { …, choice: 1 }]) // { best: [0], confidence: 0.667, … }
 */
export function combineDraws(draws: readonly VerdictDraw[]): CombinedVerdict | null {
  const scores = draws.flatMap(({ scores: some }) => (some ? [some] : []));
  if (scores.length > 0) return combineScores(scores);
  const numbers = draws.flatMap(({ score }) => (score === undefined ? [] : [score]));
  if (numbers.length > 0) return combineNumbers(numbers);
  const votes = draws.flatMap(({ probability, ...draw }) => {
    const value = decisionOf(draw);
    return value === undefined ? [] : [{ value, probability }];
  });
  return votes.length > 0 ? combineVotes(votes) : null;
}

/** Null where an option has no score in any draw. */
function combineScores(scores: readonly (readonly (number | null)[])[]): CombinedVerdict | null {
  const [first = []] = scores;
  const given = first.map((_, option) => scores.flatMap((one) => one[option] ?? []));
  if (given.some((all) => all.length === 0)) return null;
  const means = given.map(average);
  const most = Math.max(...means);
  const best = means.flatMap((one, option) => (most - one <= EQUAL ? [option] : []));
  const second = Math.max(...means.filter((_, option) => option !== best[0]));
  return { kind: 'scores', best, confidence: round(most - second), isTold: true };
}

/** The mean; the surer, the closer the draws lie together. */
function combineNumbers(numbers: readonly number[]): CombinedVerdict {
  const middle = average(numbers);
  const spread = Math.sqrt(average(numbers.map((one) => (one - middle) ** 2)));
  return { kind: 'score', best: [middle], confidence: round(1 / (1 + spread)), isTold: numbers.length > 1 };
}

/** What a draw decides; undefined for one of scores. */
export const decisionOf = ({ choice, pass, category }: VerdictDraw): VerdictValue | undefined =>
  choice ?? pass ?? category;

interface Vote {
  readonly value: VerdictValue;
  readonly probability: number | undefined;
}

function combineVotes(votes: readonly Vote[]): CombinedVerdict {
  const kind = votes.some(({ value }) => typeof value === 'boolean') ? 'pass' : 'choice';
  const values = [...new Set(votes.map(({ value }) => value))];
  const isWeighed = votes.every(({ probability }) => probability !== undefined);
  const weights = isWeighed
    ? values.map((value) => average(votes.map((vote) => probabilityOf(value, vote, values.length))))
    : values.map((value) => votes.filter((vote) => vote.value === value).length / votes.length);
  const most = Math.max(...weights);
  const best = values.filter((_, n) => most - (weights[n] ?? 0) <= EQUAL);
  return { kind, best, confidence: round(most), isTold: isWeighed || votes.length > 1 };
}

/** What a draw leaves for another value: all of the rest where two are in question. */
function probabilityOf(value: Vote['value'], { value: said, probability = 1 }: Vote, values: number): number {
  return value === said ? probability : (1 - probability) / Math.max(1, values - 1);
}

const round = (value: number) => Math.round(value / EQUAL) * EQUAL;

/**
 * Whether a label can be right of a verdict: one of another kind would be counted as another decision.
 *
 * @param options how many there are; null where that is not known
 * @returns what is wrong with it, in words; null where nothing is
 *
 * @example whyNoLabel({ pass: true }, 1, null) // 'must be true or false, as the verdict is, not 1'
 */
export function whyNoLabel(
  { choice, pass, score, scores, category }: VerdictDraw,
  label: VerdictValue,
  options: number | null,
): string | null {
  const must = (what: string) => `must be ${what}, not ${JSON.stringify(label)}`;
  if (pass !== undefined) return typeof label === 'boolean' ? null : must('true or false, as the verdict is');
  if (category !== undefined) return typeof label === 'string' ? null : must('a category, as the verdict is');
  if (score !== undefined) return typeof label === 'number' ? null : must('a number, as the verdict is');
  if (choice === undefined && scores === undefined) return null;
  const most = (scores?.length ?? options ?? Number.POSITIVE_INFINITY) - 1;
  const isPlace = typeof label === 'number' && Number.isInteger(label) && label >= 0 && label <= most;
  if (isPlace || label === 'tie') return null;
  return must(`the place of an option, from 0${Number.isFinite(most) ? ` to ${most}` : ''}, or "tie"`);
}

/**
 * How right a verdict is, from 0 to 1: what is left open between several options is right by chance, as if one of the draws
 * were taken. Draws that contradict each other say no tie: one is right only where a draw says it, or where the scores are equal.
 */
export function creditOf(verdict: CombinedVerdict, label: VerdictValue): number {
  const said = valuesBeside(verdict, label);
  return said.some((one) => one === label) ? 1 / said.length : 0;
}

/** The values that a verdict speaks for equally, beside a label: equal scores are a tie where the label is one. */
export const valuesBeside = (
  { kind, best }: CombinedVerdict,
  label: VerdictValue,
): readonly VerdictValue[] => (label === 'tie' && kind === 'scores' && best.length > 1 ? ['tie'] : best);
