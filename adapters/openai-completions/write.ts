/** The older completions: https://platform.openai.com/docs/api-reference/completions */
import { createUsageField, wantsUsage } from '../openai-usage.ts';
import {
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';

export function writeOpenAiCompletionReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): unknown {
  return {
    ...head(said),
    choices: mapSamples(said, (index) => choice(index, said.text, 'stop')),
    ...createUsageField(said),
  };
}

function events(said: RequestedAnswer): string[] {
  const counted = wantsUsage(said);
  const chunk = (choices: unknown, rest = {}) => formatEvent({ ...head(said), choices, ...rest });
  const chunks = mapSamples(said, (index) => [
    ...splitWords(said.text).map((text) => choice(index, text, null)),
    choice(index, '', 'stop'),
  ]).flat();
  return [
    ...chunks.map((one) => chunk([one], counted ? { usage: null } : {})),
    ...(counted && said.tokens ? [chunk([], createUsageField(said))] : []),
    'data: [DONE]\n\n',
  ];
}

function head({ hash, model, fingerprint: system_fingerprint }: RequestedAnswer) {
  return { id: `cmpl-${hash}`, object: 'text_completion', created: 0, model, system_fingerprint };
}

function choice(index: number, text: string, finish_reason: string | null) {
  return { text, index, logprobs: null, finish_reason };
}
