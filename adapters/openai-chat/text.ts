/**
 * Putting another text where a reply has its verdict: in every choice's content, or in the arguments of the
 * function it calls. Log-probabilities of the words that were there are taken out with them.
 */
import { findNode, parseJsonSource, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { isEventStream, readEventJsons, shiftSplices } from '../sse.ts';

export function replaceOpenAiChatText(body: string, stream: boolean, text: string): string {
  return isEventStream(body, stream) ? inEvents(body, text) : inWhole(body, text);
}

function inWhole(body: string, text: string): string {
  const { root } = parseJsonSource(body, 'reply');
  return splice(
    body,
    choicesOf(root).flatMap(({ choice, places }) => {
      const place = places.find(speaks) ?? places[0];
      return place ? [written(place, text), ...silenced(choice)] : [];
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
    const here = place ? [written(place, begun.has(index) ? '' : text)] : [];
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

function written({ node }: Place, text: string): Splice {
  return { start: node.offset, end: node.offset + node.length, with: JSON.stringify(text) };
}

function silenced(choice: JsonNode): Splice[] {
  const node = findNode(choice, ['logprobs']);
  if (node?.type !== 'object') return [];
  return [{ start: node.offset, end: node.offset + node.length, with: 'null' }];
}
