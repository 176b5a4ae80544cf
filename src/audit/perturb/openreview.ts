/**
 * OpenReview's forums as submissions: a note with the notes that answer it (docs.openreview.net, `details=replies`).
 * The export has no full texts; where a note's content has none, the paper is its abstract, which has no sections.
 */
import * as z from 'zod';
import type { Submission } from '../../bias/index.ts';
import { formatReviewFields } from './review-fields.ts';

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
export const forums = z.union([
  z.array(forum),
  z.looseObject({ notes: z.array(forum) }).transform(({ notes }) => notes),
]);

export function convertForum({ id, content, details }: z.output<typeof forum>): Submission {
  const replies = details.replies ?? details.directReplies ?? [];
  const is = (one: z.output<typeof reply>, kind: RegExp) =>
    [one.invitation ?? '', ...(one.invitations ?? [])].some((name) => kind.test(name));
  const reviews = replies.filter((one) => is(one, /Official_Review$/));
  const rebuttals = replies.filter((one) => is(one, /Rebuttal$/) || isByAuthors(one));
  return {
    ...{ id, title: content.title, paper: content.full_text ?? content.text ?? content.abstract ?? '' },
    reviews: reviews.map((one) => ({ id: one.id, text: formatReviewFields(one.content) })),
    rebuttals: rebuttals.map((one) => ({
      to: reviews.some((review) => review.id === one.replyto) ? (one.replyto ?? null) : null,
      text: said(one.content),
    })),
  };
}

/** Comments are the authors' where they sign as such. */
function isByAuthors({ signatures, invitation = '', invitations = [] }: z.output<typeof reply>): boolean {
  const comment = [invitation, ...invitations].some((name) => /Official_Comment$/.test(name));
  return comment && Array.isArray(signatures) && signatures.some((one) => /\/Authors$/.test(String(one)));
}

function said(content: Readonly<Record<string, unknown>>): string {
  for (const name of ['rebuttal', 'comment', 'response']) {
    const { success, data } = field.safeParse(content[name]);
    if (success) return data;
  }
  return '';
}
