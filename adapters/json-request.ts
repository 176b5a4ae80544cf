/** Reads requests of any JSON protocol, names the field that is wrong, and turns edits of a prompt into splices of its bytes. */
import * as z from 'zod';
import { type Edit, markMedia, type PromptPart, type Span, turnsIn } from '../src/case/index.ts';
import { InputError } from '../src/errors.ts';
import { strictFields } from '../src/strict-fields.ts';
import {
  findNode,
  type JsonNode,
  type JsonSource,
  parseJsonSource,
  removeMember,
  replaceNode,
  type Splice,
  setMember,
  splice,
} from './json-source.ts';
import type { EditOptions, JudgeRequest } from './types.ts';

/** A part of the prompt, and its place in the string literal that holds it. */
export interface PromptText extends PromptPart, TextPlace {}

/** A part of the prompt, or a mark for what is passed on as it is: a picture, a file, a call. */
export type PromptPiece = PromptText | 'media';

/**
 * A request's JSON with its places, and what a schema makes of it.
 * @throws InputError naming the field that is wrong
 */
export function parseRequest<T>(body: string, schema: z.ZodType<T>): { source: JsonSource; sent: T } {
  const source = parseJsonSource(body);
  const parsed = schema.safeParse(source.value);
  if (!parsed.success) throw toFieldError(parsed.error, source.value);
  return { source, sent: parsed.data };
}

/** The text at a path; none where there is no string. */
export function readTextAt(
  source: JsonSource,
  role: string,
  path: readonly (string | number)[],
): PromptText[] {
  const literal = findNode(source.root, path);
  if (literal?.type !== 'string') return [];
  // Taken from what was parsed: to unescape a long literal once more would cost as much again.
  const text = path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), source.value);
  return [{ role, text: String(text), literal, from: 0 }];
}

/** A part of a message: what holds text holds a string. Images, files and tool calls are passed on. */
export const createPartSchema = (isText: (type: string) => boolean) =>
  z
    .object({ type: z.string(), text: z.unknown().optional() })
    .refine((part) => !isText(part.type) || typeof part.text === 'string', {
      path: ['text'],
      error: 'must be a string',
    });

/** The pieces of a message's content: a text, or parts of which some hold one. */
export function readContentAt(
  source: JsonSource,
  role: string,
  path: readonly (string | number)[],
  content: string | readonly { readonly type: string }[] | null | undefined,
  isText: (type: string) => boolean,
): PromptPiece[] {
  if (typeof content === 'string') return readTextAt(source, role, path);
  return (content ?? []).flatMap(({ type }, i): PromptPiece[] =>
    isText(type) ? readTextAt(source, role, [...path, i, 'text']) : ['media'],
  );
}

/** The elements of a list that are of a form; none where it is no list. */
export const readElements = <T extends z.ZodType>(list: unknown, element: T): z.output<T>[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => element.safeParse(one).data ?? []);

/** A part of a path; as it is where it is encoded wrongly: the path is the endpoint's to judge. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    if (cause instanceof URIError) return segment;
    throw cause;
  }
}

/** The turns of a prompt that is one text, in which a chat template may be written out. */
export function readTurnsAt(source: JsonSource, path: readonly (string | number)[]): PromptText[] {
  return readTextAt(source, 'user', path).flatMap(({ text, literal }) =>
    turnsIn(text).map(({ role, start, end }) => ({
      role,
      text: text.slice(start, end),
      literal,
      from: start,
    })),
  );
}

/** Our own field of a request, which is taken off before the judge sees it. What the case holds is checked by whoever reads it. */
export const ownField = strictFields({ case: z.unknown().optional() });

/** Where most protocols have it. */
export const TEMPERATURE = ['temperature'];

interface Editing {
  /** Where the protocol has its sampling temperature. */
  readonly temperature?: readonly string[];
  /** The lowest that it takes. */
  readonly least?: number;
  /** What else a request changes whose reply the client may never get: see `disableStoring`. */
  readonly besides?: readonly Splice[];
  /** Where the protocol has how many answers are asked for; missing where it cannot ask for several. */
  readonly count?: readonly string[];
}

