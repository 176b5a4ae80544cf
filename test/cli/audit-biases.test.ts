/** `remand audit biases`: sandbox judges with declared weights; what is found is what was declared. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';
import { remand } from './command.ts';

// Each case starts processes of its own.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'remand-audit-biases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS =
  'tide iron rust yeast granite amber frost sail loom kiln map turns slowly under old salt light'.split(' ');
const base = join(folder, 'base.jsonl');
const draw = createSeededDraw(4);
const line = () => Array.from({ length: 14 }, () => WORDS[draw(WORDS.length)]).join(' ');
writeFileSync(
  base,
  Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({
      ...{
        kind: 'pair',
        id: `b${n}`,
        instruction: `Write line ${n}.`,
        positive: `${line()}.`,
        negative: `${line()}.`,
      },
      ...{ answer: null, first: n % 2 === 0 ? 'positive' : 'negative' },
    }),
  ).join('\n'),
);

const FAIR = 'length=0,position=0,majority=0,tone=0,provenance=0,recency=0,author=0,hostility=0';

async function audit(judge: string, ...more: string[]) {
  const out = join(folder, judge.replace(/\W+/g, '-'));
  const ended = await remand([
    'audit',
    'biases',
    '--from',
    base,
    '--judge',
    judge,
    '--out',
    out,
    '--json',
    ...more,
  ]);
  expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' });
  return { out, report: JSON.parse(ended.out) };
}

interface Told {
  readonly bias: string;
  readonly p: number | null;
  readonly effect: { readonly value: number | null };
}
const followed = ({ effects }: { effects: readonly Told[] }) =>
  effects
    .filter(({ p, effect }) => p !== null && p <= 0.05 && (effect.value ?? 0) > 0)
    .map(({ bias }) => bias)
    .sort();

test.each([
  [['bandwagon'], 'majority=3'],
  [['position'], 'position=0.6'],
  [['recency'], 'recency=2'],
  [['bandwagon', 'instruction'], 'majority=3,instruction=2'],
])('%s is found, and nothing else', async (biases, weights) => {
  const rest = FAIR.split(',').filter((one) => !weights.includes(`${one.split('=')[0]}=`));
  const { out, report } = await audit(
    `sandbox:${[...rest, weights].join(',')}`,
    '--biases',
    'position,bandwagon,instruction,recency,authority,identity',
  );
  // A judge that knows no merit takes what stands first.
  const found = followed(report).filter((bias) => bias !== 'position' || biases.includes(bias));
  expect(found).toEqual(biases);
  expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).effects).toEqual(report.effects);
  expect(readFileSync(join(out, 'verdicts.jsonl'), 'utf8').trim().split('\n')).toHaveLength(6 * 80);
});

test('started again it asks nothing and says the same; a dry run counts; what cannot be made is told', async () => {
  const judge = `sandbox:${FAIR.replace('majority=0', 'majority=3')}`;
  const first = await audit(judge, '--biases', 'bandwagon,sentiment');
  expect(first.report.dropped).toEqual({ sentiment: { 'no model to change the tone with': 80 } });
  const again = await audit(judge, '--biases', 'bandwagon,sentiment');
  expect(again.report).toEqual({ ...first.report, calls: 0, tokens: { input: 0, output: 0 } });
  const dry = await remand([
    'audit',
    'biases',
    '--from',
    base,
    '--judge',
    'sandbox',
    '--out',
    join(folder, 'dry'),
    '--dry-run',
    '--biases',
    'bandwagon',
  ]);
  expect(dry.out).toMatch(/^Nobody was asked. The command would make 120 calls, about \d+ tokens in/);
  const words = await remand([
    'audit',
    'biases',
    '--from',
    base,
    '--judge',
    judge,
    '--out',
    first.out,
    '--biases',
    'bandwagon,sentiment',
  ]);
  expect(words.out).toMatch(/ is swayed by bandwagon \(.*bandwagon +80 +0 +\+\d+\.\d \[/s);
  const wrong = await remand([
    'audit',
    'biases',
    '--from',
    base,
    '--judge',
    judge,
    '--out',
    first.out,
    '--biases',
    'conclusion',
  ]);
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('"conclusion" is none of those that can be put into a case'),
  });
});

test("on a table of one's own the cost is announced, and a budget that is too small ends the run without a result", async () => {
  const table = join(folder, 'own.csv');
  const sums = Array.from({ length: 12 }, (_, n) => [n + 11, n + 3] as const);
  const rows = sums.map(([a, b]) => `What is ${a}*${b}?,It is ${a * b}.,It is ${a * b + 10}.`);
  writeFileSync(table, ['question,good,bad', ...rows].join('\n'));
  const out = join(folder, 'budget');
  const judge = `sandbox:${FAIR.replace('majority=0', 'majority=3')}`;
  const columns = 'instruction=question,positive=good,negative=bad';
  const run = (...more: string[]) =>
    remand(
      ['audit', 'biases', '--from', table, '--map', columns, '--judge', judge]
        .concat('--biases', 'bandwagon,identity', '--out', out)
        .concat(more),
    );
  const announced = Number(/would make (\d+) calls/.exec((await run('--dry-run')).out)?.[1]);
  const few = announced - 10;
  const stopped = await run('--budget', String(few), '--json');
  expect(stopped).toEqual({
    ...{ code: 1, out: '' },
    err: `remand: all ${few} calls of the budget are used up; what was answered is kept in ${join(out, 'calls.sqlite')}: the same command goes on from there\n`,
  });
  expect(existsSync(join(out, 'result.json'))).toBe(false);
  expect(existsSync(join(out, 'verdicts.jsonl'))).toBe(false);
  // Nothing is paid twice, and what is left of the announced cost is enough.
  const finished = await run('--budget', '10', '--json');
  expect({ code: finished.code, err: finished.err }).toEqual({ code: 0, err: '' });
  const report = JSON.parse(finished.out);
  expect(report.calls).toBe(10);
  expect(followed(report)).toEqual(['bandwagon']);
  expect(report.effects.map(({ n, unread }: { n: number; unread: number }) => [n, unread])).toEqual([
    [24, 0],
    [24, 0],
  ]);
});

test.each([
  [
    'four questions of one document',
    (doc: number, n: number) => [`Question ${doc}.${n}?`, `good ${doc}.${n}`],
  ],
  ['four pairs of answers to one question', (doc: number, n: number) => [`Question ${doc}?`, `good ${n}`]],
])('all cases of an id are asked, and count as one cluster: %s', async (name, write) => {
  const from = join(folder, `${name.replaceAll(' ', '-')}.jsonl`);
  const rows = Array.from({ length: 40 }, (_, n) => {
    const [question, chosen] = write(n % 10, Math.floor(n / 10));
    return { doc: `d${n % 10}`, question, chosen, rejected: `bad ${n}` };
  });
  writeFileSync(from, rows.map((row) => JSON.stringify(row)).join('\n'));
  const out = join(folder, name.replaceAll(' ', '-'));
  const ended = await remand([
    ...[
      'audit',
      'biases',
      '--from',
      from,
      '--map',
      'id=doc,instruction=question,positive=chosen,negative=rejected',
    ],
    ...[
      '--judge',
      `sandbox:${FAIR.replace('majority=0', 'majority=3')}`,
      '--biases',
      'bandwagon',
      '--out',
      out,
      '--json',
    ],
  ]);
  expect(ended.err).toBe('');
  const { skipped, effects } = JSON.parse(ended.out);
  expect(skipped).toEqual({});
  expect(effects).toMatchObject([{ bias: 'bandwagon', n: 80, effect: { groups: 10 } }]);
  expect(readFileSync(join(out, 'verdicts.jsonl'), 'utf8').trim().split('\n')).toHaveLength(80);
});
