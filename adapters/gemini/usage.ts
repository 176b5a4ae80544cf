/** Raising a Gemini reply's token counts by those of other calls, the breakdown by modality included. */
import { nodeAt, readJson, type Splice, splice } from '../json-source.ts';
import type { JsonNode } from '../json-tree.ts';
import { inStream } from '../sse.ts';
import type { Usage } from '../types.ts';
import { raisedNumbers } from '../usage.ts';
import { chunksIn } from './chunks.ts';

/** In the last chunk that counts: each counts anew, and upwards. */
export function withUsage(body: string, added: readonly Usage[]): string {
  if (added.length === 0) return body;
  for (const chunk of chunksIn(body).toReversed()) {
    if (!chunk.json.includes('"usageMetadata"')) continue;
    const usage = nodeAt(readJson(chunk.json, 'reply').root, ['usageMetadata']);
    if (usage?.type !== 'object') continue;
    const splices = [...raisedNumbers(chunk.json, usage, added), ...raisedDetails(chunk.json, usage, added)];
    return splice(body, inStream(chunk, splices));
  }
  return body;
}

/** `promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }]` and its like, each by its own modality. */
function raisedDetails(json: string, usage: JsonNode, added: readonly Usage[]): Splice[] {
  return (usage.members ?? []).flatMap(({ name, node }) =>
    (node.items ?? []).flatMap((entry) => {
      const modality: unknown = nodeAt(entry, ['modality'])?.value;
      const same = added.flatMap((counts) => entriesOf(counts[name], modality));
      return entry.type === 'object' ? raisedNumbers(json, entry, same) : [];
    }),
  );
}

function entriesOf(list: unknown, modality: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.filter((one) => typeof one === 'object' && one !== null && one.modality === modality);
}
