/** How the options' names are written in a reply: `B`, `option_b`, `W1` of `Widget 1`, the initial of `Esquerda`. */

import { labelKey } from '../../counterfactual.ts';
import { occurrences, UNSPACED } from '../../words/occurrences.ts';
import { lowerCased, onlyDifference } from '../../words/vocabulary.ts';

/** Characters of a frame in front of a name, or behind it. */
export const LONGEST_FRAME = 40;

/** A name of an option as it stands in a reply. */
export interface Place {
  readonly option: number;
  readonly written: string;
}

/** Words of a text that names an option; more are a sentence. */
export const WORDS_OF_NAME = 2;

/** What a text says beside the name of an option. */
export function withoutName(text: string, option: number, labels: readonly string[]): string {
  const names = namesOf(labels[option] ?? '', labels);
  // All of `drafts/new.md` is the name.
  if (names.includes(text.trim())) return '{}';
  const written = names.find((name) => occurrences(text, name).length > 0) ?? '';
  const at = text.indexOf(written);
  return `${text.slice(0, at)}{}${text.slice(at + written.length)}`;
}

/** One spelling for each option; one that no reply named is spelled as the others are. */
export function spellings(places: readonly Place[], labels: readonly string[]): string[] | null {
  const [{ option: named = 0, written = '' } = {}] = places;
  const variants = variantsOf(labels[named] ?? '');
  const isIn = (name: string) => /[\p{Lu}\p{N}]/u.test(name) && occurrences(written, name).length > 0;
  const style = variants.includes(written) ? variants.indexOf(written) : variants.findIndex(isIn);
  const spelled = labels.map((label, option) => {
    const seen = places.find((place) => place.option === option)?.written;
    const other = variantsOf(label)[style] ?? '';
    return seen ?? (style === -1 ? initialOf(label) : written.replace(variants[style] ?? '', () => other));
  });
  const different = new Set(spelled).size === labels.length && spelled.every((one) => one !== '');
  return different ? spelled : null;
}

/** What an option may be called. */
export const namesOf = (label: string, labels: readonly string[]) => [
  ...variantsOf(label),
  ...(ownParts(labels).get(label)?.split('\n') ?? []),
];

/** Whether a word is the whole of an option's name or its initial. */
export const isName = (word: string, labels: readonly string[]) =>
  labels.some((label) => namesOf(label, labels).includes(word) || initialOf(label) === word);

/** The option that a value names: the whole of it, or as the only one in a few words; -1 for none. */
export function optionNamed(text: string, labels: readonly string[]): number {
  const word = text.trim();
  const optionsBy = (isNamed: (label: string) => boolean) =>
    labels.flatMap((label, option) => (isNamed(label) ? [option] : []));
  const named = optionsBy((label) => namesOf(label, labels).includes(word));
  // An initial that several options have names none.
  const whole = named.length > 0 ? named : optionsBy((label) => initialOf(label) === word.toUpperCase());
  if (whole.length > 0 || word.length > LONGEST_FRAME) return whole.length === 1 ? (whole[0] ?? -1) : -1;
  const within = optionsBy((label) =>
    namesOf(label, labels).some(
      (variant) =>
        (/[\p{Lu}\p{N}]/u.test(variant) || (UNSPACED.test(variant) && variant.length > 1)) &&
        occurrences(word.replaceAll('_', ' '), variant).length > 0,
    ),
  );
  return within.length === 1 ? (within[0] ?? -1) : -1;
}

/**
 * The same number of variants for every label, the likeliest first: its key, all of it, and as names are written in code
 * (`model_a`, `model-a`, `modelA`, `W1` of `Widget 1`).
 */
export function variantsOf(label: string): string[] {
  const words = label.match(/[\p{L}\p{N}]+/gu) ?? [];
  const initials = words.length > 1 ? `${[...(words[0] ?? '')][0] ?? ''}${words.slice(1).join('')}` : label;
  const bare = words.join(' ') || label;
  const joined = ['_', '-', ''].map((joint) => words.join(joint) || label);
  return [labelKey(label), label, bare, ...joined, initials].flatMap((text) => [
    text,
    text.toUpperCase(),
    lowerCased(text),
    text.charAt(0).toUpperCase() + lowerCased(text.slice(1)),
  ]);
}

/** What a label has in the one place in which all labels differ: `A` of `안내A`, `第一` of `第一个回答`. */
export function ownParts(labels: readonly string[]): ReadonlyMap<string, string> {
  const pieces = labels.map((label) => label.match(SCRIPTS) ?? []);
  const [first = [], second = [], ...others] = pieces;
  const at = onlyDifference(first, second);
  const isOne = at !== null && others.every((other) => onlyDifference(first, other) === at);
  return new Map(isOne ? labels.map((label, n) => [label, pieces[n]?.[at] ?? '']) : []);
}

/** Of each text the first words in a row that no other has: `LoRA` of `tuned with LoRA`; nothing where one has none. */
export function ownWordsOf(texts: readonly string[]): readonly string[] {
  const pieces = texts.map((text) => [...text.matchAll(SCRIPTS)]);
  const own = texts.map((text, n) => {
    const isOwn = ([piece]: RegExpExecArray) =>
      !pieces.some((others, m) => m !== n && others.some(([other]) => other === piece));
    const some = pieces[n] ?? [];
    const from = some.findIndex(isOwn);
    // Words of one script: `Qwen` of `Qwen微调模型`.
    const isUnspaced = UNSPACED.test(some[from]?.[0] ?? '');
    const to = some.findIndex(
      (piece, at) => at > from && (!isOwn(piece) || UNSPACED.test(piece[0]) !== isUnspaced),
    );
    const last = some.at(to < 0 ? -1 : to - 1);
    return from < 0 || !last ? '' : text.slice(some[from]?.index, last.index + last[0].length);
  });
  return own.some((words) => words.length < SHORTEST_WORDS) ? [] : own;
}

/** A single letter is the name of another option as easily. */
const SHORTEST_WORDS = 2;

/** Pieces of a label: numbers, and letters of one script. */
const SCRIPTS = /\p{N}+|第\p{Script=Han}|\p{Script=Han}|\p{Script=Hangul}+|\p{Script=Latin}+|[\p{L}\p{M}]+/gu;

/** `E` of `Esquerda`: what a judge says that is asked for one letter. */
const initialOf = (label: string) => (/^\p{L}{3}/u.test(label) ? label.charAt(0).toUpperCase() : '');
