/** Bad input to the dataset commands: the file, the row or the option is named, and nothing half-written is left. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, remand, remandEach } from './command.ts';
import { pair } from './dataset-rows.ts';

/** A busy machine takes seconds to start a process. */
const SLOW = 300_000;
/** Words as after `remand dataset`. */
const datasets = (commands: readonly (readonly string[])[]) =>
  remandEach(commands.map((words) => ['dataset', ...words]));
const folder = mkdtempSync(join(tmpdir(), 'remand-bad-input-'));
const file = (name: string) => join(folder, name);
const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
afterAll(() => rmSync(folder, { recursive: true }));

const FILES: Readonly<Record<string, string>> = {
  'pairs.jsonl': lines([pair(1), pair(2)]),
  'empty.jsonl': '',
  'columns.jsonl': lines([
    { q: 'Why?', good: 'So.', bad: 'No.' },
    { q: 'Why not?', good: 'So.' },
  ]),
  'quiz.jsonl': lines([
    { q: 'Which?', options: ['x', 'y', 'z'], right: 2 },
    { q: 'Which?', options: ['x', 'y', 'z'], right: 3 },
  ]),
  'blank.jsonl': lines([{ q: 'Which?', options: ['x', ' ', 'z'], right: 0 }]),
  'broken.parquet': 'PAR1 and no more',
  'cut.json': '[{"q": "Why?", "good": "So.", "bad": ',
  'cut.jsonl': `${lines([pair(1)])}{"kind": "pair", "id": "item-2", "instr`,
  'one-id.jsonl': lines([pair(1), { ...pair(2), id: 'item-1' }]),
  'first.jsonl': lines([pair(1), { ...pair(2), first: 'left' }]),
};

/** Words after `dataset build`, and what is said of them. */
const BUILDS: readonly (readonly [words: readonly string[], message: string])[] = [
  [['--bias', 'charm', '--from', file('pairs.jsonl')], '--bias: "charm" is none of'],
  [['--bias', 'position', '--from', file('none.jsonl')], `${file('none.jsonl')}: cannot be read`],
  [['--bias', 'position', '--from', file('no/folder.csv')], 'no/folder.csv: cannot be read'],
  [['--bias', 'position', '--from', file('empty.jsonl')], 'empty.jsonl: has no rows'],
  [['--bias', 'position', '--from', file('columns.jsonl')], 'columns.jsonl: has the columns q, good, bad,'],
  [['--bias', 'position', '--from', file('pairs.jsonl'), '--format', 'xml'], '--format: "xml" is none of'],
  [['--bias', 'position', '--from', file('pairs.jsonl'), '--split', 'test'], '--split: is for datasets'],
  [['--bias', 'position', '--from', 'gsm8k', '--map', 'instruction=q,positive=a'], '--map: is for files'],
  [
    ['--bias', 'position', '--from', file('quiz.jsonl'), '--map', 'instruction=q'],
    '--map: positive is missing',
  ],
  [
    [
      '--bias',
      'position',
      '--from',
      file('columns.jsonl'),
      '--map',
      'instruction=q,positive=good,negative=bad',
    ],
    'columns.jsonl, row 2: has no column bad; it has q, good',
  ],
  [
    [
      '--bias',
      'position',
      '--from',
      file('quiz.jsonl'),
      '--map',
      'instruction=q,options=options,right=right',
    ],
    'quiz.jsonl, row 2: right (right) is 3, which is none of 3 options',
  ],
  [
    [
      '--bias',
      'position',
      '--from',
      file('blank.jsonl'),
      '--map',
      'instruction=q,options=options,right=right',
    ],
    'blank.jsonl, row 1: options.1 (options) must not be empty',
  ],
  [
    ['--bias', 'position', '--from', file('broken.parquet'), '--map', 'instruction=q,positive=a'],
    'broken.parquet: is no Parquet file, or is cut off',
  ],
  [
    ['--bias', 'position', '--from', file('cut.json'), '--map', 'instruction=q,positive=good'],
    'cut.json: is not valid JSON, or is cut off',
  ],
  [['--bias', 'position', '--from', file('cut.jsonl')], 'cut.jsonl:2: not valid JSON'],
  [['--bias', 'position', '--from', file('first.jsonl')], 'first.jsonl, row 2: first'],
  [
    ['--bias', 'position', '--from', file('one-id.jsonl')],
    'one-id.jsonl: the id "item-1" stands for two instructions',
  ],
  [
    ['--bias', 'bandwagon', '--from', file('pairs.jsonl'), '--wording', 'All like it'],
    '--wording: must name',
  ],
  [
    ['--bias', 'bandwagon', '--from', file('pairs.jsonl'), '--share', '101'],
    '--share: must be a whole number',
  ],
  [
    ['--bias', 'position', '--from', file('pairs.jsonl'), '--weak', 'gemma'],
    '--weak: "gemma" names no endpoint',
  ],
  [
    [
      ...['--bias', 'position', '--from', file('pairs.jsonl')],
      ...['--weak', 'gemma@http://127.0.0.1:9/v1/chat/completions'],
    ],
    'which is the address of a request; give its base, http://127.0.0.1:9/v1',
  ],
  [
    ['--bias', 'position', '--from', file('pairs.jsonl'), '--parameters', '[1]'],
    '--parameters: must be a JSON object',
  ],
];

