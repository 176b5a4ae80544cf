/**
 * The only label that a short reply names, in whatever language: `Indeks: 1`, `(2) since it keeps the joke`, `Ich wähle b).`
 * It stands apart from the words around it, and no other label is named at all.
 */

import { namesVerdict } from '../../words/field-names.ts';
import { AGAINST, CJK, DENIES, MEANINGS, wordsOfLabel } from '../../words/vocabulary.ts';
import { matchWords } from '../../words/words.ts';
import type { Unread } from './reply.ts';

/** In UTF-16 code units. A longer reply weighs one against the other, and its language decides what it says. */
export const SHORT_REPLY = 120;
/** Nothing stands between the words of these scripts, or between a number and the sign that counts it: `3번`. */
const WORD = `(?!${CJK.source})[\\p{L}\\p{N}]`;
/** -1 is not 1. */
const NOT_NEGATIVE = '(?!(?<=(?:^|[\\s:="\'(])-)\\d)';
const CLOSES = '[\\p{Pe}\\p{Pf}"\'*_`]';
/** What may stand in front of a label, and behind it. A dot or a comma that a number follows belongs to a number. */
const BEFORE = new RegExp(
  `(?:^|[\\s\\p{P}\\p{S}]|${CJK.source})$(?<!(?:${matchWords(MEANINGS.partly).source})\\s?)`,
  'iu',
);
const BEHIND = new RegExp(
  `^(?:\\s*(?:$|\\n)|${CLOSES}(?!${CJK.source})|(?!${CLOSES})\\p{P}(?!\\d)|\\s[\\-–—]\\s)`,
  'u',
);

/** A noun or a counter that a label stands in front of: `3번`, `B选项`. */
const NAMED = '番目?|案|回答|答案|选项|選項|号|號|项|項|번(?: ?안)?|안|的|적|类|類';
/** An ending that does not deny. */
const ENDING = '(?:(?!ませ)[\\p{Script=Hiragana}\\p{Script=Hangul}思考判断]){0,8}';
const CHOOSES = [
  `(?:の(?:方|ほう|回答|答え))?(?:です|だ|でした|である|と(?:しま|判断|判定)${ENDING}|を(?:選|推|支持|採)${ENDING})`,
  `(?:の(?:方|ほう)?)?が?(?:より|最も|一番)?(?:勝利?|良|よい|よく|いい|優|上です|好まし|正し|正確|適切|ふさわし|自然|明確|簡潔)${ENDING}`,
  '是?(?:更|较|較|最)?[为為]?(?:好|优|優|佳|准确|準確|正确|正確|清楚|清晰|自然|合适|合適|完整|全面|恰当|恰當|简洁|簡潔)的?|[获獲]?[胜勝]出?|[赢贏]',
  `입니다|이다|이에요|예요|(?:으로|로) (?:판단|판정|결정|선택|하겠)${ENDING}`,
  `[이가] (?:더 |가장 )?(?:낫|나은|나아|좋|우수|뛰어|정확|적절|자연|명확|훌륭)${ENDING}|[을를] (?:선택|고르|골|추천|선호|뽑|택)${ENDING}`,
].join('|');
/** Words behind a label, in scripts that set no space there, that say it is the one. Others may say the opposite: `Aには誤りがあります`. */
const CHOSEN = new RegExp(
  `^${CLOSES}?(?=${CJK.source})(?:${NAMED})?(?:${CHOOSES})?(?:[.。!！:：(（\\n]|(?<!が|けれ?ど|지만)[,，、]|${CLOSES}|$)`,
  'u',
);

/** Words behind a label that begin the reasons for it. */
const REASONED = new RegExp(`^["')\\]]{0,2}\\s(?:${matchWords(MEANINGS.because).source})`, 'iu');

/** Ends a clause; so does a colon behind the label, as in `B: the other is worse`. */
const CLAUSE_ENDS = /[.,;!?()\n、。，；！？]|\s[-–—]\s|(?<=\0):/u;

/** Every label in a text, in any letter case. The longest first: `NO SIRVE` is not `SIRVE`. */
function anyOf(labels: readonly string[]): RegExp {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);
  const written = longestFirst.map((label) => RegExp.escape(label)).join('|');
  return new RegExp(`(?<!${WORD})${NOT_NEGATIVE}(?:${written})(?!${WORD})`, 'giu');
}

/** Whether a clause that names an option speaks against it: `Runner-up: B`. */
export function speaksAgainst(reply: string, labels: readonly string[]): boolean {
  const named = new RegExp(`[([{"']?${anyOf(labels).source}[)\\]}"']?`, 'giu');
  const clauses = reply.replaceAll(named, '\0').split(CLAUSE_ENDS);
  return clauses.some((clause) => clause.includes('\0') && AGAINST.test(clause));
}

/** Finds every label that a text names, with what stands in front of it and behind; -1 for a single letter in the other case. */
function createFinder(labels: readonly string[]) {
  const any = anyOf(labels);
  return (text: string) =>
    Array.from(text.matchAll(any), ({ 0: found, index: at }) => {
      const index = labels.findIndex((one) => one.toLowerCase() === found.toLowerCase());
      return {
        index: found.length === 1 && found !== labels[index] ? -1 : index,
        before: text.slice(0, at),
        behind: text.slice(at + found.length),
      };
    });
}
type FindLabels = ReturnType<typeof createFinder>;

/**
 * @param labels what stands for each option; letter case counts for a single letter
 * @returns the label's index; null where none or several are named, or the reply says more than that
 */
