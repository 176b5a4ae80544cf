/** What a progress line says: how many of how many, the rate and the time left. */
import { expect, test } from 'vitest';
import { formatProgress } from '../../src/cli/progress.ts';

test.each([
  [90, 30, 10, '', 'verdicts ██░░ 30/90, 3.0 per second, 20s left'],
  [90, 30, 10, '2 failed', 'verdicts ██░░ 30/90, 3.0 per second, 20s left, 2 failed'],
  [600, 10, 60, '', 'verdicts ██░░ 10/600, 10.0 per minute, 59min left'],
  [1200, 10, 60, '', 'verdicts ██░░ 10/1200, 10.0 per minute, 1h 59min left'],
  [null, 10, 60, '', 'verdicts 10, 10.0 per minute'],
  [90, 0, 0, '', 'verdicts ██░░ 0/90'],
] as const)('of %j: %i after %i seconds', (total, done, seconds, note, line) => {
  expect(formatProgress('verdicts', total, { drawn: '██░░', done, seconds, note })).toBe(line);
});
