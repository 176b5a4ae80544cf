/**
 * DeepEval's GEval: the fields of a test case under their names, the names once more as `Parameters`, and an
 * example of the JSON to write. The names say which sections there are, so that an answer ends where the next of
 * them begins and not where it looks like it.
 */
import { lineEnd, linesIn, type Range } from '../reading/lines.ts';
import type { Span } from '../types.ts';
import { bodies } from './bodies.ts';
import { kept } from './instruction.ts';
import type { Finding, Layout, Page } from './layout.ts';

const JUDGED = 'Actual Output';
const ASKED = 'Input';
const NAME =
  '(?:Input|(?:Actual|Expected) Output|(?:Retrieval )?Context|Metadata|Tags|Expected Tools|Tools Called)';
const NAMES = `${NAME}(?:,? (?:and )?${NAME}){0,8}`;
/** How the prompt closes, in its plain and in its strict wording; no judged text can stand behind it. */
const CLOSING =
  /\n(?:-{3,}|\*\*)[ \t]*\n(?:IMPORTANT:[^\n]{0,300}\n\s{0,4})?\**Example JSON:\**\s{0,4}\{[^{}]{0,400}\}\s{0,4}(?:\*\*\s{0,4})?JSON:\s{0,8}$/;
/** The closing words and their example are no longer. */
const LONGEST_CLOSING = 1200;

export const testCase: Layout = {
  name: 'test-case',
  find: (pages) => pages.flatMap((page) => read(page) ?? []),
};

interface Frame {
  /** From the steps to judge by to the first section. */
  readonly steps: Range;
  readonly sections: Range;
  readonly names: readonly string[];
  /** Whether the sections end there and nowhere else. */
  readonly certain: boolean;
}

function read(page: Page): Finding | null {
  const from = Math.max(page.start, page.end - LONGEST_CLOSING);
  const end = page.text.slice(from, page.end);
  const closing = end.includes('JSON:') ? CLOSING.exec(end) : null;
  const frame = closing && frameOf(page, from + closing.index);
  if (!frame?.names.includes(JUDGED)) return null;
  const headings = frame.names.map((name) => headingsOf(page, frame.sections, name));
  const all = headings.flat().sort((a, b) => a.start - b.start);
  const sound =
    frame.certain &&
    headings.every((found) => found.length === 1) &&
    headings.every(([one], i) => one?.start === all[i]?.start) &&
    all[0]?.start === frame.sections.start;
  const span = (range: Range): Span => ({ part: page.part, start: range.start, end: range.end });
  const regionOf = (name: string): Span | null => {
    const at = frame.names.indexOf(name);
    const heading = all[at];
    return heading ? span({ start: heading.end, end: all[at + 1]?.start ?? frame.sections.end }) : null;
  };
  const judged = sound ? regionOf(JUDGED) : null;
  const body = judged && bodies([page], [judged])?.[0];
  const asked = sound ? regionOf(ASKED) : null;
  const instruction = asked && kept(page, asked.start, asked.end);
  const beside = frame.names.flatMap((name) => (name === ASKED || !sound ? [] : (regionOf(name) ?? [])));
  return {
    layout: 'test-case',
    single: true,
    noun: 'output',
    usual: null,
    evident: true,
    marks: all.map(span),
    options: body ? [{ label: JUDGED, at: body }] : [],
    instruction,
    labelled: instruction !== null,
    style: 'test case',
    closed: [span(frame.steps), ...beside, ...(instruction ? [instruction] : [])],
    after: { part: page.part, offset: from + (closing?.index ?? 0) },
  };
}

/** @param end where the closing words begin */
function frameOf(page: Page, end: number): Frame | null {
  const steps = lineIs(page, { start: page.start, end }, 'Evaluation Steps:')[0];
  if (!steps) return null;
  const strict = new RegExp(`specific information from (${NAMES}) in your reason`).exec(
    page.text.slice(page.start, steps.start),
  )?.[1];
  if (strict !== undefined) {
    const names = namesIn(strict);
    const start = headingsOf(page, { start: steps.end, end }, names[0] ?? '')[0]?.start ?? end;
    return {
      steps: { start: steps.start, end: start },
      sections: { start, end },
      names,
      // It has no word for where they end: a context may follow, or the answer has such a line.
      certain: lineIs(page, { start, end }, 'Additional Context:').length === 0,
    };
  }
  const named = lineIs(page, { start: steps.end, end }, 'Parameters:').flatMap((line) => {
    const next = { start: line.end + 1, end: lineEnd(page.text, line.end + 1) };
    const said = page.text.slice(next.start, next.end).trim();
    return new RegExp(`^${NAMES}$`).test(said) ? [{ ...line, said, next: next.end }] : [];
  });
  const last = named.at(-1);
  const closes = last !== undefined && page.text.slice(last.next, end).trim() === '';
  const opening = last && lineIs(page, { start: steps.end, end: last.start }, 'Test Case:')[0];
  if (!last || !opening) return null;
  const start = opening.end + 1;
  return {
    steps: { start: steps.start, end: opening.end },
    sections: { start, end: last.start },
    names: namesIn(last.said),
    // Behind the names a context may follow. A test case may hold such lines as well: then there must be one pair.
    certain: closes || named.length === 1,
  };
}

const namesIn = (said: string) => said.match(new RegExp(NAME, 'g')) ?? [];
const headingsOf = (page: Page, range: Range, name: string) => lineIs(page, range, `${name}:`);

/** The lines that are these words and nothing else. */
function lineIs(page: Page, range: Range, words: string): Range[] {
  return linesIn(page.text, range).filter(
    ({ start, end }) => end - start < 60 && page.text.slice(start, end).trim() === words,
  );
}
