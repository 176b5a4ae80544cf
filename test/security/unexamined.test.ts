/** Every answer whose verdict was not examined says so in a header, and is counted by its reason. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fair, type Prompt, pairwise, RIGHT, replyBody, stubborn, WRONG, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

interface Row {
  readonly name: string;
  readonly say?: (prompt: Prompt) => string;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly status: string;
  readonly reason: string | undefined;
}

const HELLO = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Say hello.' }] });

const ROWS: readonly Row[] = [
  { name: 'an examined verdict', body: pairwise(RIGHT, WRONG), status: 'unchanged', reason: undefined },
  { name: 'no judgment', body: HELLO, status: 'no-verdict', reason: 'no-case' },
  {
    name: 'switched off',
    body: pairwise(RIGHT, WRONG),
    headers: { 'x-remand-mode': 'off' },
    status: 'bypassed',
    reason: 'off',
  },
  {
    name: 'packed',
    body: gzipSync(pairwise(RIGHT, WRONG)),
    headers: { 'content-encoding': 'gzip' },
    status: 'bypassed',
    reason: 'packed',
  },
  {
    name: 'a reply without a verdict',
    say: () => 'I would rather not say.',
    body: pairwise(RIGHT, WRONG),
    status: 'no-verdict',
    reason: 'reply-no-label',
  },
  {
    name: 'a budget that is used up',
    say: stubborn,
    body: pairwise(RIGHT, WRONG),
    status: 'failed-open',
    reason: 'budget',
  },
];

test.each(ROWS)('$name: $status, $reason', async ({ name, say = fair, body, headers, status, reason }) => {
  const packed = (_: unknown, response: ServerResponse) => void response.end(replyBody('Output (a)'));
  const upstream = await startUpstream(Buffer.isBuffer(body) ? packed : whole(say));
  const extra = name.startsWith('a budget') ? { REMAND_EXTRA_CALLS: '0' } : {};
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...extra });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position', ...headers },
    body,
  });
  expect({
    status: answer.headers['x-remand-status'],
    reason: answer.headers['x-remand-reason'],
  }).toEqual({ status, reason });
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  const counted = metrics.split('\n').filter((line) => line.startsWith('remand_unexamined_total{'));
  expect(counted).toEqual(reason === undefined ? [] : [`remand_unexamined_total{reason="${reason}"} 1`]);
});
