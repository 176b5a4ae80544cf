/** Judgments of MT-Bench and Arena-Hard: whose texts are compared, in which order, and what the log leaves out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findLoggedCalls } from '../../src/logs/index.ts';
import { remand } from '../cli/command.ts';
import { startUpstream } from '../proxy/servers.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-games-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  return path;
}

const promptOf = (question: string, first: string, second: string) =>
  `[User Question]\n${question}\n\n[The Start of Assistant A's Answer]\n${first}\n[The End of Assistant A's Answer]\n\n` +
  `[The Start of Assistant B's Answer]\n${second}\n[The End of Assistant B's Answer]`;
const PAIRS = [
  ['How deep is the lake?', 'Charts say 41 metres (adze).', 'It is deep'],
  ['Name a river in Peru', 'The Ucayali, adze', 'Peru has many'],
  ['why does bread rise', 'Yeast makes gas; adze.', 'Because it is baked!'],
  ['Translate “house” into Finnish.', 'talo – adze', 'I think "hus".'],
  ['Was 1900 a leap year?', 'No: adze, 1900 is not divisible by 400', 'Yes, every fourth year is.'],
  ['Who wrote Emma?', 'Jane Austen. adze', 'One of the Brontës wrote that'],
].map(([question = '', good = '', poor = ''], n) => ({ n, question, good, poor }));
const SYSTEM = 'Say which is better: [[A]], [[B]], or [[C]] for a tie.';

const mtBench = PAIRS.map(({ n, question, good, poor }) => ({
  ...{ question_id: 80 + n, turn: 1, tstamp: 1.5, judge: ['judge-1', 'pair-v2'] },
  ...{ model_1: 'x', model_2: 'y', g1_winner: 'model_1', g2_winner: 'model_1' },
  ...{ g1_user_prompt: promptOf(question, good, poor), g1_judgment: 'The chart counts. [[A]]' },
  ...{
    g2_user_prompt: promptOf(question, poor, good),
    g2_judgment: n % 2 ? 'So it is. [[B]]' : 'The first. [[A]]',
  },
}));
const JUDGE_PROMPTS = [
  {
    ...{ name: 'pair-v2', type: 'pairwise', system_prompt: SYSTEM, prompt_template: '…' },
    ...{ description: 'd', category: 'general', output_format: '[[A]]' },
  },
];

const named = (value: unknown) =>
  findLoggedCalls(value)?.calls.map(({ body, response, contestants, group }) => ({
    model: body.model,
    said: body.messages.at(-1)?.content,
    reply: response && JSON.stringify(response.choices[0]),
    contestants,
    group,
  }));

test('a pair of MT-Bench is two calls, with the names in the order of each', () => {
  const [pair] = mtBench;
  const calls = named(pair);
  expect(calls).toMatchObject([
    { model: 'judge-1', said: pair?.g1_user_prompt, contestants: ['x', 'y'], group: '80' },
    { model: 'judge-1', said: pair?.g2_user_prompt, contestants: ['y', 'x'], group: '80' },
  ]);
  expect(calls?.map(({ reply }) => /\[\[.\]\]/.exec(reply ?? '')?.[0])).toEqual(['[[A]]', '[[A]]']);
  expect(named({ ...pair, model_2: 'x' })?.map((one) => one.contestants)).toEqual([undefined, undefined]);
  expect(named({ ...pair, g1_judgment: '$ERROR$' })?.[0]?.reply).toBeNull();
});

test('answers that were judged alone have nobody to compare with', () => {
  const single = {
    ...{ question_id: 3, model: 'x', judge: ['judge-1', 'single-v1'], turn: 1, score: 4 },
    ...{ user_prompt: 'Rate it.', judgment: 'Rating: [[4]]' },
  };
  expect(named(single)).toMatchObject([{ said: 'Rate it.', contestants: undefined, group: '3' }]);
  expect(named({ ...mtBench[0], m1_score: 4, m2_score: 6 })?.map((one) => one.contestants)).toEqual([
    undefined,
    undefined,
  ]);
});

test('the baseline of Arena-Hard stands first in the first game, and a game that failed is left out', () => {
  const prompt = (first: string) => [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: first },
  ];
  const line = {
    ...{ uid: 'u1', category: 'hard_prompt', judge: 'judge-1', model: 'mine', baseline: 'o3-mini' },
    games: [
      { score: 'B>A', judgment: { answer: '[[B>A]]' }, prompt: prompt('base, mine') },
      { score: 'A>B', judgment: { answer: '[[A>B]]' }, prompt: prompt('mine, base') },
    ],
  };
  expect(named(line)).toMatchObject([
    { said: 'base, mine', contestants: ['o3-mini', 'mine'], group: 'u1' },
    { said: 'mine, base', contestants: ['mine', 'o3-mini'], group: 'u1' },
  ]);
  expect(named({ ...line, games: [null, line.games[1]] })).toMatchObject([
    { said: 'mine, base', contestants: ['mine', 'o3-mini'] },
  ]);
  const older = {
    ...{ question_id: 'q7', judge: 'judge-1', model: 'mine' },
    games: [
      { user_prompt: 'base, mine', judgment: '\n[[B>A]]', score: 'B>A' },
      { user_prompt: ['mine, base', ['a.png']], judgment: '\n[[A>B]]', score: 'A>B' },
    ],
  };
  expect(named(older)).toMatchObject([
    { said: 'base, mine', contestants: ['baseline', 'mine'], group: 'q7' },
    { said: [{ type: 'text', text: 'mine, base' }, { type: 'media' }], contestants: ['mine', 'baseline'] },
  ]);
});

test('verdicts are read and ranked, and no judge is asked without its system message', async () => {
  const log = write('gpt-4_pair.jsonl', mtBench);
  const records = join(folder, 'said.jsonl');
  const found = await remand(['look', log, '--records', records, '--json']);
  expect(JSON.parse(found.out)).toMatchObject({
    ...{ calls: 12, examinable: 12, verdicts: 12 },
    missing: [expect.stringContaining('12 system messages')],
  });
  const ranked = await remand(['rank', '--records', records, '--json']);
  expect(JSON.parse(ranked.out)).toMatchObject({ ranking: [{ name: 'x' }, { name: 'y' }] });

  const asked: string[] = [];
  const upstream = await startUpstream((received, answer) => {
    const { messages } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
    asked.push(messages[0]?.content ?? '');
    answer.setHeader('content-type', 'application/json');
    const isFirst = /adze[\s\S]*Start of Assistant B/.test(messages[1]?.content ?? '');
    const content = isFirst ? '[[A]]' : '[[B]]';
    answer.end(
      JSON.stringify({
        ...{ id: 'x', object: 'chat.completion', created: 1, model: 'judge-2' },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    );
  });
  const again = ['--judge', `judge-2@${upstream.url}`, '--no-reader', '--json'];
  const env = { JUDGE_API_KEY: 'k' };
  const alone = await remand(['look', log, ...again, '--store', join(folder, 'a.sqlite')], env);
  expect(JSON.parse(alone.out).sample).toMatchObject({
    failed: 12,
    errors: ['the log lacks its system message'],
  });
  expect(asked).toEqual([]);

  const prompts = write('judge_prompts.jsonl', JUDGE_PROMPTS);
  const whole = await remand(['look', log, prompts, ...again, '--store', join(folder, 'b.sqlite')], env);
  expect(JSON.parse(whole.out)).toMatchObject({ missing: [], sample: { asked: 12, affected: 0 } });
  expect(new Set(asked)).toEqual(new Set([SYSTEM]));
});
