/** `remand rank`: pairs, rankings of several, two judges; what it refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, test } from 'vitest';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-rank-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function rank(records: readonly object[], ...more: string[]) {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return remand(['rank', '--records', path, ...more]);
}

const STRONG: Record<string, number> = { ant: 1, bee: 0.3, cat: -0.2, dog: -1.1 };
const NAMES = Object.keys(STRONG);

/** Each item before two judges in both orders; one of them is for the first place. */
function simulate(items: number): object[] {
  const draw = createSeededDraw(3);
  const chance = (p: number) => draw(1_000_000) < 1_000_000 * p;
  return Array.from({ length: items }, (_, n) => {
    const a = draw(4);
    const contestants = [NAMES[a], NAMES[(a + 1 + draw(3)) % 4]];
    return ['fair', 'first'].flatMap((judge) =>
      ['given', 'swapped'].map((order) => {
        const [up = 0, down = 0] = contestants.map((name) => STRONG[name ?? ''] ?? 0);
        const pull = (judge === 'first' ? 1 : 0) * (order === 'given' ? 1 : -1);
        const choice = chance(1 / (1 + Math.exp(down - up - pull))) ? 0 : 1;
        return { item: `q${n}`, judge, order, contestants, choice };
      }),
    );
  }).flat();
}

test('as a table: the figures of the JSON, a line a judge and contestant', async () => {
  const records = simulate(200);
  const table = parse((await rank(records, '--csv')).out, { columns: true });
  const { ranking } = JSON.parse((await rank(records, '--json')).out);
  expect(table).toHaveLength(12);
  expect(table.slice(8)).toEqual(
    ranking.map(({ name, strength, low, high }: Record<string, unknown>) =>
      expect.objectContaining({
        ...{ judge: 'all', contestant: name },
        ...{ strength_log_odds: String(strength), low_log_odds: String(low), high_log_odds: String(high) },
        strength_points: String((400 / Math.LN10) * Number(strength)),
      }),
    ),
  );
});

test('in a table no name is a formula, and numbers stay numbers', async () => {
  const names: Record<string, string> = { ant: '=HYPERLINK("http://x")', bee: '-1+1', cat: '@cat' };
  const records = (simulate(60) as { readonly contestants: readonly string[] }[]).map((one) => ({
    ...one,
    contestants: one.contestants.map((name) => names[name] ?? name),
  }));
  const { out } = await rank(records, '--csv');
  const table: Record<string, string>[] = parse(out, { columns: true });
  expect(table.map(({ contestant }) => contestant)).toEqual(
    expect.arrayContaining([`'${names.ant}`, "'-1+1", "'@cat", 'dog']),
  );
  expect(table.map(({ low_points }) => Number(low_points)).filter((low) => low < 0)).not.toEqual([]);
});

test('items made from one source are one, whatever they are called', async () => {
  const records = simulate(60) as { readonly item: string }[];
  const again = records.map((one) => ({ ...one, item: `${one.item}-again`, group: one.item }));
  const twice = [...records.map((one) => ({ ...one, group: one.item })), ...again];
  const read = async (some: readonly object[]) => JSON.parse((await rank(some, '--json')).out);
  const [once, both] = [await read(records), await read(twice)];
  for (const [n, { name, low, high }] of once.ranking.entries()) {
    expect(both.ranking[n].name).toBe(name);
    expect(both.ranking[n].high - both.ranking[n].low).toBeCloseTo(high - low, 6);
  }
  expect(both.rankings[2].found).toMatchObject({ items: 120, groups: 60 });
  expect((await rank(twice)).out).toContain('480 verdicts on 120 items in 60 groups');
});

