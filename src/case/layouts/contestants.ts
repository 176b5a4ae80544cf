/**
 * Cases of DeepEval's ArenaGEval, whose contestants stand under drawn names in one JSON document inside the prompt
 * (`arena_test_cases`), each a JSON document of its own in a string. An option is the characters between the quotes as they stand, so that escape sequences move with it. All options are
 * escaped the same number of times, so what is exchanged stays the same text.
 */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Span } from '../types.ts';
import { documentsIn } from './documents.ts';
import type { Finding, Layout, Page } from './layout.ts';
import { linesIn, type Range } from './lines.ts';

const LIST = 'arena_test_cases';
const ANSWER = 'actual_output';

export const contestants: Layout = {
  name: 'contestants',
  find: (pages) => pages.flatMap((page) => (page.text.includes(`"${LIST}"`) ? findOn(page) : [])),
};

function findOn(page: Page): Finding[] {
  return [...documentsIn(page)].flatMap((range) => {
    const written = page.text.slice(range.start, range.end);
    if (!written.includes(`"${LIST}"`)) return [];
    const root = strictly(written);
    const cases = root && findNodeAtLocation(root, [LIST]);
    return root && cases?.type === 'object' ? [readContestants(page, range, root, cases)] : [];
  });
}

/** @returns null where it is not JSON to the letter: no escape sequence could be counted on */
function strictly(written: string): Node | null {
  const errors: ParseError[] = [];
  const root = parseTree(written, errors, { disallowComments: true });
  return errors.length === 0 ? (root ?? null) : null;
}

function readContestants(page: Page, range: Range, root: Node, cases: Node): Finding {
  const { part } = page;
  const whole = { part, start: range.start, end: range.end };
  /** What a string of the document says, as it stands in the prompt. */
  const contentOf = ({ offset, length }: Node): Span => ({
    part,
    start: range.start + offset + 1,
    end: range.start + offset + length - 1,
  });
  const shown = (cases.children ?? []).map((property) => {
    const [name, value] = property.children ?? [];
    const answer =
      value?.type === 'string' ? answerIn(page.text, contentOf(value), String(value.value)) : null;
    return name && answer && { label: String(name.value), ...answer };
  });
  const options = shown.filter((one) => !!one);
  const ahead = new Set(options.map(({ ahead }) => ahead));
  const names = new Set(options.map(({ label }) => label.toLowerCase()));
  const sound =
    options.length === shown.length &&
    options.length > 1 &&
    ahead.size === 1 &&
    names.size === options.length;
  // Tools and contexts are those of one contestant: they go with its answer.
  const alone = new Set(options.map(({ behind }) => page.text.slice(behind.start, behind.end))).size === 1;
  const asked = findNodeAtLocation(root, ['input']);
  const steps = stepsAbove(page, range.start);
  return {
    layout: 'contestants',
    style: 'json',
    marks: [
      { ...whole, end: whole.start },
      { ...whole, start: whole.end },
    ],
    after: { part, offset: whole.end },
    single: false,
    noun: 'contestant',
    usual: '{}',
    evident: true,
    options: sound
      ? options.map(({ label, at, behind }) => ({
          label,
          at,
          nested: 2,
          ...(!alone && { moves: [at, behind] }),
        }))
      : [],
    instruction: asked?.type === 'string' ? contentOf(asked) : null,
    instructionNested: 1,
    labelled: true,
    closed: [whole, ...(steps ? [steps] : [])],
  };
}

interface Answer {
  readonly at: Span;
  /** What stands in front of it in its document, the same for all. */
  readonly ahead: string;
  /** The rest of the document behind it. */
  readonly behind: Span;
}

/**
 * @param content of the string that holds a contestant's document, as it stands in the text
 * @param inner the string's value
 */
function answerIn(text: string, content: Span, inner: string): Answer | null {
  const raw = text.slice(content.start, content.end);
  const offsets = offsetsIn(raw);
  const root = strictly(inner);
  if (root?.type !== 'object') return null;
  const all = (root.children ?? []).filter(({ children }) => children?.[0]?.value === ANSWER);
  const node = all[0]?.children?.[1];
  if (all.length !== 1 || node?.type !== 'string') return null;
  const [start, end] = [offsets[node.offset + 1], offsets[node.offset + node.length - 1]];
  if (start === undefined || end === undefined) return null;
  return {
    at: { ...content, start: content.start + start, end: content.start + end },
    ahead: raw.slice(0, start),
    behind: { ...content, start: content.start + end },
  };
}

/** Where each character of a JSON string's value stands in the string as written. */
function offsetsIn(raw: string): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < raw.length; ) {
    offsets.push(at);
    at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
  }
  return [...offsets, raw.length];
}

/** Steps to judge by that the client's user wrote; what they count and quote is no order to this judge. */
function stepsAbove(page: Page, end: number): Span | null {
  const lines = linesIn(page.text, { start: page.start, end });
  const said = (line: Range) => page.text.slice(line.start, Math.min(line.end, line.start + 40)).trim();
  const first = lines.find((line) => said(line) === 'Evaluation Steps:');
  const last = lines.findLast((line) => said(line) === 'Contestants:');
  return first && last && first.end < last.start
    ? { part: page.part, start: first.start, end: last.end }
    : null;
}
