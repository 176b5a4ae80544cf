/**
 * The form of a verdict from the replies of a template, where its texts do not tell: what the replies have in common
 * around the name of an option (`Gewinner: B`, `<verdict>2</verdict>`, `最终结论：甲`).
 */
import { labelKey } from '../counterfactual.ts';
import type { Verdict, VerdictForm } from '../types.ts';
import { readVerdict } from '../verdict.ts';
import { formFromFile, type VerdictFile } from '../verdicts/index.ts';
import { type JsonObject, jsonIn } from '../verdicts/reading/json.ts';
import { ownWords } from '../verdicts/reading/own-words.ts';
import { CLOSES } from './tokens.ts';

/** Replies that are looked at before a form is believed. */
export const LEAST_REPLIES = 3;
/** Share of the replies that a form must read. */
const LEAST_READ = 0.95;
/** Characters of a frame in front of a name, or behind it. */
const LONGEST_FRAME = 40;
/** Lines at the end of a reply in which the verdict is looked for. */
const LINES = 20;
const LONGEST_LINE = 400;

type Choice = Extract<VerdictFile, { kind: 'choice' }>;

/** A name of an option as it stands in a reply. */
interface Place {
  readonly option: number;
  readonly written: string;
  readonly before: string;
  readonly after: string;
}

/**
 * @param replies what the judge said, the latest last
 * @param labels the options' names, in order
 * @returns null where no one form reads 95 % of the replies, or all of them say the same
 *
 * @example formFromReplies(['Gewinner: B', 'Gewinner: A', 'Gewinner: B'], ['A', 'B']) // { template: 'Gewinner: {}', … }
 */
export function formFromReplies(replies: readonly string[], labels: readonly string[]): Choice | null {
  if (replies.length < LEAST_REPLIES || labels.length < 2) return null;
  const said = replies.map(withoutThinking);
  const candidates = [...inFields(said, labels), ...inFrames(said, labels)];
  return candidates.find((form) => fits(form, replies, labels)) ?? null;
}

/** As it was written: full-width signs belong to the client's form. */
const withoutThinking = (reply: string) =>
  'none' in ownWords(reply) ? '' : (reply.split(/<\/think(?:ing)?>/i).at(-1) ?? '');

/**
 * Whether a form reads nearly all replies. Where none came, none speaks against it.
 *
 * @param labels the options' names, or the one of the judged text
 */
export function readsReplies(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): boolean {
  const read = verdictsIn(form, replies, labels).filter(({ kind }) => kind !== 'none').length;
  return replies.length === 0 || (read > 0 && read >= LEAST_READ * replies.length);
}

export function verdictsIn(
  form: VerdictForm,
  replies: readonly string[],
  labels: readonly string[],
): Verdict[] {
  const options = labels.map((label) => ({ label }));
  return replies.map((reply) => readVerdict(reply, form, options));
}

/** Nearly all are read, not all alike, and none in another way than its words were read without the form. */
function fits(form: Choice, replies: readonly string[], labels: readonly string[]): boolean {
  const read = formFromFile(form);
  if (!readsReplies(read, replies, labels)) return false;
  const verdicts = verdictsIn(read, replies, labels);
  const options = verdicts.flatMap((verdict) => (verdict.kind === 'choice' ? [verdict.option] : []));
  const inWords = verdictsIn(formFromFile({ kind: 'choice' }), replies, labels);
  const agree = inWords.every((words, n) => {
    const verdict = verdicts[n];
    return words.kind !== 'choice' || verdict?.kind !== 'choice' || words.option === verdict.option;
  });
  return agree && new Set(options).size > 1;
}

/** Fields of JSON that hold the name of an option in nearly all replies. */
function inFields(replies: readonly string[], labels: readonly string[]): Choice[] {
  const values = replies.flatMap((reply) => jsonIn(reply).objects.slice(0, 1).map(wordsIn));
  const names = new Set(values.flatMap((object) => [...object.keys()]));
  return [...names].flatMap((field) => {
    const written = values.flatMap((object) => object.get(field) ?? []);
    const places = written.flatMap((text) => {
      const option = optionNamed(text, labels);
      return option < 0 ? [] : [{ option, written: text }];
    });
    if (places.length < LEAST_READ * replies.length) return [];
    const spelled = spellings(places, labels);
    return spelled ? [{ kind: 'choice' as const, labels: spelled, field }] : [];
  });
}

function wordsIn(object: JsonObject): Map<string, string> {
  return new Map(
    Object.entries(object).flatMap(([name, value]) =>
      name !== '' && name.length <= LONGEST_FRAME && (typeof value === 'string' || typeof value === 'number')
        ? [[name, String(value)] as const]
        : [],
    ),
  );
}

