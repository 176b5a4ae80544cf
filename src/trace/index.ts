/** What happened to a judgment: its schema, how it is built, and how texts are taken out of it. */
export {
  buildFailedTrace,
  buildTrace,
  buildUnexaminedTrace,
  isWithheld,
  mapTexts,
  removeTexts,
  toTraceVerdict,
} from './build.ts';
export {
  type JudgeFingerprint,
  type ListedTrace,
  readSummary,
  readTrace,
  summariseTrace,
  type Trace,
  type TraceEvidence,
  type TraceLimits,
  type TraceQuery,
  type TraceSpending,
  type TraceStore,
  type TraceSum,
  type TraceSummary,
  type TraceVerdict,
  toOtelTraceId,
  traceSchema,
  UnreadableTraceError,
} from './trace-schema.ts';
