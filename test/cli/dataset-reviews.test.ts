/** `remand dataset build --reviews` as a user runs it: forms by venue and year, edits, bullet points, and the CSV. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ReviewRow, readReviews } from '../../src/audit/authorship/read-reviews.ts';
import { findReviewForm, readForm } from '../../src/dataset/reviews/write-reviews.ts';
import { bodyOf, serve, type TestServer } from '../models/server.ts';
import { byPerson, titleOf } from './authorship-endpoint.ts';
import { remand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'remand-reviews-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fresh = () => mkdtempSync(join(folder, 'run-'));
function file(name: string, records: readonly object[]): string {
  const path = join(fresh(), name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}
const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Fills in whatever form it is shown; rates by the decision it is told; edits as far as it is told. */
async function writer(): Promise<TestServer & { readonly prompts: string[] }> {
  const prompts: string[] = [];
  const server = await serve(async (request, response) => {
    const { messages } = JSON.parse(await bodyOf(request));
    const [system, user] = messages.map(({ content }: { content: string }) => content);
    prompts.push(`${system}\n${user}`);
    const content = user.includes('JSON object') ? filled(user) : edited(user);
    const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage,
      }),
    );
  });
  return { url: server.url, prompts, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
function filled(user: string): string {
  if (user.includes('The 3th Study')) return 'I cannot review this paper.';
  const fields = [...user.matchAll(/^ {2}"(\w+)": "/gm)].map(([, name = '']) => name);
  const said = fields.map((name) => [name, `About the ${name}: it is as one would expect of such work.`]);
  return JSON.stringify({ ...Object.fromEntries(said), rating: user.includes('was accepted') ? 8 : 3 });
}
function edited(user: string): string {
  const review = /<<<REVIEW>>>\n([\s\S]*)\n<<<END REVIEW>>>/.exec(user)?.[1] ?? '';
  if (user.includes('bullet points')) return '- a point\n- another';
  if (user.includes('Correct spelling')) return review;
  return `${review} This was said more smoothly.`;
}

const papers = file(
  'papers.jsonl',
  Array.from({ length: 4 }, (_, at) => ({
    ...{
      id: `p${at}`,
      title: titleOf(at),
      abstract: `We study ${at} things.`,
      accepted: [true, false, null, true][at],
    },
  })),
);
const human = file(
  'human.jsonl',
  ['p0', 'p1'].map((paper, at) => ({
    id: `h${at}`,
    paper,
    author: 'human',
    rating: 6,
    text: byPerson(titleOf(at), 'x'),
  })),
);

test('reviews by the form of the year, leaning as the decision did; edits and bullet points; all of it read back', async () => {
  await using model = await writer();
  const out = fresh();
  const args = [
    ...['dataset', 'build', '--reviews', '--json', '--from', papers, '--out', out, '--venue', 'iclr2024'],
    ...['--writer', `gpt-4o@${model.url}`, '--human', human, '--edits', 'minimum,maximum', '--bullets'],
    ...['--archetypes', 'harsh', '--subset', 'calibration'],
  ];
  const estimate = JSON.parse((await remand([...args, '--dry-run'])).out);
  expect(estimate).toMatchObject({ calls: 8 + 4 + 4 });
  expect(model.prompts).toEqual([]);
  const ended = await remand(args);
  expect(JSON.parse(ended.out)).toMatchObject({
    written: 6 + 2 + 2,
    dropped: { 'the review is not the JSON that was asked for': 2, 'the edit changed nothing': 2 },
    calls: 16,
  });
  const written = lines(join(out, 'reviews.jsonl'));
  const by = (more: object) =>
    written.filter((one) => Object.entries(more).every(([name, value]) => one[name] === value));
  expect(by({ author: 'human', source: null })).toHaveLength(2);
  expect(by({ source: 'edit', edit: 'maximum', author: 'human', model: 'gpt-4o' })).toHaveLength(2);
  expect(by({ source: 'bullets', author: 'model' }).map(({ of }) => of)).toEqual(['h0', 'h1']);
  expect(by({ source: 'paper', archetype: 'harsh' })).toHaveLength(3);
  // Accepted, rejected, not known.
  expect(by({ source: 'paper', archetype: null }).map(({ rating }) => rating)).toEqual([8, 3, 3]);
  expect(model.prompts.some((prompt) => prompt.includes('The paper was rejected in the end'))).toBe(true);
  expect(model.prompts.filter((prompt) => /in the end/.test(prompt) && prompt.includes(titleOf(2)))).toEqual(
    [],
  );
  expect(model.prompts[0]).toContain('You are a reviewer for ICLR 2024.');
  expect(model.prompts[0]).toContain('"rating": one of 1, 3, 5, 6, 8, 10');
  // The form of 2024 has these and no others.
  const [first] = by({ source: 'paper' });
  expect(first.text).toMatch(
    /^About the summary.*\n\nAbout the strengths.*\n\nAbout the weaknesses.*\n\nAbout the questions/,
  );

  const csv = join(out, 'iclr2024.calibration.gpt-4o.csv');
  const read: ReviewRow[] = [];
  for await (const one of readReviews([csv], '--reviews')) read.push(one);
  expect(read).toMatchObject([
    { paper: 'p0', author: 'human', text: byPerson(titleOf(0), 'x'), subset: 'calibration' },
    { paper: 'p0', author: 'model', model: 'gpt-4o', rating: 8, text: first.text },
    { paper: 'p1', author: 'human' },
    { paper: 'p1', author: 'model' },
    { paper: 'p2', author: 'model' },
  ]);
  // Started again, nothing is asked again, and the same bytes come.
  const before = readFileSync(join(out, 'reviews.jsonl'), 'utf8');
  expect(JSON.parse((await remand(args)).out)).toMatchObject({ calls: 0, written: 10 });
  expect(readFileSync(join(out, 'reviews.jsonl'), 'utf8')).toBe(before);
});

describe('forms', () => {
  test.each([
    ['iclr2019', ['review'], 10],
    ['ICLR 2022', ['summary_of_the_paper', 'main_review', 'summary_of_the_review'], 6],
    ['neurips2023', ['summary', 'strengths', 'weaknesses', 'questions', 'limitations'], 10],
  ])('%s', (venue, fields, ratings) => {
    expect(findReviewForm(venue)?.fields.map(({ name }) => name)).toEqual(fields);
    expect(findReviewForm(venue)?.ratings).toHaveLength(ratings);
    expect(findReviewForm(venue)?.fields.every(({ asks }) => asks !== '')).toBe(true);
  });
  test('of other years and venues there is none', () => {
    expect([findReviewForm('iclr1999'), findReviewForm('cvpr2024'), findReviewForm('')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test.each([
    ['```json\n{"review": "Fine.", "rating": "8: accept"}\n```', { text: 'Fine.', rating: 8 }],
    ['<think>hm</think>{"review": "Fine.", "rating": 7}', { why: 'the form has no rating of 7' }],
    ['{"rating": 8}', { why: 'the review lacks review' }],
    ['Rating: 8', { why: 'the review is not the JSON that was asked for' }],
  ])('%s', (reply, outcome) => {
    expect(readForm(reply, { fields: [{ name: 'review', asks: '' }], ratings: [3, 6, 8] })).toEqual(outcome);
  });
});

describe('bad input is said before anything is asked', () => {
  const base = ['dataset', 'build', '--reviews', '--from', papers, '--out', join(folder, 'none')];
  test.each([
    [[], /--venue: is needed/],
    [
      ['--venue', 'cvpr2024', '--writer', 'm@http://127.0.0.1:9'],
      /--venue: no review form is known for cvpr2024/,
    ],
    [['--venue', 'iclr2024', '--writer', 'm@http://127.0.0.1:9', '--bullets'], /--bullets: is for --human/],
    [
      ['--venue', 'iclr2024', '--writer', 'm@http://127.0.0.1:9', '--human', human, '--edits', 'some'],
      /--edits: "some" is none of/,
    ],
  ])('%j', async (more, message) => {
    const ended = await remand([...base, ...more]);
    expect(ended.err).toMatch(message);
    expect(ended.code).toBe(2);
  });
});
