/** One runner for a judgment: calls, retries, the account, the trace; and what is reported of it. */
export { createAsk, type JudgeAnswer, type Put } from './ask.ts';
export { createFacts, type JudgmentFacts, judgmentFacts } from './facts.ts';
export { createQuestionEdits, type QuestionEdits } from './question.ts';
export { type JudgeCaller, runJudgment } from './run-judgment.ts';
