/** Nothing is promised without a test: every row of the threat model names one that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(ROOT, 'docs', 'threat-model.md'), 'utf8');
const promises = page.slice(page.indexOf('## Promises'), page.indexOf('## Not promised'));

const rows = promises
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => {
    const [, promise = '', shown = ''] =
      line.split(' | ').length > 1 ? (/^\| (.+?) \| (.+) \|$/.exec(line) ?? []) : [];
    const [, file = '', title = ''] = /^`([^`]+)`(?: > (.+))?$/.exec(shown) ?? [];
    return { promise, file, title };
  });

test('the page has its promises', () => {
  expect(rows.length).toBeGreaterThan(50);
});

test.each(rows)('$promise', ({ file, title }) => {
  const path = join(ROOT, 'test', file);
  expect(existsSync(path), `${file} is missing`).toBe(true);
  // Titles stand in quotation marks of one sort or another; an apostrophe may be escaped.
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  expect(source.includes(title), `${file} has no test "${title}"`).toBe(true);
});
