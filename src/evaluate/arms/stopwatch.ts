/**
 * How long the calls of a judgment took. Arms share their first verdicts, so a call that one arm made stands for the
 * others, too; a call that an earlier run made took a time that nobody knows any more.
 */
import type { Model, ModelAnswer, ModelQuestion } from '../../models/index.ts';
import type { Clock } from '../../ports.ts';

export interface Stopwatch {
  /** @returns the answer, and the milliseconds of that call when it was made; null where that was not under this watch */
  time(
    model: Model,
    question: ModelQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly answer: ModelAnswer; readonly ms: number | null }>;
}

/** One for the arms of a pair and judge: it remembers their questions. */
export function createStopwatch(clock: Clock): Stopwatch {
  const taken = new Map<string, Promise<number | null>>();
  return {
    async time(model, question, signal) {
      const { system, user, attempt = 0 } = question;
      const key = JSON.stringify([model.name, system, user, attempt]);
      const began = clock.elapsed();
      const asked = model.ask(question, signal);
      const known = taken.get(key);
      // Whoever asks first is the one whose call is made; the others are given its reply.
      const first =
        known ??
        asked.then(
          ({ cached }) => (cached ? null : clock.elapsed() - began),
          () => null,
        );
      if (!known) taken.set(key, first);
      const answer = await asked;
      return { answer, ms: answer.cached || !known ? await first : clock.elapsed() - began };
    },
  };
}
