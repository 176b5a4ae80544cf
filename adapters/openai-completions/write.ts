/** Writing the older completions: one of our own, whole or as a stream, and another text in one that came. */

import {
  findNode,
  type JsonNode,
  parseJsonSource,
  replaceNode,
  replaceText,
  type Splice,
  splice,
} from '../json-source.ts';
import { createUsageField, wantsUsage } from '../openai-api.ts';
import {
  formatEvent,
  mapSamples,
  type RequestedAnswer,
  splitWords,
  type WireReply,
} from '../reply-writer.ts';
import { isEventStream, readEventJsons, shiftSplices } from '../sse.ts';

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

/**
 * Putting another text in every choice of a completions reply. In a stream the first piece of a choice gets the
 * whole text, its later pieces none. Log-probabilities of the words that were there are taken out with them.
 */
export function replaceOpenAiCompletionText(body: string, stream: boolean, text: string): string {
  const begun = new Set<unknown>();
  const rewritten = (root: JsonNode) =>
    (findNode(root, ['choices'])?.items ?? []).flatMap((choice, position) => {
      const index: unknown = findNode(choice, ['index'])?.value ?? position;
      const place = findNode(choice, ['text']);
      if (place?.type !== 'string') return [];
      const said = begun.has(index) ? '' : text;
      begun.add(index);
      return [replaceText(place, said), ...silenced(choice)];
    });
  if (!isEventStream(body, stream)) return splice(body, rewritten(parseJsonSource(body, 'reply').root));
  const events = readEventJsons(body);
  return splice(
    body,
    events.flatMap((event) => shiftSplices(event, rewritten(parseJsonSource(event.json, 'event').root))),
  );
}

function silenced(choice: JsonNode): Splice[] {
  const node = findNode(choice, ['logprobs']);
  return node?.type === 'object' ? [replaceNode(node, 'null')] : [];
}
