/**
 * The only label that a short reply names, in whatever language: `Indeks: 1`, `(2) since it keeps the joke`, `Ich wähle b).`
 * It stands apart from the words around it, and no other label is named at all.
 */

import { AGAINST, CJK, DENIES } from '../../vocabulary.ts';
import type { Unread } from './reply.ts';

/** In UTF-16 code units. A longer reply weighs one against the other, and its language decides what it says. */
export const SHORT_REPLY = 120;
/** Nothing stands between the words of these scripts, or between a number and the sign that counts it: `3번`. */
const WORD = `(?!${CJK.source})[\\p{L}\\p{N}]`;
/** -1 is not 1. */
const NOT_NEGATIVE = '(?!(?<=(?:^|[\\s:="\'(])-)\\d)';
const CLOSES = '[\\p{Pe}\\p{Pf}"\'*_`]';
/** What may stand in front of a label, and behind it. A dot or a comma that a number follows belongs to a number. */
const BEFORE = new RegExp(`(?:^|[\\s\\p{P}\\p{S}]|${CJK.source})$`, 'u');
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

/** Ends a clause; so does a colon behind the label, as in `B: the other is worse`. */
const CLAUSE_ENDS = /[.,;!?()\n、。，；！？]|\s[-–—]\s|(?<=\0):/u;

/** Whether a clause that names an option speaks against it: `Runner-up: B`. */
export function speaksAgainst(reply: string, labels: readonly string[]): boolean {
  const named = new RegExp(
    `[([{"']?(?<!${WORD})(?:${labels.map(RegExp.escape).join('|')})(?!${WORD})[)\\]}"']?`,
    'giu',
  );
  const clauses = reply.replaceAll(named, '\0').split(CLAUSE_ENDS);
  return clauses.some((clause) => clause.includes('\0') && AGAINST.test(clause));
}

/** Every label in a text, in any letter case. The longest first: `NO SIRVE` is not `SIRVE`. */
function anyOf(labels: readonly string[]): RegExp {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length);
  const written = longestFirst.map((label) => RegExp.escape(label)).join('|');
  return new RegExp(`(?<!${WORD})${NOT_NEGATIVE}(?:${written})(?!${WORD})`, 'giu');
}

/**
 * @param labels what stands for each option; letter case counts for a single letter
 * @returns the label's index; null where none or several are named, or the reply says more than that
 */
export function soleLabel(reply: string, labels: readonly string[]): number | null {
  const text = reply.trim();
  if (text.length > SHORT_REPLY) return null;
  const any = anyOf(labels);
  const named = [...text.matchAll(any)].map(({ 0: found, index: at }) => {
    const index = labels.findIndex((one) => one.toLowerCase() === found.toLowerCase());
    const behind = text.slice(at + found.length);
    return {
      index: found.length === 1 && found !== labels[index] ? -1 : index,
      isApart: BEFORE.test(text.slice(0, at)) && (BEHIND.test(behind) || CHOSEN.test(behind)),
    };
  });
  const [first] = named;
  const isSole = named.every(({ index }) => index === first?.index) && named.some(({ isApart }) => isApart);
  return first && first.index >= 0 && isSole && !DENIES.test(text.replaceAll(any, '')) ? first.index : null;
}

