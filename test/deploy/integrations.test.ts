/** What docs/integrations.md prints is what the tests of the published packages run, but for the address. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...textOf('docs/integrations.md').matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
/** Without spaces, the options of a test, and the address. */
const bare = (code: string) =>
  code
    .replaceAll(/f?["'`](?:http:\/\/localhost:8787|\$?\{base\})\/v1["'`]/g, 'URL')
    .replaceAll(/, max_retries=0|, memoize=False|, maxRetries: 0|apiKey, /g, '')
    .replaceAll(/\s/g, '');

test('the Python of each tool stands in the tests', () => {
  const run = bare(textOf('test/python/clients.py'));
  const lines = blocks('python').flatMap((code) => code.split('\n').filter((line) => line.trim() !== ''));
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) expect(run).toContain(bare(line).replace(/^\w+=/, ''));
});

test('the TypeScript as well', () => {
  expect(bare(textOf('test/clients/openevals.test.ts'))).toContain(
    bare("new OpenAI({ baseURL: 'http://localhost:8787/v1' })"),
  );
  expect(blocks('ts').join('\n')).toContain("new OpenAI({ baseURL: 'http://localhost:8787/v1' })");
});

test('the grader of promptfoo is named as in the tests', () => {
  const [config] = blocks('yaml').map((code) => parse(code));
  expect(config.defaultTest.options.provider.text).toEqual({
    id: 'openai:chat:gpt-4o-mini',
    config: { apiBaseUrl: 'http://localhost:8787/v1' },
  });
  const run = textOf('test/clients/promptfoo.test.ts');
  expect(run).toContain("options: { provider: { text: { id: 'openai:chat:gpt-4o-mini', config } } }");
  expect(run).toMatch(/apiBaseUrl: `\$\{base\}\/v1`/);
});
