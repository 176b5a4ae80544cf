/** Raising a Gemini reply's token counts by those of other calls, the breakdown by modality included. */
import { findNode, parseJsonSource, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { shiftSplices } from '../sse.ts';
import { raiseNumbers } from '../token-usage.ts';
import type { Usage } from '../types.ts';
import { locateChunks } from './chunks.ts';

/** In the last chunk that counts: each counts anew, and upwards. */
export function addGeminiUsage(body: string, added: readonly Usage[]): string {
  if (added.length === 0) return body;
  for (const chunk of locateChunks(body).toReversed()) {
    if (!chunk.json.includes('"usageMetadata"')) continue;
    const usage = findNode(parseJsonSource(chunk.json, 'reply').root, ['usageMetadata']);
    if (usage?.type !== 'object') continue;
    const splices = [...raiseNumbers(chunk.json, usage, added), ...raisedDetails(chunk.json, usage, added)];
    return splice(body, shiftSplices(chunk, splices));
  }
  return body;
}

/** `promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }]` and its like, each by its own modality. */
function raisedDetails(json: string, usage: JsonNode, added: readonly Usage[]): Splice[] {
  return (usage.members ?? []).flatMap(({ name, node }) =>
    (node.items ?? []).flatMap((entry) => {
      const modality: unknown = findNode(entry, ['modality'])?.value;
      const same = added.flatMap((counts) => entriesOf(counts[name], modality));
      return entry.type === 'object' ? raiseNumbers(json, entry, same) : [];
    }),
  );
}

function entriesOf(list: unknown, modality: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one) => typeof one === 'object' && one !== null && one.modality === modality);
}
