/** A small version of `npm run bench:authorship`: thousands of reviews pass through a small heap. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bench = fileURLToPath(new URL('../../bench/authorship.ts', import.meta.url));

test('3,000 reviews of 400 words are scored within a heap of 128 MiB', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench, '--reviews', '3000', '--json']);
  const { results } = JSON.parse(stdout);
  expect(results).toMatchObject([{ reviews: 3000 }]);
  expect(results[0].reviews_per_second).toBeGreaterThan(5);
  // Their texts and vectors, held, would be some 10 MB and 200 MB more.
  expect(results[0].peak_mib).toBeLessThan(270);
});
