/** The expectation of a rating, from the bytes of the wire formats that carry log-probabilities. */
import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import type { Adapter } from '../../adapters/types.ts';
import { averageSampledRatings, computeSoftRating } from '../../src/audit/soft-rating.ts';

/** A token, then the alternatives at its place with their log-probabilities; the token is one of them or not. */
type Place = readonly [token: string, alternatives: Readonly<Record<string, number>>];

const HEAD: readonly Place[] = [
  ['Clear', { Clear: -0.01 }],
  [' enough', { ' enough': -0.2 }],
  ['.\n', { '.\n': -0.3 }],
  ['Rating', { Rating: 0 }],
];
const bytes = (text: string) => [...new TextEncoder().encode(text)];
const entry = (token: string, logprob: number) => ({ token, logprob, bytes: bytes(token) });

/** As OpenAI and vLLM answer chat completions with `logprobs: true, top_logprobs: 20`. */
function chat(places: readonly Place[]): string {
  const content = places.map(([token, top]) => ({
    ...entry(token, top[token] ?? -30),
    top_logprobs: Object.entries(top).map((one) => entry(...one)),
  }));
  const text = places.map(([token]) => token).join('');
  return JSON.stringify({
    id: 'chatcmpl-9',
    object: 'chat.completion',
    created: 1741570283,
    model: 'gpt-4o-2024-08-06',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: { content, refusal: null },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 812, completion_tokens: places.length, total_tokens: 812 + places.length },
  });
}

/** As vLLM answers completions with `logprobs: 20`. */
function completion(places: readonly Place[]): string {
  let offset = 0;
  const logprobs = {
    text_offset: places.map(([token]) => {
      offset += token.length;
      return offset - token.length;
    }),
    token_logprobs: places.map(([token, top]) => top[token] ?? -30),
    tokens: places.map(([token]) => token),
    top_logprobs: places.map(([, top]) => top),
  };
  const text = places.map(([token]) => token).join('');
  return JSON.stringify({
    id: 'cmpl-4',
    object: 'text_completion',
    created: 1741570283,
    model: 'mistralai/Ministral-8B-Instruct-2410',
    choices: [{ index: 0, text, logprobs, finish_reason: 'stop', stop_reason: null, prompt_logprobs: null }],
    usage: { prompt_tokens: 812, completion_tokens: places.length, total_tokens: 812 + places.length },
  });
}

function soft(adapter: Adapter, body: string, hard: number) {
  return computeSoftRating(adapter.readReply(body, false).sampled?.[0] ?? undefined, hard);
}

const ln = Math.log;
const both: readonly [string, Adapter, (places: readonly Place[]) => string][] = [
  ['chat', openaiChat, chat],
  ['completions', openaiCompletions, completion],
];

