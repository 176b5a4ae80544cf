/**
 * A judge whose verdict stands though its probabilities do not: what pushes it is told, in every protocol that carries
 * log-probabilities, and nothing else changes. No call is added, nothing is sent back, the reply is the judge's own.
 */
import { describe, expect, test } from 'vitest';
import { scriptedClock } from '../scripted-clock.ts';
import { RIGHT, WRONG } from './judges.ts';
import { question, STATEMENT } from './protocol-judges.ts';
import { type Answer, exchange, startProxy, startUpstream, until } from './servers.ts';

/** A token, and the probabilities at its place; where none are given it was certain. */
type Token = readonly [text: string, likeliest?: Readonly<Record<string, number>>];

const HEARTBEAT_MS = 20;
const said = (tokens: readonly Token[]) => tokens.map(([text]) => text).join('');
const ln = (probability: number) => Math.log(probability);
const likeliest = ([text, all]: Token): [string, number][] => Object.entries(all ?? { [text]: 1 });
const own = ([text, all]: Token) => ln((all ?? { [text]: 1 })[text] ?? 1e-9);

/** As OpenAI's protocols list them. */
const listed = (tokens: readonly Token[]) =>
  tokens.map((token) => ({
    token: token[0],
    logprob: own(token),
    top_logprobs: likeliest(token).map(([text, probability]) => ({ token: text, logprob: ln(probability) })),
  }));

interface Wire {
  readonly path: string;
  request(text: string, rest: object): object;
  reply(tokens: readonly Token[]): object;
  /** Events in its place. */
  stream?(tokens: readonly Token[]): string;
}

const WIRES: Readonly<Record<string, Wire>> = {
  'chat completions': {
    path: '/v1/chat/completions',
    request: (content, rest) => ({
      ...{ model: 'm', messages: [{ role: 'user', content }], logprobs: true, top_logprobs: 5 },
      ...rest,
    }),
    reply: (tokens) => ({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: said(tokens) },
          logprobs: { content: listed(tokens), refusal: null },
          finish_reason: 'stop',
        },
      ],
    }),
  },
  completions: {
    path: '/v1/completions',
    request: (prompt, rest) => ({ model: 'm', prompt, logprobs: 5, ...rest }),
    reply: (tokens) => ({
      object: 'text_completion',
      choices: [
        {
          index: 0,
          text: said(tokens),
          logprobs: {
            tokens: tokens.map(([text]) => text),
            token_logprobs: tokens.map(own),
            top_logprobs: tokens.map((token) =>
              Object.fromEntries(likeliest(token).map(([text, probability]) => [text, ln(probability)])),
            ),
          },
          finish_reason: 'stop',
        },
      ],
    }),
  },
  responses: {
    path: '/v1/responses',
    request: (input, rest) => ({
      ...{ model: 'm', input, include: ['message.output_text.logprobs'], top_logprobs: 5 },
      ...rest,
    }),
    reply: (tokens) => ({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      error: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: said(tokens), annotations: [], logprobs: listed(tokens) }],
        },
      ],
    }),
  },
  Gemini: {
    path: '/v1beta/models/m:generateContent',
    request: (text, { temperature }: { temperature?: number }) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        responseLogprobs: true,
        logprobs: 5,
        ...(temperature === undefined ? {} : { temperature }),
      },
    }),
    reply: (tokens) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: said(tokens) }] },
          finishReason: 'STOP',
          logprobsResult: {
            chosenCandidates: tokens.map((token) => ({ token: token[0], logProbability: own(token) })),
            topCandidates: tokens.map((token) => ({
              candidates: likeliest(token).map(([text, probability]) => ({
                token: text,
                logProbability: ln(probability),
              })),
            })),
          },
        },
      ],
    }),
  },
  TGI: {
    path: '/generate',
    request: (inputs, { temperature }: { temperature?: number }) => ({
      inputs,
      parameters: { details: true, top_n_tokens: 5, ...(temperature === undefined ? {} : { temperature }) },
    }),
    reply: (tokens) => ({
      generated_text: said(tokens),
      details: {
        finish_reason: 'eos_token',
        generated_tokens: tokens.length,
        seed: null,
        prefill: [],
        tokens: tokens.map((token, id) => ({ id, text: token[0], logprob: own(token), special: false })),
        top_tokens: tokens.map((token) =>
          likeliest(token).map(([text, probability], id) => ({
            id,
            text,
            logprob: ln(probability),
            special: false,
          })),
        ),
      },
    }),
  },
};
const CHAT = WIRES['chat completions'] as Wire;

/** Chooses the second output, in several tokens; how surely is all that depends on what it is asked. */
const chooses = (
  b: number,
  others: Readonly<Record<string, number>> = { a: 1 - b },
  lead: readonly Token[] = [],
) => [...lead, ...([['Output'], [' ('], ['b', { b, ...others }], [')']] satisfies Token[])];

interface Asked {
  readonly crowd: boolean;
  readonly swapped: boolean;
}

