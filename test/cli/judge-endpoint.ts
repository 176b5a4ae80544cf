/** A local chat-completions endpoint that counts: how often each request came, and which replies went out whole. */
import { bodyOf, serve, type TestServer } from '../models/server.ts';
import { chatReply, decision } from './dataset-rows.ts';

/** A reply, or none: `hang` keeps the connection and says nothing, `cut` sends half and breaks it off. */
export interface Said {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly fault?: 'hang' | 'cut' | 'break';
}

export interface JudgeEndpoint extends TestServer {
  /** How often each request body came. */
  readonly came: Map<string, number>;
  /** How often each was answered to the last byte with a verdict. */
  readonly answered: Map<string, number>;
  readonly calls: () => number;
}

export async function judgeEndpoint(
  options: {
    readonly latencyMs?: number;
    /** Null to answer well. `nth` counts all calls, `again` those with this body, both from 1. */
    readonly say?: (nth: number, again: number, body: string) => Said | null;
  } = {},
): Promise<JudgeEndpoint> {
  const came = new Map<string, number>();
  const answered = new Map<string, number>();
  let calls = 0;
  const server = await serve(async (request, response) => {
    const body = await bodyOf(request);
    const again = (came.get(body) ?? 0) + 1;
    came.set(body, again);
    calls++;
    const said = options.say?.(calls, again, body) ?? null;
    await new Promise((resolve) => setTimeout(resolve, options.latencyMs ?? 0));
    const whole = said?.body ?? JSON.stringify(chatReply(decision(body)));
    if (said?.fault === 'hang') return;
    if (said?.fault === 'break') return void request.socket.destroy();
    response.writeHead(said?.status ?? 200, { 'content-type': 'application/json', ...said?.headers });
    if (said?.fault === 'cut') {
      response.write(whole.slice(0, whole.length / 2), () => request.socket.destroy());
      return;
    }
    response.end(whole, () => {
      if (!said) answered.set(body, (answered.get(body) ?? 0) + 1);
    });
  });
  return {
    url: server.url,
    came,
    answered,
    calls: () => calls,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
