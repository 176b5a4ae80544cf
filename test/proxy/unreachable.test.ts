/** A judge that cannot be reached: the client gets a 502 with the reason, and the operator's log has it as well. */
import { expect, test } from 'vitest';
import { pairwise, RIGHT, WRONG } from './judges.ts';
import { exchange, startProxy } from './servers.ts';

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
