/** Judgments told to Langfuse and to an OpenTelemetry collector, by what reaches a local server in their place. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Clock } from '../../../src/ports.ts';
import { readConfig } from '../../../src/proxy/config.ts';
import { scriptedClock } from '../../scripted-clock.ts';
import { firstPlaceLover, pairwise, RIGHT, WRONG, whole } from '../judges.ts';
import {
  exchange,
  type Received,
  type Reply,
  startProxy,
  startUpstream,
  type Upstream,
  until,
} from '../servers.ts';

const PATH = '/v1/chat/completions';
const OTEL = '/api/public/otel/v1/traces';
const KEYS = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-planted-secret' };

const value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z
    .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, one.value])));
const otlp = z.object({
  resourceSpans: z.tuple([
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.tuple([
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[\da-f]{32}$/),
              spanId: z.string().regex(/^[\da-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes,
              status: z.object({ code: z.number(), message: z.string().optional() }),
            }),
          ),
        }),
      ]),
    }),
  ]),
});

const taken: Reply = (_received, response) => void response.writeHead(200).end('{}');

/** One judgment by a judge that loves the first place; the right answer stands second. */
async function judged(
  settings: Record<string, string>,
  {
    listener = taken,
    headers = {},
    clock,
    rest = {},
  }: {
    listener?: Reply;
    headers?: Record<string, string>;
    clock?: Clock;
    rest?: Record<string, unknown>;
  } = {},
) {
  const judge = await startUpstream(whole(firstPlaceLover));
  const collector = await startUpstream(listener);
  const named = Object.entries(settings).map(([name, text]) => [name, text.replace('$HERE', collector.url)]);
  const proxy = await startProxy({ JUDGE_BASE_URL: judge.url, ...Object.fromEntries(named) }, clock);
  const ask = () =>
    exchange(proxy.url + PATH, {
      method: 'POST',
      headers: { 'x-remand-biases': 'position', authorization: 'Bearer sk-client-secret', ...headers },
      body: pairwise(WRONG, RIGHT, { user: 'user-7', ...rest }),
    });
  return { answer: await ask(), ask, proxy, judge, collector };
}

const arrived = async (collector: Upstream, count: number): Promise<Received[]> => {
  await until(async () => collector.received.length >= count, `${count} messages have come`);
  return collector.received;
};

/** Scores are sent side by side. */
const inOrder = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body.toString())).toSorted((a, b) => (a.name < b.name ? -1 : 1));

function spansIn(received: readonly Received[], path: string) {
  const body = received.find(({ url }) => url === path)?.body.toString() ?? '';
  const [{ resource, scopeSpans }] = otlp.parse(JSON.parse(body)).resourceSpans;
  return { spans: scopeSpans[0].spans, resource: resource.attributes };
}

