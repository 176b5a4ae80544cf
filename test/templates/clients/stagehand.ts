/** The evaluator that Stagehand ships, asked about a text: no page is looked at. */
import { V3Evaluator } from '@browserbasehq/stagehand';
import { type Callable, KEY, need, QUALITY } from './evaluator.ts';

const client = '@browserbasehq/stagehand';

const evaluatorAt = (base: string) =>
  new V3Evaluator({ logger: () => undefined } as never, 'openai/gpt-4o', {
    apiKey: KEY,
    baseURL: `${base}/v1`,
  });

/** It writes the day into its prompt. */
function onDay<T>(day: string, work: () => Promise<T>): Promise<T> {
  const { toLocaleDateString } = Date.prototype;
  Date.prototype.toLocaleDateString = () => day;
  try {
    return work();
  } finally {
    Date.prototype.toLocaleDateString = toLocaleDateString;
  }
}

export default [
  {
    evaluator: {
      name: 'stagehand-ask',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: { drawn: { role: 'ignored' }, rubric: { role: 'rubric' }, option1: { role: 'option' } },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'evaluation',
        labels: { YES: 'pass', NO: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ evaluation: 'YES', reasoning: 'I looked.' }, { pass: true }],
        [{ evaluation: 'NO', reasoning: 'I looked.' }, { pass: false }],
      ],
      note: 'a nonce stands in the place of the day',
    },
    ask: (base, values) =>
      onDay(need(values, 'drawn'), () =>
        evaluatorAt(base).ask({
          question: need(values, 'rubric'),
          answer: values.option1 ?? '',
          screenshot: false,
          screenshotDelayMs: 0,
        }),
      ),
  },
  {
    evaluator: {
      name: 'stagehand-reasoning',
      client,
      licence: 'MIT',
      kind: 'rubric',
      pools: QUALITY,
      keys: {
        statement: { role: 'rubric' },
        rubric: { role: 'rubric' },
        context: { role: 'context' },
        option1: { role: 'option' },
      },
      verdict: {
        kind: 'pass',
        where: 'json',
        field: 'evaluation',
        labels: { YES: 'pass', NO: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ evaluation: 'YES', reasoning: 'I looked.' }, { pass: true }],
        [{ evaluation: 'NO', reasoning: 'I looked.' }, { pass: false }],
      ],
      note: 'the system prompt is the user’s',
    },
    ask: (base, values) =>
      evaluatorAt(base).ask({
        question: need(values, 'rubric'),
        answer: values.option1 ?? '',
        agentReasoning: need(values, 'context'),
        systemPrompt: need(values, 'statement'),
        screenshot: false,
        screenshotDelayMs: 0,
      }),
  },
] satisfies Callable[];
