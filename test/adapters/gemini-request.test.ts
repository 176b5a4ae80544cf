/** Requests for content: what is read of them, and what an edit moves. */
import { describe, expect, test } from 'vitest';
import { gemini } from '../../adapters/gemini/index.ts';
import { InputError } from '../../src/errors.ts';
import { exchanging } from './exchange.ts';

const TARGET = '/v1beta/models/gemini-2.5-flash:generateContent';
const read = (body: string, target = TARGET) => gemini.readRequest(body, target);

/** Bodies as clients send them: [what, raw JSON, option 1, option 2, the raw JSON with both exchanged]. */
const BODIES: readonly (readonly [string, string, string, string, string])[] = [
  [
    'compact, as the TypeScript client writes it',
    '{"contents":[{"parts":[{"text":"<a>one</a><b>two!</b>"}],"role":"user"}],"systemInstruction":{"parts":[{"text":"fair"}],"role":"user"},"generationConfig":{"temperature":0.0}}',
    'one',
    'two!',
    '{"contents":[{"parts":[{"text":"<a>two!</a><b>one</b>"}],"role":"user"}],"systemInstruction":{"parts":[{"text":"fair"}],"role":"user"},"generationConfig":{"temperature":0.0}}',
  ],
  [
    'as curl examples write it: snake case, and one part for a list of one',
    '{ "system_instruction": { "parts": { "text": "fair" } },\n  "contents": { "parts": { "text": "<a>x\\r\\n</a><b>yy</b>" } } }\n',
    'x\r\n',
    'yy',
    '{ "system_instruction": { "parts": { "text": "fair" } },\n  "contents": { "parts": { "text": "<a>yy</a><b>x\\r\\n</b>" } } }\n',
  ],
  [
    'json.dumps of Python, with an image and numbers that a re-encoder would change',
    String.raw`{"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBO\/w=="}}, {"text": "<a>caf\u00e9 \ud83d\ude00</a><b>\"x\"</b>"}]}], "generation_config": {"top_k": 4e1, "seed": 12345678901234567890}, "safetySettings": []}`,
    'café 😀',
    '"x"',
    String.raw`{"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBO\/w=="}}, {"text": "<a>\"x\"</a><b>caf\u00e9 \ud83d\ude00</b>"}]}], "generation_config": {"top_k": 4e1, "seed": 12345678901234567890}, "safetySettings": []}`,
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

test('the parts of the prompt: the system first; a model’s turn is an assistant’s', () => {
  const body =
    '{"contents":[{"parts":[{"text":"A"},{"fileData":{"fileUri":"gs://x"}},{"text":"B"}]},{"role":"model","parts":[{"text":"C"},{"functionCall":{"name":"f","args":{"text":"no"}}}]},' +
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"text":"no"}}}]},{"role":"user"}],"system_instruction":{"parts":[{"text":"S"}]},"systemInstruction":null}';
  expect(read(body).prompt.parts).toEqual([
    { role: 'system', text: 'S' },
    { role: 'user', text: 'A', mediaFollow: true },
    { role: 'user', text: 'B' },
    { role: 'assistant', text: 'C', mediaFollow: true },
  ]);
});

describe('our own field is taken off', () => {
  test('and the declared case is handed on', () => {
    const request = read('{"remand": {"case": 1}, "contents":[{"parts":[{"text":"abc"}]}]}');
    expect(request.body).toBe('{"contents":[{"parts":[{"text":"abc"}]}]}');
    expect(request.declared).toBe(1);
    expect(request.edited([{ at: { part: 0, start: 0, end: 1 }, with: 'X' }])).toBe(
      '{"contents":[{"parts":[{"text":"Xbc"}]}]}',
    );
  });
  test('but not where it is something else’s', () => {
    const body = '{"labels":{"remand":"x"},"contents":[{"parts":[{"text":"abc"}]}]}';
    expect(read(body)).toMatchObject({ body, declared: undefined });
  });
});

test.each([
  ['"generationConfig": {"temperature": 0.7}', '"generationConfig": {"temperature": 0}'],
  ['"generation_config":{"temperature":1e0}', '"generation_config":{"temperature":0}'],
  ['"generationConfig":{"temperature":0.0}', '"generationConfig":{"temperature":0.0}'],
  ['"generationConfig":{"topP":1}', '"generationConfig":{"topP":1}'],
  ['"temperature":1', '"temperature":1'],
])('%s, steady, is %s', (given, steady) => {
  const body = (rest: string) => `{"contents":[{"parts":[{"text":"x"}]}],${rest}}`;
  expect(read(body(given)).edited([], { steady: true })).toBe(body(steady));
  expect(read(body(given)).edited([])).toBe(body(given));
});

