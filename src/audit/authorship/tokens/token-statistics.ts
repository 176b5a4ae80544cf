/**
 * What a list of the likeliest tokens says of the whole distribution at one place: exactly where it is the whole,
 * between bounds where it is cut off. What is cut off is at most as likely as the least of the list, but where an
 * endpoint lost some of the list: that is at most as likely as all that is missing.
 */
import type { PromptToken } from '../../../models/index.ts';
import type { ScoreRange } from '../review.ts';

/** Of the distribution p at one place, given what was listed. Natural logarithms. */
export interface TokenStatistics {
  /** Log-probability of the token that stands there. */
  readonly logprob: number;
  /** From 1. */
  readonly rank: ScoreRange;
  /** -Σ p·ln p; null where nothing bounds it from above. */
  readonly entropy: ScoreRange | null;
  /** Σ p·ln² p; null likewise. */
  readonly squares: ScoreRange | null;
  /** Whether the whole vocabulary was listed. */
  readonly whole: boolean;
}

/**
 * @param alternatives asked for at each place; the token itself may be listed beside them
 * @param vocabulary how many tokens the model has; null where that is not known: then a list is never the whole
 */
export function measureToken(
  { logprob, rank, listed }: PromptToken,
  alternatives: number,
  vocabulary: number | null,
): TokenStatistics {
  const logs = [...listed.values()].sort((a, b) => b - a);
  const whole = vocabulary !== null && logs.length >= vocabulary;
  const sums = { mass: 0, entropy: 0, squares: 0 };
  for (const log of logs) {
    const p = Math.exp(log);
    if (p === 0) continue;
    sums.mass += p;
    sums.entropy -= p * log;
    sums.squares += p * log * log;
  }
  const exact = (value: number): ScoreRange => ({ low: value, high: value });
  const mass = Math.max(0, 1 - sums.mass);
  const lost = isBlurred(listed) && !isComplete(logs, logprob, alternatives);
  const cut = lost ? Math.log(mass) : (logs[Math.min(alternatives, logs.length) - 1] ?? 0);
  const tail = { mass, cut, count: whole ? 0 : (vocabulary ?? 0) - logs.length };
  return {
    logprob,
    whole,
    rank: rank === null ? rankOf(logprob, logs, whole, tail, vocabulary) : exact(rank),
    entropy: whole ? exact(sums.entropy) : vocabulary === null ? null : plus(sums.entropy, tailEntropy(tail)),
    squares: whole ? exact(sums.squares) : vocabulary === null ? null : plus(sums.squares, tailSquares(tail)),
  };
}

/**
 * Whether several tokens may stand in one entry: parts of letters are listed by a text that is none, and of those with
 * one text an endpoint keeps one. The others may be likelier than all that is listed.
 */
function isBlurred(listed: PromptToken['listed']): boolean {
  return [...listed.keys()].some((text) => text === '' || text.includes('\uFFFD'));
}

/** Whether nothing that was asked for is missing: as many as that, the token itself counted only where it is of them. */
function isComplete(logs: readonly number[], logprob: number, alternatives: number): boolean {
  return logs.length > alternatives || (logs.length === alternatives && logprob > (logs.at(-1) ?? 0));
}

/** What the list leaves out: its probability, the log-probability that none of it exceeds, how many tokens it is. */
interface Tail {
  readonly mass: number;
  readonly cut: number;
  readonly count: number;
}

/** One more than the tokens that are likelier. Of those cut off, no more can be than have room in what is missing. */
function rankOf(
  logprob: number,
  logs: readonly number[],
  whole: boolean,
  tail: Tail,
  vocabulary: number | null,
): ScoreRange {
  const likelier = logs.filter((log) => log > logprob).length;
  if (whole || logprob >= tail.cut) return { low: likelier + 1, high: likelier + 1 };
  const room = Math.floor(tail.mass / Math.exp(logprob));
  return { low: likelier + 1, high: Math.min(likelier + 1 + room, vocabulary ?? Number.POSITIVE_INFINITY) };
}

/** Least where what is missing stands on as few tokens as the cut allows, most where it is spread evenly. */
function tailEntropy({ mass, cut, count }: Tail): ScoreRange {
  if (mass === 0 || count <= 0) return { low: 0, high: 0 };
  const low = -mass * cut;
  return { low, high: Math.max(low, -mass * Math.log(mass / count)) };
}

/** p·ln² p rises up to e^-2 and is concave below 1/e: spread evenly is most, and no token has more than 4·e^-2. */
function tailSquares({ mass, cut, count }: Tail): ScoreRange {
  if (mass === 0 || count <= 0) return { low: 0, high: 0 };
  const low = mass * cut * cut;
  const each = Math.min(mass / count, Math.exp(-2));
  return { low, high: Math.max(low, count * each * Math.log(each) ** 2) };
}

function plus(seen: number, { low, high }: ScoreRange): ScoreRange {
  return { low: seen + low, high: seen + high };
}
