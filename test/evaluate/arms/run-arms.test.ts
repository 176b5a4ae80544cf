/** Arms over pairs of rows: whose failure is whose, and what a run may spend. */
import { expect, it } from 'vitest';
import type { RowPair } from '../../../src/dataset/judge-pairs.ts';
import type { ArmName } from '../../../src/evaluate/arms/index.ts';
import { runArms, type TimedRecord } from '../../../src/evaluate/arms/run-arms.ts';
import { BudgetError, WaitingError } from '../../../src/http/send.ts';
import { createMemoryCalls } from '../../../src/models/call-store.ts';
import type { Model } from '../../../src/models/model.ts';
import { systemClock } from '../../../src/ports.ts';
import { type Asked, arm, CROWD, follower, isNoted, scripted } from './scripted.ts';

const pairs = (count: number): RowPair[] =>
  Array.from({ length: count }, (_, index) => {
    const [d, dBias] = CROWD;
    const more = { id: `x${index}`, instruction: `What is 2+2? (${index})` };
    return [
      { ...d, ...more },
      { ...dBias, ...more },
    ];
  });

async function run(
  count: number,
  judge: Model,
  names: readonly ArmName[],
  signal = new AbortController().signal,
): Promise<TimedRecord[]> {
  const records: TimedRecord[] = [];
  const arms = names.map((name) => arm(name));
  for await (const group of runArms(pairs(count), [judge], arms, {
    ...{ concurrency: 1, signal, clock: systemClock },
  }))
    records.push(...group);
  return records;
}

it('a call that fails is the failure of the arms that needed it, on that row', async () => {
  const refusing = (one: Asked) => (isNoted(one) && one.user.includes('(1)') ? null : follower(one));
  const records = await run(3, scripted(refusing).model, ['none', 'placebo', 'probe']);
  expect(records).toHaveLength(9);
  const failed = records.filter(({ error }) => error !== null);
  expect(failed.map(({ id, arm }) => [id, arm])).toEqual([
    ['x1', 'placebo'],
    ['x1', 'probe'],
  ]);
  expect(failed[0]).toMatchObject({ d: null, d_bias: null, error: expect.stringContaining('400'), ms: null });
  // The probe sends D_bias back and nothing else, so on D it was answered.
  expect(failed[1]).toMatchObject({ d: { final: 0 }, d_bias: null });
  expect(records.filter(({ id, error }) => id !== 'x1' && error === null)).toHaveLength(6);
});

it('all arms share what they ask alike', async () => {
  const { model, asked } = scripted(follower);
  const records = await run(1, model, ['none', 'placebo', 'probe', 'swap-and-tie']);
  // Both rows and their swaps, D without a crowd being D_bias with it undone; three notes: two of placebo, one of probe.
  expect(asked).toHaveLength(7);
  expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(asked.length);
  expect(records.reduce((sum, { d, d_bias }) => sum + (d?.calls ?? 0) + (d_bias?.calls ?? 0), 0)).toBe(14);
});

it('a used-up budget ends the run, wherever in an arm it is used up', async () => {
  for (const budget of [0, 1, 2, 3, 4]) {
    const { model, asked } = scripted(follower, { budget });
    await expect(run(2, model, ['none', 'probe'])).rejects.toThrow(BudgetError);
    expect(asked).toHaveLength(budget);
  }
});

it('what was paid for before is not paid for again', async () => {
  const store = createMemoryCalls();
  await expect(run(3, scripted(follower, { store, budget: 4 }).model, ['none', 'probe'])).rejects.toThrow();
  const again = scripted(follower, { store });
  const records = await run(3, again.model, ['none', 'probe']);
  const whole = scripted(follower);
  const untimed = (all: TimedRecord[]) => all.map(({ ms: _, ...record }) => record);
  expect(untimed(records)).toEqual(untimed(await run(3, whole.model, ['none', 'probe'])));
  expect(again.asked.length + 4).toBe(whole.asked.length);
});

it('calls that are made later are waited for, and are no failure of a row', async () => {
  const asked = new Set<string>();
  const later: Model = {
    name: 'later',
    async ask({ user }) {
      asked.add(user);
      throw new WaitingError('handed over');
    },
  };
  await expect(run(2, later, ['none', 'swap-and-tie'])).rejects.toThrow(WaitingError);
  // Both rows of both pairs in both orders: nothing is left to be handed over the next time.
  expect(asked.size).toBe(8);
});

it('an interruption ends the run', async () => {
  const stop = new AbortController();
  const { model } = scripted((one, nth) => {
    if (nth === 3) stop.abort(new Error('interrupted'));
    return follower(one);
  });
  await expect(run(5, model, ['none', 'probe'], stop.signal)).rejects.toThrow('interrupted');
});

it('times what is asked in this run, and nothing that an earlier one asked', async () => {
  const store = createMemoryCalls();
  const first = await run(1, scripted(follower, { store }).model, ['none', 'probe']);
  // The second arm was given the first one's reply: its time is that call's.
  expect(first.every(({ ms }) => ms !== null && ms >= 0)).toBe(true);
  const second = await run(1, scripted(follower, { store }).model, ['none', 'probe']);
  expect(second.map(({ ms }) => ms)).toEqual([null, null]);
});