test('Langfuse is told of a judgment: a span for each call and analysis, three scores, user and session', async () => {
  const { answer, collector, judge } = await judged(
    { ...KEYS, LANGFUSE_BASE_URL: '$HERE/', LANGFUSE_TRACING_ENVIRONMENT: 'staging' },
    { headers: { 'x-remand-session': 'run-12' } },
  );
  const received = await arrived(collector, 4);
  const trace = String(answer.headers['x-remand-trace']);
  const basic = `Basic ${Buffer.from('pk-lf-1:sk-lf-planted-secret').toString('base64')}`;
  for (const { headers } of received) expect(headers.authorization).toBe(basic);

  const { spans, resource } = spansIn(received, OTEL);
  expect(resource).toEqual({ 'service.name': 'remand', 'langfuse.environment': 'staging' });
  const [root, ...below] = spans;
  expect(root).toMatchObject({
    traceId: trace.replaceAll('-', ''),
    name: 'judgment',
    attributes: {
      'remand.status': answer.headers['x-remand-status'],
      'remand.biases': ['position'],
      'user.id': 'user-7',
      'session.id': 'run-12',
      'langfuse.trace.tags': ['remand', answer.headers['x-remand-status'], 'position'],
    },
  });
  expect(root).not.toHaveProperty('parentSpanId');
  expect(JSON.parse(String(root?.attributes['langfuse.trace.input']))).toMatchObject({
    options: [{ text: WRONG }, { text: RIGHT }],
  });
  const calls = below.filter(({ attributes }) => 'remand.call' in attributes);
  expect(calls.map(({ attributes }) => attributes['remand.call']).slice(0, 2)).toEqual(['judge', 'swap']);
  expect(calls.filter(({ attributes }) => attributes['remand.call'] === 'remand').length).toBeGreaterThan(0);
  expect(calls).toHaveLength(judge.received.length);
  for (const call of calls) {
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.input_tokens': expect.any(Number),
    });
    expect(BigInt(call.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.startTimeUnixNano));
    expect(BigInt(call.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root?.endTimeUnixNano ?? 0));
  }
  const analyses = below.filter(({ name }) => name === 'analysis by probe');
  expect(analyses[0]?.attributes['remand.biased']).toBe(true);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  for (const { parentSpanId } of below) expect(ids).toContain(parentSpanId);

  const scores = received.filter(({ url }) => url === '/api/public/scores');
  const status = answer.headers['x-remand-status'];
  expect(inOrder(scores)).toMatchObject([
    { name: 'biased', value: 1, dataType: 'BOOLEAN', comment: 'position', traceId: root?.traceId },
    { name: 'insisted', value: status === 'insisted' ? 1 : 0 },
    { name: 'revised', value: status === 'revised' ? 1 : 0, environment: 'staging' },
  ]);
  // What is ours to know goes no further than to us, and what is Langfuse's no further than to Langfuse.
  for (const { headers, body } of judge.received) {
    expect(headers).not.toHaveProperty('x-remand-session');
    expect(JSON.stringify(headers) + body).not.toContain('planted');
  }
  expect(received.map(({ body }) => body.toString()).join()).not.toContain('sk-client-secret');
});

test('the tokens of a reply that was known are told by the call that was paid for alone', async () => {
  const { ask, collector, proxy } = await judged(
    { OTEL_EXPORTER_OTLP_ENDPOINT: '$HERE' },
    { rest: { temperature: 0 } },
  );
  const trace = String((await ask()).headers['x-remand-trace']);
  const received = await arrived(collector, 2);
  const { spans } = spansIn(received.slice(1), '/v1/traces');
  const calls = spans.filter(({ attributes }) => 'remand.call' in attributes);
  expect(calls.map(({ attributes }) => 'gen_ai.usage.input_tokens' in attributes)).toEqual(
    calls.map(({ attributes }) => attributes['remand.call'] === 'judge'),
  );
  expect(calls.length).toBeGreaterThan(1);
  expect(spans[0]?.attributes['remand.calls']).toBe(1);
  const { body } = await exchange(`${proxy.url}/remand/traces`);
  expect(JSON.parse(body.toString()).traces).toContainEqual(expect.objectContaining({ id: trace, calls: 1 }));
});

test('a collector gets the spans below those of the client, with the headers and the prices that are set', async () => {
  const { answer, collector } = await judged(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: '$HERE',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=judges%20and%20co,x-other=1',
      REMAND_PRICES: '{"test-judge": {"input": 1000000, "output": 2000000}}',
    },
    { headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } },
  );
  const received = await arrived(collector, 1);
  expect(received[0]).toMatchObject({
    url: '/v1/traces',
    headers: { 'x-team': 'judges and co', 'x-other': '1', 'content-type': 'application/json' },
  });
  const { spans } = spansIn(received, '/v1/traces');
  expect(spans[0]).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    attributes: { 'remand.trace': answer.headers['x-remand-trace'] },
  });
  const priced = spans.find(
    ({ attributes }) => 'langfuse.observation.cost_details' in attributes,
  )?.attributes;
  expect(JSON.parse(String(priced?.['langfuse.observation.cost_details']))).toEqual({
    input: priced?.['gen_ai.usage.input_tokens'],
    output: 2 * Number(priced?.['gen_ai.usage.output_tokens']),
  });
});

test.each(['REMAND_TELEMETRY_TEXTS', 'REMAND_TRACE_TEXTS'])(
  '%s=off: nobody’s words are told',
  async (name) => {
    const { collector } = await judged({ ...KEYS, LANGFUSE_BASE_URL: '$HERE', [name]: 'off' });
    const told = (await arrived(collector, 4)).map(({ body }) => body.toString()).join();
    expect(told).toContain('position');
    expect(told).not.toContain(WRONG);
    expect(told).not.toContain('17*23');
  },
);

