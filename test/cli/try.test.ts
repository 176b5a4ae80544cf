/** `remand try`, and the settings that a command takes from `.env`. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { remand } from './command.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'remand-try-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command in a folder of its own. */
const inFolder = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(join(ROOT, 'node_modules/.bin/node'), [join(ROOT, 'src/cli/remand.ts'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
  });

test('the judge is swayed alone, and right behind Remand', async () => {
  const { code, out } = await remand(['try', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    alone: 'Output (a)',
    behind: 'Output (b)',
    status: 'revised',
    biases: ['bandwagon'],
  });
});

test('in words it says what happened and what to do next', async () => {
  const { out } = await remand(['try']);
  expect(out).toMatch(/the judge alone {3}Output \(a\)/);
  expect(out).toMatch(/behind Remand {5}Output \(b\) {3}\(revised; bandwagon; \d calls\)/);
  expect(out).toContain('JUDGE_BASE_URL=https://api.openai.com npx remand serve');
});

test('--samples writes the files that the documentation reads, and keeps what is there', async () => {
  await inFolder(['try', '--samples']);
  const base = join(folder, 'training-data/sample/arithmetic.jsonl');
  await inFolder(['dataset', 'build', '--bias', 'bandwagon', '--from', base, '--out', 'built']);
  writeFileSync(base, 'mine\n');
  await inFolder(['try', '--samples']);
  expect(readFileSync(base, 'utf8')).toBe('mine\n');
});

test('it asks no real judge, whatever the environment says', async () => {
  const { code, out } = await remand(['try', '--json'], { JUDGE_BASE_URL: 'http://127.0.0.1:9/v1' });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: 'revised' });
});

test('.env is read, the environment stands, and names but no values are told', async () => {
  writeFileSync(join(folder, '.env'), 'REMAND_MODE=shadows\nJUDGE_API_KEY=sk-secret-of-mine\n');
  const refused = await inFolder(['serve', '--port', '0']).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('REMAND_MODE') });
  expect(refused).toMatchObject({
    stderr: expect.stringContaining('Taken from .env: JUDGE_API_KEY, REMAND_MODE\n'),
  });
  expect(JSON.stringify(refused)).not.toContain('sk-secret-of-mine');
  const { stderr } = await inFolder(['try'], { REMAND_MODE: 'off' });
  expect(stderr).toBe('Taken from .env: JUDGE_API_KEY\n');
});

test('a .env that cannot be read is an error', async () => {
  rmSync(join(folder, '.env'));
  mkdirSync(join(folder, '.env'));
  await expect(inFolder(['try'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^remand: \.env: cannot be read/),
  });
});
