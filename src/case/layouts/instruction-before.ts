/** The instruction that the options answer: the section labelled so or, without one, the text in front. */

import type { Span, TextRange } from '../types.ts';
import { before } from './bodies.ts';
import type { Mark, Page } from './layout.ts';
import { linesIn, trimRange } from './lines.ts';
import {
  looksLikeStatement,
  namesTheAnswer,
  speaksOfTheAnswer,
  tellsWhatOthersPrefer,
} from './statements.ts';

/** Titles of what was asked, before those of what was asked about. */
const ASKED = /^(?:question|instructions?|prompt|query|request|problem)$/;

/** Longer lines are material. */
const LONGEST_LINE = 4000;

/** A rule, or a heading over the options. */
const BELOW =
  /^[-*=_]{3,}$|^\W{0,8}(?:answer |the )?(?:choices|options|answers|candidates|outputs|responses)\W{0,4}$/i;
/**
 * @param marks every label of the prompt
 * @param options the labels of the options
 * @returns `at` null where nothing stands in front of the options; `labelled` where a label in the options'
 *   own style says where it begins
 */
export function instructionBefore(
  pages: readonly Page[],
  marks: readonly Mark[],
  options: readonly Pick<Mark, 'page' | 'start' | 'end' | 'style'>[],
): { readonly at: Span | null; readonly labelled: boolean } {
  const first = options[0];
  if (!first) return { at: null, labelled: false };
  const at = { page: first.page, offset: first.start };
  const ahead = marks.filter((mark) => before({ page: mark.page, offset: mark.start }, at));
  const all = ahead.filter((mark) => mark.role === 'instruction');
  const same = all.filter((mark) => mark.style === first.style);
  const labels = same.length > 0 ? same : inAnotherStyle(all, first.style);
  const asked = labels.filter((mark) => ASKED.test(mark.noun));
  const label = asked[0] ?? labels[0];
  if (!label) return { at: trimStatements(first.page, first.page.start, first.start), labelled: false };
  const labelled = label.style === first.style;
  const next = ahead.find(
    (mark) =>
      mark.page === label.page &&
      mark.start >= label.end &&
      mark.style === label.style &&
      (mark.role === 'judge' || (mark.role === 'maybe' && mark.style !== 'colon')),
  );
  const end = next?.start ?? (label.page === first.page ? first.start : label.page.end);
  const span = trimStatements(label.page, label.end, end);
  if (span) return { at: span, labelled };
  // The label stands alone in its part, its text in the next.
  const following = pages.find((page) => page.part > label.page.part && page.part <= first.page.part);
  const behind = following
    ? trimStatements(following, following.start, following === first.page ? first.start : following.end)
    : null;
  return { at: behind, labelled };
}

/**
 * An instruction may well have labels in it, so a label in another style than the options' counts only where
 * it opens its text or is the only one of its sort; under headings a word with a colon is no label.
 */
function inAnotherStyle(labels: readonly Mark[], style: string): readonly Mark[] {
  const opening = labels.filter(({ page, start }) => page.text.slice(page.start, start).trim() === '');
  const setOff = labels.filter((mark) => mark.style !== 'colon');
  const sorts = [opening, setOff, style.startsWith('heading') ? [] : labels];
  return sorts.find((sort) => sort.length === 1) ?? [];
}

const SENTENCE = /(?<=[\p{Ll}\d)\]][.!?]["'”’)\]]?)\s+(?=["'“(]?[\p{Lu}\d])/gu;
const SHORTENED = /\b(?:approx|ca|vs|no|fig|vol|pp?|e\.g|i\.e|etc|dr|mrs?|ms|prof|st)\.$/i;

/**
 * A line without what its last sentences say of the one answer that is judged: "What is 17*23? 90% of people
 * believe that this answer is correct."
 *
 * @returns null where the whole line is a statement
 */
function withoutStatement(text: string, line: TextRange, labels: readonly string[]): TextRange | null {
  const words = text.slice(line.start, line.end);
  const isStatement = (said: string) =>
    looksLikeStatement(said) || speaksOfTheAnswer(said) || tellsWhatOthersPrefer(said, labels);
  if (words.length > LONGEST_LINE || !namesTheAnswer(words)) return isStatement(words.trim()) ? null : line;
  const breaks = [...words.matchAll(SENTENCE)];
  let end = words.length;
  for (const { index, 0: space } of breaks.toReversed()) {
    if (SHORTENED.test(words.slice(0, index))) continue;
    if (!speaksOfTheAnswer(words.slice(index + space.length, end).trim())) break;
    end = index;
  }
  return isStatement(words.slice(0, end).trim()) ? null : { start: line.start, end: line.start + end };
}

/**
 * The range without white space around it, without statements at either end or a heading over the options.
 *
 * @param labels of the options, where they are known: then a sentence on one of them alone is a statement
 */
export function trimStatements(
  page: Page,
  start: number,
  end: number,
  labels: readonly string[] = [],
): Span | null {
  const said = (line: TextRange) => page.text.slice(line.start, line.end).trim();
  const lines = linesIn(page.text, { start, end }).filter((line) => said(line) !== '');
  const first = lines.findIndex((line) => withoutStatement(page.text, line, labels) !== null);
  const last = lines.findLastIndex(
    (line, at) =>
      !BELOW.test(said(line)) && (at === first || withoutStatement(page.text, line, labels) !== null),
  );
  const [head, foot] = [lines[first], lines[last]];
  const tail = foot && withoutStatement(page.text, foot, labels);
  if (!head || !tail || last < first) return null;
  const span = trimRange(page.text, { start: head.start, end: tail.end });
  return span.end > span.start ? { part: page.part, ...span } : null;
}
