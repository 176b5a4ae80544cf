/** A paper to be reviewed, and how a line of JSONL says it. */
import * as z from 'zod';

export interface Paper {
  readonly id: string;
  readonly title: string;
  /** The text without its authors: an audit adds those. */
  readonly text: string;
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
    (paper): Paper => ({
      id: paper.id,
      title: paper.title,
      text: paper.text ?? paper.abstract ?? '',
      accepted: paper.accepted ?? null,
      field: paper.field ?? null,
    }),
  );
