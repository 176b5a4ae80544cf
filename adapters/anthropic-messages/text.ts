/**
 * Putting another text where a message has its verdict: the first of its texts says all, the others nothing.
 * Where it has no text it is the input of the tool it calls, provided that the new text is a JSON object.
 */
import { isJsonObject } from '../json-object.ts';
import { findNode, type JsonSource, parseJsonSource, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { type EventJson, isEventStream, readEventJsons, shiftSplices } from '../sse.ts';

export function replaceAnthropicText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? streamed(body, text) : whole(body, text);
}

function whole(body: string, text: string): string {
  const blocks = findNode(parseJsonSource(body, 'reply').root, ['content'])?.items ?? [];
  const texts = blocks.flatMap((block) => fieldOf(block, 'text', 'text') ?? []);
  if (texts.some(speaks)) {
    const first = texts.find(speaks);
    return splice(
      body,
      texts.map((node) => written(node, node === first ? text : '')),
    );
  }
  const input = blocks.flatMap((block) => fieldOf(block, 'tool_use', 'input') ?? [])[0];
  if (input) return isJsonObject(text) ? splice(body, [{ ...written(input, ''), with: text }]) : body;
  return texts[0] ? splice(body, [written(texts[0], text)]) : body;
}

/** A piece of a streamed block, and where its text stands. */
interface Piece {
  readonly index: unknown;
  readonly node: JsonNode;
  /** False where its block begins once more behind it, with which what came before is gone. */
  readonly isKept: boolean;
  readonly moved: (splices: readonly Splice[]) => Splice[];
}

function streamed(body: string, text: string): string {
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
    ...places.flatMap((place) => place.moved([written(place.node, place === said ? text : '')])),
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
  return node ? shiftSplices(event, [written(node, '')]) : [];
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

function written({ offset, length }: JsonNode, text: string): Splice {
  return { start: offset, end: offset + length, with: JSON.stringify(text) };
}