async function judged(
  say: (asked: Asked) => readonly Token[],
  {
    wire = CHAT,
    rest = {},
    biases = 'bandwagon',
    text = question(WRONG, RIGHT, STATEMENT),
    settings = {},
    slowly = false,
  }: {
    wire?: Wire;
    rest?: object;
    biases?: string;
    text?: string;
    settings?: Record<string, string>;
    /** Whether the judge answers only when the client has been sent a heartbeat. */
    slowly?: boolean;
  } = {},
) {
  const clock = scriptedClock(0);
  const upstream = await startUpstream(async ({ body }, response) => {
    const heard = body.toString();
    const asked = {
      crowd: heard.includes('90% of'),
      swapped: heard.indexOf(RIGHT) < heard.indexOf('anyone can'),
    };
    if (slowly) await clock.passOnceAsked(HEARTBEAT_MS);
    response.setHeader('content-type', wire.stream ? 'text/event-stream' : 'application/json');
    response.end(wire.stream?.(say(asked)) ?? JSON.stringify(wire.reply(say(asked))));
  });
  const all = { JUDGE_BASE_URL: upstream.url, REMAND_BIASES: biases, ...settings };
  const proxy = await (slowly
    ? startProxy({ ...all, REMAND_HEARTBEAT_MS: String(HEARTBEAT_MS) }, clock)
    : startProxy(all));
  const body = JSON.stringify(wire.request(text, rest));
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const answer = await exchange(`${proxy.url}${wire.path}`, { method: 'POST', headers, body });
  const stored = (accept: string): Promise<Answer> =>
    until(async () => {
      const url = `${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`;
      const page = await exchange(url, { headers: { accept } });
      return page.status === 200 ? page : null;
    }, 'the trace is stored');
  return {
    answer,
    status: answer.headers['x-remand-status'],
    sensitivity: answer.headers['x-remand-sensitivity'],
    calls: upstream.received.length,
    trace: async () => JSON.parse((await stored('application/json')).body.toString()),
    page: async () => (await stored('text/html')).body.toString(),
    metrics: async () => (await exchange(`${proxy.url}/remand/metrics`)).body.toString(),
  };
}

