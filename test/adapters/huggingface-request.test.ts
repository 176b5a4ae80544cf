import { describe, expect, test } from 'vitest';
import { huggingface } from '../../adapters/huggingface/index.ts';
import { InputError } from '../../src/errors.ts';
import { exchanging } from './exchange.ts';

const read = (body: string, target = '/generate') => huggingface.readRequest(body, target);

describe('an exchange moves the raw characters and nothing else', () => {
  test.each([
    [
      'huggingface_hub, json.dumps of Python',
      String.raw`{"inputs": "<s>[INST] <a>caf\u00e9</a>\n<b>\"x\"\/</b> [/INST]", "parameters": {"max_new_tokens": 5, "temperature": 1e-1, "stop": ["</s>"]}, "stream": false}`,
      'café',
      '"x"/',
      String.raw`{"inputs": "<s>[INST] <a>\"x\"\/</a>\n<b>caf\u00e9</b> [/INST]", "parameters": {"max_new_tokens": 5, "temperature": 1e-1, "stop": ["</s>"]}, "stream": false}`,
    ],
    [
      'compact, with unknown fields',
      '{"parameters":{"seed":12345678901234567890},"x":-0,"inputs":"no","inputs":"<a>1</a><b>2</b>"}',
      '1',
      '2',
      '{"parameters":{"seed":12345678901234567890},"x":-0,"inputs":"no","inputs":"<a>2</a><b>1</b>"}',
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

describe('what is no request for one text goes on as it came', () => {
  test.each([
    ['several texts', '{"inputs":["a","b"]}'],
    ['a question over a context', '{"inputs":{"question":"q","context":"c"}}'],
    ["another server's request", '{"prompt":"x","stream":true}'],
    ['no JSON', '\u0000RIFF'],
    ['no object', '"inputs"'],
    ['nothing', ''],
  ])('%s', (_, body) => {
    expect(read(body, '/')).toMatchObject({ body, stream: false, prompt: { parts: [] } });
  });
});

describe('a wrong request is refused, naming the field', () => {
  test.each([
    ['{"inputs":"x","stream":"yes"}', 'stream'],
    ['{"inputs":"x","parameters":[]}', 'parameters'],
    ['{"inputs":"x","remand":true}', 'remand'],
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

test('our own field is taken off; temperature goes as low as the server takes it', () => {
  const request = read(
    '{"remand": {"case": {"options": [1]}}, "inputs":"abc", "parameters":{"temperature": 0.7}}',
  );
  expect(request.body).toBe('{"inputs":"abc", "parameters":{"temperature": 0.7}}');
  expect(request.declared).toEqual({ options: [1] });
  expect(request.edited([], { steady: true })).toBe('{"inputs":"abc", "parameters":{"temperature": 0.01}}');
  for (const kept of ['{"inputs":"abc"}', '{"inputs":"abc","parameters":{"temperature":0.001}}'])
    expect(read(kept).edited([], { steady: true })).toBe(kept);
});

test.each([
  ['{"type":"json","value":{"type":"object"}}', { type: 'object' }],
  ['{"type":"json_schema","value":{"name":"v","schema":{"type":"object"}}}', { type: 'object' }],
  ['{"type":"regex","value":"[AB]"}', null],
  ['null', null],
])('the grammar %s demands the schema %j', (grammar, schema) => {
  expect(read(`{"inputs":"x","parameters":{"grammar":${grammar}}}`).schema).toEqual(schema);
});

test('a request for rewording has room to answer, in the client’s template, and repeats nothing', () => {
  const plain = (rest: string) =>
    JSON.parse(read(`{"inputs":"[INST] x [/INST]"${rest}}`).plain('do', 'this'));
  const parameters = { max_new_tokens: 2048, return_full_text: false };
  const inputs = '[INST] do\n\nthis [/INST]';
  expect(plain('')).toEqual({ inputs, parameters });
  expect(plain(',"stream":true,"parameters":{"temperature":1,"max_new_tokens":2,"stop":["x"]}')).toEqual({
    inputs,
    parameters: { ...parameters, temperature: 0.01 },
  });
});

describe('the path says the model and whether to stream', () => {
  test.each([
    ['/generate', '', false, false],
    ['/generate_stream', '', true, true],
    ['/', '', true, false],
    ['/?wait=1', '', true, false],
    ['/invocations', '', true, false],
    ['/models/gpt2', 'gpt2', true, false],
    ['/models/mistralai/Mistral-7B', 'mistralai/Mistral-7B', true, false],
    ['/hf-inference/models/meta-llama%2FLlama-3.1-8B/', 'meta-llama/Llama-3.1-8B', true, false],
  ])('%s', (target, model, stream, streamByPath) => {
    expect(huggingface.speaks('POST', target)).toBe(true);
    expect(read('{"inputs":"x","stream":true}', target)).toMatchObject({ model, stream, streamByPath });
  });

  test.each([
    ['GET', '/'],
    ['GET', '/models'],
    ['POST', '/models'],
    ['POST', '/api/generate'],
    ['POST', '/tokenize'],
    ['POST', '/hf-inference/models/a/b/v1/chat/completions'],
    ['POST', '/v1/models/a'],
    ['POST', '/v1beta/models/gemini:generateContent'],
    ['POST', '//models/a'],
  ])('%s %s is no judgment of this protocol', (method, path) => {
    expect(huggingface.speaks(method, path)).toBe(false);
  });
});
