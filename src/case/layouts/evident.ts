/**
 * Whether a first guess is evident: only then is a request examined whose template nobody knows. The prompt has to show
 * it. Every option stands between two delimiters of its kind, nothing of the template is left on one side of a text, no
 * line inside a text could be a delimiter, there is no second reading, and the orders say how the verdict is written.
 * What is not evident is a suggestion: learning uses it, and the request is left alone.
 */
import { labelKey } from '../counterfactual.ts';
import { gapsBetween } from '../own-text.ts';
import type { Case, Mention, Span, TextRange } from '../types.ts';
import { splitAtStops } from '../words/sentences.ts';
import { namesWork } from '../words/vocabulary.ts';
import { contains } from './bodies.ts';
import type { Finding } from './layout.ts';
import { isInEntry, linesIn, paragraphsIn, textAt } from './lines.ts';
import { OTHER_KEYS } from './loose-places.ts';
import { mentionsIn } from './statements.ts';

export interface Guessed {
  readonly subject: Case;
  readonly finding: Finding;
  /** What the judge is told: all but what is judged. */
  readonly orders: string;
  /** JSON schema of the reply that the request demands; null for none. */
  readonly schema: unknown;
  /** The other findings in the prompt. */
  readonly others: readonly Finding[];
}

/** Layouts whose frames are checked as a whole, and that no other prompt has. */
const FRAMED: ReadonlySet<string> = new Set(['contestants', 'peer-review']);
/** Layouts whose texts stand between a start and an end. */
const CLOSED: ReadonlySet<string> = new Set(['mt-bench', 'tags', 'json']);
/** Of those the ones in which a template puts nothing more around a text. */
const BOUNDED: ReadonlySet<string> = new Set(['mt-bench', 'json']);

/** @returns why a guess is not evident, as a clause; null where it is */
export function doubtOf(guessed: Guessed): string | null {
  const { subject, finding } = guessed;
  if (FRAMED.has(subject.layout)) return null;
  if (!isFormTold(guessed)) return 'the prompt does not say how the verdict is to be written';
  if (hasRival(guessed)) return 'the prompt can be read in several ways';
  const texts = subject.options.map(({ at }) => at);
  if (!BOUNDED.has(subject.layout) && texts.some((at) => hasLeftover(subject, at, texts.length)))
    return 'a text begins or ends with what may be a delimiter';
  if (texts.some((at) => beginsBehindDash(subject, at)))
    return 'a sign between a label and its text may be a delimiter';
  if (texts.length > 1 && beginAlike(texts.map((at) => textAt(subject.prompt, at))))
    return 'all options begin with a sign that may be a delimiter';
  if (isShown(subject, finding)) return 'it may be an example, or the form of the reply';
  if (hasEqualAbove(subject)) return 'another text may be what is judged';
  if (saysOfOne(guessed)) return 'something is said of one option that is not said of the others';
  return CLOSED.has(subject.layout) ? null : doubtOfLabels(guessed);
}

/** The name of a text at the start of a line: `[Poem]`, `### Poem`, `<poem>`, `Poem: …`. */
const NAME = /^[^\p{L}\p{N}\s]{0,6} ?(\p{L}[\p{L} ]{0,30})(?:[\]>*:：]|$)/u;

/** Whether names say of the judged text and of one above it that somebody wrote them, and of neither that it is an answer: a poem, a story. */
function hasEqualAbove({ options: [one, ...others], instruction }: Case): boolean {
  if (!one || others.length > 0 || !namesWork(one.label)) return false;
  const lines = instruction?.text.split('\n') ?? [];
  return lines.some((line) => namesWork(NAME.exec(line.trim())?.[1] ?? ''));
}

