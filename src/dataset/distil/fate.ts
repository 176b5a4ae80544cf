/** What became of a row: an example, or dropped for a reason. */
import * as z from 'zod';
import { detectorExample } from '../detector-example.ts';
import { ATTEMPT_OUTCOMES } from './teach.ts';

/** Why rows are dropped, in the order in which reports list them. */
const DROP_REASONS = [
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
export type DropReason = (typeof DROP_REASONS)[number];

const attempts = z.array(
  z.object({
    outcome: z.enum(ATTEMPT_OUTCOMES),
    label: z.enum(['Yes', 'No']).nullable(),
    why: z.string().nullable(),
  }),
);

/** A line of dropped.jsonl. */
const droppedRow = z.object({
  id: z.string(),
  base: z.string(),
  bias_category: z.string(),
  llm_judge_model: z.string(),
  bias_label: z.enum(['Yes', 'No']),
  reason: z.enum(DROP_REASONS),
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
