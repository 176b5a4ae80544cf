import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { InputError } from '../../src/errors.ts';
import { expectLinear } from '../cost.ts';
import { exchanging } from './exchange.ts';

/** Bodies as clients send them: [what, raw JSON, option 1, option 2, the raw JSON with both exchanged]. */
const BODIES: readonly (readonly [string, string, string, string, string])[] = [
  [
    'compact',
    '{"model":"m","messages":[{"role":"user","content":"<a>one</a><b>two!</b>"}]}',
    'one',
    'two!',
    '{"model":"m","messages":[{"role":"user","content":"<a>two!</a><b>one</b>"}]}',
  ],
  [
    'json.dumps of Python, ensure_ascii',
    String.raw`{"model": "m", "messages": [{"role": "user", "content": "<a>caf\u00e9 \ud83d\ude00</a>\n<b>th\u00e9\t\"x\"</b>"}], "temperature": 0.0}`,
    'café 😀',
    'thé\t"x"',
    String.raw`{"model": "m", "messages": [{"role": "user", "content": "<a>th\u00e9\t\"x\"</a>\n<b>caf\u00e9 \ud83d\ude00</b>"}], "temperature": 0.0}`,
  ],
  [
    'pretty-printed with CRLF',
    '{\r\n  "model" : "m",\r\n  "messages" : [ {\r\n    "content" : "<a>x\\r\\n</a><b>yy</b>",\r\n    "role" : "user"\r\n  } ]\r\n}\r\n',
    'x\r\n',
    'yy',
    '{\r\n  "model" : "m",\r\n  "messages" : [ {\r\n    "content" : "<a>yy</a><b>x\\r\\n</b>",\r\n    "role" : "user"\r\n  } ]\r\n}\r\n',
  ],
  [
    'numbers that a re-encoder would change, and unknown fields',
    '{"seed":12345678901234567890,"temperature":1.0,"top_p":1e0,"x":-0,"vllm_xargs":{"k":1E+3},"messages":[{"role":"user","content":"<a>1</a><b>2</b>","name":"n"}],"model":"m"}',
    '1',
    '2',
    '{"seed":12345678901234567890,"temperature":1.0,"top_p":1e0,"x":-0,"vllm_xargs":{"k":1E+3},"messages":[{"role":"user","content":"<a>2</a><b>1</b>","name":"n"}],"model":"m"}',
  ],
  [
    'duplicate keys: the last one wins and is the one edited',
    '{"messages":[{"role":"user","content":"<a>no</a>"}],"messages":[{"content":"nor","role":"user","content":"<a>1</a><b>22</b>"}]}',
    '1',
    '22',
    '{"messages":[{"role":"user","content":"<a>no</a>"}],"messages":[{"content":"nor","role":"user","content":"<a>22</a><b>1</b>"}]}',
  ],
  [
    'raw emoji and escaped lone surrogates',
    '{"messages":[{"role":"user","content":"<a>😀\\ud83d</a><b>\\udc00 ü\u2028</b>"}]}',
    '😀\ud83d',
    '\udc00 ü\u2028',
    '{"messages":[{"role":"user","content":"<a>\\udc00 ü\u2028</a><b>😀\\ud83d</b>"}]}',
  ],
  [
    'escapes that need not be there',
    String.raw`{"mess\u0061ges":[{"role":"user","content":"<a>\u0041\/b<\/a><b>\u000a</b>"}]}`,
    'A/b',
    '\n',
    String.raw`{"mess\u0061ges":[{"role":"user","content":"<a>\u000a<\/a><b>\u0041\/b</b>"}]}`,
  ],
];

describe('an exchange moves the raw characters and nothing else', () => {
  test.each(BODIES)('%s', (_, body, one, other, expected) => {
    const request = openaiChat.readRequest(body);
    expect(request.body).toBe(body);
    expect(request.edited([])).toBe(body);
    const once = request.edited(exchanging(request.prompt, one, other));
    expect(once).toBe(expected);
    const again = openaiChat.readRequest(once);
    expect(again.edited(exchanging(again.prompt, other, one))).toBe(body);
  });
});

