/**
 * Begins one more of a kind: `npm run new -- bias authority`. Writes its file, its test, and its line in the registry, from
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
  readonly registry: Registry;
}

interface Registry {
  readonly path: string;
  /** The module that the entry is imported from. */
  readonly from: string;
  /** The list that gets the entry. */
  readonly list: string;
}

const HYPHENS = { name: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, called: 'lower-case words with hyphens' };

const KINDS: Readonly<Record<string, Kind>> = {
  bias: {
    name: /^[a-z]+$/,
    called: 'one lower-case word',
    files: { 'bias.txt': 'src/bias/__name__.ts', 'bias-test.txt': 'test/bias/__name__.test.ts' },
    registry: { path: 'src/bias/index.ts', from: './__name__.ts', list: 'CATALOGUE' },
  },
  detector: {
    ...HYPHENS,
    files: { 'detector.txt': 'src/detect/__name__.ts', 'detector-test.txt': 'test/detect/__name__.test.ts' },
    registry: { path: 'src/detect/index.ts', from: './__name__.ts', list: 'DETECTORS' },
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
    registry: { path: 'adapters/index.ts', from: './__name__/index.ts', list: 'ADAPTERS' },
  },
};

/** Wrong usage: what the command line says cannot be meant. */
class UsageError extends Error {}

try {
  const written = begin(process.argv.slice(2), process.cwd());
  const tests = written.filter((path) => path.endsWith('.test.ts'));
  console.log(`Wrote ${written.join(', ')}.`);
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
  const { path: registry, from, list } = kind.registry;
  const listed = readFileSync(join(root, registry), 'utf8');
  const taken = files.map(({ path }) => path).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new UsageError(`there is a ${what} or another file of that name: ${taken}`);
  if (new RegExp(`\\b${camel}\\b`).test(listed))
    throw new UsageError(`${registry} has the name "${camel}" already`);

  const all = [...files, { path: registry, text: enter(listed, camel, fill(from), list) }];
  for (const { path, text } of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const paths = all.map(({ path }) => path);
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '--log-level=error', ...paths], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return paths;
}

/** A registry's text with one more import, and one more entry at the end of its list. */
function enter(text: string, entry: string, from: string, list: string): string {
  const imports = [...text.matchAll(/^import .* from '([^']+)';\n/gm)];
  // In its place among its neighbours: moved to the top by the formatter it would come after a blank line.
  const next = imports.find(([, path = '']) => path.startsWith('./') && path > from);
  const last = imports.at(-1);
  const at = next ? next.index : last ? last.index + last[0].length : 0;
  const imported = `${text.slice(0, at)}import { ${entry} } from '${from}';\n${text.slice(at)}`;
  const end = imported.indexOf(']', imported.indexOf('= [', imported.indexOf(`const ${list}`)));
  const before = imported.slice(0, end).trimEnd();
  return `${before}${before.endsWith(',') ? '' : ','} ${entry}${imported.slice(end)}`;
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
