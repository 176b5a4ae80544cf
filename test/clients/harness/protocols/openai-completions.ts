/** `POST …/completions`, the older API: text in, text out, whole and streamed. */
import { events, type Protocol, whole, words } from './types.ts';

const usage = (calls: number) => ({
  prompt_tokens: 100 * calls,
  completion_tokens: 4 * calls,
  total_tokens: 104 * calls,
});

export const openaiCompletions: Protocol = {
  path: /(?<!\/chat)\/completions$/,
  write({ body }, said, calls) {
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const reply = (choice: object, rest: object) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1756315696,
      model: 'scripted-judge-instruct',
      choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
      ...rest,
    });
    if (!body.stream) return whole(reply({ text, finish_reason: 'stop' }, { usage: usage(calls) }));
    const chunks = [
      ...words(text).map((piece) => reply({ text: piece }, {})),
      reply({ text: '', finish_reason: 'stop' }, {}),
    ];
    return events([...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n']);
  },
};
