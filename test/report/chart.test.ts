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

test('a label is never cut where it differs from the others', () => {
  const version = (middle: string) =>
    `${'the-name-of-a-judge-'.repeat(2)}${middle}${'-of-the-year'.repeat(2)}`;
  const all = ['4o', '4.1', '5', '5-mini'].map(version);
  const label = createLabelFitter(all, 40);
  for (const [n, middle] of ['4o-of', '4.1-of', '5-of', '5-mini-of'].entries()) {
    expect(label(all[n] ?? '')).toContain(middle);
    expect(label(all[n] ?? '').length).toBeLessThanOrEqual(40);
  }
});

test('a label that has no part to spare is shown whole', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  // Each differs from the first at one character, and every character differs in one of them.
  const all = [
    letters,
    ...Array.from(letters, (_, at) => `${letters.slice(0, at)}#${letters.slice(at + 1)}`),
  ];
  expect(createLabelFitter(all, 20)(letters)).toBe(letters);
});
