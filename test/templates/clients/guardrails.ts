/** OpenAI's guardrails: checks of one message, the conversation around it as JSON. */
import { jailbreak, nsfw_content, topicalAlignment, userDefinedLLM } from '@openai/guardrails';
import OpenAI from 'openai';
import { type Callable, KEY, one, QUALITY } from './evaluator.ts';

type Check = (context: never, data: string, config: never) => Promise<unknown>;

const evaluator = (name: string, check: unknown, pools: string[], details?: string): Callable => ({
  evaluator: {
    name: `guardrails-${name}`,
    client: '@openai/guardrails',
    licence: 'MIT',
    kind: 'pass',
    pools,
    keys: { ...one },
    verdict: {
      kind: 'pass',
      where: 'json',
      field: 'flagged',
      labels: { true: 'fail', false: 'pass' },
      polarity: 'lower',
    },
    replies: [
      [{ flagged: false, confidence: 0.1 }, { pass: true }],
      [{ flagged: true, confidence: 0.9 }, { pass: false }],
    ],
    note: 'true is the bad side',
  },
  async ask(base, { option1 = '' }) {
    const guardrailLlm = new OpenAI({ apiKey: KEY, baseURL: `${base}/v1`, maxRetries: 0 });
    const config = {
      model: 'gpt-4.1-mini',
      confidence_threshold: 0.7,
      max_turns: 10,
      include_reasoning: false,
      ...(details !== undefined && { system_prompt_details: details }),
    };
    return (check as Check)({ guardrailLlm } as never, option1, config as never);
  },
});

export default [
  evaluator('jailbreak', jailbreak, ['tox', 'en', 'de']),
  evaluator('nsfw', nsfw_content, ['tox', 'nway', 'essay']),
  evaluator('topical-alignment', topicalAlignment, QUALITY, 'A helpdesk for nurses: leave, pay, rota.'),
  evaluator('custom-prompt', userDefinedLLM, QUALITY, 'Flag every text that names a person.'),
];
