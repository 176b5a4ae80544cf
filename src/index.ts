/**
 * Remand as a library: judge without a proxy (`createJudge`), or put the parts together yourself: the loop
 * (`debias`), the detectors, the catalogue of biases, and what finds a case in a prompt and a verdict in a reply.
 * Runs in Node and in Cloudflare Workers. More: `remand/ai-sdk`, `remand/detector-models`, `remand/proxy`,
 * `remand/server`, `remand/worker`, `remand/stats`.
 */
export { biasNamed, CATALOGUE } from './bias/index.ts';
export type { Bias, Expectation, UndoTools } from './bias/types.ts';
export {
  applyEdits,
  asGiven,
  type Counterfactual,
  type Edit,
  editsFor,
  mapBack,
  preferred,
  reversed,
  sameVerdict,
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
export { createPanelDetector, type PanelOptions } from './detect/panel.ts';
export { createProbeDetector } from './detect/probe.ts';
export { type DetectorModel, type DetectorReply, metered } from './detect/rbd/model.ts';
export { createRbdDetector, type RbdOptions } from './detect/rbd.ts';
export { createRulesDetector } from './detect/rules.ts';
export type { Brief, Detector, Probe } from './detect/types.ts';
export {
  type Asking,
  createJudge,
  type Judge,
  type Judged,
  type JudgeOptions,
  type JudgePrompt,
  type VerdictOptions,
} from './embed/judge.ts';
export type { JudgmentSettings } from './embed/settings.ts';
export { InputError, RemandError } from './errors.ts';
export { BudgetError, JudgeError, UnreadableAnalysisError } from './http/errors.ts';
export { createAsk, type Put, type Said } from './judgment/asking.ts';
export { type QuestionEdits, questionEdits } from './judgment/question.ts';
export { debias } from './loop/debias.ts';
export type { Answer, Ask, DebiasOptions, Outcome, Policy, Question, Status, Stop } from './loop/types.ts';
export { createLedger, type Ledger, type Paid } from './models/ledger.ts';
export {
  type Call,
  type CallKind,
  type Clock,
  type Rewrite,
  type RewritePrompt,
  systemClock,
  type Tokens,
} from './ports.ts';
export type { Trace, TraceVerdict } from './trace/schema.ts';