describe.each(both)('%s', (_, adapter, body) => {
  test('10 as one token: .1·10 + .2·8 + .45·7 + .2·6 + .05·1 = 7.00', () => {
    const top = { '7': ln(0.45), '8': ln(0.2), '6': ln(0.2), '10': ln(0.1), '1': ln(0.05) };
    const rating = soft(adapter, body([...HEAD, [': ', { ': ': 0 }], ['7', top]]), 7);
    expect(rating).toMatchObject({ from: 'logprobs', value: 7, low: 7, high: 7, ambiguous: 0 });
    expect(rating).toHaveProperty('missing', expect.closeTo(0, 9));
  });

  test('10 as two tokens: the 0 behind a 1 tells the two apart, .6·.75·10 + .6·.25·1 + .4·9 = 8.25', () => {
    const places: readonly Place[] = [
      ...HEAD,
      [': ', { ': ': 0 }],
      ['1', { '1': ln(0.6), '9': ln(0.4) }],
      ['0', { '0': ln(0.75), '\n': ln(0.25) }],
    ];
    expect(soft(adapter, body(places), 10)).toMatchObject({ value: 8.25, low: 8.25, high: 8.25 });
  });

  test('blanks, quotes and emphasis belong to the token, and add up with the bare number', () => {
    const top = { ' 8': ln(0.5), '8': ln(0.25), ' "8': ln(0.125), ' **9': ln(0.125) };
    const rating = soft(adapter, body([...HEAD, [':', { ':': 0 }], [' 8', top]]), 8);
    // .875·8 + .125·9
    expect(rating).toMatchObject({ value: 8.13, low: 8.13, high: 8.13 });
  });

  test('what a cut list does not show is said and bounded, not shared out among the rest', () => {
    const top = { '7': ln(0.6), '8': ln(0.3), '6': ln(0.05) };
    const rating = soft(adapter, body([...HEAD, [': ', { ': ': 0 }], ['7', top]]), 7);
    // .6·7 + .3·8 + .05·6 = 6.9; .05 is missing: 6.95 to 7.40. Renormalised it would be 7.26.
    expect(rating).toMatchObject({ value: 6.9, low: 6.95, high: 7.4 });
    expect(rating).toHaveProperty('missing', expect.closeTo(0.05, 9));
  });

  test('words in place of a number are no rating', () => {
    const top = { '5': ln(0.5), N: ln(0.3), '55': ln(0.1), '0': ln(0.1) };
    const rating = soft(adapter, body([...HEAD, [': ', { ': ': 0 }], ['5', top]]), 5);
    expect(rating).toMatchObject({ value: 2.5 });
    expect(rating).toHaveProperty('missing', expect.closeTo(0.5, 9));
  });

  test('a 1 among the alternatives that could have become 10 widens the bounds', () => {
    const top = { '8': ln(0.9), '1': ln(0.1) };
    const rating = soft(adapter, body([...HEAD, [': ', { ': ': 0 }], ['8', top]]), 8);
    // .9·8 + .1·1 = 7.3; were the 1 a 10: 8.2
    expect(rating).toMatchObject({ value: 7.3, low: 7.3, high: 8.2 });
    expect(rating).toHaveProperty('ambiguous', expect.closeTo(0.1, 9));
  });

  test('a number in the comments is not the rating', () => {
    const places: readonly Place[] = [
      ['Rating', { Rating: 0 }],
      [': ', { ': ': 0 }],
      ['3', { '3': ln(0.9), '4': ln(0.1) }],
      [' others gave.\n', { ' others gave.\n': 0 }],
      ...HEAD,
      [': ', { ': ': 0 }],
      ['6', { '6': ln(0.5), '7': ln(0.5) }],
    ];
    expect(soft(adapter, body(places), 6)).toMatchObject({ value: 6.5 });
  });
});

test('a sampled token that the list leaves out counts all the same', () => {
  const tokens = [
    { text: 'Rating: ', probability: 1, likeliest: [] },
    { text: '4', probability: 0.2, likeliest: [{ text: '5', probability: 0.8 }] },
  ];
  expect(computeSoftRating(tokens, 4)).toMatchObject({ value: 4.8 });
});

describe('no soft rating, with the reason', () => {
  const at = (likeliest: readonly { text: string; probability: number }[]) => [
    { text: 'Rating: ', probability: 1, likeliest: [] },
    { text: '7', probability: 0.5, likeliest },
  ];
  test.each([
    ['no log-probabilities', undefined, 7, /gave no log-probabilities/],
    ['no alternatives', at([]), 7, /no alternatives/],
    ['another rating in the tokens', at([{ text: '7', probability: 1 }]), 8, /say 7, the text 8/],
    [
      'ids in place of tokens',
      [{ text: 'token_id:22', probability: 1, likeliest: [] }],
      7,
      /do not say where/,
    ],
    [
      'probabilities that cannot be',
      at([
        { text: '7', probability: 0.9 },
        { text: '8', probability: 0.9 },
      ]),
      7,
      /add up to 1\.80/,
    ],
  ])('%s', (_, tokens, hard, reason) => {
    expect(computeSoftRating(tokens, hard)).toEqual({
      from: null,
      value: null,
      reason: expect.stringMatching(reason),
    });
  });
});

test('from samples: the mean of those that could be read', () => {
  expect(averageSampledRatings([7, null, 8, 8])).toEqual({ from: 'samples', value: 7.67, samples: 3 });
  expect(averageSampledRatings([null])).toMatchObject({ value: null });
});
