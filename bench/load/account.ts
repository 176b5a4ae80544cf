/**
 * Whether the books agree: the calls that the traces tell of, against those that the upstream saw, by kind. A call can
 * be begun and given up before its connection was taken (a swap, say, whose own request failed at once). Such a call is
 * in the trace, with the reason, and the upstream knows nothing of it: it is counted by itself, and only where its
 * trace says that it was given up.
 */
import type { Trace } from '../../src/trace/trace-schema.ts';
import type { Arrived, Kind } from './upstream.ts';

export const KINDS = ['judge', 'swap', 'probe', 'remand'] as const satisfies readonly Kind[];

export interface Row {
  /** By the traces. */
  traced: number;
  /** Those of them that failed. */
  failed: number;
  /** At the upstream. */
  arrived: number;
  /** Traced as given up, and never arrived. */
  givenUp: number;
}

export type Account = Record<Kind, Row>;

export function createAccount(): Account {
  const row = (): Row => ({ traced: 0, failed: 0, arrived: 0, givenUp: 0 });
  return { judge: row(), swap: row(), probe: row(), remand: row() };
}

/**
 * Errors of calls that were ended by us: nobody needed them any more, their time was up, or the call beside them, which
 * is of use with them only, could not be paid for.
 */
const GIVEN_UP = /judgment is over|holds no verdict|not done within|did not answer within|are used up/;

/**
 * Enters one judgment.
 *
 * @param trace null where there is none, as of a request that never reached the judge
 * @returns what does not agree; null where all does
 */
export function enter(account: Account, trace: Trace | null, arrived: readonly Arrived[]): string | null {
  const wrong: string[] = [];
  for (const kind of KINDS) {
    const row = account[kind];
    const here = arrived.filter((call) => call.kind === kind).length;
    row.arrived += here;
    if (!trace) {
      if (here > 0) wrong.push(`${here} ${kind} calls at the upstream, and no trace of them`);
      continue;
    }
    const told = trace.calls.filter((call) => call.kind === kind && !call.cached);
    row.traced += told.length;
    row.failed += told.filter(({ error }) => error !== null).length;
    const missing = told.length - here;
    // A call beside one whose own request fails ends with the same words.
    const own = kind === 'judge' ? undefined : trace.calls.findLast((call) => call.kind === 'judge')?.error;
    // So does the other order of a case that is sent back, which may not have been sent by then.
    const endedTogether = (error: string) => told.filter((call) => call.error === error).length > 1;
    const endable = told.filter(
      ({ error }) => error !== null && (GIVEN_UP.test(error) || error === own || endedTogether(error)),
    ).length;
    if (missing < 0 || missing > endable)
      wrong.push(
        `${told.length} ${kind} calls in trace ${trace.id}, ${here} at the upstream; ` +
          `they ended with ${JSON.stringify(told.map(({ error }) => error))}`,
      );
    else row.givenUp += missing;
  }
  const others = trace?.calls.filter(({ kind }) => !KINDS.some((known) => known === kind)) ?? [];
  if (others.length > 0) wrong.push(`a ${others[0]?.kind} call that was not to be made`);
  return wrong.length > 0 ? wrong.join('; ') : null;
}

/** `remand_calls_total` by kind. */
export function callsIn(metrics: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [, kind = '', count] of metrics.matchAll(/^remand_calls_total\{kind="(\w+)",[^}]*\} (\d+)$/gm))
    sums[kind] = (sums[kind] ?? 0) + Number(count);
  return sums;
}
