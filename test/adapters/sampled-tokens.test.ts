/** Log-probabilities in the bytes of real servers, whole and streamed: one form for all of them. */
import { describe, expect, test } from 'vitest';
import { gemini } from '../../adapters/gemini/index.ts';
import { openaiChat } from '../../adapters/openai-chat/index.ts';
import { openaiCompletions } from '../../adapters/openai-completions/index.ts';
import { openaiResponses } from '../../adapters/openai-responses/index.ts';
import type { Adapter } from '../../adapters/types.ts';

/** Each token, its probability and those of its alternatives, rounded. */
function read(adapter: Adapter, body: string, stream = false) {
  const round = (probability: number) => Math.round(probability * 1000) / 1000;
  return adapter
    .readReply(body, stream)
    .sampled?.map(
      (tokens) =>
        tokens?.map(({ text, probability, likeliest }) => [
          text,
          round(probability),
          Object.fromEntries(likeliest.map((one) => [one.text, round(one.probability)])),
        ]) ?? null,
    );
}

const CHAT_TOKENS =
  '{"token":"m","logprob":-0.2231,"bytes":[109],"top_logprobs":[{"token":"m","logprob":-0.2231,"bytes":[109]},{"token":"M","logprob":-1.6094,"bytes":[77]}]}';
const chat = (choices: string) =>
  `{"id":"chatcmpl-B","object":"chat.completion","created":1741570283,"model":"gpt-4o-2024-08-06","choices":[${choices}],"usage":{"prompt_tokens":812,"completion_tokens":1,"total_tokens":813}}`;
const chatChoice = (index: number, logprobs: string) =>
  `{"index":${index},"message":{"role":"assistant","content":"m","refusal":null,"annotations":[]},"logprobs":${logprobs},"finish_reason":"length"}`;

describe('chat completions', () => {
  test('a choice', () => {
    expect(read(openaiChat, chat(chatChoice(0, `{"content":[${CHAT_TOKENS}],"refusal":null}`)))).toEqual([
      [['m', 0.8, { m: 0.8, M: 0.2 }]],
    ]);
  });

  test('of several choices each has its own, or none', () => {
    const both = `${chatChoice(1, 'null')},${chatChoice(0, `{"content":[${CHAT_TOKENS}],"refusal":null}`)}`;
    expect(read(openaiChat, chat(both))).toEqual([[['m', 0.8, { m: 0.8, M: 0.2 }]], null]);
  });

  test('streamed, some in every chunk', () => {
    const chunk = (delta: string, logprobs: string, finish = 'null') =>
      `data: {"id":"chatcmpl-B","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","choices":[{"index":0,"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}]}\n\n`;
    const eight =
      '{"token":"8","logprob":-0.6931,"bytes":[56],"top_logprobs":[{"token":"8","logprob":-0.6931,"bytes":[56]},{"token":"7","logprob":-0.6931,"bytes":[55]}]}';
    const score =
      '{"token":"Score","logprob":0.0,"bytes":[83,99,111,114,101],"top_logprobs":[]},{"token":": ","logprob":-0.0001,"bytes":[58,32],"top_logprobs":[]}';
    const stream = [
      chunk('{"role":"assistant","content":"","refusal":null}', '{"content":[],"refusal":null}'),
      chunk('{"content":"Score: "}', `{"content":[${score}],"refusal":null}`),
      chunk('{"content":"8"}', `{"content":[${eight}],"refusal":null}`),
      chunk('{}', 'null', '"stop"'),
      'data: [DONE]\n\n',
    ].join('');
    expect(read(openaiChat, stream, true)).toEqual([
      [
        ['Score', 1, {}],
        [': ', 1, {}],
        ['8', 0.5, { 8: 0.5, 7: 0.5 }],
      ],
    ]);
  });

  test.each([
    ['numbers as text', '{"content":[{"token":"m","logprob":"-0.2"}]}'],
    ['a list with a hole in it', `{"content":[${CHAT_TOKENS},null]}`],
    ['no list', '{"content":"m"}'],
    ['no object', '[1]'],
    ['nothing', '{}'],
  ])('%s: the reply is read without them', (_, logprobs) => {
    const reply = openaiChat.readReply(chat(chatChoice(0, logprobs)), false);
    expect(reply).toMatchObject({ texts: ['m'], finish: 'length' });
    expect(reply.sampled).toBeUndefined();
  });

  test('alternatives that are none are left out, the others kept; what is said to be certain is at most that', () => {
    const odd = '{"token":"m","logprob":0.3,"top_logprobs":[{"token":"M","logprob":-9999.0},{"token":1},7]}';
    expect(read(openaiChat, chat(chatChoice(0, `{"content":[${odd}]}`)))).toEqual([[['m', 1, { M: 0 }]]]);
  });
});

