import { describe, expect, test } from 'vitest';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { InputError } from '../../src/errors.ts';
import { JudgeError } from '../../src/http/send.ts';
import { exchanging } from './exchange.ts';

const read = (body: string, target?: string) => openaiCompletions.readRequest(body, target);

describe('an exchange moves the raw characters and nothing else', () => {
  test.each([
    [
      'compact',
      '{"model":"m","prompt":"<a>one</a><b>two!</b>"}',
      'one',
      'two!',
      '{"model":"m","prompt":"<a>two!</a><b>one</b>"}',
    ],
    [
      'one prompt in an array, json.dumps of Python',
      String.raw`{"prompt": ["[INST] <a>caf\u00e9</a>\n<b>\"x\"\/</b> [/INST]"], "temperature": 1.0, "best_of": 1}`,
      'café',
      '"x"/',
      String.raw`{"prompt": ["[INST] <a>\"x\"\/</a>\n<b>caf\u00e9</b> [/INST]"], "temperature": 1.0, "best_of": 1}`,
    ],
    [
      'numbers that a re-encoder would change, and unknown fields',
      '{"seed":12345678901234567890,"top_p":1e0,"x":-0,"prompt":"no","prompt":"<a>1</a><b>2</b>"}',
      '1',
      '2',
      '{"seed":12345678901234567890,"top_p":1e0,"x":-0,"prompt":"no","prompt":"<a>2</a><b>1</b>"}',
    ],
  ])('%s', (_, body, one, other, expected) => {
    const request = read(body);
    expect(request.edited([])).toBe(body);
    const once = request.edited(exchanging(request.prompt, one, other));
    expect(once).toBe(expected);
    const again = read(once);
    expect(again.edited(exchanging(again.prompt, other, one))).toBe(body);
  });
});

describe('a prompt that is not one text is not read, and goes on as it came', () => {
  test.each([
    '{"prompt":["a","b"]}',
    '{"prompt":[1,2,3]}',
    '{"prompt":[[1,2],[3]]}',
    '{"prompt":[]}',
    '{"prompt":null}',
    '{"model":"m"}',
    // The reply would hold the prompt, and the prompt's labels.
    '{"prompt":"a","echo":true}',
  ])('%s', (body) => {
    expect(read(body)).toMatchObject({ body, prompt: { parts: [] } });
  });
});

