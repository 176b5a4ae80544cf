/**
 * Remand as a library: judge without a proxy (`createJudge`), or put the parts together yourself: the loop
 * (`debias`), the detectors, the catalogue of biases, and what finds a case in a prompt and a verdict in a reply.
 * Runs in Node and in Cloudflare Workers. More: `remand/ai-sdk`, `remand/detector-models`, `remand/proxy`,
 * `remand/server`, `remand/worker`, `remand/stats`.
 */

import './runtime-check.ts';

export type { Bias, Expectation, UndoTools } from './bias/index.ts';
export { CATALOGUE, findBias } from './bias/index.ts';
export {
  type Analysis,
  applyEdits,
  asGiven,
  type Case,
  type Counterfactual,
  type Cue,
  type DeclaredCase,
  describeVerdict,
  type Edit,
  type Evidence,
  editsFor,
  findCase,
  type LabelRule,
  type Mention,
  mapBack,
  type NoVerdictReason,
  type Option,
  type Passage,
  type Prompt,
  type PromptPart,
  preferred,
  readVerdict,
  readVerdictPair,
  reversed,
  type Span,
  type Spelling,
  type Statement,
  sameVerdict,
  together,
  type Verdict,
  type VerdictForm,
  writeVerdict,
} from './case/index.ts';
export type { Brief, Detector, Probe } from './detect/index.ts';
export {
  createPanelDetector,
  createProbeDetector,
  createRbdDetector,
  createRulesDetector,
  type DetectorModel,
  type DetectorReply,
  meterDetectorModel,
  type PanelOptions,
  type RbdOptions,
} from './detect/index.ts';
export type { JudgmentSettings } from './embed/index.ts';
export {
  type AskContext,
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgePrompt,
  type VerdictOptions,
  type VerdictResult,
} from './embed/index.ts';
export { InputError, RemandError } from './errors.ts';
export { BudgetError, JudgeError, UnreadableAnalysisError } from './http/index.ts';
export {
  createAsk,
  createQuestionEdits,
  type JudgeAnswer,
  type Put,
  type QuestionEdits,
} from './judgment/index.ts';
export type { Answer, Ask, Note, Outcome, Policy, Question, Status, Stop, Trial } from './loop/index.ts';
export { debias } from './loop/index.ts';
export { type CallResult, createLedger, type Ledger } from './models/index.ts';
export {
  type Call,
  type CallKind,
  type Clock,
  type Rewrite,
  type RewritePrompt,
  systemClock,
  type Tokens,
} from './ports.ts';
export type { Trace, TraceVerdict } from './trace/index.ts';
