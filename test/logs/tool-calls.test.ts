/** Verdicts in the arguments of a function, in logs of evaluation tools: as in a call that was kept as it went out. */
import { expect, test } from 'vitest';
import { DEFAULT_ADAPTER } from '../../adapters/index.ts';
import { findLoggedCalls } from '../../src/logs/index.ts';

const NAME = 'select_choice';
const GIVEN = { reasons: 'It is shorter.', choice: 'B' };
const ARGUMENTS = JSON.stringify(GIVEN);
const PARAMETERS = { type: 'object', properties: { choice: { type: 'string', enum: ['A', 'B'] } } };
const DESCRIBED = { name: NAME, description: 'Select one.', parameters: PARAMETERS };
const TOOL = { type: 'function', function: DESCRIBED };
const CHOICE = { type: 'function', function: { name: NAME } };
const CALL = { id: 'c', type: 'function', function: { name: NAME, arguments: ARGUMENTS } };

const ASKED = [{ role: 'user', content: 'Which one is better, A or B?' }];
const generation = (input: object, output: unknown, more = {}) => ({
  ...{ id: 'o', traceId: 't', type: 'GENERATION', model: 'm', input, output, ...more },
});
const span = (fields: Record<string, unknown>) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              attributes: Object.entries(fields).map(([key, value]) => ({
                key,
                value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
              })),
            },
          ],
        },
      ],
    },
  ],
});
const event = (message: object, attachments = {}) => ({
  ...{ id: 1, epoch: 1, attachments },
  events: [
    {
      ...{ event: 'model', model: 'm', input: ASKED, tools: [DESCRIBED], tool_choice: { name: NAME } },
      output: { choices: [{ message: { role: 'assistant', ...message } }] },
    },
  ],
});

test.each<[string, unknown]>([
  [
    'Langfuse',
    generation(
      { messages: ASKED, tools: [TOOL], tool_choice: CHOICE },
      { role: 'assistant', content: null, tool_calls: [CALL] },
    ),
  ],
  [
    'Langfuse, of which the reply is a text and the choice a setting',
    generation(
      { messages: ASKED, tools: [TOOL] },
      JSON.stringify({ role: 'assistant', content: null, tool_calls: [CALL] }),
      { modelParameters: { tool_choice: 'required' } },
    ),
  ],
  [
    'Langfuse, with a reply of Anthropic',
    generation(
      {
        messages: ASKED,
        tools: [{ name: NAME, input_schema: PARAMETERS }],
        tool_choice: { type: 'tool', name: NAME },
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: NAME, input: GIVEN }] },
    ),
  ],
  [
    'OpenTelemetry',
    span({
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: ASKED[0]?.content }] }],
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: NAME, arguments: GIVEN }] },
      ],
      'gen_ai.tool.definitions': [{ type: 'function', ...DESCRIBED }],
      'llm.invocation_parameters': { tool_choice: 'any' },
    }),
  ],
  [
    'OpenInference',
    span({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': ASKED[0]?.content,
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': NAME,
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': ARGUMENTS,
      'llm.tools.0.tool.json_schema': TOOL,
      'llm.invocation_parameters': { tool_choice: CHOICE },
    }),
  ],
  ['Inspect', event({ content: '', tool_calls: [{ id: 'c', function: NAME, arguments: GIVEN }] })],
  [
    'Inspect, with attachments',
    event(
      {
        content: '',
        tool_calls: [{ id: 'c', function: NAME, arguments: { ...GIVEN, reasons: 'attachment://why' } }],
      },
      { why: GIVEN.reasons },
    ),
  ],
])('%s', (_, log) => {
  const [call] = findLoggedCalls(log)?.calls ?? [];
  const { schema } = DEFAULT_ADAPTER.readRequest(JSON.stringify(call?.body));
  const { texts } = DEFAULT_ADAPTER.readReply(JSON.stringify(call?.response), false);
  expect({ schema, texts }).toEqual({ schema: PARAMETERS, texts: [ARGUMENTS] });
});

test('what a schema asked for is no message, whatever its fields are called', () => {
  const output = { parts: ['engine'], pass: true };
  const [call] = findLoggedCalls(generation(ASKED, output))?.calls ?? [];
  expect(DEFAULT_ADAPTER.readReply(JSON.stringify(call?.response), false).texts).toEqual([
    JSON.stringify(output),
  ]);
});

test('observations of Langfuse are known by their input where the export has no traces', () => {
  const { traceId: _, ...one } = generation(ASKED, 'B');
  const span = { type: 'SPAN', input: null, output: null };
  for (const log of [one, [span, one], { data: [one] }])
    expect(findLoggedCalls(log)?.calls).toMatchObject([{ body: { messages: ASKED } }]);
  // Neither a trace nor an input: no observation, but some other line.
  expect(findLoggedCalls({ type: 'EVENT', messages: ASKED })).toBeNull();
});
