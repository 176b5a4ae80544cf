import { describe, expect, test } from 'vitest';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { JudgeError } from '../../src/http/send.ts';

/** In the form in which api.openai.com answers a request with `logprobs: true, top_logprobs: 2`. */
const WITH_LOGPROBS = `{
  "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  "object": "chat.completion",
  "created": 1741569952,
  "model": "gpt-4o-2024-08-06",
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": "[[B]] \\u2014 better",
        "refusal": null,
        "annotations": []
      },
      "logprobs": {
        "content": [
          {
            "token": "[[",
            "logprob": -1.504853e-06,
            "bytes": [91, 91],
            "top_logprobs": [{"token": "[[", "logprob": -1.504853e-06, "bytes": [91, 91]}]
          }
        ],
        "refusal": null
      },
      "finish_reason": "stop"
    }
  ],
  "usage": {
    "prompt_tokens": 1019,
    "completion_tokens": 10,
    "total_tokens": 1029,
    "prompt_tokens_details": {
      "cached_tokens": 512,
      "audio_tokens": 0
    },
    "completion_tokens_details": {
      "reasoning_tokens": 0,
      "audio_tokens": 0,
      "accepted_prediction_tokens": 0,
      "rejected_prediction_tokens": 0
    }
  },
  "service_tier": "default",
  "system_fingerprint": "fp_fc9f1d7035"
}
`;

const FORCED_TOOL =
  '{"id":"chatcmpl-abc","object":"chat.completion","created":1699896916,"model":"gpt-4o-mini","choices":[{"index":0,' +
  '"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_abc123","type":"function","function":' +
  '{"name":"select_choice","arguments":"{\\n\\"choice\\": \\"A\\"\\n}"}},{"id":"call_2","type":"function","function":' +
  '{"name":"select_choice","arguments":"{}"}}]},"logprobs":null,"finish_reason":"stop"}],' +
  '"usage":{"prompt_tokens":82,"completion_tokens":17,"total_tokens":99}}';

const chunk = (choices: string, rest = ',"usage":null') =>
  `data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-mini",` +
  `"service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[${choices}]${rest},"obfuscation":"aB3"}\n\n`;
const delta = (index: number, piece: string, finish = 'null') =>
  chunk(`{"index":${index},"delta":${piece},"logprobs":null,"finish_reason":${finish}}`);

/** A stream with \`stream_options: { include_usage: true }\`, two choices interleaved. */
const STREAM = [
  delta(0, '{"role":"assistant","content":"","refusal":null}'),
  delta(1, '{"role":"assistant","content":"","refusal":null}'),
  delta(0, '{"content":"Output"}'),
  ': keep-alive\n\n',
  delta(1, '{"content":"Output (b)"}'),
  delta(0, '{"content":" (a)\u2028"}'),
  delta(1, '{}', '"length"'),
  delta(0, '{}', '"stop"'),
  chunk(
    '',
    ',"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":7,"audio_tokens":0}}',
  ),
  'data: [DONE]\n\n',
].join('');

const TOOL_STREAM = [
  delta(
    0,
    '{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]}',
  ),
  delta(0, '{"tool_calls":[{"index":0,"function":{"arguments":"{\\"choice\\":"}}]}'),
  delta(0, '{"tool_calls":[{"index":0,"function":{"arguments":"\\"B\\"}"}}]}'),
  delta(0, '{}', '"stop"'),
  'data: [DONE]\n\n',
].join('');

