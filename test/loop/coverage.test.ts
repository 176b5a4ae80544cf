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
