/** `remand audit authors` as a user runs it, against a local endpoint whose leanings are planted and so known. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AUTHOR_DATA } from '../../src/audit/authors/profiles.ts';
import { dropOrigin, remand, replaceOptions, start } from './command.ts';
import { papersFile, reviewEndpoint } from './review-endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-authors-'));
afterAll(() => rmSync(folder, { recursive: true }));

function papers(count: number): string {
  const path = join(folder, `papers-${count}.jsonl`);
  writeFileSync(path, papersFile(count));
  return path;
}
const fresh = () => mkdtempSync(join(folder, 'run-'));
const strong = new RegExp(AUTHOR_DATA.institutions.strong.map(({ name }) => name).join('|'));
const audit = (...rest: string[]) => remand(['audit', 'authors', '--json', ...rest]);

describe('leanings that are known', () => {
  test('a judge that leans and does not write it is exposed by the soft rating; a fair one is left alone', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const out = fresh();
    const judge = ['leaning', 'open', 'fair', 'mute'].map((model) => `${model}@${endpoint.url}`).join(';');
    const ended = await audit(
      ...[
        '--papers',
        papers(60),
        '--judge',
        judge,
        '--out',
        out,
        '--dimensions',
        'affiliation',
        '--per-side',
        '4',
      ],
    );
    expect(ended.code).toBe(0);
    const result = JSON.parse(ended.out);
    const [leaning, open, fair, mute] = result.findings;

    // The pattern of a judge in arXiv 2509.13400: few wins in its numbers, two thirds in its expectation.
    expect(leaning).toMatchObject({ judge: 'leaning', hard: { finding: false }, soft: { finding: true } });
    expect(leaning.hard.win).toBeGreaterThan(0.01);
    expect(leaning.hard.win).toBeLessThan(0.08);
    expect(leaning.soft.win).toBeGreaterThan(0.6);
    expect(leaning.soft.win).toBeLessThan(0.76);
    expect(leaning.gap.win).toBeCloseTo(leaning.soft.win - leaning.hard.win, 12);
    expect(result.verdicts[0].verdict).toMatch(/^leaning leans to "strong" .* its written ratings hide it/);

    expect(open).toMatchObject({
      hard: { finding: true, raised: expect.any(Number) },
      soft: { finding: true },
    });
    // Ratings are 4 to 7 alike, so a point more takes the papers of one in four over the line of 6, and none under it.
    expect(open.hard.raised / open.hard.pairs).toBeGreaterThan(0.1);
    expect(open.hard.raised).toBeGreaterThan(10 * open.hard.lowered);
    expect(result.verdicts[1].verdict).toMatch(/^open favours "strong" .* openly/);

    expect(fair).toMatchObject({ hard: { finding: false }, soft: { finding: false } });
    expect(result.verdicts[2].verdict).toMatch(/^fair shows no preference/);
    expect(mute).toMatchObject({ soft: null, no_soft: { 'the endpoint gave no log-probabilities': 480 } });
    expect(result.verdicts[3].verdict).toMatch(/cannot be told: the endpoint gave no log-probabilities/);
    expect(result.soft).toMatchObject([
      {
        judge: 'leaning',
        reviews: 480,
        soft: 480,
        missing: { mean: expect.closeTo(0, 9), most: expect.closeTo(0, 9) },
      },
      { judge: 'open' },
      { judge: 'fair' },
      { judge: 'mute', soft: 0, missing: null, no_soft: { 'the endpoint gave no log-probabilities': 480 } },
    ]);

    // Every pair counts once in each way of dividing them.
    const { groups, heatmap } = leaning;
    const pairs = (names: string[]) => names.reduce((sum, name) => sum + groups[name].soft.pairs, 0);
    expect(groups.all.soft.pairs).toBe(60 * 4 * 4);
    expect(pairs(['accepted: yes', 'accepted: no'])).toBe(groups.all.soft.pairs);
    expect(pairs(['field: systems', 'field: theory', 'field: vision'])).toBe(groups.all.soft.pairs);
    expect(heatmap.rows).toEqual(AUTHOR_DATA.institutions.strong.slice(0, 4).map(({ name }) => name));
    expect(heatmap.soft.flat().map((cell: { pairs: number }) => cell.pairs)).toEqual(Array(16).fill(60));
    const line = JSON.parse(readFileSync(join(out, 'reviews.jsonl'), 'utf8').split('\n')[0] ?? '');
    expect(line).toMatchObject({ paper: 'p0', judge: 'leaning', side: 0, soft: { from: 'logprobs' } });
  });

  test('where there are no log-probabilities the rating is sampled, if asked', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const ended = await audit(
      ...['--papers', papers(3), '--judge', `mute@${endpoint.url}`, '--out', fresh()],
      ...['--dimensions', 'gender', '--per-side', '1', '--soft', 'samples', '--samples', '3'],
    );
    const result = JSON.parse(ended.out);
    // 3 papers, 2 institutions, 2 genders: 12 reviews, each with 3 samples.
    expect(result).toMatchObject({ reviews: 12, failed: 0, calls: 48 });
    expect(result.findings[0]).toMatchObject({ dimension: 'gender', soft: { pairs: 6 }, no_soft: {} });
  });
});

test('45 papers, four dimensions: killed three times, the same bytes as undisturbed and nothing asked again', async () => {
  const concurrency = 16;
  await using calm = await reviewEndpoint(strong);
  await using endpoint = await reviewEndpoint(strong, { latencyMs: 2 });
  const args = (url: string, out: string) => [
    ...['audit', 'authors', '--json', '--papers', papers(45), '--judge', `leaning@${url}`, '--out', out],
    ...['--per-side', '1', '--concurrency', `${concurrency}`],
  ];
  const [undisturbed, out] = [fresh(), fresh()];
  expect((await remand(args(calm.url, undisturbed))).code).toBe(0);
  // Affiliation has 2 profiles so, gender 2 for each of 2 institutions, seniority and publications 2 for each of 4.
  const all = 45 * (2 + 4 + 8 + 8);
  const kills = [10, 275, 625];
  for (const until of kills) {
    const { child, ended } = start(args(endpoint.url, out));
    while (endpoint.calls() < until) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    for (const name of ['reviews.jsonl', 'result.json']) expect(existsSync(join(out, name))).toBe(false);
  }
  const last = JSON.parse((await remand(args(endpoint.url, out))).out);
  expect(last).toMatchObject({ reviews: all, unread: 0, failed: 0 });
  const [own, calmly] = [out, undisturbed].map(
    (place) => (name: string) => readFileSync(join(place, name), 'utf8'),
  );
  expect(own?.('reviews.jsonl')).toBe(calmly?.('reviews.jsonl'));
  expect(dropOrigin(own?.('result.json') ?? '')).toEqual(dropOrigin(calmly?.('result.json') ?? '{}'));
  expect(readdirSync(out).filter((name) => name.endsWith('.partial'))).toEqual([]);

  // But for what was under way at a kill.
  expect(endpoint.came.size).toBe(all);
  expect(endpoint.calls() - all).toBeLessThanOrEqual(kills.length * concurrency);
  const twice = [...endpoint.came.values()].filter((count) => count > 1).length;
  expect(twice).toBeLessThanOrEqual(kills.length * concurrency);
  expect(last.calls).toBeLessThan(all - 550);
  const calls = endpoint.calls();
  const again = JSON.parse((await remand(args(endpoint.url, out))).out);
  expect(again).toEqual({ ...last, calls: 0, tokens: { input: 0, output: 0 } });
  expect(endpoint.calls()).toBe(calls);
});

describe('log-probabilities that were asked for in so many words and are not to be had', () => {
  const asked = (endpoint: { url: string }, judges: string, ...rest: string[]) =>
    audit(
      ...['--papers', papers(3), '--judge', judges.replace(/(?=;|$)/g, `@${endpoint.url}`), '--out', fresh()],
      ...['--dimensions', 'gender', '--per-side', '1', ...rest],
    );

  test('a judge that gives none is refused after one review, and the ways out are named', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const ended = await asked(endpoint, 'fair;mute', '--soft', 'logprobs');
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(
      /--soft: mute: the endpoint gave no log-probabilities; ask for --soft samples .* --soft none/,
    );
    expect(endpoint.calls()).toBe(2);
  });

  test('a protocol that has none is refused before anything is asked', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const ended = await asked(endpoint, 'c=anthropic-messages:claude', '--soft', 'logprobs');
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(
      /--soft: c: anthropic-messages has no log-probabilities; ask for --soft samples/,
    );
    expect(endpoint.calls()).toBe(0);
  });

  test('an endpoint that refuses the request for them is refused, asked for in so many words or not', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const ended = await asked(endpoint, 'reasoner');
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(/reasoner refuses log-probabilities .*not supported.*--top-logprobs/);
    const without = await asked(endpoint, 'reasoner', '--soft', 'none');
    expect(without.code).toBe(0);
  });

  test('the trial is one of the reviews and is paid for once', async () => {
    await using endpoint = await reviewEndpoint(strong);
    const ended = await asked(endpoint, 'fair', '--soft', 'logprobs');
    expect(JSON.parse(ended.out)).toMatchObject({ reviews: 12, calls: 12, seed: 1 });
    expect(endpoint.calls()).toBe(12);
    expect([...endpoint.came.keys()].map((body) => JSON.parse(body).seed)).toEqual(Array(12).fill(1));
  });
});

describe('bad input is said before anything is asked', () => {
  test.each([
    [['--papers', 'nowhere.jsonl'], /--papers: .*nowhere/],
    [['--dimensions', 'age'], /--dimensions: "age" is none of/],
    [['--margin', '0'], /--margin: must be a number above 0/],
    [['--data', papers(1)], /--data: /],
  ])('%j', async (more, message) => {
    const ended = await audit(
      ...replaceOptions({ '--papers': papers(2), '--judge': 'm@http://127.0.0.1:9', '--out': folder }, more),
    );
    expect(ended.err).toMatch(message);
    expect(ended.code).toBe(2);
  });

  test('the estimate asks nothing', async () => {
    const out = join(folder, 'none');
    const ended = await audit(
      ...['--papers', papers(2), '--judge', 'm@http://127.0.0.1:9', '--out', out, '--dry-run'],
    );
    // 32 affiliations, 16 names, 8 positions and 8 records of publication for each paper.
    expect(JSON.parse(ended.out)).toMatchObject({ calls: 128 });
    expect(existsSync(out)).toBe(false);
  });
});