describe('a wrong request is refused, naming the field', () => {
  test.each([
    ['[]', 'body'],
    ['{"prompt":5}', 'prompt'],
    ['{"prompt":{"text":"x"}}', 'prompt'],
    ['{"prompt":["x",null]}', 'prompt[1]'],
    ['{"prompt":"x","model":5}', 'model'],
    ['{"prompt":"x","stream":"yes"}', 'stream'],
    ['{"prompt":"x","remand":true}', 'remand'],
  ])('%s', (body, field) => {
    try {
      read(body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect(error).toHaveProperty('field', field);
    }
  });
});

test('our own field is taken off; temperature is steadied where there is one', () => {
  const request = read('{"remand": {"case": {"options": [1]}}, "prompt":"abc", "temperature": 0.7}');
  expect(request.body).toBe('{"prompt":"abc", "temperature": 0.7}');
  expect(request.declared).toEqual({ options: [1] });
  expect(request.edited([], { steady: true })).toBe('{"prompt":"abc", "temperature": 0}');
  expect(read('{"prompt":"abc"}').edited([], { steady: true })).toBe('{"prompt":"abc"}');
});

test.each([
  ['{"prompt":"x","model":"m"}', '/v1/completions', 'm'],
  ['{"prompt":"x"}', '/v1/engines/text-davinci-003/completions', 'text-davinci-003'],
  ['{"prompt":"x"}', '/openai/deployments/my%20judge/completions?api-version=1', 'my judge'],
  ['{"prompt":"x"}', '/v1/engines/100%/completions', '100%'],
  ['{"prompt":"x"}', '/v1/completions', ''],
])('%s to %s is asked of the model %j', (body, target, model) => {
  expect(read(body, target).model).toBe(model);
});

test('a request for rewording has the model and room to answer', () => {
  const plain = (rest: string) => JSON.parse(read(`{"prompt":"x"${rest}}`).plain('do', 'this'));
  const asked = { prompt: 'do\n\nthis', max_tokens: 2048 };
  expect(plain(',"model":"m","max_tokens":1,"temperature":1,"logprobs":5,"stop":["\\n"]')).toEqual({
    model: 'm',
    ...asked,
    temperature: 0,
  });
  expect(plain('')).toEqual(asked);
});

/** In the form in which vLLM and api.openai.com answer a request with `n: 2, logprobs: 1`. */
const WHOLE = `{"id": "cmpl-uqkvlQyYK7bGYrRHQ0eXlWi7",  "object": "text_completion", "created": 1589478378, "model": "judgelm-7b",
 "choices": [{"index": 1, "text": "10 2", "logprobs": null, "finish_reason": "length"},
  {"text": "9 6\\nThe first \\u2026", "index": 0, "logprobs": {"tokens": ["9"], "token_logprobs": [-0.1], "top_logprobs": null, "text_offset": [0]}, "finish_reason": "stop"}],
 "usage": {"prompt_tokens": 19, "completion_tokens": 7, "total_tokens": 26}}`;

const chunk = (index: number, text: string, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1,
    model: 'judgelm-7b',
    choices: [{ text, index, logprobs: null, finish_reason: finish }],
    usage: null,
  })}\n\n`;
const EVENTS = [
  chunk(0, '9'),
  chunk(1, '10 '),
  chunk(0, ' 6\u2028'),
  chunk(1, '2', 'length'),
  chunk(0, '', 'stop'),
  'data: {"id":"cmpl-1","choices":[],"usage":{"prompt_tokens":19,"completion_tokens":7,"total_tokens":26}}\n\n',
  'data: [DONE]\n\n',
];
const STREAM = EVENTS.join('');

describe('what a reply says', () => {
  test('whole, choices in the order of their index', () => {
    expect(openaiCompletions.readReply(WHOLE, false)).toEqual({
      texts: ['9 6\nThe first \u2026', '10 2'],
      finish: 'stop',
      finishes: ['stop', 'length'],
      sampled: [[{ text: '9', probability: Math.exp(-0.1), likeliest: [] }], null],
      shape: 'content logprobs,content',
      usage: { prompt_tokens: 19, completion_tokens: 7, total_tokens: 26 },
      tokens: { input: 19, output: 7 },
      served: 'judgelm-7b',
    });
  });

  test.each([
    ['as sent', STREAM],
    ['with CRLF', STREAM.replaceAll('\n', '\r\n')],
    ['without [DONE], all choices ended', EVENTS.slice(0, -1).join('')],
  ])('in a stream %s', (_, body) => {
    expect(openaiCompletions.readReply(body, true)).toMatchObject({
      texts: ['9 6\u2028', '10 2'],
      finish: 'stop',
      shape: 'content,content',
      tokens: { input: 19, output: 7 },
    });
  });

  test.each([
    ['an error inside a 200', '{"error":{"message":"overloaded"}}', false],
    ['a chat completion', '{"choices":[{"index":0,"message":{"content":"9 6"}}]}', false],
    ['an error within a stream', `${EVENTS[0]}data: {"error":{"message":"died"}}\n\n`, true],
  ] as const)('nothing, where it is %s', (_, body, stream) => {
    expect(openaiCompletions.readReply(body, stream).texts).toEqual([]);
  });

  test('an error, never a wrong verdict, where the stream is cut before every choice has ended', () => {
    for (let n = 0; n < 5; n++) {
      for (const more of ['', EVENTS[n]?.slice(0, -20) ?? '']) {
        const body = EVENTS.slice(0, n).join('') + more;
        expect(() => openaiCompletions.readReply(body, true)).toThrow(JudgeError);
      }
    }
    expect(() => openaiCompletions.readReply(WHOLE.slice(0, 200), false)).toThrow(JudgeError);
  });
});

test('usage is raised in place', () => {
  const added = [{ prompt_tokens: 1000, completion_tokens: 1, total_tokens: 1001 }];
  const raised = (body: string) =>
    body
      .replace(/("prompt_tokens": ?)19/, '$11019')
      .replace(/("completion_tokens": ?)7/, '$18')
      .replace(/26\}/, '1027}');
  expect(openaiCompletions.withUsage(WHOLE, false, added)).toBe(raised(WHOLE));
  expect(openaiCompletions.withUsage(STREAM, true, added)).toBe(raised(STREAM));
});

test('another text stands in every choice, and nothing else moves', () => {
  expect(openaiCompletions.withText(WHOLE, false, '"C"')).toBe(
    WHOLE.replace('"10 2"', '"\\"C\\""')
      .replace('"9 6\\nThe first \\u2026"', '"\\"C\\""')
      .replace(/\{"tokens".*?\[0\]\}/, 'null'),
  );
  expect(openaiCompletions.withText(STREAM, true, 'C')).toBe(
    [chunk(0, 'C'), chunk(1, 'C'), chunk(0, ''), chunk(1, '', 'length'), ...EVENTS.slice(4)].join(''),
  );
});

test.each([
  ['POST', '/v1/completions', true],
  ['POST', '/completions/', true],
  ['POST', '/v1/engines/davinci/completions', true],
  ['POST', '/openai/deployments/d/completions?api-version=2024-06-01', true],
  ['GET', '/v1/completions', false],
  ['POST', '/v1/chat/completions', false],
  ['POST', '/v1/completions/cmpl-1', false],
])('%s %s: %s', (method, path, speaks) => {
  expect(openaiCompletions.speaks(method, path)).toBe(speaks);
});
