/** Messages in the form in which api.anthropic.com sends them: read, counted, and given another text. */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../adapters/anthropic-messages/index.ts';
import { JudgeError } from '../../src/http/send.ts';

const { readReply, withText, withUsage } = anthropicMessages;

const USAGE =
  '{"input_tokens":1019,"cache_creation_input_tokens":300,"cache_read_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":300,"ephemeral_1h_input_tokens":0},"output_tokens":10,"service_tier":"standard","inference_geo":"global"}';

const message = (content: string, stop = '"end_turn"', usage = USAGE) =>
  `{"model":"claude-sonnet-4-5-20250929","id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message","role":"assistant","content":[${content}],"stop_reason":${stop},"stop_sequence":null,"usage":${usage}}`;

const THINKING =
  '{"type":"thinking","thinking":"Output (a) looks fine","signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3h"}';
const TOOL =
  '{"type":"tool_use","id":"toolu_01","name":"choose","input":{ "winner": "B",  "score": 1.0, "why":"caf\\u00e9" }}';

describe('what a message says', () => {
  test('text, usage with the cache, and the reason it ended for', () => {
    expect(readReply(message(`${THINKING},{"type":"text","text":"[[B]] \\u2014 better"}`), false)).toEqual({
      texts: ['[[B]] \u2014 better'],
      reasoning: 'Output (a) looks fine',
      finish: 'end_turn',
      shape: '',
      usage: JSON.parse(USAGE),
      tokens: { input: 1339, output: 10 },
      served: 'claude-sonnet-4-5-20250929',
    });
  });

  test.each([
    [
      'several texts are one',
      '{"type":"text","text":"[[A"},{"type":"text","text":"]]","citations":[]}',
      '[[A]]',
    ],
    [
      'redacted thinking is none of it',
      '{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"x"}',
      'x',
    ],
    ["a tool's input, to the letter", TOOL, '{ "winner": "B",  "score": 1.0, "why":"caf\\u00e9" }'],
    [
      'of several tools the first',
      `${TOOL},{"type":"tool_use","id":"t","name":"f","input":{}}`,
      /^\{ "winner"/,
    ],
    ['both: the text counts', `{"type":"text","text":"x"},${TOOL}`, 'x'],
    ['an empty text before a tool does not', `{"type":"text","text":"\\n\\n"},${TOOL}`, /^\{ "winner"/],
    ['nothing', '', ''],
  ])('%s', (_, content, expected) => {
    const [text, ...more] = readReply(message(content), false).texts;
    expect(text).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(more).toEqual([]);
  });

  test('a tool that is called is what its client relies on', () => {
    expect(readReply(message(TOOL), false).shape).toBe('choose');
    expect(readReply(TOOL_STREAM, true).shape).toBe('choose');
  });

  test.each([
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['stop_sequence', 'stop_sequence'],
    ['tool_use', 'tool_use'],
  ])('%s is %s', (stop, finish) => {
    expect(readReply(message('{"type":"text","text":"x"}', `"${stop}"`), false).finish).toBe(finish);
  });

  test('what was said before a refusal is no verdict', () => {
    expect(readReply(message('{"type":"text","text":"[[A]]"}', '"refusal"'), false)).toMatchObject({
      texts: [''],
      finish: 'refusal',
    });
  });
});

const event = (data: string) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`;
const delta = (index: number, piece: string) =>
  event(`{"type":"content_block_delta","index":${index},"delta":${piece}}`);
const START = event(
  `{"type":"message_start","message":{"model":"claude-sonnet-4-5-20250929","id":"msg_01","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":${USAGE.replace('"output_tokens":10', '"output_tokens":1')}}}`,
);
const STOP = event('{"type":"message_stop"}');
const end = (stop: string, usage: string) =>
  event(`{"type":"message_delta","delta":{"stop_reason":"${stop}","stop_sequence":null},"usage":${usage}}`) +
  STOP;

const STREAM = [
  START,
  event(
    '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  ),
  event('{"type": "ping"}'),
  delta(0, '{"type":"thinking_delta","thinking":"Output (a) says"}'),
  delta(0, '{"type":"signature_delta","signature":"EqQBCgIYAhIM"}'),
  event('{"type":"content_block_stop","index":0}'),
  event('{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}'),
  delta(1, '{"type":"text_delta","text":"Output"}'),
  event('{"type":"a_kind_of_next_year","index":1}'),
  delta(1, '{"type":"text_delta","text":" (b)\u2028"}'),
  event('{"type":"content_block_stop","index":1}'),
  end(
    'end_turn',
    '{"input_tokens":1019,"cache_creation_input_tokens":null,"cache_read_input_tokens":20,"output_tokens":10}',
  ),
].join('');

const TOOL_STREAM = [
  START,
  event(
    '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_01","name":"choose","input":{}}}',
  ),
  delta(0, '{"type":"input_json_delta","partial_json":""}'),
  delta(0, '{"type":"input_json_delta","partial_json":"{\\"winner\\":"}'),
  delta(0, '{"type":"input_json_delta","partial_json":" \\"B\\"}"}'),
  event('{"type":"content_block_stop","index":0}'),
  end('tool_use', '{"output_tokens":33}'),
].join('');

describe('a stream', () => {
  const whole = { texts: ['Output (b)\u2028'], finish: 'end_turn', tokens: { input: 1339, output: 10 } };
  test('is put together from its events; counts that its end does not know stay', () => {
    expect(readReply(STREAM, true)).toMatchObject(whole);
    expect(readReply(STREAM, true).usage).toMatchObject({
      cache_creation_input_tokens: 300,
      output_tokens: 10,
    });
  });
  test.each([
    ['CRLF', STREAM.replaceAll('\n', '\r\n')],
    ['no blank line at the end', STREAM.trimEnd()],
    ['no event names', STREAM.replaceAll(/^event: .*\n/gm, '')],
  ])('with %s', (_, body) => {
    expect(readReply(body, true)).toMatchObject(whole);
  });
  test('of a tool’s input', () => {
    expect(readReply(TOOL_STREAM, true)).toMatchObject({ texts: ['{"winner": "B"}'], finish: 'tool_use' });
  });
  test('answered with plain JSON is read as that', () => {
    expect(readReply(message(TOOL), true).texts).toHaveLength(1);
  });
});

describe('what is whole but no message says nothing, and is left to the client to read', () => {
  const failed = event('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}');
  test.each([
    [
      'an error inside a 200',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      false,
    ],
    ['an error for a stream', '{"type":"error","error":{"type":"api_error","message":"x"}}', true],
    ['something else', '{"object":"list","data":[]}', false],
    ['an error within a stream', STREAM.slice(0, STREAM.indexOf('event: message_delta')) + failed, true],
  ] as const)('%s', (_, body, stream) => {
    expect(readReply(body, stream)).toEqual({ texts: [], finish: null, usage: null, tokens: null });
  });
});

describe('what is no whole message is an error, never an empty verdict', () => {
  const cuts = [...STREAM.matchAll(/\n\n/g)].map(({ index }) => index + 2).slice(0, -1);
  test.each([
    ...cuts.map((at) => [
      `a stream cut after ${at} characters, between events`,
      STREAM.slice(0, at),
      'cut off',
    ]),
    ['a stream cut within an event', STREAM.slice(0, STREAM.indexOf('(b)')), 'not valid JSON'],
    ['a tool’s stream cut', TOOL_STREAM.slice(0, TOOL_STREAM.indexOf('event: message_delta')), 'cut off'],
    ['half a JSON', message(TOOL).slice(0, 200), 'not valid JSON'],
    ['nothing', '', 'cut off'],
    ['a page of HTML', '<html>502</html>', 'cut off'],
  ])('%s', (_, body = '', says = '') => {
    expect(() => readReply(body, true)).toThrow(JudgeError);
    expect(() => readReply(body, true)).toThrow(says);
  });
  test('nor is anything but JSON where no stream was asked for', () => {
    expect(() => readReply('', false)).toThrow(JudgeError);
    expect(() =>
      readReply(`{"content":[{"type":"tool_use","input":${'['.repeat(600)}${']'.repeat(600)}}]}`, false),
    ).toThrow(JudgeError);
  });
});

describe('usage is raised in place', () => {
  const added = [
    {
      input_tokens: 1000,
      cache_read_input_tokens: 5,
      cache_creation: { ephemeral_5m_input_tokens: 7 },
      output_tokens: 2,
    },
    {
      input_tokens: 1,
      output_tokens: 3,
      service_tier: 'standard',
      output_tokens_details: { thinking_tokens: 9 },
    },
  ];
  test('in a message, the cache included, and nothing else moves', () => {
    const body = message(TOOL);
    expect(withUsage(body, false, added)).toBe(
      body
        .replace('"input_tokens":1019', '"input_tokens":2020')
        .replace('"cache_read_input_tokens":20', '"cache_read_input_tokens":25')
        .replace('"ephemeral_5m_input_tokens":300', '"ephemeral_5m_input_tokens":307')
        .replace('"output_tokens":10', '"output_tokens":15'),
    );
  });
  test('in a stream: the input at its start, the output at its end, what is repeated in both', () => {
    const expected = STREAM.replaceAll('"input_tokens":1019', '"input_tokens":2020')
      .replaceAll('"cache_read_input_tokens":20', '"cache_read_input_tokens":25')
      .replace('"ephemeral_5m_input_tokens":300', '"ephemeral_5m_input_tokens":307')
      .replace('"output_tokens":10', '"output_tokens":15');
    expect(withUsage(STREAM, true, added)).toBe(expected);
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(withUsage(crlf(STREAM), true, added)).toBe(crlf(expected));
    expect(readReply(expected, true).tokens).toEqual({ input: 2020 + 300 + 25, output: 15 });
  });
  test('a text that speaks of usage, and no other calls: not a byte', () => {
    const body = STREAM.replace(
      '"Output"',
      '"{\\"type\\":\\"message_delta\\",\\"usage\\":{\\"output_tokens\\":1}}"',
    );
    expect(withUsage(body, true, [{ output_tokens: 5 }])).toBe(
      body.replace('"output_tokens":10', '"output_tokens":15'),
    );
    expect(withUsage('not even JSON', false, [])).toBe('not even JSON');
    expect(withUsage('nor this', true, [])).toBe('nor this');
  });
});

describe('another text where the verdict stands', () => {
  test('in the texts of a message', () => {
    const body = message(`${THINKING},{"type":"text","text":"A"},{"type":"text","text":"B"}`);
    expect(withText(body, false, '"C"')).toBe(
      body.replace('"text":"A"', '"text":"\\"C\\""').replace('"text":"B"', '"text":""'),
    );
  });
  test('in the input of a tool, as an object', () => {
    expect(withText(message(TOOL), false, '{"winner":"A"}')).toBe(
      message('{"type":"tool_use","id":"toolu_01","name":"choose","input":{"winner":"A"}}'),
    );
    expect(withText(message(TOOL), false, 'A')).toBe(message(TOOL));
  });
  test('in a stream the first piece says all, the later ones nothing', () => {
    const said = withText(STREAM, true, 'Output (a)');
    expect(said).toBe(
      STREAM.replace('"text":"Output"', '"text":"Output (a)"').replace('"text":" (b)\u2028"', '"text":""'),
    );
    expect(readReply(said, true).texts).toEqual(['Output (a)']);
  });
  test('in a stream of a tool’s input', () => {
    expect(readReply(withText(TOOL_STREAM, true, '{"winner":"A"}'), true).texts).toEqual(['{"winner":"A"}']);
    expect(withText(TOOL_STREAM, true, 'A')).toBe(TOOL_STREAM);
  });
});

describe('errors have the form that Anthropic’s clients read', () => {
  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [413, 'request_too_large'],
    [429, 'rate_limit_error'],
    [499, 'invalid_request_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('%i: %s', (status, type) => {
    expect(JSON.parse(anthropicMessages.errorBody(status, 'no\n', null))).toEqual({
      type: 'error',
      error: { type, message: 'no\n' },
    });
  });
  test('the last event of a stream, and the header of a key', () => {
    expect(anthropicMessages.errorEvent(502, 'gone\n')).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"gone\\n"}}\n\n',
    );
    expect(anthropicMessages.credential('sk-ant-1')).toEqual(['x-api-key', 'sk-ant-1']);
  });
});
