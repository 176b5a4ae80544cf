/** Submissions with their reviews and rebuttals: JSONL, or OpenReview's JSON export of forums. For Node. */
import { extname } from 'node:path';
import * as z from 'zod';
import {
  findReviewSections,
  isOverall,
  type PaperReview,
  type Rebuttal,
  type Submission,
} from '../../bias/index.ts';
import { InputError } from '../../errors.ts';
import { readJsonFile, readJsonl } from '../../records/node.ts';

// A submission with its reviews and rebuttals, as a line of JSONL says it.

/** A review that comes as fields, as text: headed sections, then a line for each rating. */
const PROSE = [
  ...['summary', 'summary_of_the_paper', 'main_review', 'review', 'strengths', 'strength'],
  ...['strengths_and_weaknesses', 'weaknesses', 'weakness', 'questions', 'limitations'],
];
const RATINGS = ['soundness', 'presentation', 'contribution', 'rating', 'recommendation', 'confidence'];

type Fields = Readonly<Record<string, unknown>>;

/** @returns empty where it has none of the fields that reviews have */
function formatReviewFields(fields: Fields): string {
  const prose = PROSE.flatMap((name) => {
    const said = readField(fields, name);
    return said === '' ? [] : [`## ${titleOf(name)}\n${said}`];
  });
  const ratings = RATINGS.flatMap((name) => formatRating(fields, name));
  return [...prose, ...(ratings.length > 0 ? [ratings.join('\n')] : [])]
    .map((block) => `${block}\n`)
    .join('\n');
}

/** A text with a line for each rating that stands beside it and not in it. */
function addRatings(text: string, fields: Fields): string {
  if (text.trim() === '') return text;
  const told = findReviewSections(text).map(({ name }) => name);
  const isTold = (name: string) => told.includes(name) || (isOverall(name) && told.some(isOverall));
  const missing = RATINGS.filter((name) => !isTold(name)).flatMap((name) => formatRating(fields, name));
  return missing.length === 0 ? text : `${text.trimEnd()}\n\n${missing.join('\n')}\n`;
}

/** `Rating: 6`; nothing where there is none. */
function formatRating(fields: Fields, name: string): string[] {
  const said = readField(fields, name);
  return said === '' ? [] : [`${titleOf(name)}: ${said}`];
}

function readField(fields: Fields, name: string): string {
  const value = fields[name];
  const bare = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  if (Array.isArray(bare)) return bare.map((one) => `- ${one}`).join('\n');
  return typeof bare === 'string' || typeof bare === 'number' ? String(bare).trim() : '';
}

function titleOf(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

const text = z.string().trim().min(1);
const id = z.union([text, z.number().transform(String)]);
/** As text, with ratings beside it or not, or by its fields: summary, strengths, weaknesses, questions, ratings. */
const review = z
  .union([z.string().transform((own) => ({ text: own })), z.looseObject({ id: id.nullish() })])
  .transform((one: Readonly<Record<string, unknown>>, context) => {
    const own = typeof one.text === 'string' ? addRatings(one.text, one) : formatReviewFields(one);
    if (typeof one.text !== 'string' && own === '')
      context.addIssue('a review needs `text`, or fields such as `weaknesses` and `rating`');
    return { id: typeof one.id === 'string' ? one.id : null, text: own };
  });
const rebuttal = z.union([
  z.string().transform((own): Rebuttal => ({ to: null, text: own })),
  z
    .looseObject({ to: id.nullish(), text: z.string() })
    .transform((one): Rebuttal => ({ to: one.to ?? null, text: one.text })),
]);

/** Fields that are not known are left alone. */
export const submissionLine = z
  .looseObject({
    id,
    title: text,
    text: z.string(),
    reviews: z.array(review).default([]),
    rebuttals: z.array(rebuttal).optional(),
    rebuttal: rebuttal.nullish(),
  })
  .transform(
    ({ id: own, title, text: paper, reviews, rebuttals, rebuttal: single }): Submission => ({
      id: own,
      title,
      paper,
      reviews: nameReviews(reviews),
      rebuttals: rebuttals ?? (single ? [single] : []),
    }),
  );

/** Reviews without a name get their place as one; two of one name, too. */
function nameReviews(
  reviews: readonly { readonly id: string | null; readonly text: string }[],
): PaperReview[] {
  const unique = new Set(reviews.map((one) => one.id)).size === reviews.length;
  return reviews.map((one, at) => ({ id: unique && one.id !== null ? one.id : `${at + 1}`, text: one.text }));
}

// OpenReview's forums as submissions: a note with the notes that answer it (docs.openreview.net, `details=replies`).
// The export has no full texts; where a note's content has none, the paper is its abstract, which has no sections.

/** API 2 wraps each field as `{ value }`; API 1 has it bare. */
const field = z.union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)]);
const some = field.optional().catch(undefined);

