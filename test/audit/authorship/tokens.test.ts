/**
 * Statistics of token probabilities on the bytes of real servers, llama-cpp-python's echo and vLLM's prompt_logprobs
 * (recorded/README.md says how they came), held against numpy's (recorded/reference.py).
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import {
  computeStatistics,
  STATISTICS,
  scoreBinoculars,
} from '../../../src/audit/authorship/tokens/statistics.ts';
import { createMemoryCalls } from '../../../src/models/call-store.ts';
import { createJsonCalls } from '../../../src/models/json-calls.ts';
import { createSpend } from '../../../src/models/ledger.ts';
import { createAskTokens, type PromptForm, type PromptToken } from '../../../src/models/prompt-tokens.ts';
import { systemClock } from '../../../src/ports.ts';
import { serve } from '../../models/server.ts';

const VOCABULARY = 247;
const at = (name: string) => readFileSync(new URL(`recorded/${name}`, import.meta.url));

interface Recorded {
  readonly model: string;
  readonly prompt: string;
  readonly alternatives: number;
  readonly reply: string;
  readonly form: PromptForm;
}
interface Reference {
  readonly line: number;
  /** That the statistics go over. */
  readonly tokens: number;
  readonly whole?: Readonly<Record<string, number>>;
  /** Null where nothing bounds the figure. */
  readonly bounds?: Readonly<Record<string, readonly [number, number] | null>>;
  readonly binoculars?: number;
}
function linesOf(file: string, form: PromptForm): Recorded[] {
  const lines = gunzipSync(at(file)).toString().trim().split('\n');
  return lines.map((line) => {
    const { model, request, reply } = JSON.parse(line);
    const { prompt, logprobs, prompt_logprobs: alternatives = logprobs } = JSON.parse(request);
    return { model, prompt, alternatives, reply, form };
  });
}
/** One server's replies, and numpy's figures of them. */
function recordedBy(folder: string, form: PromptForm, vocabulary: number) {
  const recorded = linesOf(`${folder}/replies.jsonl.gz`, form);
  const lineOf = (line: number) => {
    const one = recorded[line];
    if (!one) throw new Error(`no line ${line}`);
    return one;
  };
  const reference: Reference[] = JSON.parse(at(`${folder}/reference.json`).toString());
  return { recorded, lineOf, reference, vocabulary };
}
const echoed = recordedBy('llama-cpp-python', 'echo', VOCABULARY);
const vllm = recordedBy('vllm', 'vllm', 86);
const { lineOf, reference } = echoed;

/** Asked of a server that answers with just these bytes. */
async function tokensIn(reply: string, text: string, alternatives: number, form: PromptForm = 'echo') {
  await using server = await serve((_, response) => void response.end(reply));
  const calls = createJsonCalls({
    ...{ name: 'm', model: 'm', url: server.url, key: null, retries: 0, clock: systemClock },
    ...{ store: createMemoryCalls(), spend: createSpend({ calls: null, tokens: null }) },
    credential: (key) => ['authorization', `Bearer ${key}`],
    fetch: (url, init) =>
      fetch(url, { method: init.method, headers: init.headers, body: init.body as BodyInit }),
  });
  // The server stays until it has answered.
  return await createAskTokens(calls, { form, alternatives })(text, new AbortController().signal);
}
const tokensOf = ({ reply, prompt, alternatives, form }: Recorded) =>
  tokensIn(reply, prompt, alternatives, form);

