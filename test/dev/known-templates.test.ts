/** The shipped templates of packages are made from the corpus. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('they are those that the corpus gives: npm run known', async () => {
  const script = join(import.meta.dirname, '..', '..', 'dev', 'known-templates.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stdout).toMatch(/^\d+ templates of packages/);
}, 900_000);
