/** What became of a row: an example, or dropped for a reason. */
import * as z from 'zod';
import { detectorExample } from '../example.ts';
import { OUTCOMES } from './teach.ts';

/** Why rows are dropped, in the order in which reports list them. */
export const REASONS = [
  'teacher wrong',
  'unreadable',
  'refused',
  'cut off',
  'no reasoning',
  'label leaked',
  'failed',
  'duplicate',
  'balance',
] as const;
export type Reason = (typeof REASONS)[number];

const attempts = z.array(
  z.object({
    outcome: z.enum(OUTCOMES),
    label: z.enum(['Yes', 'No']).nullable(),
    why: z.string().nullable(),
  }),
);

/** A line of dropped.jsonl. */
export const droppedRow = z.object({
  id: z.string(),
  base: z.string(),
  bias_category: z.string(),
  llm_judge_model: z.string(),
  bias_label: z.enum(['Yes', 'No']),
  reason: z.enum(REASONS),
  /** Id of the row that a duplicate repeats; null for the others. */
  repeats: z.string().nullable(),
  /** What the teacher made of it; empty where it was not asked. */
  attempts,
});
export type DroppedRow = z.output<typeof droppedRow>;

/** A row on its way to the files. */
export const fate = z.union([
  z.object({ example: detectorExample, attempts }),
  z.object({ dropped: droppedRow }),
]);
export type Fate = z.output<typeof fate>;
