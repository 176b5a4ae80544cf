/** A second judge for what the first leaves open: in every client's form, and nothing lost where it cannot help. */
import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../../adapters/index.ts';
import { PROTOCOLS, type Protocol } from '../../bench/fuzz/protocols.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { answerWith, FORMS, type Form, prompt, protocolOf } from './form-table.ts';
import { fair, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, type Reply, startProxy, startUpstream } from './servers.ts';

/** Says that the first text is better, whatever it says. */
const firstPlace = (protocol: Protocol, form: Form, stream: boolean): Reply =>
  answerWith(protocol, stream, () => form.say[0]);

const fairJudge = (protocol: Protocol, form: Form): Reply =>
  answerWith(protocol, false, (text) => form.say[text.indexOf('391') < text.indexOf('381') ? 0 : 1] ?? '');

interface Setup {
  readonly client?: Protocol;
  readonly second?: Protocol;
  readonly form?: Form;
  readonly stream?: boolean;
  readonly first?: Reply;
  readonly answer?: Reply;
  readonly escalate?: Record<string, unknown>;
  readonly settings?: Record<string, string>;
}

async function ask({
  client = protocolOf('openai-chat'),
  second = protocolOf('anthropic-messages'),
  form = FORMS.brackets,
  stream = false,
  first = firstPlace(client, form, stream),
  answer = fairJudge(second, form),
  escalate = {},
  settings = {},
}: Setup) {
  const [judge, other] = [await startUpstream(first), await startUpstream(answer)];
  const proxy = await startProxy({
    JUDGE_BASE_URL: judge.url,
    REMAND_BIASES: 'position',
    REMAND_ESCALATE: JSON.stringify({
      model: `${second.adapter.name}:better`,
      url: other.url,
      key: 'sk-second-secret',
      ...escalate,
    }),
    ...settings,
  });
  const reply = await exchange(proxy.url + client.path(stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client.request('You are a careful judge.', prompt(form), stream)),
  });
  const trace = await exchange(`${proxy.url}/remand/traces/${reply.headers['x-remand-trace']}`);
  const body = reply.body.toString();
  return {
    reply,
    body,
    said: reply.status === 200 ? client.adapter.readReply(body, stream).texts[0] : null,
    usage: reply.status === 200 ? client.adapter.readReply(body, stream).tokens : null,
    trace: JSON.parse(trace.body.toString()),
    calls: other.received,
    metrics: (await exchange(`${proxy.url}/remand/metrics`)).body.toString(),
  };
}

describe.each(PROTOCOLS.map((client) => [client.adapter.name, client] as const))('%s', (_, client) => {
  const others = PROTOCOLS.filter((one) => one !== client);

  test.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
    'gets the second judge’s verdict in its own form: %s',
    async (name) => {
      const form: Form = FORMS[name];
      const second = others[name.length % others.length] ?? protocolOf('gemini');
      for (const stream of [false, true]) {
        const { reply, said, trace, body } = await ask({ client, second, form, stream });
        // Its streams tell the probability of each token, and clients read it.
        if (stream && client.adapter.name === 'huggingface' && 'probability' in trace.verdicts[0]) {
          expect(reply.headers['x-remand-escalated']).toBe('left');
          expect(trace.escalated.why).toMatch(/log-probabilities/);
          continue;
        }
        expect([name, stream, reply.headers['x-remand-status']]).toEqual([name, stream, 'escalated']);
        expect(reply.headers['x-remand-escalated']).toBe('overruled');
        expect(said).toBe(form.say[1]);
        expect(trace.escalated).toMatchObject({ to: 'better', result: 'overruled' });
        if (!stream) client.reply.parse(JSON.parse(body));
      }
    },
  );
});

test('every protocol of the proxy is in the table', () => {
  expect(PROTOCOLS.map(({ adapter }) => adapter.name).toSorted()).toEqual(
    ADAPTERS.map(({ name }) => name).toSorted(),
  );
});

test('the trace says who decided, calls of both are counted, and so are their tokens', async () => {
  const { trace, usage, metrics, calls } = await ask({});
  expect(trace.final).toMatchObject({ choice: 'Assistant B' });
  expect(trace.calls.filter(({ to }: { to: string }) => to === 'better')).toHaveLength(calls.length);
  const counted = trace.calls.flatMap(
    ({ tokens }: { tokens: { input: number } | null }) => tokens?.input ?? [],
  );
  expect(usage?.input).toBe(counted.reduce((sum: number, one: number) => sum + one, 0));
  expect(metrics).toContain('remand_escalated_total{result="overruled"} 1');
  expect(calls[0]?.headers['x-api-key']).toBe('sk-second-secret');
});

