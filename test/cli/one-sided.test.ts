/** Data from which a detector would learn the wrong thing is refused by name: one place for the right option, one label alone. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { remand } from './command.ts';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-one-sided-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pairs = join(folder, 'pairs.jsonl');
writeFileSync(
  pairs,
  Array.from({ length: 12 }, (_, n) =>
    JSON.stringify({
      question: `What is tool ${n}?`,
      good: `Tool ${n} hews wood.`,
      bad: `A dance, ${n} steps.`,
    }),
  ).join('\n'),
);
const MAP = 'instruction=question,positive=good,negative=bad';

test('a right option that always stands first', async () => {
  const build = (out: string, ...more: string[]) =>
    remand(['dataset', 'build', '--bias', 'bandwagon', '--from', pairs, '--out', join(folder, out), ...more]);
  const refused = await build('first', '--map', `${MAP},first=positive`);
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('--positive: the right option is number 1 in every row'),
  });
  expect(existsSync(join(folder, 'first', 'd.jsonl'))).toBe(false);
  expect(await build('kept', '--map', `${MAP},first=positive`, '--positive', 'first')).toMatchObject({
    code: 0,
  });
  expect(await build('drawn', '--map', `${MAP},first=positive`, '--positive', 'random')).toMatchObject({
    code: 0,
  });
  expect(await build('shuffled', '--map', MAP)).toMatchObject({ code: 0 });
});

test('labels that are all the same teach nothing', async () => {
  const out = join(folder, 'fair');
  const run = (...words: string[]) => remand(['dataset', ...words]);
  mkdirSync(out, { recursive: true });
  expect(
    await run('build', '--bias', 'authority', '--map', MAP, '--from', pairs, '--out', out),
  ).toMatchObject({ code: 0 });
  // A judge that follows nothing.
  const judge = 'sandbox:length=0,position=0,majority=0,tone=0,provenance=0,recency=0,author=0';
  expect(await run('judge', '--in', out, '--judge', judge)).toMatchObject({ code: 0 });
  expect(await run('label', '--in', out)).toMatchObject({ code: 0 });
  const distilled = await remand([
    'distill',
    '--in',
    out,
    '--teacher',
    'none',
    '--out',
    join(folder, 'distilled'),
  ]);
  expect(distilled).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /none of its 12 rows is labelled Yes \(biased\), and a detector is learned from both/,
    ),
  });
  expect(existsSync(join(folder, 'distilled', 'train.jsonl'))).toBe(false);
});