let whole = '';
let builds: Ended[] = [];
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(file(name), text);
  whole = file('whole');
  const outcomes = await datasets([
    ['build', '--bias', 'bandwagon', '--from', file('pairs.jsonl'), '--out', whole],
    ['judge', '--in', whole, '--judge', 'sandbox'],
    ...BUILDS.map(([words], index) => ['build', ...words, '--out', file(`out-${index}`), '--json']),
  ]);
  builds = outcomes.slice(2);
  expect(outcomes.slice(0, 2).map(({ err }) => err)).toEqual(['', '']);
}, SLOW);

/** Files of rows, finished or not. */
const left = (where: string) =>
  existsSync(where) ? readdirSync(where).filter((name) => name.includes('jsonl')) : [];

describe('dataset build', () => {
  // `remand` ends with 2 for an InputError; the table at the end runs it.
  test.each(
    BUILDS.map(
      ([words, message], index) => [words.join(' ').replaceAll(folder, ''), message, index] as const,
    ),
  )('%s', (_, message, index) => {
    expect(builds[index]).toMatchObject({ out: '', code: 2 });
    expect(builds[index]?.err).toContain(message);
    expect(left(file(`out-${index}`))).toEqual([]);
    if (message.endsWith('cannot be read')) expect(existsSync(file(`out-${index}`))).toBe(false);
  });
});

type Edit = (text: string) => string;
const eachRow =
  (change: (row: Record<string, unknown>) => object): Edit =>
  (text) =>
    lines(
      text
        .trim()
        .split('\n')
        .map((line) => change(JSON.parse(line))),
    );

/** What is changed in a folder that was whole, and what is said of it. */
const FOLDERS: readonly (readonly [
  what: string,
  name: string,
  edit: Edit,
  command: 'judge' | 'label',
  message: string,
])[] = [
  ['d without rows', 'd.jsonl', () => '', 'label', 'd.jsonl: has no rows: dropped.jsonl beside it says why'],
  [
    'd_bias of other rows',
    'd_bias.jsonl',
    eachRow((row) => ({ ...row, id: `other-${row.id}` })),
    'judge',
    'd_bias.jsonl:1: is not the biased row of item-1/bandwagon',
  ],
  [
    'd_bias of another question',
    'd_bias.jsonl',
    eachRow((row) => ({ ...row, instruction: 'Why?' })),
    'judge',
    'd_bias.jsonl:1: is not the biased row of',
  ],
  [
    'd twice',
    'd_bias.jsonl',
    eachRow((row) => ({ ...row, set: 'd' })),
    'judge',
    'd_bias.jsonl:1: is not the biased row of',
  ],
  [
    'd_bias of fewer rows',
    'd_bias.jsonl',
    (text) => `${text.split('\n')[0]}\n`,
    'judge',
    'd_bias.jsonl:2: is not the biased row of item-2',
  ],
  ['d_bias of more rows', 'd_bias.jsonl', (text) => text + text, 'judge', 'd_bias.jsonl:3: has no row in'],
  [
    'a right option that is not there',
    'd.jsonl',
    eachRow((row) => ({ ...row, right: 2 })),
    'judge',
    'd.jsonl:1: right: 2 is none of 2 options',
  ],
  ['a row cut off', 'd.jsonl', (text) => text.slice(0, -40), 'judge', 'd.jsonl:2: not valid JSON'],
  ['a column missing', 'd.jsonl', eachRow(({ options, ...row }) => row), 'judge', 'd.jsonl:1: options'],
  [
    'verdicts of other rows',
    'verdicts.jsonl',
    eachRow((row) => ({ ...row, id: 'y/1' })),
    'label',
    'verdicts: that on y/1 belongs to no row',
  ],
  [
    'verdicts out of order',
    'verdicts.jsonl',
    (text) =>
      lines(
        text
          .trim()
          .split('\n')
          .toReversed()
          .map((line) => JSON.parse(line)),
      ),
    'label',
    'verdicts: that on item-1/bandwagon belongs to no row, or stands out of order',
  ],
  [
    'a verdict for an option that is not there',
    'verdicts.jsonl',
    eachRow((row) => ({ ...row, d: { text: 'Output (c)', option: 2, unread: null } })),
    'label',
    'verdicts: that on item-1/bandwagon has option 2, which is none of 2',
  ],
  [
    'verdicts cut off',
    'verdicts.jsonl',
    (text) => text.slice(0, -40),
    'label',
    'verdicts.jsonl:2: not valid JSON',
  ],
];

