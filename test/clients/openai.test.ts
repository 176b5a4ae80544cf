/** OpenAI's own client: both of its APIs and the older completions, in text, parsed schemas, functions and streams. */
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';
import { IN_WORDS, planted } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const at = (base: string) =>
  new OpenAI({ apiKey: 'sk-not-a-real-key', baseURL: `${base}/v1`, maxRetries: 0 });
const system = 'You are a fair judge.';
const messages = (content: string) => [
  { role: 'system' as const, content: system },
  { role: 'user' as const, content },
];
const model = 'gpt-4o';

const Ruling = z.object({ reasoning: z.string(), winner: z.enum(['Output (a)', 'Output (b)']) });
const ruling = (winner: string) => ({ reasoning: 'I looked at both.', winner });
const parameters = z.toJSONSchema(Ruling);

const inText = {
  garbage: 'Both have their merits.',
  returns: { right: 'Output (b)', wrong: 'Output (a)' },
};
const inJson = {
  garbage: ruling('both'),
  returns: { right: ruling('Output (b)'), wrong: ruling('Output (a)') },
};

for (const { prompt, ...rest } of planted(IN_WORDS, 'Output (a)', 'Output (b)')) {
  const row = { client: 'openai', ...rest, ...inText };

  conforms({
    ...row,
    call: 'chat.completions.create',
    protocol: '/v1/chat/completions',
    form: 'text',
    async ask(base) {
      const reply = await at(base).chat.completions.create({ model, messages: messages(prompt) });
      return reply.choices[0]?.message.content;
    },
  });

  conforms({
    ...row,
    call: 'chat.completions.stream',
    protocol: '/v1/chat/completions',
    form: 'text, streamed',
    ask: async (base) =>
      at(base)
        .chat.completions.stream({
          model,
          messages: messages(prompt),
          stream_options: { include_usage: true },
        })
        .finalContent(),
  });

  conforms({
    ...row,
    call: 'responses.create',
    protocol: '/v1/responses',
    form: 'text',
    async ask(base) {
      const asked = { model, instructions: system, input: prompt };
      return (await at(base).responses.create(asked)).output_text;
    },
  });

  conforms({
    ...row,
    call: 'responses.stream',
    protocol: '/v1/responses',
    form: 'text, streamed',
    async ask(base) {
      const asked = { model, instructions: system, input: prompt };
      return (await at(base).responses.stream(asked).finalResponse()).output_text;
    },
  });

  conforms({
    ...row,
    call: 'completions.create',
    protocol: '/v1/completions',
    form: 'text',
    async ask(base) {
      const reply = await at(base).completions.create({ model: 'gpt-3.5-turbo-instruct', prompt });
      return reply.choices[0]?.text;
    },
  });
}

const DEMAND = 'Give your reasoning and the winner.';
for (const { prompt, ...rest } of planted(DEMAND, ruling('Output (a)'), ruling('Output (b)'))) {
  const row = { client: 'openai', ...rest, ...inJson };

  conforms({
    ...row,
    call: 'chat.completions.parse',
    protocol: '/v1/chat/completions',
    form: 'JSON schema',
    async ask(base) {
      const reply = await at(base).chat.completions.parse({
        model,
        messages: messages(prompt),
        response_format: zodResponseFormat(Ruling, 'ruling'),
      });
      return reply.choices[0]?.message.parsed;
    },
  });

  conforms({
    ...row,
    call: 'responses.parse',
    protocol: '/v1/responses',
    form: 'JSON schema',
    async ask(base) {
      const text = { format: zodTextFormat(Ruling, 'ruling') };
      const reply = await at(base).responses.parse({ model, instructions: system, input: prompt, text });
      return reply.output_parsed;
    },
  });

  conforms({
    ...row,
    call: 'chat.completions.stream',
    protocol: '/v1/chat/completions',
    form: 'forced function, streamed',
    async ask(base) {
      const reply = await at(base)
        .chat.completions.stream({
          model,
          messages: messages(prompt),
          tools: [{ type: 'function', function: { name: 'rule', parameters } }],
          tool_choice: { type: 'function', function: { name: 'rule' } },
        })
        .finalChatCompletion();
      const call = reply.choices[0]?.message.tool_calls?.[0];
      return call?.type === 'function' ? JSON.parse(call.function.arguments) : call;
    },
  });
}
