/** A prompt that does not say how the verdict is given, over HTTP: its replies tell. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { helpDesk } from './help-desk.ts';
import { replyBody, streamChunks } from './judges.ts';
import { exchange, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';

/** In a language without rules, and without a word on what to reply. */
function request(n: number, more: Record<string, unknown> = {}): string {
  const { messages } = JSON.parse(helpDesk(n)) as { messages: { role: string; content: string }[] };
  const [, user] = messages;
  const system = { role: 'system', content: 'Olet asiakaspalvelun laadunvalvoja. Kumpi luonnos on parempi?' };
  return JSON.stringify({ model: 'judge', messages: [system, user], ...more });
}

/** Likes the first place. The first two replies differ, or nothing could be learned from them. */
function judge(send: (text: string, response: Parameters<Reply>[1]) => void): Reply {
  let asked = 0;
  return (_, response) => {
    asked++;
    send(`Perustelu: lyhyt.\nVoittaja: ${asked === 2 ? 'B' : 'A'}`, response);
  };
}

const plainly = (text: string, response: Parameters<Reply>[1]) => {
  response.setHeader('content-type', 'application/json');
  response.end(replyBody(text));
};

async function statuses(
  reply: Reply,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position' });
  const ask = (n: number) =>
    exchange(proxy.url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: request(n, more),
    });
  const told = async () => {
    const list = await exchange(`${proxy.url}/remand/templates`);
    return JSON.parse(list.body.toString()).templates[0];
  };
  const first = [];
  for (let n = 0; n < 3; n++) {
    const answer = await ask(n);
    first.push(answer.headers['x-remand-status']);
  }
  expect(first).toEqual(Array(3).fill('no-verdict'));
  return { ask, told };
}

describe('the form is learned from replies that were handed on', () => {
  test.each([
    ['as they are', judge(plainly), {}, {}],
    [
      'packed',
      judge((text, response) => {
        response.setHeader('content-type', 'application/json');
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(replyBody(text)));
      }),
      {},
      { 'accept-encoding': 'gzip' },
    ],
    [
      'in pieces',
      judge((text, response) => {
        response.setHeader('content-type', 'text/event-stream');
        for (const chunk of streamChunks(text)) response.write(chunk);
        response.end();
      }),
      { stream: true },
      {},
    ],
  ] as const)('%s', async (_, reply, more, headers) => {
    const { told } = await statuses(reply, more, headers);
    await until(async () => (await told())?.state === 'confirmed', 'it is confirmed');
    expect((await told()).template.verdict).toEqual({
      kind: 'choice',
      labels: ['A', 'B'],
      template: 'Voittaja: {}',
    });
  });

  test('and the fourth request is judged by it', async () => {
    const { ask, told } = await statuses(judge(plainly));
    await until(async () => (await told())?.state === 'confirmed', 'it is confirmed');
    const fourth = await ask(3);
    expect(fourth.headers).toMatchObject({ 'x-remand-status': 'insisted', 'x-remand-biases': 'position' });
  });

  test('but not from replies that share no form', async () => {
    let asked = 0;
    const free: Reply = (_, response) => plainly(`Molemmat ovat hyviä, numero ${asked++}.`, response);
    const { ask } = await statuses(free);
    for (let n = 3; n < 6; n++) expect((await ask(n)).headers['x-remand-status']).toBe('no-verdict');
  });
});
