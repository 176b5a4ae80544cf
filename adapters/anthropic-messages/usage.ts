/**
 * Raising a message's token counts by those of other calls. A stream tells the input's counts at its start
 * and the output's, counted upwards, in its `message_delta` events, which may repeat the input's.
 */
import { findNode, parseJsonSource, splice } from '../json-source.ts';
import { isEventStream, readEventJsons, shiftSplices } from '../sse.ts';
import { raiseNumbers, raiseUsage } from '../token-usage.ts';
import type { Usage } from '../types.ts';

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
