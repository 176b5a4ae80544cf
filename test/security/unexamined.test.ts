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
  /** With REMAND_FAIL=closed: the status, and the calls to the judge. */
  readonly closed: readonly [status: number, calls: number];
}

const HELLO = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Say hello.' }] });

const ROWS: readonly Row[] = [
  {
    name: 'an examined verdict',
    body: pairwise(RIGHT, WRONG),
    status: 'unchanged',
    reason: undefined,
    closed: [200, 2],
  },
  { name: 'no judgment', body: HELLO, status: 'no-verdict', reason: 'no-case', closed: [200, 1] },
  {
    name: 'switched off',
    body: pairwise(RIGHT, WRONG),
    headers: { 'x-remand-mode': 'off' },
    status: 'bypassed',
    reason: 'off',
    closed: [200, 1],
  },
  {
    name: 'packed',
    body: gzipSync(pairwise(RIGHT, WRONG)),
    headers: { 'content-encoding': 'gzip' },
    status: 'bypassed',
    reason: 'packed',
    closed: [503, 0],
  },
  {
    name: 'a reply without a verdict',
    say: () => 'I would rather not say.',
    body: pairwise(RIGHT, WRONG),
    status: 'no-verdict',
    reason: 'reply-no-label',
    closed: [503, 2],
  },
  {
    name: 'a budget that is used up',
    say: stubborn,
    body: pairwise(RIGHT, WRONG),
    status: 'failed-open',
    reason: 'budget',
    closed: [503, 1],
  },
];

async function judged({ name, say = fair, body, headers }: Row, settings: Record<string, string> = {}) {
  const packed = (_: unknown, response: ServerResponse) => void response.end(replyBody('Output (a)'));
  const upstream = await startUpstream(Buffer.isBuffer(body) ? packed : whole(say));
  const extra = name.startsWith('a budget') ? { REMAND_EXTRA_CALLS: '0' } : {};
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...extra, ...settings });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position', ...headers },
    body,
  });
  return { answer, proxy, upstream };
}

test.each(ROWS)('$name: $status, $reason', async (row) => {
  const { answer, proxy } = await judged(row);
  const { status, reason } = row;
  expect({
    status: answer.headers['x-remand-status'],
    reason: answer.headers['x-remand-reason'],
  }).toEqual({ status, reason });
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  const counted = metrics.split('\n').filter((line) => line.startsWith('remand_unexamined_total{'));
  expect(counted).toEqual(reason === undefined ? [] : [`remand_unexamined_total{reason="${reason}"} 1`]);
});

test.each(ROWS)('$name: with REMAND_FAIL=closed it is $closed', async (row) => {
  const { answer, upstream } = await judged(row, { REMAND_FAIL: 'closed' });
  expect([answer.status, upstream.received.length]).toEqual(row.closed);
  if (answer.status === 503)
    expect(JSON.parse(answer.body.toString()).error.message).toContain(`(${row.reason})`);
});

test.each(ROWS)('$name: shadow mode refuses nothing', async (row) => {
  const { answer } = await judged(row, { REMAND_FAIL: 'closed', REMAND_MODE: 'shadow' });
  expect(answer.status).toBe(200);
});
