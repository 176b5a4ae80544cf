/** Edits of a prompt's texts, turned into splices of the JSON that holds them. Any JSON protocol can use it. */
import type { Node } from 'jsonc-parser';
import type { Edit } from '../src/case/counterfactual.ts';
import type { Span } from '../src/case/types.ts';
import type { JsonSource, Splice } from './json-source.ts';
import { encodeInside, type RawOffset, rawOffsets, styleOf } from './json-string.ts';

/**
 * A replacement given as a span is moved as raw text, so exchanging two spans twice gives back the same bytes.
 *
 * @param literals the string literal that holds each part of the prompt
 * @throws RangeError where a span lies outside its part
 */
export function editSplices(source: JsonSource, literals: readonly Node[], edits: readonly Edit[]): Splice[] {
  const maps = new Map<number, RawOffset>();
  const rawSpan = (span: Span): { start: number; end: number } => {
    const node = literals[span.part];
    const length = typeof node?.value === 'string' ? node.value.length : -1;
    if (!node || span.start < 0 || span.end < span.start || span.end > length) {
      throw new RangeError(`no span [${span.start}, ${span.end}) in part ${span.part}`);
    }
    const map = maps.get(span.part) ?? rawOffsets(source.text, node);
    maps.set(span.part, map);
    return { start: map(span.start), end: map(span.end) };
  };
  return edits.map((edit) => {
    const at = rawSpan(edit.at);
    if (typeof edit.with !== 'string') {
      const from = rawSpan(edit.with);
      return { ...at, with: source.text.slice(from.start, from.end) };
    }
    if (edit.with === '') return { ...at, with: '' };
    const node = literals[edit.at.part];
    const raw = node ? source.text.slice(node.offset, node.offset + node.length) : '';
    return { ...at, with: encodeInside(edit.with, styleOf(raw, source.text)) };
  });
}
