/** Requests for a message: what is read of them, and what an edit moves. */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { InputError } from '../../src/errors.ts';
import { exchanging } from './exchange.ts';

/** Bodies as clients send them: [what, raw JSON, option 1, option 2, the raw JSON with both exchanged]. */
const BODIES: readonly (readonly [string, string, string, string, string])[] = [
  [
    'compact, as the TypeScript client writes it',
    '{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"<a>one</a><b>two!</b>"}]}',
    'one',
    'two!',
    '{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"<a>two!</a><b>one</b>"}]}',
  ],
  [
    'json.dumps of Python, system prompt in blocks with a cache breakpoint',
    String.raw`{"max_tokens": 64, "system": [{"type": "text", "text": "fair\u2026", "cache_control": {"type": "ephemeral"}}], "messages": [{"role": "user", "content": [{"type": "text", "text": "<a>caf\u00e9 \ud83d\ude00</a>\n<b>th\u00e9\t\"x\"</b>"}]}], "temperature": 0.0}`,
    'café 😀',
    'thé\t"x"',
    String.raw`{"max_tokens": 64, "system": [{"type": "text", "text": "fair\u2026", "cache_control": {"type": "ephemeral"}}], "messages": [{"role": "user", "content": [{"type": "text", "text": "<a>th\u00e9\t\"x\"</a>\n<b>caf\u00e9 \ud83d\ude00</b>"}]}], "temperature": 0.0}`,
  ],
  [
    'numbers that a re-encoder would change, unknown fields, a remote image',
    '{"max_tokens":1e3,"top_k":-0,"x":12345678901234567890,"messages":[{"content":[{"type":"image","source":{"type":"url","url":"https:\\/\\/x\\/"}},{"text":"<a>1</a><b>2</b>","type":"text"}],"role":"user"}]}',
    '1',
    '2',
    '{"max_tokens":1e3,"top_k":-0,"x":12345678901234567890,"messages":[{"content":[{"type":"image","source":{"type":"url","url":"https:\\/\\/x\\/"}},{"text":"<a>2</a><b>1</b>","type":"text"}],"role":"user"}]}',
  ],
];

describe('an exchange moves the raw characters and nothing else', () => {
  test.each(BODIES)('%s', (_, body, one, other, expected) => {
    const request = anthropicMessages.readRequest(body);
    expect(request.body).toBe(body);
    expect(request.edited([])).toBe(body);
    const once = request.edited(exchanging(request.prompt, one, other));
    expect(once).toBe(expected);
    const again = anthropicMessages.readRequest(once);
    expect(again.edited(exchanging(again.prompt, other, one))).toBe(body);
  });
});

describe('the parts of the prompt', () => {
  const turns =
    '"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","data":"d"}},{"type":"text","text":"A"},' +
    '{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"no"}]}]},' +
    '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"B"},{"type":"tool_use","id":"t","name":"f","input":{"text":"no"}}]},' +
    '{"role":"assistant","content":"The winner is"}]';
  const rest = [
    { role: 'user', text: 'A', mediaFollow: true },
    { role: 'assistant', text: 'B', mediaFollow: true },
    { role: 'assistant', text: 'The winner is' },
  ];
  test.each([
    ['no system prompt', `{${turns}}`, []],
    ['null', `{"system":null,${turns}}`, []],
    ['one text, wherever it stands', `{${turns},"system":"S"}`, ['S']],
    ['blocks', `{"system":[{"type":"text","text":"S"},{"type":"text","text":"T"}],${turns}}`, ['S', 'T']],
  ])('%s: the system first, then the texts of the turns', (_, body, system) => {
    const request = anthropicMessages.readRequest(body);
    const parts = [...system.map((text) => ({ role: 'system', text })), ...rest];
    const beforeDocument = system.length - 1;
    expect(request.prompt.parts).toEqual(
      parts.map((part, n) => (n === beforeDocument ? { ...part, mediaFollow: true } : part)),
    );
    const end = { part: parts.length - 1, start: 13, end: 13 };
    expect(request.edited([{ at: end, with: ' "now"' }])).toBe(
      body.replace('The winner is', 'The winner is \\"now\\"'),
    );
  });
});

describe('our own field is taken off', () => {
  test('and the declared case is handed on', () => {
    const request = anthropicMessages.readRequest(
      '{"model":"m", "remand": {"case": 1}, "messages":[{"role":"user","content":"abc"}]}',
    );
    expect(request.body).toBe('{"model":"m", "messages":[{"role":"user","content":"abc"}]}');
    expect(request.declared).toBe(1);
    expect(request.edited([{ at: { part: 0, start: 0, end: 1 }, with: 'X' }])).toBe(
      '{"model":"m", "messages":[{"role":"user","content":"Xbc"}]}',
    );
  });
  test('but not where it is something else’s', () => {
    const body = '{"metadata":{"remand":{"case":1}},"messages":[{"role":"user","content":"x"}]}';
    expect(anthropicMessages.readRequest(body)).toMatchObject({ body, declared: undefined });
  });
});

