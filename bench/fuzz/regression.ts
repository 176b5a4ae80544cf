/** What fuzzing found, kept small and replayed by `test/security/fuzz-corpus.test.ts`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REGRESSIONS = new URL('../../test/security/fuzz-corpus/', import.meta.url);

/** One finding of the readers. */
export interface ReaderRegression {
  readonly reader: string;
  readonly text: string;
  /** In words; `slow` for one above the CPU budget. */
  readonly what: string;
}

/** @returns the file's path, for a person */
export function keepFinding(piece: string, finding: ReaderRegression): string {
  mkdirSync(REGRESSIONS, { recursive: true });
  const json = `${JSON.stringify({ piece, ...finding }, null, 1)}\n`;
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 8);
  const path = new URL(`${piece}-${finding.reader}-${hash}.json`, REGRESSIONS);
  writeFileSync(path, json);
  return relative(process.cwd(), fileURLToPath(path));
}
