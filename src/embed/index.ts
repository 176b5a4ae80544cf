/** Judging without a proxy. */
export {
  type AskContext,
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgePrompt,
  type VerdictOptions,
  type VerdictResult,
} from './judge.ts';
export type { JudgmentSettings } from './judgment.ts';
