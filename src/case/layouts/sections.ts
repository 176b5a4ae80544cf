/**
 * Sections under a heading, in brackets, bold, or a bare label (`## Answer A`, `[Response 1]`, `**Option B:**`,
 * `Story 2: …`), and one labelled answer to be rated (`[Submission]: …`, `Response:`). A section runs to the next label
 * of its style; the last option to the label of the judge's own that follows, or to the end.
 *
 * Nothing but the labels says where an option ends, so they have to add up: every key once, counting up.
 */

import type { Span } from '../types.ts';
import { rolesOfLabel } from '../words/vocabulary.ts';
import { bodies, type Point, stretch } from './bodies.ts';
import { mayBeLabel } from './evident.ts';
import { instructionBefore } from './instruction-before.ts';
import type { Finding, Layout, Mark, Page } from './layout.ts';
import { linesIn, trimRange } from './lines.ts';
import { movingBylines } from './marks.ts';
import { asksAtAll } from './orders.ts';
import { labelledStatement } from './statements.ts';
import { countUp } from './titles.ts';

const GENERAL = { layout: 'sections', usual: null, evident: false };
/** LLMBar and the detector data published with arXiv 2505.17100: `Output (a): … Output (b): …`, in a heading or not. */
const PUBLISHED = { layout: 'output-labels', usual: 'Output ({})', evident: true };
const isPublished = ({ noun, label }: Mark) => noun === 'output' && /^output ?\([a-z]\)$/i.test(label);

export const sections: Layout = {
  name: 'sections',
  find: (pages, marks) => familiesOf(marks).map((family) => readFamily(pages, marks, family)),
};

/** Labels of one kind: same style, same noun, letters or numbers. Only such are of one set. */
function familiesOf(marks: readonly Mark[]): (readonly Mark[])[] {
  const keyed = marks.filter(({ role, key }) => role === 'option' && key !== null);
  const sets = Map.groupBy(keyed, ({ style, noun, key }) => `${style} ${noun} ${/^\d/.test(key ?? '')}`);
  return [...sets.values()].filter((set) => set.length > 1);
}

