/** What cannot be reached or had at all, and what answers in place of a judge: whoever reads it can mend it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/proxy/config.ts';
import { startServer } from '../../src/proxy/server.ts';
import { pairwise, RIGHT, WRONG } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

test('the reason stands in the log', async () => {
  // Nothing listens on the discard port.
  const { url, log } = await startProxy({ JUDGE_BASE_URL: 'http://127.0.0.1:9' });
  const { status } = await exchange(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT),
  });
  expect(status).toBe(502);
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 'error',
      event: 'judge-failed',
      message: expect.stringContaining('connection refused (ECONNREFUSED) at 127.0.0.1:9'),
    }),
  );
});

const ask = (url: string, headers: Record<string, string> = {}, body = pairwise(WRONG, RIGHT)) =>
  exchange(`${url}/v1/chat/completions`, { method: 'POST', body, headers });

test('the log says whose answer a refusal is', async () => {
  const upstream = await startUpstream(
    (_, response) => void response.writeHead(401).end('{"error":{"message":"no"}}'),
  );
  const { url, log } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const { status, headers } = await ask(url);
  expect(status).toBe(401);
  expect(log).toContainEqual({
    level: 'warn',
    event: 'judge-refused',
    path: '/v1/chat/completions',
    trace: headers['x-remand-trace'],
    who: null,
    message: 'the judge answered 401; the client got its answer',
  });
});

test.each([
  [
    '<!doctype html><title>Log in</title>',
    'is a page of HTML, not JSON: the base URL may be that of a website',
  ],
  ['', 'is empty'],
  ['{"choices":[', 'is not valid JSON, cut off after 12 characters perhaps'],
])('a judge that answers %j', async (body, told) => {
  const upstream = await startUpstream((_, response) => void response.end(body));
  const { url } = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const answer = await ask(url);
  expect([answer.status, answer.body.toString()]).toEqual([
    502,
    expect.stringContaining(`the reply ${told}`),
  ]);
});

test.each([
  [{ 'x-remand-mode': 'shadwo' }, 'x-remand-mode: must be debias, shadow or off, not \\"shadwo\\"'],
  [{ 'x-remand-biases': 'postion' }, 'there is no bias \\"postion\\"; did you mean \\"position\\"?'],
])('%j is refused with what there is', async (headers, told) => {
  const { url } = await startProxy({});
  const answer = await ask(url, headers);
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining(told)]);
});

test.each([
  [
    { options: [{ lable: 'A', text: WRONG }, RIGHT] },
    'options.0: no such field \\"lable\\"; did you mean \\"label\\"?',
  ],
  [{ options: [3, RIGHT] }, 'options.0: must be text or an object, not a number'],
  [{ options: [WRONG, 'never said'] }, 'does not hold this text, to the character: \\"never said\\"'],
])('remand.case %j is refused with what is wrong in it', async (declared, told) => {
  const { url } = await startProxy({});
  const body = JSON.stringify({ ...JSON.parse(pairwise(WRONG, RIGHT)), remand: { case: declared } });
  const answer = await ask(url, {}, body);
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining(told)]);
});

test('settings that are wrong are told together', () => {
  expect(() => readConfig({ REMAND_MODE: 'shadwo', REMAND_ROUNDS: '11' })).toThrow(
    'REMAND_MODE: must be debias, shadow or off, not "shadwo"; REMAND_ROUNDS: must be a whole number from 0 to 10',
  );
});

test('a port that another program has', async () => {
  const { url } = await startProxy({});
  const { port } = new URL(url);
  const config = readConfig({ PORT: port, REMAND_TRACES: 'off' });
  await expect(startServer(config, () => {})).rejects.toThrow(
    `cannot listen at 127.0.0.1:${port}: the port is in use, perhaps by another Remand; choose another one`,
  );
});

test('a folder that is a file', async () => {
  const traces = join(import.meta.filename, 'traces.sqlite');
  await expect(startServer(readConfig({ PORT: '0', REMAND_TRACES: traces }), () => {})).rejects.toThrow(
    `${traces} could not be written: a part of its path is a file`,
  );
});

test.each([
  ['budgets', { REMAND_LIMITS: '{"callsPerDay":5}' }],
  ['keys', { REMAND_ACCESS: 'keys' }],
])('a file of %s that cannot be opened, where no traces are kept', async (_, settings) => {
  const REMAND_STATE = join(import.meta.filename, 'state.sqlite');
  const config = readConfig({ PORT: '0', REMAND_TRACES: 'off', REMAND_STATE, ...settings });
  await expect(startServer(config, () => {})).rejects.toThrow(`${REMAND_STATE} could not be written`);
});
