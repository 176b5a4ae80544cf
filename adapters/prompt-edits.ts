/** Edits of a prompt's texts, turned into splices of the JSON that holds them. Any JSON protocol can use it. */
import type { Edit, Span } from '../src/case/index.ts';
import type { JsonSource, Splice } from './json-source.ts';
import { detectStringStyle, encodeInside, mapRawOffsets, type RawOffset } from './json-string.ts';
import type { JsonNode } from './json-tree.ts';

/** Where the JSON holds a text: all of a string literal, or a stretch of it. */
export interface TextPlace {
  readonly text: string;
  readonly literal: JsonNode;
  /** Where the text begins in the decoded literal, in UTF-16 code units. */
  readonly from: number;
}

/**
 * What makes splices of edits; one for a request, however often that is edited, so that the places of its characters
 * are looked up once. A replacement given as a span is moved as raw text: exchanging two spans twice gives back the
 * same bytes.
 *
 * @param places where each part of the prompt is held
 * @returns a function that throws a RangeError where a span lies outside its part
 */
export function createEditSplicer(
  source: JsonSource,
  places: readonly TextPlace[],
): (edits: readonly Edit[]) => Splice[] {
  const maps = new Map<JsonNode, RawOffset>();
  const rawSpan = (span: Span): { start: number; end: number } => {
    const place = places[span.part];
    if (!place || span.start < 0 || span.end < span.start || span.end > place.text.length) {
      throw new RangeError(`no span [${span.start}, ${span.end}) in part ${span.part}`);
    }
    const { literal, from } = place;
    const map = maps.get(literal) ?? mapRawOffsets(source.text, literal);
    maps.set(literal, map);
    return { start: map(from + span.start), end: map(from + span.end) };
  };
  const spliced = (edit: Edit): Splice => {
    const at = rawSpan(edit.at);
    if (typeof edit.with !== 'string') {
      const from = rawSpan(edit.with);
      return { ...at, with: source.text.slice(from.start, from.end) };
    }
    if (edit.with === '') return { ...at, with: '' };
    const node = places[edit.at.part]?.literal;
    const raw = node ? source.text.slice(node.offset, node.offset + node.length) : '';
    return { ...at, with: encodeInside(edit.with, () => detectStringStyle(raw, source.text)) };
  };
  return (edits) => edits.map(spliced);
}
