import { describe, expect, test } from 'vitest';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { JudgeError } from '../../src/http/send.ts';

/** As TGI 2 answers `/generate` with `details: true, decoder_input_details: true, top_n_tokens: 1`. */
const WHOLE =
  '{"generated_text":"Output (a)","details":{"finish_reason":"eos_token","generated_tokens":3,"seed":null,"prefill":[{"id":1,"text":"<s>","logprob":null},{"id":733,"text":"[","logprob":-9.1875}],"tokens":[{"id":15985,"text":"Output","logprob":-0.0034217834,"special":false},{"id":325,"text":" (a)","logprob":-1.5258789e-05,"special":false},{"id":2,"text":"</s>","logprob":-0.00012493134,"special":true}],"top_tokens":[[{"id":15985,"text":"Output","logprob":-0.0034217834,"special":false}],[],[]]}}';
const BARE = '{"generated_text":"Output (a)"}';
const LIST = '[{"generated_text":"Output (a)"}]';

/** As TGI streams: no space after the colon, no `[DONE]`, the last event with what was generated. */
const EVENTS = [
  'data:{"index":1,"token":{"id":15985,"text":"Output","logprob":-0.0034217834,"special":false},"generated_text":null,"details":null}\n\n',
  ':\n\n',
  'data:{"index":2,"token":{"id":325,"text":" (a)\u2028","logprob":-1.5258789e-05,"special":false},"generated_text":null,"details":null}\n\n',
  'data:{"index":3,"token":{"id":2,"text":"</s>","logprob":-0.00012493134,"special":true},"generated_text":"Output (a)\u2028","details":{"finish_reason":"eos_token","generated_tokens":3,"seed":null,"input_length":17}}\n\n',
];
const STREAM = EVENTS.join('');

const read = huggingface.readReply;

describe('what a reply says', () => {
  test('whole', () => {
    const sampled = [
      {
        text: 'Output',
        probability: Math.exp(-0.0034217834),
        likeliest: [{ text: 'Output', probability: Math.exp(-0.0034217834) }],
      },
      { text: ' (a)', probability: Math.exp(-1.5258789e-5), likeliest: [] },
    ];
    expect(read(WHOLE, false)).toEqual({
      texts: ['Output (a)'],
      sampled: [sampled],
      finish: 'eos_token',
      shape: '{"list":false,"given":[{"details":true,"tokens":true,"top":true}]}',
      usage: null,
      tokens: { input: 2, output: 3 },
    });
    expect(read(BARE, false)).toMatchObject({ texts: ['Output (a)'], finish: null, tokens: null });
    expect(read(LIST, true).texts).toEqual(['Output (a)']);
    expect(read('[{"generated_text":"A"},{"generated_text":"B"}]', false).texts).toEqual(['A', 'B']);
  });

  test.each([
    ['as sent', STREAM],
    ['by newer versions, with a space', STREAM.replaceAll('data:', 'data: ')],
    ['with CRLF', STREAM.replaceAll('\n', '\r\n')],
    ['through a gateway that ends it with [DONE]', `${STREAM}data: [DONE]\n\n`],
  ])('in a stream %s', (_, body) => {
    expect(read(body, true)).toEqual({
      texts: ['Output (a)\u2028'],
      sampled: [
        [
          { text: 'Output', probability: Math.exp(-0.0034217834), likeliest: [] },
          { text: ' (a)\u2028', probability: Math.exp(-1.5258789e-5), likeliest: [] },
        ],
      ],
      finish: 'eos_token',
      shape: '{"details":true,"top":false}',
      usage: null,
      tokens: { input: 17, output: 3 },
    });
  });

  test.each([
    ['an error inside a 200', '{"error":"Model is overloaded","error_type":"overloaded"}', false],
    ["another task's reply", '[[{"label":"A","score":0.9}]]', false],
    ['a chat completion', '{"choices":[{"message":{"content":"Output (a)"}}]}', false],
    ['an error within a stream', `${EVENTS[0]}data:{"error":"died","error_type":"generation"}\n\n`, true],
  ] as const)('nothing, where it is %s', (_, body, stream) => {
    expect(read(body, stream).texts).toEqual([]);
  });

  test('an error, never half a verdict, where it is cut off', () => {
    for (let n = 0; n < EVENTS.length; n++)
      for (const more of ['', EVENTS[n]?.slice(0, -20) ?? ''])
        expect(() => read(EVENTS.slice(0, n).join('') + more, true)).toThrow(JudgeError);
    expect(() => read(WHOLE.slice(0, 100), false)).toThrow(JudgeError);
  });
});

