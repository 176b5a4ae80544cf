/** `remand audit authorship` as a user runs it, on reviews whose authors are known. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatCsvLine } from '../../src/records/csv.ts';
import {
  authorshipEndpoint,
  byModel,
  byPerson,
  papersLines,
  reviewLines,
  titleOf,
} from './authorship-endpoint.ts';
import { remand, start } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-authorship-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fresh = () => mkdtempSync(join(folder, 'run-'));
function file(name: string, text: string): string {
  const path = join(fresh(), name);
  writeFileSync(path, text);
  return path;
}
const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('who wrote what is known', () => {
  test('anchors of two models: what is found, what was promised, and an answer for a review that is asked about', async () => {
    await using endpoint = await authorshipEndpoint();
    const out = fresh();
    const asked = [
      { id: 'like a model', paper: 'p70', author: null, text: byModel(titleOf(70), 'somebody') },
      { id: 'like a person', paper: 'p70', author: null, text: byPerson(titleOf(70), 'somebody') },
      { id: 'of no paper', paper: 'nowhere', author: null, text: byPerson(titleOf(1), 'somebody') },
      { id: 'too short', paper: 'p1', author: null, text: 'Accept.' },
    ];
    const reviews = reviewLines(80, 6) + asked.map((one) => `${JSON.stringify(one)}\n`).join('');
    const ended = await remand([
      ...['audit', 'authorship', '--json', '--reviews', file('reviews.jsonl', reviews), '--out', out],
      ...[
        '--papers',
        file('papers.jsonl', papersLines(90)),
        '--anchor',
        `a@${endpoint.url};b@${endpoint.url}`,
      ],
    ]);
    expect(ended.code).toBe(0);
    const result = JSON.parse(ended.out);
    expect(result).toMatchObject({
      ...{ audit: 'authorship', embedding: 'wording', reviews: 564, scored: 562, failed: 0, calls: 160 },
      passed: { 'the review has fewer than 20 words': 1 },
      unscored: {
        'anchor a: there is no anchor by a for its paper': 1,
        'anchor b: there is no anchor by b for its paper': 1,
      },
    });
    const [a] = result.methods;
    expect(a).toMatchObject({ method: 'anchor a', calibrated_on: 240, bounded: false });
    expect(a.auc.value).toBeGreaterThan(0.99);
    // 240 people are too few for one in a thousand, and enough for one in a hundred.
    expect(a.targets.map(({ line }: { line: number | null }) => line === null)).toEqual([true, false, false]);
    expect(a.targets[2]).toMatchObject({ tpr: { n: 40 }, fpr: { n: 240 } });
    expect(a.targets[2].tpr.share).toBeGreaterThan(0.95);
    expect(a.targets[2].fpr.count).toBeLessThanOrEqual(a.targets[2].expected.high);
    expect(result.inflation[0]).toMatchObject({ model: 'gpt-4o', papers: 80 });
    expect(result.inflation[0].mean).toBeGreaterThan(0.5);
    expect(result.vote.methods).toEqual(['anchor a', 'anchor b']);

    const answers = lines(join(out, 'answers.jsonl'));
    expect(answers.map(({ id }) => id)).toEqual(['like a model', 'like a person', 'of no paper']);
    expect(answers[0].share_of_people).toBeLessThan(0.02);
    expect(answers[1].share_of_people).toBeGreaterThan(0.05);
    expect(answers[2]).toMatchObject({ share_of_people: null, words: /it has no score/ });
    expect(JSON.stringify(answers)).not.toMatch(/cheat/);
    expect(lines(join(out, 'scores.jsonl'))).toHaveLength(563);
    expect(lines(join(out, 'unscored.jsonl'))).toEqual([
      { where: 'too short', why: 'the review has fewer than 20 words' },
    ]);
    expect(lines(join(out, 'anchors.jsonl'))[0]).toMatchObject({ paper: 'p0', model: 'a', error: null });
  });

  test('embeddings of an endpoint in place of our own, anchors that are there already, and words on a terminal', async () => {
    await using endpoint = await authorshipEndpoint();
    const anchors = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify({ paper: `p${at}`, model: 'gpt-4o', text: byModel(titleOf(at), 'the anchor') }),
    );
    const ended = await remand([
      ...['audit', 'authorship', '--reviews', file('reviews.jsonl', reviewLines(20, 12)), '--out', fresh()],
      ...['--anchors', file('anchors.jsonl', anchors.join('\n')), '--embedding', `e@${endpoint.url}`],
    ]);
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^With 1\.0% false alarms promised, anchor gpt-4o finds 100\.0% /);
    expect(ended.out).toMatch(
      /0\.5% +a false-positive rate of 0\.5% cannot be calibrated on 120 human reviews/,
    );
    // 260 reviews and 20 anchors, each once.
    expect(ended.out).toMatch(/260 reviews of 260 scored, 0 failed\..*0 failed; 280 calls/s);
    expect(endpoint.calls()).toBe(280);
  });

  test('token probabilities of a completions endpoint, bounded and refused where its list is cut off', async () => {
    await using endpoint = await authorshipEndpoint();
    const tokens = [
      '--logprobs',
      `t@${endpoint.url}`,
      '--observer',
      `o@${endpoint.url}`,
      '--alternatives',
      '2',
    ];
    const reviews = file('reviews.jsonl', reviewLines(40, 6));
    const audit = ['audit', 'authorship', '--json', '--reviews', reviews, ...tokens];
    const result = JSON.parse((await remand([...audit, '--out', fresh(), '--vocabulary', '50'])).out);
    const of = (name: string) => result.methods.find(({ method }: { method: string }) => method === name);
    // The endpoint finds the words of models likelier than those of people.
    expect(of('log-likelihood t')).toMatchObject({ bounded: false, unscored: 0, calibrated_on: 120 });
    expect(of('log-likelihood t').auc.value).toBeGreaterThan(0.9);
    expect(of('entropy t')).toMatchObject({ bounded: true });
    expect(of('binoculars o/t')).toMatchObject({ calibrated_on: 0, auc: { value: null } });
    expect(Object.keys(result.unscored)).toContainEqual(
      expect.stringMatching(/^binoculars o\/t: Binoculars needs the whole distribution/),
    );
    const unbounded = JSON.parse((await remand([...audit, '--out', fresh()])).out);
    const cut = Object.entries<number>(unbounded.unscored).find(([why]) => why.startsWith('entropy t: '));
    expect(cut).toEqual([expect.stringMatching(/list of alternatives is cut off, .*\(--vocabulary\)/), 280]);
    // A broken reply is named and never scored; so is what the endpoint refuses.
    const odd = [
      { id: 'n', paper: 'p0', author: null, text: `${byPerson(titleOf(0), 'x')} NANANA` },
      { id: 'l', paper: 'p0', author: null, text: `${byPerson(titleOf(0), 'x')} TOOLONG` },
    ];
    const with2 = file(
      'odd.jsonl',
      reviewLines(4, 2) + odd.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
    const third = JSON.parse(
      (await remand([...audit.slice(0, 4), with2, ...tokens.slice(0, 2), '--out', fresh()])).out,
    );
    expect(third.failed).toBe(0);
    expect(third.unscored).toMatchObject({
      'log-likelihood t: log-probabilities that are no numbers (NaN)': 1,
    });
    expect(Object.keys(third.unscored)).toContainEqual(expect.stringMatching(/^rank t: .*answered 400/));
  });

  test('the published CSV layout, a row of which has slipped', async () => {
    await using endpoint = await authorshipEndpoint();
    const where = fresh();
    const rowsOf = (subset: string) =>
      Array.from({ length: 150 }, (_, at) => {
        const paper = at % 30;
        return [`p${paper}`, byPerson(titleOf(paper), `${subset} ${at}`), '5: borderline', 'human'];
      });
    const models = Array.from({ length: 30 }, (_, at) => [
      `p${at}`,
      byModel(titleOf(at), 'm'),
      '7: accept',
      'claude',
    ]);
    const slipped = [byPerson(titleOf(2), 'slipped'), '5', 'human', 'p2'];
    for (const subset of ['calibration', 'test']) {
      const csv = [['paper_id', 'review', 'rating', 'label'], ...rowsOf(subset), slipped, ...models];
      writeFileSync(
        join(where, `iclr2019.${subset}.claude.csv`),
        csv.map((row) => formatCsvLine(row)).join(''),
      );
    }
    const ended = await remand([
      ...['audit', 'authorship', '--json', '--reviews', where, '--out', fresh()],
      ...['--papers', file('papers.jsonl', papersLines(30)), '--anchor', `a@${endpoint.url}`],
    ]);
    expect(JSON.parse(ended.out)).toMatchObject({
      reviews: 360,
      passed: { 'columns are shifted: label holds other words': 2 },
      methods: [{ calibrated_on: 150, targets: [{}, {}, { tpr: { n: 30 }, fpr: { n: 150 } }] }],
    });
  });
});

test('where no row is a review, the error counts why', async () => {
  const where = fresh();
  const csv = [
    ['paper_id', 'review', 'rating', 'label'],
    ...['5 of 10', 'good', 'good'].map((rating, n) => [`p${n}`, 'Words.', rating, n === 0 ? 'x' : 'human']),
  ];
  writeFileSync(join(where, 'iclr2019.test.claude.csv'), csv.map((row) => formatCsvLine(row)).join(''));
  const anchors = file('anchors.jsonl', `${JSON.stringify({ paper: 'p1', model: 'm', text: 'Words.' })}\n`);
  const args = ['audit', 'authorship', '--reviews', where, '--out', fresh(), '--anchors', anchors];
  expect(await remand(args)).toMatchObject({
    code: 2,
    err: 'remand: --reviews: hold no review: columns are shifted: label holds other words (1); columns are shifted: rating holds other words (2)\n',
  });
});

test('killed twice, nothing is lost and nothing asked again', async () => {
  const concurrency = 8;
  await using endpoint = await authorshipEndpoint(5);
  const out = fresh();
  const reviews = reviewLines(120, 2);
  const args = [
    ...['audit', 'authorship', '--json', '--reviews', file('reviews.jsonl', reviews), '--out', out],
    ...[
      '--papers',
      file('papers.jsonl', papersLines(120)),
      '--anchor',
      `a@${endpoint.url};b@${endpoint.url}`,
    ],
    ...['--embedding', `e@${endpoint.url}`, '--concurrency', `${concurrency}`],
  ];
  // 240 anchors, then the vectors of as many and of 360 reviews, of equal texts one: killed once in each half.
  const anchors = ['a', 'b'].flatMap((model) =>
    Array.from({ length: 120 }, (_, paper) => byModel(titleOf(paper), `anchor by ${model}`)),
  );
  const reviewed = reviews
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).text);
  const all = 240 + new Set([...anchors, ...reviewed]).size;
  expect(all).toBeGreaterThan(240 + 590);
  for (const until of [120, 500]) {
    const { child, ended } = start(args);
    while (endpoint.calls() < until) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect(existsSync(join(out, 'result.json'))).toBe(false);
  }
  const last = JSON.parse((await remand(args)).out);
  expect(last).toMatchObject({ reviews: 360, scored: 360, failed: 0 });
  expect(endpoint.came.size).toBe(all);
  expect(endpoint.calls() - all).toBeLessThanOrEqual(2 * 3 * concurrency);
  expect(readdirSync(out).filter((name) => name.endsWith('.partial'))).toEqual([]);
  const calls = endpoint.calls();
  const again = JSON.parse((await remand(args)).out);
  expect(again).toEqual({ ...last, calls: 0, tokens: { input: 0, output: 0 } });
  expect(endpoint.calls()).toBe(calls);
});

describe('bad input is said before anything is asked', () => {
  const reviews = file('reviews.jsonl', reviewLines(2, 2));
  test.each([
    [['--anchor', 'm@http://127.0.0.1:9'], /--papers: is needed/],
    [[], /--anchor: is needed/],
    [['--anchor', 'm', '--papers', 'x'], /--anchor: "m" names no endpoint/],
    [['--anchors', 'nowhere.jsonl'], /--anchors: nowhere/],
    [
      ['--anchor', 'm@http://127.0.0.1:9;m@http://127.0.0.1:8', '--papers', file('p.jsonl', papersLines(2))],
      /--anchor: two models/,
    ],
    [['--anchors', reviews, '--targets', '0,1'], /--targets: must be percentages/],
    [['--anchors', reviews, '--columns', 'who=x'], /--columns: "who" is no pair/],
  ])('%j', async (more, message) => {
    const ended = await remand(['audit', 'authorship', '--reviews', reviews, '--out', fresh(), ...more]);
    expect(ended.err).toMatch(message);
    expect(ended.code).toBe(2);
  });

  test('the estimate asks nothing', async () => {
    const out = join(folder, 'none');
    const ended = await remand([
      ...['audit', 'authorship', '--json', '--reviews', reviews, '--out', out, '--dry-run'],
      ...[
        '--anchor',
        'a@http://127.0.0.1:9;b@http://127.0.0.1:9',
        '--papers',
        file('p.jsonl', papersLines(9)),
      ],
      ...['--embedding', 'e@http://127.0.0.1:9'],
    ]);
    // 2 papers are reviewed, by two models each; 6 reviews and 4 anchors are embedded.
    expect(JSON.parse(ended.out)).toMatchObject({
      calls: 14,
      models: [
        { name: 'a', calls: 2 },
        { name: 'b', calls: 2 },
        { name: 'e', calls: 10 },
      ],
    });
    expect(existsSync(out)).toBe(false);
  });
});
