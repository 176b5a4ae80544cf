/** What went out, what it cost and who said it, where Remand wrote the answer or asked a second judge. */
import { expect, test } from 'vitest';
import { answerWith, type Form, prompt, protocolOf } from './form-table.ts';
import { exchange, type Reply, startProxy, startUpstream, type Upstream, until } from './servers.ts';

const FORM: Form = {
  orders:
    'Explain briefly, then end with "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.',
  labels: ['Assistant A', 'Assistant B'],
  say: ['[[A]]', '[[B]]'],
};
const [FIRST, SECOND] = FORM.say;
const CLIENT = protocolOf('openai-chat');

/** Says that the first text is better, whatever it says. */
const firstPlace: Reply = answerWith(CLIENT, false, () => FIRST);
const fair: Reply = answerWith(CLIENT, false, (text) =>
  text.indexOf('391') < text.indexOf('381') ? FIRST : SECOND,
);

/** One judgment by a judge that goes by the place; the better text stands second. */
async function judge(settings: Record<string, string>, { second = fair, model = 'judge' } = {}) {
  const [upstream, other, langfuse] = [
    await startUpstream(firstPlace),
    await startUpstream(second),
    await startUpstream((_received, response) => void response.end('{}')),
  ];
  const { REMAND_ESCALATE, ...rest } = settings;
  const proxy = await startProxy({
    JUDGE_BASE_URL: upstream.url,
    REMAND_BIASES: 'position',
    LANGFUSE_PUBLIC_KEY: 'pk',
    LANGFUSE_SECRET_KEY: 'sk',
    LANGFUSE_BASE_URL: langfuse.url,
    ...(REMAND_ESCALATE && {
      REMAND_ESCALATE: JSON.stringify({ url: other.url, ...JSON.parse(REMAND_ESCALATE) }),
    }),
    ...rest,
  });
  const request = { ...JSON.parse(JSON.stringify(CLIENT.request('Judge.', prompt(FORM), false))), model };
  const reply = await exchange(proxy.url + CLIENT.path(false), {
    method: 'POST',
    body: JSON.stringify(request),
  });
  const get = async (path: string, accept = 'application/json') =>
    (await exchange(`${proxy.url}/remand${path}`, { headers: { accept } })).body.toString();
  const id = String(reply.headers['x-remand-trace']);
  const trace = await until(async () => {
    const found = JSON.parse(await get(`/traces/${id}?format=json`));
    return 'status' in found ? found : null;
  }, 'the trace is kept');
  return {
    status: reply.headers['x-remand-status'],
    said: CLIENT.adapter.readReply(reply.body.toString(), false).texts[0],
    id,
    trace,
    langfuse,
    get,
    label: async (label: unknown) => {
      const body = JSON.stringify({ item: id, label, annotator: 'anna', random: true });
      expect((await exchange(`${proxy.url}/remand/labels`, { method: 'POST', body })).status).toBe(200);
    },
    say: (right: string) =>
      exchange(`${proxy.url}/remand/traces/${id}/label`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: proxy.url },
        body: JSON.stringify({ right }),
      }),
    figure: async () => JSON.parse(await get('/numbers?format=json')).figures[0],
    records: async (query = '') =>
      (await get(`/records${query}`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

const bodiesOf = ({ received }: Upstream) => received.map(({ body }) => body.toString());

const TIED: [string, Record<string, string>, string][] = [
  ['REMAND_ABSTAIN', { REMAND_ABSTAIN: 'tie', REMAND_ABSTAIN_BELOW: '0.8' }, 'As REMAND_ABSTAIN says'],
  ['REMAND_POLICY', { REMAND_POLICY: 'tie', REMAND_ROUNDS: '1' }, 'By policy (tie)'],
];

test.each(TIED)(
  'a tie that %s wrote is what went out, and the judge’s own verdict is kept',
  async (_, settings, told) => {
    const { said, trace, langfuse, get, figure, records, label } = await judge(settings);
    expect(said).toBe('[[C]]');
    expect(trace).toMatchObject({ final: { tie: true, text: '[[C]]' }, written: '[[C]]' });
    expect(trace.verdicts.at(-1)).toMatchObject({ choice: 'Assistant A' });
    expect(await figure()).toMatchObject({ first: { raw: 1 }, sent: { raw: 0.5 } });
    expect(await records('?verdicts=both')).toMatchObject([{ choice: 0 }, { choice: 'tie' }]);
    // A calibration is of what the judge said.
    expect(await records()).toMatchObject([{ choice: 0 }, { order: 'swapped', choice: 1 }]);
    await label('tie');
    const overview = await get('', 'text/html');
    expect(overview).toContain('the verdict that went out is right in 1 of them');
    expect(await get(`/traces/${trace.id}`, 'text/html')).toContain(`${told} the answer was written`);
    const sent = await until(
      () => bodiesOf(langfuse).find((body) => body.includes('resourceSpans')),
      'Langfuse is told',
    );
    const [{ attributes }] = JSON.parse(sent).resourceSpans[0].scopeSpans[0].spans;
    const output = attributes.find(({ key }: { key: string }) => key === 'langfuse.trace.output');
    expect(JSON.parse(output.value.stringValue)).toMatchObject({ tie: true });
  },
);

const ESCALATE = { REMAND_ESCALATE: '{"model": "better"}' };

test('a verdict that the second judge overruled has moved, and was turned right', async () => {
  const { status, trace, get, figure, records, label } = await judge(ESCALATE);
  expect(status).toBe('escalated');
  expect(trace).toMatchObject({ moved: true, final: { choice: 'Assistant B' } });
  await label(1);
  expect(await figure()).toMatchObject({ turnedRight: 1, turnedWrong: 0 });
  expect(await records()).toMatchObject([{ order: 'given', choice: 0, label: 1 }, { order: 'swapped' }]);
  expect(await get('', 'text/html')).toContain('<dt>verdicts moved</dt><dd>100.0%</dd>');
});

test.each([
  ['first', 0],
  ['last', 1],
])('a story asks whether the first judge is right or what went out: %s', async (right, decision) => {
  const { trace, get, say } = await judge(ESCALATE);
  const story = () => get(`/traces/${trace.id}`, 'text/html');
  expect(await story()).toMatch(/First verdict.*Assistant A.*What went out.*Assistant B/s);
  expect((await say(right)).status).toBe(200);
  const label = JSON.parse(await get('/labels'));
  // The first judge stood by what it said: sending back neither mended nor spoiled it.
  expect(label).toMatchObject({ decision, judged: 1, before: decision === 0, after: decision === 0 });
  expect(await story()).toMatch(new RegExp(`<button name="right" value="${right}" aria-pressed="true">`));
});

test('a tie that was written has moved', async () => {
  const [, settings] = TIED[0] ?? [];
  const { trace, say, get } = await judge(settings ?? {});
  expect(trace.moved).toBe(true);
  await say('last');
  expect(JSON.parse(await get('/labels'))).toMatchObject({ decision: 'tie', before: false, after: false });
});

test.each([
  ['another model', 'better'],
  ['the same model', 'judge'],
])('calls of a second judge, %s, cost what is added, not what the judge alone would', async (_, model) => {
  const { trace } = await judge({
    REMAND_ESCALATE: JSON.stringify({ model }),
    REMAND_PRICES: JSON.stringify({
      judge: { input: 1, output: 1 },
      better: { input: 100, output: 100 },
    }),
  });
  const { own, added } = trace.spent;
  expect([own.calls, own.calls + added.calls]).toEqual([1, trace.calls.length]);
  const [first] = trace.calls;
  expect(own.tokens).toBe(first.tokens.input + first.tokens.output);
  expect(own.cost).toBeCloseTo(own.tokens / 1e6, 12);
  if (model === 'better') expect(added.cost).toBeGreaterThan(100 * own.cost);
});

test.each(TIED)('shadow mode tells that %s would have had a tie written', async (name, settings) => {
  const { said, status, trace, get, say } = await judge({ REMAND_MODE: 'shadow', ...settings });
  expect([said, status]).toEqual([FIRST, 'shadow']);
  expect(trace).toMatchObject({ final: { choice: 'Assistant A' }, written: null, moved: true });
  expect(trace.would_be).toBe(name === 'REMAND_ABSTAIN' ? 'unsure' : 'insisted');
  expect(trace.would_say).toMatchObject({ tie: true, text: '[[C]]' });
  expect(await get(`?status=shadow&would=${trace.would_be}`, 'text/html')).toContain(trace.id);
  expect(await get(`/traces/${trace.id}`, 'text/html')).toMatch(/shadow: it did not go out.*\[\[C\]\]/s);
  expect((await say('last')).status).toBe(200);
  expect(JSON.parse(await get('/labels'))).toMatchObject({ decision: 'tie', judged: 0, after: false });
});

test.each([
  ['overruled', fair],
  [
    'agreed',
    answerWith(CLIENT, false, (text) => (text.indexOf('391') < text.indexOf('381') ? SECOND : FIRST)),
  ],
  ['left', firstPlace],
])('records tell how sure the first judge was, also where the second one %s', async (result, second) => {
  const { trace, records } = await judge(ESCALATE, { second });
  expect(trace.escalated).toMatchObject({ result, before: { score: 0.5 } });
  expect(await records()).toMatchObject([{ choice: 0, confidence: 0.5 }, { order: 'swapped' }]);
});
