/** What a judge was stands in every trace, and a judge that becomes another one is told once: metric, log, overview. */
import { expect, test } from 'vitest';
import { createFingerprintWatch, readParameters } from '../../src/proxy/fingerprint-watch.ts';
import { fair, pairwise, RIGHT, WRONG } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

test('another model behind the same name', async () => {
  let served = 'judge-2026-05';
  const upstream = await startUpstream((received, response) => {
    const { messages } = JSON.parse(received.body.toString());
    const text = messages.map(({ content }: { content: string }) => content).join('\n');
    const [, first = ''] = /# Output \(a\):\n([\s\S]*?)\n\n#/.exec(text) ?? [];
    const content = fair({ text, first, second: '', sentBack: false, received });
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        model: served,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    );
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url });
  const ask = async (rest: Record<string, unknown> = { temperature: 0 }) => {
    const { headers } = await exchange(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: pairwise(WRONG, RIGHT, rest),
    });
    return headers['x-remand-trace'];
  };
  for (let n = 0; n < 20; n++) await ask();
  served = 'judge-2026-06';
  const id = await ask();
  await ask();
  served = 'judge-2026-05';
  await ask();

  const told = proxy.log.filter(({ event }) => event === 'fingerprint-changed');
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ level: 'warn', message: 'new: served' });
  const { body: metrics } = await exchange(`${proxy.url}/remand/metrics`);
  expect(metrics.toString()).toContain('remand_fingerprint_changes_total{what="served"} 1');
  const { body: page } = await exchange(`${proxy.url}/remand`);
  expect(page.toString()).toContain('Judges that changed');
  expect(page.toString()).toMatch(
    /<strong>test-judge<\/strong>, the model that answers: judge-2026-05 → judge-2026-06/,
  );
  const { body: trace } = await exchange(`${proxy.url}/remand/traces/${String(id)}`, {
    headers: { accept: 'application/json' },
  });
  expect(JSON.parse(trace.toString()).fingerprint).toEqual({
    served: 'judge-2026-06',
    parameters: { temperature: 0 },
    template: null,
    form: 'choice, 2 options',
  });

  await ask({ temperature: 1 });
  const { body: after } = await exchange(`${proxy.url}/remand/metrics`);
  expect(after.toString()).toContain('remand_fingerprint_changes_total{what="parameters"} 1');
  const { body: last } = await exchange(`${proxy.url}/remand`);
  expect(last.toString()).toContain('the parameters: temperature 0 → temperature 1');
});

test('what is new at the start is no change, callers and templates are apart', () => {
  const watch = createFingerprintWatch();
  const fingerprint = (served: string) => ({
    served,
    parameters: {},
    template: 't',
    form: 'score, 1 option',
  });
  for (let n = 0; n < 20; n++) expect(watch.observe('a', 'judge', fingerprint(`${n % 3}`), n)).toBeNull();
  expect(watch.observe('b', 'judge', fingerprint('9'), 20)).toBeNull();
  expect(watch.observe('a', 'judge', { ...fingerprint('9'), template: 'u' }, 21)).toBeNull();
  expect(watch.observe('a', 'judge', fingerprint('9'), 22)).toEqual({
    ...{ time: 22, judge: 'judge', what: ['served'], before: '1', after: '9' },
  });
  expect(watch.observe('a', 'judge', fingerprint('9'), 23)).toBeNull();
});

test('parameters are numbers and switches, none of which names a request', () => {
  const body = {
    ...{ model: 'm', temperature: 0.5, seed: 7, stream: true, messages: [{ content: 'Hi', n: 1 }] },
    ...{
      generationConfig: { topK: 3, responseSchema: { deep: { er: 1 } } },
      metadata: { row: 12 },
      remand: { case: { n: 2 } },
      'my words': 1,
    },
  };
  expect(readParameters(body)).toEqual({ temperature: 0.5, 'generationConfig.topK': 3 });
  expect(readParameters('no object')).toEqual({});
});

test('known values that meet anew are no change, and a part that always differs is told no more', () => {
  const watch = createFingerprintWatch();
  const look = (served: string, temperature: number) => ({
    ...{ served, parameters: { temperature }, template: 't', form: 'score, 1 option' },
  });
  for (let n = 0; n < 20; n++) watch.observe(null, 'judge', look(n % 2 ? 'a' : 'b', n % 2), n);
  expect(watch.observe(null, 'judge', look('a', 0), 20)).toBeNull();
  const told = Array.from({ length: 200 }, (_, n) => watch.observe(null, 'judge', look('a', 2 + n), 21 + n));
  const changes = told.filter((change) => change !== null);
  expect(changes.map(({ what }) => what)).toEqual(changes.map(() => ['parameters']));
  expect(changes).toHaveLength(48);
  expect(watch.observe(null, 'judge', look('c', 2), 300)).toMatchObject({ what: ['served'] });
});
