import { describe, expect, test } from 'vitest';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import { InputError } from '../../src/errors.ts';
import { exchanging } from './exchange.ts';

const read = (body: string) => openaiResponses.readRequest(body);

/** Bodies as clients send them: [what, raw JSON, option 1, option 2, the raw JSON with both exchanged]. */
const BODIES: readonly (readonly [string, string, string, string, string])[] = [
  [
    'input as a string literal of its own',
    '{"model":"m","input":"<a>one</a><b>two!</b>"}',
    'one',
    'two!',
    '{"model":"m","input":"<a>two!</a><b>one</b>"}',
  ],
  [
    'json.dumps of Python, ensure_ascii, the easy form of a message',
    String.raw`{"input": [{"role": "user", "content": "<a>caf\u00e9 \ud83d\ude00</a>\n<b>th\u00e9\t\"x\"</b>"}], "model": "m", "temperature": 0.0}`,
    'café 😀',
    'thé\t"x"',
    String.raw`{"input": [{"role": "user", "content": "<a>th\u00e9\t\"x\"</a>\n<b>caf\u00e9 \ud83d\ude00</b>"}], "model": "m", "temperature": 0.0}`,
  ],
  [
    'pretty-printed with CRLF, content in parts',
    '{\r\n  "input" : [ {\r\n    "type": "message", "content" : [ { "type":"input_text", "text" : "<a>x\\r\\n</a>" },\r\n { "text" : "<b>yy</b>", "type":"input_text" } ],\r\n    "role" : "user"\r\n  } ]\r\n}\r\n',
    'x\r\n',
    'yy',
    '{\r\n  "input" : [ {\r\n    "type": "message", "content" : [ { "type":"input_text", "text" : "<a>yy</a>" },\r\n { "text" : "<b>x\\r\\n</b>", "type":"input_text" } ],\r\n    "role" : "user"\r\n  } ]\r\n}\r\n',
  ],
  [
    'numbers that a re-encoder would change, and unknown fields',
    '{"top_p":1e0,"x":-0,"max_output_tokens":1.6E+1,"reasoning":{"effort":"low"},"input":"<a>1</a><b>2</b>","metadata":{"k":"v"},"store":false}',
    '1<',
    '2<',
    '{"top_p":1e0,"x":-0,"max_output_tokens":1.6E+1,"reasoning":{"effort":"low"},"input":"<a>2</a><b>1</b>","metadata":{"k":"v"},"store":false}',
  ],
  [
    'duplicate keys: the last one wins and is the one edited',
    '{"input":"<a>no</a>","input":[{"content":"nor","role":"user","content":"<a>1</a><b>22</b>"}]}',
    '1',
    '22',
    '{"input":"<a>no</a>","input":[{"content":"nor","role":"user","content":"<a>22</a><b>1</b>"}]}',
  ],
  [
    'escapes that need not be there, and lone surrogates',
    String.raw`{"in\u0070ut":"<a>\u0041\/b\ud83d<\/a><b>\u000a\udc00</b>"}`,
    'A/b\ud83d',
    '\n\udc00',
    String.raw`{"in\u0070ut":"<a>\u000a\udc00<\/a><b>\u0041\/b\ud83d</b>"}`,
  ],
];

describe('an exchange moves the raw characters and nothing else', () => {
  test.each(BODIES)('%s', (_, body, one, other, expected) => {
    const request = read(body);
    expect(request.body).toBe(body);
    expect(request.edited([])).toBe(body);
    const once = request.edited(exchanging(request.prompt, one, other));
    expect(once).toBe(expected);
    const again = read(once);
    expect(again.edited(exchanging(again.prompt, other, one))).toBe(body);
  });
});

