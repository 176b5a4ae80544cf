/** A paper to be reviewed, and how a line of JSONL says it. */
import * as z from 'zod';
import { removeOwnAuthors } from './own-authors.ts';

export interface Paper {
  readonly id: string;
  readonly title: string;
  /** The text without its authors: an audit adds those. */
  readonly text: string;
  /** Whether its text named authors, which were taken out. */
  readonly ownAuthors: boolean;
  /** Null where it is not known. */
  readonly accepted: boolean | null;
  readonly field: string | null;
}

const text = z.string().trim().min(1);
/** With `text` or `abstract`; fields that are not known are left alone. */
export const paperLine = z
  .looseObject({
    id: z.union([text, z.number().transform(String)]),
    title: text,
    text: text.optional(),
    abstract: text.optional(),
    accepted: z.boolean().nullish(),
    field: text.nullish(),
  })
  .refine((paper) => paper.text ?? paper.abstract, { error: 'needs `text` or `abstract`' })
  .transform(
    ({ id, title, text: whole, abstract, accepted = null, field = null }): Paper => ({
      id,
      title,
      accepted,
      field,
      ...withoutAuthors(whole ?? abstract ?? ''),
    }),
  );

/** A paper that names its authors and nothing else stays as it is. */
export function withoutAuthors(whole: string): Pick<Paper, 'text' | 'ownAuthors'> {
  const text = whole.replaceAll('\r\n', '\n');
  const left = removeOwnAuthors(text);
  const ownAuthors = left !== '' && left !== text.trim();
  return { text: ownAuthors ? left : whole, ownAuthors };
}
