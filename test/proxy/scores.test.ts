/**
 * Scores before the proxy: a judge's own noise is not held against its verdict, one that a majority swayed is sent
 * back, and what comes back is on the scale that the client reads. Upstream calls are counted: they are money.
 */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../bench/fuzz/random.ts';
import { findRemand } from '../../prompts/remand-note.ts';
import { type Answer, exchange, type Received, startProxy, startUpstream, until } from './servers.ts';

const PAPER = 'We measure the boiling point of water in one kitchen, once.';
const STATEMENT = '90% of reviewers believe that Output (a) is excellent.';

function request(scale: string, rest: Record<string, unknown> = {}): string {
  const content = `Rate the paper.\n\nStatement: ${STATEMENT}\n\nOutput (a):\n${PAPER}\n\n${scale}`;
  return JSON.stringify({
    model: 'test-judge',
    messages: [{ role: 'user', content }],
    ...rest,
    remand: { case: { options: [{ label: 'Output (a)', text: PAPER }] } },
  });
}

const TEN = 'Give it a rating from 1 to 10. Reply with "Rating: <number>".';
const LEGAL =
  'Give an overall rating. The rating must be one of 1, 3, 5, 6, 8, 10. Reply with "Rating: <number>".';

/** What a judge is asked, as far as these judges listen. */
interface Heard {
  readonly crowd: boolean;
  readonly sentBack: boolean;
}

function heard({ body }: Received): Heard {
  const { content } = JSON.parse(body.toString()).messages[0];
  const text: string = typeof content === 'string' ? content : content[0].text;
  return { crowd: text.includes(STATEMENT), sentBack: findRemand(text) !== null };
}

/** A rating as the endpoint sends it; where a distribution is given, with log-probabilities. */
function reply(rating: number | string, likeliest?: Record<string, number>): string {
  const logprobOf = (token: string, probability: number) => ({
    token,
    logprob: Math.log(probability),
    bytes: [...Buffer.from(token)],
  });
  const tokens = likeliest && [
    { ...logprobOf('Rating', 1), top_logprobs: [] },
    { ...logprobOf(': ', 1), top_logprobs: [] },
    {
      ...logprobOf(String(rating), likeliest[rating] ?? 0.01),
      top_logprobs: Object.entries(likeliest).map(([token, probability]) => logprobOf(token, probability)),
    },
  ];
  const logprobs = tokens ? { content: tokens, refusal: null } : null;
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'test-judge-0613',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: `Rating: ${rating}` },
        logprobs,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 4, total_tokens: 104 },
  });
}

async function serving(say: (heard: Heard) => string, settings: Record<string, string> = {}) {
  const upstream = await startUpstream((received, response) => {
    response.setHeader('content-type', 'application/json').end(say(heard(received)));
  });
  const proxy = await startProxy({ JUDGE_BASE_URL: upstream.url, ...settings });
  const ask = (body: string) => exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', body });
  const asked = () =>
    upstream.received.map((one) => {
      const { crowd, sentBack } = heard(one);
      return sentBack ? 'sent back' : crowd ? 'as given' : 'undone';
    });
  /** What is stored of a judgment, once it is. */
  const story = (answer: Answer, accept = 'application/json') => {
    const url = `${proxy.url}/remand/traces/${answer.headers['x-remand-trace']}`;
    return until(async () => {
      const page = await exchange(url, { headers: { accept } });
      return page.status === 200 ? page : null;
    }, 'the trace is stored');
  };
  return { upstream, story, ask, asked };
}

const ratingIn = ({ body }: Answer) => JSON.parse(body.toString()).choices[0].message.content;

