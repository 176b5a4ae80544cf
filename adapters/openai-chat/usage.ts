/** Raising the token counts of a reply by those of other calls, in place. */
import type { Node } from 'jsonc-parser';
import { nodeAt, readJson, type Splice, splice } from '../json-source.ts';
import type { Usage } from '../types.ts';
import { isEventStream } from './reply.ts';

/** Counts that the reply does not have are not added to it. */
export function withUsage(body: string, stream: boolean, added: readonly Usage[]): string {
  if (added.length === 0) return body;
  return isEventStream(body, stream) ? inStream(body, added) : raised(body, added);
}

function raised(json: string, added: readonly Usage[]): string {
  const usage = nodeAt(readJson(json, 'reply').root, ['usage']);
  return usage ? splice(json, raisedNumbers(json, usage, added)) : json;
}

/** Only the last chunk that counts tokens: servers that count in every chunk count upwards. */
function inStream(body: string, added: readonly Usage[]): string {
  // Not `^…$` with the m flag: that would break lines at U+2028, which JSON may contain as it is.
  const events = [...body.matchAll(/(?<=^|[\r\n])data: ?(\{[^\r\n]*"usage"[^\r\n]*)/g)];
  for (const event of events.toReversed()) {
    const json = event[1] ?? '';
    const start = event.index + event[0].length - json.length;
    const usage = nodeAt(readJson(json, 'event').root, ['usage']);
    if (usage?.type === 'object') {
      return body.slice(0, start) + raised(json, added) + body.slice(start + json.length);
    }
  }
  return body;
}

function raisedNumbers(text: string, node: Node, added: readonly unknown[]): Splice[] {
  if (node.type === 'number') return raisedNumber(text, node, added);
  if (node.type !== 'object') return [];
  const members = new Map(
    node.children?.map((member) => [member.children?.[0]?.value, member.children?.[1]]),
  );
  return [...members].flatMap(([key, value]) =>
    value
      ? raisedNumbers(
          text,
          value,
          added.map((usage) => own(usage, key)),
        )
      : [],
  );
}

function raisedNumber(text: string, node: Node, added: readonly unknown[]): Splice[] {
  const more = added.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
  if (more === 0) return [];
  const end = node.offset + node.length;
  return [{ start: node.offset, end, with: String(Number(text.slice(node.offset, end)) + more) }];
}

/** A member by name; nothing inherited, whatever the name (`__proto__`). */
function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
