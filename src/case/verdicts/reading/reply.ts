/** A reply as verdicts are read from it, and the steps that several kinds share. */
import type { Checkpoint } from '../../checkpoint.ts';
import type { NoVerdictReason, Spelling } from '../../types.ts';
import { type FoundJson, fieldIn, verdictLike } from './json.ts';
import { type Ruled, ruledLabel } from './ruled.ts';

/** A reply in the states in which it is read: as the client gets it, and without the judge's thinking. */
export interface Reply {
  readonly text: string;
  readonly raw: string;
  /** Without markup, too. */
  readonly said: string;
  readonly json: FoundJson;
}

/** Why there is no verdict. */
export interface Unread {
  readonly none: NoVerdictReason;
}

export const isUnread = (read: unknown): read is Unread =>
  typeof read === 'object' && read !== null && 'none' in read;

const hasNothing = (read: unknown) => isUnread(read) && read.none === 'no-label';

/**
 * The client's parser sees the thinking, too, where a judge puts it into its reply: what it would take there
 * must be what the judge said in the end.
 */
export function readInBoth<T extends object | string | number>(
  { text, raw }: Pick<Reply, 'text' | 'raw'>,
  read: (text: string) => T,
): T | { readonly none: 'contradictory' } {
  const [whole, own] = [read(text), read(raw)];
  return JSON.stringify(whole) === JSON.stringify(own) ? own : { none: 'contradictory' };
}

/** The values of the verdict's field in all objects of a reply. */
export const valuesOf = ({ json }: Pick<Reply, 'json'>, field: string): unknown[] =>
  json.objects.flatMap((object) => fieldIn(object, field));

/**
 * A label as a known client's parser takes it (`rule`).
 * @returns null where the client is not known
 */
export function readByRule(
  reply: Reply,
  write: Spelling,
  field: string | null,
  tie: string | null,
): Ruled | Unread | null {
  const { rule, labels, strong = [] } = write;
  if (rule === undefined) return null;
  if (field === null) return readInBoth(reply, (text) => ruledLabel(text, { ...write, rule }, tie));
  const decisions = valuesOf(reply, field).map((value) => {
    const said = String(value).trim();
    return said === tie ? 'tie' : [...labels, ...strong].indexOf(said);
  });
  const [first] = decisions;
  if (first === undefined || first === -1) return { none: 'no-label' };
  return decisions.every((one) => one === first) ? first : { none: 'contradictory' };
}

/** What was read of a form whose clients read nothing else, with the reason where that is nothing. */
export function withReason<T>(read: T | Unread, { json, said }: Reply): T | Unread {
  if (!hasNothing(read)) return read;
  return { none: json.cut ? 'truncated' : whyNothing(said) };
}

/** From the field that the form names, or else from the only one that reads as a verdict; then from the words. */
export function readFieldOrWords<T>(
  { json, said }: Reply,
  field: string | null,
  read: { readonly value: (value: unknown) => T | Unread; readonly words: (said: string) => T | Unread },
  checkpoint: Checkpoint,
): T | Unread {
  const fromJson = readJson(json, field, (value) => {
    checkpoint();
    return read.value(value);
  });
  checkpoint();
  if (field !== null || json.whole) {
    if (fromJson !== null) return fromJson;
    if (json.cut) return { none: 'truncated' };
    if (json.whole) return { none: 'no-label' };
  }
  const fromWords = read.words(said);
  if (!hasNothing(fromWords)) return fromWords;
  return fromJson ?? { none: whyNothing(said) };
}

function readJson<T>(
  { objects }: FoundJson,
  field: string | null,
  read: (value: unknown) => T | Unread,
): T | Unread | null {
  const named = field === null ? [] : objects.flatMap((object) => fieldIn(object, field));
  if (named.length > 0) return requireSame(named.map(read));
  const verdicts = objects
    .flatMap(verdictLike)
    .map(read)
    .filter((one) => !hasNothing(one));
  return verdicts.length === 0 ? null : requireSame(verdicts);
}

function requireSame<T>(all: readonly (T | Unread)[]): T | Unread {
  const [first] = all;
  if (first === undefined) return { none: 'no-label' };
  return all.every((one) => JSON.stringify(one) === JSON.stringify(first))
    ? first
    : { none: 'contradictory' };
}

/** Only for replies without a verdict: a refusal, a reply that stops in the middle of a sentence, or neither. */
function whyNothing(said: string): 'refusal' | 'truncated' | 'no-label' {
  if (REFUSES.test(said)) return 'refusal';
  return said.length > 200 && /[\p{L}\p{N},;(-]$/u.test(said) ? 'truncated' : 'no-label';
}

const REFUSES =
  /\b(?:i(?:'m| am) sorry|i apologi[sz]e|as an ai\b|i(?:'m| am)? (?:cannot|can't|can not|unable to|not able to|won't|will not|must decline|refuse)(?: \S+){0,3} (?:provide|decide|judge|evaluate|assist|help|choose|compare|rate|answer|comply|fulfil|claim|make|complete|engage|assess|score|determine))/i;
