/** Reviews whose author is known, because models are asked for them here (arXiv 2502.19614 §3 and §5). */
import * as z from 'zod';
import {
  type ReviewField,
  readPlainJson,
  renderBulletPoints,
  renderReviewEdit,
  renderVenueReview,
} from '../../../prompts/index.ts';
import { EDIT_EXTENTS, type EditExtent, type Paper, type Review } from '../../audit/index.ts';
import { type Model, type RunOptions, runAll } from '../../models/index.ts';

/** How far a model may go in editing a person's review. */
const EXTENT: Readonly<Record<Exclude<EditExtent, 'none'>, string>> = {
  minimum: 'Correct spelling and grammar only. Leave every other word as it is.',
  moderate:
    'Correct the language and make awkward sentences read well. Keep the order and most of the wording.',
  extensive: 'Rewrite for clarity and flow. You may restructure sentences and paragraphs.',
  maximum: 'Write the review anew in your own words, so that it reads at its best.',
};

/** Manners that a model is asked to write in; each is one sentence. */
export const ARCHETYPES: Readonly<Record<string, string>> = {
  brief: 'Write briefly, as one with many papers to review.',
  harsh: 'You are strict and hard to convince.',
  friendly: 'You look for what is good in a paper and encourage its authors.',
  expert: 'You have worked on this very problem for years and go into technical detail.',
  newcomer: 'You are a doctoral student who reviews for the first time.',
};

/** What is to be written: about one paper, by one writer. */
type WritingTask = {
  readonly paper: Paper;
  readonly writer: Model;
} & (
  | { readonly kind: 'paper'; readonly archetype: string | null }
  | { readonly kind: 'edit'; readonly of: Review; readonly edit: Exclude<EditExtent, 'none'> }
  | { readonly kind: 'bullets'; readonly of: Review }
);

/** What one run writes. */
export interface WritingSetup {
  readonly writers: readonly Model[];
  readonly archetypes: readonly (string | null)[];
  readonly edits: readonly Exclude<EditExtent, 'none'>[];
  readonly bullets: boolean;
  readonly form: ReviewForm & { readonly called: string };
  readonly venue: string;
  readonly subset: string;
}

export const EDITED_EXTENTS = EDIT_EXTENTS.filter((edit) => edit !== 'none');

/** A review, or why there is none, in words. */
type WritingResult = Review | { readonly id: string; readonly why: string };

/**
 * @param people reviews by people of these papers, to be edited or taken for bullet points; by paper
 * @returns one for each paper, writer and manner, then for each of the paper's reviews by people, in that order
 */
export async function* writeReviews(
  papers: Iterable<Paper> | AsyncIterable<Paper>,
  people: (paper: string) => readonly Review[],
  writing: WritingSetup,
  run: RunOptions,
): AsyncGenerator<WritingResult> {
  const work = (task: WritingTask, signal: AbortSignal) => writeReview(task, writing, signal);
  for await (const result of runAll(tasks(papers, people, writing), work, run)) {
    if ('value' in result) yield result.value;
    else yield { id: idOf(result.item), why: result.error.message };
  }
}

async function* tasks(
  papers: Iterable<Paper> | AsyncIterable<Paper>,
  people: (paper: string) => readonly Review[],
  { writers, archetypes, edits, bullets }: WritingSetup,
): AsyncGenerator<WritingTask> {
  for await (const paper of papers)
    for (const writer of writers) {
      for (const archetype of archetypes) yield { paper, writer, kind: 'paper', archetype };
      for (const of of people(paper.id)) {
        for (const edit of edits) yield { paper, writer, kind: 'edit', of, edit };
        if (bullets) yield { paper, writer, kind: 'bullets', of };
      }
    }
}

function idOf(task: WritingTask): string {
  const from = task.kind === 'paper' ? (task.archetype ?? '') : task.of.id;
  return [task.paper.id, task.writer.name, task.kind, from, task.kind === 'edit' ? task.edit : '']
    .filter((part) => part !== '')
    .join('/');
}

