import { describe, expect, test } from 'vitest';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import { JudgeError } from '../../src/http/send.ts';
import {
  call,
  message,
  reasoning,
  refusal,
  response,
  stream,
  streamedCall,
  streamedMessage,
  WHOLE,
} from './responses-replies.ts';

const EVENTS = stream(streamedMessage('Output (a)\u2028 it is'));
const STREAM = EVENTS.join('');
const read = (body: unknown) => openaiResponses.readReply(JSON.stringify(body), false);

describe('what a response says', () => {
  test('text, usage and how it ended, the reasoning apart', () => {
    expect(openaiResponses.readReply(WHOLE, false)).toEqual({
      texts: ['Output (a) \u2014 better'],
      reasoning: 'Output (b) is tempting.',
      finish: 'stop',
      sampled: [[{ text: 'Output', probability: Math.exp(-1.5e-6), likeliest: [] }]],
      shape: '{"calls":[],"logprobs":true}',
      usage: JSON.parse(WHOLE).usage,
      tokens: { input: 1019, output: 11 },
      served: 'gpt-5-nano-2025-08-07',
    });
  });

  test.each([
    ['a forced function', [reasoning, call('{"choice":"A"}')], '{"choice":"A"}'],
    ['of two calls the first', [call('{"choice":"A"}'), call('{"choice":"B"}')], '{"choice":"A"}'],
    ['text before a call', [message('A'), call('{}')], 'A'],
    ['an empty message beside a call', [message(''), call('{}')], '{}'],
    ['a refusal', [refusal("I'm sorry")], "I'm sorry"],
    ['two messages, read together as output_text is', [message('A: '), message('B', 'msg_2')], 'A: B'],
    ['nothing but reasoning', [reasoning], ''],
    ['no output at all', [], ''],
    ['items nobody here has heard of', [{ type: 'web_search_call', content: 5 }, message('A')], 'A'],
    ['calls with arguments of their own', [{ type: 'tool_search_call', arguments: {} }, call('{}')], '{}'],
  ])('%s', (_, output, expected) => {
    expect(read(response(output)).texts).toEqual([expected]);
  });

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('incomplete for %s: %s', (reason, finish) => {
    const cut = response([message('Outp')], { status: 'incomplete', incomplete_details: { reason } });
    expect(read(cut)).toMatchObject({ texts: ['Outp'], finish });
    const body = stream(streamedMessage('Outp', { type: 'response.incomplete', response: cut })).join('');
    expect(openaiResponses.readReply(body, true)).toMatchObject({ texts: ['Outp'], finish });
  });

  test('the functions called and log-probabilities are its shape', () => {
    const shape = (...output: object[]) => read(response(output)).shape;
    expect(shape(message('A'))).toBe(shape(reasoning, message('B')));
    expect(shape(call('{}', 'f'))).not.toBe(shape(call('{}', 'g')));
    expect(shape(call('{}'))).not.toBe(shape(message('{}')));
  });

  test('white space sent ahead to keep the connection alive does no harm', () => {
    expect(openaiResponses.readReply(` \n  ${WHOLE}`, false).texts).toHaveLength(1);
  });
});

describe('a stream', () => {
  const whole = { texts: ['Output (a)\u2028 it is'], finish: 'stop', tokens: { input: 100, output: 4 } };
  test.each([
    ['as sent', STREAM],
    ['with CRLF', STREAM.replaceAll('\n', '\r\n')],
    ['without event names', STREAM.replaceAll(/^event: .*\n/gm, '')],
    ['with no blank line at the end', STREAM.trimEnd()],
    ['with [DONE] after it', `${STREAM}data: [DONE]\n\n`],
    ['with heartbeats', `: ping\n${STREAM.replaceAll('\n\n', '\n\n: ping\n\n')}`],
  ])('is read %s', (_, body) => {
    expect(openaiResponses.readReply(body, true)).toMatchObject(whole);
  });

  test('of a function call', () => {
    const body = stream(streamedCall('{"choice":"B"}')).join('');
    expect(openaiResponses.readReply(body, true)).toMatchObject({
      texts: ['{"choice":"B"}'],
      shape: '{"calls":["select_choice"],"logprobs":false}',
    });
  });

  test('answered with plain JSON is read as that', () => {
    expect(openaiResponses.readReply(WHOLE, true).texts).toEqual(['Output (a) \u2014 better']);
  });

  const empty = { type: 'response.completed', response: response([]) };
  test.each([
    ['items', stream([...streamedMessage('Output (b)').slice(0, -1), empty]), 'Output (b)'],
    [
      'pieces',
      stream([
        ...streamedMessage('Output (b)').filter(({ type }) => /created|added|delta/.test(type)),
        empty,
      ]),
      'Output (b)',
    ],
    [
      'pieces of a call',
      stream([
        ...streamedCall('{"choice":"B"}').filter(({ type }) => /created|added|delta/.test(type)),
        empty,
      ]),
      '{"choice":"B"}',
    ],
  ])('whose last event is empty is put together from its %s', (_, events, expected) => {
    const whole = openaiResponses.readReply(
      stream(expected[0] === '{' ? streamedCall(expected) : streamedMessage(expected)).join(''),
      true,
    );
    expect(openaiResponses.readReply(events.join(''), true)).toEqual(whole);
    expect(whole).toMatchObject({
      texts: [expected],
      finish: 'stop',
      tokens: { input: 100, output: 4 },
    });
  });
});

