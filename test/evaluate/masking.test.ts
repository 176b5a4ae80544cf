/** Two declared biases of a simulated judge that speak for the same wrong answer: see bench/masking.ts. */
import { expect, test } from 'vitest';
import { measureMasking, PULLS } from '../../bench/masking.ts';

/** `npm run bench:masking -- 1000` tries more. */
const CASES = 20;

test.each(PULLS.filter(({ worseAt }) => worseAt !== 'fair'))(
  '$name: neither hides the other',
  async (pull) => {
    const { wrong, found } = await measureMasking(pull, CASES, 20_261_123);
    expect(wrong).toBe(CASES);
    expect(found).toBeGreaterThanOrEqual(0.95 * wrong);
  },
);

test.each(PULLS.filter(({ worseAt }) => worseAt === 'fair'))('$name: no false alarm', async (pull) => {
  const { wrong, foundInRight } = await measureMasking(pull, CASES, 20_261_123);
  expect([wrong, foundInRight]).toEqual([0, 0]);
});