describe('the prompt', () => {
  test('instructions first, then messages in every form; other items are left out', () => {
    const request = read(
      JSON.stringify({
        input: [
          { role: 'developer', content: 'be brief' },
          { type: 'item_reference', id: 'msg_1' },
          { id: 'msg_2' },
          { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_text', text: 'A' },
              { type: 'input_image', image_url: 'data:,x' },
              { type: 'input_text', text: 'B' },
            ],
          },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'C' }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'D' },
        ],
        instructions: 'be fair',
      }),
    );
    expect(request.prompt.parts).toEqual([
      { role: 'system', text: 'be fair' },
      { role: 'developer', text: 'be brief', mediaFollow: true },
      { role: 'user', text: 'A', mediaFollow: true },
      { role: 'user', text: 'B' },
      { role: 'assistant', text: 'C', mediaFollow: true },
    ]);
  });

  test('every part can be edited, in one go, wherever it stands', () => {
    const body = '{"input":"A\\u00e9 or B","instructions":"be fair","model":"m"}';
    const edited = read(body).edited([
      { at: { part: 0, start: 7, end: 7 }, with: ' – "always"' },
      { at: { part: 1, start: 0, end: 2 }, with: { part: 1, start: 6, end: 7 } },
    ]);
    expect(edited).toBe('{"input":"B or B","instructions":"be fair \\u2013 \\"always\\"","model":"m"}');
  });

  test.each([
    ['a conversation, which a second request would add to', '{"input":"x","conversation":"conv_1"}'],
    ['a conversation as an object', '{"input":"x","conversation":{"id":"conv_1"}}'],
    ['a response in the background, answered with a ticket', '{"input":"x","background":true}'],
    ['a prompt stored with the endpoint', '{"prompt":{"id":"pmpt_1"}}'],
    ['an empty input', '{"input":[],"instructions":null}'],
  ])('is not read in %s', (_, body) => {
    expect(read(body)).toMatchObject({ body, prompt: { parts: [] } });
  });

  test('is read where none of these is asked for', () => {
    const body = '{"input":"x","conversation":null,"background":false,"previous_response_id":"resp_1"}';
    expect(read(body).prompt.parts).toHaveLength(1);
  });
});

describe('temperature', () => {
  test.each([
    [', "temperature": 0.7', ', "temperature": 0'],
    [',"temperature":1e0 , "n":1', ',"temperature":0 , "n":1'],
    [',"temperature":0.0', ',"temperature":0.0'],
    [',"temperature":null', ',"temperature":null'],
    ['', ''],
    [',"temperature":1,"temperature":0.5', ',"temperature":1,"temperature":0'],
  ])('%j, steady, is %j', (given, steady) => {
    const rest = '{"store":false,"input":"x"';
    const request = read(`${rest}${given}}`);
    expect(request.edited([], { steady: true })).toBe(`${rest}${steady}}`);
    expect(request.edited([])).toBe(`${rest}${given}}`);
  });
});

test('our own field is taken off, and the declared case is handed on', () => {
  const request = read('{"model":"m", "remand": {"case": {"options": [1]}}, "input":"abc"}');
  expect(request.body).toBe('{"model":"m", "input":"abc"}');
  expect(request.declared).toEqual({ options: [1] });
  expect(request.edited([{ at: { part: 0, start: 0, end: 1 }, with: 'X' }])).toBe(
    '{"model":"m", "input":"Xbc"}',
  );
  const metadata = '{"metadata":{"remand":"1"},"input":"{\\"remand\\":1}"}';
  expect(read(metadata).body).toBe(metadata);
});

