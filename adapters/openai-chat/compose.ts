/** A chat-completions request of our own. */
import type { Asked, Composed } from '../types.ts';

export function compose({ model, system, user, parameters }: Asked): Composed {
  const messages = [
    ...(system === null ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: user },
  ];
  return {
    path: '/v1/chat/completions',
    headers: {},
    body: JSON.stringify({ model, messages, ...parameters, stream: false }),
  };
}
