/** What a judgment leaves behind when it is over: nothing that waits for its deadline. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { debias } from '../../src/debias.ts';
import { systemClock } from '../../src/judge/types.ts';
import { choice, clean, detector, options, scripted } from '../loop.ts';

test('a judgment that is over is not kept in memory until its deadline', async () => {
  const signals: AbortSignal[] = [];
  const clock = {
    ...systemClock,
    after(ms: number) {
      const signal = systemClock.after(ms);
      signals.push(signal);
      return signal;
    },
  };
  const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)] });
  await debias(options({ ask, detector: detector(clean), clock, deadlineMs: 60_000 }));
  expect(signals).toHaveLength(1);
  expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});