describe('what a reply says', () => {
  test('content, usage and finish reason', () => {
    expect(openaiChat.readReply(WITH_LOGPROBS, false)).toMatchObject({
      texts: ['[[B]] \u2014 better'],
      finish: 'stop',
      usage: JSON.parse(WITH_LOGPROBS).usage,
      tokens: { input: 1019, output: 10 },
    });
  });

  test('the arguments of the first tool call where there is no content', () => {
    expect(openaiChat.readReply(FORCED_TOOL, false)).toMatchObject({
      texts: ['{\n"choice": "A"\n}'],
      finish: 'stop',
      tokens: { input: 82, output: 17 },
    });
    expect(openaiChat.readReply(TOOL_STREAM, true)).toMatchObject({
      texts: ['{"choice":"B"}'],
      finish: 'stop',
      usage: null,
      tokens: null,
    });
  });

  test.each([
    ['a refusal', '{"content":null,"refusal":"I\'m sorry"}', "I'm sorry"],
    ['a function call of 2023', '{"content":null,"function_call":{"name":"f","arguments":"{}"}}', '{}'],
    ['parts', '{"content":[{"type":"text","text":"[[A"},{"type":"text","text":"]]"}]}', '[[A]]'],
    ['nothing: all tokens went into thinking', '{"content":"","reasoning_content":"hm"}', ''],
    ['both: content counts', '{"content":"x","tool_calls":[{"function":{"arguments":"{}"}}]}', 'x'],
  ])('%s', (_, message, expected) => {
    const body = `{"choices":[{"index":0,"message":${message},"finish_reason":"stop"}]}`;
    expect(openaiChat.readReply(body, false).texts).toEqual([expected]);
  });

  test('several choices in the order of their index', () => {
    const body =
      '{"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"length"},{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}';
    expect(openaiChat.readReply(body, false)).toMatchObject({
      texts: ['a', 'b'],
      finish: 'stop',
      finishes: ['stop', 'length'],
    });
  });

  test('white space sent ahead to keep the connection alive does no harm', () => {
    expect(openaiChat.readReply(` \n  ${FORCED_TOOL}`, false).texts).toHaveLength(1);
  });
});

describe('a stream', () => {
  const whole = {
    texts: ['Output (a)\u2028', 'Output (b)'],
    finish: 'stop',
    tokens: { input: 19, output: 10 },
  };
  test('is put together choice by choice', () => {
    expect(openaiChat.readReply(STREAM, true)).toMatchObject(whole);
  });
  test.each([
    ['CRLF', STREAM.replaceAll('\n', '\r\n')],
    ['no space after the colon', STREAM.replaceAll('data: ', 'data:')],
    ['no blank line at the end', STREAM.trimEnd()],
    ['no [DONE], but all choices ended', STREAM.replace('data: [DONE]\n\n', '')],
    ['event names', STREAM.replaceAll('data: {', 'event: chunk\ndata: {')],
  ])('with %s', (_, body) => {
    expect(openaiChat.readReply(body, true)).toMatchObject(whole);
  });
  test('answered with plain JSON is read as that', () => {
    expect(openaiChat.readReply(FORCED_TOOL, true).texts).toEqual(['{\n"choice": "A"\n}']);
  });
});

describe('what is whole but no chat completion says nothing, and is left to the client to read', () => {
  const cut = STREAM.slice(0, STREAM.indexOf('(b)"}') + '(b)"}'.length);
  test.each([
    ['a list of something else', '{"object":"list","data":[]}', false],
    ['an error inside a 200', '{"error":{"message":"overloaded","code":529}}', false],
    ['an error inside a 200, as text', '{"error":"no model"}', false],
    [
      'an error beside choices',
      '{"error":{"message":"cut"},"choices":[{"message":{"content":"Output (a)"}}]}',
      false,
    ],
    [
      'an error within a stream',
      cut.replace(/data: [^\n]*$/, 'data: {"error":{"message":"upstream died"}}\n\n'),
      true,
    ],
  ] as const)('%s', (_, body, stream) => {
    expect(openaiChat.readReply(body, stream).texts).toEqual([]);
  });
});

