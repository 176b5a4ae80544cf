/** The whole way as one command: what is trained is loaded, served and asked, and its rubbish is no label. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

function pipeline(args: readonly string[], env: NodeJS.ProcessEnv) {
  const node = join(ROOT, 'node_modules/.bin/node');
  const child = spawn(node, ['bench/pipeline-sample.ts', ...args], { cwd: ROOT, env });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

const jsonLines = (out: string): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

test('build, judge, label, distil, export, train, serve, ask: every joint holds', async () => {
  const { code, out, err } = await pipeline(['--steps', '6'], process.env);
  expect(err).toBe('');
  expect(code).toBe(0);
  const said = jsonLines(out);
  const losses = said.flatMap(({ loss }) => (typeof loss === 'number' ? [loss] : []));
  expect(losses).toHaveLength(6);
  expect(losses.at(-1)).toBeLessThan(0.95 * (losses[0] ?? 0));
  expect(said.at(-1)).toEqual({ n: 4, unreadable: 4, accuracy: null });
});

test('without the Python packages it stops after the export, says so, and is no success', async () => {
  const { code, out } = await pipeline([], { ...process.env, TRAINING_PYTHON: '/nowhere/python' });
  expect(out).toContain('== remand export');
  expect(out).toContain('no Python packages');
  expect(out).not.toContain('train.py');
  expect(code).toBe(1);
});