/** How a line of a list, of JSON or in tags begins. */
const DATA = /^\s{0,9}(?:[-*•<{["]|\d{1,2}[.)] )/;

/**
 * Whether a sentence that is handed over beside the options names one of them, and none says the same of the others (`- A: 9 of 9 tests
 * passed`), or names all, with a number behind one alone. Exchanged, an option would be judged by what was said of another.
 */
function saysOfOne({ subject, finding }: Guessed): boolean {
  const { prompt, options, instruction, context } = subject;
  const labels = options.map(({ label }) => label);
  if (labels.length < 2) return false;
  const said = new Map<string, Set<number>>();
  const add = (words: string, option: number) => said.set(words, (said.get(words) ?? new Set()).add(option));
  for (const sentence of sentencesBeside()) {
    const mentions = mentionsIn(sentence, { part: 0, start: 0, end: sentence.length }, labels);
    const [first] = mentions;
    if (!first) continue;
    if (mentions.every(({ option }) => option === first.option))
      add(withoutNames(sentence, mentions, labels[first.option] ?? '', first.option), first.option);
    else
      for (const [n, { option, at }] of mentions.entries())
        for (const [number] of sentence.slice(at.end, mentions[n + 1]?.at.start).matchAll(/\p{N}+/gu))
          if (Number(number) > labels.length) add(number, option);
  }
  return [...said.values()].some(({ size }) => size < labels.length);

  /** Of what follows the instruction all, of what the judge is told what looks like data. */
  function sentencesBeside(): string[] {
    const pages = prompt.parts.map(({ text }, part) => ({ part, start: 0, end: text.length }));
    const rest = instruction && restOf(subject, instruction.at, finding.style);
    const texts = options.map(({ at }) => at);
    const others = [...(instruction ? [instruction.at] : []), ...context.map(({ whole }) => whole)];
    const told = gapsBetween(pages, [...texts, ...others, ...finding.closed, ...finding.marks]);
    return [
      ...(rest ? splitAtStops(textAt(subject.prompt, rest)) : []),
      ...told.flatMap((span) =>
        splitAtStops(textAt(subject.prompt, span)).filter((sentence) => DATA.test(sentence)),
      ),
    ];
  }
}

/** An instruction from the first line on that may be a label, where nothing closes it: that may be another section. */
function restOf({ layout, prompt: { parts } }: Case, at: Span, style: string): Span | null {
  const text = parts[at.part]?.text ?? '';
  const next = CLOSED.has(layout)
    ? undefined
    : linesIn(text, at).find(({ start, end }) => mayBeLabel(text.slice(start, end), style));
  return next ? { ...at, start: next.start } : null;
}

/** A sentence less the names of an option, and less what it may be called in a verdict: `2 if the second is better`. */
function withoutNames(sentence: string, mentions: readonly Mention[], label: string, option: number): string {
  const rest = mentions.reduceRight(
    (text, { at }) => `${text.slice(0, at.start)} ${text.slice(at.end)}`,
    sentence,
  );
  const names = [labelKey(label).toLowerCase(), `${option}`, ...OTHER_KEYS.map((row) => row[option])];
  return (rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !names.includes(word))
    .join(' ');
}

function isFormTold({ subject: { form, options } }: Guessed): boolean {
  if (form.kind === 'choice') return form.write !== null || form.field !== null;
  return (
    options.length > 1 ||
    form.kind !== 'score' ||
    form.field !== null ||
    form.template !== null ||
    form.min !== null
  );
}

/** Whether another finding has a delimiter outside the texts of this one. */
function hasRival({ subject, finding, others }: Guessed): boolean {
  const own = new Set(finding.marks.map(({ part, start }) => `${part}:${start}`));
  const texts = [
    ...subject.options.map(({ at }) => at),
    ...finding.closed,
    ...(subject.instruction && finding.labelled ? [subject.instruction.at] : []),
  ];
  return others.some(
    ({ marks }) =>
      !marks.every((mark) => own.has(`${mark.part}:${mark.start}`)) &&
      !marks.every((mark) => texts.some((text) => contains(text, mark) || touches(text, mark))),
  );
}

/** Delimiters around a text are its own, whatever layout sees them. */
const touches = (text: Span, mark: Span) =>
  text.part === mark.part && mark.start < text.end && text.start < mark.end;

const WORD = /[\p{L}\p{N}]/u;
const OPENS = /^(?:`|~{3}|"|“|«|„|「|'|<[A-Za-z][\w-]*>|[|>][+-]?[ \t]*\n)/;
const CLOSES = /(?:`|~{3}|"|”|»|“|」|'|<\/[A-Za-z][\w-]*>)$/;

/** Whether the first or the last line of a text is none of words, or a single text is wrapped. */
function hasLeftover(subject: Case, at: Span, options: number): boolean {
  const text = textAt(subject.prompt, at).trim();
  if (text === '') return false;
  if (!WORD.test(text)) return true;
  const wrapped = OPENS.test(text) && CLOSES.test(text);
  if (options === 1 && (wrapped || /^"""|^'''|^[|>][+-]?[ \t]*\n/.test(text))) return true;
  const lines = text.split('\n');
  const edges = [lines[0] ?? '', lines.at(-1) ?? ''].map((line) => line.trim());
  // A block of code is the answer's own where it is opened and closed.
  if (/^(?:`{3}|~{3})/.test(edges[0] ?? '') || /^(?:`{3}|~{3})$/.test(edges[1] ?? ''))
    return (text.match(/^[ \t]*(?:`{3}|~{3})/gm)?.length ?? 0) % 2 === 1;
  return lines.length > 1 && edges.some((line) => /^[-=*_~#|>+\s]+$/.test(line) && !WORD.test(line));
}

/** Whether a text begins with a dash on the line of its label, which ends without a colon: `[Submission] - `. */
function beginsBehindDash({ prompt: { parts } }: Case, { part, start }: Span): boolean {
  const text = parts[part]?.text ?? '';
  const label = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trimEnd();
  return (
    /^[-–—»|>=~][ \t]/u.test(text.slice(start, start + 2)) &&
    WORD.test(label) &&
    !/[:：]["*_]{0,3}$/.test(label)
  );
}

/** Whether all begin with the same opening sign. */
function beginAlike(texts: readonly string[]): boolean {
  const signs = texts.map((text) => OPENS.exec(text.trimStart())?.[0] ?? '');
  const [first] = signs;
  return first !== undefined && first !== '' && signs.every((sign) => sign === first);
}

const REPLY =
  /\b(?:format|respond|reply|return|json|schema|structure|template|your (?:answer|output|response))\b[^\n]{0,80}:$/i;
/** `### Example 1`, `Here is an example:` */
const EXAMPLE =
  /^[^\p{L}\p{N}]{0,6}(?:[\p{L}'’]{1,15} ){0,4}(?:examples?|samples?|demonstrations?)(?: [\p{L}\p{N}#]{1,15}){0,3}[^\p{L}\p{N}]{0,4}$/iu;
/** Letters of what follows an example. */
const FEWEST_BEHIND = 40;
/** `<your reasoning>`, `...` */
const PLACEHOLDER = /^(?:<[^<>\n]{1,80}>|\[[^[\]\n]{1,80}\]|\{[^{}\n]{1,80}\}|\.{3}|…)$/;

/** Whether the texts may be shown and not judged: in a system message, below a line that says so, or by placeholders. */
function isShown(
  { prompt: { parts }, options, layout, instruction }: Case,
  { marks, labelled }: Finding,
): boolean {
  if (options.every(({ text }) => PLACEHOLDER.test(text.trim()))) return true;
  const [first] = marks;
  if (!first) return false;
  const isTold = ({ role }: { readonly role: string }) => role === 'system' || role === 'developer';
  const here = parts[first.part];
  if (here && isTold(here) && parts.some((part) => part.role === 'user' && part.text.trim() !== ''))
    return true;
  // One field of a document may be what is to be filled in.
  if (layout === 'json' && options.length === 1 && !instruction) return true;
  const asked =
    labelled && instruction?.at.part === first.part && instruction.at.end <= first.start
      ? instruction.at
      : null;
  const ahead = (from: number, to: number) => (here?.text ?? '').slice(Math.max(0, from, to - 400), to);
  const lines = `${asked ? ahead(0, asked.start) : ''}\n${ahead(asked?.end ?? 0, first.start)}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('```'));
  if (layout !== 'mt-bench' && REPLY.test(lines.at(-1) ?? '')) return true;
  // An example is followed by what is judged.
  const end = options.at(-1)?.at.end ?? 0;
  const behind = [(here?.text ?? '').slice(end), ...parts.slice(first.part + 1).map(({ text }) => text)].join(
    ' ',
  );
  return (behind.match(/\p{L}/gu)?.length ?? 0) >= FEWEST_BEHIND && lines.some((line) => EXAMPLE.test(line));
}

type Shape = 'heading' | 'bracket' | 'ruled' | 'bold' | 'colon';

const shapeOf = (style: string): Shape => {
  const [shape = ''] = style.split(' ');
  return shape === 'heading' || shape === 'bracket' || shape === 'ruled' || shape === 'bold'
    ? shape
    : 'colon';
};

const RULE = /^(?:[-=*_~#]\s?){3,}$/;
/** How a line begins that could be a label. */
const LABELS: Readonly<Record<Shape, RegExp>> = {
  heading: /^#{1,6}\s*\S/,
  bracket: /^(?:\[[^[\]\n]{1,80}\]|<\|?\/?[A-Za-z])/,
  ruled: /^([-=*_])\1{1,40} ?[^-=*_\n]{1,80} ?\1{2,40}$/,
  bold: /^\*\*[^*\n]{1,80}\*\*/,
  colon:
    /^[ \t]{0,8}[-*]{0,2}[ \t]?[\p{L}][\p{L}\p{N}_'’()/-]{0,30}(?:[ \t][\p{L}\p{N}_'’()/-]{1,30}){0,4}[ \t]?[:：](?:\s|$)/u,
};

/**
 * Whether a line could be a label of this style, or of one that is set off more strongly.
 *
 * @param style as marks and findings have it: `heading 2`, `bracket`, `colon`
 */
export function mayBeLabel(line: string, style: string): boolean {
  const shape = shapeOf(style);
  const depth = Number(/\d/.exec(style)?.[0] ?? 6);
  const words = line.trim();
  if (words === '' || words.length > 200) return false;
  if (shape === 'heading') return LABELS.heading.test(words) && (/^#+/.exec(words)?.[0].length ?? 9) <= depth;
  if (RULE.test(words)) return true;
  if (LABELS[shape].test(words)) return true;
  return (
    (shape === 'colon' || shape === 'bold') &&
    (['heading', 'bracket', 'ruled', 'bold'] as const).some((one) => LABELS[one].test(words))
  );
}

/** Sections that only their labels set off. */
function doubtOfLabels(guessed: Guessed): string | null {
  const { subject, finding } = guessed;
  const shape = shapeOf(finding.style);
  const label = (line: string) => mayBeLabel(line, finding.style);
  for (const [i, { at }] of subject.options.entries()) {
    const text = subject.prompt.parts[at.part]?.text ?? '';
    const [, ...further] = linesIn(text, at);
    const lines = further.map(({ start, end }) => text.slice(start, end));
    if (isInEntry(text, labelStart(finding, at))) return 'a label may name a field of an entry in a list';
    if (lines.some(label)) return 'a line inside a text may be a label';
    const next = subject.options[i + 1]?.at;
    if (next) {
      const until = next.part === at.part ? labelStart(finding, next) : text.length;
      const behind = behindOf(text, at, until);
      if (behind !== '' && !label(behind)) return 'something else stands between the options';
    } else if (
      endsAsOrders(subject, lines, shape) ||
      namesItself(subject, at) ||
      mayBeEmpty(finding, text, at)
    )
      return 'the last text may end in orders';
    else if (!closes(guessed, at, shape, label)) return 'nothing shows where the last text ends';
  }
  return null;
}

/** Whether lines of the last text introduce something else, or the last one names all options. */
function endsAsOrders({ options }: Case, lines: readonly string[], shape: Shape): boolean {
  if (shape === 'colon' && lines.some((line) => /[:：]\s*$/.test(line))) return true;
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  const keys = options.map(({ label }) => labelKey(label));
  const words = new Set(last.match(/[\p{L}\p{N}]+/gu));
  return keys.length > 1 && keys.every((key) => words.has(key) || words.has(key.toUpperCase()));
}

/** Whether a paragraph behind the first speaks of the one text by its name of several words, as orders do. */
function namesItself({ options: [option, ...others], prompt: { parts } }: Case, at: Span): boolean {
  const name = option?.label.toLowerCase() ?? '';
  const text = parts[at.part]?.text ?? '';
  const [, ...further] = paragraphsIn(text, at);
  return (
    others.length === 0 &&
    name.includes(' ') &&
    further.some(({ start, end }) => text.slice(start, end).toLowerCase().includes(name))
  );
}

/** Whether so many blank lines stand in front of a text that it may be the orders behind an empty one. */
function mayBeEmpty({ marks }: Finding, text: string, { part, start }: Span): boolean {
  const label = marks.findLast((mark) => mark.part === part && mark.end <= start);
  return label !== undefined && (text.slice(label.end, start).match(/\n/g)?.length ?? 0) > 2;
}

/** Where the label in front of a text begins. */
const labelStart = ({ marks }: Finding, { part, start }: Span) =>
  marks.findLast((mark) => mark.part === part && mark.end <= start)?.start ?? start;

/** The first line behind a text that is not blank. */
function behindOf(text: string, { end }: TextRange, until = text.length): string {
  const rest = text.slice(end, Math.max(end, until)).trimStart();
  return rest.split('\n', 1)[0] ?? '';
}

/** Whether a label stands in a text more than once: then nothing tells which of the two is the template's. */
function isRepeated(text: string, line: string, shape: Shape): boolean {
  const label = LABELS[shape].exec(line)?.[0].trim() ?? line;
  return (
    linesIn(text, { start: 0, end: text.length }).filter(({ start, end }) =>
      text.slice(start, end).trim().startsWith(label),
    ).length > 1
  );
}

/** The sign that sets off a line: `##`, `[`, `**`. */
const signOf = (line: string) => /^(?:#{1,6}|\*\*|\[|<|[-=*_]{2,40})/.exec(line.trim())?.[0] ?? '';

/** Whether a label, or a line in front of all labels, has the sign of this line: an answer may have headings of its own. */
function isSignOfTemplate(text: string, labels: readonly Span[], line: string): boolean {
  const ahead = linesIn(text, { start: 0, end: labels[0]?.start ?? 0 });
  return [...labels, ...ahead].some(({ start, end }) => signOf(text.slice(start, end)) === signOf(line));
}

/** Whether a blank line stands in front of a place. */
const isPartedAhead = (text: string, place: number) =>
  /\n[ \t\r]*\n[ \t]*$/.test(text.slice(Math.max(0, place - 300), place));
/** The same behind it. */
const isPartedBehind = (text: string, place: number) => /^[ \t\r]*\n[ \t\r]*\n/.test(text.slice(place));

function closes(
  { subject, finding, orders }: Guessed,
  at: Span,
  shape: Shape,
  label: (line: string) => boolean,
): boolean {
  const { parts } = subject.prompt;
  const text = parts[at.part]?.text ?? '';
  const next = behindOf(text, at).trim();
  if (next !== '') {
    const isParted = isPartedBehind(text, at.end);
    // The last of several paragraphs may be an order, and so may the last line, where no blank line parts the sections. Behind answers
    // that are compared a heading sets off the orders.
    const isSetOff = subject.options.length > 1 && shape !== 'colon' && LABELS[shape].test(next);
    const blocks = isParted ? paragraphsIn(text, at) : text.slice(at.start, at.end).trim().split('\n');
    if (blocks.length > 1 && !(isParted && isSetOff)) return false;
    if (!isParted && isPartedAhead(text, labelStart(finding, at))) return false;
    const labels = finding.marks.filter(({ part }) => part === at.part);
    // A rule may stand in any text.
    if (RULE.test(next) || !isSignOfTemplate(text, labels, next) || isRepeated(text, next, shape))
      return false;
    return label(next);
  }
  // The text ends where its part ends: then all orders are told before. Of several lines the last may be orders.
  const isOneLine = !text.slice(at.start, at.end).trim().includes('\n');
  const isData = label(behindOf(text, { start: 0, end: 0 }));
  const toldBefore = parts.slice(0, at.part).some(({ role }) => role !== 'assistant');
  return orders.trim() !== '' && isOneLine && (shape !== 'colon' || (isData && toldBefore));
}