describe('what is no whole reply is an error, never an empty verdict', () => {
  const upTo = (part: string) => STREAM.slice(0, STREAM.indexOf(part) + part.length);
  test.each([
    ['half a JSON', WITH_LOGPROBS.slice(0, 700), false, 'not valid JSON'],
    ['nothing', '', false, 'the reply is empty'],
    ['a page of HTML', '<html>502</html>', false, 'the reply is a page of HTML'],
    [
      'a stream cut between events',
      upTo('"Output (b)"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"aB3"}\n\n'),
      true,
      'cut off',
    ],
    ['a stream cut within an event', upTo('"content":"Outp'), true, 'not valid JSON'],
    [
      'a stream of which one choice has not ended',
      upTo('"finish_reason":"length"}],"usage":null,"obfuscation":"aB3"}\n\n'),
      true,
      'cut off',
    ],
    ['a stream of no events', ': hello\n\n', true, 'cut off'],
  ] as const)('%s', (_, body, stream, message) => {
    try {
      openaiChat.readReply(body, stream);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JudgeError);
      expect(error).toHaveProperty('retryable', false);
      expect(String(error)).toContain(message);
    }
  });
});

describe('usage is raised in place', () => {
  const added = [
    {
      prompt_tokens: 1000,
      completion_tokens: 1,
      total_tokens: 1001,
      prompt_tokens_details: { cached_tokens: 3 },
    },
    { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, cost: 0.5 },
  ];

  test('in a JSON reply, nested details too, and nothing else moves', () => {
    const expected = WITH_LOGPROBS.replace('1019', '2024')
      .replace('"completion_tokens": 10', '"completion_tokens": 13')
      .replace('1029', '2037')
      .replace('512', '515');
    expect(openaiChat.withUsage(WITH_LOGPROBS, false, added)).toBe(expected);
  });

  test('in the chunk of a stream that has it', () => {
    const expected = STREAM.replace('"prompt_tokens":19', '"prompt_tokens":1024')
      .replace('"completion_tokens":10', '"completion_tokens":13')
      .replace('"total_tokens":29', '"total_tokens":1037')
      .replace('"cached_tokens":7', '"cached_tokens":10');
    expect(openaiChat.withUsage(STREAM, true, added)).toBe(expected);
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(openaiChat.withUsage(crlf(STREAM), true, added)).toBe(crlf(expected));
  });

  test('of several chunks that count upwards, in the last', () => {
    const counting = chunk('', ',"usage":{"prompt_tokens":1}') + chunk('', ',"usage":{"prompt_tokens":2}');
    expect(openaiChat.withUsage(counting, true, [{ prompt_tokens: 10 }])).toBe(
      counting.replace('"prompt_tokens":2', '"prompt_tokens":12'),
    );
  });

  test.each([
    ['a reply without usage', TOOL_STREAM, true],
    ['a reply without usage', '{"choices":[],"usage":null}', false],
    [
      'a text that speaks of "usage"',
      STREAM.replace('(b)', '{\\"usage\\":{\\"prompt_tokens\\":1}}').replace(/,"usage":\{.*?\}\}/, ''),
      true,
    ],
  ])('%s stays as it is', (_, body, stream) => {
    expect(openaiChat.withUsage(body, stream, added)).toBe(body);
  });

  test('nothing inherited is a count', () => {
    const body = '{"choices":[],"usage":{"__proto__":{"x":1},"constructor":{"length":2},"n":3}}';
    expect(openaiChat.withUsage(body, false, [{}, { n: 'many' }, JSON.parse('{"__proto__":{"x":1}}')])).toBe(
      body.replace('"x":1', '"x":2'),
    );
  });

  test('with no other calls, not a byte', () => {
    expect(openaiChat.withUsage('not even JSON', false, [])).toBe('not even JSON');
  });
});

test('errors have the form that OpenAI’s clients read', () => {
  expect(JSON.parse(openaiChat.errorBody(400, 'messages: is required', 'messages'))).toEqual({
    error: { message: 'messages: is required', type: 'invalid_request_error', param: 'messages', code: null },
  });
  expect(JSON.parse(openaiChat.errorBody(429, 'slow down', null)).error.type).toBe('rate_limit_error');
  expect(openaiChat.errorEvent(502, 'gone\n')).toBe(
    'data: {"error":{"message":"gone\\n","type":"api_error","param":null,"code":null}}\n\n',
  );
});
