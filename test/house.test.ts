/**
 * The house: imports point one way, floor by floor, and run in no circle. The README draws it; this holds it up. And what
 * its tests may not measure.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** From the top down. A file may import from its own floor and from those below. */
const FLOORS: readonly (readonly string[])[] = [
  ['src/cli', 'src/index.ts'],
  ['src/proxy', 'src/embed', 'src/evaluate'],
  ['src/dataset'],
  ['src/audit', 'src/judgment', 'src/trace'],
  ['src/loop', 'src/sandbox'],
  ['src/detect'],
  ['src/bias', 'src/models'],
  ['adapters'],
  ['src/http', 'src/records'],
  ['src/case', 'src/stats', 'prompts', 'src/report'],
  ['src/ports.ts', 'src/errors.ts'],
];

const files = ['src', 'adapters', 'prompts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name)),
);
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
      join(dirname(file), path),
    );
    return [file, found] as const;
  }),
);
function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.some((room) => file === room || file.startsWith(`${room}/`)));
}

it('every file stands on a floor', () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
});

it('no import points up', () => {
  const up = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => floorOf(target) < floorOf(file))
      .map((target) => `${file} → ${relative('.', target)}`),
  );
  expect(up).toEqual([]);
});

it('no imports run in a circle', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (path.includes(file) || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

/** Tests and their tools that read the machine's clock, and why a busy machine breaks none of them. */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'test/security/cpu-time.ts': 'only to see that all is well; what looks slow is measured in CPU',
  'test/proxy/servers.ts': 'notes when a connection was closed',
  'test/proxy/edge-disconnect.test.ts': 'a moment before which nothing may end; later is fine',
};

it('no test measures wall time: it moves a clock, counts, or measures CPU', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[mc]?[jt]s$/.test(name) && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .filter((name) => name !== 'test/house.test.ts' && !(name in CLOCK_READERS));
  // `Date.now()` alone may be a time that is written down; a difference of two is a duration.
  const stopwatch = /performance\.now\(|hrtime|Date\.now\(\)\s*[-<>]|[-<>]\s*Date\.now\(\)/;
  expect(tests.filter((name) => stopwatch.test(readFileSync(join(ROOT, name), 'utf8')))).toEqual([]);
});
