/** The scope of one judgment: its deadline and the client's signal as one. Nothing of a judgment outlives its scope. */
import { type Counterfactual, mapBack, type Verdict } from '../case/index.ts';
import { type Until, untilAbortedEach } from '../http/index.ts';
import type { Note, Policy, Trial } from './types.ts';

export interface Scope extends Disposable {
  /** Aborted when the client leaves, the deadline is over, or the judgment is. */
  readonly signal: AbortSignal;
  /**
   * Judges a counterfactual, with the note if there is one; once however often it is asked for. Says the verdict of the
   * original options.
   */
  probe(of: Counterfactual, note: Note | null): Promise<Verdict>;
  /** What was judged of a counterfactual without a note; undefined where it was not. */
  knownProbe(of: Counterfactual): Promise<Verdict> | undefined;
  /** Waits for work that may be deaf to the signal. */
  readonly until: Until;
  /** Starts the time that the judgment has; at most once. */
  startDeadline(): void;
  abort(reason: unknown): void;
}

/** Shared by all judgments, because creating a DOMException captures a stack trace. */
const OVER = new DOMException('the judgment is over', 'AbortError');

export function openScope<Reply>(
  trial: Pick<Trial<Reply>, 'ask' | 'signal' | 'clock' | 'deadlineMs'>,
): Scope {
  const { signal: client, clock, deadlineMs, ask } = trial;
  // Not AbortSignal.any: it tracks its sources for as long as any of them lives, and the client's may live long.
  const controller = new AbortController();
  const { signal } = controller;
  const leave = () => controller.abort(client.reason);
  if (client.aborted) leave();
  else client.addEventListener('abort', leave, { once: true });
  let stopAlarm = () => {};
  const probes = new Map<string, Promise<Verdict>>();
  return {
    signal,
    probe(of, note) {
      const key = probeKey(of, note);
      const known =
        probes.get(key) ??
        ask({ kind: 'probe', of, note }, signal).then(({ verdict }) => mapBack(verdict, of));
      probes.set(key, known);
      return known;
    },
    knownProbe: (of) => probes.get(probeKey(of, null)),
    until: untilAbortedEach(signal),
    startDeadline() {
      stopAlarm = clock.alarm(deadlineMs, () =>
        controller.abort(new DOMException(`not done within ${deadlineMs} ms`, 'TimeoutError')),
      );
    },
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      client.removeEventListener('abort', leave);
      // A running alarm would keep the judgment in memory until the deadline.
      stopAlarm();
      controller.abort(OVER);
    },
  };
}

const probeKey = ({ order, options, context, elsewhere }: Counterfactual, note: Note | null): string =>
  JSON.stringify([order, [...options], [...context], elsewhere, note?.round]);

/** How a judgment is done where nobody says otherwise, over HTTP and in process alike. */
export const DEFAULTS = {
  mode: 'debias',
  /** T of the loop. The second round tells "revised" from "still biased"; further rounds rarely change a verdict. */
  rounds: 2,
  policy: 'last-word' satisfies Policy,
  /** Time for all work after the first verdict, in milliseconds. Impatient clients give up after 10 to 20 s. */
  deadlineMs: 8_000,
  /** Calls to any model beside the first. */
  extraCalls: 8,
} as const;
