/** `POST …/chat/completions`, whole and streamed, with text, a JSON schema or a forced tool. */
import { events, nameIn, type Protocol, whole, words } from './types.ts';

const ID = { id: 'chatcmpl-9c1', created: 1756315696, model: 'scripted-judge-0613', service_tier: 'default' };

const usage = (calls: number) => ({
  prompt_tokens: 100 * calls,
  completion_tokens: 4 * calls,
  total_tokens: 104 * calls,
  prompt_tokens_details: { cached_tokens: 10 * calls },
});

export const openaiChat: Protocol = {
  path: /\/chat\/completions$/,
  write({ body }, said, calls) {
    const tool = Array.isArray(body.tools) && typeof said !== 'string' ? nameIn(body.tools[0]) : null;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    if (!body.stream) {
      const called = { id: 'call_7', type: 'function', function: { name: tool, arguments: text } };
      const message = tool
        ? { role: 'assistant', content: null, tool_calls: [called], refusal: null }
        : { role: 'assistant', content: text, refusal: null, annotations: [] };
      const choice = {
        index: 0,
        message,
        logprobs: body.logprobs ? alternatives(text) : null,
        finish_reason: 'stop',
      };
      return whole({ ...ID, object: 'chat.completion', choices: [choice], usage: usage(calls) });
    }
    const told = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage;
    const chunk = (choices: unknown, rest: object = told ? { usage: null } : {}) =>
      `data: ${JSON.stringify({ ...ID, object: 'chat.completion.chunk', choices, ...rest })}\n\n`;
    const delta = (one: object, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta: one, finish_reason }]);
    const called = (rest: object) => delta({ tool_calls: [{ index: 0, ...rest }] });
    return events([
      delta({ role: 'assistant', content: tool ? null : '' }),
      ...(tool ? [called({ id: 'call_7', type: 'function', function: { name: tool, arguments: '' } })] : []),
      ...words(text).map((piece) =>
        tool ? called({ function: { arguments: piece } }) : delta({ content: piece }),
      ),
      delta({}, 'stop'),
      ...(told ? [chunk([], { usage: usage(calls) })] : []),
      'data: [DONE]\n\n',
    ]);
  },
};

/** A judge that wavers a little: where it says a number, the one below has a fifth of the probability. */
function alternatives(text: string) {
  const one = (token: string, p: number) => ({ token, logprob: Math.log(p), bytes: null });
  const content = (text.match(/\d+|\D+/g) ?? []).map((token) => {
    const other = /^[1-9]\d*$/.test(token) ? [one(String(Number(token) - 1), 0.2)] : [];
    const said = one(token, other.length > 0 ? 0.8 : 1);
    return { ...said, top_logprobs: [said, ...other] };
  });
  return { content, refusal: null };
}
