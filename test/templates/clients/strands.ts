/** The goal loop of the Strands Agents SDK: an agent answers, and a judge decides whether the goal is met. */
import { Agent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { GoalLoop } from '@strands-agents/sdk/vended-plugins/goal';
import { type Callable, instruction, KEY, need, one, QUALITY, rubric } from './evaluator.ts';

export default [
  {
    evaluator: {
      name: 'strands-goal',
      client: '@strands-agents/sdk',
      licence: 'Apache-2.0',
      kind: 'rubric',
      pools: QUALITY,
      keys: { ...rubric, ...instruction, ...one },
      verdict: {
        kind: 'pass',
        where: 'tool',
        field: 'passed',
        labels: { true: 'pass', false: 'fail' },
        polarity: 'higher',
      },
      replies: [
        [{ passed: true }, { pass: true }],
        [{ passed: false, feedback: 'It is not so.' }, { pass: false }],
      ],
      has: '# Goal Evaluation',
      besides: [['', '{{option1}}']],
    },
    ask: (base, values) => {
      const model = new OpenAIModel({
        api: 'chat',
        modelId: 'gpt-4o',
        apiKey: KEY,
        clientConfig: { baseURL: `${base}/v1`, maxRetries: 0 },
      });
      const goal = new GoalLoop({ goal: need(values, 'rubric'), maxAttempts: 1 });
      return new Agent({ model, plugins: [goal], printer: false }).invoke(need(values, 'instruction'));
    },
  },
] satisfies Callable[];
