/**
 * Where in a reply its label stands. Where the client is not known, its parser may be one that takes a label only
 * where the first reply had it: alone, on the first line, or with nothing behind it.
 */
import type { Spelling, VerdictForm } from '../types.ts';

/**
 * @returns whether the label of `text` stands in every such place where that of `first` does; true for forms whose
 *   one client is known (`rule`), as they are read by its own rule, and for fields of JSON
 */
export function keepsPlace(text: string, first: string, form: VerdictForm): boolean {
  const label = form.field === null ? labelPattern(form) : null;
  if (label === null) return true;
  // At the beginning of a sentence it may only be what the sentence is about: "Output (a) is longer, but …".
  const places = [`^(?:${label})$`, `^(?:${label})[.:]?[ \\t]*(?:\\n|$)`, `(?<![\\p{L}\\p{N}])(?:${label})$`];
  return places.every((place) => {
    const there = new RegExp(place, 'u');
    return !there.test(first.trim()) || there.test(text.trim());
  });
}

const NUMBER = '-?\\d{1,9}(?:\\.\\d{1,9})?';

function labelPattern(form: VerdictForm): string | null {
  switch (form.kind) {
    case 'choice':
      return form.write && labels(form.write, form.tie);
    case 'pass':
    case 'category':
      return form.write ? labels(form.write, null) : null;
    case 'score':
      return (form.template ?? '{}').split('{}').map(RegExp.escape).join(NUMBER);
    case 'scores':
    case 'ranking':
    case 'list':
      return null;
  }
}

function labels({ template, labels, strong = [], rule }: Spelling, tie: string | null): string | null {
  // `unique` is the rule of templates that several clients share: LangChain takes the first label in Python and
  // the last line in JavaScript.
  if (rule !== undefined && rule !== 'unique') return null;
  const written = [...labels, ...strong].map((label) => template.replaceAll('{}', () => label));
  return [...written, ...(tie === null ? [] : [tie])].map((one) => RegExp.escape(one)).join('|');
}
