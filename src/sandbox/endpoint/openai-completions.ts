/** The older completions: https://platform.openai.com/docs/api-reference/completions */
import { openaiCompletions as adapter } from '../../../adapters/openai-completions.ts';
import { usageOf, wantsUsage } from './openai-usage.ts';
import { data, each, type Protocol, type Said, words } from './types.ts';

export const openaiCompletions: Protocol = {
  adapter,
  samples: { field: 'n', in: ({ n }) => n },
  write: (said) => (said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) }),
};

function whole(said: Said): unknown {
  return {
    ...head(said),
    choices: each(said, (index) => choice(index, said.text, 'stop')),
    ...usageOf(said),
  };
}

function events(said: Said): string[] {
  const counted = wantsUsage(said);
  const chunk = (choices: unknown, rest = {}) => data({ ...head(said), choices, ...rest });
  const chunks = each(said, (index) => [
    ...words(said.text).map((text) => choice(index, text, null)),
    choice(index, '', 'stop'),
  ]).flat();
  return [
    ...chunks.map((one) => chunk([one], counted ? { usage: null } : {})),
    ...(counted && said.tokens ? [chunk([], usageOf(said))] : []),
    'data: [DONE]\n\n',
  ];
}

function head({ hash, model, fingerprint: system_fingerprint }: Said) {
  return { id: `cmpl-${hash}`, object: 'text_completion', created: 0, model, system_fingerprint };
}

function choice(index: number, text: string, finish_reason: string | null) {
  return { text, index, logprobs: null, finish_reason };
}
