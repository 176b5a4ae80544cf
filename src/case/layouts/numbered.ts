/**
 * A question and numbered choices, one or more lines each: the sentiment rows of the detector data (arXiv
 * 2505.17100). Numbered lists are everywhere, so this layout is asked last, and only a list that counts from
 * 1 with no other numbered line beside it is one of choices.
 */

import type { Span } from '../types.ts';
import { bodies } from './bodies.ts';
import { isRepeated, speechOf, tailOf } from './closing.ts';
import { instructionBefore } from './instruction.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { linesIn } from './lines.ts';
import { countUp } from './titles.ts';

/** Indented by no more than a template's own indentation, which often reaches the first choice only. */
const NUMBER = /^([ \t]{0,8})(\d{1,2})[.)](?=\s|$)/;

const NAMES = /\b(?:choices?|options?|answers?|statements?|number|output|responses?)\b|\[\[/i;

/** A line over a list of what to judge by or how to go about it. */
const GUIDELINES =
  /\b(?:aspects|criteria|dimensions|principles|rules|requirements|guidelines|instructions|considerations|factors|steps|metrics|axes)\b[^\n]{0,60}:[\s*_]{0,20}$/i;

/** Choices begin beside their number; a blank line ends the list. */
const SETTING = { inline: true, dense: false };

export const numbered: Layout = {
  name: 'numbered',
  find: (pages, marks) => pages.flatMap((page) => findOn(page, marks)),
};

function findOn(page: Page, marks: readonly Mark[]): Finding[] {
  const items = linesIn(page.text, page).flatMap(({ start, end }) => {
    const match = NUMBER.exec(page.text.slice(start, Math.min(end, start + 12)));
    if (!match) return [];
    const [label, indent = '', key = ''] = match;
    return [{ start: start + indent.length, end: start + label.length, key }];
  });
  const keys = items.map((item) => item.key);
  if (!countUp(keys) || keys[0] !== '1') return [];
  if (GUIDELINES.test(lineAbove(page.text, items[0]?.start ?? 0))) return [];
  const regions = items.map((item, i): Span => {
    const next = items[i + 1];
    return { part: page.part, start: item.end, end: next?.start ?? page.end };
  });
  const { offers } = speechOf('choice', keys);
  const tails = regions.map((region) => tailOf(page.text, region, { names: () => NAMES, offers }, SETTING));
  if (tails.slice(0, -1).some((tail) => tail.orders.length > 0)) return [];
  const last = tails.at(-1);
  // Inside a quotation (`"output": """1. …`) it is the text's own.
  const quotes = page.text.slice(page.start, items[0]?.start).match(/"""/g) ?? [];
  if (quotes.length % 2 === 1) return [];
  if (!last || last.doubtful || isRepeated(page.text, last.orders, items[0]?.end ?? 0)) return [];
  const cut = regions.map((region, i) => ({ ...region, end: tails[i]?.end ?? region.end }));
  const found = bodies([page], cut);
  const first = items[0];
  const end = found?.at(-1);
  if (!found || !first || !end) return [];
  const asked = instructionBefore(
    [page],
    marks.filter((mark) => mark.page === page),
    [{ page, ...first, style: 'number' }],
  );
  return [
    {
      layout: 'numbered',
      single: false,
      noun: 'choice',
      usual: 'Choice {}',
      evident: false,
      marks: items.map(({ start, end: to }) => ({ part: page.part, start, end: to })),
      options: items.flatMap((item, i) => {
        const at = found[i];
        return at ? [{ label: item.key, at }] : [];
      }),
      instruction: asked.at,
      labelled: asked.labelled,
      style: 'number',
      closed: cut.slice(0, -1),
      after: { part: page.part, offset: end.end },
    },
  ];
}

/** The last line with words in front of a place. */
function lineAbove(text: string, offset: number): string {
  const above = text.slice(Math.max(0, offset - 400), offset).trimEnd();
  return above.slice(above.lastIndexOf('\n') + 1);
}
