/** What is read of a request has a limit in bytes, and reading it one in CPU time. What goes through has neither. */
import { expect, test } from 'vitest';
import { createReadingBudget, ReadingTooLongError } from '../../src/case/checkpoint.ts';
import { recogniseCase } from '../../src/case/recognise.ts';
import { fair, pairwise, RIGHT, whole } from '../proxy/judges.ts';
import { exchange, startProxy, startUpstream } from '../proxy/servers.ts';

const LONG = pairwise(RIGHT, `381 ${'and so on '.repeat(120_000)}`);
/** 200,000 short lines: the most that one has to look at. */
const SLOW = pairwise(RIGHT, '# \n'.repeat(200_000));

async function ask(body: string, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(whole(fair));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
    body,
  });
  const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
  return {
    status: answer.status,
    told: [answer.headers['x-remand-status'], answer.headers['x-remand-reason']],
    counted: metrics.split('\n').filter((line) => line.startsWith('remand_unexamined_total{')),
    received: upstream.received,
    error: answer.body.toString(),
  };
}

test('a request above the limit goes through unread, byte for byte', async () => {
  const { status, told, counted, received } = await ask(LONG);
  expect(status).toBe(200);
  expect(told).toEqual(['bypassed', 'too-long']);
  expect(counted).toEqual(['remand_unexamined_total{reason="too-long"} 1']);
  expect(received.map(({ body }) => body.equals(Buffer.from(LONG)))).toEqual([true]);
});

test('a higher limit has it read', async () => {
  const { told } = await ask(LONG, { REMAND_READ_LIMIT: '4000000', REMAND_READ_MS: '60000' });
  expect(told).toEqual(['unchanged', undefined]);
});

test('a request that takes too long to read goes through as it came', async () => {
  const { status, told, counted, received } = await ask(SLOW, { REMAND_READ_MS: '1' });
  expect(status).toBe(200);
  expect(told).toEqual(['failed-open', 'over-time']);
  expect(counted).toEqual(['remand_unexamined_total{reason="over-time"} 1']);
  expect(received.map(({ body }) => body.equals(Buffer.from(SLOW)))).toEqual([true]);
});

test.each([
  ['too-long', LONG],
  ['over-time', SLOW],
])('where no unexamined verdict is to go out, none does: %s', async (reason, body) => {
  const { status, received, error } = await ask(body, { REMAND_FAIL: 'closed', REMAND_READ_MS: '1' });
  expect(status).toBe(503);
  expect(error).toContain(reason);
  expect(received).toHaveLength(0);
});

test('one that has to be read for its model, and is too long for that, is refused', async () => {
  const upstream = await startUpstream(whole(fair));
  const models = JSON.stringify([{ model: 'other-*', url: upstream.url }]);
  const { status, error, received } = await ask(LONG, { REMAND_UPSTREAMS: models });
  expect(status).toBe(413);
  expect(error).toContain('REMAND_READ_LIMIT');
  expect(received).toHaveLength(0);
});

test('a reading ends at the first checkpoint after its time, but for the first 50 that need more', () => {
  let used = 0;
  const budget = createReadingBudget(() => used, 50);
  const prompt = {
    parts: [{ role: 'user', text: 'Which is better?\n# Output (a)\nred\n# Output (b)\nblue' }],
  };
  const readIn = (ms: number) => {
    const checkpoint = budget();
    let calls = 0;
    const passing = () => {
      calls++;
      used += ms;
      checkpoint();
    };
    try {
      recogniseCase(prompt, { checkpoint: passing });
      return null;
    } catch (error) {
      return error instanceof ReadingTooLongError ? calls : error;
    }
  };
  // What is quick says nothing of what is compiled later.
  for (let i = 0; i < 100; i++) expect(readIn(0)).toBe(null);
  expect(readIn(200)).toBe(3);
  for (let i = 1; i < 50; i++) expect(readIn(6)).toBe(null);
  expect(readIn(6)).toBe(9);
  expect(readIn(0)).toBe(null);
});
