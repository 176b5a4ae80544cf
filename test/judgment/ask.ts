/** Asking an endpoint of our own for a chat completion. */
import type { Fetch } from '../../src/ports.ts';

export async function post(judge: Fetch, body: unknown, path = '/v1/chat/completions'): Promise<Response> {
  return judge(`http://judge.invalid${path}`, {
    method: 'POST',
    headers: new Headers({ 'content-type': 'application/json' }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** What the judge says to one user message. */
export async function say(judge: Fetch, content: string, rest: object = {}): Promise<string> {
  const response = await post(judge, { model: 'm', messages: [{ role: 'user', content }], ...rest });
  const reply = await response.json();
  const message = reply.choices?.[0].message;
  return message?.content ?? message?.tool_calls[0].function.arguments ?? reply.error.message;
}
