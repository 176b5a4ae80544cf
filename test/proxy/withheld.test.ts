/** Traces can be kept without anybody's words. */
import { expect, test } from 'vitest';
import { fair, firstPlaceLover, pairwise, RIGHT, WRONG, whole } from './judges.ts';
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

test('nor a text of further samples, or of a second judge', async () => {
  const [upstream, second] = [await startUpstream(whole(firstPlaceLover)), await startUpstream(whole(fair))];
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_TRACE_TEXTS: 'off',
    REMAND_SAMPLES: '3',
    REMAND_BIASES: 'position',
    REMAND_ESCALATE: JSON.stringify({
      model: 'openai-chat:better',
      url: second.url,
      key: 'sk-second',
      below: 1,
    }),
  });
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    body: pairwise(WRONG, RIGHT),
  });
  const url = `${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`;
  await until(async () => (await exchange(url)).status === 200, 'the trace is stored');
  const { samples, escalated } = JSON.parse((await exchange(url)).body.toString());
  const withheld = expect.stringMatching(/^\[\d+ characters withheld\]$/);
  expect(samples.verdicts.length).toBeGreaterThan(1);
  for (const { text } of samples.verdicts) expect(text).toEqual(withheld);
  expect(escalated.verdict.text).toEqual(withheld);
});