export function createEditableRequest(
  source: JsonSource,
  pieces: readonly PromptPiece[],
  { temperature = TEMPERATURE, least = 0, besides = [], count: countAt = [] }: Editing = {},
): Pick<JudgeRequest, 'prompt' | 'body' | 'sent' | 'edited' | 'tempered' | 'varies'> {
  const own = removeMember(source.root, 'remand');
  const given = findNode(source.root, temperature);
  const degrees = given?.type === 'number' ? Number(given.value) : Number.NaN;
  const lowered = given && degrees > least ? [replaceNode(given, String(least))] : [];
  const raised = given && degrees <= least ? [replaceNode(given, SAMPLING_TEMPERATURE)] : [];
  const texts = markMedia(pieces);
  const splicesOf = createEditSplicer(source, texts);
  return {
    prompt: {
      parts: texts.map(({ role, text, mediaFollow }) => ({
        role,
        text,
        ...(mediaFollow && { mediaFollow }),
      })),
    },
    body: splice(source.text, own),
    sent: source.value,
    tempered: isTempered(degrees, least),
    varies: true,
    edited: (edits, { steady = false, sample, count = 1 }: EditOptions = {}) =>
      splice(source.text, [
        ...own,
        ...splicesOf(edits),
        ...(steady ? [...lowered, ...besides] : []),
        ...(sample === undefined ? [] : [...raised, ...besides, ...anotherSeed(source, temperature, sample)]),
        ...(count > 1 && countAt.length > 0 ? setMember(source.root, countAt, String(count)) : []),
      ]),
  };
}

/** At 1 tokens come as often as the model's own probabilities say. */
const SAMPLING_TEMPERATURE = '1';

/** The same seed would give the same sample. It stands beside the temperature in every protocol that has one. */
function anotherSeed(source: JsonSource, temperature: readonly string[], sample: number): Splice[] {
  const node = findNode(source.root, [...temperature.slice(0, -1), 'seed']);
  return node?.type === 'number' ? [replaceNode(node, String(Number(node.value) + sample))] : [];
}

/**
 * Servers that divide by the temperature take 0 for greedy decoding and divide by 1 there (vLLM, SGLang), so 1 and 0
 * are on one scale. One that does not take 0 divides by whatever small number it is given instead.
 *
 * @param degrees the temperature asked for; NaN for none
 */
function isTempered(degrees: number, least: number): boolean {
  return degrees > least && !(least === 0 && degrees === 1);
}

/**
 * Keeps a reply that the client never gets out of what the endpoint stores for the client.
 *
 * @param unasked whether the endpoint stores where the request does not say
 */
export function disableStoring(source: JsonSource, unasked: boolean): Splice[] {
  const node = findNode(source.root, ['store']);
  const start = source.root.offset + 1;
  if (!node) return unasked ? [{ start, end: start, with: '"store":false,' }] : [];
  const stores = node.type === 'null' ? unasked : node.value === true;
  return stores ? [replaceNode(node, 'false')] : [];
}

/**
 * The members of a request for rewording that it takes over: the model, where the body names it, and a
 * temperature, where the client gave one (a model that was given none may refuse one).
 */
export function pickModelAndTemperature(source: JsonSource): { model?: string; temperature?: 0 } {
  const model: unknown = findNode(source.root, ['model'])?.value;
  const steady = findNode(source.root, TEMPERATURE)?.type === 'number';
  return { ...(typeof model === 'string' ? { model } : {}), ...(steady ? { temperature: 0 } : {}) };
}

/** @param value the request that was refused */
function toFieldError(error: z.ZodError, value: unknown): InputError {
  const issue = deepest(error.issues[0]);
  const field = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
    '',
  );
  const missing =
    issue.code === 'invalid_type' && issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return new InputError(field || 'body', missing ? 'is required' : issue.message);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code: string | undefined;
}

