/**
 * Samples: the client's own request asked several times. What goes out is a reply of the judge, the one closest to all
 * others: that of the majority, or the median score. So it has the client's form, and its reasons are those of its verdict.
 */
import { distanceBetween, isNone, kindOf, sameVerdict, type Verdict } from '../case/index.ts';
import { describeError } from '../errors.ts';
import { JudgeError } from '../http/index.ts';
import type { Scope } from './scope.ts';
import type { Answer, Samples, Trial } from './types.ts';
import { explainNoVerdict } from './unexamined.ts';

interface Drawn<Reply> {
  readonly answer: Answer<Reply>;
  readonly samples: Samples | null;
}

/**
 * Draws no more than could change the verdict: at first as many as could decide it, in one call or side by side, then the
 * rest likewise.
 * Samples that fail or hold no verdict do not count. Rejects only where the client leaves.
 */
export async function drawSamples<Reply>(
  { ask, samples: wanted = 1, samplesTogether: isTogether = false, mode, signal }: Trial<Reply>,
  first: Answer<Reply>,
  scope: Scope,
): Promise<Drawn<Reply>> {
  if (wanted < 2 || mode === 'shadow') return { answer: first, samples: null };
  const answers = [first];
  let why: string | null = null;
  if (isWeighed(first.verdict)) why = 'the reply has log-probabilities, which tell what samples would';
  let left = why === null ? wanted - 1 : 0;
  let together = isTogether;
  while (left > 0) {
    const size = countNext(
      answers.map(({ verdict }) => verdict),
      left,
    );
    if (size === 0) break;
    const calls = together ? 1 : size;
    const count = size / calls;
    const from = wanted - left;
    const asked = Array.from({ length: calls }, (_, n) =>
      ask({ kind: 'sample', sample: from + n, count }, scope.signal),
    );
    const settled = await scope.until(Promise.allSettled(asked)).catch((cause: unknown) => ({ cause }));
    if ('cause' in settled) {
      if (signal.aborted) throw settled.cause;
      why = describeError(settled.cause);
      break;
    }
    if (count > 1 && isRefused(settled[0])) {
      together = false;
      continue;
    }
    const drawn = settled.flatMap((one) => (one.status === 'fulfilled' ? apart(one.value) : []));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) why = describeError(failed.reason);
    // A server that gives one answer, however many it is asked for, gives no more the next time.
    const isShort = !failed && drawn.length < size;
    if (isShort) together = false;
    left -= isShort ? drawn.length : size;
    for (const one of drawn.slice(0, size)) {
      if (isNone(one.verdict)) why = `a sample holds no verdict: ${explainNoVerdict(one.verdict.reason)}`;
      else answers.push(one);
    }
  }
  const verdicts = answers.map(({ verdict }) => verdict);
  return { answer: answers[findCentral(verdicts)] ?? first, samples: { wanted, verdicts, why } };
}

/** Some servers have no field for several answers, or take 1 alone in it. */
function isRefused(settled: PromiseSettledResult<unknown> | undefined): boolean {
  if (settled?.status !== 'rejected') return false;
  const { reason } = settled;
  return reason instanceof JudgeError && !reason.retryable && reason.status !== null && reason.status < 500;
}

const apart = <Reply>({ besides = [], ...answer }: Answer<Reply>): Answer<Reply>[] => [answer, ...besides];

function isWeighed(verdict: Verdict): boolean {
  const { spread, likelihood } = kindOf(verdict);
  return (spread?.(verdict) ?? likelihood?.(verdict)) !== undefined;
}

/**
 * How many to draw next: the fewest that could make the same verdict that of more than half. None where it is already,
 * for what more than half say is the majority, and the median as well, whatever the others say.
 */
function countNext(verdicts: readonly Verdict[], left: number): number {
  const most = Math.max(...verdicts.map((one) => verdicts.filter((other) => sameVerdict(one, other)).length));
  if (isMajoritySettled(most, verdicts.length, left)) return 0;
  const lead = most - (verdicts.length - most);
  return Math.min(left, Math.floor((left - lead) / 2) + 1);
}

/** Whether what most of so many say stays what more than half say, whatever those say that are left to draw. */
export const isMajoritySettled = (most: number, drawn: number, left: number): boolean =>
  most - (drawn - most) > left;

/** Index of the verdict with the least distance to all others; the first of several such. */
function findCentral(verdicts: readonly Verdict[]): number {
  const far = verdicts.map((one) => verdicts.reduce((sum, other) => sum + distanceOf(one, other), 0));
  return far.indexOf(Math.min(...far));
}

const distanceOf = (a: Verdict, b: Verdict): number => distanceBetween(a, b) ?? (sameVerdict(a, b) ? 0 : 1);
