/** `POST …/messages`, whole and as events, with text or a forced tool. */
import { events, nameIn, type Protocol, whole, words } from './types.ts';

const message = (rest: object) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted-judge-1',
  ...rest,
});
const input = (calls: number) => ({
  input_tokens: 100 * calls,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 40 * calls,
});

export const anthropicMessages: Protocol = {
  path: /\/messages$/,
  write({ body }, said, calls) {
    const tool = Array.isArray(body.tools) && typeof said !== 'string' ? nameIn(body.tools[0]) : null;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    const ended = { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
    const call = (of: unknown) => ({ type: 'tool_use', id: 'toolu_1', name: tool, input: of });
    if (!body.stream) {
      const block = tool ? call(said) : { type: 'text', text };
      const usage = { ...input(calls), output_tokens: 4 * calls };
      return whole(message({ content: [block], ...ended, usage }));
    }
    const event = (type: string, data: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const delta = (one: object) => event('content_block_delta', { index: 0, delta: one });
    // The count at the beginning is of what has been written by then; the one at the end is of all.
    const usage = { ...input(calls), output_tokens: 1 };
    return events([
      event('message_start', {
        message: message({ content: [], stop_reason: null, stop_sequence: null, usage }),
      }),
      event('content_block_start', { index: 0, content_block: tool ? call({}) : { type: 'text', text: '' } }),
      event('ping', {}),
      ...words(text).map((piece) =>
        delta(tool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: ended, usage: { output_tokens: 4 * calls } }),
      event('message_stop', {}),
    ]);
  },
};