describe('completions', () => {
  const choice = (logprobs: string) =>
    `{"id":"cmpl-1","object":"text_completion","created":1,"model":"davinci-002","choices":[{"text":"m\\n","index":0,"logprobs":${logprobs},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`;

  test('the older columns', () => {
    const logprobs =
      '{"tokens":["m","\\n"],"token_logprobs":[-0.2231,-0.0001],"top_logprobs":[{"m":-0.2231,"M":-1.6094},{"\\n":-0.0001}],"text_offset":[20,21]}';
    expect(read(openaiCompletions, choice(logprobs))).toEqual([
      [
        ['m', 0.8, { m: 0.8, M: 0.2 }],
        ['\n', 1, { '\n': 1 }],
      ],
    ]);
  });

  test('streamed', () => {
    const chunk = (text: string, logprobs: string, finish: string) =>
      `data: {"id":"cmpl-1","object":"text_completion","created":1,"choices":[{"text":"${text}","index":0,"logprobs":${logprobs},"finish_reason":${finish}}],"model":"m"}\n\n`;
    const column = (token: string) =>
      `{"tokens":["${token}"],"token_logprobs":[-0.6931],"top_logprobs":[{"${token}":-0.6931}],"text_offset":[0]}`;
    const body = `${chunk('9', column('9'), 'null')}${chunk(' 6', column(' 6'), '"stop"')}data: [DONE]\n\n`;
    expect(read(openaiCompletions, body, true)).toEqual([
      [
        ['9', 0.5, { 9: 0.5 }],
        [' 6', 0.5, { ' 6': 0.5 }],
      ],
    ]);
  });

  test('an echoed prompt begins with a token of no known probability', () => {
    const logprobs =
      '{"tokens":["Hi","m"],"token_logprobs":[null,-0.6931],"top_logprobs":[null,{"m":-0.6931}]}';
    expect(read(openaiCompletions, choice(logprobs))).toEqual([
      [
        ['Hi', 0, {}],
        ['m', 0.5, { m: 0.5 }],
      ],
    ]);
  });

  test('columns of another kind are no log-probabilities', () => {
    expect(openaiCompletions.readReply(choice('{"tokens":[1]}'), false).sampled).toBeUndefined();
  });
});

describe('responses', () => {
  const logprobs =
    '[{"token":"8","bytes":[56],"logprob":-0.2231,"top_logprobs":[{"token":"8","bytes":[56],"logprob":-0.2231},{"token":"7","bytes":[55],"logprob":-1.6094}]}]';
  const message = (said: string) =>
    `{"id":"msg_1","type":"message","status":"completed","content":[${said}],"role":"assistant"}`;
  const part = (some: string) => `{"type":"output_text","annotations":[],"logprobs":${some},"text":"8"}`;
  const response = (output: string) =>
    `{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,"incomplete_details":null,"model":"gpt-4o-2024-08-06","output":[${output}],"usage":{"input_tokens":9,"output_tokens":1,"total_tokens":10}}`;

  test('whole', () => {
    expect(read(openaiResponses, response(message(part(logprobs))))).toEqual([
      [['8', 0.8, { 8: 0.8, 7: 0.2 }]],
    ]);
  });

  test('a part without them leaves none: the others would stand for all', () => {
    const { sampled } = openaiResponses.readReply(
      response(message(`${part(logprobs)},${part('[]')}`)),
      false,
    );
    expect(sampled).toBeUndefined();
  });

  test.each([
    ['the last event has them', message(part(logprobs))],
    ['only the deltas have them', ''],
  ])('streamed; %s', (_, output) => {
    const event = (type: string, rest: string) => `event: ${type}\ndata: {"type":"${type}",${rest}}\n\n`;
    const at = '"item_id":"msg_1","output_index":0,"content_index":0';
    const body = [
      event('response.created', `"response":${response('').replace('completed', 'in_progress')}`),
      event(
        'response.output_item.added',
        '"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","content":[],"role":"assistant"}',
      ),
      event('response.output_text.delta', `${at},"delta":"8","logprobs":${logprobs}`),
      event('response.completed', `"response":${response(output)}`),
    ].join('');
    expect(read(openaiResponses, body, true)).toEqual([[['8', 0.8, { 8: 0.8, 7: 0.2 }]]]);
  });
});

describe('Gemini', () => {
  const result = (token: string, other: string) =>
    `{"topCandidates":[{"candidates":[{"token":"${token}","tokenId":235284,"logProbability":-0.2231},{"token":"${other}","tokenId":235276,"logProbability":-1.6094}]}],"chosenCandidates":[{"token":"${token}","tokenId":235284,"logProbability":-0.2231}]}`;
  const content = (text: string, logprobs: string, finish = '"STOP"') =>
    `{"candidates":[{"content":{"parts":[{"text":"${text}"}],"role":"model"},"finishReason":${finish},"avgLogprobs":-0.22,"logprobsResult":${logprobs}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10},"modelVersion":"gemini-2.0-flash"}`;

  test('whole', () => {
    expect(read(gemini, content('A', result('A', 'B')))).toEqual([[['A', 0.8, { A: 0.8, B: 0.2 }]]]);
  });

  test('streamed', () => {
    const body = `data: ${content('[[', result('[[', '['), 'null')}\n\ndata: ${content('A', result('A', 'B'))}\n\n`;
    expect(read(gemini, body, true)).toEqual([
      [
        ['[[', 0.8, { '[[': 0.8, '[': 0.2 }],
        ['A', 0.8, { A: 0.8, B: 0.2 }],
      ],
    ]);
  });

  test('another form is none', () => {
    expect(
      gemini.readReply(content('A', '{"chosenCandidates":[{"token":"A"}]}'), false).sampled,
    ).toBeUndefined();
  });
});
