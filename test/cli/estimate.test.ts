/** `remand estimate`: a rate from verdicts and labels, and what it refuses. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import { createSeededDraw } from '../../src/stats/seeded-draw.ts';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-estimate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(records: readonly object[]): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return path;
}

/** 64 of 100 pass; the judge lets pass 90 of 100 of those, and 40 of 100 of the others. */
const draw = createSeededDraw(5);
const items = Array.from({ length: 600 }, (_, n) => {
  const truth = draw(100) < 64;
  return { item: `q${n}`, truth, pass: draw(100) < (truth ? 90 : 40), subgroup: n % 2 ? 'fi' : 'en' };
});
const judgments = items.map(({ item, pass, subgroup }) => ({ item, judge: 'gpt', pass, subgroup }));
const labels = items.slice(0, 120).map(({ item, truth }) => ({ item, label: truth, annotator: 'anna' }));

const run = (said: readonly object[], labelled: readonly object[], ...more: string[]) =>
  remand([
    ...['estimate', '--records', write(said), ...more],
    ...(labelled.length === 0 ? [] : ['--labels', write(labelled)]),
  ]);

describe('a record of Every Eval Ever', () => {
  const about = ['--model', 'openai/gpt-4o', '--dataset', 'house set', '--organization', 'A team'];
  const prompt = join(folder, 'prompt.txt');
  writeFileSync(prompt, 'Is the answer right? {{answer}}');
  const ask = (...more: string[]) => run(judgments, labels, '--every-eval-ever', ...more);

  test('is valid by its own schema, and has the same figures', async () => {
    const { code, out } = await ask(...about, '--prompt', prompt);
    expect(code).toBe(0);
    const record = JSON.parse(out);
    // Version 0.3.0 as the package `every_eval_ever` has it.
    const path = join(import.meta.dirname, '../evaluate/estimate/every-eval-ever/eval.schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    expect(record.schema_version).toBe(schema.version);
    expect(new Validator(schema, '7').validate(record).errors).toEqual([]);
    expect(new Validator(schema, '7').validate({ ...record, more: 1 }).valid).toBe(false);
    const { estimates } = JSON.parse((await run(judgments, labels, '--json')).out);
    const [alone, corrected] = record.evaluation_results;
    expect([alone.score_details.score, corrected.score_details.score]).toEqual([
      estimates[0].raw,
      estimates[0].corrected.value,
    ]);
    expect(corrected.score_details.uncertainty.confidence_interval).toMatchObject({
      lower: estimates[0].corrected.interval.low,
      upper: estimates[0].corrected.interval.high,
    });
    expect(record.evaluation_results).toHaveLength(6);
    expect(corrected.metric_config.llm_scoring).toMatchObject({
      judges: [{ model_info: { name: 'gpt' } }],
      input_prompt: 'Is the answer right? {{answer}}',
    });
  });

  test('of a mean score has no limits but those that are given', async () => {
    const scores = judgments.map(({ item, judge }, n) => ({ item, judge, score: n % 7 }));
    const scaled = async (...more: string[]) => {
      const args = [...about, '--prompt', prompt, '--every-eval-ever', ...more];
      return JSON.parse((await run(scores, [], ...args)).out).evaluation_results[0].metric_config;
    };
    expect(await scaled()).toMatchObject({ min_score: '-Infinity', max_score: 'Infinity' });
    expect(await scaled('--scale', '0..6')).toMatchObject({ min_score: 0, max_score: 6 });
  });

  test.each([
    [about, '--prompt: is needed'],
    [['--prompt', prompt, ...about.slice(2)], '--model: is needed'],
    [[...about, '--prompt', prompt, '--scale', '9..1'], '--scale: must be'],
    [[...about, '--prompt', prompt, '--relationship', 'friends'], '--relationship: "friends" is none of'],
  ])('%j', async (more, message) => {
    const { code, err } = await ask(...more);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test('verdicts that are all alike have no interval of no width', async () => {
  const of = (verdict: object) =>
    Array.from({ length: 30 }, (_, n) => ({ item: `q${n}`, judge: 'gpt', ...verdict }));
  const { raw } = JSON.parse((await run(of({ choice: 'tie' }), [], '--json')).out);
  // As for none of 30 (Wilson: 0 to .1135), each of them a win or a loss in place of a tie.
  expect(raw.value).toBe(0.5);
  expect([raw.low, raw.high]).toEqual([expect.closeTo(0.4432, 4), expect.closeTo(0.5568, 4)]);
  expect((await run(of({ score: 8 }), [])).out).toContain('8.00 (no interval: all alike)');
});

test('items of one group that go together make no interval of the verdicts alone narrower', async () => {
  const one = Array.from({ length: 40 }, (_, n) => ({ item: `q${n}`, judge: 'gpt', pass: n % 3 > 0 }));
  const four = [0, 1, 2, 3].flatMap((copy) =>
    one.map((verdict) => ({ ...verdict, item: `${verdict.item}-${copy}`, group: verdict.item })),
  );
  const width = async (records: readonly object[]) => {
    const { raw } = JSON.parse((await run(records, [], '--json')).out);
    return raw.high - raw.low;
  };
  expect(await width(four)).toBeGreaterThanOrEqual(await width(one));
});

test('where every item has a label, that is why there is no interval', async () => {
  const all = items.map(({ item, truth }) => ({ item, label: truth }));
  expect((await run(judgments, all)).out).toMatch(
    /corrected by 600 labels .* \(no interval: every item is labelled\)/,
  );
});

test('an item that was judged twice alike is told with what is missing', async () => {
  const [one] = judgments;
  expect(await run([one ?? {}, one ?? {}], [])).toMatchObject({
    code: 2,
    err: 'remand: sample: gpt has two verdicts on item q0 (sample 0, order given); number what was asked again: "sample": 0, 1, …\n',
  });
});

test('what a record alone needs is refused without it', async () => {
  const { code, err } = await run(judgments, labels, '--model', 'gpt');
  expect([code, err]).toEqual([2, expect.stringContaining('--model: is for --every-eval-ever')]);
});

test('as a table: a line a subgroup, with the same figures as in JSON', async () => {
  const table = parse((await run(judgments, labels, '--csv')).out, { columns: true });
  const { estimates } = JSON.parse((await run(judgments, labels, '--json')).out);
  expect(table).toHaveLength(3);
  for (const [n, one] of estimates.entries())
    expect(table[n]).toMatchObject({
      ...{ judge: 'gpt', subgroup: one.subgroup ?? '', labelled: String(one.labelled) },
      ...{ raw: String(one.raw), corrected: String(one.corrected.value), report: one.report },
    });
});

test('in a table no name of a judge is a formula, and numbers stay numbers', async () => {
  const opposite = labels.map((one) => ({ ...one, label: !one.label }));
  const named = judgments.map((one) => ({ ...one, judge: '=1+1' }));
  const [row] = parse((await run(named, opposite, '--csv')).out, { columns: true });
  expect(row).toMatchObject({ judge: "'=1+1", kappa: expect.stringMatching(/^-0\.\d+$/) });
});

test('a pass rate is corrected, whole and by subgroup, with a plan for more labels', async () => {
  const { code, out } = await run(judgments, labels, '--json', '--plan', '±3');
  expect(code).toBe(0);
  const { estimates, raw, corrected, kappa, n, labels: labelled } = JSON.parse(out);
  expect({ n, labelled, kappa }).toEqual({ n: 600, labelled: 120, kappa: estimates[0].kappa.value });
  expect(raw.value).toBe(estimates[0].raw);
  expect(raw.high - raw.low).toBeCloseTo(2 * 1.96 * Math.sqrt((raw.value * (1 - raw.value)) / 600), 2);
  expect(Object.keys(corrected)).toEqual(['ppi++', 'labels', 'rogan-gladen']);
  expect(corrected['ppi++']).toEqual({
    value: estimates[0].corrected.value,
    ...estimates[0].corrected.interval,
  });
  expect(estimates.map(({ subgroup }: { subgroup: string | null }) => subgroup)).toEqual([null, 'en', 'fi']);
  const [all] = estimates;
  const truth = items.filter((one) => one.truth).length / items.length;
  expect(all).toMatchObject({ figure: 'pass rate', judged: 600, labelled: 120, report: 'corrected' });
  expect(all.raw - truth).toBeGreaterThan(0.03);
  expect(all.corrected.interval.low).toBeLessThan(truth);
  expect(all.corrected.interval.high).toBeGreaterThan(truth);
  expect(all.roganGladen.value).toBeCloseTo(truth, 1);
  expect(all.plan.value).toBeGreaterThan(100);
  expect(all.plan.strata).toHaveLength(2);
});

test('as many labels as were planned give the width that was wished for', async () => {
  const planned = JSON.parse((await run(judgments, labels, '--json', '--plan', '5')).out).estimates[0].plan
    .value;
  const more = items.slice(0, 120 + planned).map(({ item, truth }) => ({ item, label: truth }));
  const [all] = JSON.parse((await run(judgments, more, '--json')).out).estimates;
  const { low, high } = all.corrected.interval;
  expect((high - low) / 2).toBeGreaterThan(0.04);
  expect((high - low) / 2).toBeLessThan(0.06);
});

test.each([
  ['a judge that was right on every label', (n: number) => n % 3 === 0, '3'],
  ['a judge that errs', (n: number) => n % 3 === 0 || n % 7 === 0, '8'],
])('labels are asked for as long as the interval is wider than was wished for: %s', async (_, says, plan) => {
  const all = Array.from({ length: 200 }, (__, n) => ({ item: `p${n}`, judge: 'gpt', pass: says(n) }));
  const known = (count: number) => all.slice(0, count).map(({ item }, n) => ({ item, label: n % 3 === 0 }));
  const ask = async (count: number) => {
    const { out } = await run(all, known(count), '--json', '--plan', plan);
    return JSON.parse(out).estimates[0];
  };
  const first = await ask(40);
  expect(first.corrected.interval.high - first.corrected.interval.low).toBeGreaterThan(
    2 * (Number(plan) / 100),
  );
  expect(first.plan.value).toBeGreaterThan(0);
  const second = await ask(40 + first.plan.value);
  const { low, high } = second.corrected.interval;
  // Other labels may fit the verdicts better than those at hand.
  expect((high - low) / 2 / (Number(plan) / 100)).toBeGreaterThan(0.9);
  expect((high - low) / 2 / (Number(plan) / 100)).toBeLessThan(1.05);
  expect(second.plan.value).toBeLessThan(10);
});

test.each([
  [
    'a category that no record has',
    [{ category: 'a' }, { category: 'b', label: 'c' }],
    ['--category', 'zzz'],
    '--category: no verdict and no label is "zzz"; there are a, b, c',
  ],
  [
    'a category where there are none',
    [{ pass: true }],
    ['--category', 'a'],
    '--category: no verdict and no label is "a"; there are no categories',
  ],
  [
    'an option that no item has',
    [{ choice: 1 }],
    ['--option', '7'],
    '--option: no item has an option 7; there are 0 to 1',
  ],
  [
    'an option of verdicts that choose none',
    [{ score: 3 }],
    ['--option', '1'],
    '--option: no verdict chooses between options',
  ],
  ['records without a verdict', [{}, {}], [], '--records: holds no verdict of gpt'],
])('%s is refused', async (_, records, more, why) => {
  const said = records.map((one, n) => ({ item: `q${n}`, judge: 'gpt', ...one }));
  expect(await run(said, [], ...more)).toMatchObject({ code: 2, err: `remand: ${why}\n` });
});

test('an option that never won has a rate of 0, and a subgroup without a verdict has none', async () => {
  const said = [0, 0, 0].map((choice, n) => ({ item: `q${n}`, judge: 'gpt', choice, subgroup: 'en' }));
  const { out } = await run(
    [...said, { item: 'x', judge: 'gpt', subgroup: 'fi' }],
    [],
    '--option',
    '1',
    '--json',
  );
  const { estimates } = JSON.parse(out);
  expect(estimates).toMatchObject([
    { subgroup: null, raw: 0, unread: 1 },
    { subgroup: 'en', raw: 0 },
  ]);
});

test('a plan for a mean score is in its own units', async () => {
  const scores = Array.from({ length: 400 }, (_, n) => ({
    item: `s${n}`,
    judge: 'gpt',
    score: 1 + (n % 10),
  }));
  const known = scores.slice(0, 80).map(({ item, score }, n) => ({ item, label: score + ((n % 3) - 1) }));
  const ask = async (plan: string) =>
    JSON.parse((await run(scores, known, '--json', '--plan', plan)).out).estimates[0];
  const { plan, corrected } = await ask('±3');
  expect(plan.value).toBe(0);
  const half = (corrected.interval.high - corrected.interval.low) / 2;
  expect((await ask(`${half / 1.1}`)).plan.value).toBeGreaterThan(0);
});

test('parts of a mean score are planned by how far their labels lie apart, wherever the scale begins', async () => {
  const drawn = Array.from({ length: 2000 }, (_, n) => ({ item: `s${n}`, judge: 'gpt', score: 6 + (n % 3) }));
  // Within each part three of four labels lie .5 away from its middle: a standard deviation of .44.
  const known = drawn.slice(0, 60).map(({ item, score }, n) => ({
    ...{ item, label: score + ([-0.5, 0, 0.5, 0.5][Math.floor(n / 3) % 4] ?? 0) },
  }));
  const plan = async (labels: typeof known, more: typeof drawn) =>
    JSON.parse((await run(more, labels, '--json', '--plan', '0.1')).out).estimates[0].plan;
  const { value, strata } = await plan(known, drawn);
  const inAll = strata.reduce((sum: number, { labels: each }: { labels: number }) => sum + each, 0);
  // Neyman: (.44 / (.1 / 1.96))² = 74 labels of a large set.
  expect(inAll).toBeGreaterThan(60);
  expect(inAll).toBeLessThan(90);
  expect(Math.abs(inAll - (60 + value))).toBeLessThan(30);
  const higher = await plan(
    known.map((one) => ({ ...one, label: one.label + 100 })),
    drawn.map((one) => ({ ...one, score: one.score + 100 })),
  );
  expect(higher.strata.map(({ labels: each }: { labels: number }) => each)).toEqual(
    strata.map(({ labels: each }: { labels: number }) => each),
  );
  // Where verdicts explain every label no part differs in itself.
  const explained = await plan(
    known.map(({ item }, n) => ({ item, label: 6 + (n % 3) })),
    drawn,
  );
  expect(explained.strata).toEqual([]);
});

test('in words: the judge alone, the corrected figure, what to report', async () => {
  const { out } = await run(judgments, labels);
  expect(out).toMatch(
    /^gpt: by 600 verdicts alone the pass rate is \d\d\.\d%; corrected by 120 labels \d\d\.\d% \(\d\d\.\d% to \d\d\.\d%\)\./,
  );
  expect(out).toMatch(/Report the corrected figure: with the verdicts 120 labels are worth \d+\./);
  expect(out).toContain('kappa');
  expect(out).toContain('judge false');
  // What whoever publishes it has to name: method, version, date.
  expect(out).toContain('PPI++');
  expect(out).toMatch(/\nRemand \d+\.\d+\.\d+, \d{4}-\d\d-\d\d\.\n$/);
});

test('a win rate with ties, scores, and a category', async () => {
  const choice = (n: number) => (n % 5 === 0 ? 'tie' : n % 2);
  const wins = items.map(({ item }, n) => ({ item, judge: 'gpt', choice: choice(n) }));
  const won = items.slice(0, 100).map(({ item }, n) => ({ item, label: choice(n + (n % 7 === 0 ? 1 : 0)) }));
  expect(JSON.parse((await run(wins, won, '--json')).out).estimates[0]).toMatchObject({
    figure: 'win rate',
    raw: 0.5,
  });
  const scores = items.map(({ item }, n) => ({ item, judge: 'gpt', score: 1 + (n % 5) }));
  const scored = items
    .slice(0, 100)
    .map(({ item }, n) => ({ item, label: 1 + ((n + (n % 3 === 0 ? 1 : 0)) % 5) }));
  expect(JSON.parse((await run(scores, scored, '--json')).out).estimates[0]).toMatchObject({
    figure: 'mean score',
    raw: 3,
  });
  const kinds = items.map(({ item, pass }) => ({ item, judge: 'gpt', category: pass ? 'safe' : 'unsafe' }));
  const sorted = items.slice(0, 100).map(({ item, truth }) => ({ item, label: truth ? 'safe' : 'unsafe' }));
  expect((await run(kinds, sorted)).err).toContain('--category');
  expect(JSON.parse((await run(kinds, sorted, '--json', '--category', 'safe')).out).estimates[0].figure).toBe(
    'share',
  );
});

describe('never a number from', () => {
  test.each([
    [
      'labels of items that were not judged',
      judgments,
      [...labels, { item: 'q9000', label: true }],
      /1 labelled items were not judged.*q9000/,
    ],
    [
      'an item that one person labelled twice',
      judgments,
      [...labels, labels[0] ?? {}],
      /q0 is labelled twice by anna/,
    ],
    ['two verdicts on one item', [...judgments, judgments[0] ?? {}], labels, /two verdicts on item q0/],
    [
      'verdicts of two kinds',
      [...judgments, { item: 'x', judge: 'gpt', score: 3 }],
      labels,
      /pass and score|score and pass/,
    ],
  ])('%s', async (_, said, labelled, message) => {
    const { code, out, err } = await run(said, labelled);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  test('too few labels, or labels that are all alike', async () => {
    const few = JSON.parse((await run(judgments, labels.slice(0, 5), '--json')).out).estimates[0];
    expect(few).toMatchObject({
      report: 'none',
      corrected: { value: null, reason: expect.stringMatching(/too few/) },
    });
    const alike = labels.filter(({ label }) => label);
    const same = JSON.parse((await run(judgments, alike, '--json')).out).estimates[0];
    expect(same).toMatchObject({ report: 'none', roganGladen: { value: null } });
  });

  test('labels of cases that were chosen for what the judge said', async () => {
    const chosen = judgments.map((one) => ({ ...one, random: false }));
    const [all] = JSON.parse((await run(chosen, labels, '--json')).out).estimates;
    expect(all).toMatchObject({ labelled: 0, chosen: 120, report: 'none' });
  });
});

test('a win rate of two texts alike in style, with what each number is worth', async () => {
  const swayed = Array.from({ length: 400 }, (_, n) => {
    const [a, b] = [100 + draw(400), 100 + draw(400)];
    const isLonger = draw(100) < 80;
    const covariates = {
      length: [a, b],
      headings: [draw(4), draw(4)],
      lists: [draw(9), draw(9)],
      bold: [draw(5), 0],
    };
    return { item: `q${n}`, judge: 'gpt', choice: a > b === isLonger ? 0 : 1, covariates };
  });
  const file = write(swayed);
  const ask = (...more: string[]) => remand(['estimate', '--records', file, ...more]);
  const { out, code } = await ask('--controlled', 'style');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^gpt: win rate \d+\.\d %; of two texts alike in length, headings, lists and bold \d+\.\d % \[/,
  );
  expect(out).toMatch(/one standard deviation more length: odds × [2-9]\.\d\d \[/);
  const { models } = JSON.parse((await ask('--controlled', 'length,bold', '--json')).out);
  expect(models.gpt).toMatchObject({ n: 400, left_out: 0, reason: null });
  expect(Object.keys(models.gpt.weights)).toEqual(['length', 'bold']);
  expect((await ask('--controlled', 'style', '--plan', '3')).err).toContain('--plan: does not go with');
  const unknown = await ask('--controlled', 'emoji');
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining('there are bold, headings, length, lists'),
  ]);
});
