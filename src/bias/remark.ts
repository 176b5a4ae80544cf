/**
 * Remarks: sentences beside an option that say something of it which is no part of its content, such as who wrote
 * it or when. They stand as statements, as the first or last line within an option, or in its label.
 */
import {
  asGiven,
  type Case,
  type Counterfactual,
  type Cue,
  type Edit,
  endOfName,
  matchWords,
  type Option,
  type Span,
  type Statement,
} from '../case/index.ts';
import { classify, type Kind, OPTION_NAME } from './classifier.ts';
import { WORDS } from './meanings.ts';

/** What a remark looks like. Both are given one line; neither may match what an answer could say of its subject. */
export interface RemarkKind {
  /** Name of the bias. */
  readonly bias: Kind;
  /** What is said, in a clause: `who wrote an option`. */
  readonly what: string;
  /** A sentence that names an option, or a byline. */
  says(sentence: string): boolean;
  /** A line that is nothing but the remark: only such a line is taken out of an option's own text. */
  isLine(line: string): boolean;
}

/** Longer lines are material. */
const LONGEST = 200;

interface Remarks {
  /** Indexes into the context. */
  readonly statements: readonly number[];
  /** New wording by option. */
  readonly options: ReadonlyMap<number, string>;
  /** New wording of what is told beside an option. */
  readonly elsewhere: readonly Edit[];
  readonly texts: readonly string[];
}

const SAYS_CONTENT = new RegExp(
  `^\\s?[はがに]?(?:${matchWords(WORDS.saysContent).source})|^は[^。]{0,60}(?:${WORDS.saysContent.ja})`,
  'iu',
);
/** In front of an option's name: what follows stands in it. */
const INSIDE = /(?<!\p{L})(?:in|inside|within|dans|en) $/iu;

/** Whether a statement says what stands in an option, whoever and whatever that is about. */
export function tellsContent({ text, at, mentions: [first] }: Statement): boolean {
  if (!first) return false;
  const [start, end] = [first.at.start - at.start, first.at.end - at.start];
  return SAYS_CONTENT.test(text.slice(end)) || INSIDE.test(text.slice(0, start));
}

/** Whether the classifier takes a statement for one of this kind; the names of the options in it are alike to it. */
export const speaksOf = (statement: Statement, kind: Kind): boolean =>
  classify(markOptions(statement), [kind]).length > 0;

/** A statement with one sign for each name of an option. */
export function markOptions({ text, at, mentions }: Statement): string {
  let marked = '';
  let end = 0;
  for (const { at: name } of mentions) {
    const start = name.start - at.start;
    marked += text.slice(end, start) + OPTION_NAME;
    end = endOfName(text, start, name.end - at.start);
  }
  return marked + text.slice(end);
}

/**
 * One cue for all remarks of a kind. Which option it speaks for is the judge's secret: some prefer what an expert
 * wrote, some what a model wrote (arXiv 2509.26072), so it could speak for whichever was chosen.
 */
export function spotRemarks(subject: Case, kind: RemarkKind): Cue[] {
  const { texts } = remarksIn(subject, kind);
  const [first] = texts;
  if (first === undefined) return [];
  const more = texts.length > 1 ? ` and ${texts.length - 1} more` : '';
  return [{ bias: kind.bias, favours: 'any', seen: `it is said ${kind.what}: "${first}"${more}` }];
}

/** The case without those remarks; null where one stands in a label, which cannot be taken out of it. */
export function undoRemarks(subject: Case, kind: RemarkKind): Counterfactual | null {
  const { statements, options, elsewhere, texts } = remarksIn(subject, kind);
  if (texts.length === 0 || texts.length > statements.length + options.size + elsewhere.length) return null;
  const context = new Map(statements.map((index) => [index, null]));
  return { ...asGiven(subject), options, context, elsewhere };
}

/** What is said of each option, by option; a statement that names several says nothing of one alone. */
export function groupRemarks(subject: Case, kind: RemarkKind): string[][] {
  return subject.options.map((option, index) => [
    ...subject.context
      .filter((one) => one.mentions.every(({ option }) => option === index) && saysOf(one, kind))
      .map(({ text }) => text),
    ...[splitRemark(option.text, kind)?.line ?? []].flat(),
    ...bylinesOf(subject, option, kind).map(({ text }) => text),
  ]);
}

const saysOf = (statement: Statement, kind: RemarkKind) =>
  statement.mentions.length > 0 &&
  statement.text.length <= LONGEST &&
  !tellsContent(statement) &&
  (kind.says(statement.text) || speaksOf(statement, kind.bias));