async function writeReview(
  task: WritingTask,
  writing: WritingSetup,
  signal: AbortSignal,
): Promise<WritingResult> {
  const id = idOf(task);
  const head = {
    id,
    paper: task.paper.id,
    venue: writing.venue,
    subset: writing.subset,
    model: task.writer.name,
    edit: null,
    of: null,
    archetype: null,
    rating: null,
  };
  if (task.kind === 'edit') {
    const { review, why } = editedIn(
      task.of.text,
      (await task.writer.ask(renderReviewEdit({ review: task.of.text, extent: EXTENT[task.edit] }), signal))
        .text,
    );
    if (review === null) return { id, why };
    const { rating } = task.of;
    return {
      ...head,
      author: 'human',
      source: 'edit',
      edit: task.edit,
      of: task.of.id,
      rating,
      text: review,
    };
  }
  const points =
    task.kind === 'bullets' ? (await task.writer.ask(renderBulletPoints(task.of.text), signal)).text : null;
  if (points !== null && !/^[^\S\r\n\u2028\u2029]*[-*•]/m.test(points))
    return { id, why: 'the notes are no bullet points' };
  const { form } = writing;
  const { title, text, accepted } = task.paper;
  const manner =
    task.kind === 'paper' && task.archetype !== null ? (ARCHETYPES[task.archetype] ?? null) : null;
  const asked = { ...form, title, text, venue: form.called, accepted, manner, points };
  const read = readForm((await task.writer.ask(renderVenueReview(asked), signal)).text, form);
  if ('why' in read) return { id, why: read.why };
  if (task.kind === 'bullets')
    return { ...head, ...read, author: 'model', source: 'bullets', of: task.of.id };
  return { ...head, ...read, author: 'model', source: 'paper', archetype: task.archetype };
}

/** An edit that is one: something changed, and it is still about as much text. */
function editedIn(
  before: string,
  reply: string,
): { review: string; why: '' } | { review: null; why: string } {
  const review = reply
    .trim()
    .replace(/^<<<REVIEW>>>|<<<END REVIEW>>>$/g, '')
    .trim();
  if (review === before.trim()) return { review: null, why: 'the edit changed nothing' };
  const ratio = review.length / Math.max(1, before.trim().length);
  if (ratio < 1 / 3 || ratio > 3)
    return { review: null, why: 'the edit is less than a third or more than three times as long' };
  return { review, why: '' };
}

/** Thoughts before the JSON and one fence around it are let pass. */
export function readForm(
  reply: string,
  { fields, ratings }: Pick<ReviewForm, 'fields' | 'ratings'>,
): { readonly text: string; readonly rating: number } | { readonly why: string } {
  const json = readPlainJson(reply);
  if (json.unread !== null) return { why: 'the review is not the JSON that was asked for' };
  const shape = z.object({
    ...Object.fromEntries(fields.map(({ name }) => [name, z.string().trim().min(1)])),
    rating: z.union([
      z.number(),
      z
        .string()
        .regex(/^\d+\b/)
        .transform((text) => Number.parseInt(text, 10)),
    ]),
  });
  const read = shape.safeParse(json.value);
  if (!read.success) return { why: `the review lacks ${read.error.issues[0]?.path.join('.') ?? 'a field'}` };
  const { rating, ...rest } = read.data;
  if (!ratings.includes(rating)) return { why: `the form has no rating of ${rating}` };
  const parts: Readonly<Record<string, unknown>> = rest;
  return { text: fields.map(({ name }) => String(parts[name])).join('\n\n'), rating };
}

// Review forms by venue and year: which fields a reviewer fills in, and which ratings there are. The fields are facts of
// the forms; what is asked for in each is said in our words.

export interface ReviewForm {
  readonly fields: readonly ReviewField[];
  readonly ratings: readonly number[];
  readonly guideline: string;
}

const ONE_TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const STEPS = [1, 3, 5, 6, 8, 10];

