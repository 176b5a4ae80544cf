/**
 * The only label that a short reply names, in whatever language: `Indeks: 1`, `(2) since it keeps the joke`, `Ich wähle b).`
 * It stands apart from the words around it, and no other label is named at all.
 */

import { AGAINST, CJK, DENIES } from '../../vocabulary.ts';

/** In UTF-16 code units. A longer reply weighs one against the other, and its language decides what it says. */
export const SHORT_REPLY = 120;
/** Nothing stands between the words of these scripts, or between a number and the sign that counts it: `3번`. */
const WORD = `(?!${CJK.source})[\\p{L}\\p{N}]`;
/** -1 is not 1. */
const NOT_NEGATIVE = '(?!(?<=(?:^|[\\s:="\'(])-)\\d)';
/** What may stand in front of a label, and behind it. A dot or a comma that a number follows belongs to a number. */
const BEFORE = new RegExp(`(?:^|[\\s\\p{P}\\p{S}]|${CJK.source})$`, 'u');
const BEHIND = new RegExp(
  `^(?:\\s*(?:$|\\n)|[\\p{Pe}\\p{Pf}"'*_\`]|${CJK.source}|\\p{P}(?!\\d)|\\s[\\-–—]\\s)`,
  'u',
);

/** Ends a clause; so does a colon behind the label, as in `B: the other is worse`. */
const CLAUSE_ENDS = /[.,;!?()\n、。，；！？]|\s[-–—]\s|(?<=\0):/u;

/** Whether a clause that names an option speaks against it: `Runner-up: B`. */
export function speaksAgainst(reply: string, labels: readonly string[]): boolean {
  const named = new RegExp(
    `[([{"']?(?<!${WORD})(?:${labels.map(RegExp.escape).join('|')})(?!${WORD})[)\\]}"']?`,
    'giu',
  );
  const clauses = reply.replaceAll(named, '\0').split(CLAUSE_ENDS);
  return clauses.some((clause) => clause.includes('\0') && AGAINST.test(clause));
}

/**
 * @param labels what stands for each option; letter case counts for a single letter
 * @returns the label's index; null where none or several are named, or the reply says more than that
 */
export function soleLabel(reply: string, labels: readonly string[]): number | null {
  const text = reply.trim();
  if (text.length > SHORT_REPLY) return null;
  // The longest first: `NO SIRVE` is not `SIRVE`.
  const ordered = labels
    .map((label, index) => ({ label, index }))
    .sort((a, b) => b.label.length - a.label.length);
  const written = ordered.map(({ label }) => RegExp.escape(label)).join('|');
  const any = new RegExp(`(?<!${WORD})${NOT_NEGATIVE}(?:${written})(?!${WORD})`, 'giu');
  const named = [...text.matchAll(any)].map(({ 0: found, index: at }) => {
    const { label = '', index = -1 } =
      ordered.find((one) => one.label.toLowerCase() === found.toLowerCase()) ?? {};
    const end = at + found.length;
    return {
      index: found.length === 1 && found !== label ? -1 : index,
      isApart: BEFORE.test(text.slice(0, at)) && BEHIND.test(text.slice(end)),
    };
  });
  const [first] = named;
  const isSole = named.every(({ index }) => index === first?.index) && named.some(({ isApart }) => isApart);
  return first && first.index >= 0 && isSole && !DENIES.test(text.replaceAll(any, '')) ? first.index : null;
}
