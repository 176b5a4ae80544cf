/** Judging without a proxy. */
export {
  type AskContext,
  createJudge,
  type Judge,
  type JudgeOptions,
  type JudgePrompt,
  type JudgmentSettings,
  type VerdictOptions,
  type VerdictResult,
} from './judge.ts';
