/** Simulated and recorded judges. */
export { SANDBOX_DEMO } from './demo.ts';
export type { Item, RecordedRound, Records, Voice } from './recorded/records.ts';
export { createRecordedJudge, parseRecordedUrl } from './recorded-judge.ts';
export { createSandboxJudge, DEFAULT_WEIGHTS, type SandboxOptions, type Weights } from './sandbox.ts';