describe.each([
  { server: 'llama-cpp-python', replies: echoed, pairs: 3 },
  { server: 'vLLM', replies: vllm, pairs: 6 },
])('recorded replies of $server equal numpy to 1e-6', ({ replies, pairs }) => {
  const { recorded, lineOf, reference, vocabulary } = replies;

  test.each(reference.filter(({ whole }) => whole))(
    'line $line: the whole distribution of $tokens tokens',
    async ({ line, tokens, whole = {} }) => {
      const { alternatives } = lineOf(line);
      const read = await tokensOf(lineOf(line));
      expect(read).toHaveLength(tokens);
      const got = computeStatistics(read, { alternatives, vocabulary });
      for (const [index, name] of STATISTICS.entries()) {
        const score = got[index];
        if (!score || 'why' in score) throw new Error(`${name}: ${score?.why}`);
        expect(Math.abs(score.low - (whole[name] ?? Number.NaN)), name).toBeLessThan(1e-6);
        expect(score.high, name).toBe(score.low);
      }
    },
  );

  test.each(reference.filter(({ bounds }) => bounds))(
    'line $line: bounds of a list of 5, at $tokens tokens',
    async ({ line, tokens, bounds = {} }) => {
      const read = await tokensOf(lineOf(line));
      expect(read).toHaveLength(tokens);
      const got = computeStatistics(read, { alternatives: 5, vocabulary });
      for (const [index, name] of STATISTICS.entries()) {
        const score = got[index];
        if (bounds[name] === null) {
          expect(score, name).toMatchObject({ why: expect.stringMatching(/could be all there is/) });
          continue;
        }
        if (!score || 'why' in score) throw new Error(`${name}: ${score?.why}`);
        const [low, high] = bounds[name] ?? [Number.NaN, Number.NaN];
        expect(Math.abs(score.low - low), name).toBeLessThan(1e-6);
        expect(Math.abs(score.high - high), name).toBeLessThan(1e-6);
      }
    },
  );

  test('Binoculars, over both endpoints', async () => {
    const known = reference.filter((one) => one.binoculars !== undefined);
    expect(known).toHaveLength(pairs);
    for (const { line, binoculars: figure = Number.NaN } of known) {
      const performer = lineOf(line);
      const observer = recorded.find(
        ({ model, prompt, alternatives }) =>
          model === 'observer' && prompt === performer.prompt && alternatives === performer.alternatives,
      );
      if (!observer) throw new Error('no observer');
      const score = scoreBinoculars(await tokensOf(observer), await tokensOf(performer), vocabulary);
      if ('why' in score) throw new Error(score.why);
      expect(Math.abs(score.low - figure)).toBeLessThan(1e-6);
    }
  });
});

/** The whole list cut to so many, with the token itself beside it where it is none of them. */
function cutTo(count: number, tokens: readonly PromptToken[]): PromptToken[] {
  return tokens.map((token) => {
    const first = [...token.listed].sort(([, a], [, b]) => b - a).slice(0, count);
    return { ...token, listed: new Map([...first, [token.text, token.logprob]]) };
  });
}

describe('what a list leaves out', () => {
  test.each([1, 3, 20, 100, 240])(
    'the %d likeliest: the exact figure lies within the bounds',
    async (count) => {
      for (const { line, whole = {} } of reference.filter((one) => one.whole)) {
        const cut = cutTo(count, await tokensOf(lineOf(line)));
        const got = computeStatistics(cut, { alternatives: count, vocabulary: VOCABULARY });
        for (const [index, name] of STATISTICS.entries()) {
          const score = got[index];
          if (!score || 'why' in score) {
            // Where nothing bounds it, it is refused in words.
            expect(score?.why, name).toMatch(/could be all there is|log-ranks sum to 0/);
            continue;
          }
          expect(score.low - 1e-9, `${name} ${line}`).toBeLessThanOrEqual(whole[name] ?? Number.NaN);
          expect(score.high + 1e-9, `${name} ${line}`).toBeGreaterThanOrEqual(whole[name] ?? Number.NaN);
          if (count === 240 && name !== 'rank') expect(score.high - score.low, name).toBeLessThan(0.05);
        }
      }
    },
  );

  test('parts of letters that are listed under one text leave a list shorter than asked for, and wider bounds', () => {
    // Of five asked for, two were parts of letters: one entry. The token itself stands beside them, far below.
    const listed = new Map([
      ['a', -1],
      ['b', -1.5],
      ['\uFFFD', -2],
      ['c', -2.5],
      ['z', -9],
    ] as const);
    const token: PromptToken = { text: 'z', key: 'z', logprob: -9, rank: null, listed };
    const rankOf = (one: PromptToken) => {
      const score = computeStatistics([one, one], { alternatives: 5, vocabulary: 1000 })[
        STATISTICS.indexOf('rank')
      ];
      return score && 'low' in score ? [-score.high, -score.low] : null;
    };
    expect(rankOf(token)).toEqual([5, 1000]);
    const plain = new Map([...listed].map(([text, log]) => [text === '\uFFFD' ? 'd' : text, log] as const));
    expect(rankOf({ ...token, listed: plain })).toEqual([5, 5]);
  });

  test('without the size of the vocabulary what needs it is refused, and what does not is given', async () => {
    const got = computeStatistics(await tokensOf(lineOf(0)), { alternatives: 5, vocabulary: null });
    const refused = STATISTICS.filter((_, index) => 'why' in (got[index] ?? {}));
    expect(refused).toEqual(['entropy', 'fast-detectgpt']);
    expect(got[STATISTICS.indexOf('entropy')]).toMatchObject({ why: expect.stringMatching(/--vocabulary/) });
  });

  test('Binoculars is refused, since a cross-entropy has no upper bound', async () => {
    const tokens = await tokensOf(lineOf(0));
    expect(scoreBinoculars(tokens, tokens, VOCABULARY)).toMatchObject({
      why: expect.stringMatching(/needs the whole distribution of both endpoints .* they list [56] and [56]/),
    });
    const whole = await tokensOf(lineOf(3));
    expect(scoreBinoculars(whole, whole.slice(1), VOCABULARY)).toMatchObject({
      why: expect.stringMatching(/other tokens/),
    });
  });
});

