/** Content in the forms in which Google sends it: read, counted, and given another text. */
import { describe, expect, test } from 'vitest';
import { gemini } from '../../adapters/gemini/index.ts';
import { JudgeError } from '../../src/http/send.ts';

const { withText, withUsage } = gemini;
const readReply = (body: string) => gemini.readReply(body, false);

const USAGE =
  '{"promptTokenCount": 1019,"candidatesTokenCount": 10,"totalTokenCount": 1429,"cachedContentTokenCount": 512,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 761},{"modality": "IMAGE","tokenCount": 258}],"thoughtsTokenCount": 400}';

const candidate = (parts: string, finish = '"STOP"', rest = '') =>
  `{"content": {"parts": [${parts}],"role": "model"},"finishReason": ${finish},"index": 0${rest}}`;
const content = (candidates: string, usage = USAGE) =>
  `{\n  "candidates": [${candidates}],\n  "usageMetadata": ${usage},\n  "modelVersion": "gemini-2.5-flash","responseId": "5PsSaY"\n}\n`;

const THOUGHT = '{"text": "**Weighing** Output (a) is long","thought": true}';
const CALL =
  '{"functionCall": {"name": "choose","args": { "winner": "B",  "score": 1.0, "why":"caf\\u00e9" }},"thoughtSignature": "CiQB"}';

