/** Writing messages: one of our own, whole or as a stream; another text, or a higher usage, in one that came. */

import {
  findNode,
  type JsonNode,
  type JsonSource,
  parseJsonSource,
  replaceNode,
  replaceText,
  type Splice,
  splice,
} from '../json-source.ts';
import { isJsonObject } from '../reply-json.ts';
import { formatNamedEvent, type RequestedAnswer, splitWords, type WireReply } from '../reply-writer.ts';
import { type EventJson, isEventStream, readEventJsons, shiftSplices } from '../sse.ts';
import { raiseNumbers, raiseUsage } from '../token-usage.ts';
import type { Usage } from '../types.ts';
import { findForcedTool } from './request.ts';

export function writeAnthropicReply(said: RequestedAnswer): WireReply {
  return said.stream ? { events: events(said) } : { json: JSON.stringify(whole(said)) };
}

function whole(said: RequestedAnswer): object {
  const tool = calledTool(said);
  const block = tool ? call(said, tool, JSON.parse(said.text)) : { type: 'text', text: said.text };
  return message(said, [block], ending(tool), said.tokens?.output ?? 0);
}

function events(said: RequestedAnswer): string[] {
  const tool = calledTool(said);
  const block = tool ? call(said, tool, {}) : { type: 'text', text: '' };
  const piece = (text: string) =>
    tool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
  const open = { stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: message(said, [], open, 0) },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...splitWords(said.text).map((text) => ({ type: 'content_block_delta', index: 0, delta: piece(text) })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: ending(tool), usage: { output_tokens: said.tokens?.output ?? 0 } },
    { type: 'message_stop' },
  ].map(formatNamedEvent);
}

function message(
  said: RequestedAnswer,
  content: readonly object[],
  ended: object,
  output_tokens: number,
): object {
  const { hash, model, tokens } = said;
  // Clients rely on the counts; where nobody counted they are 0.
  const usage = { input_tokens: tokens?.input ?? 0, output_tokens };
  return { id: `msg_${hash}`, type: 'message', role: 'assistant', model, content, ...ended, usage };
}

function ending(tool: string | null): object {
  return { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
}

/** A tool's input is an object; what is none is said in words, as a model does that cannot fill the tool in. */
function calledTool({ fields, text }: RequestedAnswer): string | null {
  const forced = findForcedTool(fields);
  return forced && isJsonObject(text) ? forced.name : null;
}

function call({ hash }: RequestedAnswer, name: string, input: unknown): object {
  return { type: 'tool_use', id: `toolu_${hash}`, name, input };
}

/**
 * Putting another text where a message has its verdict: the first of its texts says all, the others nothing.
 * Where it has no text it is the input of the tool it calls, provided that the new text is a JSON object.
 */
export function replaceAnthropicText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? inEvents(body, text) : inWhole(body, text);
}

function inWhole(body: string, text: string): string {
  const blocks = findNode(parseJsonSource(body, 'reply').root, ['content'])?.items ?? [];
  const texts = blocks.flatMap((block) => fieldOf(block, 'text', 'text') ?? []);
  if (texts.some(speaks)) {
    const first = texts.find(speaks);
    return splice(
      body,
      texts.map((node) => replaceText(node, node === first ? text : '')),
    );
  }
  const input = blocks.flatMap((block) => fieldOf(block, 'tool_use', 'input') ?? [])[0];
  if (input) return isJsonObject(text) ? splice(body, [replaceNode(input, text)]) : body;
  return texts[0] ? splice(body, [replaceText(texts[0], text)]) : body;
}

/** A piece of a streamed block, and where its text stands. */
interface Piece {
  readonly index: unknown;
  readonly node: JsonNode;
  /** False where its block begins once more behind it, with which what came before is gone. */
  readonly isKept: boolean;
  readonly moved: (splices: readonly Splice[]) => Splice[];
}

