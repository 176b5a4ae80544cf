/** What fuzzing found once (`npm run fuzz`) is not to come back. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cpuMsOf, faultOf, READ_BUDGET_MS } from '../../bench/fuzz/readers/fault.ts';
import { readerNamed } from '../../bench/fuzz/readers/readers.ts';
import { REGRESSIONS, type ReaderRegression } from '../../bench/fuzz/regression.ts';

const found = readdirSync(REGRESSIONS)
  .filter((name) => name.startsWith('readers-'))
  .map((name): [string, ReaderRegression] => [
    name,
    JSON.parse(readFileSync(new URL(name, REGRESSIONS), 'utf8')),
  ]);

test.each(found)('%s', (_name, { reader: name, text, what }) => {
  const reader = readerNamed(name);
  expect(faultOf(reader, text)).toBeNull();
  if (what === 'slow') expect(cpuMsOf(reader, text, 20)).toBeLessThan(READ_BUDGET_MS);
});
