/** A judge that takes few calls at once: what it answers without Remand is not lost beside the calls that Remand adds. */
import { expect, test } from 'vitest';
import { fair, pairwise, RIGHT, streamed, WRONG, whole } from './judges.ts';
import { exchange, type Received, type Reply, startProxy, startUpstream, until } from './servers.ts';

const PATH = '/v1/chat/completions';
const OWN = pairwise(RIGHT, WRONG);
const isOwn = ({ body }: Received) => body.toString().indexOf(RIGHT) < body.toString().indexOf(WRONG);

/** A judge with so many places; `full` counts what it refused. */
function judgeWith(places: number, status: number, answer: Reply) {
  let active = 0;
  const full = { own: 0, added: 0 };
  const reply: Reply = async (received, response) => {
    if (active >= places) {
      full[isOwn(received) ? 'own' : 'added']++;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"error": {"message": "no room"}}');
      return;
    }
    active++;
    response.on('close', () => active--);
    await answer(received, response);
  };
  return { full, reply };
}

async function behind(reply: Reply, settings: Record<string, string> = {}) {
  const upstream = await startUpstream(reply);
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, REMAND_BIASES: 'position', ...settings });
  const ask = (body = OWN, headers: Record<string, string> = {}) =>
    exchange(proxy.url + PATH, { method: 'POST', body, headers });
  return { upstream, proxy, ask };
}

test.each([
  [429, 'debias', false],
  [503, 'debias', true],
  [429, 'shadow', false],
] as const)(
  'a client’s request that finds the one place taken by an added call is answered (%d, %s, stream: %s)',
  async (status, mode, stream) => {
    const swap = Promise.withResolvers<void>();
    const answer = stream ? streamed(fair) : whole(fair);
    const { full, reply } = judgeWith(1, status, async (received, response) => {
      if (!isOwn(received)) await swap.promise;
      await answer(received, response);
    });
    const { ask, upstream } = await behind(reply, { REMAND_MODE: mode });
    const more = stream ? { stream } : {};
    const first = ask(pairwise(RIGHT, WRONG, more));
    // The call in the other order has the place.
    await until(
      () => upstream.received.filter((one) => !isOwn(one)).length > full.added,
      'the swap is under way',
    );
    const second = ask(pairwise(RIGHT, WRONG, { ...more, user: 'another' }));
    await until(() => full.own > 0, 'the request is refused');
    swap.resolve();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
  },
);

test('the SDK of a client that uses all places loses nothing, and every verdict is examined', async () => {
  const { full, reply } = judgeWith(3, 429, async (received, response) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await whole(fair)(received, response);
  });
  const { ask } = await behind(reply);
  const outcomes: unknown[] = [];
  let left = 18;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await ask(pairwise(RIGHT, WRONG, { user: `${left}` }));
      outcomes.push([answer.status, answer.headers['x-remand-status']]);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  expect(outcomes).toEqual(Array.from({ length: 18 }, () => [200, 'unchanged']));
  // What was learned from the first refusals holds for the rest.
  expect(full.own + full.added).toBeLessThan(12);
});

test('a refusal that no added call can have caused is handed on at once', async () => {
  const { ask, upstream } = await behind((_, response) => void response.writeHead(429).end('{}'), {
    REMAND_ROUNDS: '0',
  });
  expect((await ask()).status).toBe(429);
  expect(upstream.received).toHaveLength(1);
});

test('a refusal that asks for a long wait is handed on, with what it asks for', async () => {
  const headers = { 'retry-after': '3600' };
  const { ask } = await behind((_, response) => void response.writeHead(429, headers).end('{}'));
  const answer = await ask();
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
});

test('in shadow mode the other order is asked once the judge has replied', async () => {
  const reply = Promise.withResolvers<void>();
  const { ask, upstream } = await behind(
    async (received, response) => {
      if (isOwn(received)) await reply.promise;
      await whole(fair)(received, response);
    },
    { REMAND_MODE: 'shadow' },
  );
  const asking = ask();
  await until(() => upstream.received.length > 0, 'the request is there');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(upstream.received.map(isOwn)).toEqual([true]);
  reply.resolve();
  await asking;
  await until(() => upstream.received.length === 2, 'the other order is asked');
});

test('a call that is held back until its judgment is over was never sent: it is neither counted nor paid for', async () => {
  let refused = false;
  const { ask, upstream } = await behind(
    async (received, response) => {
      if (!isOwn(received) || refused) {
        await whole(isOwn(received) ? () => '' : fair)(received, response);
        return;
      }
      await until(() => upstream.received.length > 1, 'the other order is asked, too');
      refused = true;
      response.writeHead(429, { 'retry-after': '0' }).end('{}');
    },
    { REMAND_LIMITS: '{"callsPerDay":20}' },
  );
  const counted: string[] = [];
  for (let i = 0; i < 3; i++)
    counted.push(String((await ask(pairwise(RIGHT, WRONG, { user: `${i}` }))).headers['x-remand-calls']));
  expect(upstream.received).toHaveLength(5);
  expect(counted).toEqual(['3', '1', '1']);
  const left = [];
  while ((await ask(pairwise(RIGHT, WRONG, { user: `${left.length}` }))).status === 200) left.push(1);
  expect(upstream.received).toHaveLength(20);
});
