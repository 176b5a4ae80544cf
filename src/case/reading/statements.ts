/**
 * Statements beside instruction and options that could sway a judge ("90% believe that Output (a) is better"),
 * and the places where they name an option. Those are exchanged with the options: a statement that went on
 * naming the same slot would change sides.
 */
import { labelKey } from '../counterfactual.ts';
import { NOUNS } from '../layouts/titles.ts';
import type { Mention, Prompt, Span, Statement } from '../types.ts';
import { lineEnd, lineStart, linesIn, type Range, trimmed } from './lines.ts';
import { namesPlace, placesIn } from './places.ts';

/** Longer lines are material. */
const LONGEST = 600;

const LABELLED = /^\W{0,8}statement\b\W{0,4}[:\]]/i;
const CROWD =
  /\d\s?%{1,2}|\bpercent\b|\b(?:majority|consensus|most (?:people|users|experts|readers|reviewers|judges|annotators|raters|evaluators)|(?:people|users|experts|everyone|everybody|others|reviewers|judges|annotators|critics) (?:\w+ ){0,2}(?:think|believe|prefer|agree|say|favou?r|chose|voted|consider|find|like|rate))/i;
const COUNTED = /\d\s?%|\bpercent\b|\bmajority\b/i;
const HOLDS =
  /\b(?:think|believe|prefer|agree|say|favou?r|chose|choose|vote|consider|find|like|rate|regard|endorse|support|recommend|selected|picked|liked|rated|voted|preferred|believed|said|favou?red)s?\b/i;
const NAMES = new RegExp(
  `\\b(?:${NOUNS})s?\\s*[#_-]?\\s*\\(?(?:[a-z]|\\d{1,2})\\)?(?![\\p{L}\\p{N}])|\\([a-z]\\)`,
  'iu',
);

/** A lone letter that can only be an option's. */
const LETTER = /\b(?:[B-H]|A (?:is|was|over|wins))\b/;

/** Who wrote an option, said beside it. Longer lines describe the task, and so do those that give orders. */
const AUTHORED =
  /\b(?:written|authored|composed|penned|produced|generated|created|submitted|answered) by (?!(?:the |an? |two |different )*(?:assistant|model|chatbot|system|AI)s?\b)|\b(?:author|writer)s? of\b/i;
/** When an option was written, said beside it. */
const DATED =
  /\b(?:written|authored|composed|published|posted|created|produced|updated) (?:back )?in (?:\p{L}+ )?(?:19|20)\d\d\b/iu;
