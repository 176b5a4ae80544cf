/**
 * Whether the options of a case may change places at all. The other order is a fair test only where a judge that changes its
 * verdict with it is wrong. It is none where the orders themselves tell the places apart: "If both are equally good, answer A."
 * Nor is it where one option speaks of another by its label, since the label would then be that of a third, or its own:
 * "Response A forgets to carry the ten."
 */
import { labelKey } from './counterfactual.ts';
import { textAt } from './layouts/lines.ts';
import { mentionsIn } from './layouts/statements.ts';
import { NOUNS } from './layouts/titles.ts';
import { findOwnText } from './own-text.ts';
import type { Case } from './types.ts';
import { inAnyCase, matchesOf } from './words/matches.ts';
import { quote } from './words/phrases.ts';
import { splitAtStops } from './words/sentences.ts';
import { MEANINGS } from './words/vocabulary.ts';
import { matchWords, SPACED } from './words/words.ts';

/** Longer sentences are material, not orders. */
const LONGEST = 400;
/** Sentences that are looked at: one takes up to 0.1 ms, and no orders have more. */
const MOST = 400;

/** A mention of an option is put as one character, which counts up from here: then no rule has to know the labels. */
const FIRST = 0xe000;
const ONE = '[\\uE000-\\uE0FF]';
const MENTION = new RegExp(ONE, 'g');
/** What may stand around a label: brackets, an article, the word for what it labels. */
const AROUND = `(?:[\\s"'“”„‘’\`*_()[\\]<>]|\\b(?:the|with|for|to|always|simply|only|just|option|${NOUNS}|one|die|der|den|das|mit|für|immer|antwort)\\b){0,12}`;
const CHOOSE =
  '\\b(?:choos\\w{1,9}|pick|select|prefer|answer|reply|respond|return|output|say|write|name|give|take|keep|favou?r|declare|vote|rule|go|stay|stick|default|wähl\\w{0,9}|nimm|antworte\\w{0,9}|bevorzug\\w{0,9}|nenn\\w{0,9}|schreib\\w{0,9}|entscheid\\w{0,9})\\b';
const WORD = `[^\\s.,;\\uE000-\\uE0FF]{1,20}`;
const TIE = `(?:\\bties?\\b|\\btied\\b|\\bequally ${WORD}|\\b(?:are|is|seem|appear|look|if|when)(?: ${WORD}){0,2} equal\\b|\\b(?:cannot|can not|can['’]t|unable to) (?:decide|choose|tell)\\b|\\bdoubt\\b|\\b(?:undecided|unsure|uncertain|equivalent|indistinguishable)\\b|\\bno (?:${WORD} ){0,2}difference\\b|\\b(?:same|equal|similar) quality\\b|\\bgleich (?:gut|schlecht|stark)|\\bgleichwertig|\\bGleichstand|\\bZweifel\\b|\\bclose call\\b|\\bneither (?:${WORD} ){1,3}better\\b|\\bunentschieden)`;
/**
 * Words for a tie in other languages. Some are known only as a condition: `비슷하면` is "if they are alike", `비슷한지` asks whether an
 * answer is like the reference.
 */
const TIE_ELSEWHERE = matchWords(MEANINGS.tie);
const WHEN = '\\b(?:if|when|whenever|should|where|on|for|in|wenn|falls|sind|bei|im)\\b';
/** Up to the next thought. */
const ON = `(?:(?!\\b(?:if|otherwise|else|better|unless|wenn|sonst|besser)\\b)[^.;?!\\uE000-\\uE0FF]){0,60}?`;
/** Not one of a list: `A or B`, `A: …`, `A if …`. */
const ALONE = `(?!["'\\]\`*)\\s]{0,4}(?:(?:,|/|\\||or|and|oder|und|vs\\.?|=|<|>|\\s){1,4}["'[\`*(\\s]{0,4}${ONE}|[:=<>|/]|\\b(?:if|when|for|wins?|is|are|means|wenn|falls)\\b))`;
const CLEARLY =
  '(?:clearly|significantly|substantially|noticeably|markedly|strictly|much|far|deutlich|klar|eindeutig)';
const OPTION = `(${ONE})["'\\]\`*)\\s]{0,4}(?:(?:${NOUNS}|one)\\s)?["'\\s]{0,2}`;

