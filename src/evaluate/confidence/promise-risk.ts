/** How often a judge is wrong where it is surest, and from which confidence on that error can be promised to stay below a limit. */
import { binomialCdf, dropRounding } from '../../stats/index.ts';

interface RiskPromise {
  /** Verdicts at least as sure are answered; the others are left open. */
  readonly threshold: number;
  /** Share of the labelled items that are answered. */
  readonly coverage: number;
  /** Of the answered ones; a verdict that leaves several options open counts as an error. */
  readonly errors: number;
  readonly answered: number;
}

export type PromiseResult =
  | { readonly kept: RiskPromise; readonly refused: null }
  | { readonly kept: null; readonly refused: string };

/** Shares of the items at which the search begins, each with its part of the error that may be made. */
const STARTS = [0.2, 0.4, 0.6, 0.8] as const;

/**
 * The lowest confidence above which at most a share `risk` of the verdicts is wrong, so that this holds with probability
 * `confidence` over the choice of the labelled items, for items drawn like them.
 *
 * From each of several starts the threshold is lowered step by step, as long as an exact binomial test still rejects that
 * the risk is larger: the first that fails ends that sequence, which keeps the error of the whole family (fixed-sequence
 * testing with several starts; Angelopoulos et al., Learn then Test, arXiv 2110.01052; for judges Jung et al., Trust or
 * Escalate, arXiv 2407.18370). The starts and steps depend on the confidences alone, never on the labels.
 *
 * @param items labelled ones, independent of each other, of which none may have been used to build the confidence
 * @param risk share of errors among the answered, in (0, 1)
 * @param confidence in (0, 1)
 * @returns the reason where no threshold can be promised
 *
 * @example promiseRisk(items, 0.1, 0.95) // { kept: { threshold: 0.82, coverage: 0.61, … }, refused: null }
 */
export function promiseRisk(items: readonly ScoredItem[], risk: number, confidence: number): PromiseResult {
  const error = (1 - confidence) / STARTS.length;
  const least = Math.ceil(Math.log(error) / Math.log(1 - risk));
  if (items.length < least)
    return refuse(
      `${items.length} labels are too few: with none of them wrong, at least ${least} are needed to promise ${percent(risk)} with ${percent(confidence)} confidence`,
    );
  const steps = stepsOf(items);
  let kept: RiskPromise | null = null;
  for (const start of STARTS) {
    const first = steps.findIndex(({ answered }) => answered >= Math.max(least, start * items.length));
    for (const step of first < 0 ? [] : steps.slice(first)) {
      if (binomialCdf(step.errors, step.answered, risk) > error) break;
      if (!kept || step.answered > kept.answered) kept = { ...step, coverage: step.answered / items.length };
    }
  }
  if (kept) return { kept, refused: null };
  const surest = steps.find(({ answered }) => answered >= least);
  return refuse(
    `no threshold keeps the risk below ${percent(risk)} with ${percent(confidence)} confidence: of the surest ${surest?.answered ?? 0} verdicts ${surest?.errors ?? 0} are wrong. Give more labels, allow a larger risk, or take another judge`,
  );
}

const refuse = (refused: string): PromiseResult => ({ kept: null, refused });
const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;

/** For each confidence that occurs, the highest first: what is answered at that threshold. */
function stepsOf(items: readonly ScoredItem[]): Omit<RiskPromise, 'coverage'>[] {
  const steps: Omit<RiskPromise, 'coverage'>[] = [];
  let [answered, errors] = [0, 0];
  const groups = [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => b - a);
  for (const [threshold, equal] of groups) {
    answered += equal.length;
    errors += equal.filter(({ credit }) => credit < 1).length;
    steps.push({ threshold, answered, errors });
  }
  return steps;
}

/** An item that was judged: how sure the judge is, and how right it is, from 0 to 1. */
export interface ScoredItem {
  readonly confidence: number;
  readonly credit: number;
  /** Items of one group are no independent observations; each is one by itself where none has a group. */
  readonly group?: string;
}

/**
 * The mean error of the surest share of the items. Where several are as sure as the last one that fits, which of them are
 * in is left to chance, and the expected error is told: to put the right ones in front would flatter the judge.
 *
 * @param coverage in (0, 1]; so many items as fit whole, but one at least
 * @returns null without items
 */
export function riskAt(items: readonly ScoredItem[], coverage: number): number | null {
  if (items.length === 0) return null;
  const kept = keptAt(items.length, coverage);
  let left = kept;
  let right = 0;
  for (const [, equal] of bySureness(items)) {
    const taken = Math.min(left, equal.length);
    right += (taken / equal.length) * equal.reduce((sum, { credit }) => sum + credit, 0);
    left -= taken;
    if (left === 0) break;
  }
  return 1 - right / kept;
}

/** How many of `n` items a share keeps: so many as fit whole, but one at least. */
export const keptAt = (n: number, coverage: number): number => Math.max(1, Math.floor(coverage * n + 1e-9));

/**
 * The mean risk over all coverages from one item to all (Geifman and El-Yaniv, arXiv 1805.08206): lower is better, and
 * a judge that knows nothing of its errors has its error rate.
 */
export function areaUnderRisk(items: readonly ScoredItem[]): number | null {
  if (items.length === 0) return null;
  let before = 0;
  let right = 0;
  let sum = 0;
  for (const [, equal] of bySureness(items)) {
    const credit = equal.reduce((all, one) => all + one.credit, 0);
    for (let n = 1; n <= equal.length; n++) sum += 1 - (right + (n / equal.length) * credit) / (before + n);
    right += credit;
    before += equal.length;
  }
  return dropRounding(sum, items.length) / items.length;
}

const bySureness = (items: readonly ScoredItem[]) =>
  [...Map.groupBy(items, ({ confidence }) => confidence)].sort(([a], [b]) => b - a);
