/** Where a result comes from. Every result file has this as `origin`, and a report shows it beside the result. */
import * as z from 'zod';

export const origin = z.object({
  /** When the command was started, ISO 8601. */
  date: z.string(),
  /** Version of Remand. */
  remand: z.string(),
  /** The command line, without secrets. */
  command: z.string(),
  /** The models that it was told to ask, as the command line names them. */
  models: z.array(z.string()),
  /** Fields of each request to them. */
  parameters: z.record(z.string(), z.unknown()),
  /** Per million tokens, by model; null where none were given. */
  prices: z.record(z.string(), z.object({ input: z.number(), output: z.number() })).nullable(),
});
export type ResultOrigin = z.output<typeof origin>;
