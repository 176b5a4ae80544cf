/**
 * Labels as a known client's parser finds them: the label as it is written and nothing in words, and where a
 * reply holds several, the one that parser takes. A label read otherwise would not be the client's verdict.
 */
import type { LabelRule, NoVerdictReason, Spelling } from '../types.ts';

/** A spelling that counts, and what it stands for: an index into the form's labels, or a tie. */
interface Candidate {
  readonly written: string;
  readonly means: Ruled;
}

/** Index of a label of the form. */
export type Ruled = number | 'tie';

interface Found {
  readonly at: number;
  /** Null where the parser would take something that is no label. */
  readonly means: Ruled | null;
}

/**
 * @param text the reply as the client gets it
 * @param tie the exact text that means a tie, null where there is none
 */
export function ruledLabel(
  text: string,
  write: Spelling & { readonly rule: LabelRule },
  tie: string | null,
): Ruled | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> } {
  const candidates: Candidate[] = write.labels.map((label, means) => ({
    written: write.template.replace('{}', () => label),
    means,
  }));
  if (tie !== null) candidates.push({ written: tie, means: 'tie' });
  const found = (write.template === '{}' ? wordsIn : spelledIn)(text, candidates);
  const taken = take(found, write.rule, text, candidates);
  return taken ?? { none: new Set(found.map(({ means }) => means)).size > 1 ? 'contradictory' : 'no-label' };
}

function take(
  found: readonly Found[],
  rule: LabelRule,
  text: string,
  candidates: readonly Candidate[],
): Ruled | null {
  switch (rule) {
    case 'first':
      return found[0]?.means ?? null;
    case 'last':
      return found.at(-1)?.means ?? null;
    case 'unique':
      return new Set(found.map(({ means }) => means)).size === 1 ? (found[0]?.means ?? null) : null;
    case 'priority':
      return candidates.find(({ means }) => found.some((one) => one.means === means))?.means ?? null;
    case 'end': {
      const last = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
      // A label that is only a key has its line to itself, for words may end with its letter.
      const ends = candidates.find(({ written }) =>
        written.includes('[') || written.includes(':') ? last.endsWith(written) : last === written,
      );
      return ends?.means ?? null;
    }
  }
}

/** Every place of every spelling, in order; letter case counts. */
function spelledIn(text: string, candidates: readonly Candidate[]): Found[] {
  return candidates
    .flatMap(({ written, means }) => {
      const whole = new RegExp(`${RegExp.escape(written)}(?![\\p{L}\\p{N}])`, 'gu');
      return [...text.matchAll(whole)].map(({ index }) => ({ at: index, means }));
    })
    .sort((a, b) => a.at - b.at);
}

/**
 * Bare labels. Where they are numbers, every number: a parser takes any. Words stand at either end of the first
 * or the last line (openai/evals): in between they are words like others.
 */
function wordsIn(text: string, candidates: readonly Candidate[]): Found[] {
  if (!candidates.every(({ written }) => /^\d+$/.test(written))) {
    const lines = text.split('\n').map((line) => line.replace(/\p{P}/gu, '').trim());
    const said = lines.filter((line) => line !== '');
    return [...new Set([said[0] ?? '', said.at(-1) ?? ''])].flatMap((line, at) =>
      candidates
        .filter(({ written }) =>
          line.split(/\s+/).some((word, i, all) => word === written && (i === 0 || i === all.length - 1)),
        )
        .map(({ means }) => ({ at, means })),
    );
  }
  return [...text.matchAll(/\d+/g)].map((match) => ({
    at: match.index,
    means: candidates.find(({ written }) => Number(written) === Number(match[0]))?.means ?? null,
  }));
}
