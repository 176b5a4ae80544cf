/** One row of a dataset: a case as a judge will see it, with the right option known. */
import * as z from 'zod';

/** A row of D or of D_bias; the two that belong together have one id. */
export const datasetRow = z.object({
  id: z.string(),
  /** Id of the base item: rows of one base item never stand on two sides of a split. */
  base: z.string(),
  /** Names of the biases that D_bias has. */
  biases: z.array(z.string()).min(1),
  /** Whether the bias speaks for the right option: the counterbalanced twin. */
  twin: z.boolean(),
  set: z.enum(['d', 'd_bias']),
  instruction: z.string(),
  options: z.array(z.string()).min(2),
  /** How the prompt names each option: `Output (a)`, `Choice 1`. */
  labels: z.array(z.string()).min(2),
  /** Index into the options. */
  right: z.int().min(0),
  /** What somebody is said to think, the option named: `90% believe that Output (a) is better`. */
  statements: z.array(z.string()),
  /** The options as the published dataset writes them, where that layout was asked for. */
  choices: z.string().optional(),
});
export type DatasetRow = z.output<typeof datasetRow>;