describe("vLLM's prompt_logprobs", () => {
  const few = vllm.reference.filter(({ bounds, whole }) => !bounds && !whole);

  test("ranks are the server's own: exact though the list is short", async () => {
    for (const { line } of vllm.reference.filter(({ bounds }) => bounds)) {
      const got = computeStatistics(await tokensOf(vllm.lineOf(line)), { alternatives: 5, vocabulary: null });
      for (const name of ['rank', 'log-rank', 'gltr', 'lrr'] as const) {
        const score = got[STATISTICS.indexOf(name)];
        if (!score || 'why' in score) throw new Error(`${name}: ${score?.why}`);
        expect(score.high, name).toBeCloseTo(score.low, 12);
      }
    }
  });

  test('the figures of a text whose whole distribution was asked for lie within the bounds of its 5 likeliest', async () => {
    let met = 0;
    for (const { line, whole } of vllm.reference) {
      if (!whole) continue;
      const { model, prompt } = vllm.lineOf(line);
      const short = vllm.recorded.find(
        (one) => one.model === model && one.prompt === prompt && one.alternatives === 5,
      );
      if (!short) throw new Error(`no list of 5 for line ${line}`);
      const got = computeStatistics(await tokensOf(short), { alternatives: 5, vocabulary: vllm.vocabulary });
      for (const [index, name] of STATISTICS.entries()) {
        const score = got[index];
        if (!score || 'why' in score) {
          expect(score?.why, name).toMatch(/could be all there is/);
          continue;
        }
        met += 1;
        // Asked twice, a server that sums in another order says the last digits of a log-probability otherwise.
        expect(score.low - 1e-5, `${name} ${line}`).toBeLessThanOrEqual(whole[name] ?? Number.NaN);
        expect(score.high + 1e-5, `${name} ${line}`).toBeGreaterThanOrEqual(whole[name] ?? Number.NaN);
      }
    }
    expect(met).toBeGreaterThan(60);
  });

  test('parts of letters are tokens of their own, told apart by their ids', async () => {
    const { prompt, reply } = vllm.recorded.find(({ prompt }) => /👍/.test(prompt)) ?? lineOf(-1);
    const tokens = await tokensIn(reply, prompt, 5, 'vllm');
    const [{ prompt_token_ids: ids }] = JSON.parse(reply).choices;
    expect(tokens).toHaveLength(ids.length - 1);
    for (const [index, { listed, logprob }] of tokens.entries())
      expect(listed.get(`${ids[index + 1]}`)).toBe(logprob);
  });

  test('Binoculars refuses two endpoints that number the same tokens otherwise', async () => {
    const { line } = vllm.reference.find((one) => one.binoculars !== undefined) ?? { line: -1 };
    const tokens = await tokensOf(vllm.lineOf(line));
    const renumbered = tokens.map((token) => ({
      ...token,
      key: `${Number(token.key) + 1}`,
      listed: new Map([...token.listed].map(([key, log]) => [`${Number(key) + 1}`, log] as const)),
    }));
    expect(scoreBinoculars(tokens, tokens, vllm.vocabulary)).toHaveProperty('low');
    expect(scoreBinoculars(renumbered, tokens, vllm.vocabulary)).toMatchObject({
      why: expect.stringMatching(/one tokenizer/),
    });
  });

  test('a text of one token, before which stands at most a token of the model, is refused in words', async () => {
    expect(few.map(({ tokens }) => tokens)).toContain(0);
    expect(few.map(({ tokens }) => tokens)).toContain(1);
    for (const { line, tokens } of few) {
      const read = await tokensOf(vllm.lineOf(line));
      expect(read).toHaveLength(tokens);
      const got = computeStatistics(read, { alternatives: 5, vocabulary: vllm.vocabulary });
      expect(got).toEqual(STATISTICS.map(() => ({ why: 'the text has fewer than three tokens' })));
    }
  });

  test("vLLM's echo of the same texts says the same of the same tokens, with and without a token before the text", async () => {
    const echoes = linesOf('vllm/echo.jsonl.gz', 'echo');
    expect(new Set(echoes.map(({ model }) => model))).toEqual(new Set(['observer', 'bare']));
    for (const echo of echoes) {
      const own = vllm.recorded.find(
        ({ model, prompt, alternatives }) =>
          model === echo.model && prompt === echo.prompt && alternatives === echo.alternatives,
      );
      if (!own) throw new Error(`not asked: ${echo.prompt}`);
      const [got, known] = [await tokensOf(echo), await tokensOf(own)];
      expect(got.map(({ text }) => text)).toEqual(known.map(({ text }) => text));
      for (const [index, { logprob }] of got.entries())
        expect(Math.abs(logprob - (known[index]?.logprob ?? Number.NaN))).toBeLessThan(1e-6);
    }
  });

  test.each([3, 5, 10, 20, 40])(
    'keyed by text, as in echo, a list of %d loses parts of letters, and the bounds hold',
    async (count) => {
      let lost = 0;
      for (const { line, whole } of vllm.reference) {
        if (!whole) continue;
        const [{ prompt_logprobs: places }] = JSON.parse(vllm.lineOf(line).reply).choices;
        const tokens = (await tokensOf(vllm.lineOf(line))).map((token, index): PromptToken => {
          // The token first and the likeliest after it, of which the last with a text stays.
          const likeliest = [...token.listed].sort(([, a], [, b]) => b - a).slice(0, count);
          const keys = [token.key, ...likeliest.map(([key]) => key)];
          const listed = new Map(
            keys.map((key) => {
              const { decoded_token: text, logprob } = places[index + 1][key];
              return [text, logprob] as const;
            }),
          );
          if (listed.size < count) lost += 1;
          return { ...token, key: token.text, rank: null, listed };
        });
        const got = computeStatistics(tokens, { alternatives: count, vocabulary: vllm.vocabulary });
        for (const [index, name] of STATISTICS.entries()) {
          const score = got[index];
          if (!score || 'why' in score) continue;
          expect(score.low - 1e-6, `${name} ${line}`).toBeLessThanOrEqual(whole[name] ?? Number.NaN);
          expect(score.high + 1e-6, `${name} ${line}`).toBeGreaterThanOrEqual(whole[name] ?? Number.NaN);
        }
      }
      expect(lost).toBeGreaterThan(0);
    },
  );

  test("a reply that does not say which of the tokens listed is the text's is refused", async () => {
    const { reply, prompt } = vllm.lineOf(0);
    const { choices, ...rest } = JSON.parse(reply);
    const mute = JSON.stringify({ ...rest, choices: [{ ...choices[0], prompt_token_ids: null }] });
    await expect(tokensIn(mute, prompt, 5, 'vllm')).rejects.toThrow(/does not say which of the tokens/);
  });
});

