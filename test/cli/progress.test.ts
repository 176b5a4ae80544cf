/** What a progress line says: how many of how many, the rate and the time left. */
import { expect, test } from 'vitest';
import { formatProgress, writeProgress } from '../../src/cli/progress.ts';
import { systemClock } from '../../src/ports.ts';

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

test('where there is no terminal, a line after ten seconds, then after twenty, then after forty', () => {
  let ms = 0;
  const clock = { ...systemClock, elapsed: () => ms };
  const lines: string[] = [];
  const progress = writeProgress('verdicts', 100, (line) => lines.push(line), clock);
  for (; ms <= 80_000; ms += 1000) progress.update(ms / 1000, ms > 60_000 ? '1 failed' : '');
  progress.stop();
  expect(lines).toEqual([
    'verdicts 10/100, 1.0 per second, 2min left\n',
    'verdicts 30/100, 1.0 per second, 1min left\n',
    'verdicts 70/100, 1.0 per second, 30s left, 1 failed\n',
  ]);
});
