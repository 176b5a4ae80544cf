/** Rebuttals without substance: each answer becomes a promise, the questions and the courtesies around it stay. */

import type { TextRange } from '../../case/index.ts';
import { findRebuttalStretches } from './submission-parts.ts';
import type { Perturbation, TextChange } from './types.ts';

const PLACEHOLDERS = [
  'We thank the reviewer for raising this and will address it in the revised version.',
  'This is a valuable point, which we will take up in the final version of the paper.',
  'We have taken note of this comment and will clarify it in the revision.',
  'We appreciate the suggestion and plan to discuss it in the camera-ready version.',
  'We understand the concern and will make the necessary changes.',
] as const;

export const rebuttalCompleteness: Perturbation = {
  name: 'rebuttal-completeness',
  part: 'rebuttal',
  aspect: 'completeness',
  definition: 'The rebuttals answer nothing any more: each answer of substance is replaced by a promise.',
  expectation: 'decrease',
  called: 'rebuttals without answers',
  by: 'rule',

  async perturb(submission, { draw }) {
    const stretches = findRebuttalStretches(submission);
    if ('dropped' in stretches) return stretches;
    const changes = stretches.flatMap(({ item, text }): TextChange[] =>
      findRebuttalAnswers(text).map(({ start, end }) => {
        const which = Math.floor(draw(`${submission.id} rebuttal ${item} at ${start}`) * PLACEHOLDERS.length);
        const after = PLACEHOLDERS[which] ?? PLACEHOLDERS[0];
        return { part: 'rebuttal', item, start, before: text.slice(start, end), after };
      }),
    );
    return changes.length > 0
      ? { changes, refused: [] }
      : { dropped: 'the rebuttal has no answer of substance' };
  },
};

/** What restates the reviewer's point: a quotation, `Q1: …`, `**W2.** …`, `Weakness 3`. */
const RESTATED =
  /^[ \t]{0,20}(?:>|#{1,6}[ \t]|[*_]{0,4}(?:[QWC]\d{1,3}|(?:question|weakness|concern|comment|point)s?[ \t]{0,9}#?\d{0,3})[*_]{0,4}[ \t]{0,9}[.:)*_-])/i;
const ANSWERS =
  /^[ \t]{0,20}(?:[-*+][ \t]{1,9})?[*_]{0,4}(?:A\d{0,3}|R\d{1,3}|answer|response|reply|re)[ \t]{0,9}#?\d{0,3}[*_]{0,4}[ \t]{0,9}[.:)][*_]{0,4}[ \t]{0,9}/i;
const COURTESY =
  /^\W*(?:dear\b|hi\b|hello\b|we (?:sincerely |would like to |again )?(?:thank|appreciate)|thank(?:s| you)|(?:best|kind) regards|sincerely|the authors?\b|in summary, we thank)/i;
/** Words from which a paragraph says something. */
const LEAST = 8;
const MOST_COURTESY = 40;

/** The answers of substance in a rebuttal, their labels left out. */
export function findRebuttalAnswers(text: string): TextRange[] {
  return blocksOf(text).flatMap(({ start, end }) => {
    const block = text.slice(start, end);
    const label = ANSWERS.exec(block)?.[0] ?? '';
    if (label === '' && RESTATED.test(block)) return [];
    const said = block.slice(label.length);
    const words = said.match(/\S+/g)?.length ?? 0;
    if (words < LEAST || (COURTESY.test(said) && words < MOST_COURTESY)) return [];
    return [{ start: start + label.length, end: start + block.trimEnd().length }];
  });
}

/** Paragraphs; an answer's label begins one of its own, and so do a restated point and what follows a quotation. */
function blocksOf(text: string): TextRange[] {
  const blocks: { start: number; end: number }[] = [];
  let at = 0;
  let open: number | null = null;
  let before: 'quoted' | 'restated' | 'said' = 'said';
  const close = (end: number) => {
    if (open !== null) blocks.push({ start: open, end });
    open = null;
  };
  for (const line of text.split('\n')) {
    const answers = ANSWERS.test(line);
    const is = /^[ \t]*>/.test(line) ? 'quoted' : !answers && RESTATED.test(line) ? 'restated' : 'said';
    const begins = answers || (is !== 'said' && is !== before) || (is === 'said' && before === 'quoted');
    if (line.trim() === '' || begins) close(at);
    if (line.trim() === '') before = 'said';
    else {
      open ??= at;
      // What goes on below a restated point without a label is still that point.
      if (begins || is !== 'said') before = is;
    }
    at += line.length + 1;
  }
  close(text.length);
  return blocks;
}
