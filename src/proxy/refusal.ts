/** A request that is not let in, or not now. Told in the client's protocol: see error-response.ts. */
import { RemandError } from '../errors.ts';
import { BudgetError, JudgeError, readRetryMs } from '../http/index.ts';

/** For counting: a closed list, so that no client can make up labels. */
export const REFUSAL_REASONS = [
  'no-key',
  'wrong-key',
  'revoked-key',
  'scope',
  'origin',
  'host',
  'budget',
  'concurrency',
  'upstream-down',
  'account-down',
  'audit-down',
  'no-price',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export class RefusedError extends RemandError {
  override name = 'RefusedError';
  readonly status: 401 | 403 | 429 | 503;
  readonly reason: RefusalReason;
  /** Id of the key that asked, where it is one of ours. */
  readonly who: string | null;
  /** When it may be tried again, in milliseconds from now; null for never. */
  readonly againMs: number | null;

  constructor(
    status: RefusedError['status'],
    reason: RefusalReason,
    message: string,
    {
      who = null,
      againMs = null,
      cause,
    }: { who?: string | null; againMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.reason = reason;
    this.who = who;
    this.againMs = againMs;
  }
}

/** Longest wait that a client can be expected to sit out: those of OpenAI and Anthropic do up to a minute. */
const SOON_MS = 60_000;

/**
 * What a refusal says in headers: RFC 9110 §10.2.3 and §11.6.1, and `x-should-retry`, which SDKs go by first. Basic is
 * the first of the two challenges: of several in one header, Chromium reads that one only, and asks for a password.
 */
export function formatRefusalHeaders({ status, againMs }: RefusedError): [string, string][] {
  const challenge: [string, string][] =
    status === 401
      ? [['www-authenticate', 'Basic realm="Remand", charset="UTF-8", Bearer realm="Remand"']]
      : [];
  if (againMs === null) return [...challenge, ['x-should-retry', 'false']];
  const seconds = Math.max(1, Math.ceil(againMs / 1000));
  return [...challenge, ['retry-after', String(seconds)], ['x-should-retry', String(againMs <= SOON_MS)]];
}

/**
 * When a model call that failed may be made again, in milliseconds from now: 0 where nobody says when, null where that
 * cannot help.
 *
 * @param now by the wall clock
 */
export function readAgainMs(error: Error, now: number): number | null {
  // The account says when it begins anew, as soon as it is asked again.
  if (error instanceof BudgetError) return 0;
  if (error instanceof RefusedError) return error.againMs;
  return error instanceof JudgeError ? readRetryMs(error, now) : null;
}