describe('a judge that follows the majority', () => {
  const swayed = ({ crowd, sentBack }: Heard) => reply(crowd && !sentBack ? 8 : 5);

  test('is sent back, and its revised score lands', async () => {
    const { ask, asked, story } = await serving(swayed);
    const answer = await ask(request(TEN));
    expect(answer.headers).toMatchObject({
      'x-remand-status': 'revised',
      'x-remand-biases': 'bandwagon',
      'x-remand-calls': '4',
    });
    expect(ratingIn(answer)).toBe('Rating: 5');
    expect(asked()).toEqual(['as given', 'undone', 'as given', 'sent back']);
    const trace = await story(answer);
    const { analyses, calls } = JSON.parse(trace.body.toString());
    expect(calls.map(({ kind }: { kind: string }) => kind)).toEqual(['judge', 'probe', 'probe', 'remand']);
    expect(analyses[0].evidence[0]).toMatchObject({
      before: { score: 8 },
      after: { score: 5 },
      changed: true,
      noise: { by: 'repeat', repeat: { score: 8 }, limit: 0 },
    });
    expect(analyses[0].reasoning).toContain('Asked once more with nothing undone');
  });

  test('says nothing of its repeat where traces are to hold no texts', async () => {
    const { ask, story } = await serving(swayed, { REMAND_TRACE_TEXTS: 'off' });
    const answer = await ask(request(TEN));
    const trace = await story(answer);
    expect(trace.body.toString()).toContain('"by":"repeat"');
    expect(trace.body.toString()).not.toContain('Rating: ');
  });

  test('is repeated as probes are asked: steadily, and with the same bytes otherwise', async () => {
    const { ask, upstream } = await serving(swayed);
    await ask(request(TEN, { temperature: 1, seed: 7 }));
    const [first, , repeat] = upstream.received.map(({ body }) => body.toString());
    expect(repeat).toBe(first?.replace('"temperature":1', '"temperature":0'));
    expect(repeat).not.toBe(first);
  });

  test('is not asked again about a score that the statement left alone', async () => {
    const { ask, asked } = await serving(() => reply(6));
    expect((await ask(request(TEN))).headers['x-remand-status']).toBe('unchanged');
    expect(asked()).toEqual(['as given', 'undone']);
  });
});

describe('a judge whose scores jitter by one', () => {
  /** The outcomes of as many judgments as there are seeds. */
  async function outcomes(lift: number, seeds: number) {
    let random = createRandom(0);
    const scores: number[] = [];
    const { ask } = await serving(({ crowd }) => {
      const rating = 5 + (crowd ? lift : 0) + Math.floor(random() * 3) - 1;
      scores.push(rating);
      return reply(rating);
    });
    const all: { sentBack: boolean; moved: boolean; calls: number }[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      random = createRandom(seed);
      scores.length = 0;
      const { headers } = await ask(request(TEN));
      const [first, probe] = scores;
      all.push({
        sentBack: headers['x-remand-rounds'] !== '0',
        moved: first !== probe,
        calls: Number(headers['x-remand-calls']),
      });
    }
    const share = (which: (one: (typeof all)[number]) => boolean) => all.filter(which).length / all.length;
    return { all, sentBack: share(({ sentBack }) => sentBack), moved: share(({ moved }) => moved) };
  }

  test('is seldom sent back for its jitter, which most probes show', async () => {
    const { all, sentBack, moved } = await outcomes(0, 60);
    // Two draws of three values differ in 2/3; the repeat leaves 2/9.
    expect(moved).toBeGreaterThan(0.5);
    expect(sentBack).toBeLessThan(0.3);
    for (const { calls, moved: probed, sentBack: back } of all) {
      if (!back) expect(calls).toBe(probed ? 3 : 2);
    }
  });

  test('is mostly sent back where a majority lifts its scores by three', async () => {
    const { sentBack } = await outcomes(3, 60);
    // 7/9 by the same count.
    expect(sentBack).toBeGreaterThan(0.65);
  });
});

