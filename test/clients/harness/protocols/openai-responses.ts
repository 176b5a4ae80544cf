/** `POST …/responses`, whole and as events, with text, a JSON schema or a forced function. */
import { events, nameIn, type Protocol, whole, words } from './types.ts';

const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' };

const usage = (calls: number) => ({
  input_tokens: 100 * calls,
  input_tokens_details: { cached_tokens: 10 * calls },
  output_tokens: 4 * calls,
  output_tokens_details: { reasoning_tokens: 2 * calls },
  total_tokens: 104 * calls,
});

const response = (output: readonly object[], rest: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1756315696,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'scripted-judge-0613',
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  ...rest,
});

const part = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });

export const openaiResponses: Protocol = {
  path: /\/responses$/,
  write({ body }, said, calls) {
    const tool = Array.isArray(body.tools) && typeof said !== 'string' ? nameIn(body.tools[0]) : null;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const item = tool
      ? {
          id: 'fc_1',
          type: 'function_call',
          status: 'completed',
          arguments: text,
          call_id: 'call_1',
          name: tool,
        }
      : { id: 'msg_1', type: 'message', status: 'completed', content: [part(text)], role: 'assistant' };
    const done = response([reasoning, item], { usage: usage(calls) });
    if (!body.stream) return whole(done);

    const begun = response([], { status: 'in_progress', usage: null });
    const at = { item_id: item.id, output_index: 1 };
    const inText = { ...at, content_index: 0 };
    const told = tool
      ? [
          ...words(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
          { type: 'response.function_call_arguments.done', ...at, name: tool, arguments: text },
        ]
      : [
          { type: 'response.content_part.added', ...inText, part: part('') },
          ...words(text).map((delta) => ({
            type: 'response.output_text.delta',
            ...inText,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', ...inText, text, logprobs: [] },
          { type: 'response.content_part.done', ...inText, part: part(text) },
        ];
    const empty = tool ? { arguments: '' } : { content: [] };
    const all = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      { type: 'response.output_item.added', output_index: 0, item: reasoning },
      { type: 'response.output_item.done', output_index: 0, item: reasoning },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { ...item, ...empty, status: 'in_progress' },
      },
      ...told,
      { type: 'response.output_item.done', output_index: 1, item },
      { type: 'response.completed', response: done },
    ];
    return events(
      all.map(
        (event, sequence_number) =>
          `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
      ),
    );
  },
};