describe.each(Object.entries(WIRES))('%s', (_, wire) => {
  test('a majority that makes the verdict likelier without making it is told, and changes nothing', async () => {
    const say = ({ crowd }: Asked) => chooses(crowd ? 0.9 : 0.6);
    const { answer, status, sensitivity, calls, trace, page, metrics } = await judged(say, { wire });
    expect([status, answer.headers['x-remand-biases'], sensitivity, calls]).toEqual([
      'unchanged',
      '',
      'bandwagon',
      2,
    ]);
    expect(answer.body.toString()).toBe(JSON.stringify(wire.reply(chooses(0.9))));
    const { analyses, biases, sensitivity: sensitivities } = await trace();
    expect([biases, sensitivities]).toEqual([[], ['bandwagon']]);
    expect(analyses[0]).toMatchObject({ biased: false, biases: [] });
    // 1.96 · ⅛ · √(.9·.1 + .6·.4)
    expect(analyses[0].evidence).toMatchObject([
      {
        biases: ['bandwagon'],
        changed: false,
        before: { choice: 'Output (b)', probability: expect.closeTo(0.9, 9), missing: 0 },
        after: { choice: 'Output (b)', probability: expect.closeTo(0.6, 9), missing: 0 },
        sensitivity: {
          by: expect.closeTo(0.3, 9),
          low: expect.closeTo(0.3, 9),
          high: expect.closeTo(0.3, 9),
          limit: expect.closeTo(0.1407, 4),
          shown: true,
        },
      },
    ]);
    expect(await page()).toMatch(
      /went out as it was\. It is sensitive to bandwagon, .*is sensitive to it: .*higher before than with that undone \(Δ = 0\.30/s,
    );
    expect(await metrics()).toContain(
      'remand_verdict_sensitivity_total{bias="bandwagon",status="unchanged"} 1\n',
    );
  });
});

test("a stream tells it beside its events, and is the judge's own", async () => {
  const streamed: Wire = {
    ...CHAT,
    request: (text, rest) => CHAT.request(text, { ...rest, stream: true }),
    stream: (tokens) =>
      tokens
        .map((token) => ({ delta: { content: token[0] }, logprobs: { content: listed([token]) } }))
        .map(
          (one) =>
            `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, ...one }] })}\n\n`,
        )
        .join('')
        .concat('data: [DONE]\n\n'),
  };
  const say = ({ crowd }: Asked) => chooses(crowd ? 0.9 : 0.6);
  const { answer, sensitivity, calls } = await judged(say, { wire: streamed });
  expect([sensitivity, calls]).toEqual(['bandwagon', 2]);
  expect(answer.body.toString()).toBe(streamed.stream?.(chooses(0.9)));
  const held = await judged(say, { wire: streamed, slowly: true });
  expect(held.answer.body.toString()).toContain(': x-remand-sensitivity: bandwagon\n');
});

describe('no more is said than is shown', () => {
  test.each<[string, (asked: Asked) => readonly Token[], object]>([
    ['as far as rounding moves it', ({ crowd }) => chooses(crowd ? 0.9 : 0.85), {}],
    [
      'as far as tokens that are not listed could',
      ({ crowd }) => (crowd ? chooses(0.75, { a: 0.05 }) : chooses(0.55, { a: 0.25 })),
      {},
    ],
    ['the other way', ({ crowd }) => chooses(crowd ? 0.6 : 0.9), {}],
    [
      'after other reasons',
      ({ crowd }) => chooses(crowd ? 0.9 : 0.6, undefined, [[crowd ? 'Most agree.\n' : 'It is short.\n']]),
      {},
    ],
    [
      'where a temperature may have scaled the first reply, and not the probe',
      ({ crowd }) => chooses(crowd ? 0.9 : 0.6),
      { rest: { temperature: 0.5 } },
    ],
    [
      'where a server that knows no greedy decoding scales the probe',
      ({ crowd }) => chooses(crowd ? 0.9 : 0.6),
      { wire: WIRES.TGI, rest: { temperature: 1 } },
    ],
  ])('%s', async (_, say, over) => {
    const { status, sensitivity, calls, trace, metrics } = await judged(say, over);
    expect([status, sensitivity, calls]).toEqual(['unchanged', undefined, 2]);
    expect(await metrics()).not.toContain('remand_verdict_sensitivity_total{');
    const { sensitivity: sensitivities, analyses } = await trace();
    expect(sensitivities).toEqual([]);
    expect(analyses[0].evidence[0].sensitivity?.shown ?? false).toBe(false);
  });

  test('what is not listed bounds the difference, and the bounds are told', async () => {
    const { sensitivity, trace, page } = await judged(({ crowd }) =>
      crowd ? chooses(0.9, { a: 0.05 }) : chooses(0.5, { a: 0.45 }),
    );
    expect(sensitivity).toBe('bandwagon');
    const [{ evidence }] = (await trace()).analyses;
    expect(evidence[0].sensitivity).toMatchObject({
      low: expect.closeTo(0.35, 9),
      high: expect.closeTo(0.45, 9),
    });
    expect(evidence[0].before.missing).toBeCloseTo(0.05, 9);
    expect(await page()).toMatch(/Δ = 0\.42, 0\.35 to 0\.45 by what the endpoint does not show/);
  });

  test('the same temperature for both, at 0 and where greedy decoding is scaled as 1 is', async () => {
    for (const temperature of [0, 1]) {
      const { sensitivity } = await judged(({ crowd }) => chooses(crowd ? 0.9 : 0.6), {
        rest: { temperature },
      });
      expect(sensitivity).toBe('bandwagon');
    }
  });

  test('a verdict that was changed is biased, not sensitive', async () => {
    const { answer, sensitivity } = await judged(({ crowd }) =>
      crowd ? chooses(0.9) : ([['Output'], [' ('], ['a', { a: 0.9, b: 0.1 }], [')']] satisfies Token[]),
    );
    expect([answer.headers['x-remand-biases'], sensitivity]).toEqual(['bandwagon', undefined]);
  });
});

describe('order', () => {
  /** Chooses the same text in both orders, by the label it has there. */
  const places =
    (first: number, second: number) =>
    ({ swapped }: Asked): readonly Token[] =>
      swapped
        ? [['Output'], [' ('], ['a', { a: first, b: 1 - first }], [')']]
        : [['Output'], [' ('], ['b', { b: second, a: 1 - second }], [')']];

  test.each([
    ['the first place', 0.95, 0.6, -0.35],
    ['the second place', 0.6, 0.95, 0.35],
  ])('%s pushes, though the same text is chosen in both', async (_, first, second, by) => {
    const { status, sensitivity, calls, trace } = await judged(places(first, second), {
      biases: 'position',
      text: question(WRONG, RIGHT),
    });
    expect([status, sensitivity, calls]).toEqual(['unchanged', 'position', 2]);
    expect((await trace()).analyses[0].evidence[0].sensitivity.by).toBeCloseTo(by, 9);
  });
});

describe('a score', () => {
  const RATE = [
    'Rate the answer.',
    '',
    'Statement: 90% of people believe that Output (a) is excellent.',
    '',
    'Output (a):',
    RIGHT,
    '',
    'Give it a rating from 1 to 10. Reply with "Rating: <number>".',
  ].join('\n');
  const declared = { remand: { case: { options: [{ label: 'Output (a)', text: RIGHT }] } } };
  const rates = (eight: number, nine: number): readonly Token[] => [
    ['Rating: '],
    ['8', { 8: eight, 9: nine, 7: 1 - eight - nine }],
  ];

  test('that stands while its expectation does not', async () => {
    const { status, sensitivity, calls, trace, page } = await judged(
      ({ crowd }) => (crowd ? rates(0.6, 0.4) : rates(0.6, 0.05)),
      { text: RATE, rest: declared },
    );
    expect([status, sensitivity, calls]).toEqual(['unchanged', 'bandwagon', 2]);
    // .6·8 + .4·9 = 8.4 against .6·8 + .05·9 + .35·7 = 7.7
    expect((await trace()).analyses[0].evidence[0].sensitivity.by).toBeCloseTo(0.7, 9);
    expect(await page()).toMatch(/its expected score was higher before than with that undone \(Δ = 0\.70/);
  });
});
