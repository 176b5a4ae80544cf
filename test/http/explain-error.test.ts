/** A call that an endpoint refuses: whoever made it reads why, in the endpoint's own words, and never a key. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { createOpenAiDetectorModel } from '../../src/detect/rbd/detector-model.ts';
import { createMemoryCalls } from '../../src/models/call-store.ts';
import { createSpend } from '../../src/models/ledger.ts';
import { createModel } from '../../src/models/model.ts';
import { type Fetch, systemClock } from '../../src/ports.ts';
import { serve } from '../models/server.ts';

const KEY = 'of-no-known-shape-7';
const never = new AbortController().signal;
const direct: Fetch = (to, { method, headers, body, signal }) =>
  fetch(to, { method, headers, body: body as BodyInit, ...(signal && { signal }) });

/** The error of a call, to a judge or a detector model. */
async function refused(
  who: 'judge' | 'detector',
  status: number,
  body: string | null,
  signal = never,
): Promise<unknown> {
  await using server = await serve((_, response) => {
    response.writeHead(status, { 'retry-after-ms': '1' });
    // Headers, and then nothing.
    if (body === null) response.flushHeaders();
    else response.end(body);
  });
  const shared = { model: 'm', retries: 1, maxWaitMs: 5, fetch: direct };
  const ask = {
    judge: () =>
      createModel({
        ...{ ...shared, name: 'm', protocol: openaiChat, url: server.url, key: KEY, clock: systemClock },
        ...{ parameters: {}, store: createMemoryCalls(), spend: createSpend({ calls: null, tokens: null }) },
      }).ask({ system: null, user: 'Hello' }, signal),
    detector: () =>
      createOpenAiDetectorModel({ ...shared, baseURL: server.url, apiKey: KEY }).complete('Hello', signal),
  };
  return await ask[who]().then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error,
  );
}

// Bodies of the forms that OpenAI, Anthropic, Gemini, TGI, vLLM and FastAPI send.
const BODIES: [string, string, string][] = [
  [
    'OpenAI',
    '{"error": {"message": "max_tokens is too large", "type": "x", "code": null}}',
    'max_tokens is too large',
  ],
  [
    'Anthropic',
    '{"type": "error", "error": {"type": "x", "message": "prompt is too long"}}',
    'prompt is too long',
  ],
  [
    'Gemini, in a list',
    '[{"error": {"code": 400, "message": "API key not valid", "status": "x"}}]',
    'API key not valid',
  ],
  [
    'TGI',
    '{"error": "inputs must have less than 4096 tokens", "error_type": "validation"}',
    'inputs must have less than 4096 tokens',
  ],
  ['vLLM', '{"object": "error", "message": "no such model", "code": 404}', 'no such model'],
  [
    'FastAPI',
    '{"detail": [{"loc": ["body"], "msg": "field required"}, {"msg": "not a list"}]}',
    'field required; not a list',
  ],
  ['plain text', 'upstream says no\n', 'upstream says no'],
];

describe.each(['judge', 'detector'] as const)('a %s', (who) => {
  test.each(BODIES)('of %s’s kind is quoted', async (_name, body, said) => {
    const error = await refused(who, 400, body);
    expect(error).toMatchObject({ name: 'JudgeError', status: 400, retryable: false });
    expect(String(error)).toMatch(new RegExp(`/v1/chat/completions answered 400 Bad Request: ${said}$`));
  });

  test('that fails in passing is quoted, too, once it was asked again in vain', async () => {
    const error = await refused(who, 503, '{"error": {"message": "overloaded"}}');
    expect(error).toMatchObject({ status: 503, retryable: true });
    expect(String(error)).toMatch(/answered 503 Service Unavailable: overloaded$/);
  });

  test.each([
    ['the key that was sent', `wrong key ${KEY}.`, 'wrong key [key].'],
    [
      'a key of a known shape',
      'Incorrect API key provided: sk-abcdefgh1234.',
      'Incorrect API key provided: [key]',
    ],
    ['a bearer token', 'header was Bearer abc.def', 'header was Bearer [key]'],
    ['what could write on a terminal', 'red \u001b[31mno\u001b[0m\r\n\u202eyes', 'red [31mno [0m yes'],
  ])('quotes nothing of %s', async (_name, said, shown) => {
    const error = await refused(who, 401, JSON.stringify({ error: { message: said } }));
    expect(String(error).endsWith(`Unauthorized: ${shown}`), String(error)).toBe(true);
  });

  test.each([
    ['a page of a gateway on the way', '<html><body>Bad Request</body></html>'],
    ['an empty body', ''],
    ['a body without end', `{"error": "${'x'.repeat(1 << 17)}"}`],
  ])('with %s is told by its status', async (_name, body) => {
    expect(String(await refused(who, 400, body))).toMatch(/answered 400 Bad Request$/);
  });

  test('whose reasons do not come is not waited for longer than the caller does', async () => {
    const caller = new AbortController();
    // The time that reasons have at most never passes, and the caller's is over as soon as they are waited for.
    vi.spyOn(systemClock, 'after').mockImplementation(() => {
      setImmediate(() => caller.abort());
      return never;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(String(await refused(who, 400, null, caller.signal))).toMatch(/answered 400 Bad Request$/);
  });
});
