/** What `remand audit perturb` writes. */
import * as z from 'zod';
import { count, interval } from './shapes.ts';

const at = { judge: z.string(), role: z.string(), mode: z.string(), perturbation: z.string() };
const reasons = z.record(z.string(), count);

export const perturbSchema = z.object({
  audit: z.literal('perturb'),
  threshold: z.number(),
  margins: z.object({ dimension: z.number(), overall: z.number() }),
  perturbations: z.record(z.string(), z.object({ made: count, dropped: reasons, refused: reasons })),
  unfit: z.record(z.string(), reasons),
  judgments: count,
  unread: reasons,
  failed: count,
  comparisons: z.array(
    z.object({
      ...{ ...at, measure: z.string(), n: count },
      ...{ before: z.number(), after: z.number(), difference: z.number(), interval: interval.nullable() },
      p_holm: z.number(),
      equivalence: z.object({ p_holm: z.number(), interval }).nullable(),
      margin: z.number(),
      observed: z.enum(['raised', 'lowered', 'same', 'undecided']),
      fair: z.boolean().nullable(),
      ...{ arrow: z.string(), fairness: z.string() },
    }),
  ),
  decided: z.array(
    z.object({
      ...{ ...at, n: count, unread: count, failed: count },
      transitions: z.object({ names: z.array(z.string()), counts: z.array(z.array(count)) }),
      acceptance: z.object({
        ...{ before: z.number().nullable(), before_interval: interval.nullable() },
        ...{ after: z.number().nullable(), after_interval: interval.nullable() },
        // Absent from results of before it was written.
        reason: z.string().nullable().default(null),
        change: z.union([
          z.object({ value: z.number(), interval }),
          z.object({ value: z.null(), reason: z.string() }),
        ]),
      }),
      kappa: z.union([
        z.object({ value: z.number(), interval }),
        z.object({ value: z.null(), reason: z.string() }),
      ]),
    }),
  ),
  verdicts: z.array(z.object({ judge: z.string(), verdict: z.string() })),
});
export type PerturbResult = z.output<typeof perturbSchema>;
