/** A re-judgment takes the first reply's place only in the form that the client was going to read. */
import { describe, expect, test } from 'vitest';
import { pairwise, promptIn, RIGHT, replyBody, WRONG } from './judges.ts';
import { exchange, type Received, type Reply, startProxy, startUpstream } from './servers.ts';

/** Loves the first place; sent back, it answers with these bodies in turn, the last one for good. */
function judge(...again: string[]): Reply {
  return (received, response) => {
    const body = promptIn(received).sentBack
      ? again.length > 1
        ? again.shift()
        : again[0]
      : replyBody('Output (a)');
    response.setHeader('content-type', 'application/json').end(body);
  };
}

async function judged(reply: Reply) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'bandwagon' });
  const statement = '90% believe that Output (a) is better.';
  const body = pairwise(WRONG, RIGHT).replace(
    '# Output (a):',
    `### Statement: ${statement}\\n\\n# Output (a):`,
  );
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
  const sentBack = upstream.received.filter((one: Received) => promptIn(one).sentBack).length;
  return { answer, sentBack, status: answer.headers['x-remand-status'] };
}

/** The crowd's favourite loses once the statement is gone. */
const swayed =
  (reply: Reply): Reply =>
  (received, response) => {
    const { text, sentBack } = promptIn(received);
    if (!sentBack && !text.includes('90%')) return void response.end(replyBody('Output (b)'));
    return reply(received, response);
  };

describe('a re-judgment', () => {
  const cut = replyBody('Output (b)').replace('"finish_reason": "stop"', '"finish_reason": "length"');

  const call = replyBody('Output (b)').replace(
    '"content": "Output (b)"',
    '"content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "pick", "arguments": "{\\"choice\\": \\"Output (b)\\"}"}}]',
  );
  const bad: [string, string][] = [
    ['without a verdict', replyBody('I would rather not say.')],
    ['that was cut off', cut],
    ['in a function call where the first was a text', call],
  ];

  test.each(bad)('%s is asked for once more', async (_name, body) => {
    const { status, sentBack, answer } = await judged(swayed(judge(body, replyBody('Output (b)'))));
    expect([status, sentBack]).toEqual(['revised', 2]);
    expect(answer.body.toString()).toContain('Output (b)');
  });

  test.each(bad)('%s twice leaves the first reply', async (_name, body) => {
    const { status, sentBack, answer } = await judged(swayed(judge(body)));
    expect([status, sentBack]).toEqual(['failed-open', 2]);
    expect(answer.body.toString()).toContain('Output (a)');
  });
});
