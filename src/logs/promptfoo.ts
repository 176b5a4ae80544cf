/** Results of promptfoo (`promptfoo eval -o results.json`, `promptfoo export`): the prompts of graders that it writes down. */
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import { chatCall, type LogFormat, readMessages } from './logged-call.ts';

const Graded = z.looseObject({
  pass: z.boolean(),
  score: z.number(),
  reason: z.string().default(''),
  assertion: z.looseObject({ type: z.string() }).nullish(),
  metadata: z.looseObject({ renderedGradingPrompt: z.string().optional() }).optional(),
});

const Result = z.looseObject({
  gradingResult: z.looseObject({ componentResults: z.array(z.unknown()).nullish() }).nullish(),
});
const Summary = z.looseObject({ version: z.number(), results: z.array(Result) });
const File = z.looseObject({ results: Summary });

/** Graders that ask a model. */
const ASKS =
  /^(?:not-)?(?:llm-rubric|select-best|model-graded|g-eval|factuality|answer-relevance|context-|conversation-relevance)/;

export const promptfooResults: LogFormat = {
  find(value) {
    const summary = File.safeParse(value).data?.results ?? Summary.safeParse(value).data;
    if (!summary) return null;
    const graded = summary.results.flatMap(({ gradingResult }) =>
      (gradingResult?.componentResults ?? []).flatMap((one) => Graded.safeParse(one).data ?? []),
    );
    const unkept = new Map<string, number>();
    const calls = graded.flatMap(({ pass, score, reason, assertion, metadata }) => {
      const prompt = metadata?.renderedGradingPrompt;
      if (prompt === undefined) {
        const type = assertion?.type ?? '';
        if (ASKS.test(type)) unkept.set(type, (unkept.get(type) ?? 0) + 1);
        return [];
      }
      const messages = readMessages(parseJson(prompt)) ?? [{ role: 'user', content: prompt }];
      // The reply is not kept as it came, but all that is taken from it is.
      return [chatCall('', messages, { content: JSON.stringify({ reason, pass, score }) })];
    });
    const missing = [...unkept].map(
      ([type, count]) => [`verdicts of ${type}: promptfoo does not write their prompts down`, count] as const,
    );
    return { calls, missing };
  },
};
