/** A judge that goes by the model that is named above an answer, in a prompt that nobody knows: its template is learned, and the names are taken out. */
import { expect, test } from 'vitest';
import { replyBody } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const CASES = [
  ['Where is my parcel?', 'It left our warehouse on Monday.', 'You should ask the courier.'],
  ['How do I change the password?', 'Open the settings, then choose Security.', 'Passwords matter a lot.'],
  ['The invoice shows the wrong name.', 'I have corrected it and sent a new one.', 'Names are difficult.'],
  ['Can I cancel until Friday?', 'Yes, free of charge until noon.', 'Fridays are busy here.'],
  ['The app closes at once.', 'Please update to version nine.', 'Apps do that sometimes.'],
] as const;
const MODELS = [
  ['claude-3-opus', 'gpt-4o'],
  ['gpt-4o', 'llama-3-70b'],
  ['mistral-large', 'gpt-4o'],
  ['gemini-1.5-pro', 'gpt-4o'],
  ['qwen2-72b', 'gpt-4o'],
] as const;

function write(n: number, models: readonly string[], texts: readonly string[]): string {
  const [ticket = ''] = CASES[n] ?? [];
  const answers = ['A', 'B'].map((name, at) => `[Reply ${name}]\nModel: ${models[at]}\n\n${texts[at]}`);
  return `Ticket: ${ticket}\n\n${answers.join('\n\n')}\n\nWhich reply is better? Answer "A" or "B" alone.`;
}

test('the names of models beside the answers are exchanged with them, and taken out', async () => {
  const prompts: string[] = [];
  const judge = await startUpstream((received, response) => {
    const { messages } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
    const text = messages.at(-1)?.content ?? '';
    prompts.push(messages[0]?.content ?? '');
    const second = text.slice(text.indexOf('[Reply B]'));
    response.setHeader('content-type', 'application/json');
    response.end(replyBody(second.includes('Model: gpt-4o') ? 'B' : 'A'));
  });
  const proxy = await startProxy({
    JUDGE_BASE_URL: judge.url,
    REMAND_BIASES: 'position,identity',
    REMAND_ROUNDS: '1',
  });
  const answers = [];
  for (const [n, models] of MODELS.entries()) {
    const [, ...texts] = CASES[n] ?? [];
    const body = JSON.stringify({
      model: 'judge',
      temperature: 0,
      messages: [{ role: 'user', content: write(n, models, texts) }],
    });
    const headers = { 'content-type': 'application/json' };
    answers.push(await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body }));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.at(-1)?.headers['x-remand-biases']).toContain('identity');
  const [, first, second] = CASES[4];
  expect(prompts).toContain(write(4, ['gpt-4o', 'qwen2-72b'], [second, first]));
  expect(prompts).toContain(write(4, ['withheld', 'withheld'], [first, second]));
  // No prompt pairs an answer with the model of the other one.
  expect(prompts).not.toContain(write(4, ['qwen2-72b', 'gpt-4o'], [second, first]));
});