describe('the demanded schema', () => {
  const schema = { type: 'object', properties: { type: { type: 'string', enum: ['STRING', 'B'] } } };
  const google = { type: 'OBJECT', properties: { type: { type: 'STRING', enum: ['STRING', 'B'] } } };
  const of = (rest: object) =>
    read(JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }], ...rest })).schema;
  const choose = { name: 'choose', parameters: google };
  const other = { name: 'other', parametersJsonSchema: {} };
  const any = (allowedFunctionNames?: string[]) => ({
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames } },
  });

  test.each<[string, object, unknown]>([
    ['none', {}, null],
    ['responseSchema, in JSON Schema’s words', { generationConfig: { responseSchema: google } }, schema],
    ['response_schema', { generation_config: { response_schema: google } }, schema],
    ['responseJsonSchema', { generationConfig: { responseJsonSchema: schema } }, schema],
    ['a mime type alone has none', { generationConfig: { responseMimeType: 'application/json' } }, null],
    [
      'responseFormat, a list of one format a medium',
      {
        generationConfig: {
          responseFormat: [{ image: {} }, { text: { mimeType: 'APPLICATION_JSON', schema } }],
        },
      },
      schema,
    ],
    [
      'response_format, one for a list of one',
      { generation_config: { response_format: { text: { schema: google } } } },
      schema,
    ],
    ['a format of text that is no schema', { generationConfig: { responseFormat: [{ text: {} }] } }, null],
    ['the only function', { tools: [{ functionDeclarations: [choose] }], ...any() }, schema],
    [
      'the only function allowed',
      { tools: [{ googleSearch: {} }, { functionDeclarations: [other, choose] }], ...any(['choose']) },
      schema,
    ],
    ['any of two', { tools: [{ functionDeclarations: [other, choose] }], ...any() }, null],
    ['an offered function demands nothing', { tools: [{ functionDeclarations: [choose] }] }, null],
    [
      'in snake case',
      {
        tools: [{ function_declarations: [{ name: 'f', parameters_json_schema: schema }] }],
        tool_config: { function_calling_config: { mode: 'any' } },
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
    ['{}', 'contents'],
    ['{"contents":[]}', 'contents'],
    ['{"contents":"x"}', 'contents'],
    ['{"contents":["x"]}', 'contents[0]'],
    ['{"contents":[{"parts":"x"}]}', 'contents[0].parts'],
    ['{"contents":[{"parts":["x"]}]}', 'contents[0].parts[0]'],
    ['{"contents":[{"parts":[{"text":"x"},{"text":5}]}]}', 'contents[0].parts[1].text'],
    ['{"contents":[{"role":5,"parts":[]}]}', 'contents[0].role'],
    ['{"contents":[{"parts":[]}],"systemInstruction":"x"}', 'systemInstruction'],
    ['{"contents":[{"parts":[]}],"remand":1}', 'remand'],
  ])('%s', (body, field) => {
    try {
      read(body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect(error).toHaveProperty('field', field);
    }
  });

  test('and never the key of the query', () => {
    expect(() => read('{', `${TARGET}?key=AIzaSyNotARealKey`)).not.toThrow('AIza');
  });
});

test('a request for rewording has nothing of the client’s format', () => {
  const plain = (rest: string) =>
    JSON.parse(read(`{"contents":{"parts":{"text":"x"}}${rest}}`).plain('do', 'this'));
  const asked = {
    systemInstruction: { parts: [{ text: 'do' }] },
    contents: [{ role: 'user', parts: [{ text: 'this' }] }],
  };
  expect(plain(',"generationConfig":{"temperature":1,"maxOutputTokens":1,"candidateCount":2}')).toEqual({
    ...asked,
    generationConfig: { temperature: 0 },
  });
  expect(plain('')).toEqual(asked);
});

describe('the path says the model and the method', () => {
  test.each([
    ['/v1beta/models/gemini-2.5-flash:generateContent', 'gemini-2.5-flash', false],
    ['/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse', 'gemini-2.5-pro', true],
    ['/v1beta/models/gemini-2.5-pro%3AstreamGenerateContent', 'gemini-2.5-pro', true],
    ['/v1beta/tunedModels/my-judge-1:generateContent', 'my-judge-1', false],
    [
      '/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-2.5-pro:generateContent',
      'gemini-2.5-pro',
      false,
    ],
  ])('%s', (target, model, streams) => {
    expect(gemini.speaks('POST', target)).toBe(true);
    expect(read('{"contents":[{"parts":[]}]}', target)).toMatchObject({ model, streamByPath: streams });
  });

  test.each([
    ['GET', '/v1beta/models/gemini-2.5-flash:generateContent'],
    ['GET', '/v1beta/models'],
    ['POST', '/v1beta/models/gemini-2.5-flash:countTokens'],
    ['POST', '/v1beta/models/gemini-2.5-flash:batchGenerateContent'],
    ['POST', '/v1beta/models/text-embedding-004:embedContent'],
    ['POST', '/v1/files?x=/models/a:generateContent'],
  ])('%s %s is no judgment', (method, path) => {
    expect(gemini.speaks(method, path)).toBe(false);
  });
});
