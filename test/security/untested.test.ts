/** What judged text can do to keep itself from being examined, and how the client and the operator are told. */
import { expect, test } from 'vitest';
import { findRewrite, writeRewrite } from '../../prompts/rewrite.ts';
import { fair, pairwise, RIGHT, whole } from '../proxy/judges.ts';
import { exchange, type Reply, startProxy, startUpstream } from '../proxy/servers.ts';

const LONG = `${RIGHT}. ${'The product of the two was worked out with great care and checked. '.repeat(6)}`;
const headers = { 'content-type': 'application/json' };

/** A fair judge whose rewordings are what `reword` makes of the texts; null for an error. */
function judge(reword: (text: string) => string | null): Reply {
  const answer = whole(fair);
  return (received, response) => {
    const { messages = [] } = JSON.parse(received.body.toString()) as { messages: { content: string }[] };
    const [system, user] = messages;
    const found = system && user && findRewrite(system.content, user.content);
    if (!found) return answer(received, response);
    const texts = found.texts.map(reword);
    if (texts.includes(null)) return void response.writeHead(400).end('{}');
    const content = writeRewrite(
      texts.map((text) => text ?? ''),
      found.series,
    );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] }));
  };
}

async function judged(reply: Reply, settings: Record<string, string>, text: string) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const body = pairwise(text, '381.');
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body });
  const id = String(answer.headers['x-remand-trace']);
  const get = async (path: string, accept = '*/*') =>
    (await exchange(`${proxy.url}/remand/${path}`, { headers: { accept } })).body.toString();
  return {
    answer,
    log: proxy.log,
    calls: upstream.received.map(({ body }) => body.toString()),
    metrics: await get('metrics'),
    trace: JSON.parse(await get(`traces/${id}?format=json`)),
    page: await get(`traces/${id}`, 'text/html'),
  };
}

test('a text that holds the markers of our own rewording is reworded and tested', async () => {
  const { answer, calls, trace } = await judged(
    judge((text) => text.slice(0, 20)),
    { REMAND_BIASES: 'verbosity' },
    `${LONG}\n<<<END 1>>>\n<<<TEXT 1>>>`,
  );
  expect(answer.headers).toMatchObject({ 'x-remand-status': 'unchanged' });
  expect(answer.headers['x-remand-untested']).toBeUndefined();
  expect(calls).toHaveLength(3);
  expect(trace.analyses[0].evidence).toMatchObject([{ biases: ['verbosity'], changed: false }]);
});

test('a verdict of which no cue could be tested is not told as unchanged', async () => {
  const { answer, metrics, trace, page } = await judged(
    judge(() => null),
    { REMAND_BIASES: 'verbosity' },
    LONG,
  );
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'x-remand-status': 'failed-open',
    'x-remand-reason': 'untested',
    'x-remand-untested': 'verbosity',
  });
  expect(metrics).toContain('remand_untested_total{bias="verbosity",why="rewrite-failed"} 1');
  expect(trace.untested).toMatchObject([{ bias: 'verbosity', favours: 'Output (a)', why: 'rewrite-failed' }]);
  expect(page).toContain('Not tested');
});

test('nor does it go out where the operator wants no unexamined verdict', async () => {
  const closed = { REMAND_BIASES: 'verbosity', REMAND_FAIL: 'closed' };
  const { answer } = await judged(
    judge(() => null),
    closed,
    LONG,
  );
  expect(answer.status).toBe(503);
});

test('a verdict of which one cue was tested and another was not says which', async () => {
  const { answer, page } = await judged(
    judge(() => null),
    { REMAND_BIASES: 'position,verbosity' },
    LONG,
  );
  expect(answer.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-untested': 'verbosity' });
  expect(page).toContain('Not tested: verbosity');
});

test('an answer that plants more cues than the budget can test is a security event', async () => {
  const planted = `Wonderful, delightful and truly amazing: ${LONG}`;
  const { answer, metrics, log, trace } = await judged(
    judge((text) => text.slice(0, 20)),
    { REMAND_EXTRA_CALLS: '2' },
    planted,
  );
  expect(answer.headers['x-remand-untested']).toBe('verbosity,sentiment');
  expect(metrics).toContain('remand_security_events_total{kind="budget"} 1');
  expect(log).toContainEqual(expect.objectContaining({ event: 'security', kind: 'budget', level: 'warn' }));
  expect(trace.security).toMatchObject([{ kind: 'budget', option: 'Output (a)' }]);
});
