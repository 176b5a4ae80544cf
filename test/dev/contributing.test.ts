/** CONTRIBUTING.md does what it says: its commands and its code, in a copy of the checkout. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBlocks } from '../docs/blocks.ts';
import { copyCheckout } from './checkout.ts';

const copy = copyCheckout();
afterAll(() => copy.remove());

const blocks = readBlocks('CONTRIBUTING.md');
/** The one block that begins so, as it stands there. */
function find(start: string): string {
  const [found, ...more] = blocks.filter(({ code }) => code.trimStart().startsWith(start));
  if (!found || more.length > 0)
    throw new Error(`CONTRIBUTING.md has no one block that begins with ${start}`);
  return found.code;
}
const read = (path: string) => readFileSync(join(copy.folder, path), 'utf8');
/** Puts a text in place of what a pattern finds, which has to be there. */
function replace(path: string, pattern: RegExp, text: string): void {
  const before = read(path);
  expect(before).toMatch(pattern);
  writeFileSync(
    join(copy.folder, path),
    before.replace(pattern, () => text),
  );
}
const node = (...args: readonly string[]) => copy.run(process.execPath, ...args);

const begun = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/npm run new -- ([a-z]+) ([a-z-]+)/g)];

/** One of each kind as the tool writes it, beside those that are changed. */
const asWritten = begun.map(
  ([, kind = '', name = '']) => [kind, `plain${name.replaceAll('-', '')}`] as const,
);

beforeAll(async () => {
  for (const [kind, name] of [...begun.map(([, kind = '', name = '']) => [kind, name]), ...asWritten]) {
    const ended = await node('dev/new.ts', kind, name);
    if (ended.code !== 0) throw new Error(`npm run new -- ${kind} ${name}: ${ended.said}`);
  }
  replace('src/bias/deference.ts', /const PHRASES = \[.*\];\n/, find('const PHRASES'));
  replace(
    'src/detect/first-look.ts',
    /export const firstLook = \{[\s\S]*?\n\}[^;]*;\n/,
    find('export const firstLook'),
  );
  replace('adapters/acme-chat/index.ts', / {2}capabilities: \{[\s\S]*?\n {2}\},\n/, find('capabilities: {'));
  replace(
    'adapters/acme-chat/index.ts',
    /(?=import )/,
    "import { separateAnswers } from '../reply-json.ts';\n",
  );
  writeFileSync(join(copy.folder, 'src/cli/hello.ts'), find('/** `remand hello`'));
  replace('src/cli/commands.ts', /(?= {4}keys: \{\n)/, find('hello: {'));
  replace('src/proxy/settings.ts', /(?<=\n)(?= {2}REMAND_MODE: )/, find('REMAND_GREETING_LENGTH'));
  replace(
    'src/judgment/facts.ts',
    /(?<=\n)(?= {2}\/\*\* Remands sent\. \*\/)/,
    find('/** Calls that were not answered. */'),
  );
  // "Its value comes from two functions in the same file."
  replace('src/judgment/facts.ts', / {4}rounds: 0,\n/, '    rounds: 0,\n    lost: 0,\n');
  replace('src/judgment/facts.ts', / {4}rounds,\n/, '    rounds,\n    lost: 0,\n');
  const settled = await node('dev/settings.ts');
  if (settled.code !== 0) throw new Error(settled.said);
});

test('every kind is begun', () => {
  expect(begun.map(([, kind]) => kind).toSorted()).toEqual(['bias', 'detector', 'protocol', 'verdict']);
});

test('what it shows compiles where it belongs, and so does what is written for each kind', async () => {
  const types = await node('node_modules/typescript/bin/tsc', '--noEmit');
  expect(types).toMatchObject({ code: 0, said: '' });
});

test('the command greets, and has a help', async () => {
  expect(await node('src/cli/remand.ts', 'hello', '--to', 'Ann')).toEqual({ code: 0, said: 'Hello, Ann.\n' });
  expect((await node('src/cli/remand.ts', 'hello', '--help')).said).toContain('Greet whoever is named.');
  expect(await node('src/cli/remand.ts', 'hello', '--to', '')).toMatchObject({ code: 2 });
});

test('the setting is listed where settings are', () => {
  expect(read('docs/settings.md')).toContain('REMAND_GREETING_LENGTH');
  expect(read('.env.example')).toContain('REMAND_GREETING_LENGTH');
});

test('the detector and the bias are taken by their names', async () => {
  const text = "import('./src/index.ts').then(({ findBias }) => console.log(findBias('deference').name))";
  expect((await node('-e', text)).said).toBe('deference\n');
  expect((await node('src/cli/remand.ts', 'eval', 'detector', '--help')).said).toContain('first-look');
});
