/**
 * Where in a reply its label stands. Where the client is not known, its parser may be one that takes a label only
 * where the first reply had it: alone, on the first line, or with nothing behind it.
 */
import type { VerdictForm } from '../types.ts';
import { formKindOf } from '../verdicts/index.ts';

/**
 * @returns whether the label of `text` stands in every such place where that of `first` does; true for forms whose
 *   one client is known (`rule`), as they are read by its own rule, and for fields of JSON
 */
export function keepsPlace(text: string, first: string, form: VerdictForm): boolean {
  const label = form.field === null ? formKindOf(form).labelSource?.(form) : null;
  if (!label) return true;
  // At the beginning of a sentence it may only be what the sentence is about: "Output (a) is longer, but …".
  const places = [`^(?:${label})$`, `^(?:${label})[.:]?[ \\t]*(?:\\n|$)`, `(?<![\\p{L}\\p{N}])(?:${label})$`];
  return places.every((place) => {
    const there = new RegExp(place, 'u');
    return !there.test(first.trim()) || there.test(text.trim());
  });
}