/** The option of a match wins where nothing else decides. */
const FAVOURS = [
  // If both are equally good, answer A.
  new RegExp(
    `${WHEN}${ON}${TIE}${ON}(?:${CHOOSE}${AROUND}|(?<!${ONE}["'\\]) ]{0,3}),\\s{0,3}(?:then\\s{1,3}|dann\\s{1,3})?["'[\`]{0,3})(${ONE})${ALONE}`,
    'gi',
  ),
  // Answer A if both are equally good.
  new RegExp(`${OPTION}${WHEN}(?: (?!better|if|besser)${WORD}){0,5}? ?${TIE}`, 'gi'),
  // Ties go to A.
  new RegExp(
    `\\bties? (?:go(?:es)?|(?:are|is) (?:won|decided|broken|resolved|awarded)|should go|must go)\\b(?: (?:to|by|for|in favou?r of)){0,2}${AROUND}(${ONE})${ALONE}`,
    'gi',
  ),
  new RegExp(`\\bbreak (?:${WORD} )?ties? (?:to|by|for|in favou?r of)${AROUND}(${ONE})${ALONE}`, 'gi'),
  new RegExp(`${OPTION}wins (?:all |any |the |on )?ties?\\b`, 'gi'),
  new RegExp(`\\bdefault (?:to|is)\\b${AROUND}(${ONE})${ALONE}`, 'gi'),
  // Keep A unless B is clearly better.
  new RegExp(`${CHOOSE}${AROUND}${OPTION},? ?(?:unless|es sei denn|außer wenn)\\b`, 'gi'),
  new RegExp(
    `\\bbenefit of the doubt to${AROUND}(${ONE})|\\bgive${AROUND}${OPTION}the benefit of the doubt`,
    'gi',
  ),
];

/** The option of a match has to do more than the others to win. */
const HANDICAPS = [
  // Choose B only if it is clearly better. Wähle B nur, wenn es deutlich besser ist.
  new RegExp(`${OPTION}(?:(?:if and )?only (?:if|when|where)|nur,? (?:wenn|falls))\\b`, 'gi'),
  new RegExp(`${OPTION}(?:if|when|where) (?:it|${ONE})(?: (?:${NOUNS}|one))? is ${CLEARLY} better\\b`, 'gi'),
  new RegExp(`\\bonly ${CHOOSE}${AROUND}(${ONE})${AROUND}\\b(?:if|when|where)\\b`, 'gi'),
  new RegExp(`\\b(?:not|never|don['’]t) ${CHOOSE}${AROUND}(${ONE})${AROUND}\\bunless\\b`, 'gi'),
  // Keep it unless B is clearly better.
  new RegExp(
    `\\b(?:unless|außer|es sei denn)\\b,?${AROUND}${OPTION}(?:is|ist|wäre) (?:${WORD} )?${CLEARLY} (?:better|besser)`,
    'gi',
  ),
  new RegExp(`${OPTION}(?:must|has to|needs to|should) be ${CLEARLY} better\\b`, 'gi'),
  // Response B is a revision of Response A.
  new RegExp(
    `${OPTION}(?:is|was) (?:the|our|a|an) (?:${WORD} ){0,2}?(?:revision|rewrite|version|edit) of ${ONE}`,
    'gi',
  ),
];

/** What every such order has, and few others: looking for what names an option takes longer. */
const HINT = new RegExp(
  `${TIE}|\\b(?:unless|default (?:to|is)|benefit of the doubt|only (?:if|when|where)|only ${CHOOSE}|(?:is|be) ${CLEARLY} better|(?:revision|rewrite|version|edit) of|nur,? (?:wenn|falls)|es sei denn)\\b|\\baußer\\b`,
  'i',
);

/** What the orders call an option beside its label: "Response A is the baseline", `# Response A (baseline)`. */
const ROLES = 'baseline|candidate|incumbent|challenger|revision|draft|original';
const ROLE = new RegExp(`\\b(?:${ROLES})\\b`, 'i');
const HAS_ROLE = new RegExp(
  `(${ONE})(?: (?:${NOUNS}))?(?: (?:is|was)| ?[:=,])? ?\\(?(?:(?:the|our|a|an) )?(?:${WORD} )?(${ROLES})\\b`,
  'gi',
);
const THE_ROLE = new RegExp(`\\bthe (${ROLES})\\b`, 'gi');

/**
 * Why the options of a case are not to change places, as a clause; null where they may.
 *
 * @example whyOrderIsFixed(subject) // 'the orders tell the places apart: "If both are equally good, answer A."'
 */
export function whyOrderIsFixed(subject: Case): string | null {
  if (subject.options.length < 2) return null;
  const order = orderOnPlaces(subject);
  if (order !== null) return `the orders tell the places apart: "${quote(order)}"`;
  const [reference] = referencesIn(subject);
  return reference
    ? `option ${reference.option + 1} speaks of another by its label: "${quote(reference.seen)}"`
    : null;
}