function readFamily(pages: readonly Page[], marks: readonly Mark[], family: readonly Mark[]): Finding {
  const spans = family.map(spanOf);
  const broken: Finding = {
    ...(family.every(isPublished) ? PUBLISHED : GENERAL),
    noun: family[0]?.noun ?? '',
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
  const regions = regionsOf(pages, marks, family);
  const found = regions && bodies(pages, regions);
  const last = found?.at(-1);
  // One author named and the other not: what the label of the other would have to say cannot be told.
  const bylines = movingBylines(family);
  if (!found || !last || !bylines) return broken;
  const asked = instructionBefore(pages, marks, family);
  return {
    ...broken,
    options: family.map(({ label }, i) => {
      const [at, moving = []] = [found[i] ?? last, bylines[i]];
      return { label, at, ...(moving.length > 0 && { moves: [...moving, at] }) };
    }),
    instruction: asked.at,
    labelled: asked.labelled,
    closed: regions.slice(0, -1),
    after: { part: last.part, offset: last.end },
  };
}

function regionsOf(pages: readonly Page[], marks: readonly Mark[], family: readonly Mark[]): Span[] | null {
  const regions: Span[] = [];
  for (const [i, mark] of family.entries()) {
    const next = family[i + 1];
    const region = next ? stretch(pages, endOf(mark), startOf(next)) : lastStretch(pages, mark);
    if (!region) return null;
    const cut = next ? region : { ...region, end: ordersBehind(pages, marks, mark, region) };
    if (tellsOpinion(pages, cut)) return null;
    regions.push(cut);
  }
  return regions;
}

/** Whether a line tells what others think, with a label of its own: it may belong to the prompt as well as to the option. */
function tellsOpinion(pages: readonly Page[], region: Span): boolean {
  const text = pages.find(({ part }) => part === region.part)?.text ?? '';
  return linesIn(text, region).some(({ start, end }) => labelledStatement(text.slice(start, end)));
}

/** The last option stands on the rest of its label's part or, where that is blank, is the next part. */
function lastStretch(pages: readonly Page[], { page, end }: Mark): Span {
  const rest = { part: page.part, start: end, end: page.end };
  if (page.text.slice(rest.start, rest.end).trim() !== '') return rest;
  const next = pages.find(({ part }) => part > page.part);
  return next ? { part: next.part, start: next.start, end: next.end } : rest;
}

/**
 * Where the judge's own goes on behind the last option: at a section of its own, or a label that asks for the verdict.
 * Of two labels there the first may be the option's, unless it is that of a statement.
 */
function ordersBehind(pages: readonly Page[], marks: readonly Mark[], { style }: Mark, region: Span): number {
  const page = pages.find(({ part }) => part === region.part);
  if (!page) return region.end;
  const sections = new Map(
    marks.flatMap((mark) =>
      mark.page === page &&
      mark.style === style &&
      (mark.role === 'judge' || (mark.role === 'maybe' && !WEAK.has(style)))
        ? [[mark.start, mark.noun] as const]
        : [],
    ),
  );
  const labels = linesIn(page.text, region).filter((line) => {
    const at = trimRange(page.text, line);
    const words = page.text.slice(at.start, at.end);
    const asks = sections.has(at.start) || (mayBeLabel(words, style) && asksAtAll(words));
    return asks && !ANSWERS.test(words);
  });
  const [first, ...more] = labels;
  if (!first) return region.end;
  const isStatement = sections.get(trimRange(page.text, first).start) === 'statement';
  return more.length <= (isStatement ? 1 : 0) ? first.start : region.end;
}

/** "**Final answer:** 40" and "## Evaluation" stand in many an answer. */
const ANSWERS =
  /^\W*(?:(?:the|my|final) )*(?:answer|output|response|reply|solution|result|score|rating|summary|conclusion|explanation|reasoning|evaluation|feedback)s?\W*(?:$|:)/i;

/** Styles that many a text uses for its own short labels. */
const WEAK: ReadonlySet<string> = new Set(['alone', 'bold', 'colon']);

/** More labels than this cannot be told apart, and need not be read. */
const MOST = 20;

export const submission: Layout = {
  name: 'submission',
  find(pages, marks) {
    const single = marks.filter(({ role }) => role === 'single').slice(0, MOST);
    return single.map((mark) => readSingle(pages, marks, mark));
  },
};

const WORD = /[\p{L}\p{N}]/u;
/** Opens the reply that the judge is to write. */
const FORMAT = /^[`~\s]{0,9}(?:json|xml|ya?ml|markdown|csv)[`~\s]{0,9}$/i;

function readSingle(pages: readonly Page[], marks: readonly Mark[], mark: Mark): Finding {
  const { page, style, noun, label } = mark;
  const next = marks.find(
    (other) =>
      other.page === page && other.start >= mark.end && other.style === style && other.role !== 'option',
  );
  const rest = { part: page.part, start: mark.end, end: next?.start ?? page.end };
  const region = { ...rest, end: ordersBehind(pages, marks, mark, rest) };
  const [body] = bodies(pages, [region]) ?? [];
  const text = body ? page.text.slice(body.start, body.end) : '';
  const isData = WORD.test(text) && !FORMAT.test(text) && !isLogged(mark);
  const judged = body && isData ? [{ label, at: body }] : [];
  const asked = instructionBefore(pages, marks, [mark]);
  return {
    layout: 'submission',
    single: true,
    noun,
    usual: null,
    evident: false,
    marks: [spanOf(mark)],
    // Without a word it may be the template's rule behind an empty answer.
    options: judged,
    instruction: asked.at,
    labelled: asked.labelled,
    style,
    closed: [],
    after: { part: region.part, offset: body?.end ?? region.end },
  };
}

/** A line with a word in brackets at its start. */
const LOGGED = /^\[(\p{L}[\p{L} _-]{0,20})\]/u;

/** Whether a label in brackets stands below lines that name no text: `[call] …`, `[think] …`, `[answer] …` are a run of an agent. */
function isLogged({ style, page, start }: Mark): boolean {
  if (style !== 'bracket') return false;
  const above = page.text
    .slice(Math.max(page.start, start - 1_000), start)
    .split('\n')
    .slice(-3, -1);
  const words = above.flatMap((line) => LOGGED.exec(line)?.[1] ?? []);
  return words.length > 1 && words.every((word) => rolesOfLabel(word).length === 0);
}

const spanOf = ({ page, start, end }: Mark): Span => ({ part: page.part, start, end });
const startOf = ({ page, start }: Mark): Point => ({ page, offset: start });
const endOf = ({ page, end }: Mark): Point => ({ page, offset: end });