describe('what is whole but no response says nothing, and is left to the client to read', () => {
  const error = { code: 'server_error', message: 'overloaded' };
  const failed = response([message('Output (a)')], { status: 'failed', error });
  test.each([
    ['a list of something else', '{"object":"list","data":[]}', false],
    ['a chat completion', '{"choices":[{"message":{"content":"Output (a)"}}]}', false],
    ['an error inside a 200', '{"error":{"message":"overloaded"}}', false],
    ['a failed response', JSON.stringify(failed), false],
    ['a cancelled one', JSON.stringify(response([message('A')], { status: 'cancelled' })), false],
    ['a ticket', JSON.stringify(response([], { status: 'queued', usage: null })), false],
    [
      'a stream that failed',
      [...EVENTS.slice(0, 9), ...stream([{ type: 'response.failed' }])].join(''),
      true,
    ],
    ['a stream with an error', [...EVENTS.slice(0, 9), openaiResponses.errorEvent(502, 'x')].join(''), true],
    ['a stream with a gateway’s error', `${EVENTS[0]}data: {"error":{"message":"x"}}\n\n`, true],
    ['a stream of chat chunks', 'data: {"choices":[]}\n\ndata: [DONE]\n\n', true],
  ] as const)('%s', (_, body, asked) => {
    expect(openaiResponses.readReply(body, asked).texts).toEqual([]);
  });
});

describe('what is no whole reply is an error, never an empty or a wrong verdict', () => {
  test.each([
    ['half a JSON', WHOLE.slice(0, 700), false],
    ['nothing', '', false],
    ['a page of HTML', '<html>502</html>', false],
    ['a stream of no events', ': hello\n\n', true],
    ['a stream that says [DONE] and nothing else', 'data: [DONE]\n\n', true],
    ['pieces, and then [DONE]', `${EVENTS.slice(0, -1).join('')}data: [DONE]\n\n`, true],
  ] as const)('%s', (_, body, asked) => {
    expect(() => openaiResponses.readReply(body, asked)).toThrow(JudgeError);
  });

  test.each([
    ['a message', EVENTS],
    ['a call', stream(streamedCall('{"choice":"B"}'))],
  ])('a stream of %s cut anywhere', (_, events) => {
    for (let n = 0; n < events.length; n++) {
      const upTo = events.slice(0, n).join('');
      expect(() => openaiResponses.readReply(upTo, true)).toThrow(JudgeError);
      // Within the next event: after its name, and half-way through its data.
      for (const more of [events[n]?.split('\n')[0] ?? '', events[n]?.slice(0, -30) ?? '']) {
        expect(() => openaiResponses.readReply(upTo + more, true)).toThrow(JudgeError);
      }
    }
  });
});

describe('usage is raised in place', () => {
  const added = [
    { input_tokens: 1000, output_tokens: 1, total_tokens: 1001, input_tokens_details: { cached_tokens: 3 } },
    { input_tokens: 5, output_tokens: 2, total_tokens: 7, output_tokens_details: { reasoning_tokens: 9 } },
  ];

  test('in a whole response, nested details too, and nothing else moves', () => {
    const expected = WHOLE.replace('1019', '2024')
      .replace('"output_tokens": 11', '"output_tokens": 14')
      .replace('1030', '2038')
      .replace('512', '515')
      .replace('"reasoning_tokens": 6', '"reasoning_tokens": 15');
    expect(openaiResponses.withUsage(WHOLE, false, added)).toBe(expected);
  });

  test('in the last event of a stream', () => {
    const expected = STREAM.replace('"input_tokens":100', '"input_tokens":1105')
      .replace('"output_tokens":4', '"output_tokens":7')
      .replace('"total_tokens":104', '"total_tokens":1112')
      .replace('"cached_tokens":10', '"cached_tokens":13')
      .replace('"reasoning_tokens":0', '"reasoning_tokens":9');
    expect(openaiResponses.withUsage(STREAM, true, added)).toBe(expected);
  });

  test.each([
    ['a response without usage', '{"output":[],"usage":null}', false],
    ['a text that speaks of "usage"', STREAM.replaceAll(/"usage":\{.*?\}.*?\}.*?\}/g, '"usage":null'), true],
  ])('%s stays as it is', (_, body, asked) => {
    expect(openaiResponses.withUsage(body, asked, added)).toBe(body);
  });
});

test('errors have the form that OpenAI’s clients read', () => {
  expect(JSON.parse(openaiResponses.errorBody(400, 'input: is required', 'input'))).toEqual({
    error: { message: 'input: is required', type: 'invalid_request_error', param: 'input', code: null },
  });
  const error = '{"message":"gone\\n","type":"api_error","param":null,"code":null}';
  expect(openaiResponses.errorEvent(502, 'gone\n')).toBe(
    `event: error\ndata: {"type":"error","code":"api_error","message":"gone\\n","param":null,"sequence_number":0,"error":${error}}\n\n`,
  );
  expect(openaiResponses.credential('sk-1')).toEqual(['authorization', 'Bearer sk-1']);
});