test('where both agree the first reply goes out as it was', async () => {
  const answer = answerWith(protocolOf('anthropic-messages'), false, (text) =>
    text.indexOf('391') < text.indexOf('381') ? 'B it is.\n\n[[B]]' : 'A it is.\n\n[[A]]',
  );
  const { reply, said, trace } = await ask({ answer });
  expect(reply.headers).toMatchObject({ 'x-remand-status': 'escalated', 'x-remand-escalated': 'agreed' });
  expect(said).toBe(FORMS.brackets.say[0]);
  expect(trace.escalated).toMatchObject({ verdict: { choice: 'Assistant A' }, why: null });
});

test('a verdict that the first judge is sure of goes nowhere', async () => {
  const judge = await startUpstream(whole(fair));
  const other = await startUpstream(whole(fair));
  const proxy = await startProxy({
    JUDGE_BASE_URL: judge.url,
    REMAND_ESCALATE: JSON.stringify({ model: 'better', url: other.url, below: 0.8 }),
  });
  const reply = await exchange(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
    body: pairwise(RIGHT, WRONG),
  });
  expect(reply.headers['x-remand-status']).toBe('unchanged');
  expect(reply.headers).not.toHaveProperty('x-remand-escalated');
  expect(other.received).toEqual([]);
});

describe('the first judge’s answer is left, and told as such, where the second', () => {
  const left = async (setup: Setup, why: RegExp) => {
    const { reply, said, trace, metrics } = await ask(setup);
    expect(reply.status).toBe(200);
    expect(said).toBe(FORMS.brackets.say[0]);
    expect(reply.headers).toMatchObject({
      'x-remand-status': 'insisted',
      'x-remand-escalated': 'left',
    });
    expect(trace.escalated.why).toMatch(why);
    expect(JSON.stringify(trace)).not.toContain('sk-second-secret');
    expect(metrics).toContain('remand_escalated_total{result="left"} 1');
  };

  test('fails', async () => {
    await left(
      {
        answer(_, response) {
          response.statusCode = 401;
          response.end('{"error":{"message":"bad key sk-second-secret"}}');
        },
      },
      /failed/,
    );
  });

  test('hangs', async () => {
    await left({ answer: () => {}, settings: { JUDGE_TIMEOUT_MS: '300' } }, /failed/);
  });

  test('hangs for as long as all work after the first verdict may take', async () => {
    await left({ answer: () => {}, settings: { REMAND_DEADLINE_MS: '600' } }, /failed/);
  });

  test('goes by the place as well', async () => {
    const answer = answerWith(protocolOf('anthropic-messages'), false, () => FORMS.brackets.say[0]);
    await left({ answer }, /does not hold either \(insisted\)/);
  });

  test('says nothing that can be read', async () => {
    await left(
      { answer: answerWith(protocolOf('anthropic-messages'), false, () => 'Hard to say.') },
      /holds no verdict/,
    );
  });

  test('is beyond what the caller may spend', async () => {
    // The first judge's own calls are paid from the same purse.
    const alone = await ask({ escalate: { below: 0 } });
    const first = alone.trace.calls.length - alone.calls.length;
    const answer = answerWith(protocolOf('anthropic-messages'), false, () => FORMS.brackets.say[1]);
    const settings = { REMAND_LIMITS: JSON.stringify({ callsPerDay: first }) };
    await left({ answer, settings }, /failed: .*(limit|calls|budget)/);
  });

  test('answers what is no reply', async () => {
    await left({ answer: (_, response) => void response.end('<html>') }, /failed|no verdict/);
  });
});

test('no more calls are made than it may have, and the first one is enough', async () => {
  const { calls, reply } = await ask({ escalate: { calls: 1 } });
  expect(calls).toHaveLength(1);
  expect(reply.headers['x-remand-status']).toBe('escalated');
});

test('in shadow mode nobody else is asked', async () => {
  const { calls, reply } = await ask({ settings: { REMAND_MODE: 'shadow' } });
  expect(calls).toEqual([]);
  expect(reply.headers['x-remand-status']).toBe('shadow');
});

test('settings that make no sense are refused by name', () => {
  const set = (value: unknown) => () => readConfig({ REMAND_ESCALATE: JSON.stringify(value) });
  expect(set({ model: 'x' })).toThrow(/REMAND_ESCALATE/);
  expect(set({ model: 'x', url: 'http://a', belo: 0.5 })).toThrow(/REMAND_ESCALATE.*belo/s);
  expect(set({ model: 'x', url: 'http://a', below: 2 })).toThrow(/REMAND_ESCALATE/);
});