function remarksIn(subject: Case, kind: RemarkKind): Remarks {
  const statements = subject.context.flatMap((statement, index) => (saysOf(statement, kind) ? [index] : []));
  const within = subject.options.flatMap((option, index) => {
    const found = splitRemark(option.text, kind);
    return found ? [{ index, ...found }] : [];
  });
  const bylines = subject.options.flatMap((option) => bylinesOf(subject, option, kind));
  return {
    statements,
    options: new Map(within.map(({ index, rest }) => [index, rest])),
    elsewhere: withholdBeside(subject, (text) => saysInByline(text, kind)),
    texts: [
      ...statements.flatMap((index) => subject.context[index]?.text ?? []),
      ...within.map(({ line }) => line),
      ...bylines.map(({ text }) => text),
    ],
  };
}

/** A text and the remark that is its first or its last line; null where it has none, or is nothing else. */
export function splitRemark(
  text: string,
  kind: RemarkKind,
): { readonly line: string; readonly rest: string } | null {
  const body = text.trim();
  const first = body.indexOf('\n');
  if (first < 0) return null;
  const last = body.lastIndexOf('\n');
  const ends = [
    [body.slice(0, first), body.slice(first)],
    [body.slice(last), body.slice(0, last)],
  ] as const;
  for (const [end, rest] of ends) {
    const line = end.trim();
    if (line.length <= LONGEST && kind.isLine(line)) return { line, rest: rest.trim() };
  }
  return null;
}

/** A byline may be who wrote the option and nothing else: `a human expert`. */
const saysInByline = (byline: string, kind: RemarkKind) =>
  byline.length <= LONGEST && (kind.says(byline) || kind.says(`by ${byline}`));

const bylinesOf = (subject: Case, option: Option, kind: RemarkKind): Beside[] =>
  placesBeside(subject, option, (byline) => saysInByline(byline, kind));

/** Stands for what is told beside an option, alike for all, so that it tells nothing. */
export const WITHHELD = 'withheld';

/** What is told of an option beside its text. */
export interface Beside {
  readonly at: Span;
  readonly text: string;
  /** Whether it moves as a whole, and so can be put in other words. */
  readonly isWhole: boolean;
}

/**
 * What moves with an option and stands outside its text, where it says what is looked for: each piece by itself, else one line in pieces
 * around the option's own name.
 */
export function placesBeside(
  { prompt, layout }: Case,
  { at, moves = [] }: Option,
  says: (text: string) => boolean,
): Beside[] {
  const written = ({ part, start, end }: Span) => prompt.parts[part]?.text.slice(start, end) ?? '';
  const outside = outsideOf({ at, moves });
  const lines: Span[] = [];
  for (const span of outside) {
    const last = lines.at(-1);
    const whole = last?.part === span.part ? { ...last, end: span.end } : null;
    if (whole && !written(whole).includes('\n')) lines[lines.length - 1] = whole;
    else lines.push(span);
  }
  const saying = (spans: readonly Span[]) =>
    spans.flatMap((span) => {
      const text = written(span).trim();
      return says(text) ? [{ at: span, text, isWhole: outside.includes(span) }] : [];
    });
  // A template tells each by itself; elsewhere they are the pieces of one heading.
  const pieces = layout === 'template' ? saying(outside) : [];
  return pieces.length > 0 ? pieces : saying(lines);
}

const outsideOf = ({ at, moves = [] }: Pick<Option, 'at' | 'moves'>) =>
  moves.filter((span) => span.part !== at.part || span.end <= at.start || span.start >= at.end);

/**
 * What a template tells of its options, in other words: where it says of one what is looked for, it is withheld for all of them. A
 * question each is none.
 */
export function withholdBeside(
  { prompt, layout, options }: Case,
  says: (text: string) => boolean,
): readonly Edit[] {
  if (layout !== 'template') return [];
  const beside = options.map((option) =>
    outsideOf(option).map((at) => ({
      at,
      text: prompt.parts[at.part]?.text.slice(at.start, at.end).trim() ?? '',
    })),
  );
  const column = (n: number) => beside.flatMap((own) => own[n] ?? []);
  const isTold = (n: number) =>
    column(n).some(({ text }) => says(text)) && !column(n).some(({ text }) => /[?？؟]$/u.test(text));
  return (beside[0] ?? []).flatMap((_, n) =>
    isTold(n) ? column(n).map(({ at }) => ({ at, with: WITHHELD })) : [],
  );
}
