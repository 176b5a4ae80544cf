/**
 * Where the judged text ends and the judge's orders go on. Most prompts close with a question ("Which is
 * better, Output (a) or Output (b)?") that no delimiter sets off from the last option. It must stay where it
 * is when options are exchanged, and a note to the judge goes before it.
 */
import { labelKey } from '../counterfactual.ts';
import { linesIn, paragraphsIn, type Range, trimmed } from './lines.ts';
import { labelledStatement, looksLikeStatement } from './statements.ts';

/** Longer paragraphs are material, not orders. */
const LONGEST_ORDER = 1500;

const OPENS =
  /^(?:[#*\-[(>"'\s]|\d+\.\s)*(?:now|then|next|end|conclude|finish|make|simply|please(?! (?:keep|note|let|remember|feel|be ))|which|who|is|are|does|do|don['’]t|choose|select|pick|decide|answer|respond|reply|output|return|provide|give|write|print|state|rate|score|grade|judge|evaluate|compare|assess|rank|your|you|based on|considering|think|begin|first|after|finally|use|only|verdict|decision|feedback|evaluation|judge?ment|rating|format|final|in your|if|the (?:output|answer|response|verdict|format)|as (?:an?|the) (?:\w+ )?(?:judge|evaluator|grader)|let['’]s|explain)\b/i;
/** How orders begin that do not ask for the verdict themselves. */
const ADVISES =
  /^(?:[#*\-[(>"'\s]|\d+\.\s)*(?:consider|focus|ignore|avoid|weigh|remember|note|be|do|take|read|look|keep|make|pay)\b/i;
const DECIDES =
  /\b(?:better|best|worse|worst|prefer(?:red|able|s)?|verdict|decision|judge?ments?|winner|scor(?:e|es|ing)|rat(?:e|ing)|grade|ranking|choice|evaluat(?:e|ion)|criteri(?:a|on)|rubric|correct|superior|select|choose|pick|quality)\b/i;
// Not "Answer: he is left with 40", which ends many a worked solution.
const FORM =
  /\[\[|\b(?:answer|respond|reply|output|return|response|verdict|choice)\b(?!\*{0,4}:)[^\n]{0,80}\b(?:only|with|either|exactly|json|format|should|must|strictly)\b|\b(?:only|just|single) (?:the |a |an |one )?(?:single )?(?:letter|number|label|index|digit|integer|word|character|json)\b/i;
const BLOCK =
  /^(?:```(?:json)?\s*)?\{\s*"?(?:winner|verdict|choice|score|rating|reason|pass|answer|preferred|explanation)/i;
/** `"Yes" or "No"`, which a prompt asks for that asks whether the first is better; without quotes, perhaps. */
const YES_OR_NO = /["'“‘`]yes["'”’`] or ["'“‘`]no["'”’`]/i;
const YES_OR_NO_BARE = /\b(?:answer|respond|reply|print|output|say|state)\b[^\n]{0,60}\byes(?: or |\/)no\b/i;
const RULE = /^[-=*_~\s]{3,}$/;
const TITLE = /^\W{0,8}statement\W{0,4}$/i;
const CUE =
  /^[#*[\s]{0,20}(?:your |my |final |the ){0,4}(?:verdict|decision|judge?ment|evaluation|feedback|reasoning|score|rating|grade|choice|answer|response|better (?:output|response|answer)|winner|best (?:output|response|answer|choice))(?:\s{0,9}\([^\n]{1,80}\))?[\])*\s]{0,20}[:?]?[*\s]{0,20}$/i;

/** How a prompt speaks of its options. */
export interface Speech {
  /** Words for them: "outputs", "responses", `[[`. */
  readonly names: () => RegExp;
  /** Their labels as alternatives: "A or B", "1/2", `"Verdict: A" or "Verdict: B"`. */
  readonly offers: () => RegExp;
}

/** "Answer: he is left with 40" ends many a worked solution. It may be an order, but it does not show. */
const ANSWERS = /^\W*(?:final )?(?:answer|output|response|reply|solution|result|score|rating)\W{0,3}:/i;
/** "Output (b) is better", "# Output (b):": a line about an option or its label, however much like the verb it begins. */
const ABOUT_ONE =
  /^\W*(?:answer|output|response|reply|choice|grade|score|rate|print|state)\s*[#([]{0,2}(?:[a-z]|\d{1,2})[)\]]?\s*(?::|(?:is|was|are|has|seems|wins|beats|does|gives|should|must)\b)|^\W*(?:(?:my|the|final) )*(?:verdict|decision|judge?ment|evaluation) is\b/i;
/** What only orders speak of, in paragraphs that begin like orders. */
const JUDGING = /\b(?:verdicts?|judge?ments?|winner|which (?:one|of the)|reasoning|explanation|justif\w+)\b/i;

/**
 * Whether a paragraph or line asks for a verdict on the options, rather than being part of one. Only one that
 * speaks of them, or says how the verdict is to be written, is an order to a judge.
 */
export function asksForVerdict(words: string, speech: Speech): boolean {
  if (words.length > LONGEST_ORDER) return false;
  if (BLOCK.test(words) || CUE.test(words)) return true;
  if (!OPENS.test(words) || ANSWERS.test(words) || ABOUT_ONE.test(words)) return false;
  if (YES_OR_NO.test(words)) return true;
  return (
    FORM.test(words) || speech.offers().test(words) || (DECIDES.test(words) && speech.names().test(words))
  );
}

const explains = (words: string) =>
  words.length <= LONGEST_ORDER && OPENS.test(words) && !ABOUT_ONE.test(words) && JUDGING.test(words);

/** Whether words that are not clearly an order may be one all the same. */
function mayAsk(words: string, speech: Speech): boolean {
  if (words === '' || words.length > LONGEST_ORDER) return false;
  if (speech.offers().test(words) || explains(words)) return true;
  return OPENS.test(words) && (FORM.test(words) || YES_OR_NO_BARE.test(words));
}

/** The same of a text that is the judge's own for certain, whatever it calls the options. */
export function asksAtAll(words: string): boolean {
  return (
    words.length <= LONGEST_ORDER &&
    (BLOCK.test(words) ||
      CUE.test(words) ||
      (OPENS.test(words) && (FORM.test(words) || DECIDES.test(words) || words.trimEnd().endsWith('?'))))
  );
}

/** Where an option ends in the stretch from its label to the next one, or to the end of the text. */
export interface Tail {
  /** End of the option, before the orders and statements that follow it. */
  readonly end: number;
  /** Paragraphs or lines that ask for the verdict, in order. */
  readonly orders: readonly Range[];
  /** The option's last words may be an order, too; nothing tells. */
  readonly doubtful: boolean;
  /** The option is one paragraph, and that asks for the verdict: an empty option and the orders look the same. */
  readonly onlyOrders: boolean;
}

/** How a template sets its options out. */
interface TailRules {
  /** Options begin beside their label. */
  readonly inline: boolean;
  /** Sections follow on each other without a blank line, so blank lines tell nothing. */
  readonly dense: boolean;
}

/**
 * Reads a stretch from its end: paragraphs that ask for the verdict or tell what others think, then the same by
 * lines, for many a template has no blank line there. The first paragraph or line is the option itself, unless a
 * heading sets it off from an option that is empty or, where options begin beside their label, it begins on
 * another line.
 */
export function tailOf(text: string, range: Range, speech: Speech, { inline, dense }: TailRules): Tail {
  const paragraphs = paragraphsIn(text, range);
  const first = paragraphs[0];
  const kept = first && isOwn(text, range, first, inline) ? 1 : 0;
  const whole = dense ? { from: 1, orders: [], asksBack: false } : cutFrom(text, paragraphs, kept, speech);
  const last =
    dense && first
      ? { start: first.start, end: paragraphs.at(-1)?.end ?? first.end }
      : paragraphs[whole.from - 1];
  const words = wordsOf(text, first);
  const asks = asksForVerdict(words, speech) && opensAsOrder(words, speech);
  const onlyOrders = asks && kept === 1 && whole.from <= 1;
  // Orders that do not show may as well be the option.
  const unclear = whole.from === 0 && first !== undefined && !asks;
  if (!last) return { end: first?.start ?? range.end, orders: whole.orders, doubtful: unclear, onlyOrders };
  const own = whole.from === 1 ? kept : 0;
  const lines = linesIn(text, last)
    .map((line) => trimmed(text, line))
    .filter(({ start, end }) => end > start);
  const part = cutFrom(text, lines, own, speech);
  const orders = [...part.orders, ...whole.orders];
  const end = lines[part.from]?.start ?? (dense ? undefined : paragraphs[whole.from]?.start) ?? range.end;
  // What is left of the paragraph that orders were cut from, and its last line, unless they are the option's own.
  const rest = part.from > own ? text.slice(last.start, Math.min(last.end, end)).trimEnd() : '';
  const line = part.from > own ? wordsOf(text, lines[part.from - 1]) : '';
  const doubtful =
    unclear ||
    whole.asksBack ||
    part.asksBack ||
    // What asks stands below a blank line: an order above that, right under the option's last line, may be its own.
    (part.orders.length > 0 && (whole.orders.length > 0 || isParted(text, lines.slice(part.from - 1)))) ||
    BLOCK.test(wordsOf(text, orders[0])) ||
    (own === 0 && mayAsk(rest, speech)) ||
    mayAsk(line, speech) ||
    (part.orders.length > 0 && (OPENS.test(line) || ADVISES.test(line)));
  return { end, orders, doubtful, onlyOrders };
}

/** @returns the index of the first block that is cut off at the end, the orders among those, and whether one only asks back */
function cutFrom(
  text: string,
  blocks: readonly Range[],
  kept: number,
  speech: Speech,
): { from: number; orders: Range[]; asksBack: boolean } {
  let from = blocks.length;
  let asksBack = false;
  const orders: Range[] = [];
  for (let i = blocks.length - 1; i >= kept; i--) {
    const block = blocks[i];
    if (!block) break;
    const words = wordsOf(text, block);
    const asks = asksForVerdict(words, speech) && opensAsOrder(words, speech);
    // A rule, a title or a wish for reasons may be the option's own; in front of orders it belongs to them.
    const leads = from < blocks.length && (RULE.test(words) || TITLE.test(words) || explains(words));
    if (!asks && !leads && !tells(words, speech)) break;
    from = i;
    // "Which one do you prefer?" ends many an answer as well.
    asksBack ||= !asks && words.trimEnd().endsWith('?');
    if (asks) orders.unshift(block);
  }
  return { from, orders, asksBack };
}

/** Of several lines the first one has to be an order, too: the others may be an option's end with an order behind. */
function opensAsOrder(words: string, speech: Speech): boolean {
  const line = words.slice(0, words.indexOf('\n'));
  return (
    !words.includes('\n') ||
    BLOCK.test(words) ||
    asksForVerdict(line, speech) ||
    explains(line) ||
    /:$/.test(line)
  );
}

/** A line on what others think of the options; not one that asks for the verdict in the same breath. */
function tells(words: string, speech: Speech): boolean {
  if (words.includes('\n')) return false;
  return labelledStatement(words) || (looksLikeStatement(words) && !speech.offers().test(words));
}

/** Whether the first line stands close to the second one and a blank line further down. */
function isParted(text: string, lines: readonly Range[]): boolean {
  const gaps = lines.slice(1).map(({ start }, i) => text.slice(lines[i]?.end ?? start, start));
  const blank = (gap: string) => /\n[^\S\n]*\n/.test(gap);
  return gaps.length > 1 && !blank(gaps[0] ?? '') && gaps.slice(1).some(blank);
}

const wordsOf = (text: string, block: Range | undefined) => (block ? text.slice(block.start, block.end) : '');

function isOwn(text: string, range: Range, first: Range, inline: boolean): boolean {
  const beside = !text.slice(range.start, first.start).includes('\n');
  return beside || (!inline && text[first.start] !== '#');
}

/**
 * Whether an order stands twice: among the options, too, or among the orders. Then an option may have ended
 * with a copy of it, and nothing tells the two apart.
 * @param from where the first option begins
 * @param ahead what stands in other texts in front of it
 */
export function isRepeated(text: string, orders: readonly Range[], from: number, ahead = ''): boolean {
  if (orders.length === 0) return false;
  const words = orders.map(({ start, end }) => keyless(text.slice(start, end)));
  const options = text.slice(from, orders[0]?.start ?? from);
  // Of several orders the first may be the option's copy of one that stands in front of the options.
  const [first = ''] = words;
  if (words.length > 1 && holds(ahead + text.slice(0, from), first)) return true;
  // A copy may go on: "Which is better? # Output (b): x".
  if (words.some((one, i) => words.some((other, j) => i !== j && other.startsWith(one)))) return true;
  return new Set(words).size < words.length || words.some((paragraph) => holds(options, paragraph));
}

/**
 * Whether a text says the same, whatever labels it names. What stands between labels is looked for first, which is quick,
 * and quicker where it does not begin with a space.
 */
function holds(text: string, words: string): boolean {
  return words.split('#').every((part) => text.includes(part.trim())) && keyless(text).includes(words);
}

/**
 * Whether the first of several paragraphs behind the last option begins with what an earlier text of the prompt says: the
 * option may have ended with a copy of it.
 * @param ahead the earlier texts
 */
export function isCopied(text: string, behind: Range, ahead: readonly string[]): boolean {
  const [first, ...more] = paragraphsIn(text, behind);
  if (more.length === 0) return false;
  const [line = ''] = keyless(wordsOf(text, first)).trim().split('\n');
  const words = line.trim();
  return /\p{L}/u.test(words) && ahead.some((other) => holds(other, words));
}

/** A copy may name other labels: `Output (1) or Output (2)` for `Output (a) or Output (b)`. */
const keyless = (words: string) => words.replace(/(?<![\p{L}\p{N}])(?:\p{L}|\d{1,2})(?![\p{L}\p{N}])/gu, '#');

/** @param labels the options' labels, in order */
export function speechOf(noun: string, labels: readonly string[]): Speech {
  let names: RegExp | undefined;
  let offers: RegExp | undefined;
  // Most orders are told by their own words, so neither is made before it is asked for.
  return {
    names: () => {
      names ??= naming(noun);
      return names;
    },
    offers: () => {
      offers ??= offering(labels);
      return offers;
    },
  };
}

const naming = (noun: string) =>
  new RegExp(`\\b(?:${noun}s?|outputs|responses|answers|assistants|candidates|submissions?)\\b|\\[\\[`, 'i');

function offering(labels: readonly string[]): RegExp {
  if (labels.length < 2) return /(?!)/;
  const [first = '', second = ''] = labels.slice(0, 2).map(labelKey).map(alone);
  // "1, 2" alone may be numbers of any sort; "1, 2 or 3" are labels to choose from.
  const between = `[^\\n]{0,40}?(?:\\bor\\b|\\band\\b|[/|])[^\\n]{0,40}?${second}`;
  const listed = `\\W{1,6}${second}[^\\n]{0,60}?\\bor\\b`;
  return new RegExp(`${first}(?:${between}|${listed})`, 'u');
}

/** A key that stands for itself: `A`, `(a)`, `"a"`, `1`; a small letter alone is a word. */
function alone(key: string): string {
  const [upper, lower] = [RegExp.escape(key.toUpperCase()), RegExp.escape(key.toLowerCase())];
  return `(?:(?<![\\p{L}\\p{N}])${upper}(?![\\p{L}\\p{N}])|[("'\\[\`]${lower}[)"'\\]\`])`;
}
