/** The share of verdicts that a promise lets through, watched in use. */
import { expect, test } from 'vitest';
import { createCoverageWatch } from '../../src/loop/trust.ts';
import { createSeededDraw } from '../../src/stats/index.ts';

const file = {
  judges: { judge: { calibration: null, promise: { kept: { threshold: 0.8, coverage: 0.6 } } } },
};

/** Of so many windows of a hundred verdicts, the share in which the watch speaks up. */
function alarms(answered: number, windows = 1000): number {
  const draw = createSeededDraw(1);
  const watch = createCoverageWatch(file);
  let told = 0;
  for (let n = 0; n < 100 * windows; n++) if (watch.observe('judge', draw(1000) < 1000 * answered)) told++;
  return told / windows;
}

test('a judge that answers as much as was promised is left in peace', () => {
  expect(alarms(0.6)).toBeLessThan(0.01);
});

test('one that answers much less, or much more, is told of', () => {
  expect(alarms(0.35)).toBeGreaterThan(0.95);
  expect(alarms(0.85)).toBeGreaterThan(0.95);
});

test('judges without a promise are not watched', () => {
  const watch = createCoverageWatch(file);
  expect(Array.from({ length: 300 }, () => watch.observe('other', false))).not.toContain(true);
  expect(
    Array.from({ length: 300 }, () => createCoverageWatch(undefined).observe('judge', false)),
  ).not.toContain(true);
});

test('a share among few labels is no certain one', () => {
  const of = (coverage: number, answered: number) => ({
    judges: { judge: { calibration: null, promise: { kept: { threshold: 0.8, coverage, answered } } } },
  });
  // Of 100 labelled ones all are answered: the first that is not says nothing, and ten of a hundred do.
  const watch = createCoverageWatch(of(1, 100));
  const window = (unsure: number) =>
    Array.from({ length: 100 }, (_, n) => watch.observe('judge', n >= unsure)).includes(true);
  expect([0, 1, 2, 10].map(window)).toEqual([false, false, false, true]);
  // The judge answers 60 %, and chance had the labelled ones say 55 or 65.
  const draw = createSeededDraw(2);
  const rates = Array.from({ length: 400 }, () => {
    const answered = Array.from({ length: 100 }, () => draw(10) < 6).filter(Boolean).length;
    const one = createCoverageWatch(of(answered / 100, answered));
    return Array.from({ length: 1000 }, () => one.observe('judge', draw(10) < 6)).filter(Boolean).length;
  });
  expect(rates.reduce((sum, rate) => sum + rate, 0) / 4000).toBeLessThan(0.01);
});
