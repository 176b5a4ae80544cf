/**
 * Whose every code unit of a prompt is: the template's, or that of one of the answers put into it. Edits move owners
 * along with the text, so whether a call that Remand adds holds a piece of one answer inside another is counted, not
 * guessed.
 */
import type { Edit } from '../../src/case/counterfactual.ts';
import type { Prompt, Span } from '../../src/case/types.ts';

/** Owners beside the options' indexes. */
export const TEMPLATE = -1;
/** Text that Remand writes: a note, a label in a statement, a rewording in no alphabet of the answers. */
export const OURS = -2;

export interface OwnedPart {
  readonly text: string;
  /** One owner for every code unit. */
  readonly owners: Int8Array;
}

/** The letters that an answer is written in; hostile lines are written in Latin ones. */
export const ALPHABETS: readonly RegExp[] = [/[α-ω]/u, /[а-я]/u, /[ა-ჰ]/u];

/** @param pieces of each text of the prompt, in order, each with its owner */
export function ownedParts(
  prompt: Prompt,
  texts: readonly (readonly { readonly text: string; readonly owner: number }[])[],
): OwnedPart[] {
  const parts = prompt.parts.map(({ text }) => ({ text, owners: new Int8Array(text.length).fill(TEMPLATE) }));
  for (const pieces of texts) {
    const whole = pieces.map(({ text }) => text).join('');
    const part = parts.find(({ text }) => text.includes(whole));
    if (!part) throw new RangeError('a text of the template is not in the prompt as the adapter reads it');
    let at = part.text.indexOf(whole);
    for (const { text, owner } of pieces) {
      part.owners.fill(owner, at, at + text.length);
      at += text.length;
    }
  }
  return parts;
}

/** The parts with the edits made, each code unit with its owner. */
export function edited(parts: readonly OwnedPart[], edits: readonly Edit[]): OwnedPart[] {
  return parts.map((part, index) => {
    const here = edits.filter(({ at }) => at.part === index).sort((a, b) => a.at.start - b.at.start);
    const made: OwnedPart[] = [];
    let from = 0;
    for (const { at, with: by } of here) {
      made.push(slice(part, from, at.start));
      made.push(typeof by === 'string' ? written(by) : moved(parts, by));
      from = at.end;
    }
    made.push(slice(part, from, part.text.length));
    return joined(made);
  });
}

const slice = ({ text, owners }: OwnedPart, start: number, end: number): OwnedPart => ({
  text: text.slice(start, end),
  owners: owners.slice(start, end),
});

const moved = (parts: readonly OwnedPart[], { part, start, end }: Span): OwnedPart => {
  const from = parts[part];
  if (!from) throw new RangeError(`no part ${part}`);
  return slice(from, start, end);
};

/** A rewording is told by its alphabet; a note quotes answers and is ours all the same. */
function written(text: string): OwnedPart {
  const owners = new Int8Array(text.length).fill(OURS);
  if (!text.includes('--- Note on an earlier evaluation'))
    for (let i = 0; i < text.length; i++) {
      const owner = ALPHABETS.findIndex((alphabet) => alphabet.test(text.charAt(i)));
      if (owner >= 0) owners[i] = owner;
    }
  return { text, owners };
}

function joined(pieces: readonly OwnedPart[]): OwnedPart {
  const text = pieces.map((piece) => piece.text).join('');
  const owners = new Int8Array(text.length);
  let at = 0;
  for (const piece of pieces) {
    owners.set(piece.owners, at);
    at += piece.text.length;
  }
  return { text, owners };
}

export type Broken =
  /** A piece of one answer stands inside another. */
  | 'foreign'
  /** A piece of the template went with an answer, or is gone. */
  | 'template'
  /** Our note stands inside an answer. */
  | 'note';

/** What is wrong with a prompt that Remand made of another one. */
export function brokenIn(before: readonly OwnedPart[], after: readonly OwnedPart[]): Set<Broken> {
  const broken = new Set<Broken>();
  if (templateOf(before) !== templateOf(after)) broken.add('template');
  for (const { text, owners } of after) {
    /** Of the place between two pieces of the template. */
    let inPlace = new Set<number>();
    let noted = false;
    for (let i = 0; i < text.length; i++) {
      const owner = owners[i] ?? TEMPLATE;
      const blank = /\s/.test(text.charAt(i));
      if (owner === TEMPLATE && !blank) {
        inPlace = new Set();
        noted = false;
      } else if (owner === OURS) noted ||= inPlace.size > 0 && text.startsWith('--- Note on', i);
      else if (owner >= 0 && !blank) {
        if (noted) broken.add('note');
        inPlace.add(owner);
        if (inPlace.size > 1) broken.add('foreign');
      }
    }
  }
  return broken;
}

/** What the template says, less white space, in order. */
function templateOf(parts: readonly OwnedPart[]): string {
  let said = '';
  for (const { text, owners } of parts)
    for (let start = 0, end = 0; start < text.length; start = end) {
      // Of one owner each.
      while (end < text.length && owners[end] === owners[start]) end++;
      if (owners[start] === TEMPLATE) said += text.slice(start, end);
    }
  return said.replace(/\s+/g, '');
}