const ORDERS =
  /\b(?:answer(?:ing)? (?:with|only|using)|reply|respond|choose|select|judge|evaluate|rate|decide|which|whether|compare|if)\b|\[\[/i;
const LONGEST_BYLINE = 300;

const names = (line: string) => NAMES.test(line) || namesPlace(line);

const NOUN = '(?:submission|answer|response|output|reply|completion|summary|translation)';
/** The one answer that is judged, where a statement speaks of it. */
const THE_ANSWER = new RegExp(
  `\\bthis ${NOUN}\\b|\\bthe (?:submitted |given |model's )?${NOUN}(?= (?:is|was)\\b)`,
  'i',
);
/** What would have to be so, a question, or a step of a scale: a rubric, not a report of what others think. */
const RUBRIC = /\b(?:if|when|would|should|could|may|might)\b|\?\s*$|^\W*(?:[a-z]+ )?\d{1,2}\s*[:.)=-]/i;

/** A line under the label `Statement` that tells what others think or that names an option. */
export function labelledStatement(line: string): boolean {
  return line.length <= LONGEST && LABELLED.test(line.trim()) && (CROWD.test(line) || names(line));
}

/** A line that, next to the instruction, is a statement and not part of it. */
export function looksLikeStatement(line: string): boolean {
  if (line.length > LONGEST) return false;
  return (
    labelledStatement(line) ||
    (CROWD.test(line) && HOLDS.test(line) && (names(line) || LETTER.test(line))) ||
    saysWhoWrote(line)
  );
}

/** The same, where one answer is judged and has no label that a line could name: it speaks of "this answer". */
export function speaksOfTheAnswer(line: string): boolean {
  if (line.length > LONGEST || RUBRIC.test(line)) return false;
  return CROWD.test(line) && HOLDS.test(line) && THE_ANSWER.test(line);
}

/** A line of the judge's own text that tells what others think of the options. */
function saysWhatOthersThink(line: string): boolean {
  if (line.length > LONGEST) return false;
  return (
    LABELLED.test(line.trim()) ||
    (CROWD.test(line) && HOLDS.test(line) && (names(line) || COUNTED.test(line))) ||
    saysWhoWrote(line) ||
    speaksOfTheAnswer(line)
  );
}

function saysWhoWrote(line: string): boolean {
  return (
    line.length <= LONGEST_BYLINE &&
    (AUTHORED.test(line) || DATED.test(line)) &&
    names(line) &&
    !ORDERS.test(line)
  );
}

/**
 * @param gaps the stretches of the prompt that hold neither instruction nor options nor delimiters
 * @param labels the options' labels, in order
 */
export function findStatements(
  prompt: Prompt,
  gaps: readonly Span[],
  labels: readonly string[],
): Statement[] {
  return gaps.flatMap((gap) => {
    const text = prompt.parts[gap.part]?.text ?? '';
    return [...linesIn(text, gap)].flatMap((line) => {
      const at = trimmed(text, line);
      if (at.start === at.end || !saysWhatOthersThink(text.slice(at.start, at.end))) return [];
      return [statementAt(prompt, { part: gap.part, ...at }, labels, gap)];
    });
  });
}

/** @param within what is taken out with the statement stays inside this range */
export function statementAt(prompt: Prompt, at: Span, labels: readonly string[], within: Range): Statement {
  const text = prompt.parts[at.part]?.text ?? '';
  return {
    text: text.slice(at.start, at.end),
    at,
    mentions: mentionsIn(text, at, labels),
    whole: { part: at.part, ...withBlankLine(text, at, within) },
  };
}

/** The statement's lines and the blank line after them; only the statement where it shares its line. */
function withBlankLine(text: string, at: Range, within: Range): Range {
  const start = Math.max(lineStart(text, at.start), within.start);
  let end = Math.min(lineEnd(text, at.end), within.end);
  const alone = text.slice(start, at.start).trim() === '' && text.slice(at.end, end).trim() === '';
  if (!alone || (start > 0 && text[start - 1] !== '\n')) return { start: at.start, end: at.end };
  if (end < within.end) end += 1;
  const blank = lineEnd(text, end);
  if (blank < within.end && text.slice(end, blank).trim() === '') end = blank + 1;
  return { start, end };
}

/** Every place where an option is named, as written: `Output (a)`, `output A`, `(a)`, the `first` of "first answer"; "this answer". */
export function mentionsIn(text: string, at: Span, labels: readonly string[]): Mention[] {
  if (labels.length === 1) {
    const said = mentionOfTheAnswer(text, at);
    return said.length > 0 ? said : labelsIn(text, at, labels);
  }
  return [...labelsIn(text, at, labels), ...placesIn(text, at, labels.length)].sort(
    (a, b) => a.at.start - b.at.start,
  );
}

function labelsIn(text: string, at: Span, labels: readonly string[]): Mention[] {
  const keys = labels.map((label) => labelKey(label).toLowerCase());
  const words = text.slice(at.start, at.end);
  if (new Set(keys).size < keys.length) return exactLabelsIn(words, at, labels);
  const found: Mention[] = [];
  const named = new RegExp(
    `(?:\\b(?:${NOUNS})s?\\s*[#_-]?\\s*)\\(?([a-z]|\\d{1,2})\\)?(?![\\p{L}\\p{N}%])|\\(([a-z]|\\d{1,2})\\)|\\b([B-H]|A(?!\\s+\\p{Ll}{2,}(?<!is|was|over|to|and|or|as|than)))(?![\\p{L}\\p{N}'’])`,
    'giu',
  );
  for (const match of words.matchAll(named)) {
    // A lone letter names an option only where it is written large: "prefer B".
    if (match[3] !== undefined && match[3] !== match[3].toUpperCase()) continue;
    const key = (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase();
    const option = keys.indexOf(key);
    const start = at.start + match.index;
    if (option >= 0) found.push({ option, at: { part: at.part, start, end: start + match[0].length } });
  }
  return found;
}

/** `m` and `M` are told apart by letter case alone: wherever one stands by itself it is the option. */
function exactLabelsIn(words: string, { part, start: from }: Span, labels: readonly string[]): Mention[] {
  const alone = new RegExp(
    `(?<![\\p{L}\\p{N}_'’])(?:${labels.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}_'’])`,
    'gu',
  );
  return [...words.matchAll(alone)].map(({ 0: label, index }) => {
    const start = from + index;
    return { option: labels.indexOf(label), at: { part, start, end: start + label.length } };
  });
}

function mentionOfTheAnswer(text: string, at: Span): Mention[] {
  const words = text.slice(at.start, at.end);
  const match = speaksOfTheAnswer(words) ? THE_ANSWER.exec(words) : null;
  if (!match) return [];
  const start = at.start + match.index;
  return [{ option: 0, at: { part: at.part, start, end: start + match[0].length } }];
}
