/**
 * The documentation is run: every block of shell, against the sandbox judge in place of the judges that it names. Every
 * block of JSON and YAML is parsed. A block that cannot run says why in a comment above it.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { templateFileSchema } from '../../src/case/index.ts';
import { SANDBOX_DEMO } from '../../src/sandbox/index.ts';
import { startProxy } from '../proxy/servers.ts';
import { type Block, PAGES, ROOT, readBlocks } from './blocks.ts';
import { importGiven } from './import-given.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';

const run = promisify(execFile);
const blocks = PAGES.flatMap(readBlocks);
const of = (...languages: string[]) =>
  blocks.filter(({ language, notRun }) => languages.includes(language) && notRun === null);

test('every block has a language that is held to something, or is a drawing', () => {
  const known = ['sh', 'ts', 'json', 'yaml', 'python', ''];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ at }) => at)).toEqual([]);
});

describe('shell', () => {
  const closing = new AsyncDisposableStack();
  let standIns: StandIns;
  afterAll(() => closing.disposeAsync());
  beforeAll(async () => {
    standIns = await startStandIns(closing);
  });
  test.each(of('sh'))('$at', async ({ code }) => {
    const { redirect, env, openFolder } = standIns;
    // `-s` hides what went wrong.
    const script = redirect(code).replaceAll(/\bcurl -s\b/g, 'curl -sS --fail-with-body');
    await run('sh', ['-ec', script], { cwd: openFolder(), env });
  });
});

test('what the README prints for the first request is what comes', async () => {
  const printed = readBlocks('README.md').find(({ code }) => code.startsWith('$ curl'));
  const { url } = await startProxy({});
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(SANDBOX_DEMO),
  });
  const told = [...(printed?.code.matchAll(/^(x-remand-(?!trace)\S+): (.*)$/gm) ?? [])];
  expect(told.length).toBeGreaterThan(3);
  for (const [, name = '', value] of told) expect([name, reply.headers.get(name)]).toEqual([name, value]);
  const [, content] = /"content":"(.*?)"/.exec(printed?.code ?? '') ?? [];
  expect((await reply.json()).choices[0].message.content).toBe(content);
});

test.each(of('json'))('$at is JSON, or a line of JSON each', ({ code }) => {
  // A field that is shown alone.
  const whole = code.startsWith('"') ? `{${code}}` : code;
  const read = () =>
    (/^\{.*\}\n\{/.test(whole) ? whole.trim().split('\n') : [whole]).map((line) => JSON.parse(line));
  expect(read).not.toThrow();
});

test.each(of('json').filter(({ code }) => code.includes('"messages"')))(
  '$at is a request with a case in it',
  async ({ code }) => {
    const { url } = await startProxy({});
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: code });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-remand-status')).not.toBe('bypassed');
  },
);

test.each(of('json').filter(({ code }) => code.includes('"parts"')))(
  '$at is a template that is taken',
  ({ code }) => {
    expect(() => templateFileSchema.parse(JSON.parse(code))).not.toThrow();
  },
);

test.each(of('yaml'))('$at is YAML', ({ code }) => {
  expect(() => parse(code)).not.toThrow();
});

test('a block of Python says which test runs it', () => {
  expect(of('python').map(({ at }) => at)).toEqual([]);
});

/** Packages by their names, as `exports` has them, in the sources. */
function readEntries(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries<{ default?: string }>(exports).flatMap(([path, { default: built }]) =>
      built ? [[`remand${path.slice(1)}`, [built.replace('./dist', ROOT).replace(/\.js$/, '.ts')]]] : [],
    ),
  );
}

/** The examples of the API page, as blocks. What they take for granted stands in api-given.ts. */
function readExamples(): Pick<Block, 'at' | 'code' | 'given'>[] {
  return readBlocks('docs/api.md')
    .filter(({ language }) => language === 'ts')
    .map((block) => ({ ...block, given: importGiven(block.code) }));
}

test('every block of TypeScript compiles against what the package exports', async () => {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.remand-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const all = [...of('ts'), ...readExamples()];
  expect(all.length).toBeGreaterThan(60);
  for (const { at, code, given } of all)
    writeFileSync(join(folder, `${at.replaceAll(/\W/g, '-')}.ts`), `${given}\n${code}\nexport {};\n`);
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { paths: readEntries(), noUnusedLocals: false, noUnusedParameters: false },
    include: [join(folder, '*.ts'), join(ROOT, 'src/**/*.d.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiled = await run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', folder]).catch(
    (error) => error,
  );
  expect(compiled.stdout).toBe('');
});
