/** Raising the token counts of a reply by those of other calls, in place. Any JSON protocol can use it. */
import type { Tokens } from '../src/ports.ts';
import { findNode, type JsonNode, parseJsonSource, type Splice, splice } from './json-source.ts';
import { isEventStream, readEventJsons, shiftSplices } from './sse.ts';
import type { Usage } from './types.ts';

/** What was read and what was written, by the protocol's names for them; null where it does not say both. */
export function readTokenCounts(usage: Usage | null, read: string, written: string): Tokens | null {
  return sumTokenCounts([usage?.[read]], [usage?.[written]]);
}

/** More than any model reads or writes in a call. */
const MOST_TOKENS = 1e9;

/**
 * Token counts as an endpoint tells them, added up. What no count can be (below zero, a fraction, 1e308) would make budgets and
 * sums worthless: it counts as not told.
 *
 * @returns null where any of them is no count
 */
export function sumTokenCounts(read: readonly unknown[], written: readonly unknown[]): Tokens | null {
  const input = sumOfCounts(read);
  const output = sumOfCounts(written);
  return input === null || output === null ? null : { input, output };
}

function sumOfCounts(counts: readonly unknown[]): number | null {
  let sum = 0;
  for (const count of counts) {
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MOST_TOKENS)
      return null;
    sum += count;
  }
  return sum;
}

/** Where a protocol has its usage: in a whole reply, and in the event of a stream that tells it. */
export interface UsagePaths {
  readonly whole: readonly string[];
  readonly event: readonly string[];
}

/** The reply with its counts raised. Counts that it does not have are not added to it. */
export function raiseUsage(
  body: string,
  stream: boolean,
  added: readonly Usage[],
  { whole, event }: UsagePaths,
): string {
  if (added.length === 0) return body;
  if (isEventStream(body, stream)) return raiseLast(body, added, event);
  const usage = findNode(parseJsonSource(body, 'reply').root, whole);
  return usage ? splice(body, raiseNumbers(body, usage, added)) : body;
}

/** Only the last event that counts tokens: servers that count in every event count upwards. */
function raiseLast(body: string, added: readonly Usage[], path: readonly string[]): string {
  const named = JSON.stringify(path.at(-1) ?? '');
  for (const event of readEventJsons(body).toReversed()) {
    // Most events say nothing of usage, and need not be read.
    if (!event.json.includes(named)) continue;
    const usage = findNode(parseJsonSource(event.json, 'event').root, path);
    if (usage?.type === 'object') {
      return splice(body, shiftSplices(event, raiseNumbers(event.json, usage, added)));
    }
  }
  return body;
}

/**
 * @param text the JSON text that `node` is in
 * @param node the usage object of the reply
 */
export function raiseNumbers(text: string, node: JsonNode, added: readonly unknown[]): Splice[] {
  const splices: Splice[] = [];
  raise(node, added);
  return splices;

  function raise({ type, members, offset, length }: JsonNode, by: readonly unknown[]): void {
    if (members) {
      // Of duplicate keys the last one counts.
      const named = new Map(members.map((member) => [member.name, member.node]));
      for (const [name, inner] of named) {
        const counts = by.map((usage) => own(usage, name));
        raise(inner, counts);
      }
    }
    const more = type === 'number' ? sumOf(by) : 0;
    const end = offset + length;
    const sum = Number(text.slice(offset, end)) + more;
    // JSON has no infinite numbers: a count that a sum would turn into one stays as the judge gave it.
    if (more !== 0 && Number.isFinite(sum)) splices.push({ start: offset, end, with: String(sum) });
  }
}

function sumOf(counts: readonly unknown[]): number {
  let sum = 0;
  for (const count of counts) if (typeof count === 'number') sum += count;
  return sum;
}

/** A member by name; nothing inherited, whatever the name (`__proto__`). */
function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