test('every part of several messages can be edited, in one go', () => {
  const body =
    '{"messages":[{"role":"system","content":"be fair"},{"role":"user","content":[{"type":"text","text":"A\\u00e9"},' +
    '{"type":"image_url","image_url":{"url":"data:,x"}},{"text":"B","type":"text"}]},{"role":"assistant","content":null,"tool_calls":[]}]}';
  const request = openaiChat.readRequest(body);
  expect(request.prompt.parts).toEqual([
    { role: 'system', text: 'be fair' },
    { role: 'user', text: 'Aé', mediaFollow: true },
    { role: 'user', text: 'B' },
  ]);
  const edited = request.edited([
    { at: { part: 1, start: 0, end: 2 }, with: { part: 2, start: 0, end: 1 } },
    { at: { part: 2, start: 0, end: 1 }, with: { part: 1, start: 0, end: 2 } },
    { at: { part: 0, start: 7, end: 7 }, with: ' – "always"\n' },
  ]);
  expect(edited).toBe(
    body
      .replace('"text":"A\\u00e9"', '"text":"B"')
      .replace('{"text":"B",', '{"text":"A\\u00e9",')
      .replace('be fair', 'be fair \\u2013 \\"always\\"\\n'),
  );
});

test('edits that overlap or lie outside a text are refused', () => {
  const request = openaiChat.readRequest('{"messages":[{"role":"user","content":"abc"}]}');
  const at = (start: number, end: number, part = 0) => ({ at: { part, start, end }, with: 'x' });
  expect(() => request.edited([at(0, 2), at(1, 3)])).toThrow(RangeError);
  expect(() => request.edited([at(0, 4)])).toThrow(RangeError);
  expect(() => request.edited([at(0, 1, 1)])).toThrow(RangeError);
});

describe('temperature', () => {
  const body = (rest: string) => `{"messages":[{"role":"user","content":"x"}]${rest}}`;
  test.each([
    [', "temperature": 0.7', ', "temperature": 0'],
    [', "temperature": 1e0 , "n":1', ', "temperature": 0 , "n":1'],
    [',"temperature":0.0', ',"temperature":0.0'],
    [',"temperature":null', ',"temperature":null'],
    ['', ''],
    [',"temperature":1,"temperature":0.5', ',"temperature":1,"temperature":0'],
  ])('%j, steady, is %j', (given, steady) => {
    const request = openaiChat.readRequest(body(given));
    expect(request.edited([], { steady: true })).toBe(body(steady));
    expect(request.edited([])).toBe(body(given));
  });
});

describe('our own field is taken off', () => {
  test('and the declared case is handed on', () => {
    const request = openaiChat.readRequest(
      '{"model":"m", "remand": {"case": {"options": [1]}}, "messages":[{"role":"user","content":"abc"}]}',
    );
    expect(request.body).toBe('{"model":"m", "messages":[{"role":"user","content":"abc"}]}');
    expect(request.declared).toEqual({ options: [1] });
    expect(request.edited([{ at: { part: 0, start: 0, end: 1 }, with: 'X' }])).toBe(
      '{"model":"m", "messages":[{"role":"user","content":"Xbc"}]}',
    );
  });

  test('but not where it is something else’s', () => {
    const body =
      '{"metadata":{"remand":{"case":1}},"messages":[{"role":"user","content":"{\\"remand\\":1}"}]}';
    const request = openaiChat.readRequest(body);
    expect(request.body).toBe(body);
    expect(request.declared).toBeUndefined();
  });
});

describe('the demanded schema', () => {
  const schema = { type: 'object', properties: { winner: { enum: ['A', 'B'] } } };
  const of = (rest: object) =>
    openaiChat.readRequest(JSON.stringify({ messages: [{ role: 'user', content: 'x' }], ...rest })).schema;
  const tool = { type: 'function', function: { name: 'select_choice', parameters: schema } };

  test.each<[string, object, unknown]>([
    ['none', {}, null],
    [
      'json_schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'v', strict: true, schema } } },
      schema,
    ],
    ['json_object: any object', { response_format: { type: 'json_object' } }, { type: 'object' }],
    [
      'forced tool',
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'select_choice' } } },
      schema,
    ],
    ['the only tool, required', { tools: [tool], tool_choice: 'required' }, schema],
    [
      'the only tool allowed, required',
      {
        tools: [{ type: 'function', function: { name: 'other' } }, tool],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: [{ type: 'function', function: { name: 'select_choice' } }],
          },
        },
      },
      schema,
    ],
    [
      'the only tool allowed, not required',
      {
        tools: [tool],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'select_choice' } }] },
        },
      },
      null,
    ],
    ['one of two tools, required', { tools: [tool, tool], tool_choice: 'required' }, null],
    ['an offered tool demands nothing', { tools: [tool], tool_choice: 'auto' }, null],
    [
      'a forced tool that is not offered',
      { tools: [tool], tool_choice: { function: { name: 'other' } } },
      null,
    ],
    [
      'forced function, before tools',
      { functions: [tool.function], function_call: { name: 'select_choice' } },
      schema,
    ],
  ])('%s', (_, rest, expected) => {
    expect(of(rest)).toEqual(expected);
  });
});

