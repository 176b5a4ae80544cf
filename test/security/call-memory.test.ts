/** Two tenants, and replies to calls that were made lately: what is added for one is never answered with what another paid for. */
import { expect, test } from 'vitest';
import { fair, pairwise, RIGHT, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

const PAIR = pairwise(RIGHT, WRONG, { temperature: 0 });
const TWIN = pairwise(WRONG, RIGHT, { temperature: 0 });

test.each([
  ['with the same credential', {}, '1'],
  ['with another key', { authorization: 'Bearer sk-other' }, '2'],
  ['with another key in a header nobody knows', { 'x-unheard-of-key': 'other' }, '2'],
  ['with another organisation', { 'openai-organization': 'other' }, '2'],
])('%s', async (_, headers, calls) => {
  const upstream = await startUpstream(whole(fair));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const ask = (body: string, own: Record<string, string> = {}) =>
    exchange(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-one', ...own },
      body,
    });
  await ask(PAIR);
  const answer = await ask(TWIN, headers);
  expect(answer.headers['x-remand-calls']).toBe(calls);
});
