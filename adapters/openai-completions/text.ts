/**
 * Putting another text in every choice of a completions reply. In a stream the first piece of a choice gets the
 * whole text, its later pieces none. Log-probabilities of the words that were there are taken out with them.
 */
import { findNode, parseJsonSource, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { isEventStream, readEventJsons, shiftSplices } from '../sse.ts';

export function replaceOpenAiCompletionText(body: string, stream: boolean, text: string): string {
  const begun = new Set<unknown>();
  const rewritten = (root: JsonNode) =>
    (findNode(root, ['choices'])?.items ?? []).flatMap((choice, position) => {
      const index: unknown = findNode(choice, ['index'])?.value ?? position;
      const place = findNode(choice, ['text']);
      if (place?.type !== 'string') return [];
      const said = begun.has(index) ? '' : text;
      begun.add(index);
      return [replaced(place, JSON.stringify(said)), ...silenced(choice)];
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
  return node?.type === 'object' ? [replaced(node, 'null')] : [];
}

function replaced(node: JsonNode, raw: string): Splice {
  return { start: node.offset, end: node.offset + node.length, with: raw };
}
