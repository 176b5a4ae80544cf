/**
 * Bad writing by rule: sentences out of order, run-on sentences, typing errors. Words change, claims do not: formulas,
 * citations, code, numbers, tables and headings stay as they are.
 */
import { findProtected } from './edit.ts';

interface Badness {
  /** Of words that could, in [0, 1]. */
  readonly typos: number;
  /** Of ends of sentences. */
  readonly runOns: number;
}

const USUAL: Badness = { typos: 0.08, runOns: 0.4 };
/** For texts so short that nothing was drawn. */
const MORE: Badness = { typos: 0.4, runOns: 1 };

/** @returns the text as it is where it has no prose that could be spoiled */
export function spoilText(text: string, draw: (of: string) => number): string {
  const usual = writeBadly(text, draw);
  return usual === text ? writeBadly(text, draw, MORE) : usual;
}

/** @param draw in [0, 1) by what it is drawn for: the same draws give the same text */
export function writeBadly(text: string, draw: (of: string) => number, badness: Badness = USUAL): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph, at) =>
      at % 2 === 1 ? paragraph : badly(paragraph, (of) => draw(`${at} ${of}`), badness),
    )
    .join('');
}

/** Tables, headings, quotations, fenced code and formulas set apart have no sentences to spoil. */
const NO_PROSE =
  /^[^\S\r\n\u2028\u2029]*(?:\||#{1,6}\s|>|```|~~~|\$\$|\\(?:begin|end|\[|section|subsection)|!\[)/m;

function badly(paragraph: string, draw: (of: string) => number, { typos, runOns }: Badness): string {
  if (NO_PROSE.test(paragraph)) return paragraph;
  const kept = findProtected(paragraph);
  // Each piece that must stay is one character while the words around it change.
  const pieces = kept.map(({ start, end }) => paragraph.slice(start, end));
  let masked = '';
  let from = 0;
  for (const { start, end } of kept) {
    masked += paragraph.slice(from, start) + KEPT;
    from = end;
  }
  masked += paragraph.slice(from);
  if (masked.split(KEPT).length !== pieces.length + 1) return paragraph;
  const bad = misspelt(ranOn(outOfOrder(numberPieces(masked), draw), draw, runOns), draw, typos);
  return bad.replace(NUMBERED_PIECE, (_, at: string) => pieces[Number(at)] ?? '');
}

/** Private use characters: no text of a paper has them, and one that does is left as it is. */
const KEPT = '\uE000';
const NUMBERED_PIECE = /\uE000(\d+)\uE001/g;
function numberPieces(masked: string): string {
  let at = 0;
  return masked.replaceAll(KEPT, () => `\uE000${at++}\uE001`);
}

const ENDS = /(?<=[a-z)\uE001][.!?])([ \n]+)(?=\p{Lu})/u;

/** Two neighbours of the inner sentences change places. */
function outOfOrder(text: string, draw: (of: string) => number): string {
  const parts = text.split(ENDS);
  const sentences = Math.ceil(parts.length / 2);
  if (sentences < 4) return text;
  const at = 2 * (1 + Math.floor(draw('order') * (sentences - 2)));
  const [one = '', other = ''] = [parts[at], parts[at + 2]];
  if (other === '') return text;
  return parts
    .with(at, other)
    .with(at + 2, one)
    .join('');
}

function ranOn(text: string, draw: (of: string) => number, share: number): string {
  let at = 0;
  return text.replace(
    /([a-z)\uE001])\.([ \n]+)(\p{Lu})(?=[a-z]*[ ,])/gu,
    (all, end: string, blank: string, first: string) =>
      draw(`run-on ${at++}`) < share ? `${end},${blank}${first.toLowerCase()}` : all,
  );
}

/** Two inner letters exchanged, or one left out. */
function misspelt(text: string, draw: (of: string) => number, share: number): string {
  let at = 0;
  return text.replace(/(?<![\p{L}\p{N}_\\@/.-])[a-z]{5,}(?![\p{L}\p{N}_/]|\.\w)/gu, (word) => {
    at++;
    if (draw(`word ${at}`) >= share) return word;
    const inner = 1 + Math.floor(draw(`letter ${at}`) * (word.length - 3));
    const [a = '', b = ''] = [word[inner], word[inner + 1]];
    const swapped = word.slice(0, inner) + b + a + word.slice(inner + 2);
    return a === b || draw(`kind ${at}`) < 0.4 ? word.slice(0, inner) + word.slice(inner + 1) : swapped;
  });
}
