/** A long run: in order, so many at a time, failures listed, and flat in memory. */
import { expect, it } from 'vitest';
import { BudgetError, JudgeError } from '../../src/http/send.ts';
import { runAll } from '../../src/models/run.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new AbortController().signal;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

it('gives results in the order of the items, however long each takes', async () => {
  const seen: number[] = [];
  const results = runAll(numbers(6), (n) => later((6 - n) * 5).then(() => n * n), {
    concurrency: 3,
    signal: never,
  });
  for await (const result of results) seen.push('value' in result ? result.value : -1);
  expect(seen).toEqual([0, 1, 4, 9, 16, 25]);
});

it('works on no more than it may at a time, and reads no further ahead than twice that', async () => {
  let at = 0;
  let most = 0;
  let read = 0;
  let ended = 0;
  let ahead = 0;
  function* source() {
    for (const n of numbers(50)) {
      ahead = Math.max(ahead, ++read - ended);
      yield n;
    }
  }
  const work = async () => {
    most = Math.max(most, ++at);
    await later(1);
    at--;
  };
  for await (const _ of runAll(source(), work, { concurrency: 4, signal: never })) ended++;
  expect([most, ended]).toEqual([4, 50]);
  expect(ahead).toBeLessThanOrEqual(9);
});

it('lists what fails and goes on; a used-up budget ends it', async () => {
  const work = async (n: number) => {
    if (n === 1) throw new JudgeError('refused');
    if (n === 4) throw new BudgetError('used up');
    return n;
  };
  const seen: string[] = [];
  const progress: string[] = [];
  const run = async () => {
    const results = runAll(numbers(9), work, {
      concurrency: 1,
      signal: never,
      onProgress: ({ done, failed }) => progress.push(`${done}/${failed}`),
    });
    for await (const result of results)
      seen.push('value' in result ? `${result.value}` : result.error.message);
  };
  await expect(run()).rejects.toThrow('used up');
  expect(seen).toEqual(['0', 'refused', '2', '3']);
  expect(progress).toEqual(['1/0', '2/1', '3/1', '4/1']);
});

it('ends what is under way when the caller stops reading, or the signal says so', async () => {
  const aborted: number[] = [];
  const work = (n: number, signal: AbortSignal) =>
    n === 0
      ? Promise.resolve(n)
      : new Promise<number>((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted.push(n);
            reject(signal.reason);
          }),
        );
  for await (const _ of runAll(numbers(3), work, { concurrency: 3, signal: never })) break;
  expect(aborted).toEqual([1, 2]);

  const stop = new AbortController();
  const run = async () => {
    for await (const _ of runAll(numbers(3), work, { concurrency: 3, signal: stop.signal }))
      stop.abort(new Error('enough'));
  };
  await expect(run()).rejects.toThrow('enough');
});

it('lets calls that were sent end where the budget is used up: they are paid for', async () => {
  const answered: number[] = [];
  const work = async (n: number, signal: AbortSignal) => {
    await later(n === 1 ? 1 : 20);
    if (n === 1) throw new BudgetError('used up');
    signal.throwIfAborted();
    answered.push(n);
  };
  const run = async () => {
    for await (const _ of runAll(numbers(4), work, { concurrency: 4, signal: never }));
  };
  await expect(run()).rejects.toThrow('used up');
  expect(answered).toEqual([0, 2, 3]);
});
