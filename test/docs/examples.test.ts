/** Every example of the API page runs, and gives what the comment behind it says. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, readBlocks } from './blocks.ts';
import { importGiven } from './import-given.ts';

/** The runtime of Workers has their modules; test/runtime runs what they export. */
const EDGE = 'remand/worker';

const examples = readBlocks('docs/api.md').filter(
  ({ language, code }) => language === 'ts' && !code.includes(`'${EDGE}'`),
);

/** What a comment shows in place of something that is left out. */
const ANY = Symbol('…');
class LeftOut {}

/** A value in a comment: JavaScript, and `…` for what is not shown. Null where it is words. */
function readShown(comment: string): { readonly value: unknown } | null {
  const code = comment
    .replaceAll(
      /Map \{([^}]*)\}/g,
      (_, all: string) => `new Map([${all.replaceAll(/('[^']*') => ([^,]+)/g, '[$1, $2]')}])`,
    )
    .replaceAll(/, …(?= ?[\]}])/g, ', ...rest')
    .replaceAll('[…]', 'any')
    .replaceAll('…', 'any')
    .replaceAll(/\.\.\.rest(?= ?\])/g, 'rest')
    .replaceAll(/\.\.\.rest(?= ?\})/g, 'rest: rest');
  try {
    return { value: new Function('any', 'rest', `return (${code});`)(ANY, new LeftOut()) };
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof ReferenceError) return null;
    throw cause;
  }
}

/** Numbers are shown to some digits: as many as are written. */
function isNumber(shown: number, real: unknown): boolean {
  if (typeof real !== 'number') return false;
  const digits = String(shown).replace(/^-?0?\.?0*|\./g, '').length;
  return Number(real.toPrecision(Math.max(1, digits))) === shown;
}

function fits(shown: unknown, real: unknown): boolean {
  if (shown === ANY) return real !== undefined;
  if (typeof shown === 'number') return isNumber(shown, real);
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, real);
  if (typeof real !== 'object' || real === null) return false;
  if (shown instanceof Map)
    return real instanceof Map && fits(Object.fromEntries(shown), Object.fromEntries(real));
  const all = Object.entries(shown);
  const told = all.filter(([, value]) => !(value instanceof LeftOut));
  const fields = new Map(Object.entries(real));
  return (
    told.every(([name, value]) => fits(value, fields.get(name))) &&
    (told.length < all.length || told.length === fields.size)
  );
}

/** The last expression of an example is handed on, with what its comment shows. */
function compile(code: string): { readonly module: string; readonly shown: string | null } {
  const [, body = '', comment = null] = /^([\s\S]*?)\s*(?:\/\/ ([^\n]*))?\s*$/.exec(code.trim()) ?? [];
  const lines = body.trimEnd().split('\n');
  const last = lines.findLastIndex(
    (line) => /^\S/.test(line) && !/^(?:import|export|const|let|\}|\))/.test(line),
  );
  const isLast =
    last >= 0 && lines.slice(last + 1).every((line) => !/^\S/.test(line) || /^[)}\]]/.test(line));
  const text = isLast
    ? [
        ...lines.slice(0, last),
        `export const told = ${lines.slice(last).join('\n').replace(/;$/, '')};`,
      ].join('\n')
    : body;
  return { module: text, shown: comment };
}

describe('examples', () => {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.remand-examples-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const entries: Plugin = {
      name: 'entries',
      setup({ onResolve }) {
        onResolve({ filter: /^remand(?:\/|$)/ }, ({ path }) => {
          const { default: built } = exports[path.replace('remand', '.')];
          return { path: join(ROOT, built.replace('./dist/', '').replace(/\.js$/, '.ts')) };
        });
      },
    };
    for (const [n, { code }] of examples.entries())
      writeFileSync(join(folder, `example-${n}.ts`), importGiven(code) + compile(code).module);
    await build({
      absWorkingDir: ROOT,
      entryPoints: examples.map((_, n) => join(folder, `example-${n}.ts`)),
      outdir: join(folder, 'out'),
      plugins: [entries],
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
      packages: 'external',
      outExtension: { '.js': '.mjs' },
    });
  });

  test.each(examples.map(({ at, code }, n) => ({ at, code, n })))('$at', async ({ code, n }) => {
    process.env.PORT = '0';
    const { told } = await import(pathToFileURL(join(folder, `out/example-${n}.mjs`)).href);
    const shown = compile(code).shown;
    const expected = shown === null ? null : readShown(shown);
    if (expected)
      expect(fits(expected.value, told), `${shown} is shown, and it gives ${JSON.stringify(told)}`).toBe(
        true,
      );
  });

  test('most of those that show a value are compared with it', () => {
    const compared = examples.filter(({ code }) => {
      const { shown } = compile(code);
      return shown !== null && readShown(shown) !== null;
    });
    expect(compared.length).toBeGreaterThan(40);
  });
});
