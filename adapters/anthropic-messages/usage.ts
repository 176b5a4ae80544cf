/**
 * Raising a message's token counts by those of other calls. A stream tells the input's counts at its start
 * and the output's, counted upwards, in its `message_delta` events, which may repeat the input's.
 */
import { nodeAt, readJson, splice } from '../json-source.ts';
import { eventJsons, inStream, isEventStream } from '../sse.ts';
import type { Usage } from '../types.ts';
import { raisedNumbers, raiseUsage } from '../usage.ts';

export function withUsage(body: string, stream: boolean, added: readonly Usage[]): string {
  if (!isEventStream(body, stream)) return raiseUsage(body, stream, added, { whole: ['usage'], event: [] });
  if (added.length === 0) return body;
  const input = added.map(inputSide);
  const splices = eventJsons(body).flatMap((event) => {
    // Most events say nothing of usage, and need not be read.
    if (!event.json.includes('"usage"')) return [];
    const { root } = readJson(event.json, 'event');
    const start = nodeAt(root, ['message', 'usage']);
    const delta = nodeAt(root, ['usage']);
    switch (nodeAt(root, ['type'])?.value) {
      case 'message_start':
        return start ? inStream(event, raisedNumbers(event.json, start, input)) : [];
      case 'message_delta':
        return delta ? inStream(event, raisedNumbers(event.json, delta, added)) : [];
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
