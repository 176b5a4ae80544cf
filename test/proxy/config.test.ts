/** Settings: the environment first, then the file; a mistake is named. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_BIASES } from '../../src/bias/index.ts';
import { InputError } from '../../src/errors.ts';
import { describeStrangeNames, readConfig } from '../../src/proxy/config.ts';

test('with nothing set: the probe, every bias, the judge has the last word', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    PORT: 8787,
    HOST: '127.0.0.1',
    REMAND_MODE: 'debias',
    REMAND_DETECTOR: 'probe',
    REMAND_POLICY: 'last-word',
    REMAND_DEADLINE_MS: 8000,
    REMAND_EXTRA_CALLS: 8,
    REMAND_FAIL: 'open',
    REMAND_BIASES: DEFAULT_BIASES,
  });
  expect(config.JUDGE_BASE_URL).toBeUndefined();
});

test('the environment goes before the file, an empty variable is none, others are ignored', () => {
  const file = { REMAND_ROUNDS: 3, REMAND_BIASES: ['position', 'verbosity'], PORT: 1 };
  const config = readConfig({ PORT: '9000', REMAND_ROUNDS: '', PATH: '/bin' }, file);
  expect(config).toMatchObject({ PORT: 9000, REMAND_ROUNDS: 3, REMAND_BIASES: ['position', 'verbosity'] });
  expect(readConfig({ REMAND_BIASES: 'verbosity, position' }).REMAND_BIASES).toEqual([
    'verbosity',
    'position',
  ]);
  expect(readConfig({ REMAND_CONFIDENT: '.99' }).REMAND_CONFIDENT).toBe(0.99);
});

test.each([
  ['http://localhost:8000', 'http://localhost:8000'],
  ['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api/v1'],
  [
    'recorded:a.jsonl?items=b.jsonl&judge=GPT-4&strategy=Swap',
    'recorded:a.jsonl?items=b.jsonl&judge=GPT-4&strategy=Swap',
  ],
])('a judge at %s', (given, expected) => {
  expect(readConfig({ JUDGE_BASE_URL: given }).JUDGE_BASE_URL).toBe(expected);
});

test('a variable that looks like a setting is told, and those of other programs are not', () => {
  expect(
    describeStrangeNames({ JUDGE_BASEURL: 'x', LANGFUSE_HOST: 'y', JUDGE_API_KEY: 'k', OPENAI_API_KEY: 'k' }),
  ).toEqual([
    'JUDGE_BASEURL is no setting, and is not read; did you mean JUDGE_BASE_URL?',
    expect.stringMatching(/^LANGFUSE_HOST is no setting, and is not read; there are .*LANGFUSE_BASE_URL/),
  ]);
});

test('a proxy of the environment that is not used is told', () => {
  const told = 'HTTPS_PROXY is used only with NODE_USE_ENV_PROXY=1';
  expect(describeStrangeNames({ HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'h' })).toEqual([told]);
  expect(describeStrangeNames({ HTTPS_PROXY: 'http://p:3128', NODE_USE_ENV_PROXY: '1' })).toEqual([]);
  expect(describeStrangeNames({ HTTPS_PROXY: '' })).toEqual([]);
});

describe('a mistake is an InputError that names the field', () => {
  test.each([
    ['JUDGE_BASE_URL', (url: string) => ({ JUDGE_BASE_URL: url })],
    ['RBD_BASE_URL', (url: string) => ({ RBD_BASE_URL: url, RBD_MODEL: 'm' })],
    ['REMAND_READER_BASE_URL', (url: string) => ({ REMAND_READER_BASE_URL: url, REMAND_READER_MODEL: 'm' })],
    [
      'REMAND_UPSTREAMS.0.url',
      (url: string) => ({ REMAND_UPSTREAMS: JSON.stringify([{ model: 'm', url }]) }),
    ],
    ['REMAND_ESCALATE.url', (url: string) => ({ REMAND_ESCALATE: JSON.stringify({ model: 'm', url }) })],
    ['LANGFUSE_BASE_URL', (url: string) => ({ LANGFUSE_BASE_URL: url })],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })],
  ])('%s with a user or a password is refused, and neither is shown', (field, settings) => {
    for (const url of ['http://ann:s3cret@h/v1', 'http://s3cret@h/v1/chat/completions', 'http:////:s3cret@h'])
      try {
        readConfig(settings(url));
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ field, message: expect.stringContaining('a setting of its own') });
        expect(String(error)).not.toContain('s3cret');
      }
  });

  test.each<[string, Record<string, string>]>([
    ['JUDGE_BASE_URL', { JUDGE_BASE_URL: 'api.openai.com' }],
    ['JUDGE_BASE_URL', { JUDGE_BASE_URL: 'https://x.test/?key=1' }],
    ['JUDGE_BASE_URL', { JUDGE_BASE_URL: 'http://127.0.0.1:99999' }],
    ['RBD_BASE_URL', { RBD_BASE_URL: 'http://[::1', RBD_MODEL: 'm' }],
    ['REMAND_TRACES', { REMAND_TRACES: 'OFF' }],
    ['REMAND_TRACES', { REMAND_TRACES: 'false' }],
    ['REMAND_STATE', { REMAND_STATE: 'off' }],
    ['JUDGE_BASE_URL', { JUDGE_BASE_URL: 'https://x.test/v1/chat/completions' }],
    ['RBD_BASE_URL', { RBD_BASE_URL: 'https://x.test/v1/messages/', RBD_MODEL: 'm' }],
    ['JUDGE_BASE_URL', { JUDGE_BASE_URL: 'https://x.test/v1beta/models/gemini:generateContent' }],
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['REMAND_MODE', { REMAND_MODE: 'fast' }],
    ['REMAND_ROUNDS', { REMAND_ROUNDS: '11' }],
    ['REMAND_ROUNDS', { REMAND_ROUNDS: '1.5' }],
    ['REMAND_BIASES', { REMAND_BIASES: 'position,horoscope' }],
    ['REMAND_DETECTOR', { REMAND_DETECTOR: 'oracle' }],
    ['REMAND_DETECTOR', { REMAND_DETECTOR: 'rbd' }],
    ['RBD_MODEL', { RBD_BASE_URL: 'http://localhost:8001' }],
    ['RBD_TEMPLATE', { RBD_TEMPLATE: 'Is it {{judgment}}?' }],
    ['RBD_TEMPLATE', { RBD_TEMPLATE: '{{choices}} {{judgment}} {{mood}}' }],
    ['REMAND_POLICY', { REMAND_POLICY: 'coin' }],
    ['REMAND_FAIL', { REMAND_FAIL: 'ajar' }],
    ['JUDGE_TIMEOUT_MS', { JUDGE_TIMEOUT_MS: '0' }],
    ['REMAND_CONFIDENT', { REMAND_CONFIDENT: '0.4' }],
    ['REMAND_CONFIDENT', { REMAND_CONFIDENT: '99%' }],
    ['REMAND_POLCY', { REMAND_POLCY: 'tie' }],
  ])('%s: %o', (field, env) => {
    const read = () => readConfig(env);
    expect(read).toThrow(InputError);
    expect(read).toThrow(expect.objectContaining({ field }));
    expect(read).toThrow(new RegExp(`^${field}: `));
  });

  test.each([
    ['JUDGE_API_KEY', (key: string) => ({ JUDGE_API_KEY: key })],
    ['RBD_API_KEY', (key: string) => ({ RBD_API_KEY: key })],
    ['HF_TOKEN', (key: string) => ({ HF_TOKEN: key })],
    ['REMAND_READER_API_KEY', (key: string) => ({ REMAND_READER_MODEL: 'm', REMAND_READER_API_KEY: key })],
    [
      'REMAND_UPSTREAMS.0.key',
      (key: string) => ({ REMAND_UPSTREAMS: JSON.stringify([{ model: 'm', url: 'http://h', key }]) }),
    ],
    [
      'REMAND_ESCALATE.key',
      (key: string) => ({ REMAND_ESCALATE: JSON.stringify({ model: 'm', url: 'http://h', key }) }),
    ],
  ])('%s that no header can hold is refused, and not shown', (field, settings) => {
    for (const key of ['sk-s3cret\nhost: x', 'sk-s3crét', 'sk-s3cret\0', ' \n'])
      try {
        readConfig(settings(key));
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ field, message: expect.stringContaining('a header can hold') });
        expect(String(error)).not.toContain('s3cr');
      }
  });

  test.each<[string, unknown]>([
    ['REMAND_ROUND', { REMAND_ROUND: 1 }],
    ['remand.config.json', [1]],
    ['REMAND_BIASES', { REMAND_BIASES: ['position', 'horoscope'] }],
    ['PORT', { PORT: true }],
  ])('in the file: %s', (field, file) => {
    expect(() => readConfig({}, file)).toThrow(expect.objectContaining({ field }));
  });
});

test('a key is taken without the blanks and line breaks around it', () => {
  expect(readConfig({ JUDGE_API_KEY: ' sk-operator-0001\r\n' }).JUDGE_API_KEY).toBe('sk-operator-0001');
  expect(readConfig({}, { JUDGE_API_KEY: '' }).JUDGE_API_KEY).toBeUndefined();
});

test.each(['off', ':memory:', 'traces.sqlite', './off', 'a/b', 'C:\\remand\\traces'])(
  'traces in %s',
  (said) => {
    expect(readConfig({ REMAND_TRACES: said }).REMAND_TRACES).toBe(said);
  },
);

test('a Worker’s variables may be numbers and objects', () => {
  const config = readConfig({ REMAND_ROUNDS: 0, REMAND_DEADLINE_MS: 500, REMAND_LIMITS: { callsPerDay: 1 } });
  expect(config).toMatchObject({
    REMAND_ROUNDS: 0,
    REMAND_DEADLINE_MS: 500,
    REMAND_LIMITS: { callsPerDay: 1 },
  });
  expect(() => readConfig({ REMAND_ROUNDS: -1 })).toThrow('REMAND_ROUNDS');
  expect(() => readConfig({ REMAND_ROUND: 1 })).toThrow('did you mean REMAND_ROUNDS?');
  // A binding to a database is no setting.
  expect(() => readConfig({ REMAND_STORE: { prepare: () => null } })).not.toThrow();
});