const ASKS: Readonly<Record<string, string>> = {
  review: 'the whole review: what the paper does, what speaks for it, what against it, and questions',
  main_review: 'strengths and weaknesses: originality, quality, clarity, significance',
  summary: 'what the paper does and claims, without criticism',
  summary_of_the_paper: 'what the paper does and claims, without criticism',
  summary_and_contributions: 'what the paper does and contributes, without criticism',
  summary_of_the_review: 'what the recommendation rests on, in a few sentences',
  strengths: 'what speaks for the paper',
  weaknesses: 'what speaks against it',
  strength_and_weaknesses: 'what speaks for the paper and what against it',
  strengths_and_weaknesses: 'what speaks for the paper and what against it',
  correctness: 'whether claims and method are right',
  clarity: 'whether it is well written',
  relation_to_prior_work: 'whether it says how it differs from earlier work',
  clarity_quality_novelty_and_reproducibility: 'clarity, quality, novelty and whether it can be reproduced',
  questions: 'questions to the authors that could change your mind',
  limitations: 'whether limits and effects on society are spoken of',
  limitations_and_societal_impact: 'whether limits and effects on society are spoken of',
};

const PLAIN = ['review'];
const FORMS: readonly (readonly [
  venue: string,
  from: number,
  to: number,
  fields: readonly string[],
  ratings: readonly number[],
])[] = [
  ['iclr', 2017, 2019, PLAIN, ONE_TO_TEN],
  ['iclr', 2020, 2020, PLAIN, [1, 3, 6, 8]],
  ['iclr', 2021, 2021, PLAIN, ONE_TO_TEN],
  ['iclr', 2022, 2022, ['summary_of_the_paper', 'main_review', 'summary_of_the_review'], STEPS],
  [
    ...(['iclr', 2023, 2023] as const),
    [
      ...['summary_of_the_paper', 'strength_and_weaknesses'],
      ...['clarity_quality_novelty_and_reproducibility', 'summary_of_the_review'],
    ],
    STEPS,
  ],
  ['iclr', 2024, 2025, ['summary', 'strengths', 'weaknesses', 'questions'], STEPS],
  ['neurips', 2016, 2019, PLAIN, ONE_TO_TEN],
  [
    ...(['neurips', 2020, 2020] as const),
    [
      ...['summary_and_contributions', 'strengths', 'weaknesses', 'correctness', 'clarity'],
      ...['relation_to_prior_work'],
    ],
    ONE_TO_TEN,
  ],
  ['neurips', 2021, 2021, ['summary', 'main_review', 'limitations_and_societal_impact'], ONE_TO_TEN],
  ['neurips', 2022, 2022, ['summary', 'strengths_and_weaknesses', 'questions', 'limitations'], ONE_TO_TEN],
  ['neurips', 2023, 2024, ['summary', 'strengths', 'weaknesses', 'questions', 'limitations'], ONE_TO_TEN],
];

/** In our words, after what both venues ask for: originality, quality, clarity, significance, and courtesy. */
const GUIDELINE =
  'Look at what the paper claims and whether it is new, whether method and evidence bear the claims, whether it is clear, ' +
  'and whether it matters to others. Be specific, fair and polite; say what would change your mind.';

/** @param venue such as `iclr2021`; null where no form is known for it */
export function findReviewForm(venue: string): (ReviewForm & { readonly called: string }) | null {
  const [, name = '', year = ''] = /^([a-z]+?)[-_ ]?(\d{4})$/i.exec(venue.trim()) ?? [];
  const found = FORMS.find(
    ([known, from, to]) => known === name.toLowerCase() && Number(year) >= from && Number(year) <= to,
  );
  if (!found) return null;
  const [, , , names, ratings] = found;
  const fields = names.map((field) => ({ name: field, asks: ASKS[field] ?? '' }));
  return {
    called: `${name.toLowerCase() === 'iclr' ? 'ICLR' : 'NeurIPS'} ${year}`,
    fields,
    ratings,
    guideline: GUIDELINE,
  };
}

/** Venues with years, as an error lists them. */
export const KNOWN_FORMS = FORMS.map(([venue, from, to]) =>
  from === to ? `${venue}${from}` : `${venue}${from}-${to}`,
);
