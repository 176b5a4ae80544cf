/**
 * Judged text that imitates the prompt around it: a line with the label of an option, a delimiter, or a sentence on an
 * option as a statement of the prompt would say it. Such a text is told as a security event, whether the case could
 * be read all the same or not. Ordinary answers hold such lines, too ("Answer A: …"), so an event is a hint for the
 * operator and never changes a verdict.
 */
import { type Checkpoint, FEW, unlimited } from './checkpoint.ts';
import { labelKey } from './counterfactual.ts';
import { referencesIn } from './fixed-order.ts';
import { linesIn } from './layouts/lines.ts';
import { marksIn } from './layouts/marks.ts';
import { asksAtAll } from './layouts/orders.ts';
import { looksLikeStatement, mentionsIn, speaksOfTheAnswer } from './layouts/statements.ts';
import { readOption, readTitle } from './layouts/titles.ts';
import type { Case, Option, SecurityEvent } from './types.ts';
import { quote } from './words/phrases.ts';
import { splitAtStops } from './words/sentences.ts';

/** Longer lines are no delimiters. */
const LONGEST = 160;
/** Letters that a delimiter must have to be told from the bullet of a list. */
const FEWEST_LETTERS = 4;
/** Shorter lines (`text a`) are no labels either: a prefilter, since texts may have a hundred thousand short lines. */
const SHORTEST = 5;
/** How far behind an option a statement is looked for, in characters. */
const LONGEST_BEHIND = 600;
/** Shorter orders (`Your verdict:`) may well stand in a prompt twice. */
const SHORTEST_ORDER = 20;

/** @returns one event for every option and kind, in the order of the options; of each the first line */
export function imitationsIn(subject: Case, checkpoint: Checkpoint = unlimited): SecurityEvent[] {
  const atPace = createPacedTest(checkpoint);
  const delimiters = delimitersOf(subject);
  const nouns = new Set(subject.options.flatMap(({ label }) => readOption(label)?.noun ?? []));
  const events = subject.options.flatMap((option, index): SecurityEvent[] => {
    const line = firstLine(
      option,
      atPace((one) => isDelimiter(one, delimiters, nouns)),
    );
    const sentence = firstSentence(
      option,
      atPace((one) => speaksOfAnOption(subject, one)),
    );
    return [
      ...(line === null ? [] : [delimiterEvent(line, index)]),
      ...(sentence === null ? [] : [statementEvent(sentence, index)]),
    ];
  });
  checkpoint();
  const further = [
    ...referencesIn(subject).map(({ option, seen }) => statementEvent(seen, option)),
    ...statementsBehind(subject),
    ...labelBehind(subject),
  ];
  return [...events, ...further.filter((one, i) => !isTold([...events, ...further.slice(0, i)], one))];
}

/** A test of lines that passes a checkpoint now and then. */
function createPacedTest(checkpoint: Checkpoint) {
  let seen = 0;
  return (test: (line: string) => boolean) => (line: string) => {
    if (seen++ % FEW === 0) checkpoint();
    return test(line);
  };
}

/**
 * The same of a prompt in which no case was found, so that nothing tells where its options begin and end.
 *
 * @param texts those that may hold judged text
 */
export function imitationsInPrompt(texts: readonly string[]): SecurityEvent[] {
  const labels = texts.flatMap(labelsIn);
  const repeated = [...Map.groupBy(labels, ({ noun }) => noun).values()].flatMap((same) => {
    const keys = new Set(same.map(({ key }) => key));
    const seen = new Set<string>();
    const twice = same.find(({ key, closes }) => seen.size === seen.add(`${closes} ${key}`).size);
    return keys.size > 1 && twice ? [delimiterEvent(twice.line, null)] : [];
  });
  // A prompt with examples repeats its orders; one that compares answers hardly does.
  const several = new Set(labels.map(({ key }) => key)).size > 1;
  const spoken = several
    ? texts.flatMap((text) => sentencesIn(text).filter(looksLikeStatement).slice(0, 1))
    : [];
  const asked =
    several && repeated.length === 0 ? repeatedOrder(texts).map((line) => delimiterEvent(line, null)) : [];
  return [...repeated.slice(0, 1), ...asked, ...spoken.slice(0, 1).map((one) => statementEvent(one, null))];
}

/** The first line of orders to the judge that stands there twice: one of the two is an answer's. */
function repeatedOrder(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const line of texts.flatMap(linesOf)) {
    if (line.length < SHORTEST_ORDER) continue;
    if (seen.has(line) && asksAtAll(line)) return [line];
    seen.add(line);
  }
  return [];
}

/** Whether a prompt has the labels of two options or more. */
export function labelsSeveral(texts: readonly string[]): boolean {
  const byNoun = Map.groupBy(texts.flatMap(labelsIn), ({ noun }) => noun);
  return [...byNoun.values()].some((same) => new Set(same.map(({ key }) => key)).size > 1);
}

const delimiterEvent = (line: string, option: number | null): SecurityEvent => ({
  kind: 'delimiter',
  option,
  seen: `a line reads like a label or a delimiter of the options: "${quote(line)}"`,
});

const statementEvent = (sentence: string, option: number | null): SecurityEvent => ({
  kind: 'statement',
  option,
  seen: `a sentence speaks of an option as a statement of the prompt would: "${quote(sentence)}"`,
});

