/** Two declared biases of a simulated judge that speak for the same wrong answer: see bench/masking.ts. */
import { expect, test } from 'vitest';
import { measureMasking, PROMPT_PULLS, PULLS } from '../../bench/masking.ts';
import { CATALOGUE } from '../../src/bias/index.ts';

/** `npm run bench:masking -- 1000` tries more. */
const CASES = 12;
const ALL = [...PULLS, ...PROMPT_PULLS];
const FAIR = ALL.filter(({ weights }) => Object.keys(weights).length === 0);
const SWAYED = ALL.filter((pull) => !FAIR.includes(pull));

test.each([
  ['swayed', SWAYED],
  ['fair', FAIR],
])('every entry of the catalogue has a line with a %s judge', (_, lines) => {
  const names = new Set(lines.flatMap(({ biases }) => biases));
  expect([...names].sort()).toEqual(CATALOGUE.map(({ name }) => name).sort());
});

test.each(SWAYED)('$name: neither hides the other', async (pull) => {
  const { wrong, found } = await measureMasking(pull, CASES, 20_261_123);
  expect(wrong).toBe(CASES);
  expect(found).toBeGreaterThanOrEqual(0.95 * wrong);
});

test.each(FAIR)('$name: no false alarm', async (pull) => {
  const { wrong, foundInRight } = await measureMasking(pull, CASES, 20_261_123);
  expect([wrong, foundInRight]).toEqual([0, 0]);
});
