/** A judge that cannot be reached: every command that asks models says so, in one line, with the address. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createFailureTally } from '../../src/cli/failures.ts';
import { JudgeError } from '../../src/http/index.ts';
import { remand } from './command.ts';

const SAMPLE = 'training-data/sample/arithmetic.jsonl';
// Nothing listens on the discard port.
const NOBODY = 'm@http://127.0.0.1:9/v1';
const folder = mkdtempSync(join(tmpdir(), 'remand-failures-'));
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  const { code } = await remand([
    ...['dataset', 'build', '--bias', 'bandwagon', '--from', SAMPLE, '--limit', '2', '--out', at('d')],
  ]);
  expect(code).toBe(0);
});

test.each([
  [['dataset', 'judge', '--in', 'd', '--judge', NOBODY]],
  [['eval', 'judge', '--in', 'd', '--judge', NOBODY, '--arms', 'none']],
  [['audit', 'cues', '--from', SAMPLE, '--judge', NOBODY, '--out', 'cues', '--limit', '2']],
  [['audit', 'biases', '--from', SAMPLE, '--judge', NOBODY, '--out', 'biases', '--limit', '2']],
  [['card', '--cases', SAMPLE, '--judge', NOBODY, '--out', 'card', '--limit', '2']],
])('%j', async (words) => {
  const paths = words.map((word, n) => (['--in', '--out'].includes(words[n - 1] ?? '') ? at(word) : word));
  const { err } = await remand([...paths, '--retries', '0']);
  expect(err).toMatch(
    /^\d+ calls failed: http:\/\/127\.0\.0\.1:9\/v1\/chat\/completions gave no reply: connection refused \(ECONNREFUSED\) at 127\.0\.0\.1:9$/m,
  );
});

test('of many reasons the commonest are told first, and the others counted', async () => {
  const tally = createFailureTally();
  for (const why of ['a', 'b', 'b', 'c', 'd', 'd'])
    await tally.watch(Promise.reject(new JudgeError(why))).catch(() => {});
  await tally.watch(Promise.resolve(1));
  expect(tally.describe()).toBe('6 calls failed. 2 times: b; 2 times: d; 1 times: a; 1 other reasons\n');
});
