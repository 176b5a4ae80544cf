/**
 * The position rows of the detector data (arXiv 2505.17100): one pair under `### First Evaluation (Original
 * Order)` and again, exchanged, under `### Second Evaluation (Swapped Order)`. They record two judgments, they
 * do not ask for one; the options are those of the first.
 */

import { instructionBefore } from './instruction.ts';
import { families, labelledFindings } from './labelled.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { linesIn } from './lines.ts';

const HEADING = /^\s{0,3}#{1,6}\s{0,9}(first|second) evaluation\s{0,9}(?:\([^)]{0,60}\))?\s{0,9}:?\s{0,9}$/i;
/** What every such heading has. */
const NAMED = /evaluation/i;
const LONGEST = 80;

export const twoOrders: Layout = {
  name: 'two-orders',
  find: (pages, marks) => pages.flatMap((page) => findOn(page, marks)),
};

function findOn(page: Page, marks: readonly Mark[]): Finding[] {
  if (!NAMED.test(page.text)) return [];
  const headings = linesIn(page.text, page).flatMap((line) => {
    if (line.end - line.start > LONGEST) return [];
    const which = HEADING.exec(page.text.slice(line.start, line.end))?.[1];
    return which ? [{ ...line, which: which.toLowerCase() }] : [];
  });
  const [first, second] = headings;
  if (!first || !second) return [];
  const evaluation = (start: number, end: number) => read({ ...page, start, end }, marks);
  const one = evaluation(first.end, second.start);
  const two = evaluation(second.end, page.end);
  const headed = [first, second].map(({ start, end }) => ({ part: page.part, start, end }));
  const sound =
    headings.length === 2 &&
    first.which === 'first' &&
    second.which === 'second' &&
    one !== undefined &&
    one.options.length === two?.options.length;
  const ahead = { ...page, end: first.start };
  const heading = { page: ahead, start: first.start, end: first.end, style: 'heading 3' };
  const asked = instructionBefore([ahead], marksOn(ahead, marks), [heading]);
  return [
    {
      layout: 'two-orders',
      noun: 'output',
      usual: 'Output ({})',
      evident: true,
      marks: [...headed, ...(one?.marks ?? []), ...(two?.marks ?? [])],
      single: false,
      options: sound ? one.options : [],
      instruction: sound ? asked.at : null,
      labelled: asked.labelled,
      style: heading.style,
      closed: sound ? [{ part: page.part, start: first.start, end: two.after.offset }] : [],
      after: two?.after ?? { part: page.part, offset: page.end },
    },
  ];
}

/** The labels on a stretch of a page. */
const marksOn = (page: Page, marks: readonly Mark[]) =>
  marks
    .filter((mark) => mark.page.part === page.part && mark.start >= page.start && mark.end <= page.end)
    .map((mark) => ({ ...mark, page }));

function read(page: Page, marks: readonly Mark[]): Finding | undefined {
  const own = marksOn(page, marks);
  const found = labelledFindings([page], families(own.filter(({ noun }) => noun === 'output')), own, {
    layout: 'two-orders',
    usual: null,
    evident: true,
  });
  return found.length === 1 ? found[0] : undefined;
}
