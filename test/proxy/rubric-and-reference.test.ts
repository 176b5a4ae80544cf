/** A judge that follows the order of its rubric, or a reference that is wrong, behind the proxy, over HTTP. */
import { expect, test } from 'vitest';
import { findRemand } from '../../prompts/remand-note.ts';
import { replyBody } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const RUBRIC = ['Score 1: wrong', 'Score 3: unclear', 'Score 5: right'];
const UP = RUBRIC.join('\n');
const DOWN = RUBRIC.toReversed().join('\n');
const text = (rubric: string, reference: string) =>
  `Grade the answer.\n\n${rubric}\n\nQuestion: What is 17*23?\n\nReference answer: ${reference}\n\nAnswer: It is 391.\n\nGive a score from 1 to 5 and nothing else.`;
const TEMPLATE = {
  name: 'graded',
  parts: [
    {
      role: 'user',
      text: `Grade the answer.\n\n${UP}\n\nQuestion: {{instruction}}\n\nReference answer: {{reference}}\n\nAnswer: {{option}}\n\nGive a score from 1 to 5 and nothing else.`,
    },
  ],
  verdict: { kind: 'score', min: 1, max: 5, template: '{}' },
};

/** @param say the judge's score of a prompt */
async function judged(
  say: (prompt: string, isSentBack: boolean) => number,
  {
    headers = {},
    settings = {},
    reference = '381',
    remand,
  }: Partial<Record<'headers' | 'settings', Record<string, string>>> & {
    reference?: string;
    remand?: unknown;
  } = {},
) {
  const prompts: string[] = [];
  const upstream = await startUpstream(({ body }, response) => {
    const prompt = JSON.parse(body.toString()).messages[0].content;
    prompts.push(prompt);
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(String(say(prompt, findRemand(prompt) !== null))));
  });
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: upstream.url, REMAND_TEMPLATES: JSON.stringify([TEMPLATE]), ...settings },
  });
  const sent = JSON.stringify({
    ...{ model: 'judge', temperature: 0 },
    messages: [{ role: 'user', content: text(UP, reference) }],
    ...(remand !== undefined && { remand }),
  });
  const reply = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body: sent, headers });
  return { reply, prompts, score: JSON.parse(reply.body.toString()).choices[0].message.content };
}

const ORDER = { headers: { 'x-remand-biases': 'rubric-order' } };

test('a score that follows the rubric’s order is sent back; the probe has its lines turned round and nothing else', async () => {
  const { reply, prompts, score } = await judged(
    (prompt, isSentBack) => (isSentBack || prompt.includes(DOWN) ? 5 : 2),
    ORDER,
  );
  expect(reply.headers).toMatchObject({
    'x-remand-status': 'revised',
    'x-remand-biases': 'rubric-order',
    'x-remand-rounds': '1',
  });
  expect(score).toBe('5');
  expect(prompts).toContain(text(DOWN, '381'));
  const note = prompts.find((prompt) => findRemand(prompt) !== null) ?? '';
  expect(note).toContain('3 score descriptions stand from 1 to 5');
});

test('a judge that reads its rubric whole is asked once more, and nothing is found', async () => {
  const { reply, prompts, score } = await judged(() => 4, ORDER);
  expect(reply.headers).toMatchObject({
    'x-remand-status': 'unchanged',
    'x-remand-biases': '',
    'x-remand-calls': '2',
  });
  expect([prompts, score]).toEqual([[text(UP, '381'), text(DOWN, '381')], '4']);
});

/** Goes by the reference while there is one. */
const follower = (prompt: string, isSentBack: boolean) =>
  isSentBack || !prompt.includes('Reference answer: 381') ? 5 : 1;

test('a reference and a rubric are told and left where nobody names them: a right verdict that agrees with it is not touched', async () => {
  const { reply, prompts, score } = await judged(follower);
  expect(reply.headers).toMatchObject({
    'x-remand-status': 'unchanged',
    'x-remand-biases': '',
    'x-remand-untested': 'rubric-order,reference',
    'x-remand-calls': '1',
  });
  expect(score).toBe('1');
  expect(prompts.every((prompt) => prompt.includes('Reference answer: 381'))).toBe(true);
});

test.each([
  ['the client', { headers: { 'x-remand-biases': 'reference' } }],
  ['the operator', { settings: { REMAND_BIASES: 'reference' } }],
])(
  'where %s names it, the reference is withheld, and a verdict that hung on it is sent back',
  async (_, given) => {
    const { reply, prompts, score } = await judged(follower, given);
    expect(reply.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': 'reference' });
    expect(reply.headers).not.toHaveProperty('x-remand-untested', 'reference');
    expect(prompts).toContain(text(UP, 'withheld'));
    expect(score).toBe('5');
  },
);

test('a client that says what its case is says which text is the reference', async () => {
  const { reply, prompts } = await judged(follower, {
    headers: { 'x-remand-biases': 'reference' },
    settings: { REMAND_TEMPLATES: '[]' },
    remand: { case: { instruction: 'What is 17*23?', options: ['It is 391.'], reference: '381' } },
  });
  expect(reply.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-biases': 'reference' });
  expect(prompts[0]).toBe(text(UP, '381'));
  expect(prompts).toContain(text(UP, 'withheld'));
});

test('where something else is named, nothing is said of the reference', async () => {
  const { reply, prompts } = await judged(follower, { headers: { 'x-remand-biases': 'verbosity' } });
  expect(reply.headers['x-remand-untested']).not.toBe('reference');
  expect(prompts).toHaveLength(1);
});
