/** What came of asking a model about a template. */
import * as z from 'zod';

export const READER_OUTCOMES = ['named', 'no-judgment', 'doubted', 'refused', 'disputed', 'failed'] as const;

export const readerRecordSchema = z.strictObject({
  /** The model that was asked. */
  model: z.string(),
  /** Milliseconds since the epoch. */
  asked: z.number(),
  /** Which state of the template it was: see `shapeOf`. It is asked again only of another one. */
  of: z.string(),
  /** How often a model was asked of this pipeline. */
  times: z.int(),
  outcome: z.enum(READER_OUTCOMES),
  /** Whether the model said where the slots begin and end. */
  cut: z.literal(true).exactOptional(),
  /** Why nothing was taken over; null where something was. */
  reason: z.string().nullable(),
  /** As the endpoint counted them; null where it did not. */
  tokens: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
});
export type ReaderRecord = z.infer<typeof readerRecordSchema>;