const isTold = (events: readonly SecurityEvent[], { kind, option }: SecurityEvent) =>
  events.some((one) => one.kind === kind && one.option === option);

const firstLine = ({ text }: Option, is: (line: string) => boolean): string | null =>
  linesOf(text).find(is) ?? null;

const firstSentence = ({ text }: Option, is: (sentence: string) => boolean): string | null =>
  sentencesIn(text).find(is) ?? null;

const linesOf = (text: string): string[] =>
  linesIn(text, { start: 0, end: text.length })
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((line) => line !== '');

const sentencesIn = (text: string): string[] => splitAtStops(text).map((sentence) => sentence.trim());

/** The lines right before and behind every option, without what tells the options apart. */
function delimitersOf({ prompt: { parts }, options }: Case): Set<string> {
  const found = options.flatMap((option) => {
    const text = parts[option.at.part]?.text ?? '';
    const ahead = text.slice(Math.max(0, option.at.start - LONGEST), option.at.start);
    const behind = text.slice(option.at.end, option.at.end + LONGEST);
    return [linesOf(ahead).at(-1) ?? '', linesOf(behind)[0] ?? ''];
  });
  const keys = keysOf(options);
  return new Set(
    found.map((line) => withoutKeys(line, keys)).filter((line) => letters(line) >= FEWEST_LETTERS),
  );
}

const keysOf = (options: readonly Option[]) =>
  new Set(options.map(({ label }) => labelKey(label).toLowerCase()));

const letters = (line: string) => line.match(/\p{L}/gu)?.length ?? 0;

const withoutKeys = (line: string, keys: ReadonlySet<string>): string =>
  line
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\p{L}\p{N}]+/gu, (word) => (keys.has(word) ? '\0' : word));

function isDelimiter(line: string, delimiters: ReadonlySet<string>, nouns: ReadonlySet<string>): boolean {
  if (line.length > LONGEST || line.length < FEWEST_LETTERS) return false;
  const label = labelIn(line);
  if (label && nouns.has(label.noun)) return true;
  const start = line.toLowerCase().replace(/\s+/g, ' ');
  for (const delimiter of delimiters) {
    const [head = '', ...rest] = delimiter.split('\0');
    if (rest.length === 0 ? start === delimiter : matchesAround(start, [head, ...rest])) return true;
  }
  return false;
}

/** Whether a line begins with the pieces, with a word between each two of them. */
function matchesAround(line: string, [head = '', ...rest]: readonly string[]): boolean {
  if (!line.startsWith(head)) return false;
  let at = head.length;
  for (const piece of rest) {
    const word = /^[\p{L}\p{N}]{1,3}/u.exec(line.slice(at))?.[0].length ?? 0;
    if (word === 0 || !line.startsWith(piece, at + word)) return false;
    at += word + piece.length;
  }
  return true;
}

function speaksOfAnOption({ options }: Case, sentence: string): boolean {
  if (options.length === 1) return speaksOfTheAnswer(sentence);
  const labels = options.map(({ label }) => label);
  const at = { part: 0, start: 0, end: sentence.length };
  return looksLikeStatement(sentence) && mentionsIn(sentence, at, labels).length > 0;
}

/** A statement right behind an option that nothing closes: it may as well be the option's last line. */
function statementsBehind(subject: Case): SecurityEvent[] {
  return subject.options.flatMap(({ at }, index): SecurityEvent[] => {
    const text = subject.prompt.parts[at.part]?.text ?? '';
    const [line = ''] = linesOf(text.slice(at.end, at.end + LONGEST_BEHIND));
    return looksLikeStatement(line) || speaksOfAnOption(subject, line) ? [statementEvent(line, index)] : [];
  });
}

/** The label of an option behind the last one, where it labels nothing: it may as well be the last one's own line. */
function labelBehind({ prompt: { parts }, options }: Case): SecurityEvent[] {
  const last = options.at(-1)?.at;
  if (!last || options.length < 2) return [];
  const behind = labelsIn(parts[last.part]?.text.slice(last.end) ?? '');
  const label = behind.find(({ closes }) => !closes);
  return label ? [delimiterEvent(label.line, options.length - 1)] : [];
}

interface Label {
  readonly noun: string;
  readonly key: string;
  /** `[The End of Assistant A's Answer]`, `</response_a>`. */
  readonly closes: boolean;
  readonly line: string;
}

const labelsIn = (text: string): Label[] => linesOf(text).flatMap((line) => labelIn(line) ?? []);

const CLOSES = /^\W{0,8}(?:the )?end of\b|^[[<|]{1,2}\//i;
const BOUND = /^(?:the )?(?:start|begin(?:ning)?|end) of\s/i;

/** The label of an option that a line is or begins with, in any style. */
function labelIn(line: string): Label | null {
  if (line.length > LONGEST || line.length < SHORTEST) return null;
  const page = { part: 0, text: line, start: 0, end: line.length };
  const [mark] = marksIn(page);
  const bare = line
    .replace(/^[^\p{L}\p{N}]{1,12}/u, '')
    .replace(/[^\p{L}\p{N})]{1,12}$/u, '')
    .replace(BOUND, '')
    .replaceAll('_', ' ');
  const title = mark?.role === 'option' ? mark : readTitle(bare);
  if (title?.role !== 'option' || title.key === null) return null;
  return { noun: title.noun, key: title.key.toLowerCase(), closes: CLOSES.test(line), line };
}
