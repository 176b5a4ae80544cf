/** Which of several readings of one prompt holds. Where that cannot be told, none does. */
import type { Finding, Page } from './layouts/layout.ts';
import type { Span } from './types.ts';

/**
 * A reading whose delimiters all stand inside another's closed stretches is part of what is judged there. Of
 * those that remain only the one counts that the prompt speaks of before it shows any of them.
 */
export function choose(pages: readonly Page[], findings: readonly Finding[]): Finding | null {
  const distinct = findings.filter(
    (finding, i) => !findings.slice(0, i).some((earlier) => sameMarks(earlier, finding)),
  );
  const outer = distinct.filter(
    (finding) => !distinct.some((other) => other !== finding && encloses(other, finding)),
  );
  const spoken = outer.length > 1 ? outer.filter((finding) => speaksOf(ahead(pages, outer), finding)) : outer;
  const [only] = spoken;
  return spoken.length === 1 && only && only.options.length > 0 ? only : null;
}

function sameMarks(specific: Finding, general: Finding): boolean {
  const starts = new Set(specific.marks.map(({ part, start }) => `${part}:${start}`));
  return general.marks.every(({ part, start }) => starts.has(`${part}:${start}`));
}

function encloses(outer: Finding, inner: Finding): boolean {
  return inner.marks.every((mark) =>
    outer.closed.some((span) => span.part === mark.part && span.start <= mark.start && mark.end <= span.end),
  );
}

/** What the prompt says before the first delimiter of any reading: nothing judged can have written that. */
function ahead(pages: readonly Page[], findings: readonly Finding[]): string {
  const first = findings.flatMap(({ marks }) => marks).reduce(earlier);
  return pages
    .filter(({ part }) => part <= first.part)
    .map(({ part, text, start, end }) => text.slice(start, part === first.part ? first.start : end))
    .join('\n');
}

const earlier = (a: Span, b: Span) => (b.part < a.part || (b.part === a.part && b.start < a.start) ? b : a);

const speaksOf = (text: string, { noun }: Finding) =>
  new RegExp(`\\b${noun.replace(/y$/, '(?:y|ie)')}s?\\b`, 'i').test(text);
