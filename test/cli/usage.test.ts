/** Words that name no command or option are errors, with the nearest name that there is. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { remand } from './command.ts';

test.each([
  [
    ['eval', 'judge', '--in', 'x', '--judge', 'y', '--budjet', '5'],
    '--budjet: no such option; did you mean --budget?',
  ],
  [['calibrate', '--treshold', '0.5'], '--treshold: no such option; did you mean --threshold?'],
  [['rank', '--judgements=x'], '--judgements: no such option; did you mean --judgments?'],
  [['servee'], 'servee: no such command; did you mean serve?'],
  [['eval', 'juge'], 'juge: no such command; did you mean judge?'],
  [['dataset'], 'command: is missing: build, judge, label'],
  [['eval', '--json'], '--json: no such option; commands are judge, detector'],
])('%j', async (words, message) => {
  const { code, out, err } = await remand(words);
  expect([code, out, err]).toEqual([2, '', `remand: ${message}\n`]);
});

test('the version is that of the package; help is usage', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect((await remand(['--version'])).out).toBe(`${version}\n`);
  expect((await remand(['help', 'rank'])).out).toContain('--judgments');
  const { out } = await remand(['help']);
  expect(out).toContain('serve');
  // No colours where nobody sees them.
  expect(out).not.toContain('\u001b');
});
