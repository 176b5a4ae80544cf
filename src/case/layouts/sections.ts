/**
 * The general reader: sections under a heading, in brackets, bold, or a bare label (`## Answer A`, `[Response
 * 1]`, `**Option B:**`, `Story 2: …`), and one labelled answer to be rated (`[Submission]: …`, `Response:`).
 */

import type { Span } from '../types.ts';
import { bodies } from './bodies.ts';
import { speechOf, tailOf } from './closing.ts';
import { instructionBefore } from './instruction.ts';
import { families, labelledFindings } from './labelled.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { lineStart, linesIn } from './lines.ts';

const GENERAL = { layout: 'sections', usual: null, evident: false };
/** LLMBar and the detector data published with arXiv 2505.17100: `Output (a): … Output (b): …`, in a heading or not. */
const PUBLISHED = { layout: 'output-labels', usual: 'Output ({})', evident: true };
const isPublished = ({ noun, label }: Mark) => noun === 'output' && /^output ?\([a-z]\)$/i.test(label);

export const sections: Layout = {
  name: 'sections',
  find(pages, marks) {
    return families(marks).flatMap((family) =>
      labelledFindings(pages, [family], marks, family.every(isPublished) ? PUBLISHED : GENERAL),
    );
  },
};

/** More labels than this cannot be told apart, and need not be read. */
const MOST = 20;

export const submission: Layout = {
  name: 'submission',
  find(pages, marks) {
    const single = marks.filter(({ role }) => role === 'single').slice(0, MOST);
    const [first] = single;
    // A second label of the same sort: the answer holds the first one's delimiters, or it is not the first.
    const twice = single.filter(({ style, label }) => style === first?.style && label === first.label);
    const empty = first && single.length > 1 && textOf(first.page, regionOf(marks, first)) === '';
    if (first && (empty || twice.length > 1))
      return [{ ...finding(pages, marks, first, regionOf(marks, first)), options: [] }];
    const regions = single.map((mark) => ({ mark, region: regionOf(marks, mark) }));
    const ruled = regions.filter(({ region }) => region.ruled);
    // Between rules the template's label stands under its rule, and whatever stands behind it there is judged.
    const outside = regions.filter(({ mark }) => !ruled.some(({ region }) => isWithin(mark, region)));
    const inside = outside.filter(({ mark, region }) => !region.ruled && isInside(marks, mark));
    // Behind the label of a lone option one cannot tell: it may be a line of the question.
    const lost = inside.length > 0 && inside.length < outside.length;
    // Beside one between rules, which shows how the template sets its sections off, another one is a line of its texts.
    const mixed = lost || outside.some(({ mark }) => ruleAbove(mark) !== null);
    // An empty one in front of something else has the template's label, perhaps, and another one then has not.
    const bare = outside.some(
      ({ mark, region }) =>
        textOf(mark.page, region) === '' && textOf(mark.page, { ...region, end: mark.page.end }) !== '',
    );
    if (first && outside.length > 1 && (mixed || bare))
      return [
        { ...finding(pages, marks, first, regionOf(marks, first)), marks: single.map(spanOf), options: [] },
      ];
    const read = regions.filter(
      ({ mark, region }) => textOf(mark.page, region) !== '' && !inside.some((one) => one.mark === mark),
    );
    return read.map(({ mark, region }) => finding(pages, marks, mark, region));
  },
};

const spanOf = ({ page, start, end }: Mark): Span => ({ part: page.part, start, end });

const isWithin = ({ page, start, end }: Mark, region: Span) =>
  page.part === region.part && start >= region.start && end <= region.end;

/** "Answer: 40" right behind `[Response 1]` is how one of several answers begins. */
function isInside(marks: readonly Mark[], mark: Mark): boolean {
  const ahead = marks.findLast((other) => other.page === mark.page && other.start < mark.start);
  return ahead?.role === 'option' && ahead.key !== null;
}

interface Region extends Span {
  /** Whether a rule ends it. */
  readonly ruled: boolean;
}

/** To the next section of the same style or, without one, to the judge's orders. */
function regionOf(marks: readonly Mark[], mark: Mark): Region {
  const { page } = mark;
  const next = marks.find(
    (other) =>
      other.page === page && other.start >= mark.end && other.style === mark.style && other.role !== 'option',
  );
  const section = { start: mark.end, end: next?.start ?? page.end };
  const ruled = ruleBelow(page, mark, section.end);
  // Between rules the data ends where it says, whatever it ends with.
  if (ruled !== undefined) return { part: page.part, start: mark.end, end: ruled, ruled: true };
  const tail = tailOf(page.text, { start: mark.end, end: section.end }, speechOf(mark.noun, []), {
    inline: false,
    dense: false,
  });
  return { part: page.part, start: mark.end, end: tail.end, ruled: false };
}

/** Data between rules (`***`), as OpenAI's and LangChain's graders set it: the rule above ends it below, too. */
function ruleBelow(page: Page, mark: Mark, end: number): number | undefined {
  const above = ruleAbove(mark);
  if (above === null) return undefined;
  for (const line of linesIn(page.text, { start: mark.end, end }))
    if (line.end - line.start < 50 && page.text.slice(line.start, line.end).trim() === above)
      return line.start;
  return undefined;
}

function ruleAbove({ page, start: at }: Mark): string | null {
  const start = lineStart(page.text, at);
  const above = start > page.start ? page.text.slice(lineStart(page.text, start - 1), start).trim() : '';
  return /^[-*=_]{3,40}$/.test(above) ? above : null;
}

const textOf = (page: Page, { start, end }: Span) => page.text.slice(start, end).trim();

function finding(pages: readonly Page[], marks: readonly Mark[], mark: Mark, region: Region): Finding {
  const body = bodies(pages, [region])?.[0];
  const asked = instructionBefore(pages, marks, [mark]);
  return {
    layout: 'submission',
    single: true,
    noun: mark.noun,
    usual: null,
    evident: false,
    marks: [{ part: mark.page.part, start: mark.start, end: mark.end }],
    options: body ? [{ label: mark.label, at: body }] : [],
    instruction: asked.at,
    labelled: asked.labelled,
    style: mark.style,
    closed: region.ruled ? [region] : [],
    after: { part: region.part, offset: body?.end ?? region.end },
  };
}
