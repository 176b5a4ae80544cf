/** A detector model that fails in passing is asked again, and each time is a call: in trace, metrics, headers and budgets. */
import { describe, expect, test } from 'vitest';
import { fair, pairwise, RIGHT, WRONG, whole } from './judges.ts';
import { exchange, keyOf, startProxy, startUpstream, until } from './servers.ts';

/** A detector model that is overloaded so many times, and then finds nothing. */
async function detector(failures: number) {
  return startUpstream(({ method }, response) => {
    response.setHeader('content-type', 'application/json');
    if (method === 'POST' && failures-- > 0) {
      response.writeHead(503, { 'retry-after-ms': '1' }).end('{"error": "overloaded"}');
      return;
    }
    response.end(
      JSON.stringify({
        choices: [{ message: { content: '<think>It is right.</think> No' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 50, completion_tokens: 5 },
      }),
    );
  });
}

async function judged(failures: number, settings: Record<string, string> = {}, callsPerDay = 100) {
  const [judge, model] = [await startUpstream(whole(fair)), await detector(failures)];
  const reader = await keyOf('reader', ['judge', 'traces'], { callsPerDay });
  const proxy = await startProxy({
    JUDGE_BASE_URL: judge.url,
    RBD_BASE_URL: model.url,
    RBD_MODEL: 'rbd-8b',
    REMAND_DETECTOR: 'rbd',
    REMAND_BIASES: 'verbosity',
    REMAND_KEYS: JSON.stringify([reader.record]),
    ...settings,
  });
  const headers = { 'x-remand-key': reader.key };
  const body = pairwise(WRONG, RIGHT);
  const answer = await exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body });
  const read = (path: string) => exchange(`${proxy.url}/remand/${path}`, { headers });
  const trace = await until(async () => {
    const { status, body: stored } = await read(`traces/${answer.headers['x-remand-trace']}`);
    return status === 200 && JSON.parse(stored.toString());
  }, 'the trace is stored');
  return {
    answer,
    trace,
    metrics: (await read('metrics')).body.toString(),
    asked: model.received.length,
    all: judge.received.length + model.received.length,
  };
}

describe('a detector model that is overloaded twice', () => {
  test('was called three times, wherever calls are counted', async () => {
    const { answer, trace, metrics, asked, all } = await judged(2);
    expect(answer.headers['x-remand-status']).toBe('unchanged');
    expect([asked, all]).toEqual([3, 4]);
    expect(answer.headers['x-remand-calls']).toBe('4');
    const calls: { kind: string; error: string | null; tokens: unknown }[] = trace.calls;
    expect(calls.map(({ kind, error }) => [kind, error !== null])).toEqual([
      ['judge', false],
      ['detect', true],
      ['detect', true],
      ['detect', false],
    ]);
    expect(calls[1]?.error).toContain('503');
    expect(calls[3]?.tokens).toEqual({ input: 50, output: 5 });
    expect(metrics).toContain('remand_calls_total{kind="detect",ok="false"} 2\n');
    expect(metrics).toContain('remand_calls_total{kind="detect",ok="true"} 1\n');
  });

  test('is not asked more often than a judgment may', async () => {
    const { answer, asked } = await judged(2, { REMAND_EXTRA_CALLS: '2' });
    expect(asked).toBe(2);
    expect(answer.headers['x-remand-calls']).toBe('3');
    expect(answer.headers['x-remand-status']).toBe('failed-open');
  });

  test('nor than the budget of its key pays for', async () => {
    const { answer, asked } = await judged(2, {}, 3);
    expect(asked).toBe(2);
    expect(answer.headers['x-remand-calls']).toBe('3');
    expect(answer.headers['x-remand-status']).toBe('failed-open');
  });
});
