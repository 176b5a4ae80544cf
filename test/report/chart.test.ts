/** Labels on axes: what would be cut to the same words must not be drawn as one. */
import { expect, test } from 'vitest';
import { createLabelFitter } from '../../src/report/charts.ts';

test('labels that are cut keep both ends, and no two become one', () => {
  const judge = 'organisation/a-model-with-a-very-long-name-405B';
  const all = [`${judge}, essays`, `${judge}, stories`, `${judge}-instruct, stories`, 'short'];
  const label = createLabelFitter(all, 30);
  const shown = all.map(label);
  expect(new Set(shown).size).toBe(4);
  expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(30);
  expect(shown[0]).toMatch(/^organisation.*essays$/);
  expect(shown[3]).toBe('short');
  expect(label(`${judge}, essays`)).toBe(shown[0]);
});
