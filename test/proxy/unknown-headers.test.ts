/** A header of ours that there is not is refused in the protocol's own form, before any call. */
import { expect, test } from 'vitest';
import { PROTOCOLS } from '../../bench/fuzz/protocols.ts';
import { FORMS, prompt } from './form-table.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

test.each(PROTOCOLS.map((client) => [client.adapter.name, client] as const))('%s', async (_, client) => {
  const judge = await startUpstream((__, response) => void response.end('{}'));
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url });
  const { status, body } = await exchange(proxy.url + client.path(false), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-moode': 'shadow' },
    body: JSON.stringify(client.request('You are a careful judge.', prompt(FORMS.words), false)),
  });
  expect(status).toBe(400);
  client.error.parse(JSON.parse(body.toString()));
  expect(body.toString()).toContain('x-remand-moode: no such header; did you mean x-remand-mode?');
  expect(judge.received).toEqual([]);
});
