/**
 * A bias that did not flip the verdict may have pushed it all the same: where the judge gives log-probabilities, what
 * it decided was then likelier with the cue than with the cue undone, or rated higher. Both verdicts are at hand
 * already, so this costs no call; and it is said, not acted upon: the verdict stands.
 *
 * How far is far enough:
 * - The probabilities of one request differ from call to call, at temperature 0, too, since sums that are made in
 *   another order are rounded otherwise. In bfloat16 a logit between 16 and 32 has its neighbours 1/8 from it, and
 *   that is taken as the standard deviation of each token's. Independent errors σ of logits move an expectation
 *   Σ r·P(r) by √(Σ P(r)²·(r - μ)²)·σ, which is at most σ·s, with s the standard deviation of r as it is sampled.
 *   So the limit is an eighth of the one that two drawn verdicts are held to (noise.ts): 1.96 · ⅛ · √(s₁² + s₂²).
 * - What the endpoint does not show counts against it: the least difference that is possible must be beyond the limit.
 * - After other words the probabilities are those of other words. Where the judge gave reasons first, and other ones,
 *   nothing tells how much of the difference is theirs, and no sensitivity is reported.
 *
 * One probe cannot tell a cue from any other change of the prompt; that is one more reason to report and not to remand.
 */
import { type Analysis, type Evidence, kindOf, type Sensitivity, type Verdict } from '../case/index.ts';
import { Z_95 } from './noise.ts';

/** Of one token's logit from call to call: the distance of neighbours in bfloat16 between 16 and 32. */
const JITTER = 1 / 8;

/**
 * @param before the verdict with the cue, `after` the one without
 * @param eitherWay whether the cue could push away from what was decided as well as towards it, as a place can
 * @returns null where either came without log-probabilities, or is of a kind that has none
 */
export function measureSensitivity(before: Verdict, after: Verdict, eitherWay: boolean): Sensitivity | null {
  const [cued, undone] = [expectationOf(before), expectationOf(after)];
  if (!cued || !undone) return null;
  const limit = cued.lead === undone.lead ? Z_95 * JITTER * Math.sqrt(cued.variance + undone.variance) : null;
  const low = cued.low - undone.high;
  const high = cued.high - undone.low;
  const shown = limit !== null && (low > limit || (eitherWay && high < -limit));
  return { by: cued.mean - undone.mean, low, high, limit, shown };
}

/**
 * What the judge was shown to be sensitive to, each once: names of biases, joined by `+` where they were undone
 * together. Biases that were found to have changed its verdict are left out.
 */
export function listSensitivities(analyses: readonly Pick<Analysis, 'biases' | 'evidence'>[]): string[] {
  const found = new Set(analyses.flatMap(({ biases }) => biases));
  const names = analyses
    .flatMap(({ evidence }) => evidence)
    .filter(({ sensitivity }) => sensitivity?.shown)
    .map(({ biases }: Evidence) => biases.filter((name) => !found.has(name)).join('+'));
  return [...new Set(names)].filter((joined) => joined !== '');
}

interface Expectation {
  readonly mean: number;
  readonly variance: number;
  readonly low: number;
  readonly high: number;
  readonly lead: string;
}

/** Of the score, of a pass as 1 and a fail as 0, or of the option chosen as 1 and any other verdict as 0. */
function expectationOf(verdict: Verdict): Expectation | null {
  const kind = kindOf(verdict);
  const spread = kind.spread?.(verdict) ?? kind.likelihood?.(verdict);
  const lead = 'lead' in verdict ? (verdict.lead ?? '') : '';
  return spread ? { ...spread, lead } : null;
}
