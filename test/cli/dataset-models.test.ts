/** `dataset build` with models behind a real local endpoint: a weak one, one that rewords, one that checks the meaning. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { remand, remandEach } from './command.ts';
import { chatReply, pair } from './dataset-rows.ts';
import { judgeEndpoint } from './judge-endpoint.ts';

/** A busy machine takes seconds to start a process. */
const SLOW = { timeout: 300_000 };
/** Words as after `remand dataset`. */
const datasets = (commands: readonly (readonly string[])[]) =>
  remandEach(commands.map((words) => ['dataset', ...words]));
const folder = mkdtempSync(join(tmpdir(), 'remand-dataset-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Asked {
  readonly system: string;
  readonly user: string;
  /** How often this very question came, from 1. */
  readonly again: number;
}

const answering = (answer: (asked: Asked) => string) =>
  judgeEndpoint({
    say: (_nth, again, body) => {
      const messages: { role: string; content: string }[] = JSON.parse(body).messages;
      const said = (role: string) => messages.find((one) => one.role === role)?.content ?? '';
      const text = answer({ system: said('system'), user: said('user'), again });
      return { body: JSON.stringify(chatReply(text)) };
    },
  });

function base(name: string, rows: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}
const read = (...path: string[]) =>
  readFileSync(join(folder, ...path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Twice with the same words: the second time everything is answered from what was kept. */
async function twice(words: readonly string[]) {
  const [first, second] = await datasets([words, words]);
  expect([first?.code, second?.code]).toEqual([0, 0]);
  const [once, again] = [first, second].map((outcome) => JSON.parse(outcome?.out ?? ''));
  const { calls, tokens: _, ...counts } = once;
  expect(again).toMatchObject({ ...counts, calls: 0 });
  return { calls, counts };
}

/** What the weak model says to each question, time after time; the last for ever. */
const WEAK: Readonly<Record<string, readonly string[]>> = {
  'item-1': ['1 and 1 is 3.\n3'],
  'item-2': ['It is 3.', '2 and 1 make 5.\n\n**5**'],
  'item-3': ['I cannot say.', 'It is 4', 'It is 4.0', 'It is 1,004'],
  'item-4': ['5', 'It comes to 5.', '5.00'],
};

test(
  '--weak: kept only where its final number is wrong, asked again else, dropped in the end',
  SLOW,
  async () => {
    const rows = [1, 2, 3, 4].map((index) => ({ ...pair(index), negative: null }));
    await using weak = await answering(({ user, again }) => {
      const said = WEAK[rows.find(({ instruction }) => user.startsWith(instruction))?.id ?? ''] ?? [];
      return said[again - 1] ?? said.at(-1) ?? '';
    });
    const out = join(folder, 'weak');
    const { calls, counts } = await twice([
      ...['build', '--bias', 'verbosity', '--from', base('weak.jsonl', rows), '--out', out, '--json'],
      ...['--weak', `gemma@${weak.url}`, '--attempts', '4'],
    ]);
    const dropped = 'the weak model was right, or came to no number, 4 times';
    expect(counts).toMatchObject({ base_items: 4, rows: 3, dropped: { [dropped]: 1 } });
    expect([calls, weak.calls()]).toEqual([1 + 2 + 4 + 4, 1 + 2 + 4 + 4]);
    expect(read('weak', 'dropped.jsonl')).toEqual([{ base: 'item-4', reason: dropped }]);
    const wrong = read('weak', 'd.jsonl').map(({ options, right }) => options[1 - right]);
    expect(wrong).toEqual(['1 and 1 is 3.\n3', '2 and 1 make 5.\n\n**5**', 'It is 1,004']);
    // The weak model sees the question alone, and is left free to say something else the next time.
    for (const body of weak.came.keys()) expect(body).not.toContain('temperature');
    for (const body of weak.came.keys()) expect(body).not.toMatch(/It is \d/);
  },
);

const choice = (id: string, options: readonly string[]) => ({
  ...{
    kind: 'choice',
    id,
    instruction: `Which of these is a plant (${id})?`,
    options,
    right: 1,
    toned: null,
  },
});
const CHOICES = [
  choice('kept', ['a fox', 'a fern', 'a fly']),
  choice('second try', ['a cat', 'a cactus', 'a cow']),
  choice('never', ['a dog', 'a daisy', 'a duck']),
];
const toned = ({ system, user, again }: Asked) =>
  `${system.includes('gloomy') ? 'Alas' : 'Hooray'} ${again}: ${user}`;
/** What the check says of a text, time after time; of those that are not named it says "same". Only the word is a yes. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  'a cactus': ['different', 'same'],
  'a duck': ['Yes', 'They are the same, I think', ''],
};
function checked(user: string): string {
  const [, attempt = '', text = ''] = /<<<SECOND>>>\n\w+ (\d+): (.+)\n/.exec(user) ?? [];
  const said = CHECKED[text];
  return said ? (said[Number(attempt) - 1] ?? '') : 'Same.';
}
const rejected = { tones_rejected: 1 + 3, dropped: { 'the meaning did not stay in another tone': 1 } };
const TONED = [
  ['Hooray 1: a fox', 'Alas 1: a fern', 'Hooray 1: a fly'],
  ['Hooray 1: a cat', 'Alas 2: a cactus', 'Hooray 1: a cow'],
];
/** Nine options once and four rewordings more, each of them checked. */
const ASKED = 9 + 1 + 2;

test('--tone and --check: reworded until the meaning stays, dropped and counted else', SLOW, async () => {
  await using tone = await answering(toned);
  await using check = await answering(({ user }) => checked(user));
  const { calls, counts } = await twice([
    ...['build', '--bias', 'sentiment', '--from', base('tone.jsonl', CHOICES), '--out', join(folder, 'tone')],
    ...['--tone', `writer@${tone.url}`, '--check', `reader@${check.url}`, '--attempts', '3', '--json'],
  ]);
  expect(counts).toMatchObject({ base_items: 3, rows: 2, ...rejected });
  expect([tone.calls(), check.calls(), calls]).toEqual([ASKED, ASKED, 2 * ASKED]);
  expect(read('tone', 'd_bias.jsonl').map(({ options }) => options)).toEqual(TONED);
  expect(read('tone', 'd.jsonl').map(({ options }) => options)).toEqual(
    CHOICES.slice(0, 2).map(({ options }) => options),
  );
  expect(read('tone', 'dropped.jsonl')).toEqual([
    { base: 'never', reason: 'the meaning did not stay in another tone' },
  ]);
});

test(
  'without --check the model that rewords is asked; a twin has the tones the other way round',
  SLOW,
  async () => {
    await using both = await answering((asked) =>
      asked.system.includes('claim the same') && asked.user.includes('<<<SECOND>>>')
        ? checked(asked.user)
        : toned(asked),
    );
    const [one] = CHOICES;
    const { calls, counts } = await twice([
      ...['build', '--bias', 'sentiment', '--twins', '--from', base('both.jsonl', [one])],
      ...['--out', join(folder, 'both'), '--tone', `writer@${both.url}`, '--json'],
    ]);
    expect(counts).toMatchObject({ base_items: 1, rows: 2, dropped: {}, tones_rejected: 0 });
    expect(calls).toBe(2 * 6);
    expect(read('both', 'd_bias.jsonl').map(({ options, twin }) => [twin, ...options])).toEqual([
      [false, 'Hooray 1: a fox', 'Alas 1: a fern', 'Hooray 1: a fly'],
      [true, 'Alas 1: a fox', 'Hooray 1: a fern', 'Alas 1: a fly'],
    ]);
  },
);

test(
  'an endpoint that refuses is the reason of each item that it lost; exit 1 where it refused most calls',
  SLOW,
  async () => {
    await using refusing = await judgeEndpoint({ say: () => ({ status: 401, body: '{}' }) });
    const rows = [pair(1), { ...pair(2), negative: null }];
    const words = (name: string, some: readonly unknown[]) => [
      ...['dataset', 'build', '--bias', 'verbosity', '--from', base(`${name}.jsonl`, some), '--json'],
      ...['--out', join(folder, name), '--weak', `gemma@${refusing.url}`],
    ];
    for (const [name, some, code, kept] of [
      ['one', rows, 1, 1],
      ['all', rows.slice(1), 1, 0],
    ] as const) {
      const ended = await remand(words(name, some));
      const { rows: made, dropped } = JSON.parse(ended.out);
      expect([ended.code, made]).toEqual([code, kept]);
      expect(Object.entries(dropped)).toEqual([[expect.stringContaining('401'), 1]]);
    }
  },
);