/** Lines that are delimiters, or look like one. */
const DELIMITER = /^\s{0,9}[#<|=[{~_]/;

/** Options whose text speaks of another one by its label, in running words, with the line. */
export function referencesIn({ options }: Case): { readonly option: number; readonly seen: string }[] {
  const labels = options.map(({ label }) => label);
  const names = namesOf(labels);
  if (!names) return [];
  const keys = labels.map(labelKey);
  return options.flatMap(({ text }, option) => {
    const isOfAnother = (match: RegExpExecArray) =>
      keys.indexOf(match[1] ?? '') !== option && isInWords(match);
    const seen = text
      .split('\n')
      .find((line) => !DELIMITER.test(line) && matchesOf(line, names).some(isOfAnother));
    return seen === undefined ? [] : [{ option, seen: seen.trim() }];
  });
}

function isInWords({ 0: name, index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 4), index);
  const behind = input.slice(index + name.length, index + name.length + 6);
  return /\p{L}[,;:]? ["'“(]?$|\p{Lo}$/u.test(before) || /^(?:['’]s)?,? \p{Ll}{2}|^,? ?\p{Lo}/u.test(behind);
}

/** A lone capital behind these is a label. */
const COMPARED = `(?<=(?:${['both', 'either', 'neither', 'unlike', 'same as', 'compared to', 'compared with', 'contrary to'].map(inAnyCase).join('|')}) )(?=\\p{Lu}(?! (?!and|n?or)\\p{Ll}))`;

/** Behind a Latin letter or a number: a word that no space sets apart, as in `回答Bは` and `답변 2는`. `答案2个` are two answers. */
const UNSPACED =
  '(?<=[A-Za-z0-9)])(?![个個件つ種种条句段行点개건명줄])(?=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])';

/**
 * How a text speaks of the options: `response A`, `output (a)`; by their keys alone behind a word for an option, where the labels
 * are no more than that; `both A and C`, `unlike A`. Null for labels that are words (`alpha`, `left`), which may mean anything.
 */
function namesOf(labels: readonly string[]): RegExp | null {
  const keys = labels.map(labelKey);
  const nouns = labels.map((label, n) =>
    label.slice(0, label.lastIndexOf(keys[n] ?? '')).replace(/[^\p{L}\p{N}]{1,9}$/u, ''),
  );
  const isWord = (key: string, n: number) => key.length > 2 && !/\p{L}/u.test(nouns[n] ?? '');
  if (keys.some(isWord) || new Set(keys).size < keys.length) return null;
  const words = new Set(
    nouns.flatMap((noun) => (/\p{L}/u.test(noun) ? [noun] : NOUNS.split('|'))).map(inAnyCase),
  );
  // A small letter behind a word may be an article: `output a list`.
  const small = '(?!(?<!\\()\\p{Ll}(?!\\p{L}))';
  return new RegExp(
    `(?<![${SPACED}\\p{N}_])(?:(?:${[...words].join('|')})[\\s#_-]{0,3}\\(?${small}|${COMPARED})(${keys.map((key) => RegExp.escape(key)).join('|')})\\)?(?:(?![\\p{L}\\p{N}_%])|${UNSPACED})`,
    'gu',
  );
}

/** The first sentence of the orders that counts some of the options differently, where not all of them are counted so. */
function orderOnPlaces(subject: Case): string | null {
  const labels = subject.options.map(({ label }) => label);
  const sentences = ordersIn(subject)
    .flatMap(splitAtStops)
    .filter((sentence) => sentence.length <= LONGEST);
  const isHint = (sentence: string) => HINT.test(sentence) || TIE_ELSEWHERE.test(sentence);
  if (!sentences.some(isHint)) return null;
  const marked = sentences
    .filter((sentence) => isHint(sentence) || ROLE.test(sentence))
    .slice(0, MOST)
    .map((sentence) => ({ sentence: sentence.trim(), words: withMentions(sentence, labels) }));
  const roles = new Map(
    marked.flatMap(({ words }) =>
      matchesOf(words, HAS_ROLE).map(([, one = '', role = '']) => [role.toLowerCase(), one]),
    ),
  );
  const byLabel = (words: string) =>
    words.replace(THE_ROLE, (found, role: string) => roles.get(role.toLowerCase()) ?? found);
  const namedBy = (rules: readonly RegExp[]) => (words: string) =>
    rules
      .flatMap((rule) => matchesOf(byLabel(words), rule))
      .map((match) => match.slice(1).find((group) => group !== undefined));
  for (const named of [namedBy(FAVOURS), onlyNamed, namedBy(HANDICAPS)]) {
    const seen = new Map(marked.flatMap(({ sentence, words }) => named(words).map((one) => [one, sentence])));
    const [one] = seen.values();
    if (one !== undefined && seen.size < labels.length) return one;
  }
  return null;
}

/** The option that a rule for a tie names, where it names one alone: `同程度の場合はAと答えてください。` */
function onlyNamed(words: string): string[] {
  const named = new Set(matchesOf(words, MENTION).map(([one]) => one));
  return named.size === 1 && TIE_ELSEWHERE.test(words) ? [...named] : [];
}

/** What a case says to the judge itself. Words in front of all else may be orders as well as the task. */
function ordersIn(subject: Case): string[] {
  const { instruction, prompt } = subject;
  const isFirst =
    instruction && textAt(prompt, { ...instruction.at, start: 0, end: instruction.at.start }).trim() === '';
  return [
    ...(isFirst ? [instruction.text] : []),
    ...findOwnText(subject).map((span) => textAt(prompt, span)),
  ];
}

function withMentions(sentence: string, labels: readonly string[]): string {
  const at = { part: 0, start: 0, end: sentence.length };
  return mentionsIn(sentence, at, labels)
    .toReversed()
    .reduce(
      (text, { option, at: { start, end } }) =>
        text.slice(0, start) + String.fromCharCode(FIRST + option) + text.slice(end),
      sentence,
    );
}
