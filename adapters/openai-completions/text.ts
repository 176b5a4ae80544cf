/**
 * Putting another text in every choice of a completions reply. In a stream the first piece of a choice gets the
 * whole text, its later pieces none. Log-probabilities of the words that were there are taken out with them.
 */
import { nodeAt, readJson, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { eventJsons, inStream, isEventStream } from '../sse.ts';

export function withText(body: string, stream: boolean, text: string): string {
  const begun = new Set<unknown>();
  const rewritten = (root: JsonNode) =>
    (nodeAt(root, ['choices'])?.items ?? []).flatMap((choice, position) => {
      const index: unknown = nodeAt(choice, ['index'])?.value ?? position;
      const place = nodeAt(choice, ['text']);
      if (place?.type !== 'string') return [];
      const said = begun.has(index) ? '' : text;
      begun.add(index);
      return [replaced(place, JSON.stringify(said)), ...silenced(choice)];
    });
  if (!isEventStream(body, stream)) return splice(body, rewritten(readJson(body, 'reply').root));
  const events = eventJsons(body);
  return splice(
    body,
    events.flatMap((event) => inStream(event, rewritten(readJson(event.json, 'event').root))),
  );
}

function silenced(choice: JsonNode): Splice[] {
  const node = nodeAt(choice, ['logprobs']);
  return node?.type === 'object' ? [replaced(node, 'null')] : [];
}

function replaced(node: JsonNode, raw: string): Splice {
  return { start: node.offset, end: node.offset + node.length, with: raw };
}