test('by each judge and by both: the order, the place, whom to ask about next', async () => {
  const { code, out } = await rank(simulate(400), '--json');
  expect(code).toBe(0);
  const { ranking, place, rankings } = JSON.parse(out);
  const pooled = rankings[2].found;
  expect(ranking.map(({ name }: { name: string }) => name)).toEqual(NAMES);
  expect(ranking[0]).toEqual({
    name: 'ant',
    strength: pooled.strengths[0].value,
    ...pooled.strengths[0].interval,
  });
  expect(place).toEqual({ strength: pooled.place.value, ...pooled.place.interval });
  expect(rankings.map(({ judge }: { judge: string | null }) => judge)).toEqual(['fair', 'first', null]);
  for (const { found } of rankings) {
    expect(found.strengths.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    expect(found).toMatchObject({ items: 400, ties: 0 });
    expect(found.next).toHaveLength(5);
  }
  const [fair, first] = rankings;
  expect(fair.found.place.interval.low).toBeLessThan(0);
  expect(first.found.place.interval.low).toBeGreaterThan(0.5);
  expect((await rank(simulate(100))).out).toContain('Being shown first is worth');
});

test('scores of several count as each two of them; a choice among several as one over all others', async () => {
  const draw = createSeededDraw(9);
  const records = Array.from({ length: 300 }, (_, n) => {
    const scores = NAMES.map((name) => (STRONG[name] ?? 0) + draw(4000) / 1000);
    const most = scores.indexOf(Math.max(...scores));
    const common = { item: `q${n}`, contestants: NAMES };
    return [
      { ...common, judge: 'scorer', scores },
      { ...common, judge: 'chooser', choice: most },
    ];
  }).flat();
  const { rankings } = JSON.parse((await rank(records, '--json')).out);
  for (const { found } of rankings) expect(found.strengths[0].name).toBe('ant');
});

test('cycles are told, and who never lost is named', async () => {
  const beat = (winner: string, loser: string, n: number) =>
    Array.from({ length: n }, (_, i) => ({
      item: `${winner}${loser}${i}`,
      judge: 'j',
      contestants: [winner, loser],
      choice: 0,
    }));
  const round = [...beat('a', 'b', 3), ...beat('b', 'c', 3), ...beat('c', 'a', 3)];
  expect((await rank(round, '--no-place')).out).toContain(
    '1 cycle of three, such as a over b over c over a.',
  );
  expect((await rank([...round, ...beat('king', 'a', 2)])).out).toContain('no finite strength for king');
});

test('records without contestants, and verdicts on others, are refused', async () => {
  const bare = await rank([{ item: 'q', judge: 'j', choice: 0 }]);
  expect([bare.code, bare.err]).toEqual([2, expect.stringContaining('contestants')]);
  const odd = await rank([{ item: 'q', judge: 'j', choice: 2, contestants: ['a', 'b'] }]);
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('item q of j has 2 of them')]);
  const twice = await rank([{ item: 'q', judge: 'j', choice: 0, contestants: ['a', 'a'] }]);
  expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('twice')]);
});

test('what keeps strengths from settling is told: ties alone, or the place', async () => {
  const one = (item: string, contestants: string[], choice: number | 'tie') => ({
    item,
    judge: 'j',
    contestants,
    choice,
  });
  const ties = await rank([one('p', ['a', 'b'], 'tie'), one('q', ['b', 'a'], 'tie')]);
  expect(ties.out).toContain('too few of the verdicts name a winner');
  const placed = [one('p', ['a', 'b'], 0), one('q', ['b', 'a'], 0), one('r', ['a', 'b'], 0)];
  expect((await rank(placed)).out).toContain('or rank without an effect of the place');
  expect((await rank(placed, '--no-place')).out).toContain('3 verdicts on 3 items');
});

test('a verdict that stands twice is refused, and a second sample is not', async () => {
  const said = { item: 'p', judge: 'j', contestants: ['a', 'b'], choice: 0 };
  const { code, err } = await rank([said, said]);
  expect(code).toBe(2);
  expect(err).toContain('j has two verdicts on item p (sample 0, order given); number what was asked again');
  const more = [
    { ...said, sample: 1 },
    { ...said, order: 'swapped' },
    { ...said, contestants: ['a', 'c'] },
  ];
  expect((await rank([said, ...more])).code).toBe(0);
});

test('a nought has no minus', async () => {
  const one = (item: string, contestants: string[], choice: number) => ({
    item,
    judge: 'j',
    sample: choice,
    contestants,
    choice,
  });
  const even = [
    one('p', ['a', 'b'], 0),
    one('p', ['a', 'b'], 1),
    one('q', ['b', 'a'], 0),
    one('q', ['b', 'a'], 1),
  ];
  const { code, out } = await rank(even);
  expect(code).toBe(0);
  expect(out).not.toMatch(/[-−]0\b/);
});