function spoilt(name: string, edit: Edit): string {
  const where = mkdtempSync(file('run-'));
  cpSync(whole, where, { recursive: true });
  writeFileSync(join(where, name), edit(readFileSync(join(where, name), 'utf8')));
  return where;
}
const words = (command: string, where: string) => [
  ...[command, '--in', where, '--json', ...(command === 'judge' ? ['--judge', 'sandbox'] : [])],
];

describe('dataset judge and label', () => {
  let before: string[][] = [];
  let folders: string[] = [];
  let outcomes: Ended[] = [];
  beforeAll(async () => {
    folders = FOLDERS.map(([, name, edit]) => spoilt(name, edit));
    before = folders.map(left);
    outcomes = await datasets(FOLDERS.map(([, , , command], index) => words(command, folders[index] ?? '')));
  }, SLOW);

  test.each(FOLDERS.map(([what, , , command, message], index) => [command, what, message, index] as const))(
    '%s: %s',
    (_command, _what, message, index) => {
      expect(outcomes[index]).toMatchObject({ out: '', code: 2 });
      expect(outcomes[index]?.err).toContain(message);
      // What was there is still there, and nothing beside it.
      expect(left(folders[index] ?? '')).toEqual(before[index]);
    },
  );

  test(
    'a folder that is not there is not made',
    async () => {
      const where = file('nowhere');
      const both = await datasets([words('judge', where), words('label', where)]);
      for (const ended of both)
        expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(join(where, 'd.jsonl')) });
      expect(existsSync(where)).toBe(false);
    },
    SLOW,
  );
});

test(
  'the process ends with 2 for bad input, and with 1 for a full disk, naming the file',
  async () => {
    const bad = await remand([
      'dataset',
      'label',
      '--in',
      spoilt(
        'verdicts.jsonl',
        eachRow((row) => ({ ...row, id: 'y/1' })),
      ),
      '--json',
    ]);
    expect([bad.code, bad.out]).toEqual([2, '']);
    expect(bad.err).toBe('remand: verdicts: that on y/1 belongs to no row, or stands out of order\n');

    const where = file('full');
    mkdirSync(where);
    // The kernel's own full disk: every write to it fails with ENOSPC.
    symlinkSync('/dev/full', join(where, 'd_bias.jsonl.partial'));
    const built = await remand([
      'dataset',
      'build',
      '--bias',
      'bandwagon',
      '--from',
      file('pairs.jsonl'),
      '--out',
      where,
      '--json',
    ]);
    expect([built.code, built.out, left(where)]).toEqual([1, '', []]);
    expect(built.err).toContain(`${join(where, 'd_bias.jsonl')} could not be written: ENOSPC`);

    const judging = spoilt('verdicts.jsonl', (text) => text);
    rmSync(join(judging, 'verdicts.jsonl'));
    symlinkSync('/dev/full', join(judging, 'verdicts.jsonl.partial'));
    const judged = await remand(['dataset', ...words('judge', judging)]);
    expect([judged.code, judged.out]).toEqual([1, '']);
    expect(judged.err).toContain(`${join(judging, 'verdicts.jsonl')} could not be written: ENOSPC`);
    expect(left(judging).filter((name) => /verdicts|partial/.test(name))).toEqual([]);
    // With room again, it goes on with what was answered.
    const again = await remand(['dataset', ...words('judge', judging)]);
    expect(JSON.parse(again.out)).toMatchObject({ verdicts: 2, failed: 0, calls: 0 });
  },
  SLOW,
);
