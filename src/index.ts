/**
 * Remand as a library: judge without a proxy (`createJudge`), or put the parts together yourself: the loop
 * (`debias`), the detectors, the catalogue of biases, and what finds a case in a prompt and a verdict in a reply.
 * Runs in Node and in Cloudflare Workers. More: `remand/ai-sdk`, `remand/detector-models`, `remand/proxy`,
 * `remand/server`, `remand/worker`, `remand/stats`.
 */
export { CATALOGUE, findBias } from './bias/index.ts';
export type { Bias, Expectation, UndoTools } from './bias/types.ts';
export {
  applyEdits,
  asGiven,
  type Counterfactual,
  type Edit,
  editsFor,
  reversed,
  together,
} from './case/counterfactual.ts';
export { findCase } from './case/read.ts';
export type {
  Analysis,
  Case,
  Cue,
  Evidence,
  LabelRule,
  Mention,
  NoVerdictReason,
  Option,
  Passage,
  Prompt,
  PromptPart,
  Span,
  Spelling,
  Statement,
  Verdict,
  VerdictForm,
} from './case/types.ts';
export { readVerdict, readVerdictPair, writeVerdict } from './case/verdict.ts';
export { describeVerdict, mapBack, preferred, sameVerdict } from './case/verdicts/index.ts';
export { createPanelDetector, type PanelOptions } from './detect/panel.ts';
export { createProbeDetector } from './detect/probe.ts';
export { type DetectorModel, type DetectorReply, meterDetectorModel } from './detect/rbd/detector-model.ts';
export { createRbdDetector, type RbdOptions } from './detect/rbd.ts';
export { createRulesDetector } from './detect/rules.ts';
export type { Brief, Detector, Probe } from './detect/types.ts';
export {
  type AskContext,
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgePrompt,
  type VerdictOptions,
  type VerdictResult,
} from './embed/judge.ts';
export type { JudgmentSettings } from './embed/judgment-settings.ts';
export { InputError, RemandError } from './errors.ts';
export { BudgetError, JudgeError, UnreadableAnalysisError } from './http/judge-errors.ts';
export { createAsk, type JudgeAnswer, type Put } from './judgment/ask.ts';
export { createQuestionEdits, type QuestionEdits } from './judgment/question.ts';
export type { Outcome } from './loop/conclude.ts';
export { debias } from './loop/debias.ts';
export type { Answer, Ask, Policy, Question, Status, Stop, Trial } from './loop/types.ts';
export { type CallResult, createLedger, type Ledger } from './models/ledger.ts';
export {
  type Call,
  type CallKind,
  type Clock,
  type Rewrite,
  type RewritePrompt,
  systemClock,
  type Tokens,
} from './ports.ts';
export type { Trace, TraceVerdict } from './trace/trace-schema.ts';
