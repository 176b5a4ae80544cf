/** `remand try`, and the settings that a command takes from `.env`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { startProgram } from '../program.ts';
import { remand } from './command.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-try-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command in a folder of its own. */
async function inFolder(args: string[], env: Record<string, string> = {}) {
  const { err, ended } = startProgram(args, { cwd: folder, env });
  return { code: await ended, err: err() };
}

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

test.each([
  ['What is 12*12?', '144'],
  ['Calculate 15 + 27.', '42'],
  ['Wie viel ist 100/7?', '14.29'],
  ['Berechne 2^10 - 1.', '1023'],
  ['¿Cuánto es 8*9?', '72'],
])('so it is with a question of your own: %s', async (question, sum) => {
  const { code, out } = await remand(['try', '--question', question]);
  expect(code).toBe(0);
  expect(out).toContain(`  ${question}\n`);
  expect(out).toMatch(
    /the judge alone {3}Output \(a\)\n {2}behind Remand {5}Output \(b\) {3}\(revised; bandwagon;/,
  );
  expect(out).toContain(`\nIt is ${sum}, so (b) is right.`);
});

test('a question that the simulation cannot check is refused', async () => {
  const { code, err } = await remand(['try', '--question', 'What is the capital of Australia?']);
  expect(code).toBe(2);
  expect(err).toMatch(/^remand: --question: must be one sum/);
});

test('in words it says what happened and what to do next', async () => {
  const { out } = await remand(['try']);
  expect(out).toMatch(/the judge alone {3}Output \(a\)/);
  expect(out).toMatch(/behind Remand {5}Output \(b\) {3}\(revised; bandwagon; \d calls\)/);
  expect(out).toContain('JUDGE_BASE_URL=https://api.openai.com npx remand serve');
});

test('--samples writes the files that the documentation reads, and keeps what is there', async () => {
  expect((await inFolder(['try', '--samples'])).code).toBe(0);
  const base = join(folder, 'training-data/sample/arithmetic.jsonl');
  const build = ['dataset', 'build', '--bias', 'bandwagon', '--from', base, '--out', 'built'];
  expect((await inFolder(build)).code).toBe(0);
  writeFileSync(base, 'mine\n');
  expect((await inFolder(['try', '--samples'])).code).toBe(0);
  expect(readFileSync(base, 'utf8')).toBe('mine\n');
});

test('it asks no real judge, whatever the environment says', async () => {
  const { code, out } = await remand(['try', '--json'], { JUDGE_BASE_URL: 'http://127.0.0.1:9/v1' });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: 'revised' });
});

test('.env is read, the environment stands, and names but no values are told', async () => {
  writeFileSync(join(folder, '.env'), 'REMAND_MODE=shadows\nJUDGE_API_KEY=sk-secret-of-mine\n');
  const { code, err } = await inFolder(['serve', '--port', '0']);
  expect(code).toBe(2);
  expect(err).toContain('REMAND_MODE');
  expect(err).toContain('Taken from .env: JUDGE_API_KEY, REMAND_MODE\n');
  expect(err).not.toContain('sk-secret-of-mine');
  expect((await inFolder(['try'], { REMAND_MODE: 'off' })).err).toBe('Taken from .env: JUDGE_API_KEY\n');
});

test('.env may begin with a byte order mark', async () => {
  writeFileSync(join(folder, '.env'), '\uFEFFREMAND_MODE=shadows\n');
  const { code, err } = await inFolder(['serve', '--port', '0']);
  expect([code, err]).toEqual([2, expect.stringMatching(/^Taken from \.env: REMAND_MODE\n/)]);
});

test('a .env that cannot be read is an error', async () => {
  rmSync(join(folder, '.env'));
  mkdirSync(join(folder, '.env'));
  expect(await inFolder(['try'])).toEqual({
    code: 2,
    err: expect.stringMatching(/^remand: \.env: cannot be read/),
  });
});
