/**
 * Begins one more of a kind: `npm run new -- bias deference`. Writes its file, its test, and its line in the registry, from
 * the templates in dev/new/. What it writes works and does something simple; CONTRIBUTING.md says what to make of it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

interface Kind {
  /** What its names look like, and in words. */
  readonly name: RegExp;
  readonly called: string;
  /** Templates in dev/new/, and the path that each is written to. */
  readonly files: Readonly<Record<string, string>>;
  /** Lists that get an entry. The first is the registry. */
  readonly lists: readonly List[];
}

interface List {
  readonly path: string;
  /** The text that the list begins with, its opening bracket or sign included. */
  readonly begins: string;
  readonly entry: string;
  /** What the entry is imported by, where it is. */
  readonly imported?: string;
}

const WORD = { name: /^[a-z]+$/, called: 'one lower-case word' };
const HYPHENS = { name: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, called: 'lower-case words with hyphens' };

const VERDICTS = 'src/case/verdicts/index.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  bias: {
    ...HYPHENS,
    files: { 'bias.txt': 'src/bias/__name__.ts', 'bias-test.txt': 'test/bias/__name__.test.ts' },
    lists: [
      {
        path: 'src/bias/index.ts',
        begins: 'const CATALOGUE: readonly Bias[] = [',
        entry: '__camel__',
        imported: "{ __camel__ } from './__name__.ts'",
      },
    ],
  },
  detector: {
    ...HYPHENS,
    files: { 'detector.txt': 'src/detect/__name__.ts', 'detector-test.txt': 'test/detect/__name__.test.ts' },
    lists: [
      {
        path: 'src/detect/index.ts',
        begins: 'const DETECTORS = [',
        entry: '__camel__',
        imported: "{ __camel__ } from './__name__.ts'",
      },
    ],
  },
  protocol: {
    ...HYPHENS,
    files: {
      'protocol-index.txt': 'adapters/__name__/index.ts',
      'protocol-request.txt': 'adapters/__name__/request.ts',
      'protocol-reply.txt': 'adapters/__name__/reply.ts',
      'protocol-write.txt': 'adapters/__name__/write.ts',
      'protocol-test.txt': 'test/adapters/__name__.test.ts',
    },
    lists: [
      {
        path: 'adapters/index.ts',
        begins: 'const ADAPTERS: readonly [Adapter, ...Adapter[]] = [',
        entry: '__camel__',
        imported: "{ __camel__ } from './__name__/index.ts'",
      },
    ],
  },
  verdict: {
    ...WORD,
    files: {
      'verdict.txt': 'src/case/verdicts/__name__.ts',
      'verdict-test.txt': 'test/case/__name__-verdict.test.ts',
    },
    lists: [
      {
        path: VERDICTS,
        begins: 'const KINDS: Kinds = {',
        entry: '__camel__',
        imported: "{ __camel__, __camel__Form } from './__name__.ts'",
      },
      {
        path: VERDICTS,
        begins: 'const FORMS: { readonly [K in FormName]: FormKind<K, FileOf<K>> } = {',
        entry: '__camel__: __camel__Form',
      },
      { path: VERDICTS, begins: ".discriminatedUnion('kind', [", entry: '__camel__Form.file' },
      { path: VERDICTS, begins: 'const tracedFields = {', entry: '...__camel__.traced' },
      {
        path: 'src/case/types.ts',
        begins: 'type Verdict = { readonly text: string } & (',
        entry: "| { readonly kind: '__name__'; readonly __camel__: string }",
      },
      {
        path: 'src/case/types.ts',
        begins: 'type VerdictForm =',
        entry: "| { readonly kind: '__name__'; readonly write: Spelling; readonly field: string | null }",
      },
      {
        path: 'test/case/verdict-kinds.test.ts',
        begins: 'words: string, other: Verdict] } = {',
        entry:
          "  __camel__: [{ text: 'B', kind: '__name__', __camel__: 'B' }, 'the __words__ B', { text: 'C', kind: '__name__', __camel__: 'C' }]",
      },
    ],
  },
};

/** Wrong usage: what the command line says cannot be meant. */
class UsageError extends Error {}