describe('the demanded schema', () => {
  const schema = { type: 'object', properties: { winner: { enum: ['A', 'B'] } } };
  const tool = { type: 'function', name: 'select_choice', parameters: schema, strict: true };
  const forced = { type: 'function', name: 'select_choice' };
  const text = { format: { type: 'json_schema', name: 'v', strict: true, schema } };

  test.each<[string, object, unknown]>([
    ['none', {}, null],
    ['text.format', { text: { ...text, verbosity: 'low' } }, schema],
    ['plain text has none', { text: { format: { type: 'text' } } }, null],
    ['json_object: any object', { text: { format: { type: 'json_object' } } }, { type: 'object' }],
    ['the form of chat completions is not this one', { response_format: { json_schema: { schema } } }, null],
    ['a forced function', { tools: [tool], tool_choice: forced }, schema],
    ['a forced function counts before the text', { tools: [tool], tool_choice: forced, text: {} }, schema],
    ['the only tool, required', { tools: [tool], tool_choice: 'required' }, schema],
    [
      'one of two functions, required, is not forced',
      { tools: [tool, { ...tool, name: 'other' }], tool_choice: 'required' },
      null,
    ],
    [
      'a function beside a web search is not forced',
      { tools: [tool, { type: 'web_search' }], tool_choice: 'required' },
      null,
    ],
    [
      'the only one allowed, required',
      {
        tools: [{ type: 'web_search' }, tool],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [forced] },
      },
      schema,
    ],
    ['an offered function demands nothing', { tools: [tool], tool_choice: 'auto' }, null],
    ['a forced function that is not offered', { tools: [tool], tool_choice: { ...forced, name: 'x' } }, null],
    ['a forced web search', { tools: [tool], tool_choice: { type: 'web_search' } }, null],
  ])('%s', (_, rest, expected) => {
    expect(read(JSON.stringify({ input: 'x', ...rest })).schema).toEqual(expected);
  });
});

describe('a wrong request is refused, naming the field', () => {
  test.each([
    ['[]', 'body'],
    ['null', 'body'],
    ['{"input":5}', 'input'],
    ['{"input":{"role":"user"}}', 'input'],
    ['{"input":["x"]}', 'input[0]'],
    ['{"input":[{"content":"x"}]}', 'input[0].role'],
    ['{"input":[{"type":"message","content":"x"}]}', 'input[0].role'],
    ['{"input":[{"role":"user"}]}', 'input[0].content'],
    ['{"input":[{"role":"user","content":"x"},{"role":"user","content":5}]}', 'input[1].content'],
    ['{"input":[{"role":"user","content":[{"text":"no type"}]}]}', 'input[0].content[0].type'],
    [
      '{"input":[{"role":"user","content":[{"type":"input_text","text":"x"},{"type":"input_text","text":5}]}]}',
      'input[0].content[1].text',
    ],
    ['{"input":"x","instructions":["y"]}', 'instructions'],
    ['{"input":"x","model":5}', 'model'],
    ['{"input":"x","stream":"yes"}', 'stream'],
    ['{"input":"x","remand":true}', 'remand'],
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

test('a request for rewording has the model and nothing of the client’s format', () => {
  const plain = (rest: string) => JSON.parse(read(`{"input":"x"${rest}}`).plain('do', 'this'));
  // The endpoint would keep it among the client's responses.
  const asked = { instructions: 'do', input: 'this', store: false };
  expect(
    plain(
      ',"model":"m","stream":true,"max_output_tokens":16,"temperature":1,"previous_response_id":"resp_1","text":{}',
    ),
  ).toEqual({ model: 'm', ...asked, temperature: 0 });
  // A model that was given no temperature may refuse one.
  expect(plain('')).toEqual(asked);
  expect(plain(',"store":true')).toEqual(asked);
});

test.each([
  ['POST', '/v1/responses', true],
  ['POST', '/responses/', true],
  ['POST', '/openai/responses?api-version=2025-04-01-preview', true],
  ['POST', '/openai/v1/responses', true],
  ['GET', '/v1/responses', false],
  ['POST', '/v1/responses/resp_1/cancel', false],
  ['POST', '/v1/responses/input_tokens', false],
  ['POST', '/v1/chat/completions', false],
])('%s %s: %s', (method, path, speaks) => {
  expect(openaiResponses.speaks(method, path)).toBe(speaks);
});

test.each([
  ['{"store":false,', '{', 'asks for nothing: the endpoint stores'],
  ['{"store": false,', '{"store": true,', 'asks for it'],
  ['{"store":false,', '{"store":null,', 'leaves it open'],
  ['{"store": false,', '{"store": false,', 'forbids it'],
])(
  'a call for evidence has %s where a request with %s %s; a re-judgment keeps what it has',
  (steady, own, _) => {
    const rest = '"input":"x","previous_response_id":"resp_1"}';
    expect(read(own + rest).edited([], { steady: true })).toBe(steady + rest);
    expect(read(own + rest).edited([])).toBe(own + rest);
  },
);