test('a Langfuse that is down, refuses or stalls costs the client nothing; what was dropped is counted and said once', async () => {
  const listeners: [string, Reply][] = [
    ['refuses', (_received, response) => void response.writeHead(401).end('bad key sk-lf-planted-secret')],
    ['breaks off', (_received, response) => void response.destroy()],
    ['stalls', () => undefined],
  ];
  for (const [name, listener] of listeners) {
    // No time passes: whoever waited for one that stalls would wait for ever.
    const clock = scriptedClock(0);
    const given = { listener, clock };
    const { answer, ask, proxy, collector } = await judged({ ...KEYS, LANGFUSE_BASE_URL: '$HERE' }, given);
    expect(answer.status, name).toBe(200);
    expect((await ask()).status, name).toBe(200);
    if (name === 'stalls') {
      await arrived(collector, 8);
      clock.pass(5_000);
    }
    await until(async () => {
      const metrics = (await exchange(`${proxy.url}/remand/metrics`)).body.toString();
      return metrics.includes('remand_not_told_total 8');
    }, 'eight messages are counted');
    const lines = proxy.log.filter(({ event }) => event === 'not-told');
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('planted');
  }
});

test('one key without the other is a mistake that is named', async () => {
  await expect(startProxy({ LANGFUSE_SECRET_KEY: 'sk' })).rejects.toThrow(/LANGFUSE_PUBLIC_KEY/);
  await expect(startProxy({ LANGFUSE_PUBLIC_KEY: 'pk' })).rejects.toThrow(/LANGFUSE_SECRET_KEY/);
  await expect(startProxy({ REMAND_PRICES: '{"m": {"input": -1, "output": 0}}' })).rejects.toThrow(
    /REMAND_PRICES/,
  );
});

const logs = z.object({
  resourceLogs: z.tuple([
    z.object({
      scopeLogs: z.tuple([
        z.object({
          logRecords: z.array(
            z.object({ eventName: z.string(), traceId: z.string(), spanId: z.string(), attributes }),
          ),
        }),
      ]),
    }),
  ]),
});

test('a collector gets verdict and bias as events of the judgment, where that is asked for', async () => {
  const { answer, collector } = await judged({
    OTEL_EXPORTER_OTLP_ENDPOINT: '$HERE',
    REMAND_TELEMETRY_EVALUATIONS: 'on',
  });
  const received = await arrived(collector, 2);
  const {
    spans: [root],
  } = spansIn(received, '/v1/traces');
  const body = received.find(({ url }) => url === '/v1/logs')?.body.toString() ?? '';
  const [{ scopeLogs }] = logs.parse(JSON.parse(body)).resourceLogs;
  const place = {
    eventName: 'gen_ai.evaluation.result',
    traceId: root?.traceId,
    spanId: root?.spanId,
  };
  expect(scopeLogs[0].logRecords).toMatchObject([
    {
      ...place,
      attributes: {
        'gen_ai.evaluation.name': 'verdict',
        'gen_ai.evaluation.score.label': expect.stringContaining('Output'),
        'gen_ai.evaluation.explanation': expect.stringContaining('Output'),
        'remand.trace': answer.headers['x-remand-trace'],
      },
    },
    {
      ...place,
      attributes: {
        'gen_ai.evaluation.name': 'bias',
        'gen_ai.evaluation.score.value': 1,
        'gen_ai.evaluation.score.label': 'biased',
        'remand.biases': ['position'],
      },
    },
  ]);
});

test('without the setting no events are sent; with it a collector has to be named', async () => {
  const { collector, ask } = await judged({ OTEL_EXPORTER_OTLP_ENDPOINT: '$HERE' });
  await ask();
  const received = await arrived(collector, 2);
  expect(received.map(({ url }) => url)).toEqual(['/v1/traces', '/v1/traces']);
  expect(() => readConfig({ REMAND_TELEMETRY_EVALUATIONS: 'on' })).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT');
});
