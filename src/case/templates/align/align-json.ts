/**
 * What JSON documents of one pipeline have in common: keys and punctuation are literals, and a string, a number or a list
 * that varies is a slot. Words that the texts in it share by chance are none.
 */
import { type Node, parseTree } from 'jsonc-parser';
import { documentsIn } from '../../layouts/documents.ts';
import type { TextRange } from '../../types.ts';
import { followsInOrder, onlyDifference, rolesOfLabel, wordsOfLabel } from '../../words/vocabulary.ts';

/**
 * The first document that differs between the texts and has the same keys in all of them.
 *
 * @returns for each text where it stands; null where there is none, or where the line above says that it is an answer
 */
export function varyingDocument(texts: readonly string[]): TextRange[] | null {
  const all = texts.map((text) => [...documentsIn({ part: 0, text, start: 0, end: text.length })]);
  const [first = []] = all;
  for (let n = 0; n < first.length; n++) {
    const ranges = all.flatMap((documents) => documents[n] ?? []);
    if (ranges.length < texts.length) return null;
    const written = texts.map((text, at) => text.slice(ranges[at]?.start, ranges[at]?.end));
    if (written.every((one) => one === written[0])) continue;
    const above = texts.map((text, at) => lastWords(text.slice(0, ranges[at]?.start)));
    const isAnswer = rolesOfLabel(above[0] ?? '')
      .flat()
      .includes('answer');
    return above.every((line) => line === above[0]) && !isAnswer ? ranges : null;
  }
  return null;
}

/**
 * Documents that are answers themselves: each stands alone behind a label that differs in one word from the label of another
 * one, as `Output A:` from `Output B:`. What they have in common is no template's, but for the key of `{"answer": "…"}`.
 *
 * @returns for each text where such documents stand
 */
export function answersAmong(texts: readonly string[]): TextRange[][] {
  const all = texts.map((text) =>
    [...documentsIn({ part: 0, text, start: 0, end: text.length }, BEHIND_LABEL)].flatMap((range) => {
      const label = lastWords(text.slice(0, range.start)).trim();
      const isAlone = /^[^\S\n]*(?:\n|$|<\/)/.test(text.slice(range.end, range.end + 20));
      return isAlone && label.length <= LONGEST_LABEL ? [{ range, words: wordsOfLabel(label) }] : [];
    }),
  );
  const labels = all.flat().map(({ words }) => words);
  const siblings = all.map((some) =>
    some.flatMap(({ range, words }) => (labels.some((other) => areSiblings(words, other)) ? [range] : [])),
  );
  const documents = siblings.flatMap((some, n) =>
    some.map(({ start, end }) => parseTree(texts[n]?.slice(start, end) ?? '')),
  );
  return documents.every((root) => root?.type === 'object' && root.children?.length === 1)
    ? texts.map(() => [])
    : siblings;
}

/** Whether two labels have a word in common and count, or are names that follow each other. */
function areSiblings(a: readonly string[], b: readonly string[]): boolean {
  const at = onlyDifference(a, b);
  const [one = '', other = ''] = at === null ? [] : [a[at], b[at]];
  return at !== null && (a.length > 1 || followsInOrder(one, other) || followsInOrder(other, one));
}

/** The start of a line up to a document: nothing, or a label. */
const BEHIND_LABEL = /^(?:[^\n:：{[]{1,80}[:：→>])?\s*(?=[{[])/;

/** Characters of a label in front of a document. */
const LONGEST_LABEL = 80;

/** The last line with something on it. */
const lastWords = (text: string) => text.trimEnd().split('\n').at(-1)?.slice(-200) ?? '';

/**
 * @param texts JSON documents, two or more
 * @returns the literals in order; null where the documents have not the same keys
 *
 * @example literalsOfDocuments(['{"a": "x"}', '{"a": "y"}']) // ['{"a": "', '"}']
 */
export function literalsOfDocuments(texts: readonly string[]): string[] | null {
  const roots = texts.flatMap((text) => parseTree(text, [], { disallowComments: true }) ?? []);
  if (roots.length < texts.length || roots.some(({ type }) => type !== 'object')) return null;
  const slots = slotsAmong(roots, texts);
  if (slots === null || slots.length === 0) return null;
  const literals = texts.map((text, n) => {
    const own = slots.map((slot) => slot[n] ?? { start: 0, end: 0 });
    return Array.from({ length: own.length + 1 }, (_, at) =>
      text.slice(own[at - 1]?.end ?? 0, own[at]?.start ?? text.length),
    );
  });
  const [first = []] = literals;
  return literals.every((one) => one.every((literal, at) => literal === first[at])) ? first : null;
}

/** Where each slot stands in each of the texts; null where the documents have other keys. */
function slotsAmong(nodes: readonly Node[], texts: readonly string[]): TextRange[][] | null {
  const rangeOf = ({ offset, length }: Node): TextRange => ({ start: offset, end: offset + length });
  const inner = (node: Node): TextRange => ({ start: node.offset + 1, end: node.offset + node.length - 1 });
  const [first] = nodes;
  if (!first) return null;
  if (nodes.every((node, n) => writtenIn(texts[n], node) === writtenIn(texts[0], first))) return [];
  if (nodes.some(({ type }) => type !== first.type)) return [nodes.map(rangeOf)];
  const children = nodes.map((node) => node.children ?? []);
  const alike = children.every((own) => own.length === children[0]?.length);
  if (first.type === 'string') return [nodes.map(inner)];
  if (first.type === 'array' && alike && children[0]?.length !== 0) return each(children, texts);
  if (first.type === 'array') return [nodes.map(inner)];
  if (first.type !== 'object') return [nodes.map(rangeOf)];
  const keys = children.map((own) => own.map(({ children: [key] = [] }) => key?.value));
  if (!keys.every((own) => own.join('\0') === keys[0]?.join('\0'))) return null;
  return each(
    children.map((own) => own.flatMap(({ children: [, value] = [] }) => value ?? [])),
    texts,
  );
}

function each(children: readonly (readonly Node[])[], texts: readonly string[]): TextRange[][] | null {
  const slots: TextRange[][] = [];
  for (const n of children[0]?.keys() ?? []) {
    const found = slotsAmong(
      children.flatMap((own) => own[n] ?? []),
      texts,
    );
    if (found === null) return null;
    slots.push(...found);
  }
  return slots;
}

const writtenIn = (text = '', { offset, length }: Node) => text.slice(offset, offset + length);
