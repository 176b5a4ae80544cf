/**
 * Putting another text where a Gemini reply has its verdict: in every candidate the first of its texts says
 * all, the others nothing. Where it has no text it is the arguments of the function it calls, provided that the
 * new text is a JSON object. Log-probabilities of the words that were there are taken out with them.
 */
import { isJsonObject } from '../json-object.ts';
import { findNode, parseJsonSource, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { shiftSplices } from '../sse.ts';
import { locateChunks } from './chunks.ts';

export function replaceGeminiText(body: string, text: string): string {
  const pieces = piecesIn(body);
  const splices = [...Map.groupBy(pieces, ({ candidate }) => candidate).values()].flatMap((all) => {
    const texts = all.flatMap((piece) => piece.texts);
    const calls = all.flatMap((piece) => piece.calls);
    const silenced = all.flatMap((piece) => piece.logprobs.map((place) => written(place, 'null')));
    const [call] = calls;
    if (call && !texts.some(speaks)) return isJsonObject(text) ? [written(call, text), ...silenced] : [];
    const first = texts.find(speaks) ?? texts[0];
    return [
      ...texts.map((place) => written(place, JSON.stringify(place === first ? text : ''))),
      ...(first ? silenced : []),
    ];
  });
  return splice(body, splices);
}

/** A value of a reply, and how a splice of its chunk becomes one of the reply. */
interface Place {
  readonly node: JsonNode;
  readonly moved: (splice: Splice) => Splice;
}

/** A candidate's part in one chunk. */
interface Piece {
  readonly candidate: unknown;
  readonly texts: readonly Place[];
  readonly calls: readonly Place[];
  readonly logprobs: readonly Place[];
}

function piecesIn(body: string): Piece[] {
  return locateChunks(body).flatMap((chunk) => {
    const moved = (one: Splice): Splice => shiftSplices(chunk, [one])[0] ?? one;
    const candidates = findNode(parseJsonSource(chunk.json, 'reply').root, ['candidates'])?.items ?? [];
    return candidates.map((candidate, position) => {
      const parts = findNode(candidate, ['content', 'parts'])?.items ?? [];
      const said = parts.filter((part) => findNode(part, ['thought'])?.value !== true);
      const places = (nodes: readonly JsonNode[], path: readonly string[]): Place[] =>
        nodes.flatMap((node) => {
          const found = findNode(node, path);
          return found ? [{ node: found, moved }] : [];
        });
      return {
        candidate: findNode(candidate, ['index'])?.value ?? position,
        texts: places(said, ['text']),
        calls: places(said, ['functionCall', 'args']),
        logprobs: [...places([candidate], ['logprobsResult']), ...places([candidate], ['avgLogprobs'])],
      };
    });
  });
}

function written({ node, moved }: Place, json: string): Splice {
  return moved({ start: node.offset, end: node.offset + node.length, with: json });
}

function speaks({ node }: Place): boolean {
  return typeof node.value === 'string' && node.value.trim() !== '';
}
