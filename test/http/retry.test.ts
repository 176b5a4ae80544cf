import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readRetryAfterMs, retryFailed, withRetry } from '../../src/http/retry.ts';
import { BudgetError, JudgeError } from '../../src/http/send.ts';
import { type Clock, systemClock } from '../../src/ports.ts';
import { scriptedClock } from '../scripted-clock.ts';

/** Failed replies whose bodies tell whether they were cancelled. */
function failure(status: number, headers: Record<string, string> = {}, retryable = status >= 429) {
  const cancelled = vi.fn();
  const body = new ReadableStream({ cancel: cancelled });
  const response = new Response(body, { status, headers });
  return { error: new JudgeError(`answered ${status}`, { status, retryable, response }), cancelled };
}

/** Fails with the errors in turn, then answers. */
function failing(...errors: unknown[]) {
  return vi.fn(async () => {
    if (errors.length > 0) throw errors.shift();
    return 'answer';
  });
}

const policy = (rest = {}) => ({ retries: 2, maxWaitMs: 20, signal: new AbortController().signal, ...rest });

describe('what is tried again', () => {
  test('a failure that passes, its unread reply let go', async () => {
    const [first, second] = [failure(503), failure(429)];
    const attempt = failing(first.error, second.error);
    await expect(withRetry(attempt, policy())).resolves.toBe('answer');
    expect(first.cancelled).toHaveBeenCalledOnce();
    expect(second.cancelled).toHaveBeenCalledOnce();
  });

  test('as often as was said, and the last reply is left to be passed on', async () => {
    const all = [failure(500), failure(500), failure(502)] as const;
    const attempt = failing(...all.map(({ error }) => error));
    await expect(withRetry(attempt, policy())).rejects.toBe(all[2].error);
    expect(attempt).toHaveBeenCalledTimes(3);
    expect(all[2].cancelled).not.toHaveBeenCalled();
  });

  test.each([
    ['a 400', failure(400).error],
    ['an error of ours', new RangeError('bug')],
    ['a TypeError', new TypeError('fetch failed')],
    ['a 429 that the endpoint says will not pass', failure(429, { 'x-should-retry': 'false' }).error],
  ])('not %s', async (_, error) => {
    const attempt = failing(error);
    await expect(withRetry(attempt, policy())).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('a 400 that the endpoint says will pass', async () => {
    const attempt = failing(failure(400, { 'x-should-retry': 'true' }).error);
    await expect(withRetry(attempt, policy())).resolves.toBe('answer');
  });

  test('nothing where no retries are allowed', async () => {
    const { error } = failure(503);
    await expect(withRetry(failing(error), policy({ retries: 0 }))).rejects.toBe(error);
  });
});

describe('how long is waited', () => {
  const NOW = Date.parse('2026-11-20T12:00:00Z');
  test.each([
    [{}, null],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 1.5 ' }, 1500],
    [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Friday, 20-Nov-26 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Fri Nov 20 12:00:07 2026' }, 7000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
  ])('%j: %s ms', (headers, ms) => {
    expect(readRetryAfterMs(new Headers(headers), NOW)).toBe(ms);
  });

  test('the time asked for, and no less', async () => {
    // p-retry waits half a second of it by a timer of its own.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = scriptedClock(NOW);
    const attempt = failing(failure(429, { 'retry-after': '4' }).error);
    const answer = withRetry(attempt, policy({ maxWaitMs: 5000, clock }));
    await clock.passOnceAsked(3500);
    // Until its timer is set.
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(499);
    expect(attempt).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toBe('answer');
  });

  test('not at all where too long a time is asked for: the failure goes out at once', async () => {
    // Whoever waited by these would wait for ever.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = scriptedClock(NOW);
    const { error, cancelled } = failure(429, { 'retry-after': '60' });
    await expect(withRetry(failing(error), policy({ maxWaitMs: 1000, clock }))).rejects.toBe(error);
    expect(clock.asked).toEqual([]);
    expect(cancelled).not.toHaveBeenCalled();
  });

  test('a date is read by the clock handed in', async () => {
    const clock: Clock = { ...systemClock, now: () => NOW };
    const { error } = failure(503, { 'retry-after': 'Fri, 20 Nov 2026 12:00:01 GMT' });
    await expect(withRetry(failing(error), policy({ clock, maxWaitMs: 900 }))).rejects.toBe(error);
  });
});

describe('giving up', () => {
  test('while waiting, at once', async () => {
    const controller = new AbortController();
    const attempt = failing(failure(429, { 'retry-after': '5' }).error);
    // Its time never passes.
    const clock = scriptedClock(0);
    const after = clock.after;
    const leaving: Clock = {
      ...clock,
      after(ms) {
        setImmediate(() => controller.abort(new Error('the client left')));
        return after(ms);
      },
    };
    const given = policy({ maxWaitMs: 10_000, signal: controller.signal, clock: leaving });
    await expect(withRetry(attempt, given)).rejects.toThrow('the client left');
    expect(attempt).toHaveBeenCalledOnce();
  });

  test('before the first attempt', async () => {
    const attempt = failing();
    await expect(withRetry(attempt, policy({ signal: AbortSignal.abort('gone') }))).rejects.toBe('gone');
    expect(attempt).not.toHaveBeenCalled();
  });
});

describe('a client’s own request', () => {
  /** The first attempt has begun, as the client's request does. */
  const retry = (attempt: () => Promise<string>) => retryFailed(attempt(), attempt, policy());

  test('whose next attempt nobody pays for ends with the reply to the last one, unread', async () => {
    const [first, second] = [failure(503), failure(429)];
    const attempt = failing(first.error, second.error, new BudgetError('all calls are used up'));
    await expect(retry(attempt)).rejects.toBe(second.error);
    expect(attempt).toHaveBeenCalledTimes(3);
    expect(first.cancelled).toHaveBeenCalledOnce();
    expect(second.cancelled).not.toHaveBeenCalled();
  });

  test('that succeeds at last lets the failed replies go', async () => {
    const all = [failure(503), failure(429)] as const;
    await expect(retry(failing(...all.map(({ error }) => error)))).resolves.toBe('answer');
    for (const { cancelled } of all) expect(cancelled).toHaveBeenCalledOnce();
  });

  test.each(['no error', undefined, null])(
    'that fails with %o, which is no Error, fails with just that',
    async (thrown) => {
      const attempt = vi.fn(async () => {
        throw thrown;
      });
      await expect(retry(attempt)).rejects.toBe(thrown);
      expect(attempt).toHaveBeenCalledOnce();
    },
  );

  test('that no budget allows is told so', async () => {
    const error = new BudgetError('all calls are used up');
    await expect(retry(failing(error))).rejects.toBe(error);
  });
});