const reply = z.looseObject({
  id: z.string(),
  replyto: z.string().nullish(),
  invitation: z.string().optional(),
  invitations: z.array(z.string()).optional(),
  content: z.record(z.string(), z.unknown()),
});
const forum = z.looseObject({
  id: z.string(),
  content: z.looseObject({ title: field, abstract: some, text: some, full_text: some }),
  details: z.looseObject({ replies: z.array(reply).optional(), directReplies: z.array(reply).optional() }),
});
const forums = z.union([
  z.array(forum),
  z.looseObject({ notes: z.array(forum) }).transform(({ notes }) => notes),
]);

function convertForum({ id, content, details }: z.output<typeof forum>): Submission {
  const replies = details.replies ?? details.directReplies ?? [];
  const is = (one: z.output<typeof reply>, kind: RegExp) =>
    [one.invitation ?? '', ...(one.invitations ?? [])].some((name) => kind.test(name));
  const reviews = replies.filter((one) => is(one, /Official_Review$/));
  const rebuttals = replies.filter((one) => is(one, /Rebuttal$/) || isByAuthors(one));
  return {
    id,
    title: content.title,
    paper: content.full_text ?? content.text ?? content.abstract ?? '',
    reviews: reviews.map((one) => ({ id: one.id, text: formatReviewFields(one.content) })),
    rebuttals: rebuttals.map((one) => ({
      to: reviews.some((review) => review.id === one.replyto) ? (one.replyto ?? null) : null,
      text: textIn(one.content),
    })),
  };
}

/** Comments are the authors' where they sign as such. */
function isByAuthors({ signatures, invitation = '', invitations = [] }: z.output<typeof reply>): boolean {
  const comment = [invitation, ...invitations].some((name) => /Official_Comment$/.test(name));
  return comment && Array.isArray(signatures) && signatures.some((one) => /\/Authors$/.test(String(one)));
}

function textIn(content: Readonly<Record<string, unknown>>): string {
  for (const name of ['rebuttal', 'comment', 'response']) {
    const { success, data } = field.safeParse(content[name]);
    if (success) return data;
  }
  return '';
}

/**
 * @param option named in errors
 * @throws InputError naming the file and what is wrong with it, two submissions of one id included
 */
export async function* readSubmissions(path: string, option: string): AsyncGenerator<Submission> {
  const seen = new Set<string>();
  for await (const one of submissionsIn(path, option)) {
    if (seen.has(one.id)) throw new InputError(option, `${path}: a second submission has the id ${one.id}`);
    seen.add(one.id);
    yield one;
  }
}

async function* submissionsIn(path: string, option: string): AsyncGenerator<Submission> {
  const kind = extname(path).toLowerCase();
  if (kind === '.jsonl') return yield* readJsonl(path, submissionLine, option);
  if (kind !== '.json') throw new InputError(option, `${path} is neither .jsonl nor .json`);
  const { data } = forums.safeParse(await readJsonFile(path, option));
  if (!data)
    throw new InputError(
      option,
      `${path} is no OpenReview export: a list of notes, each with id, content.title and details.replies`,
    );
  yield* data.map(convertForum);
}
