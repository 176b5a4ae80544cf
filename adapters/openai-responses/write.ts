/**
 * Writing responses, https://platform.openai.com/docs/api-reference/responses, and the events that one is streamed as:
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { Tokens } from '../../src/ports.ts';
import {
  findNode,
  type JsonNode,
  parseJsonSource,
  replaceNode,
  replaceText,
  type Splice,
  splice,
} from '../json-source.ts';
import { formatNamedEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';
import { type EventJson, isEventStream, readEventJsons, shiftSplices } from '../sse.ts';
import { findForcedResponsesFunction } from './request.ts';

export function writeOpenAiResponsesReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(response(said, [item(said)])) };
}

function response(said: RequestedAnswer, output: readonly object[], status = 'completed'): object {
  const { hash, model, fields, tokens } = said;
  return {
    id: `resp_${hash}`,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    instructions: fields.instructions ?? null,
    metadata: fields.metadata ?? {},
    model,
    output,
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: null,
    store: false,
    temperature: fields.temperature ?? 1,
    text: fields.text ?? { format: { type: 'text' } },
    tool_choice: fields.tool_choice ?? 'auto',
    tools: fields.tools ?? [],
    top_p: fields.top_p ?? 1,
    truncation: 'disabled',
    usage: status === 'completed' && tokens ? usageOf(tokens) : null,
  };
}

function usageOf({ input, output }: Tokens): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

/** The message, or the call; `begun` is how a stream announces it. */
function item({ hash, text, fields }: RequestedAnswer, begun = false) {
  const status = begun ? 'in_progress' : 'completed';
  const forced = findForcedResponsesFunction(fields);
  if (forced) {
    const called = { call_id: `call_${hash}`, name: forced.name, arguments: begun ? '' : text };
    return { type: 'function_call', id: `fc_${hash}`, status, ...called };
  }
  const content = begun ? [] : [textPart(text)];
  return { type: 'message', id: `msg_${hash}`, status, role: 'assistant', content };
}

function events(said: RequestedAnswer): string[] {
  const { text } = said;
  const { id: item_id, type } = item(said);
  const place = { item_id, output_index: 0 };
  const inside = { ...place, content_index: 0 };
  const pieces =
    type === 'function_call'
      ? [
          ...splitWords(text).map((delta) => ({
            type: 'response.function_call_arguments.delta',
            ...place,
            delta,
          })),
          { type: 'response.function_call_arguments.done', ...place, arguments: text },
        ]
      : [
          { type: 'response.content_part.added', ...inside, part: textPart('') },
          ...splitWords(text).map((delta) => ({
            type: 'response.output_text.delta',
            ...inside,
            delta,
            logprobs: [],
          })),
          { type: 'response.output_text.done', ...inside, text, logprobs: [] },
          { type: 'response.content_part.done', ...inside, part: textPart(text) },
        ];
  const begun = response(said, [], 'in_progress');
  const all = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: item(said, true) },
    ...pieces,
    { type: 'response.output_item.done', output_index: 0, item: item(said) },
    { type: 'response.completed', response: response(said, [item(said)]) },
  ];
  return all.map((event, sequence_number) => formatNamedEvent({ ...event, sequence_number }));
}

/**
 * Putting another text where a response has its verdict: in its message, or in the arguments of the function it
 * calls. A stream says every text several times, in pieces and whole; it is replaced in all of them.
 * Log-probabilities of the words that were there are taken out with them.
 */
export function replaceOpenAiResponsesText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? inEvents(body, text) : inWhole(body, text);
}

interface Place {
  readonly kind: 'text' | 'call';
  /** Which text of the response it is, the same in every event that tells it. */
  readonly key: string;
  readonly node: JsonNode;
  /** The log-probabilities beside it. */
  readonly logprobs: JsonNode | null;
  /** Whether it is one of the pieces that a text comes in. */
  readonly piece: boolean;
}

function inWhole(body: string, text: string): string {
  const { root } = parseJsonSource(body, 'reply');
  const places = placesInResponse(root);
  const shortcut = findNode(root, ['output_text']);
  return splice(body, [
    ...inOne(places, kindOf(places), text),
    // Written beside the output by some gateways, as OpenAI's own client does.
    ...(shortcut?.type === 'string' && kindOf(places) === 'text' ? [replaceText(shortcut, text)] : []),
  ]);
}

