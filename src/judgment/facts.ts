/** What is reported of a judgment: in response headers, in metrics, to whoever judges in process. */
import * as z from 'zod';
import {
  findUnexaminedReason,
  inHundredths,
  type Outcome,
  STATUSES,
  type Status,
  UNEXAMINED_REASONS,
  type UnexaminedReason,
} from '../loop/index.ts';

const names = z.array(z.string()).readonly();

/** One more fact is one line here, and one in each function below. */
export const judgmentFacts = z.object({
  status: z.enum(STATUSES),
  /** Why the verdict was not examined; null where it was. */
  reason: z.enum(UNEXAMINED_REASONS).nullable(),
  /** Names of the biases found, each once. */
  biases: names,
  /** What the judge is sensitive to though its verdict stood: see src/detect/noise.ts. */
  sensitivity: names,
  /** Names of biases whose cues speak for the verdict and were not tested, each once. */
  untested: names,
  /** How sure the verdict is, as a score or, where it was calibrated, a probability; null where nothing tells. */
  confidence: z.number().nullable(),
  /** Samples of the client's own request that hold a verdict; null where one reply was all that was wanted. */
  samples: z.number().nullable(),
  /** What a second judge made of the verdict: agreed, overruled, or left as it was; null where none was asked. */
  escalated: z.enum(['agreed', 'overruled', 'left']).nullable(),
  /** Where not all verdicts are judged in the other order: whether this one was; null where all are, or none can be. */
  order: z.enum(['checked', 'skipped']).nullable(),
  /** Remands sent. */
  rounds: z.number(),
  /** Model calls made, failed ones and the detector's own included. */
  calls: z.number(),
});
export type JudgmentFacts = z.output<typeof judgmentFacts>;

/** What became of a request that went to the judge as it was. */
export type PassStatus = Extract<Status, 'bypassed' | 'no-verdict' | 'failed-open'>;

/** The facts of a request that went to the judge as it was. */
export function createPassFacts(status: PassStatus, reason: UnexaminedReason): JudgmentFacts {
  return {
    status,
    reason,
    biases: [],
    sensitivity: [],
    untested: [],
    confidence: null,
    samples: null,
    escalated: null,
    order: null,
    rounds: 0,
    calls: 1,
  };
}

/** @param calls model calls made */
export function createFacts(
  outcome: Outcome<unknown>,
  calls: number,
  order: JudgmentFacts['order'] = null,
): JudgmentFacts {
  const { status, biases, sensitivity, untested, confidence, samples, escalated, rounds } = outcome;
  return {
    status,
    reason: findUnexaminedReason(outcome),
    biases,
    sensitivity,
    untested: [...new Set(untested.map(({ bias }) => bias))],
    confidence: confidence && inHundredths(confidence.probability ?? confidence.score),
    samples: samples?.verdicts.length ?? null,
    escalated: escalated?.result ?? null,
    order,
    rounds,
    calls,
  };
}
