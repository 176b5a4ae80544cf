/** What a judgment leaves behind when it is over: nothing that waits for its deadline. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { debias } from '../../src/loop/debias.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { choice, clean, detector, options, scripted } from '../loop.ts';

test('a judgment that is over is not kept in memory until its deadline', async () => {
  let ringing = 0;
  const clock: Clock = {
    ...systemClock,
    alarm(ms, ring) {
      ringing++;
      const silence = systemClock.alarm(ms, ring);
      return () => {
        ringing--;
        silence();
      };
    },
  };
  const { ask } = scripted({ judge: [choice(0)], swap: [choice(1)] });
  const left = new AbortController();
  const during = detector((brief) => {
    expect(ringing).toBe(1);
    return clean(brief);
  });
  await debias(options({ ask, detector: during, clock, deadlineMs: 60_000, signal: left.signal }));
  expect(ringing).toBe(0);
  expect(getEventListeners(left.signal, 'abort')).toEqual([]);
});