/** What may open a label, and what may stand behind one: nothing, or in front of its reasons these. */
const OPENING = /^(?:\p{Extended_Pictographic}\uFE0F?\s{1,3})?["'([]{0,2}/u;
const ENDED = /^["')\]]{0,2}\.?$/;
const CLOSED = /^["')\]*_]{0,4}(?:[.,:;!。，：]|\s[-–—]\s|\s?[(（]|$)/u;
const REASONED =
  /^["')\]]{0,2}(?:\s(?:because|since|as|it (?:does|is)|weil|denn|parce que|porque|perché|omdat|ponieważ|потому что)(?!\p{L}))/u;

/** A line's heading, and one under which a reply comes to its verdict. */
const HEADING = /^\p{L}[^:：\n]{0,30}[:：]\s{0,3}(?!$)/u;
const FINAL_HEADING =
  /^(?:(?:the|my) )?(?:overall|final|verdict|answer|grade|label|result|conclusion|judge?ment|decision)(?: (?:verdict|answer|grade|label|result|decision|judge?ment|assessment|conclusion|rating|score|classification|evaluation))?\s?[:：]/i;

/** Behind a sentence. */
const SENTENCE_START = /(?<=[.!?。！？])\s{1,3}/u;

/** A sentence on the whole: what it says behind a label is no reason for that label. */
const ON_THE_WHOLE =
  /\b(?:overall|therefore|thus|hence|so|final(?:ly)?|conclusion|as a whole|altogether|on balance|all in all)\b/i;

/**
 * A word is a label only where it stands alone: in front of its reasons at the beginning, behind them on the last line, on a
 * line of its own that nothing follows but reasons, or as the only label of a short reply. `Jahreszahl` is no `Ja`.
 *
 * @returns the label's index
 */
export function labelAlone(reply: string, labels: readonly string[]): number | Unread {
  const lines = reply.split('\n').flatMap((line) => line.trim().replace(OPENING, '') || []);
  const conclusion = lines.at(-1)?.split(SENTENCE_START).at(-1);
  if (conclusion !== undefined && conclusion !== lines.at(-1)) lines.push(conclusion);
  const labelsOf = (text: string, end: RegExp) => {
    const line = text.trimStart().replace(OPENING, '');
    return labels.flatMap((label, index) => {
      const begins =
        line.startsWith(label) || (label.length > 1 && line.toLowerCase().startsWith(label.toLowerCase()));
      return begins && end.test(line.slice(label.length)) ? index : [];
    });
  };
  const under = (line: string) => line.replace(HEADING, '');
  const [first = '', second = ''] = lines;
  const opening = first.replace(FINAL_HEADING, '').trim() || second;
  const plainly = labelsOf(first, CLOSED);
  const opened = [first, opening].flatMap((line) => [...labelsOf(line, CLOSED), ...labelsOf(line, REASONED)]);
  const own = lines.map((line, at) => {
    const alone = labelsOf(line, ENDED);
    const headed = labelsOf(under(line), ENDED);
    const heading = alone.length > 0 ? (lines[at - 1] ?? '') : line;
    return { alone, headed, final: FINAL_HEADING.test(heading) ? headed : [] };
  });
  const last = own.at(-1);
  const isHeadedLast = last !== undefined && last.headed.length > 0 && last.alone.length === 0;
  const ends = isHeadedLast ? lines.length - 1 : own.findLastIndex(({ alone }) => alone.length > 0);
  const behind = lines.slice(ends + 1);
  const isPart = /[?？]$/.test(lines[ends - 1] ?? '') && behind.some((line) => /[?？]/.test(line));
  const saysMore = (line: string) =>
    labelsOf(line, CLOSED).length + labelsOf(under(line), CLOSED).length > 0 ||
    line.split(SENTENCE_START).some((one) => ON_THE_WHOLE.test(one) && anyOf(labels).test(one));
  const isSettled = ends >= 0 && !isPart && !behind.some(saysMore);
  const isFinal = isSettled && own[ends]?.final.length !== 0;
  // A list of parts behind the label of the whole says nothing else; behind a heading or in front of reasons a label may be one.
  const isOpen = plainly.length === 0 && (isHeadedLast || opened.length > 0);
  const part = isFinal ? 'final' : isOpen ? 'headed' : 'alone';
  const counted = isSettled || opened.length > 0 ? own.flatMap((line) => line[part]) : [];
  const found = new Set([...opened, ...counted]);
  if (found.size > 1) return { none: 'contradictory' };
  const closing = lines.at(-1) ?? '';
  const [reasoned, ...others] = new Set(
    Array.from(closing.matchAll(anyOf(labels)), ([one]) => one.toLowerCase()),
  );
  const before = reasoned === undefined || others.length > 0 ? [] : labelsOf(closing, CLOSED);
  return [...found][0] ?? soleLabel(reply, labels) ?? before[0] ?? { none: 'no-label' };
}
