/** The Worker as deployed, inside workerd: wrangler.toml with its bindings, nothing set. And without any binding. */
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWorker } from '../../src/proxy/worker.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/sandbox.ts';
import { addKey, execution, migrate } from './bindings.ts';

const judge = (body: unknown, headers: Record<string, string> = {}) =>
  exports.default.fetch('http://remand.test/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

beforeAll(migrate);

describe('at the edge', () => {
  it('revises the verdict of the printed request, and tells the story', async () => {
    const response = await judge(SANDBOX_DEMO);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-remand-status': 'revised',
      'x-remand-biases': 'bandwagon',
    });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Output (b)' } }] });

    const story = `http://remand.test/remand/traces/${response.headers.get('x-remand-trace')}`;
    expect((await exports.default.fetch(story)).status).toBe(401);
    const { key, record } = await addKey(['traces']);
    const trace = await exports.default.fetch(story, { headers: { authorization: `Bearer ${key}` } });
    expect(await env.DB.prepare('SELECT who, action, subject FROM audit').first()).toEqual({
      who: record.id,
      action: 'read',
      subject: response.headers.get('x-remand-trace'),
    });
    expect(await trace.json()).toMatchObject({
      status: 'revised',
      verdicts: [{ choice: 'Output (a)' }, { choice: 'Output (b)' }],
    });
  });

  it('streams', async () => {
    const response = await judge({ ...SANDBOX_DEMO, stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = await response.text();
    expect(events).toContain('" (b)"');
    expect(events.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  it('changes nothing in shadow mode', async () => {
    const response = await judge(SANDBOX_DEMO, { 'x-remand-mode': 'shadow' });
    expect(response.headers.get('x-remand-status')).toBe('shadow');
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Output (a)' } }] });
  });

  it('lets a stream through in shadow mode', async () => {
    const response = await judge({ ...SANDBOX_DEMO, stream: true }, { 'x-remand-mode': 'shadow' });
    expect(response.headers.get('x-remand-status')).toBe('shadow');
    const events = await response.text();
    expect(events).toContain('" (a)"');
    expect(events.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  const wrong: [string, unknown, number, Record<string, string>?][] = [
    ['half a JSON', '{"model": "x", "mess', 400],
    ['an option it does not know', SANDBOX_DEMO, 400, { 'x-remand-rounds': 'many' }],
  ];
  it.each(wrong)('answers %s in the protocol’s own error form', async (_name, body, status, headers = {}) => {
    const response = await judge(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('is healthy', async () => {
    expect((await exports.default.fetch('http://remand.test/remand/health')).status).toBe(200);
  });
});

describe('without any binding', () => {
  it('debiases, and keeps its pages to itself', async () => {
    const worker = createWorker();
    const { context } = execution();
    const send = (path: string, init: RequestInit = {}) =>
      worker.fetch(new Request(`http://remand.test${path}`, init), {}, context);
    const answer = await send('/v1/chat/completions', { method: 'POST', body: JSON.stringify(SANDBOX_DEMO) });
    expect(answer.headers.get('x-remand-status')).toBe('revised');
    expect((await send(`/remand/traces/${answer.headers.get('x-remand-trace')}`)).status).toBe(401);
  });
});
