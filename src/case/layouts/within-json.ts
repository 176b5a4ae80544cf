/** Whether texts that were looked up in a prompt stand within the strings of a JSON document there. */
import { findNodeAtOffset, type ParseError, parseTree } from 'jsonc-parser';
import { unescaped } from '../nested.ts';
import type { Span } from '../types.ts';
import { documentsIn } from './documents.ts';
import type { Page } from './layout.ts';

/**
 * @param found where each text stands, as it is or escaped
 * @returns 1 where all are content of JSON strings, 0 where none is; null where some are and some are not:
 *   exchanged as they were sent, they would not say the same
 */
export function levelOf(
  pages: readonly Page[],
  found: readonly (Span & { readonly text: string })[],
): 0 | 1 | null {
  const inDocument = stringsIn(pages);
  const shown = found.map((at) => {
    const page = pages.find(({ part }) => part === at.part)?.text ?? '';
    const written = page.slice(at.start, at.end);
    const quoted = page[at.start - 1] === '"' && page[at.end] === '"';
    return { at, quoted, content: unescaped(written, 1) !== null, escaped: written !== at.text };
  });
  // A document that begins no line is not looked for: what stands there escaped shows it.
  const seen = shown.some(({ escaped }) => escaped);
  const levels = shown.map(
    ({ at, quoted, content, escaped }) => content && (escaped || (seen && quoted) || inDocument(at)),
  );
  if (new Set(levels).size > 1) return null;
  return levels[0] ? 1 : 0;
}

/** Tells whether a span lies within a string of a document that begins a line. */
function stringsIn(pages: readonly Page[]): (at: Span) => boolean {
  const documents = pages.flatMap((page) =>
    [...documentsIn(page)].flatMap(({ start, end }) => {
      const errors: ParseError[] = [];
      const root = parseTree(page.text.slice(start, end), errors, { disallowComments: true });
      return root && errors.length === 0 ? [{ part: page.part, start, end, root }] : [];
    }),
  );
  return ({ part, start, end }) => {
    const document = documents.find((one) => one.part === part && one.start <= start && end <= one.end);
    if (!document) return false;
    const node = findNodeAtOffset(document.root, start - document.start);
    if (node?.type !== 'string') return false;
    const opens = document.start + node.offset;
    return opens < start && end < opens + node.length;
  };
}
