/**
 * Putting another text where a message has its verdict: the first of its texts says all, the others nothing.
 * Where it has no text it is the input of the tool it calls, provided that the new text is a JSON object.
 */
import { isJsonObject } from '../json-object.ts';
import { type JsonSource, nodeAt, readJson, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { type EventJson, eventJsons, inStream, isEventStream } from '../sse.ts';

export function withText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? streamed(body, text) : whole(body, text);
}

function whole(body: string, text: string): string {
  const blocks = nodeAt(readJson(body, 'reply').root, ['content'])?.items ?? [];
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
  readonly moved: (splices: readonly Splice[]) => Splice[];
}

function streamed(body: string, text: string): string {
  const events = eventJsons(body).map((event) => ({ event, source: readJson(event.json, 'event') }));
  const pieces = (type: string, field: string): Piece[] =>
    events.flatMap(({ event, source }) => {
      const node = pieceIn(source, type, field);
      const index: unknown = nodeAt(source.root, ['index'])?.value;
      return node ? [{ index, node, moved: (splices) => inStream(event, splices) }] : [];
    });
  const begun = beginningsIn(events.map(({ source }) => source));
  // What belongs to no block that has begun is read by nobody.
  const texts = pieces('text_delta', 'text').filter(({ index }) => begun.has(index));
  const inputs = pieces('input_json_delta', 'partial_json');
  const [first] = inputs;
  const called = texts.some(({ node }) => speaks(node))
    ? []
    : inputs.filter((one) => one.index === first?.index);
  if (called.length > 0 && !isJsonObject(text)) return body;
  const places = called.length > 0 ? called : texts;
  // A block may begin with text, which would be read in front of the new one.
  const openings = places === texts && texts.length > 0 ? events.flatMap(openingIn) : [];
  return splice(body, [
    ...openings,
    ...places.flatMap(({ node, moved }, i) => moved([written(node, i === 0 ? text : '')])),
  ]);
}

/** Indices of the blocks that begin in a stream. */
function beginningsIn(sources: readonly JsonSource[]): ReadonlySet<unknown> {
  const beginnings = sources.filter(({ root }) => nodeAt(root, ['type'])?.value === 'content_block_start');
  return new Set(beginnings.map(({ root }) => nodeAt(root, ['index'])?.value));
}

function openingIn({ event, source }: { event: EventJson; source: JsonSource }): Splice[] {
  const block = nodeAt(source.root, ['content_block']);
  const node = block && fieldOf(block, 'text', 'text');
  return node ? inStream(event, [written(node, '')]) : [];
}

function pieceIn({ root }: JsonSource, type: string, field: string): JsonNode | null {
  if (nodeAt(root, ['type'])?.value !== 'content_block_delta') return null;
  const delta = nodeAt(root, ['delta']);
  return delta && fieldOf(delta, type, field);
}

function fieldOf(block: JsonNode, type: string, field: string): JsonNode | null {
  return nodeAt(block, ['type'])?.value === type ? nodeAt(block, [field]) : null;
}

function speaks({ value }: JsonNode): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function written({ offset, length }: JsonNode, text: string): Splice {
  return { start: offset, end: offset + length, with: JSON.stringify(text) };
}
