/** The corpus of cues and of texts that look like them, as cases: see README.md beside it. */
import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { type Bias, findBias } from '../../../src/bias/index.ts';
import { findCase } from '../../../src/case/read.ts';
import type { Case } from '../../../src/case/types.ts';
import { isNameOfOption } from '../../../src/case/words/vocabulary.ts';
import { findPair, pairOf } from '../../pair.ts';

export type Half = 'seen' | 'unseen';

export interface Wording {
  readonly half: Half;
  readonly language: string;
  readonly text: string;
  /** What is left of it once the cue is undone, where the corpus says that. */
  readonly rest?: string;
}

export interface Positive extends Wording {
  readonly bias: Bias;
}

const texts = z.array(z.string());
const positive = z.union([z.string(), z.tuple([z.string(), z.string()])]);
const half = z.strictObject({
  positives: z.record(z.string(), z.array(positive)),
  negatives: z.strictObject({ answers: texts, statements: texts }),
});
const languages = z.record(
  z.string(),
  z.strictObject({ labels: z.tuple([z.string(), z.string()]), plain: z.string() }),
);

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

const LANGUAGES = languages.parse(readJson('languages.json'));
const HALVES: readonly Half[] = ['seen', 'unseen'];
const languagesOf = (name: Half) => {
  const files = new Set(readdirSync(new URL(name, import.meta.url)));
  return Object.keys(LANGUAGES).filter((language) => files.has(`${language}.json`));
};
const FILES = HALVES.flatMap((name) =>
  languagesOf(name).map((language) => ({
    of: { half: name, language },
    ...half.parse(readJson(`${name}/${language}.json`)),
  })),
);

/** In the order of the files. */
export const POSITIVES: readonly Positive[] = FILES.flatMap(({ of, positives }) =>
  Object.entries(positives).flatMap(([name, all]) => {
    const bias = findBias(name);
    if (!bias) throw new Error(`${of.half}/${of.language}.json: no bias has the name "${name}"`);
    return all.map((one): Positive => {
      const [text, rest] = typeof one === 'string' ? [one] : one;
      return { ...of, bias, text, ...(rest !== undefined && { rest }) };
    });
  }),
);

const NEGATIVES: readonly Wording[] = FILES.flatMap(({ of, negatives }) =>
  [...negatives.answers, ...negatives.statements].map((text) => ({ ...of, text })),
);

/** Texts that have no cue of this kind: some that were written as negatives of one entry are positives of another. */
export function negativesOf(bias: Bias): readonly Wording[] {
  const own = new Set(POSITIVES.filter((one) => one.bias === bias).map(({ text }) => text));
  return NEGATIVES.filter(({ text }) => !own.has(text));
}

/** Characters of a text that can have an author block above it. */
const LONG = 240;

/** Whether texts stand elsewhere in a case for this entry than for most. */
export const hasOwnCases = ({ name }: Bias): boolean => name === 'hostility' || name === 'author';

/**
 * A case with the text where it belongs: beside the answers where it names one, above a paper where it is about authors, as a
 * review of a paper where it is about hostility, else as the first answer.
 */
export function caseWith({ language, text }: Wording, bias?: Bias): Case {
  const { labels, plain } = LANGUAGES[language] ?? { labels: ['A', 'B'], plain: '' };
  if (bias?.name === 'hostility') return paperWith(text);
  if (text.includes('{A}') || text.includes('{B}')) {
    const said = text.replaceAll('{A}', labels[0]).replaceAll('{B}', labels[1]);
    return pairOf(labels, [plain, plain], said);
  }
  const body = plain.repeat(Math.ceil(LONG / plain.length));
  return pairOf(labels, bias?.name === 'author' ? [`${text}\n\n${body}`, body] : [text, plain]);
}

function paperWith(review: string): Case {
  const text = `# Paper\n# Method\nWe fit a line.\n\n# Review 1\n${review}\n\nRating: 3\n\n# Your task\nDecide whether to accept. Reply with JSON: {"overall": 1 to 10}`;
  const subject = findCase({ parts: [{ role: 'user', text }] });
  if (subject?.layout !== 'peer-review') throw new Error(`no review is read of ${text}`);
  return subject;
}

/** Whether the entry sees it: for the answer that it speaks for, where the entry tells one. */
export function isSpotted({ bias, ...wording }: Positive): boolean {
  const [cue] = bias.spot(caseWith(wording, bias));
  return cue !== undefined && (cue.favours === 'any' || cue.favours === 0 || isAbout(bias));
}

/** Its cue is for the brighter of two answers, and a text may be the gloomier one. */
const isAbout = ({ name }: Bias) => name === 'sentiment';

/** A text by somebody who had read no rule: beside the answers, or in one of them. */
export interface StrangersText {
  readonly language: string;
  readonly place: 'statement' | 'option';
  readonly text: string;
}

const strangersText = z.strictObject({
  language: z.string(),
  place: z.enum(['statement', 'option']),
  text: z.string(),
});

/** By the name of the entry, and `ordinary` for texts without a cue. The closed half is counted and never shown. */
export const STRANGERS = {
  open: z.record(z.string(), z.array(strangersText)).parse(readJson('strangers/open.json')),
  closed: z.record(z.string(), z.array(strangersText)).parse(readJson('strangers/closed.json')),
} as const;

/** A word for an option and its key, as a text writes them. */
const NAMED =
  /(\p{Script=Han}{2}|[ァ-ヶー]{2,}|[\p{Script=Latin}]{3,})([ _]?\(?)([ABXYab12甲乙])(\)?)(?![\p{Script=Latin}\p{N}])/gu;
const KEYS: readonly (readonly [string, string])[] = ['AB', 'ab', 'XY', '12', '甲乙'].map(
  ([a = '', b = '']) => [a, b],
);

/**
 * A pair of answers, called as the text calls them, with the text where it belongs.
 *
 * @returns null where no case is read, so that nothing is found
 */
export function caseOfStranger({ language, place, text }: StrangersText): Case | null {
  const { labels, plain } = LANGUAGES[language] ?? { labels: ['A', 'B'] as const, plain: '' };
  const named = [...text.matchAll(NAMED)];
  const [, noun = '', before = '', key = '', behind = ''] =
    named.find(
      ([, word = '', , own]) =>
        // Of a word that stands before both keys the text tells that it is one for an option.
        isNameOfOption(word) || named.some(([, other, , another]) => other === word && another !== own),
    ) ?? [];
  const called = (KEYS.find((keys) => keys.includes(key)) ?? []).map(
    (one) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}${before}${one}${behind}`,
  );
  const [a = '', b = ''] = key === '' ? labels : called;
  const beside = findPair([a, b], [plain, plain], text);
  if (place === 'statement' && beside === null) return null;
  if (place === 'statement' && beside?.context.some(({ mentions }) => mentions.length > 0)) return beside;
  // What names no option stands in one: lines above it, or a sentence of it.
  const body = plain.repeat(Math.ceil(LONG / plain.length));
  return findPair([a, b], place === 'statement' ? [`${text}\n\n${body}`, body] : [text, plain]);
}

/** Whether an entry sees something in a text of a stranger. */
export function isFoundBy(bias: Bias, text: StrangersText): boolean {
  const subject = caseOfStranger(text);
  return subject !== null && bias.spot(subject).length > 0;
}