/** The first piece gets the whole text, the later ones none; the events stay as many as they were. */
function inEvents(body: string, text: string): string {
  const events = readEventJsons(body).map((event) => ({ event, ...placesIn(event) }));
  const all = events.flatMap(({ places }) => places);
  const kind = kindOf(all);
  const key = all.find((place) => place.kind === kind)?.key;
  let begun = false;
  const splices = events.flatMap(({ event, places, whole }) => {
    if (whole) return shiftSplices(event, inOne(places, kind, text));
    return shiftSplices(
      event,
      places.flatMap((place) => {
        if (place.kind !== kind) return [];
        // A second call is another one; a second piece of the message would be read with the first.
        if (place.key !== key) return kind === 'text' ? replaceAt(place, '') : [];
        const said = place.piece && begun ? '' : text;
        begun ||= place.piece;
        return replaceAt(place, said);
      }),
    );
  });
  return splice(body, splices);
}

/** A text where there is one, otherwise a call; null where a response says nothing that could be replaced. */
function kindOf(places: readonly Place[]): Place['kind'] | null {
  const speaks = places.filter(({ node }) => node.value !== '');
  const candidates = speaks.length > 0 ? speaks : places;
  return (candidates.find(({ kind }) => kind === 'text') ?? candidates[0])?.kind ?? null;
}

/** In a whole response the first place of the kind counts; texts are read together, so the others are emptied. */
function inOne(places: readonly Place[], kind: Place['kind'] | null, text: string): Splice[] {
  const [first, ...others] = places.filter((place) => place.kind === kind);
  if (!first) return [];
  return [...replaceAt(first, text), ...(kind === 'text' ? others.flatMap((one) => replaceAt(one, '')) : [])];
}

function placesIn(event: EventJson): { places: Place[]; whole: boolean } {
  const { root } = parseJsonSource(event.json, 'event');
  const at = (...path: string[]) => findNode(root, path);
  const item = String(at('output_index')?.value ?? 0);
  const key = `${item}/${String(at('content_index')?.value ?? 0)}`;
  const one = (found: Place[]) => ({ places: found, whole: false });
  switch (at('type')?.value) {
    case 'response.output_text.delta':
      return one(place({ kind: 'text', key, piece: true }, root, 'delta'));
    case 'response.output_text.done':
      return one(place({ kind: 'text', key, piece: false }, root, 'text'));
    case 'response.content_part.done':
      return one(placesInPart(at('part'), key));
    case 'response.function_call_arguments.delta':
      return one(place({ kind: 'call', key: item, piece: true }, root, 'delta'));
    case 'response.function_call_arguments.done':
      return one(place({ kind: 'call', key: item, piece: false }, root, 'arguments'));
    case 'response.output_item.done':
      return one(placesInItem(at('item'), item));
    case 'response.completed':
    case 'response.incomplete':
      return { places: placesInResponse(at('response')), whole: true };
    default:
      return one([]);
  }
}

function placesInResponse(response: JsonNode | null): Place[] {
  const output = response && findNode(response, ['output']);
  return (output?.items ?? []).flatMap((item, index) => placesInItem(item, String(index)));
}

function placesInItem(item: JsonNode | null, index: string): Place[] {
  const type = item && findNode(item, ['type'])?.value;
  if (item && type === 'function_call')
    return place({ kind: 'call', key: index, piece: false }, item, 'arguments');
  if (!item || type !== 'message') return [];
  const parts = findNode(item, ['content'])?.items ?? [];
  return parts.flatMap((part, i) => placesInPart(part, `${index}/${i}`));
}

function placesInPart(part: JsonNode | null, key: string): Place[] {
  if (!part || findNode(part, ['type'])?.value !== 'output_text') return [];
  return place({ kind: 'text', key, piece: false }, part, 'text');
}

function place(known: Pick<Place, 'kind' | 'key' | 'piece'>, owner: JsonNode, name: string): Place[] {
  const node = findNode(owner, [name]);
  return node?.type === 'string' ? [{ ...known, node, logprobs: findNode(owner, ['logprobs']) }] : [];
}

function replaceAt({ node, logprobs }: Place, text: string): Splice[] {
  const silenced = logprobs?.type === 'array' && logprobs.items?.length;
  return [replaceText(node, text), ...(silenced ? [replaceNode(logprobs, '[]')] : [])];
}
