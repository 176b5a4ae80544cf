/** When a verdict cannot be examined: the judge's own goes out and a header says so, unless the operator forbids it. */
import { expect, test } from 'vitest';
import { scriptedClock } from '../scripted-clock.ts';
import { fair, firstPlaceLover, pairwise, RIGHT, replyBody, stubborn, WRONG, whole } from './judges.ts';
import { afterHeartbeat, exchange, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';

async function judged(body: string, reply: Reply, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position', ...settings });
  const answer = await exchange(proxy.url + PATH, { method: 'POST', body });
  const trace = await exchange(`${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`);
  return { upstream, answer, trace: JSON.parse(trace.body.toString()) };
}

const rightComesFirst = (text: string) => text.indexOf(RIGHT) < text.indexOf(WRONG);

/** Never answers the swap of a case whose first answer is the wrong one. */
const silentAboutTheSwap: Reply = (received, response) => {
  if (!rightComesFirst(received.body.toString())) return whole(stubborn)(received, response);
};

test('past the deadline the own verdict goes out', async () => {
  const { answer } = await judged(pairwise(WRONG, RIGHT), silentAboutTheSwap, { REMAND_DEADLINE_MS: '100' });
  expect(answer.status).toBe(200);
  expect(answer.headers['x-remand-status']).toBe('failed-open');
  expect(answer.body.toString()).toBe(replyBody('Output (a)'));
});

test('fail-closed makes it an error, with the trace that says why', async () => {
  const { answer, trace } = await judged(pairwise(WRONG, RIGHT), silentAboutTheSwap, {
    REMAND_DEADLINE_MS: '100',
    REMAND_FAIL: 'closed',
  });
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body.toString()).error).toMatchObject({ type: 'api_error', param: null });
  expect(answer.headers).not.toHaveProperty('x-remand-status');
  expect(trace).toMatchObject({ status: 'failed-open', stop: 'deadline' });
  // The call that was given up is in the account, too.
  expect(trace.calls.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['judge', 'swap']);
});

test('in shadow mode even that changes nothing', async () => {
  const { answer } = await judged(pairwise(WRONG, RIGHT), silentAboutTheSwap, {
    REMAND_DEADLINE_MS: '100',
    REMAND_FAIL: 'closed',
    REMAND_MODE: 'shadow',
  });
  expect(answer.status).toBe(200);
  expect(answer.body.toString()).toBe(replyBody('Output (a)'));
});

test('out of budget the own verdict goes out, and no call too many is made', async () => {
  const { answer, upstream, trace } = await judged(pairwise(WRONG, RIGHT), whole(firstPlaceLover), {
    REMAND_EXTRA_CALLS: '2',
  });
  expect(answer.headers).toMatchObject({ 'x-remand-status': 'failed-open', 'x-remand-biases': 'position' });
  expect(trace.stop).toBe('budget');
  // The case is judged again in both orders or in none: one call was left, and is not wasted.
  expect(upstream.received).toHaveLength(2);
  expect(answer.headers['x-remand-calls']).toBe('2');
  expect(JSON.parse(answer.body.toString()).choices[0].message.content).toBe('Output (a)');
});

test('added calls are retried, inside the deadline', async () => {
  let swaps = 0;
  const { answer } = await judged(pairwise(RIGHT, WRONG), (received, response) => {
    if (rightComesFirst(received.body.toString()) || swaps++ > 0) return whole(fair)(received, response);
    response.writeHead(429, { 'retry-after-ms': '10' });
    response.end('{"error": {"message": "slow down"}}');
  });
  expect(answer.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-calls': '3' });
});

test('calls made beside a request that failed are counted, too', async () => {
  const upstream = await startUpstream(async (received, response) => {
    // The other order is never answered; it is given up when the client's own request fails.
    if (!rightComesFirst(received.body.toString())) return;
    await until(() => upstream.received.length === 2, 'the other order is asked for');
    response.writeHead(500).end('{}');
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const answer = await exchange(proxy.url + PATH, { method: 'POST', body: pairwise(RIGHT, WRONG) });
  expect(answer.status).toBe(500);
  expect(upstream.received).toHaveLength(2);
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  expect(metrics).toContain('remand_calls_total{kind="judge",ok="false"} 1');
  expect(metrics).toContain('remand_calls_total{kind="swap",ok="false"} 1');
});

test('the call of a request that is not examined is counted, answered or not', async () => {
  const upstream = await startUpstream((received, response) => {
    if (upstream.received.length > 2) response.writeHead(500).end('{}');
    else whole(fair)(received, response);
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const noCase = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'What is 17*23?' }] });
  const off = { 'x-remand-mode': 'off' };
  for (const [body, headers] of [[noCase], [pairwise(RIGHT, WRONG), off], [noCase]] as const)
    await exchange(proxy.url + PATH, { method: 'POST', body, headers: headers ?? {} });
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  expect(metrics).toContain('remand_calls_total{kind="passed",ok="true"} 2\n');
  expect(metrics).toContain('remand_calls_total{kind="passed",ok="false"} 1\n');
});

test("a request that the judge refused leaves a trace of its calls, and the client has the judge's own bytes", async () => {
  const refused = '{"error": {"message": "not now",  "type": "api_error"}}';
  const { answer, trace, upstream } = await judged(pairwise(RIGHT, WRONG), (_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '25' }).end(refused);
  });
  expect(answer.status).toBe(429);
  expect(answer.body.toString()).toBe(refused);
  expect(answer.headers).toMatchObject({ 'retry-after-ms': '25' });
  expect(answer.headers).not.toHaveProperty('x-remand-status');
  expect(trace).toMatchObject({
    status: 'no-verdict',
    stop: 'judge-failed',
    verdicts: [],
    final: { none: 'no-reply' },
    analyses: [],
  });
  expect(trace.error).toContain('429');
  expect(trace.case.options).toHaveLength(2);
  const own = trace.calls.filter(({ kind }: { kind: string }) => kind === 'judge');
  // The first refusal could have been for the call beside it.
  const refusal = { error: expect.stringContaining('429') };
  expect(own).toMatchObject([refusal, refusal]);
  // What was begun beside it is in the trace, whether it arrived or not.
  expect(trace.calls.length).toBeGreaterThanOrEqual(upstream.received.length);
});

test('an error in a stream that has begun names its trace, too', async () => {
  const clock = scriptedClock(0);
  const fail: Reply = (_, response) =>
    void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
  const upstream = await startUpstream(afterHeartbeat(clock, 20, fail));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_HEARTBEAT_MS: '20' }, clock);
  const body = JSON.stringify({ ...JSON.parse(pairwise(RIGHT, WRONG)), stream: true });
  const answer = await exchange(proxy.url + PATH, { method: 'POST', body });
  const id = /^: x-remand-trace: (\S+)$/m.exec(answer.body.toString())?.[1];
  const trace = await exchange(`${proxy.url}/remand/traces/${id}`);
  expect(JSON.parse(trace.body.toString())).toMatchObject({ id, status: 'no-verdict', stop: 'judge-failed' });
});