export function soleLabel(reply: string, labels: readonly string[]): number | null {
  const text = reply.trim();
  if (text.length > SHORT_REPLY) return null;
  const named = createFinder(labels)(text);
  const [first] = named;
  const isApart = named.some(
    ({ before, behind }) =>
      BEFORE.test(before) && [BEHIND, CHOSEN, REASONED].some((ends) => ends.test(behind)),
  );
  if (!first || first.index < 0 || !isApart || named.some(({ index }) => index !== first.index)) return null;
  return DENIES.test(text.replaceAll(anyOf(labels), '')) ? null : first.index;
}

/** What may open a label, and what may stand behind one: nothing, or in front of its reasons these. */
const OPENING = /^(?:\p{Extended_Pictographic}\uFE0F?\s{1,3})?["'([]{0,2}/u;
const ENDED = /^["')\]]{0,2}[.!]?$/;
const CLOSED = new RegExp(
  `^["')\\]*_]{0,4}(?:[.,:;!。，：]|\\s[-–—:]\\s|\\s?[(（]|$)|${REASONED.source}`,
  'u',
);

/** In front of a label on its line: what it is the label of. So is a question or an entry of a list above it. */
const HEADING = /^[\p{L}\p{N}][^:：\n]{0,30}[:：]\s{0,3}/u;
/** Not behind a letter or a number of a list, which begins its line. */
const SENTENCE_START = /(?<!^[^\p{L}\p{N}]{0,4}[\p{L}\p{N}]\.)(?<=[.!?]["')\]]?|[。！？])\s{1,3}/u;

/** Whether a heading says that what follows is the verdict on everything: `Final verdict`, `Gesamturteil`; not `Overall tone`. */
function isOnTheWhole(heading: string): boolean {
  const name = heading.replace(/\banswer\b/i, 'verdict');
  return namesVerdict(name) && wordsOfLabel(name).every((word) => word.length < 4 || namesVerdict(word));
}

/** The label that a sentence begins with; -1 where none does, or where another stands apart in it that is not denied. */
function labelAt(sentence: string, end: RegExp, find: FindLabels): number {
  const [first, ...others] = find(sentence).filter(({ behind }) => CLOSED.test(behind));
  const isFirst = first?.before === '' && end.test(first.behind);
  const from = sentence.length - (first?.behind.length ?? 0);
  const agrees = ({ index, before }: (typeof others)[number]) =>
    index === first?.index || DENIES.test(before.slice(from));
  return isFirst && others.every(agrees) ? first.index : -1;
}

const withoutOpening = (text: string) => text.trim().replace(OPENING, '');

/**
 * A word is a label only where it stands alone: in front of its reasons at the beginning or the end, behind the heading of a verdict,
 * or on a line of its own. `Jahreszahl` is no `Ja`. Behind another heading, or within a line, it is the label of a part, unless that is
 * all there is. Where no label stands so, it may be the only one of a short reply.
 *
 * @returns the label's index
 */
export function labelAlone(reply: string, labels: readonly string[]): number | Unread {
  const sentences = reply.split('\n').flatMap((line) =>
    line
      .split(SENTENCE_START)
      .map((one, n) => ({ text: withoutOpening(one), isInside: n > 0 }))
      .filter(({ text }) => text !== ''),
  );
  const find = createFinder(labels);
  const closing = find(sentences.at(-1)?.text ?? '').filter(({ behind }) => CLOSED.test(behind));
  const headings = sentences.filter(({ text }) => HEADING.test(text) || /[:：?？]$/.test(text));
  const isOnlyHeading = (text: string) => headings.length === 1 && /[:：]$/.test(text);
  let above = '';
  const marks = sentences.flatMap(({ text, isInside }, at) => {
    const isEdge = at === 0 || at === sentences.length - 1;
    const [heading = ''] = HEADING.exec(text) ?? [];
    const own = labelAt(text, isEdge ? CLOSED : ENDED, find);
    const isHeaded = own < 0 && heading !== '';
    const label = isHeaded ? labelAt(withoutOpening(text.slice(heading.length)), CLOSED, find) : own;
    const of = isHeaded ? heading : above;
    above = label >= 0 ? '' : heading || (/[:：?？]$/.test(text) ? text : '');
    const isWhole =
      of === '' ? isEdge || (!isInside && closing.every(({ index }) => index === label)) : isOnTheWhole(of);
    const isLast =
      at === sentences.length - 1 && (isHeaded || labelAt(text, isInside ? ENDED : CLOSED, find) >= 0);
    const canBeAll = isEdge || isHeaded || (own >= 0 && isOnlyHeading(of));
    return label < 0 ? [] : [{ label, isWhole, canBeAll, isLast, isHeaded }];
  });
  const whole = marks.filter(({ isWhole }) => isWhole);
  const parts = marks.filter(({ isWhole }) => !isWhole);
  // What ends the reply may take back what stands above, unless it is one of several parts.
  const ends = parts.filter(({ isLast, isHeaded }) => isLast && !(isHeaded && parts.length > 1));
  const [first, ...more] = whole.length > 0 ? [...whole, ...ends] : marks;
  if (more.some(({ label }) => label !== first?.label)) return { none: 'contradictory' };
  if (first?.isWhole || (first?.canBeAll && more.length === 0)) return first.label;
  const sole = marks.every(({ canBeAll }) => canBeAll) ? soleLabel(reply, labels) : null;
  return sole ?? { none: 'no-label' };
}
