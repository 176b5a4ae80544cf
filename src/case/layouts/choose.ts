/** Which of several readings of one prompt holds. Where that cannot be told, none does. */
import type { Finding, Mark, Page } from './layout.ts';
import { contains } from './quoted.ts';

/**
 * A reading whose delimiters all stand inside what another one takes for judged text is part of that text. Of
 * those that remain only the one counts that the judge's own orders speak of.
 *
 * @param pages what the readings are of
 * @param marks the labels on the pages
 * @param orders texts that hold nothing judged, such as the system message
 */
export function choose(
  pages: readonly Page[],
  marks: readonly Mark[],
  orders: readonly string[],
  findings: readonly Finding[],
): Finding | null {
  const [first, ...others] = findings;
  if (others.length === 0) return first && first.options.length > 0 ? first : null;
  const distinct = findings.filter(
    (finding, i) => !findings.slice(0, i).some((earlier) => sameMarks(earlier, finding)),
  );
  const told = [...orders, ...pages.flatMap((page) => preamble(page, marks))].join('\n');
  const outer = distinct.filter(
    (inner) =>
      !distinct.some(
        (other) => other !== inner && (encloses(other, inner) || asksAbout(pages, told, other, inner)),
      ),
  );
  const spoken = outer.length > 1 ? outer.filter((finding) => speaksOf(told, finding)) : outer;
  const [only] = spoken;
  return spoken.length === 1 && only && only.options.length > 0 ? only : null;
}

function sameMarks(specific: Finding, general: Finding): boolean {
  const starts = new Set(specific.marks.map(({ part, start }) => `${part}:${start}`));
  return general.marks.every(({ part, start }) => starts.has(`${part}:${start}`));
}

/** Whether all of one reading's delimiters stand in what another one takes for judged text. */
export function encloses(outer: Finding, inner: Finding): boolean {
  return inner.marks.every((mark) => outer.closed.some((span) => contains(span, mark)));
}

/**
 * Whether `inner` is material in the instruction of `outer` ("Summarise these: Article 1: …"). The instruction
 * has no end but the first option, so the judge must not speak of what `inner` is made of, neither before nor
 * after, and the styles have to tell the two apart.
 */
function asksAbout(pages: readonly Page[], told: string, outer: Finding, inner: Finding): boolean {
  const { instruction, after } = outer;
  if (!instruction || !outer.labelled || outer.style === inner.style) return false;
  if (!inner.marks.every((mark) => contains(instruction, mark))) return false;
  const behind = pages.find(({ part }) => part === after.part);
  return !speaksOf(`${told}\n${behind?.text.slice(after.offset, behind.end) ?? ''}`, inner);
}

/** What a page says before the label of its instruction: nothing judged can have written that. */
function preamble(page: Page, marks: readonly Mark[]): string[] {
  const label = marks.find((mark) => mark.page === page && mark.role === 'instruction');
  return label ? [page.text.slice(page.start, label.start)] : [];
}

const speaksOf = (text: string, { noun }: Finding) =>
  new RegExp(`\\b${noun.replace(/y$/, '(?:y|ie)')}s?\\b`, 'i').test(text);
