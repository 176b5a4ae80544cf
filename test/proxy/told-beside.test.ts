/** A judge that goes by the model that is named above an answer, in a prompt that nobody knows: its template is learned, and the names are taken out. */
import { expect, test } from 'vitest';
import { replyBody } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const CASES = [
  [
    'Where is my parcel?',
    'It left our warehouse on Monday. It is with the courier now, and should reach you by the end of this week.',
    'You should ask the courier. They know where all parcels are, we only pack them and hand them over!',
  ],
  [
    'How do I change the password?',
    'Open the settings, then choose Security. Type the old one, then the new one twice, and press the button',
    'Passwords matter a lot. Many people use the same one everywhere, which is not wise; think about it',
  ],
  [
    'The invoice shows the wrong name.',
    'I have corrected it and sent a new one. You find it in your inbox, with the date of the first one on top.',
    'Names are difficult. There are so many of them, and each is spelled in more than one way, as you see',
  ],
  [
    'Can I cancel until Friday?',
    'Yes, free of charge until noon. After that we have to ask for half of the price, as the terms say!',
    'Fridays are busy here. Most of our guests come for the weekend and want to know about the pool',
  ],
  [
    'The app closes at once.',
    'Please update to version nine. It mends what made the app close, and two other things besides',
    'Apps do that sometimes. Have you tried to turn the phone off, count to ten and turn it on again?',
  ],
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