/** Of a union's complaints the one that got furthest is about what the client meant. */
function deepest(issue: z.core.$ZodIssue | undefined): Issue {
  if (!issue) return { path: [], message: 'is not a request of this protocol', code: undefined };
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flatMap((issues) => issues.slice(0, 1).map(deepest))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (!inner || inner.path.length === 0) return issue;
  return { ...inner, path: [...issue.path, ...inner.path] };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Where the JSON holds a text: all of a string literal, or a stretch of it. */
interface TextPlace {
  readonly text: string;
  readonly literal: JsonNode;
  /** Where the text begins in the decoded literal, in UTF-16 code units. */
  readonly from: number;
}

/**
 * What makes splices of edits; one for a request, however often that is edited, so that the places of its characters
 * are looked up once. A replacement given as a span is moved as raw text: exchanging two spans twice gives back the
 * same bytes.
 *
 * @param places where each part of the prompt is held
 * @returns a function that throws a RangeError where a span lies outside its part
 */
function createEditSplicer(
  source: JsonSource,
  places: readonly TextPlace[],
): (edits: readonly Edit[]) => Splice[] {
  const maps = new Map<JsonNode, RawOffset>();
  const rawSpan = (span: Span): { start: number; end: number } => {
    const place = places[span.part];
    if (!place || span.start < 0 || span.end < span.start || span.end > place.text.length) {
      throw new RangeError(`no span [${span.start}, ${span.end}) in part ${span.part}`);
    }
    const { literal, from } = place;
    const map = maps.get(literal) ?? mapRawOffsets(source.text, literal);
    maps.set(literal, map);
    return { start: map(from + span.start), end: map(from + span.end) };
  };
  const spliced = (edit: Edit): Splice => {
    const at = rawSpan(edit.at);
    if (typeof edit.with !== 'string') {
      const from = rawSpan(edit.with);
      return { ...at, with: source.text.slice(from.start, from.end) };
    }
    if (edit.with === '') return { ...at, with: '' };
    const node = places[edit.at.part]?.literal;
    const raw = node ? source.text.slice(node.offset, node.offset + node.length) : '';
    return { ...at, with: encodeInside(edit.with, () => detectStringStyle(raw, source.text)) };
  };
  return (edits) => edits.map(spliced);
}

/** Maps an offset in the decoded string to the position in the raw text; both in UTF-16 code units. */
type RawOffset = (decoded: number) => number;

/**
 * @param text the whole JSON text
 * @param node a string literal in it
 */
export function mapRawOffsets(text: string, node: JsonNode): RawOffset {
  const first = node.offset + 1;
  const end = node.offset + node.length - 1;
  // After the i-th escape sequence the decoded string is at decodedAt[i] and the raw text at rawAt[i].
  const decodedAt = [0];
  const rawAt = [first];
  let shrunk = 0;
  for (let at = text.indexOf('\\', first); at >= 0 && at < end; ) {
    // One code unit either way: \uXXXX is one half of a surrogate pair where it is an astral character.
    const length = text[at + 1] === 'u' ? 6 : 2;
    shrunk += length - 1;
    rawAt.push(at + length);
    decodedAt.push(at + length - first - shrunk);
    at = text.indexOf('\\', at + length);
  }
  return (decoded) => {
    const i = lastAtMost(decodedAt, decoded);
    return (rawAt[i] ?? first) + decoded - (decodedAt[i] ?? 0);
  };
}

/** Index of the last entry of an ascending list that is not above `limit`. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How a JSON text writes characters that may be written in more than one way. */
interface StringStyle {
  /** Non-ASCII characters as `\uXXXX`, as Python's `json.dumps` does unless told otherwise. */
  readonly ascii: boolean;
  /** `\u00E9` rather than `\u00e9`. */
  readonly upperCase: boolean;
  /** `\/` for `/`, as PHP's `json_encode` does. */
  readonly slashes: boolean;
}

/** The style of a piece of raw text. What it leaves open is answered by the whole text around it. */
export function detectStringStyle(raw: string, around: string): StringStyle {
  return {
    ascii: escapesNonAscii(raw) ?? escapesNonAscii(around) ?? false,
    upperCase: raw.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?=[0-9A-F]*[A-F])[0-9A-F]{4}/.test(raw),
    slashes: raw.includes('\\/') && /(?<!\\)(?:\\\\)*\\\//.test(raw),
  };
}

/** Whether non-ASCII is escaped; null where there is none, or both ways occur. */
function escapesNonAscii(raw: string): boolean | null {
  // An odd number of backslashes: `\\\\u00e9` is a backslash and the letters after it.
  const escaped = raw.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}/.test(raw);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
  const plain = /[^\u0000-\u007f]/.test(raw);
  return escaped === plain ? null : escaped;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
const MANY_WAYS = /[^\u0000-\u007f]|\//;

/**
 * A text as it stands between the quotes of a JSON string.
 *
 * @param styled asked only where the text can be written in more ways than one: the style is a question to the whole body
 */
export function encodeInside(text: string, styled: () => StringStyle): string {
  let raw = JSON.stringify(text).slice(1, -1);
  if (!MANY_WAYS.test(text)) return raw;
  const style = styled();
  if (style.slashes) raw = raw.replaceAll('/', '\\/');
  if (!style.ascii) return raw;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "everything that is ASCII"
  return raw.replace(/[^\u0000-\u007f]/g, (unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${style.upperCase ? hex.toUpperCase() : hex}`;
  });
}