/** The same words around the name of an option, in nearly all replies; the surest frames first. */
function inFrames(replies: readonly string[], labels: readonly string[]): Choice[] {
  const frames = new Map<string, Place[]>();
  for (const reply of replies) {
    const here = new Map<string, Place | null>();
    for (const place of placesIn(reply, labels))
      for (const frame of framesOf(place)) {
        const other = here.get(frame);
        // What frames two options in one reply is no verdict.
        here.set(frame, other === undefined || other?.option === place.option ? place : null);
      }
    for (const [frame, place] of here) if (place) frames.set(frame, [...(frames.get(frame) ?? []), place]);
  }
  return [...frames]
    .filter(([, places]) => places.length >= LEAST_READ * replies.length)
    .toSorted(([a, one], [b, other]) => other.length - one.length || b.length - a.length)
    .flatMap(([template, places]) => {
      const spelled = spellings(places, labels);
      if (!spelled) return [];
      return [{ kind: 'choice' as const, labels: spelled, ...(template !== '{}' && { template }) }];
    });
}

function placesIn(reply: string, labels: readonly string[]): Place[] {
  const lines = reply.split('\n').filter((line) => line.trim() !== '' && line.length <= LONGEST_LINE);
  return lines.slice(-LINES).flatMap((raw) => {
    const line = raw.trim();
    return labels.flatMap((label, option) =>
      variantsOf(label).flatMap((written) =>
        occurrences(line, written).map((at) => ({
          option,
          written,
          before: line.slice(0, at),
          after: line.slice(at + written.length),
        })),
      ),
    );
  });
}

/** `Gewinner: {}`, `<verdict>{}</verdict>`, `【{}】`, or `{}` for a name with nothing around it. */
function framesOf({ before, after }: Place): string[] {
  if (before === '' && after === '') return ['{}'];
  const frames: string[] = [];
  if (before.length <= LONGEST_FRAME && /[:：=＝→>]\s{0,3}$|[[(（「『【〈《“«"'`*]\s{0,3}$/u.test(before)) {
    const tail = /^\s{0,3}[^\p{L}\p{N}\s]{0,4}/u.exec(after)?.[0] ?? '';
    frames.push(`${before}{}`, `${before}{}${tail}`);
    if (after.length <= LONGEST_FRAME) frames.push(`${before}{}${after}`);
  }
  const open = /<([\p{L}_][\p{L}\p{N}_-]{0,30})>$/u.exec(before)?.[1];
  if (open !== undefined && after.startsWith(`</${open}>`)) frames.push(`<${open}>{}</${open}>`);
  const mark = before.slice(-1);
  const closing = CLOSES[mark];
  if (closing !== undefined && mark !== "'" && mark !== '`' && after.startsWith(closing)) {
    const double = before.endsWith(mark + mark) && after.startsWith(closing + closing);
    frames.push(double ? `${mark}${mark}{}${closing}${closing}` : `${mark}{}${closing}`);
  }
  return frames.filter((frame) => frame !== '{}' && frame.length <= 2 * LONGEST_FRAME);
}

/** One spelling for each option; one that no reply named is spelled as the others are. */
function spellings(
  places: readonly Pick<Place, 'option' | 'written'>[],
  labels: readonly string[],
): string[] | null {
  const style = places[0] && variantsOf(labels[places[0].option] ?? '').indexOf(places[0].written);
  const spelled = labels.map((label, option) => {
    const seen = places.find((place) => place.option === option)?.written;
    return seen ?? variantsOf(label)[style ?? 0] ?? '';
  });
  const different = new Set(spelled).size === labels.length && spelled.every((one) => one !== '');
  return different ? spelled : null;
}

function optionNamed(text: string, labels: readonly string[]): number {
  const named = labels.flatMap((label, option) => (variantsOf(label).includes(text.trim()) ? [option] : []));
  return named.length === 1 ? (named[0] ?? -1) : -1;
}

/** The same number of variants for every label, the likeliest first. */
function variantsOf(label: string): string[] {
  return [labelKey(label), label].flatMap((text) => [
    text,
    text.toUpperCase(),
    text.toLowerCase(),
    text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  ]);
}

/** Where a word stands with no letter or digit of its own script beside it. */
function occurrences(line: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + word.length)];
    if (!/[\p{L}\p{N}_]/u.test(after) && !/[\p{L}\p{N}_]/u.test(before)) found.push(at);
  }
  return found;
}
