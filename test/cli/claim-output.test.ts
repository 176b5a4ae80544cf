/** A run of other settings does not write over what another run has written. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { remand } from './command.ts';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-claim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAMPLE = join(import.meta.dirname, '..', '..', 'training-data', 'sample', 'instructions.jsonl');

test('datasets and judgments stay until --overwrite is given; the same run goes on', async () => {
  const out = join(folder, 'set');
  const build = (...more: string[]) => remand(['dataset', 'build', '--from', SAMPLE, '--out', out, ...more]);
  expect(await build('--bias', 'bandwagon')).toMatchObject({ code: 0 });
  const rows = readFileSync(join(out, 'd_bias.jsonl'), 'utf8');
  expect(await build('--bias', 'bandwagon')).toMatchObject({ code: 0 });
  expect(await build('--bias', 'position')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /--out: .*set\/d\.jsonl is there already, of another run \(other --bias\); write elsewhere, or give --overwrite/,
    ),
  });
  expect(readFileSync(join(out, 'd_bias.jsonl'), 'utf8')).toBe(rows);

  const judge = (...more: string[]) => remand(['eval', 'judge', '--in', out, '--judge', 'sandbox', ...more]);
  expect(await judge('--arms', 'none,placebo')).toMatchObject({ code: 0 });
  const judgments = readFileSync(join(out, 'judgments.jsonl'), 'utf8');
  expect(await judge('--arms', 'none', '--limit', '1')).toMatchObject({
    code: 2,
    err: expect.stringContaining('judgments.jsonl is there already, of another run (other --arms, --limit)'),
  });
  expect(readFileSync(join(out, 'judgments.jsonl'), 'utf8')).toBe(judgments);
  // How fast, and with what budget, is no other run.
  expect(await judge('--arms', 'none,placebo', '--concurrency', '2', '--budget', '9')).toMatchObject({
    code: 0,
  });
  // Nor is one of an earlier version, which had not all options of this one.
  const note = join(out, 'judgments.run.json');
  const { command, settings } = JSON.parse(readFileSync(note, 'utf8'));
  expect(settings).toHaveProperty('verdict-from', 'winner');
  writeFileSync(note, JSON.stringify({ command, settings: { ...settings, 'verdict-from': undefined } }));
  expect(await judge('--arms', 'none,placebo')).toMatchObject({ code: 0 });
  expect(await judge('--arms', 'none', '--limit', '1', '--overwrite')).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'judgments.jsonl'), 'utf8').length).toBeLessThan(judgments.length);

  expect(await build('--bias', 'position', '--overwrite')).toMatchObject({ code: 0 });
  expect(readFileSync(join(out, 'd_bias.jsonl'), 'utf8')).not.toBe(rows);
});

test('a file of which nothing says what made it is left alone; no secret of an address is noted', async () => {
  const out = join(folder, 'strange');
  const build = ['dataset', 'build', '--from', SAMPLE, '--bias', 'bandwagon', '--out', out];
  expect(
    await remand([...build, '--weak', 'm@http://me:secret@127.0.0.1:1/v1?key=secret', '--budget', '0']),
  ).toMatchObject({
    code: expect.any(Number),
  });
  expect(readFileSync(join(out, 'd.run.json'), 'utf8')).not.toContain('secret');
  rmSync(join(out, 'd.run.json'));
  writeFileSync(join(out, 'd.jsonl'), 'mine\n');
  expect(await remand(build)).toMatchObject({
    code: 2,
    err: expect.stringContaining('of another run (nothing says what made it)'),
  });
  expect(readFileSync(join(out, 'd.jsonl'), 'utf8')).toBe('mine\n');
});

test.each([
  ['card', '--cases'],
  ['audit biases', '--from'],
  ['audit cues', '--from'],
  ['dataset build --bias position', '--from'],
  ['distill --teacher none', '--in'],
])('%s: an input that is not there leaves nothing behind', async (words, option) => {
  const out = join(folder, 'nothing-here');
  const asks = /card|audit/.test(words) ? ['--judge', 'sandbox'] : [];
  const ended = await remand([...words.split(' '), option, join(folder, 'not-there'), ...asks, '--out', out]);
  expect(ended.code).toBe(2);
  expect(ended.err).toMatch(/not-there:? cannot be read: there is no such file or folder\n$/);
  expect(existsSync(out)).toBe(false);
});