describe('what a reply says', () => {
  test('text, usage with cache and thoughts, and the reason it ended for', () => {
    expect(readReply(content(candidate(`${THOUGHT},{"text": "[[B]] \\u2014"},{"text": " better"}`)))).toEqual(
      {
        texts: ['[[B]] \u2014 better'],
        reasoning: '**Weighing** Output (a) is long',
        finish: 'STOP',
        shape: '[[[],false]]',
        usage: JSON.parse(USAGE),
        tokens: { input: 1019, output: 410 },
        served: 'gemini-2.5-flash',
      },
    );
  });

  test.each([
    ['a call’s arguments, to the letter', CALL, '{ "winner": "B",  "score": 1.0, "why":"caf\\u00e9" }'],
    ['of several calls the first', `${CALL},{"functionCall":{"name":"f","args":{}}}`, /^\{ "winner"/],
    ['a call without arguments', '{"functionCall": {"name": "f"}}', ''],
    ['both: the text counts', `{"text":"x"},${CALL}`, 'x'],
    ['thoughts alone say nothing', THOUGHT, ''],
  ])('%s', (_, parts, expected) => {
    const { texts } = readReply(content(candidate(parts)));
    expect(texts).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });

  test('several candidates in the order of their index', () => {
    const second = candidate('{"text": "b"}', '"MAX_TOKENS"').replace('"index": 0', '"index": 1');
    expect(readReply(content(`${second},${candidate('{"text": "a"}')}`))).toMatchObject({
      texts: ['a', 'b'],
      finish: 'STOP',
      shape: '[[[],false],[[],false]]',
    });
  });

  test.each([
    ['MAX_TOKENS', 'length', 'x'],
    ['STOP', 'STOP', 'x'],
    // What was said before it was stopped is a fragment, and no verdict is read from it.
    ['SAFETY', 'SAFETY', ''],
    ['RECITATION', 'RECITATION', ''],
  ])('%s is %s', (reason, finish, text) => {
    expect(readReply(content(candidate('{"text":"x"}', `"${reason}"`)))).toMatchObject({
      texts: [text],
      finish,
    });
  });

  test.each([
    [
      'a prompt that was blocked',
      '{"promptFeedback": {"blockReason": "SAFETY"},"usageMetadata": {"promptTokenCount": 4}}',
    ],
    [
      'an error inside a 200',
      '{"error": {"code": 503,"message": "The model is overloaded.","status": "UNAVAILABLE"}}',
    ],
    [
      'an error inside an array',
      '[{"error": {"code": 503,"message": "overloaded","status": "UNAVAILABLE"}}\n]',
    ],
    ['something else', '{"models": []}'],
  ])('%s says nothing', (_, body) => {
    expect(readReply(body).texts).toEqual([]);
  });
});

const CHUNKS = [
  content(
    candidate(THOUGHT, 'null'),
    '{"promptTokenCount": 19,"totalTokenCount": 50,"thoughtsTokenCount": 31}',
  ),
  content(
    candidate('{"text": "Output"}', 'null'),
    '{"promptTokenCount": 19,"candidatesTokenCount": 1,"totalTokenCount": 51,"thoughtsTokenCount": 31}',
  ),
  content(
    candidate('{"text": " (b)\u2028"}', 'null'),
    '{"promptTokenCount": 19,"candidatesTokenCount": 3,"totalTokenCount": 53,"thoughtsTokenCount": 31}',
  ),
  content(
    candidate('{"text": ""}'),
    '{"promptTokenCount": 19,"candidatesTokenCount": 4,"totalTokenCount": 54,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 19}],"thoughtsTokenCount": 31}',
  ),
];
const events = (chunks: readonly string[]) =>
  chunks.map((chunk) => `data: ${chunk.trim().replaceAll('\n', '')}\r\n\r\n`).join('');
/** As `:streamGenerateContent` answers without `?alt=sse`. */
const array = (chunks: readonly string[]) => `[${chunks.map((chunk) => chunk.trimEnd()).join('\n,\r\n')}\n]`;

describe.each([
  ['events', events],
  ['a JSON array', array],
])('a stream as %s', (_, streamed) => {
  test('is put together from its chunks; the last counts', () => {
    expect(readReply(streamed(CHUNKS))).toEqual({
      texts: ['Output (b)\u2028'],
      reasoning: '**Weighing** Output (a) is long',
      finish: 'STOP',
      shape: '[[[],false]]',
      usage: expect.objectContaining({ candidatesTokenCount: 4 }),
      tokens: { input: 19, output: 35 },
      served: 'gemini-2.5-flash',
    });
  });

  test('cut off between two chunks or within one is an error, never another verdict', () => {
    const whole = streamed(CHUNKS);
    const last = whole.lastIndexOf('"finishReason": "STOP"');
    const ends = _ === 'events' ? whole.indexOf('\r\n\r\n', last) : whole.length;
    for (let at = 0; at < ends; at += at > ends - 8 ? 1 : 7)
      expect(() => readReply(whole.slice(0, at)), `cut at ${at}`).toThrow(JudgeError);
    expect(() => readReply(streamed(CHUNKS.slice(0, 3)))).toThrow('cut off');
    expect(() => readReply(streamed([]))).toThrow(JudgeError);
    expect(readReply(whole.slice(0, ends)).texts).toEqual(['Output (b)\u2028']);
  });

  test('with an error at its end says nothing', () => {
    const failed = '{"error": {"code": 500,"message": "Internal","status": "INTERNAL"}}';
    expect(readReply(streamed([...CHUNKS.slice(0, 3), failed])).texts).toEqual([]);
  });

  test('of a call, of a blocked prompt', () => {
    expect(readReply(streamed([content(candidate(CALL))])).texts[0]).toMatch(/^\{ "winner"/);
    expect(readReply(streamed(['{"promptFeedback": {"blockReason": "OTHER"}}'])).texts).toEqual([]);
  });

  test('has its usage raised in the chunk that counts last, and its text replaced in the first', () => {
    const added = [{ promptTokenCount: 100, candidatesTokenCount: 2, totalTokenCount: 102 }];
    const [one = '', two = '', three = '', four = ''] = CHUNKS;
    const raised = four
      .replace('"promptTokenCount": 19', '"promptTokenCount": 119')
      .replace('"candidatesTokenCount": 4', '"candidatesTokenCount": 6')
      .replace('"totalTokenCount": 54', '"totalTokenCount": 156');
    expect(withUsage(streamed(CHUNKS), true, added)).toBe(streamed([one, two, three, raised]));
    const said = withText(streamed(CHUNKS), true, 'Output (a)');
    const expected = [two.replace('"Output"', '"Output (a)"'), three.replace('" (b)\u2028"', '""')];
    expect(said).toBe(streamed([one, ...expected, four]));
    expect(readReply(said).texts).toEqual(['Output (a)']);
  });
});

test('what is no JSON is an error', () => {
  for (const body of [
    '',
    '<html>502</html>',
    content(candidate(CALL)).slice(0, 90),
    'data: {"cand',
    ': hello\n\n',
  ])
    expect(() => readReply(body), body).toThrow(JudgeError);
  const deep = `{"candidates":[{"content":{"parts":[{"functionCall":{"args":${'['.repeat(600)}${']'.repeat(600)}}}]}}]}`;
  expect(() => readReply(deep)).toThrow(JudgeError);
});

test('calls and log-probabilities are what a client relies on', () => {
  const shape = (parts: string, rest = '') => readReply(content(candidate(parts, '"STOP"', rest))).shape;
  const plain = shape('{"text":"x"}');
  expect(shape('{"text":"y"}')).toBe(plain);
  expect(shape(CALL)).not.toBe(plain);
  expect(shape('{"text":"x"}', ',"logprobsResult": {"chosenCandidates": []}')).not.toBe(plain);
});

describe('usage is raised in place', () => {
  test('the cache, the thoughts and each modality included, and nothing else moves', () => {
    const body = content(candidate('{"text":"x"}'));
    const added = [
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 5,
        promptTokensDetails: [
          { modality: 'IMAGE', tokenCount: 250 },
          { modality: 'TEXT', tokenCount: 750 },
        ],
      },
      { thoughtsTokenCount: 7, totalTokenCount: 9, promptTokensDetails: 'none', trafficType: 'ON_DEMAND' },
    ];
    expect(withUsage(body, false, added)).toBe(
      body
        .replace('"promptTokenCount": 1019', '"promptTokenCount": 2019')
        .replace('"cachedContentTokenCount": 512', '"cachedContentTokenCount": 517')
        .replace('"tokenCount": 761', '"tokenCount": 1511')
        .replace('"tokenCount": 258', '"tokenCount": 508')
        .replace('"thoughtsTokenCount": 400', '"thoughtsTokenCount": 407')
        .replace('"totalTokenCount": 1429', '"totalTokenCount": 1438'),
    );
  });
  test('without usage, and with no other calls: not a byte', () => {
    expect(withUsage('{"candidates":[]}', false, [{ promptTokenCount: 1 }])).toBe('{"candidates":[]}');
    expect(withUsage('not even JSON', false, [])).toBe('not even JSON');
  });
});

describe('another text where the verdict stands', () => {
  test('in the texts of every candidate, and the log-probabilities of the old words are gone', () => {
    const logprobs = ',"avgLogprobs": -0.01,"logprobsResult": {"chosenCandidates": [{"token": "A"}]}';
    const body = content(candidate(`${THOUGHT},{"text": "A"},{"text": "B"}`, '"STOP"', logprobs));
    expect(withText(body, false, '"C"')).toBe(
      body
        .replace('"text": "A"', '"text": "\\"C\\""')
        .replace('"text": "B"', '"text": ""')
        .replace('-0.01', 'null')
        .replace('{"chosenCandidates": [{"token": "A"}]}', 'null'),
    );
  });
  test('in the arguments of a call, as an object', () => {
    const body = content(candidate(CALL));
    expect(withText(body, false, '{"winner":"A"}')).toBe(body.replace(/\{ "winner".*?\}/, '{"winner":"A"}'));
    expect(withText(body, false, 'A')).toBe(body);
  });
});

describe('errors have the form of Google’s APIs', () => {
  test.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('%i: %s', (code, status) => {
    expect(JSON.parse(gemini.errorBody(code, 'no\n', null))).toEqual({
      error: { code, message: 'no\n', status },
    });
  });
  test('the field at fault, the last event of a stream, the header of a key', () => {
    expect(JSON.parse(gemini.errorBody(400, 'contents: is required', 'contents')).error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'contents', description: 'contents: is required' }],
      },
    ]);
    expect(gemini.errorEvent(502, 'gone\n')).toBe(
      'data: {"error":{"code":502,"message":"gone\\n","status":"UNAVAILABLE"}}\n\n',
    );
    expect(gemini.credential('AIza1')).toEqual(['x-goog-api-key', 'AIza1']);
  });
});
