/**
 * Sections that only their labels set off (`Output (a): … Output (b): …`): an option runs to the next option's
 * label, the last one to the judge's closing orders. Shared by the layouts that are set this way.
 *
 * Nothing but the labels says where an option ends, so they have to add up: every key once, counting up. A
 * judged text with the same labels inside makes a prompt that is left alone.
 */

import type { Span } from '../types.ts';
import { before, bodies, type Point, stretch } from './bodies.ts';
import { movingBylines } from './byline.ts';
import { isRepeated, speechOf, tailOf } from './closing.ts';
import { instructionBefore } from './instruction.ts';
import type { Finding, Mark, Page } from './layout.ts';
import { lineEnd } from './lines.ts';
import { countUp } from './titles.ts';

type Family = readonly Mark[];

/** Styles that a judged text does not use for its own short labels. */
const SET_OFF = /^(?:heading|bracket|ruled)/;

/** Whether a label is an option's that something tells apart from others. */
const isKeyed = ({ role, key }: Mark): boolean => role === 'option' && key !== null;

/** Labels of one kind: same style, same noun, letters or numbers. Only such are of one set. */
export function families(marks: readonly Mark[]): Family[] {
  const keyed = marks.filter(isKeyed);
  const sets = Map.groupBy(keyed, ({ style, noun, key }) => `${style} ${noun} ${/^\d/.test(key ?? '')}`);
  return [...sets.values()].filter((set) => set.length > 1);
}

export function labelledFindings(
  pages: readonly Page[],
  sets: readonly Family[],
  marks: readonly Mark[],
  layout: Pick<Finding, 'layout' | 'usual' | 'evident'>,
): Finding[] {
  return sets.map((family) => readFamily(pages, marks, family, layout));
}

function readFamily(
  pages: readonly Page[],
  marks: readonly Mark[],
  family: Family,
  layout: Pick<Finding, 'layout' | 'usual' | 'evident'>,
): Finding {
  const noun = family[0]?.noun ?? '';
  const spans = family.map(({ page, start, end }) => ({ part: page.part, start, end }));
  const broken: Finding = {
    ...layout,
    noun,
    marks: spans,
    options: [],
    single: false,
    instruction: null,
    labelled: false,
    style: family[0]?.style ?? '',
    closed: [],
    after: { part: spans.at(-1)?.part ?? 0, offset: spans.at(-1)?.end ?? 0 },
  };
  if (!countUp(family.map((mark) => mark.key ?? ''))) return broken;
  const regions = regionsOf(pages, marks, family, noun);
  const found = regions && bodies(pages, regions);
  const last = found?.at(-1);
  if (!found || !last) return broken;
  // One author named and the other not: what the label of the other would have to say cannot be told.
  const bylines = movingBylines(family);
  if (!bylines) return broken;
  const asked = instructionBefore(pages, marks, family);
  // Each side with an instruction of its own: an answer would come to stand under the other's.
  if (asksDifferently(marks, family)) return broken;
  return {
    ...broken,
    options: family.map(({ label }, i) => {
      const [at, moving = []] = [found[i] ?? last, bylines[i]];
      return { label, at, ...(moving.length > 0 && { moves: [...moving, at] }) };
    }),
    instruction: asked.at,
    labelled: asked.labelled,
    // The last one is open: what follows in it may be another layout's delimiters just as well.
    closed: [...regions.slice(0, -1), ...repeats(marks, family)],
    after: { part: last.part, offset: last.end },
  };
}