describe('temperature', () => {
  const body = (rest: string) => `{"messages":[{"role":"user","content":"x"}]${rest}}`;
  test.each([
    [', "temperature": 0.7', ', "temperature": 0'],
    [',"temperature":0.0', ',"temperature":0.0'],
    [',"temperature":null', ',"temperature":null'],
    ['', ''],
    [',"temperature":1,"thinking":{"type":"disabled"}', ',"temperature":0,"thinking":{"type":"disabled"}'],
    // With extended thinking any other than the client's is refused.
    ...['enabled', 'adaptive', 'between_tools'].map((type) => {
      const thinks = `,"temperature":1,"thinking":{"type":"${type}","budget_tokens":2048}`;
      return [thinks, thinks];
    }),
  ])('%j, steady, is %j', (given = '', steady = '') => {
    const request = anthropicMessages.readRequest(body(given));
    expect(request.edited([], { steady: true })).toBe(body(steady));
    expect(request.edited([])).toBe(body(given));
  });
});

describe('the demanded schema', () => {
  const schema = { type: 'object', properties: { winner: { enum: ['A', 'B'] } } };
  const of = (rest: object) =>
    anthropicMessages.readRequest(JSON.stringify({ messages: [{ role: 'user', content: 'x' }], ...rest }))
      .schema;
  const tool = { name: 'choose', input_schema: schema };
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const format = { type: 'json_schema', schema };

  test.each<[string, object, unknown]>([
    ['none', {}, null],
    ['output_config', { output_config: { effort: 'low', format } }, schema],
    ['output_format, its name in beta', { output_format: format }, schema],
    ['an effort alone demands nothing', { output_config: { effort: 'low' } }, null],
    ['forced tool', { tools: [search, tool], tool_choice: { type: 'tool', name: 'choose' } }, schema],
    ['any of one', { tools: [tool], tool_choice: { type: 'any' } }, schema],
    ['any of two', { tools: [tool, { ...tool, name: 'b' }], tool_choice: { type: 'any' } }, null],
    ['an offered tool demands nothing', { tools: [tool], tool_choice: { type: 'auto' } }, null],
    ['a forced tool that is not offered', { tools: [tool], tool_choice: { type: 'tool', name: 'b' } }, null],
    [
      'a forced tool counts before the format',
      {
        tools: [tool],
        tool_choice: { type: 'tool', name: 'choose' },
        output_format: { ...format, schema: {} },
      },
      schema,
    ],
  ])('%s', (_, rest, expected) => {
    expect(of(rest)).toEqual(expected);
  });
});

describe('a wrong request is refused, naming the field', () => {
  test.each([
    ['[]', 'body'],
    ['{"model":"m"}', 'messages'],
    ['{"messages":[]}', 'messages'],
    ['{"messages":["x"]}', 'messages[0]'],
    ['{"messages":[{"content":"x"}]}', 'messages[0].role'],
    ['{"messages":[{"role":"user","content":"x"},{"role":"user","content":5}]}', 'messages[1].content'],
    [
      '{"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"text"}]}]}',
      'messages[0].content[1].text',
    ],
    ['{"messages":[{"role":"user","content":[{"text":"no type"}]}]}', 'messages[0].content[0].type'],
    ['{"system":5,"messages":[{"role":"user","content":"x"}]}', 'system'],
    ['{"system":[{"type":"text","text":5}],"messages":[{"role":"user","content":"x"}]}', 'system[0].text'],
    ['{"model":5,"messages":[{"role":"user","content":"x"}]}', 'model'],
    ['{"stream":"yes","messages":[{"role":"user","content":"x"}]}', 'stream'],
    ['{"remand":true,"messages":[{"role":"user","content":"x"}]}', 'remand'],
  ])('%s', (body, field) => {
    try {
      anthropicMessages.readRequest(body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect(error).toHaveProperty('field', field);
    }
  });
});

test('a request for rewording has the model, room to write, and nothing of the client’s format', () => {
  const plain = (rest: string) =>
    JSON.parse(
      anthropicMessages
        .readRequest(`{"messages":[{"role":"user","content":"x"}]${rest}}`)
        .plain('do', 'this'),
    );
  const asked = { system: 'do', messages: [{ role: 'user', content: 'this' }] };
  const verdict = ',"model":"m","max_tokens":8,"stream":true,"temperature":1,"stop_sequences":["B"]';
  expect(plain(`${verdict},"thinking":{"type":"adaptive"}`)).toEqual({
    ...asked,
    model: 'm',
    max_tokens: 4096,
    temperature: 0,
  });
  expect(plain(',"max_tokens":2000')).toEqual({ ...asked, max_tokens: 2000 });
});

test.each([
  ['POST', '/v1/messages', true],
  ['POST', '/v1/messages?beta=true', true],
  ['GET', '/v1/messages', false],
  ['POST', '/v1/messages/count_tokens', false],
  ['POST', '/v1/messages/batches', false],
  ['POST', '/v1/threads/thread_1/messages', false],
])('%s %s: %s', (method, path, speaks) => {
  expect(anthropicMessages.speaks(method, path)).toBe(speaks);
});
