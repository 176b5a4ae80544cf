/** `remand audit perturb` as a user runs it: judges whose leanings are known, kills, bad input, and what it writes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judgmentRecord, perturbationRecord } from '../../src/audit/perturb/ask-judgments.ts';
import { dropOrigin, remand, replaceOptions, start } from './command.ts';
import { peerReviewEndpoint, submissionsFile } from './peer-review-endpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-perturb-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fresh = () => mkdtempSync(join(folder, 'run-'));
function submissions(lines: string): string {
  const path = join(fresh(), 'submissions.jsonl');
  writeFileSync(path, lines);
  return path;
}
const audit = (...rest: string[]) => remand(['audit', 'perturb', '--json', ...rest]);
const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

interface Compared {
  readonly judge: string;
  readonly role: string;
  readonly perturbation: string;
  readonly measure: string;
  readonly observed: string;
  readonly fair: boolean | null;
}

test('leanings that are known: hostile reviews that raise, a conclusion that is followed, a rebuttal that nobody reads', async () => {
  await using endpoint = await peerReviewEndpoint();
  const out = fresh();
  const ended = await audit(
    ...[
      '--submissions',
      submissions(submissionsFile(48)),
      '--editor',
      `editor@${endpoint.url}`,
      '--out',
      out,
    ],
    ...['--judge', ['swayed', 'fair', 'mumbling'].map((model) => `${model}@${endpoint.url}`).join(';')],
  );
  expect(ended.code).toBe(0);
  const result = JSON.parse(ended.out);
  const of = (judge: string, perturbation: string, measure = 'overall', role = 'meta-reviewer') =>
    result.comparisons.find(
      (one: Compared) =>
        one.judge === judge &&
        one.perturbation === perturbation &&
        one.measure === measure &&
        one.role === role,
    );
  expect(of('swayed', 'review-tone')).toMatchObject({
    ...{ observed: 'raised', expected: 'invariant', fair: false },
    arrow: 'hostile reviews raise the overall score',
  });
  expect(of('swayed', 'review-tone').difference).toBeGreaterThan(0.8);
  expect(of('swayed', 'review-conclusion')).toMatchObject({ observed: 'lowered', fair: false });
  expect(of('swayed', 'rebuttal-completeness')).toMatchObject({
    observed: 'same',
    expected: 'decrease',
    fair: false,
  });
  expect(of('swayed', 'rebuttal-presentation')).toMatchObject({ observed: 'same', fair: true });
  expect(of('swayed', 'paper-soundness')).toMatchObject({ observed: 'lowered', fair: true });
  expect(of('swayed', 'paper-soundness', 'soundness', 'reviewer')).toMatchObject({
    observed: 'lowered',
    fair: true,
  });
  expect(of('swayed', 'paper-soundness', 'contribution', 'reviewer')).toMatchObject({
    expected: null,
    fair: null,
  });
  expect(of('swayed', 'paper-presentation', 'presentation', 'reviewer')).toMatchObject({
    observed: 'same',
    fair: false,
  });

  for (const name of [
    'review-tone',
    'review-facts',
    'review-conclusion',
    'rebuttal-tone',
    'rebuttal-presentation',
  ])
    expect(of('fair', name)).toMatchObject({
      observed: 'same',
      fair: true,
      equivalence: { p: expect.any(Number) },
    });
  expect(of('fair', 'rebuttal-completeness')).toMatchObject({ observed: 'lowered', fair: true });
  expect(of('mumbling', 'review-tone')).toBeUndefined();

  const [swayed, fair, mumbling] = result.verdicts.map(({ verdict }: { verdict: string }) => verdict);
  expect(swayed).toMatch(
    /swayed as meta-reviewer is swayed by what would not move a fair judge: hostile reviews raise the overall score by [01]\.\d\d; reviews turned to strong reject lower the overall score by [12]\.\d\d\./,
  );
  expect(swayed).toMatch(
    /is moved by less than matters where it should be moved: by badly written papers and rebuttals without answers\./,
  );
  expect(fair).not.toContain('swayed');
  expect(fair).toMatch(
    /It rightly follows .* rebuttals without answers \(lower the overall score by [01]\.\d\d\)\./,
  );
  expect(fair).toMatch(
    /is rightly unmoved by hostile reviews, reviews with false claims, .* and badly written rebuttals\./,
  );
  expect(mumbling).toMatch(/nothing can be said.* \d+ of \d+ pairs have a reply that could not be read/);
  expect(result.unread).toEqual({ 'not JSON': expect.any(Number) });

  // Every pair is in the matrix, and the matrix is what acceptance is counted from.
  for (const { transitions, acceptance, n } of result.decided.filter(
    ({ judge }: Compared) => judge !== 'mumbling',
  )) {
    const counts = transitions.counts.flat();
    expect(counts.reduce((sum: number, one: number) => sum + one, 0)).toBe(n);
    const rejected = transitions.counts[0].reduce((sum: number, one: number) => sum + one, 0);
    expect(acceptance.before).toBeCloseTo(1 - rejected / n, 12);
  }
  const turned = result.decided.find(
    (one: Compared) => one.judge === 'swayed' && one.perturbation === 'review-conclusion',
  );
  expect(turned.acceptance.after).toBeLessThan(turned.acceptance.before);

  // What was made, and what of the editor's work could not be taken.
  const made = result.perturbations;
  expect(made['review-facts']).toMatchObject({ made: 48, dropped: {} });
  expect(made['paper-contribution'].refused['nothing changed']).toBeGreaterThan(0);
  for (const line of linesOf(join(out, 'perturbations.jsonl'))) perturbationRecord.parse(line);
  const judged = linesOf(join(out, 'judgments.jsonl')).map((line) => judgmentRecord.parse(line));
  expect(judged).toHaveLength(result.judgments);
  expect(existsSync(join(out, 'cases.jsonl'))).toBe(true);
});

test('recorded models give the same edits and the same result, and nothing is asked', async () => {
  const args = ['--submissions', submissions(submissionsFile(6)), '--attempts', '1'];
  const [live, recorded] = [fresh(), fresh()];
  const first = await (async () => {
    await using endpoint = await peerReviewEndpoint();
    const models = ['--editor', `editor@${endpoint.url}`, '--judge', `swayed@${endpoint.url}`];
    return await audit(...args, ...models, '--out', live);
  })();
  const store = join(live, 'calls.sqlite');
  const again = await audit(
    ...[...args, '--editor', `editor@store:${store}`, '--judge', `swayed@store:${store}`, '--out', recorded],
  );
  expect([first.code, again.code]).toEqual([0, 0]);
  const readIn = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
  for (const name of ['perturbations.jsonl', 'judgments.jsonl'])
    expect(readIn(recorded, name)).toBe(readIn(live, name));
  expect(dropOrigin(readIn(recorded, 'result.json'))).toEqual(dropOrigin(readIn(live, 'result.json')));
  expect(JSON.parse(again.out).perturbations['paper-soundness'].made).toBeGreaterThan(0);
});

test('killed twice, nothing is lost and nothing asked again', async () => {
  const concurrency = 8;
  await using endpoint = await peerReviewEndpoint(3);
  const out = fresh();
  const args = [
    ...['audit', 'perturb', '--json', '--submissions', submissions(submissionsFile(30)), '--out', out],
    ...['--editor', `editor@${endpoint.url}`, '--judge', `swayed@${endpoint.url}`],
    ...['--modes', 'none,dimension,template', '--concurrency', `${concurrency}`],
  ];
  for (const until of [300, 800]) {
    const { child, ended } = start(args);
    while (endpoint.calls() < until) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    expect(existsSync(join(out, 'judgments.jsonl'))).toBe(false);
  }
  const last = JSON.parse((await remand(args)).out);
  expect(last).toMatchObject({ unread: {}, failed: 0 });
  // But for what was under way at a kill: judgments, and the edits of the submissions ahead of them.
  expect(endpoint.calls() - endpoint.came.size).toBeLessThanOrEqual(2 * (concurrency + 40 * concurrency));
  expect(Math.max(...endpoint.came.values())).toBeLessThanOrEqual(4);
  expect(readdirSync(out).filter((name) => name.endsWith('.partial'))).toEqual([]);
  const calls = endpoint.calls();
  const again = JSON.parse((await remand(args)).out);
  expect(again).toEqual({ ...last, calls: 0, tokens: { input: 0, output: 0 } });
  expect(endpoint.calls()).toBe(calls);
});

describe('bad input', () => {
  const good = JSON.parse(submissionsFile(1));
  const German =
    'Die Arbeit ist gut geschrieben und die Versuche sind sauber durchgeführt. Schwächen: Der Vergleich mit früheren Verfahren fehlt, und die Daten stammen aus einer einzigen Quelle.';

  test('is named, counted and never scored', async () => {
    await using endpoint = await peerReviewEndpoint();
    const odd = [
      {
        ...good,
        id: 'no-sections',
        text: 'We study caches and find that the age of an object is what matters for them.',
      },
      { ...good, id: 'no-rebuttal', rebuttals: [{ to: null, text: '  ' }] },
      { ...good, id: 'german', reviews: [good.reviews[0], { id: 'R2', text: `${German}\n\nRating: 8` }] },
      { ...good, id: 'no-text', text: '' },
      { ...good, id: 'no-reviews', reviews: [] },
    ];
    const out = fresh();
    const ended = await audit(
      ...['--submissions', submissions(odd.map((one) => `${JSON.stringify(one)}\n`).join('')), '--out', out],
      ...['--judge', `fair@${endpoint.url}`],
    );
    expect(ended.code).toBe(0);
    const result = JSON.parse(ended.out);
    expect(result.perturbations).toMatchObject({
      'paper-presentation': { made: 3, dropped: { 'the paper has no sections': 1, 'the paper is empty': 1 } },
      'rebuttal-completeness': {
        made: 1,
        dropped: {
          'the rebuttal is empty': 1,
          'a review is in another language': 1,
          'the paper is empty': 1,
          'there are no reviews': 1,
        },
      },
    });
    expect(result.unfit).toEqual({
      reviewer: { 'the paper is empty': 1 },
      'meta-reviewer': {
        'the paper is empty': 1,
        'a review is in another language': 1,
        'there are no reviews': 1,
      },
    });
    const judged = linesOf(join(out, 'judgments.jsonl')).map((line) => judgmentRecord.parse(line));
    const where = (role: string, perturbation: string) =>
      judged
        .filter((one) => one.role === role && one.perturbation === perturbation)
        .map((one) => one.submission);
    expect(where('reviewer', 'paper-presentation')).toEqual(['no-rebuttal', 'german', 'no-reviews']);
    expect(where('meta-reviewer', 'rebuttal-completeness')).toEqual(['no-sections']);
    expect(judged.filter(({ submission }) => submission === 'no-text')).toEqual([]);
  });

  test.each([
    [['--submissions', 'nowhere.jsonl'], /--submissions: .*nowhere/],
    [['--perturbations', 'paper-length'], /--perturbations: "paper-length" is none of/],
    [['--perturbations', 'review-tone'], /--perturbations: review-tone: .*needs --editor/],
    [['--modes', 'loud'], /--modes: "loud" is none of/],
    [['--margin-overall', '0'], /--margin-overall: must be a number above 0/],
    [
      ['--submissions', submissions('{"id":"a","title":"T","text":"x","reviews":[{"id":"1"}]}\n')],
      /a review needs/,
    ],
    [
      ['--submissions', submissions(submissionsFile(1) + submissionsFile(1))],
      /a second submission has the id s0/,
    ],
  ])('%j is refused before anything is asked', async (more, message) => {
    const ended = await audit(
      ...replaceOptions(
        {
          '--submissions': submissions(submissionsFile(1)),
          '--judge': 'm@http://127.0.0.1:9',
          '--out': folder,
        },
        more,
      ),
    );
    expect(ended.err).toMatch(message);
    expect(ended.code).toBe(2);
  });

  test('the estimate asks nothing', async () => {
    const out = join(folder, 'none');
    const ended = await audit(
      ...[
        '--submissions',
        submissions(submissionsFile(2)),
        '--judge',
        'm@http://127.0.0.1:9',
        '--out',
        out,
        '--dry-run',
      ],
    );
    // By rule: a reviewer's paper and the meta-reviewer's four, each beside the submission as it is.
    expect(JSON.parse(ended.out)).toMatchObject({ calls: 14 });
    expect(existsSync(out)).toBe(false);
  });
});

test('an export of OpenReview forums is read as it is', async () => {
  await using endpoint = await peerReviewEndpoint();
  const value = <T>(of: T) => ({ value: of });
  const reply = (id: string, invitation: string, content: object, more: object = {}) => ({
    ...{
      id,
      replyto: 'f1',
      invitations: [`Conf/2026/-/${invitation}`],
      signatures: ['Conf/Reviewer_x'],
      content,
    },
    ...more,
  });
  const forum = {
    id: 'f1',
    content: {
      title: value('A Study of Tides'),
      abstract: value('We study tides and find that the moon is behind them.'),
    },
    details: {
      replies: [
        reply('r1', 'Official_Review', {
          summary: value('The paper studies tides and what is behind them.'),
          strengths: value('It is a clear question.'),
          weaknesses: value('The data are from one harbour.'),
          rating: value(8),
        }),
        reply(
          'c1',
          'Official_Comment',
          { comment: value('We have since measured the tides of 12 further harbours and found the same.') },
          {
            ...{ replyto: 'r1', signatures: ['Conf/Authors'] },
          },
        ),
        reply('d1', 'Decision', { decision: value('Accept') }),
      ],
    },
  };
  const path = join(fresh(), 'forums.json');
  writeFileSync(path, JSON.stringify({ notes: [forum] }));
  const out = fresh();
  const ended = await audit('--submissions', path, '--judge', `swayed@${endpoint.url}`, '--out', out);
  expect(ended.code).toBe(0);
  const made = linesOf(join(out, 'perturbations.jsonl')).map((line) => perturbationRecord.parse(line));
  const changesOf = (name: string) => made.find(({ perturbation }) => perturbation === name)?.changes;
  expect(changesOf('review-conclusion')).toMatchObject([{ before: '8', after: '1: strong reject' }]);
  expect(changesOf('rebuttal-completeness')).toHaveLength(1);
  expect(made[0]).toMatchObject({ perturbation: 'paper-presentation', dropped: 'the paper has no sections' });
});

test('the sample and two simulated judges tell in seconds what an audit says', async () => {
  const sample = new URL('../../training-data/sample/submissions.jsonl', import.meta.url).pathname;
  const ended = await audit(
    ...['--submissions', sample, '--judge', 'sandbox;sandbox:ratings=0', '--out', fresh()],
  );
  expect(ended.code).toBe(0);
  const result = JSON.parse(ended.out);
  const conclusion = result.comparisons.filter(
    (one: Compared) => one.perturbation === 'review-conclusion' && one.measure === 'overall',
  );
  expect(conclusion).toMatchObject([
    { judge: 'sandbox', observed: 'lowered', fair: false },
    { judge: 'sandbox:ratings=0', observed: 'same', fair: true },
  ]);
  expect(result).toMatchObject({ failed: 0, unread: {} });
});
