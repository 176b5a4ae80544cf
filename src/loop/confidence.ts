/** How sure a verdict is, from what was paid for already: its probability, the other order, and probes. */
import { isNone, kindOf, sameVerdict, type Verdict, type VerdictDraw } from '../case/index.ts';
import { combineDraws, decisionOf } from './combine-draws.ts';

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
  const isBest = decision === undefined || combined.best.includes(decision);
  const score = isBest ? combined.confidence : shareOf(decision, draws);
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
