/** The house: imports point one way, floor by floor, and run in no circle. The README draws it; this holds it up. */
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
