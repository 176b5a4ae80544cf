/** Traces can be kept without anybody's words. */
import { expect, test } from 'vitest';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream, until } from './servers.ts';

test('with REMAND_TRACE_TEXTS=off a trace holds what was decided, and no text of the case or of a reply', async () => {
  const upstream = await startUpstream(whole(firstPlaceLover));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_TRACE_TEXTS: 'off' });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT),
  });
  const url = `${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`;
  await until(async () => (await exchange(url)).status === 200, 'the trace is stored');
  const stored = (await exchange(url)).body.toString();
  for (const text of [WRONG, RIGHT, '17*23', 'opposite order']) expect(stored).not.toContain(text);
  expect(JSON.parse(stored)).toMatchObject({
    biases: ['position'],
    case: { options: [{ label: 'Output (a)' }, { label: 'Output (b)' }] },
    analyses: [
      { biased: true, reasoning: expect.stringMatching(/^\[\d+ characters withheld\]$/) },
      { biased: false },
    ],
  });
});
