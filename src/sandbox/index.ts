/** Simulated and recorded judges. */

export { computeArithmetic } from './preference.ts';
export type { Item, RecordedRound, Records, Voice } from './recorded/records.ts';
export { createRecordedJudge, parseRecordedUrl } from './recorded-judge.ts';
export {
  askAboutSum,
  createSandboxJudge,
  DEFAULT_WEIGHTS,
  SANDBOX_DEMO,
  type SandboxOptions,
  type Weights,
} from './sandbox.ts';
export { createStandIn } from './stand-in.ts';
