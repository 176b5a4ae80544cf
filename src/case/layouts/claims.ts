/**
 * mastra's scorers that judge several things in one reply: claims, opinions, pieces of context, the criteria of a
 * rubric. Every template has one line over what is judged and one below it, and only a prompt with exactly one of each
 * is read: a judged text may hold such lines as well.
 */
import { linesIn, type Range, trimmed } from '../reading/lines.ts';
import { sentencesOnTheAnswer, speaksOfTheAnswer } from '../reading/statements.ts';
import { bodies } from './bodies.ts';
import type { Finding, Layout, Page } from './layout.ts';

interface Frame {
  /** The line over what is judged. */
  readonly title: string;
  /** A line that the template has in front of it. */
  readonly ahead: RegExp;
  /** The line below it; null where it goes on to the end. */
  readonly closes: RegExp | null;
  readonly noun: string;
}

const COUNTED = /^Number of (?:claims|statements): \d+$/;
const FRAMES: readonly Frame[] = [
  // Faithfulness, context recall.
  { title: 'Claims to verify:', ahead: COUNTED, closes: /^For each claim, provide a verdict/, noun: 'claim' },
  // Hallucination.
  {
    title: 'Claims to verify:',
    ahead: /^2\. Makes assertions not supported by the context$/,
    closes: COUNTED,
    noun: 'claim',
  },
  // Answer relevancy.
  { title: 'Statements:', ahead: COUNTED, closes: /^JSON:$/, noun: 'statement' },
  // Context precision.
  {
    title: 'Context pieces to evaluate:',
    ahead: /^Expected Output:$/,
    closes: /^For each context piece, determine/,
    noun: 'context',
  },
  // Rubric.
  {
    title: 'Agent output to grade:',
    ahead: /^Rubric criteria:$/,
    closes: /^For every criterion, decide/,
    noun: 'output',
  },
  // Toxicity, bias.
  { title: 'Opinions:', ahead: /^=+ END OF EXAMPLE =+$/, closes: null, noun: 'opinion' },
];

const TITLES = new RegExp(FRAMES.map(({ title }) => title).join('|'));

/** No line of a frame is longer. */
const LONGEST = 120;

export const claims: Layout = {
  name: 'claims',
  find: (pages) =>
    pages.flatMap((page) =>
      TITLES.test(page.text) ? FRAMES.flatMap((frame) => read(page, frame) ?? []) : [],
    ),
};

function read(page: Page, frame: Frame): Finding | null {
  if (!page.text.includes(frame.title)) return null;
  const lines = linesIn(page.text, page).map((line) => ({
    ...line,
    said: page.text.slice(line.start, Math.min(line.end, line.start + LONGEST)).trim(),
  }));
  const titles = lines.filter(({ said }) => said === frame.title);
  const [title] = titles;
  const ahead = lines.filter(({ said, start }) => frame.ahead.test(said) && start < (title?.start ?? 0));
  if (!title || ahead.length === 0) return null;
  const closing = frame.closes;
  const ends = closing ? lines.filter(({ said, start }) => closing.test(said) && start > title.start) : [];
  if (closing && ends.length === 0) return null;
  const span = ({ start, end }: Range) => ({ part: page.part, start, end });
  const region = span({ start: title.end, end: ends[0]?.start ?? page.end });
  const sound = titles.length === 1 && ends.length <= 1;
  const body = sound ? bodies([page], [region])?.[0] : undefined;
  return {
    layout: 'claims',
    single: true,
    each: true,
    noun: frame.noun,
    usual: null,
    evident: false,
    marks: [...titles, ...ends].map(span),
    options: body && body.end > body.start ? [{ label: frame.title.slice(0, -1), at: body }] : [],
    instruction: null,
    labelled: false,
    style: 'claims',
    // The template's own examples speak of statements and answers as well.
    closed: [span(page)],
    context: lines
      .filter(({ start }) => start < region.start || start >= region.end)
      .flatMap((line) => statementsIn(page.text, line).map(span)),
    after: { part: page.part, offset: body?.end ?? region.end },
  };
}

/** What a line says others think of what is judged; where it is JSON (a conversation, a text in quotes), which sentence. */
function statementsIn(text: string, line: Range): Range[] {
  const at = trimmed(text, line);
  const said = text.slice(at.start, at.end);
  if (/^["{]|\\[nr"]/.test(said)) return sentencesOnTheAnswer(text, at);
  return speaksOfTheAnswer(said) ? [at] : [];
}
