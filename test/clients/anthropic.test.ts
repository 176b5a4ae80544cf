/** Anthropic's own client: text, a forced tool, and both as streams that its helper puts together. */
import Anthropic from '@anthropic-ai/sdk';
import { IN_WORDS, planted } from './harness/cases.ts';
import { conforms } from './harness/conformance.ts';

const at = (base: string) => new Anthropic({ apiKey: 'sk-ant-not-a-real-key', baseURL: base, maxRetries: 0 });
const asked = (content: string) => ({
  model: 'claude-sonnet-5',
  max_tokens: 1024,
  system: 'You are a fair judge.',
  messages: [{ role: 'user' as const, content }],
});
const textIn = ({ content }: Anthropic.Message) => content.find((block) => block.type === 'text')?.text;

for (const { prompt, ...rest } of planted(IN_WORDS, 'Output (a)', 'Output (b)')) {
  const row = {
    client: '@anthropic-ai/sdk',
    protocol: '/v1/messages',
    ...rest,
    garbage: 'Both have their merits.',
    returns: { right: 'Output (b)', wrong: 'Output (a)' },
  };
  conforms({
    ...row,
    call: 'messages.create',
    form: 'text',
    ask: async (base) => textIn(await at(base).messages.create(asked(prompt))),
  });
  conforms({
    ...row,
    call: 'messages.stream',
    form: 'text, streamed',
    ask: async (base) => textIn(await at(base).messages.stream(asked(prompt)).finalMessage()),
  });
}

const ruling = (winner: string) => ({ reasoning: 'I looked at both.', winner });
const tool = {
  name: 'rule',
  input_schema: {
    type: 'object' as const,
    properties: { reasoning: { type: 'string' }, winner: { type: 'string', enum: ['A', 'B'] } },
    required: ['reasoning', 'winner'],
  },
};
const forced = { tools: [tool], tool_choice: { type: 'tool' as const, name: 'rule' } };
const inputIn = ({ content }: Anthropic.Message) => content.find((block) => block.type === 'tool_use')?.input;

for (const { prompt, ...rest } of planted('Rule on it.', ruling('A'), ruling('B'))) {
  const row = {
    client: '@anthropic-ai/sdk',
    protocol: '/v1/messages',
    ...rest,
    garbage: ruling('both'),
    returns: { right: ruling('B'), wrong: ruling('A') },
  };
  conforms({
    ...row,
    call: 'messages.create',
    form: 'forced tool',
    ask: async (base) => inputIn(await at(base).messages.create({ ...asked(prompt), ...forced })),
  });
  conforms({
    ...row,
    call: 'messages.stream',
    form: 'forced tool, streamed',
    ask: async (base) =>
      inputIn(
        await at(base)
          .messages.stream({ ...asked(prompt), ...forced })
          .finalMessage(),
      ),
  });
}