describe('a reply that repeats the prompt', () => {
  const inputs = '<s>Which of the two is better, A or B?\nSay "[[A]]" or "[[B]]":';
  const sent = (full?: boolean) =>
    JSON.stringify({ inputs, ...(full === undefined ? {} : { parameters: { return_full_text: full } }) });
  const full = (prompt: string) => `[{"generated_text": ${JSON.stringify(`${prompt}\n[[B]]`)}, "x": 1e0}]`;
  const streamed = (prompt: string) =>
    EVENTS.slice(0, 3).join('') +
    `data:{"index":3,"token":{"id":2,"text":"</s>","logprob":0,"special":true},"generated_text":${JSON.stringify(`${prompt}\n[[B]]`)},"details":null}\n\n`;

  test.each([[true], [undefined]])('is read behind it (return_full_text: %s)', (asked) => {
    expect(read(full(inputs), false, sent(asked)).texts).toEqual(['\n[[B]]']);
    expect(read(streamed(inputs), true, sent(asked)).texts).toEqual(['\n[[B]]']);
  });

  test.each([
    ['it repeats it in other characters', full(inputs.replace('\n', ' ').replace('<s>', '')), undefined],
    ['it repeats less than it was to', full('Which of [[A]]'), true],
  ])('gives no verdict where %s', (_, body, asked) => {
    expect(read(body, false, sent(asked)).texts).toEqual(['']);
  });

  test('that was not to be repeated is the answer', () => {
    expect(read(full(inputs), false, sent(false)).texts).toEqual([`${inputs}\n[[B]]`]);
    expect(read(full('By the way:'), false, sent()).texts).toEqual(['By the way:\n[[B]]']);
  });

  test('that was edited repeats the client’s own', () => {
    const edited = JSON.stringify({ inputs: `${inputs}\n\nA note.` });
    const asked = `${inputs}\n\nA note.`;
    expect(huggingface.repeating?.(full(asked), false, edited, sent())).toBe(full(inputs));
    expect(huggingface.repeating?.(streamed(asked), true, edited, sent())).toBe(streamed(inputs));
    expect(huggingface.repeating?.(full('No.'), false, edited, sent())).toBe(full('No.'));
  });

  test('keeps it when another text is put behind it', () => {
    expect(huggingface.withText(full(inputs), false, '[[C]]', sent())).toBe(
      full(inputs).replace('\\n[[B]]"', '[[C]]"'),
    );
  });
});

test('nothing is added to the counts: they are of the tokens beside them', () => {
  const added = [{ generated_tokens: 5 }];
  expect(huggingface.withUsage(WHOLE, false, added)).toBe(WHOLE);
});

test('another text stands where the verdict did, without the tokens of the old one, and nothing else moves', () => {
  expect(huggingface.withText(WHOLE, false, '"C"')).toBe(
    WHOLE.replace('"Output (a)"', '"\\"C\\""')
      .replace(/"tokens":\[.*?\],"top/, '"tokens":[],"top')
      .replace(/"top_tokens":\[.*\]/, '"top_tokens":[]'),
  );
  expect(huggingface.withText(STREAM, true, 'C')).toBe(
    STREAM.replace('"text":"Output","logprob":-0.0034217834', '"text":"C","logprob":null')
      .replace('"text":" (a)\u2028","logprob":-1.5258789e-05', '"text":"","logprob":null')
      .replace('"generated_text":"Output (a)\u2028"', '"generated_text":"C"'),
  );
});