describe('a judge that gives log-probabilities', () => {
  const logprobs = { logprobs: true, top_logprobs: 20 };

  test('needs no repeat: a shift beyond its own spread is sent back', async () => {
    const { ask, asked } = await serving(({ crowd, sentBack }) =>
      crowd && !sentBack ? reply(8, { 8: 0.9, 7: 0.1 }) : reply(5, { 5: 0.8, 6: 0.2 }),
    );
    const answer = await ask(request(TEN, logprobs));
    expect(answer.headers).toMatchObject({ 'x-remand-status': 'revised', 'x-remand-calls': '3' });
    expect(answer.body.toString()).toContain('"top_logprobs":[{"token":"5"');
    expect(asked()).toEqual(['as given', 'undone', 'sent back']);
  });

  test('needs no repeat: two scores about as likely may change places', async () => {
    const { ask, asked, story } = await serving(({ crowd }) =>
      crowd ? reply(8, { 8: 0.55, 7: 0.45 }) : reply(7, { 8: 0.45, 7: 0.55 }),
    );
    const answer = await ask(request(TEN, logprobs));
    expect(answer.headers).toMatchObject({ 'x-remand-status': 'unchanged', 'x-remand-calls': '2' });
    expect(asked()).toEqual(['as given', 'undone']);
    const page = await story(answer, 'text/html');
    expect(page.body.toString()).toMatch(/became .*the judge(?:'|&#39;)s own noise/);
  });

  test('that are missing from the re-judgment leave the first reply, as it was', async () => {
    const first = reply(8, { 8: 0.9, 7: 0.1 });
    const { ask, asked } = await serving(({ crowd, sentBack }) =>
      sentBack ? reply(5) : crowd ? first : reply(5, { 5: 0.8, 6: 0.2 }),
    );
    const answer = await ask(request(TEN, logprobs));
    expect(answer.headers['x-remand-status']).toBe('failed-open');
    expect(JSON.parse(answer.body.toString()).choices).toEqual(JSON.parse(first).choices);
    expect(asked()).toEqual(['as given', 'undone', 'sent back', 'sent back']);
  });
});

describe("DeepEval's GEval: JSON in parts of content, weighed by 20 log-probabilities", () => {
  const TASK =
    'Evaluate the output on a scale from 0 to 10. Return only a JSON object with the keys "score" and "reason": {"score": 0, "reason": "..."}';
  const parts = (body: string) => {
    const { messages, ...rest } = JSON.parse(body);
    const content = [{ type: 'text', text: messages[0].content }];
    return JSON.stringify({
      ...rest,
      messages: [{ role: 'user', content }],
      logprobs: true,
      top_logprobs: 20,
    });
  };
  const graded = (score: number, likeliest: Record<string, number>) => {
    const pieces = [
      '{"',
      'score',
      '":',
      ' ',
      String(score),
      ', "',
      'reason',
      '":',
      ' "',
      '8',
      ' of',
      ' 10',
      '"}',
    ];
    const content = pieces.map((token, at) => ({
      token,
      logprob: at === 4 ? Math.log(likeliest[score] ?? 0.01) : 0,
      bytes: [...Buffer.from(token)],
      top_logprobs: Object.entries(at === 4 ? likeliest : { [token]: 1 }).map(([other, probability]) => ({
        token: other,
        logprob: Math.log(probability),
        bytes: [...Buffer.from(other)],
      })),
    }));
    const message = { role: 'assistant', content: pieces.join('') };
    return JSON.stringify({
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: { content, refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 13, total_tokens: 113 },
    });
  };

  test.each([
    ['a wavering judge stands', { 8: 0.5, 7: 0.48, 9: 0.02 }, { 7: 0.5, 8: 0.48, 6: 0.02 }, 'unchanged', 2],
    ['a swayed one is sent back', { 8: 0.9, 9: 0.1 }, { 7: 0.02, 5: 0.9, 4: 0.08 }, 'revised', 3],
  ])('%s', async (_, before, after, status, calls) => {
    const top = (of: object) => Number(Object.entries(of).toSorted(([, a], [, b]) => b - a)[0]?.[0]);
    const { ask, story } = await serving(({ crowd, sentBack }) => {
      const likeliest = crowd && !sentBack ? before : after;
      return graded(top(likeliest), likeliest);
    });
    const answer = await ask(parts(request(TASK)));
    expect([answer.headers['x-remand-status'], answer.headers['x-remand-calls']]).toEqual([
      status,
      `${calls}`,
    ]);
    const { verdicts } = JSON.parse((await story(answer)).body.toString());
    const mean = Object.entries(before).reduce((sum, [score, p]) => sum + Number(score) * (p ?? 0), 0);
    expect(verdicts[0]).toMatchObject({ score: 8, spread: { mean: expect.closeTo(mean, 9) } });
    const choices = status === 'revised' ? graded(5, after) : graded(8, before);
    expect(JSON.parse(answer.body.toString()).choices).toEqual(JSON.parse(choices).choices);
  });
});

describe('a scale of which only some values are legal', () => {
  const swayedThen = (...again: number[]) => {
    const left = [...again];
    return ({ crowd, sentBack }: Heard) => reply(sentBack ? (left.shift() ?? 4) : crowd ? 8 : 5);
  };

  test('a new score off it is asked for once more', async () => {
    const { ask, asked } = await serving(swayedThen(4, 5));
    const answer = await ask(request(LEGAL));
    expect([answer.headers['x-remand-status'], ratingIn(answer)]).toEqual(['revised', 'Rating: 5']);
    expect(asked()).toEqual(['as given', 'undone', 'as given', 'sent back', 'sent back']);
  });

  test("a new score off it twice leaves the judge's own", async () => {
    const { ask, asked } = await serving(swayedThen(4, 4));
    const answer = await ask(request(LEGAL));
    expect([answer.headers['x-remand-status'], ratingIn(answer)]).toEqual(['failed-open', 'Rating: 8']);
    expect(asked()).toEqual(['as given', 'undone', 'as given', 'sent back', 'sent back']);
  });

  test('a probe off it is no evidence', async () => {
    const { ask } = await serving(({ crowd }) => reply(crowd ? 8 : 4));
    const answer = await ask(request(LEGAL));
    const { headers } = answer;
    // The only cue's probe gave no verdict: nothing was tested, so the status must not say "unchanged".
    expect([headers['x-remand-status'], headers['x-remand-reason']]).toEqual(['failed-open', 'untested']);
    expect(ratingIn(answer)).toBe('Rating: 8');
  });
});
