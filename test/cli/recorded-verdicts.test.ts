/** `remand eval judge --verdicts` and `remand calibrate --verdicts`: the recorded winner counts, whatever the reply beside it says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-recorded-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);
const recorded = ['--cases', file('items.jsonl'), '--verdicts', file('verdicts.jsonl')];
beforeAll(() => {
  const item = { id: 'i', instruction: 'Which is better?', output_1: 'one', output_2: 'two', label: 1 };
  // Output (b) is output 2 in the original order and output 1 in the swapped one.
  const reply = { text: 'Therefore, Output (b) is better.', winner: '1' };
  const verdict = { id: 'i', judge: 'J', strategy: 'Swap', rounds: [{ original: reply, swapped: reply }] };
  writeFileSync(file('items.jsonl'), JSON.stringify(item));
  writeFileSync(file('verdicts.jsonl'), JSON.stringify(verdict));
});

test.each([
  [[], 1, 'The winners count; --verdict-from reply gives the figures read from the replies.'],
  [['--verdict-from', 'reply'], 0.5, 'The replies count.'],
])('with %j', { timeout: 30_000 }, async (more, accuracy, told) => {
  const { out } = await remand(['eval', 'judge', ...recorded, ...more, '--json']);
  const replies = { n: 2, differ: 1, unread: 0 };
  expect(JSON.parse(out)).toMatchObject({ 'J/Swap': { accuracy_before: accuracy, replies } });

  const settled = [...recorded, '--strategy', 'Swap', '--out', file('calibration.json'), '--overwrite'];
  expect(await remand(['calibrate', ...settled, ...more])).toMatchObject({
    code: 0,
    err: `J: of 2 replies 1 say something else than the winner recorded beside them, and 0 could not be read. ${told}\n`,
  });
});
