/** Whether an edit changed what it was to change and nothing else. What is wrong with it is said in words that can be counted. */
import { reviewSections, SCORE_LINE } from './review-text.ts';
import { sectionsOf } from './sections.ts';

export interface Keep {
  /** Length after by length before, ends included. */
  readonly size: readonly [least: number, most: number];
  /** Whether some may go; none may come. Formulas, headings and ratings stay in every edit. */
  readonly citations: 'all' | 'some';
  readonly numbers: 'all' | 'some';
}

export const REFUSALS = [
  'nothing changed',
  'too short',
  'too long',
  'headings not kept',
  'formulas not kept',
  'ratings not kept',
  'citations not kept',
  'numbers not kept',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Formulas, code, figures and references within the paper: what no edit of wording touches. */
const FORMULA =
  /```[\s\S]*?```|\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]|\\\([\s\S]*?\\\)|\\begin\{(equation|align|gather|multline|table|figure|algorithm)\*?\}[\s\S]*?\\end\{\1\*?\}|\$(?=[^\s$])[^$\n]{0,300}?(?<=[^\s$\\])\$(?!\d)|!\[[^\]\n]*\]\([^)\n]*\)|\\(?:eq)?ref\{[^}]*\}|`[^`\n]+`/g;
/** `[12]`, `[3, 4]`, `(Smith et al., 2020)`, `Smith et al. (2020)`, `\cite{…}`, `[@key]`. */
const CITATION =
  /\\[cC]ite\w*\*?(?:\[[^\]]*\])*\{[^}]*\}|\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|\[@[^\]]+\]|\((?:(?:see|e\.g\.,?|cf\.)\s+)?\p{Lu}[^()\n]{0,200}?\b(?:19|20)\d\d[a-z]?\)|\p{Lu}[\p{L}'’-]+(?: et al\.?| and \p{Lu}[\p{L}'’-]+)? \((?:19|20)\d\d[a-z]?\)/gu;
const NUMBER = /(?<![\p{L}\p{N}_.])\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])/gu;

/** @returns the first thing that is wrong; null where nothing is */
export function refusalOf(before: string, after: string, { size, citations, numbers }: Keep): Refusal | null {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  if (plain(before) === plain(after)) return 'nothing changed';
  const ratio = plain(after).length / Math.max(1, plain(before).length);
  if (ratio < size[0]) return 'too short';
  if (ratio > size[1]) return 'too long';
  if (!same(headings(before), headings(after))) return 'headings not kept';
  if (!same(tokens(before, FORMULA), tokens(after, FORMULA))) return 'formulas not kept';
  if (!same(tokens(before, SCORE_LINE), tokens(after, SCORE_LINE))) return 'ratings not kept';
  const [was, is] = [before, after].map((text) => text.replace(FORMULA, ' ').replace(SCORE_LINE, ' '));
  if (!kept(tokens(was, CITATION), tokens(is, CITATION), citations)) return 'citations not kept';
  const counted = (text = '') => tokens(text.replace(CITATION, ' '), NUMBER);
  if (!kept(counted(was), counted(is), numbers)) return 'numbers not kept';
  return null;
}

/** Stretches of a text that are no prose: formulas, code, figures, citations, links. In order, none overlapping. */
export function protectedIn(text: string): { readonly start: number; readonly end: number }[] {
  const links = /https?:\/\/\S+|\]\([^)\n]*\)/g;
  const all = [FORMULA, CITATION, links].flatMap((kind) =>
    [...text.matchAll(kind)].map(({ 0: found, index }) => ({ start: index, end: index + found.length })),
  );
  const ordered = all.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return ordered.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

function headings(text: string): string[] {
  return [
    ...sectionsOf(text).map(({ title, level }) => `${level} ${title}`),
    ...reviewSections(text).map(({ name }) => name),
  ];
}

function tokens(text = '', kind: RegExp): string[] {
  return [...text.matchAll(kind)].map(([found]) => found.replace(/\s+/g, ' ').trim());
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** As often as before, in any order; with `some`, not oftener. */
function kept(before: readonly string[], after: readonly string[], which: 'all' | 'some'): boolean {
  if (which === 'all' && before.length !== after.length) return false;
  const left = new Map<string, number>();
  for (const one of before) left.set(one, (left.get(one) ?? 0) + 1);
  return after.every((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
}