function inEvents(body: string, text: string): string {
  const events = readEventJsons(body).map((event) => ({
    event,
    source: parseJsonSource(event.json, 'event'),
  }));
  const begun = beginningsIn(events.map(({ source }) => source));
  const pieces = (type: string, field: string): Piece[] =>
    events.flatMap(({ event, source }, at) => {
      const node = pieceIn(source, type, field);
      const index: unknown = findNode(source.root, ['index'])?.value;
      const start = begun.get(index);
      // What belongs to no block that has begun is read by nobody.
      if (!node || start === undefined) return [];
      return [{ index, node, isKept: start < at, moved: (splices) => shiftSplices(event, splices) }];
    });
  const texts = pieces('text_delta', 'text');
  const inputs = pieces('input_json_delta', 'partial_json');
  const [first] = inputs;
  const called = texts.some(({ node }) => speaks(node))
    ? []
    : inputs.filter((one) => one.index === first?.index);
  if (called.length > 0 && !isJsonObject(text)) return body;
  const places = called.length > 0 ? called : texts;
  const said = places.find(({ isKept }) => isKept);
  if (!said) return body;
  // A block may begin with text, which would be read in front of the new one.
  const openings = places === texts ? events.flatMap(openingIn) : [];
  return splice(body, [
    ...openings,
    ...places.flatMap((place) => place.moved([replaceText(place.node, place === said ? text : '')])),
  ]);
}

/** Of each block, by its index, the event that it begins with; of several the last. */
function beginningsIn(sources: readonly JsonSource[]): ReadonlyMap<unknown, number> {
  return new Map(
    sources.flatMap(({ root }, at): [unknown, number][] =>
      findNode(root, ['type'])?.value === 'content_block_start'
        ? [[findNode(root, ['index'])?.value, at]]
        : [],
    ),
  );
}

function openingIn({ event, source }: { event: EventJson; source: JsonSource }): Splice[] {
  const block = findNode(source.root, ['content_block']);
  const node = block && fieldOf(block, 'text', 'text');
  return node ? shiftSplices(event, [replaceText(node, '')]) : [];
}

function pieceIn({ root }: JsonSource, type: string, field: string): JsonNode | null {
  if (findNode(root, ['type'])?.value !== 'content_block_delta') return null;
  const delta = findNode(root, ['delta']);
  return delta && fieldOf(delta, type, field);
}

function fieldOf(block: JsonNode, type: string, field: string): JsonNode | null {
  return findNode(block, ['type'])?.value === type ? findNode(block, [field]) : null;
}

function speaks({ value }: JsonNode): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * Raising a message's token counts by those of other calls. A stream tells the input's counts at its start
 * and the output's, counted upwards, in its `message_delta` events, which may repeat the input's.
 */
export function addAnthropicUsage(body: string, stream: boolean, added: readonly Usage[]): string {
  if (!isEventStream(body, stream)) return raiseUsage(body, stream, added, { whole: ['usage'], event: [] });
  if (added.length === 0) return body;
  const input = added.map(inputSide);
  const splices = readEventJsons(body).flatMap((event) => {
    // Most events say nothing of usage, and need not be read.
    if (!event.json.includes('"usage"')) return [];
    const { root } = parseJsonSource(event.json, 'event');
    const start = findNode(root, ['message', 'usage']);
    const delta = findNode(root, ['usage']);
    switch (findNode(root, ['type'])?.value) {
      case 'message_start':
        return start ? shiftSplices(event, raiseNumbers(event.json, start, input)) : [];
      case 'message_delta':
        return delta ? shiftSplices(event, raiseNumbers(event.json, delta, added)) : [];
      default:
        return [];
    }
  });
  return splice(body, splices);
}

/** What a stream's start knows: its `output_tokens` is the first count of a sum that comes at the end. */
function inputSide({ output_tokens: _, output_tokens_details: __, ...rest }: Usage): Usage {
  return rest;
}