try {
  const written = begin(process.argv.slice(2), process.cwd());
  const tests = written.filter((path) => path.endsWith('.test.ts'));
  console.log(`Wrote ${written.join(', ')}; .env.example and docs/settings.md are up to date.`);
  console.log(`Try it: npx vitest run --project node ${tests.join(' ')} test/house.test.ts`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

/**
 * @param root of the checkout
 * @returns the paths written
 */
function begin([what = '', name = '', ...more]: readonly string[], root: string): string[] {
  const kind = Object.hasOwn(KINDS, what) ? KINDS[what] : undefined;
  const kinds = Object.keys(KINDS).join(', ');
  if (!kind)
    throw new UsageError(
      `there is no kind "${what}": npm run new -- KIND NAME, where KIND is one of ${kinds}`,
    );
  if (more.length > 0) throw new UsageError(`what is ${more.join(' ')}? npm run new -- ${what} NAME`);
  if (!kind.name.test(name)) throw new UsageError(`the name of a ${what} is ${kind.called}, not "${name}"`);
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (!isIdentifier(camel)) throw new UsageError(`"${name}" is a word of the language: take another name`);
  const fill = (text: string) =>
    text
      .replaceAll('__name__', name)
      .replaceAll('__camel__', camel)
      .replaceAll('__Pascal__', capitalise(camel))
      .replaceAll('__words__', name.replaceAll('-', ' '))
      .replaceAll('__Words__', capitalise(name.replaceAll('-', ' ')));

  const files = Object.entries(kind.files).map(([template, path]) => ({
    path: fill(path),
    text: fill(readFileSync(join(import.meta.dirname, 'new', template), 'utf8')),
  }));
  const taken = files.map(({ path }) => path).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new UsageError(`there is a ${what} or another file of that name: ${taken}`);

  const listed = new Map<string, string>();
  for (const { path, begins, entry, imported } of kind.lists) {
    const text = listed.get(path) ?? readFileSync(join(root, path), 'utf8');
    if (imported !== undefined && new RegExp(`\\b${camel}\\b`).test(text))
      throw new UsageError(`${path} has the name "${camel}" already`);
    const withImport = imported === undefined ? text : importInto(text, fill(imported));
    listed.set(path, enter(withImport, begins, fill(entry)));
  }

  const all = [...files, ...[...listed].map(([path, text]) => ({ path, text }))];
  for (const { path, text } of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const paths = all.map(({ path }) => path);
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '--log-level=error', ...paths], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // What tells people of the settings lists the biases and the detectors.
  execFileSync(process.execPath, [join(root, 'dev/settings.ts')], { cwd: root });
  return paths;
}

function importInto(text: string, imported: string): string {
  const from = imported.slice(imported.indexOf("'") + 1, -1);
  const imports = [...text.matchAll(/^import [^;]* from '([^']+)';\n/gm)];
  // In its place among its neighbours: moved to the top by the formatter it would come after a blank line.
  const next = imports.find(([, path = '']) => path.startsWith('./') && path > from);
  const last = imports.at(-1);
  const at = next ? next.index : last ? last.index + last[0].length : 0;
  return `${text.slice(0, at)}import ${imported};\n${text.slice(at)}`;
}

/** A text with one more entry at the end of a list in it. */
function enter(text: string, begins: string, entry: string): string {
  const start = text.indexOf(begins) + begins.length;
  if (start < begins.length) throw new Error(`there is no list that begins with "${begins}"`);
  const before = text.slice(0, endOfList(text, start)).trimEnd();
  // The members of a union have a sign before them, those of a list one behind them.
  const between = entry.startsWith('|') ? '\n  ' : before.endsWith(',') ? '\n' : ', ';
  return `${before}${between}${entry}${entry.startsWith('|') || !before.endsWith(',') ? '' : ','}${text.slice(before.length)}`;
}

/** Where the bracket closes, or the statement ends, that was open at a place. */
function endOfList(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth++;
    if (depth === 0 && ')]};'.includes(sign)) return at;
    if (')]}'.includes(sign)) depth--;
  }
  throw new Error('a list has no end');
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function isIdentifier(name: string): boolean {
  try {
    new Script(`'use strict'; const ${name} = 0;`);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