function regionsOf(
  pages: readonly Page[],
  marks: readonly Mark[],
  family: Family,
  noun: string,
): Span[] | null {
  const speech = speechOf(
    noun,
    family.map(({ label }) => label),
  );
  const inline = family.some(({ page, end }) => page.text.slice(end, lineEnd(page.text, end)).trim() !== '');
  const dense = family
    .slice(1)
    .some(
      ({ page, start }) => !/(?:^|\n)[ \t\r]*\n[ \t]*$/.test(page.text.slice(Math.max(0, start - 40), start)),
    );
  const regions: Span[] = [];
  for (const [i, mark] of family.entries()) {
    const next = family[i + 1];
    // One of the two is the option's own.
    if (next && repeatsBetween(marks, mark, next).length > 1) return null;
    const region = next
      ? stretch(pages, endOf(mark), startOf(sideBySide(marks, mark, next) ?? next))
      : lastStretch(pages, mark);
    if (!region) return null;
    const page = pages.find(({ part }) => part === region.part);
    const text = page?.text ?? '';
    const own = marks.filter((other) => other.page === page && endsBody(other, mark, region));
    const end = own[0]?.start ?? region.end;
    const tail = tailOf(text, { start: region.start, end }, speech, { inline, dense });
    // Where an earlier option holds what would end the last one, or the last one holds it twice, nothing says
    // where the last one ends.
    // A section of the judge's own has ended the option already, so an order above it may be the option's.
    const asksAbove = own.length > 0 && tail.orders.length > 0;
    if (next ? own.length > 0 || tail.orders.length > 0 : tail.doubtful || asksAbove) return null;
    if (!next && tail.onlyOrders && !regions.some((other) => leadOf(pages, other) === leadOf(pages, region)))
      return null;
    if (new Set(own.map(({ noun: section }) => section)).size < own.length) return null;
    const from = family[0]?.page === page ? (family[0]?.end ?? 0) : 0;
    const ahead = pages.filter(({ part }) => part < region.part).map((other) => other.text);
    if (isRepeated(text, tail.orders, from, ahead.join('\n'))) return null;
    regions.push({ ...region, end: tail.end });
  }
  return regions;
}

/** The white space in front of a body; null where there is none, only white space. */
function leadOf(pages: readonly Page[], { part, start, end }: Span): string | null {
  const text = pages.find((page) => page.part === part)?.text.slice(start, end) ?? '';
  return text.trim() === '' ? null : text.slice(0, text.length - text.trimStart().length);
}

/** Whether a section's label ends the body it stands in: one of the judge's own, in the options' style. */
function endsBody(mark: Mark, option: Mark, region: Span): boolean {
  return (
    mark.start >= region.start &&
    mark.start < region.end &&
    mark.style === option.style &&
    (mark.noun !== 'statement' || SET_OFF.test(mark.style)) &&
    (mark.role === 'judge' || (mark.role === 'maybe' && SET_OFF.test(mark.style)))
  );
}

/** Battle prompts repeat the instruction for each side: `[Instruction 2]` stands before `[Response 2]`. */
function sideBySide(marks: readonly Mark[], mark: Mark, next: Mark): Mark | undefined {
  return repeatsBetween(marks, mark, next).at(-1);
}

function repeatsBetween(marks: readonly Mark[], mark: Mark, next: Mark): readonly Mark[] {
  return marks.filter(
    (other) =>
      other.role === 'instruction' &&
      other.style === mark.style &&
      other.key === next.key &&
      before(startOf(mark), startOf(other)) &&
      before(startOf(other), startOf(next)),
  );
}

function asksDifferently(marks: readonly Mark[], family: Family): boolean {
  const asked = family.flatMap((option) => {
    const label = marks.findLast(
      ({ role, style, key, page, start }) =>
        role === 'instruction' &&
        style === option.style &&
        key !== null &&
        key === option.key &&
        page === option.page &&
        start < option.start,
    );
    return label ? [option.page.text.slice(label.end, option.start).trim()] : [];
  });
  return new Set(asked).size > 1;
}

/** From the repeated instruction's label to the option it stands before. */
function repeats(marks: readonly Mark[], family: Family): Span[] {
  return family.flatMap((next, i) => {
    const mark = family[i - 1];
    const again = mark && sideBySide(marks, mark, next);
    if (again?.page !== next.page) return [];
    return [{ part: next.page.part, start: again.start, end: next.start }];
  });
}

/** The last option stands on the rest of its label's part or, where that is blank, is the next part. */
function lastStretch(pages: readonly Page[], mark: Mark): Span | null {
  const rest = { part: mark.page.part, start: mark.end, end: mark.page.end };
  if (mark.page.text.slice(rest.start, rest.end).trim() !== '') return rest;
  const next = pages.find((page) => page.part > mark.page.part);
  return next ? { part: next.part, start: next.start, end: next.end } : rest;
}

const startOf = (mark: Mark): Point => ({ page: mark.page, offset: mark.start });
const endOf = (mark: Mark): Point => ({ page: mark.page, offset: mark.end });