describe('replies that give no figure', () => {
  const { reply, prompt } = lineOf(0);
  it.each(['NaN', '-Infinity', 'null'])(
    '%s in place of a log-probability is named, and scored by nothing',
    async (bare) => {
      // As Python writes it: no JSON, and yet what servers send.
      const broken = reply.replace(/("token_logprobs":\[null,-[\d.]+,)-[\d.]+/, `$1${bare}`);
      expect(broken).not.toBe(reply);
      const tokens = await tokensIn(broken, prompt, 5);
      expect(tokens.filter(({ logprob }) => Number.isNaN(logprob))).toHaveLength(1);
      const got = computeStatistics(tokens, { alternatives: 5, vocabulary: VOCABULARY });
      expect(got).toEqual(STATISTICS.map(() => ({ why: 'log-probabilities that are no numbers (NaN)' })));
      expect(scoreBinoculars(tokens, tokens, VOCABULARY)).toEqual({
        why: 'log-probabilities that are no numbers (NaN)',
      });
    },
  );

  it.each([
    ['no log-probabilities', '{"choices":[{"text":"x","logprobs":null}]}', /echoes no log-probabilities/],
    ['a page', '<html>', /not valid JSON/],
    ['another text', reply.replace('"tokens":["T"', '"tokens":["Z"'), /do not spell the text/],
  ])('%s', async (_, body, message) => {
    await expect(tokensIn(body, prompt, 5)).rejects.toThrow(message);
  });
});
