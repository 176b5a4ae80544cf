/** docs/api.md is made from the doc comments, and every exported function shows how it is called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatApiPage, readApi } from '../../dev/api-page.ts';
import { ROOT } from './blocks.ts';

const modules = readApi();

test('the page is as `npm run api` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/api.md'), 'utf8')).toBe(formatApiPage(modules));
});

test('every exported function has an example', () => {
  const without = modules.flatMap(({ specifier, entries }) =>
    entries
      .filter(({ kind, examples }) => kind === 'function' && examples.length === 0)
      .map(({ name }) => `${specifier}: ${name}`),
  );
  expect(without).toEqual([]);
});
