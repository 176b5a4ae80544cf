/** Writing chat completions: one of our own, whole or as a stream, and another text in one that came. */
import type { LikelyToken } from '../../src/case/index.ts';
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
import { findForcedChatFunction } from './request.ts';

export function writeOpenAiChatReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): unknown {
  return {
    ...head(said, 'chat.completion'),
    choices: mapSamples(said, (index) => ({
      index,
      message: { role: 'assistant', ...message(said), refusal: null },
      logprobs: logprobsOf(said),
      // Also for a forced function call, which OpenAI does not end with `tool_calls`.
      finish_reason: 'stop',
    })),
    ...createUsageField(said),
  };
}

function events(said: RequestedAnswer): string[] {
  const counted = wantsUsage(said);
  const chunk = (choices: unknown, rest = {}) =>
    formatEvent({ ...head(said, 'chat.completion.chunk'), choices, ...rest });
  const piece = (index: number, delta: unknown, finish_reason: string | null = null) =>
    chunk([{ index, delta, logprobs: null, finish_reason }], counted ? { usage: null } : {});
  const forced = findForcedChatFunction(said.fields);
  const chunks = mapSamples(said, (index) => [
    ...(forced
      ? [piece(index, { role: 'assistant', ...message(said) })]
      : [
          piece(index, { role: 'assistant', content: '', refusal: null }),
          ...splitWords(said.text).map((content) => piece(index, { content })),
        ]),
    piece(index, {}, 'stop'),
  ]).flat();
  return [
    ...chunks,
    ...(counted && said.tokens ? [chunk([], createUsageField(said))] : []),
    'data: [DONE]\n\n',
  ];
}

function head({ hash, model, fingerprint: system_fingerprint }: RequestedAnswer, object: string) {
  // No clock: the same request gets the same bytes.
  return { id: `chatcmpl-${hash}`, object, created: 0, model, system_fingerprint };
}

/** Of whole replies: a stream of ours has none. */
function logprobsOf({ fields, sampled }: RequestedAnswer): object | null {
  if (fields.logprobs !== true || !sampled) return null;
  const most = typeof fields.top_logprobs === 'number' ? fields.top_logprobs : 0;
  const entry = ({ text: token, probability }: LikelyToken) => ({
    ...{ token, logprob: Math.log(probability), bytes: [...new TextEncoder().encode(token)] },
  });
  const content = sampled.map((one) => ({
    ...entry(one),
    top_logprobs: one.likeliest.slice(0, most).map(entry),
  }));
  return { content, refusal: null };
}

function message({ hash, text, fields, stream }: RequestedAnswer): object {
  const forced = findForcedChatFunction(fields);
  if (!forced) return { content: text };
  const called = { name: forced.name, arguments: text };
  if (fields.function_call !== undefined) return { content: null, function_call: called };
  const call = { id: `call_${hash}`, type: 'function', function: called };
  return { content: null, tool_calls: [stream ? { index: 0, ...call } : call] };
}

/**
 * Putting another text where a reply has its verdict: in every choice's content, or in the arguments of the
 * function it calls. Log-probabilities of the words that were there are taken out with them.
 */
export function replaceOpenAiChatText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? inEvents(body, text) : inWhole(body, text);
}

function inWhole(body: string, text: string): string {
  const { root } = parseJsonSource(body, 'reply');
  return splice(
    body,
    choicesOf(root).flatMap(({ choice, places }) => {
      const place = places.find(speaks) ?? places[0];
      return place ? [replaceText(place.node, text), ...silenced(choice)] : [];
    }),
  );
}

/** The first piece of a choice gets the whole text, its later pieces none; the chunks stay as many as they were. */
function inEvents(body: string, text: string): string {
  const chunks = readEventJsons(body).flatMap((event) =>
    choicesOf(parseJsonSource(event.json, 'event').root).map((found) => ({ ...found, event })),
  );
  const kinds = new Map(
    [...Map.groupBy(chunks, ({ index }) => index)].map(([index, pieces]) => {
      const all = pieces.flatMap((chunk) => chunk.places);
      return [index, (all.find(speaks) ?? all[0])?.kind] as const;
    }),
  );
  const begun = new Set<unknown>();
  const splices: Splice[] = [];
  for (const { index, choice, places, event } of chunks) {
    const place = places.find((one) => one.kind === kinds.get(index));
    const here = place ? [replaceText(place.node, begun.has(index) ? '' : text)] : [];
    if (place) begun.add(index);
    splices.push(...shiftSplices(event, [...here, ...silenced(choice)]));
  }
  return splice(body, splices);
}

interface Place {
  readonly kind: 'content' | 'tool' | 'function';
  readonly node: JsonNode;
}

/** The choices of a reply or a chunk, with the places where a verdict may stand, likeliest first. */
function choicesOf(root: JsonNode): { index: unknown; choice: JsonNode; places: Place[] }[] {
  const choices = findNode(root, ['choices'])?.items ?? [];
  return choices.map((choice, position) => {
    const said = findNode(choice, ['message']) ?? findNode(choice, ['delta']);
    const place = (kind: Place['kind'], path: (string | number)[]): Place[] => {
      const node = said && findNode(said, path);
      return node ? [{ kind, node }] : [];
    };
    return {
      index: findNode(choice, ['index'])?.value ?? position,
      choice,
      places: [
        ...place('content', ['content']),
        ...place('tool', ['tool_calls', 0, 'function', 'arguments']),
        ...place('function', ['function_call', 'arguments']),
      ],
    };
  });
}

/** Not null and not empty. */
function speaks({ node }: Place): boolean {
  return node.type === 'array' || (typeof node.value === 'string' && node.value !== '');
}

function silenced(choice: JsonNode): Splice[] {
  const node = findNode(choice, ['logprobs']);
  if (node?.type !== 'object') return [];
  return [replaceNode(node, 'null')];
}
