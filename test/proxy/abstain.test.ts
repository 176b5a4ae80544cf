/** What a client is told of how sure a verdict is, and what it gets where the judge is too unsure. */
import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../../bench/fuzz/protocols.ts';
import { readConfig } from '../../src/proxy/config.ts';
import { answerWith, type Form, prompt } from './form-table.ts';
import { fair, type Prompt, pairwise, RIGHT, stubborn, WRONG, whole } from './judges.ts';
import { exchange, startProxy, startUpstream } from './servers.ts';

const PATH = '/v1/chat/completions';

async function ask(
  say: (prompt: Prompt) => string,
  settings: Record<string, string>,
  body = pairwise(WRONG, RIGHT),
) {
  const upstream = await startUpstream(whole(say));
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const answer = await exchange(proxy.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-remand-biases': 'position' },
    body,
  });
  const json = JSON.parse(answer.body.toString());
  const trace = await exchange(`${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`);
  return {
    answer,
    json,
    said: json.choices?.[0]?.message?.content,
    trace: JSON.parse(trace.body.toString()),
  };
}

test('both orders agree, or the judge insists on a place: the confidence and its grounds are told', async () => {
  const sure = await ask(fair, {}, pairwise(RIGHT, WRONG));
  expect(sure.answer.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-confidence': '1' });
  expect(
    sure.trace.confidence.grounds.map(({ from, agrees }: { from: string; agrees: boolean }) => [
      from,
      agrees,
    ]),
  ).toEqual([
    ['verdict', true],
    ['other-order', true],
  ]);
  const torn = await ask(stubborn, {});
  expect(torn.answer.headers).toMatchObject({ 'x-remand-status': 'insisted', 'x-remand-confidence': '0.5' });
});

test('with one call nothing tells, and nothing is told', async () => {
  const { answer } = await ask(fair, { REMAND_ROUNDS: '0' });
  expect(answer.headers).not.toHaveProperty('x-remand-confidence');
});

describe('a verdict below the threshold', () => {
  const below = (abstain: string) => ask(stubborn, { REMAND_ABSTAIN: abstain, REMAND_ABSTAIN_BELOW: '0.8' });

  test('is flagged', async () => {
    const { answer, said } = await below('flag');
    expect(answer.headers).toMatchObject({ 'x-remand-status': 'unsure', 'x-remand-confidence': '0.5' });
    expect(said).toBe('Output (a)');
  });

  test('is a tie where the form has one, and flagged where it has none', async () => {
    const none = await below('tie');
    expect(none.answer.headers['x-remand-status']).toBe('unsure');
    expect(none.said).toBe('Output (a)');
  });

  test('is an error in the protocol’s own form', async () => {
    const { answer, json } = await below('error');
    expect(answer.status).toBe(422);
    expect(json.error.message).toMatch(/unsure of its verdict \(confidence 0\.5\)/);
    expect(answer.headers['x-remand-status']).toBe('unsure');
  });

  test('is counted, and goes out all the same in shadow mode', async () => {
    const { answer } = await ask(stubborn, {
      REMAND_ABSTAIN: 'error',
      REMAND_ABSTAIN_BELOW: '0.8',
      REMAND_MODE: 'shadow',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-remand-status']).not.toBe('unsure');
  });
});

/** Forms that have a tie; null where one of ours would lack the reasons that a client reads. */
const TIES = {
  brackets: {
    orders:
      'Explain briefly, then end with "[[A]]" if assistant A is better, "[[B]]" if assistant B is better, and "[[C]]" for a tie.',
    labels: ['Assistant A', 'Assistant B'],
    say: ['It is right.\n\n[[A]]', 'It is right.\n\n[[B]]'],
    tie: /\[\[C\]\]$/,
  },
  field: {
    orders: 'Compare them. Reply with JSON: {"winner": "A", "B" or "tie"}',
    labels: ['Response A', 'Response B'],
    say: ['{"winner": "A"}', '{"winner": "B"}'],
    tie: /"winner": ?"tie"/,
  },
  reasons: {
    orders: 'Compare them. Reply with JSON: {"reason": "…", "winner": "A", "B" or "tie"}',
    labels: ['Response A', 'Response B'],
    say: ['{"reason": "It is right.", "winner": "A"}', '{"reason": "It is right.", "winner": "B"}'],
    tie: null,
  },
} as const satisfies Record<string, Form & { readonly tie: RegExp | null }>;

describe.each(PROTOCOLS.map((client) => [client.adapter.name, client] as const))('%s', (protocol, client) => {
  const answerTo = async (abstain: string, form: Form, stream: boolean) => {
    const judge = await startUpstream(answerWith(client, stream, () => form.say[0]));
    const proxy = await startProxy({
      JUDGE_BASE_URL: judge.url,
      REMAND_BIASES: 'position',
      REMAND_ABSTAIN: abstain,
      REMAND_ABSTAIN_BELOW: '0.8',
    });
    const reply = await exchange(proxy.url + client.path(stream), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(client.request('You are a careful judge.', prompt(form), stream)),
    });
    const body = reply.body.toString();
    return {
      reply,
      body,
      said: () => client.adapter.readReply(body, stream).texts[0],
    };
  };

  test.each(Object.keys(TIES) as (keyof typeof TIES)[])(
    'an unsure verdict is a tie, flagged or an error in the client’s form: %s',
    async (name) => {
      const form = TIES[name];
      for (const stream of [false, true]) {
        const tie = await answerTo('tie', form, stream);
        expect([stream, tie.reply.headers['x-remand-status']]).toEqual([stream, 'unsure']);
        // Its streams tell the probability of each token, which a text of ours would not have.
        const isWeighed = stream && protocol === 'huggingface';
        if (form.tie && !isWeighed) expect(tie.said()).toMatch(form.tie);
        else expect(tie.said()).toBe(form.say[0]);
        if (!stream) client.reply.parse(JSON.parse(tie.body));

        const flag = await answerTo('flag', form, stream);
        expect([stream, flag.reply.headers['x-remand-status']]).toEqual([stream, 'unsure']);
        expect(flag.said()).toBe(form.say[0]);

        const error = await answerTo('error', form, stream);
        // Where a stream has begun its status is sent, and the error is its last event.
        if (error.reply.status !== 200) expect(error.reply.status).toBe(422);
        expect(error.body).toMatch(/unsure of its verdict/);
        expect(error.body).not.toContain(JSON.stringify(form.say[0]).slice(1, -1));
      }
    },
  );
});

test('a calibrated judge has a probability, and the threshold of its promise', async () => {
  const judge = JSON.parse(pairwise(WRONG, RIGHT)).model;
  const file = {
    judges: {
      [judge]: {
        calibration: {
          curve: {
            method: 'isotonic',
            knots: [
              [0.5, 0.55],
              [1, 0.93],
            ],
          },
        },
        promise: { kept: { threshold: 0.9 }, refused: null },
      },
    },
  };
  const settings = { REMAND_CONFIDENCE: JSON.stringify(file), REMAND_ABSTAIN: 'flag' };
  const torn = await ask(stubborn, settings);
  expect(torn.answer.headers).toMatchObject({ 'x-remand-status': 'unsure', 'x-remand-confidence': '0.55' });
  const sure = await ask(fair, settings, pairwise(RIGHT, WRONG));
  expect(sure.answer.headers).toMatchObject({
    'x-remand-status': 'unchanged',
    'x-remand-confidence': '0.93',
  });
});

test('a judge that answers much less than was promised is told of', async () => {
  const judge = JSON.parse(pairwise(WRONG, RIGHT)).model;
  const promise = { kept: { threshold: 0.9, coverage: 0.8 }, refused: null };
  const file = { judges: { [judge]: { calibration: null, promise } } };
  const upstream = await startUpstream(whole(stubborn));
  const proxy = await startProxy({
    ...{ JUDGE_BASE_URL: upstream.url, REMAND_CONFIDENCE: JSON.stringify(file), REMAND_ABSTAIN: 'flag' },
    ...{ REMAND_BIASES: 'position', REMAND_ROUNDS: '1' },
  });
  const changes = async () =>
    /^remand_coverage_changes_total (\d+)/m.exec(
      (await exchange(`${proxy.url}/remand/metrics`)).body.toString(),
    )?.[1];
  for (let n = 0; n < 100; n++) {
    expect(await changes()).toBe('0');
    await exchange(proxy.url + PATH, { method: 'POST', body: pairwise(WRONG, `${RIGHT} (${n})`) });
  }
  expect(await changes()).toBe('1');
});

test('settings that could never act stop the start, and say why', () => {
  expect(() => readConfig({ REMAND_ABSTAIN: 'tie' })).toThrow(/needs REMAND_CONFIDENCE/);
  expect(() => readConfig({ REMAND_ABSTAIN_BELOW: '0.5' })).toThrow(
    /REMAND_ABSTAIN: must say what to answer/,
  );
  const refused = JSON.stringify({ judges: { m: { calibration: null, promise: { kept: null } } } });
  expect(() => readConfig({ REMAND_ABSTAIN: 'tie', REMAND_CONFIDENCE: refused })).toThrow(
    /promises no risk for m/,
  );
});