describe('a wrong request is refused, naming the field', () => {
  test.each([
    ['[]', 'body'],
    ['"x"', 'body'],
    ['null', 'body'],
    ['{"messages":5}', 'messages'],
    ['{"model":"m"}', 'messages'],
    ['{"messages":[]}', 'messages'],
    ['{"messages":["x"]}', 'messages[0]'],
    ['{"messages":[{"content":"x"}]}', 'messages[0].role'],
    ['{"messages":[{"role":"user","content":"x"},{"role":"user","content":5}]}', 'messages[1].content'],
    ['{"messages":[{"role":"user","content":[{"type":"text","text":5}]}]}', 'messages[0].content[0].text'],
    ['{"messages":[{"role":"user","content":[{"text":"no type"}]}]}', 'messages[0].content[0].type'],
    ['{"model":5,"messages":[{"role":"user","content":"x"}]}', 'model'],
    ['{"stream":"yes","messages":[{"role":"user","content":"x"}]}', 'stream'],
    ['{"remand":true,"messages":[{"role":"user","content":"x"}]}', 'remand'],
  ])('%s', (body, field) => {
    try {
      openaiChat.readRequest(body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect(error).toHaveProperty('field', field);
    }
  });
});

test('keys that are names of prototypes are data like any other', () => {
  const body =
    '{"__proto__":{"stream":true,"remand":{"case":1}},"constructor":1,"messages":[{"role":"user","content":"x","__proto__":{"role":"system"}}]}';
  const request = openaiChat.readRequest(body);
  expect(request).toMatchObject({ body, stream: false, prompt: { parts: [{ role: 'user', text: 'x' }] } });
  expect(request.declared).toBeUndefined();
  expect(Object.prototype).not.toHaveProperty('stream');
});

test('a request for rewording has the model and nothing of the client’s format', () => {
  const plain = (rest: string) =>
    JSON.parse(
      openaiChat.readRequest(`{"messages":[{"role":"user","content":"x"}]${rest}}`).plain('do', 'this'),
    );
  const messages = [
    { role: 'system', content: 'do' },
    { role: 'user', content: 'this' },
  ];
  expect(plain(',"model":"m","stream":true,"max_tokens":1,"temperature":1,"logit_bias":{"1":5}')).toEqual({
    model: 'm',
    messages,
    temperature: 0,
  });
  // A model that was given no temperature may refuse one, and Azure names the model in the path.
  expect(plain('')).toEqual({ messages });
});

test('a body of 10 MB, full of escapes, is read and edited in time linear in its length', () => {
  const bodyOf = (times: number) =>
    `{"messages":[{"role":"user","content":"${'a\\n\\u00e9'.repeat(times)}"}]}`;
  const change = (body: string) =>
    openaiChat.readRequest(body).edited([{ at: { part: 0, start: 240_000, end: 240_003 }, with: 'ü' }]);
  const body = bodyOf(1_200_000);
  expect(body.length).toBeGreaterThan(10_000_000);
  expect(change(body).length).toBe(body.length - 'a\\n\\u00e9'.length + '\\u00fc'.length);
  expectLinear(bodyOf, change, 100_000);
});

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/chat/completions', true],
  ['POST', '/openai/deployments/d/chat/completions?api-version=2024-06-01', true],
  ['POST', '/v1/engines/gpt-4/chat/completions', true],
  ['GET', '/v1/chat/completions', false],
  ['POST', '/v1/chat/completions/chatcmpl-1', false],
  ['POST', '/v1/completions', false],
  ['POST', '/v1/responses', false],
])('%s %s: %s', (method, path, speaks) => {
  expect(openaiChat.speaks(method, path)).toBe(speaks);
});
