/**
 * Further ways in which a short note names one of the options by its place: a side (`the one on the left`), a place without a
 * word for what it is (`la segunda.`, `first 14 %`), a numeral behind a word for an option (`Answer two`). In longer texts the
 * same words may speak of anything, so they are read in notes alone.
 */
import { matchesOf } from '../words/matches.ts';
import { CJK, isNameOfOption, MEANINGS } from '../words/vocabulary.ts';
import { listRows, matchWords, type WordLists } from '../words/words.ts';
import { NOUNS } from './titles.ts';

/** Longer texts are material. */
const LONGEST = 600;

export const isShort = (text: string): boolean => text.length <= LONGEST;

/** `回答Ｂ` as `回答B`: every character in its place. */
export const halfWidth = (text: string): string =>
  /[！-～]/.test(text)
    ? text.replaceAll(/[Ａ-Ｚａ-ｚ０-９（）]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    : text;

const words = (line: string) => line.split(' ');
/** Two sides, in one grammatical form each. */
export const SIDES = listRows(MEANINGS.sides);
/** One above the other. */
const HEIGHTS = listRows(MEANINGS.heights);
/** What was named first of two, and what was named last. In Japanese with its particle, which tells it from Chinese. */
const NAMED_BEFORE = listRows(MEANINGS.namedBefore);
const NUMERALS = listRows(MEANINGS.numerals);
const COUNTED = listRows(MEANINGS.counted);
const DIGITS = words('1 2 3 4 5 6 7 8');
const LETTERS = words('a b c d e f g h');
const ROMAN = words('i ii iii iv');
const STEMS = words('甲 乙 丙 丁');

/** Rows of words, each in the order of the options that they stand for. */
export const LOOSE_ROWS: readonly (readonly string[])[] = [
  ...SIDES,
  ...HEIGHTS,
  ...NAMED_BEFORE,
  ...NUMERALS,
  ...COUNTED,
];
/** Keys as others call the options: `answer 2` of answers A and B. */
export const OTHER_KEYS: readonly (readonly string[])[] = [DIGITS, LETTERS, ROMAN, STEMS];

/** Of two options alone. */
export const isOfTwo = (word: string): boolean =>
  [...SIDES, ...HEIGHTS, ...NAMED_BEFORE].some((row) => row.includes(word.toLowerCase()));

/** Any of the words, the longest first. */
export const either = (rows: readonly (readonly string[])[]) =>
  [...new Set(rows.flat())]
    .sort((a, b) => b.length - a.length)
    .map(RegExp.escape)
    .join('|');
const inGerman = (lists: WordLists) => either(listRows(lists, 'de'));
const ONE = `(?:(?:of (?:the|these) (?:two )?)?(?:${NOUNS})s?|one|side|column|panel|hand)`;
/** Further nouns for what stands side by side, in a note. */
const SHOWN =
  'script|snippet|entry|description|explanation|slogan|design|sample|draft|wording|rewrite|attempt|suggestion|contender|bot|LLM|AI|write-up|caption|headline|take|rendition|phrasing';
/** No word begins or ends here. */
const FREE = '(?![\\p{L}\\p{M}\\p{N}])';
const ENDS = `\\s{0,3}(?:$|[.,;:!?)\\]"'”’»“…–—|，。、；：！？」』])`;

const FR_ORDINAL = '(?:la|le|au|du) (?:première|premier|seconde|second|deuxième|troisième)';
const ES_ORDINAL = 'primera|segunda|tercera|cuarta';
const ES_ORDINAL_M = '(?:el|al|del) (?:primero|segundo|tercero|cuarto)';

/** What may follow a place that stands by itself: no noun, which would say what is counted. */
const followed = (language: string) =>
  `\\s(?:${matchWords(MEANINGS.behindPlaceInNotes, 'iu', language).source})`;
/** A place followed by nothing, or by what no noun is. */
const alone = (language: string) => `(?=${ENDS}|${followed(language)})`;

/** Behind a Chinese counting word: it counts something else. */
const NO_OPTION =
  '[问題题月周年步人字词詞句例数數章節节项項国國]|星期|原因|阶段|部分|段落|要求|标准|测试|样本|任务|指令|用户|评审|评委|理由|要点|论点|因素|城市|小时|季度|标注|读者|专家|学生';
/** Each has one group: the word that stands for a place. */
const NOTES: readonly RegExp[] = [
  `\\b(left|right)-hand\\b`,
  `\\b(leftmost|rightmost)\\b`,
  `\\b(left)(?=\\s+${ONE}\\b)`,
  `\\b(right)(?=\\s+(?:side|column|panel)\\b)`,
  `\\b(?:on|to|at) the (left|right)\\b(?! hand)`,
  `(?<!\\p{L})(?:die|der|das|den|dem|zur|zum|beim|vom|im|am|ans) (${inGerman(MEANINGS.sides)})${alone('de')}`,
  `(?<!\\p{L})(?<!(?:nach|von) )(links|rechts)${FREE}`,
  `(?<!\\p{L})(?:de|à|sur la|sur votre|la) (gauche|droite)${FREE}`,
  `(?<!\\p{L})(?:la|su|de|columna) (izquierda|derecha)${FREE}`,
  `(?<!\\p{L})(?:da|à|de|na) (esquerda|direita)${FREE}`,
  `(?<!\\p{L})(?:di|a|sulla|quella a) (sinistra|destra)${FREE}`,
  `(?<!\\p{L})(?:till|det|den) (vänster|höger|vänstra|högra)${FREE}`,
  `(?<!\\p{L})po (lewej|prawej)${FREE}`,
  `(?<!\\p{L})(слева|справа|soldaki|sağdaki)${FREE}`,
  '(左|右)(?=[边邊侧側]|面(?:的|那)|手边|のほう|の方)',
  '(왼쪽|오른쪽)(?=의?\\s|[이을은]|$)',
  `(?<!\\p{L})(${inGerman(MEANINGS.namedBefore)})${FREE}`,
  `(${either(listRows(MEANINGS.namedBefore, 'ja'))})`,
  '(前者|后者|後者)(?![がをはにのもでとへ、])',
  `\\b(first|second|third|left)(?=\\s+(?:${SHOWN})s?\\b)`,
  `\\b(upper|lower|bottom)(?=\\s+${ONE}\\b)`,
  `\\b(top)(?=\\s+${ONE}\\b[^\\n]{0,80}\\bbottom\\b)`,
  `\\b(?:at|on|near) the (top|bottom)(?=${ENDS})`,
  `(?<!\\p{L})(?:die|der|das|den|dem|zur|zum|beim|vom) (${inGerman(MEANINGS.heights)})${alone('de')}`,
  `(?<!\\p{L})(?:celle|celui|réponse|texte|version) (?:du|d['’]en) (haut|bas)${FREE}`,
  `(?<!\\p{L})(?:la|el|respuesta|texto|versión) de (arriba|abajo)${FREE}`,
  '(上面|下面|前面|后面)(?=的?[那这][个篇条段份版种款])',
  '(上の|下の)(?=(?:ほう|方)(?:が|を|は|に|の|も))',
  '(전자|후자)(?=[가를는의에도])',
  '(前一|后一|头一)(?=[个個篇条條份段种種版款位])',
  `\\bthe (first|second|third)(?=${followed('en')})`,
  `(?<=[:=→] ?)\\b(first|second|left|right)(?=\\s{0,3}(?:$|[.;,\\n)]))`,
  `(?<!\\p{L})(?:die|der|das|den|dem|zur|zum|beim|vom|fürs|für|jene|dieses|diese) (${inGerman(MEANINGS.ordinals)})${alone('de')}(?!, (?:der|die|das|was|den) )`,
  `(?<![\\p{L}\\p{M}])(?<!(?:à|par|dans) (?=la seconde))(${FR_ORDINAL})${alone('fr')}`,
  `(?<!\\p{L})(?<!por )la (${ES_ORDINAL})${alone('es')}`,
  `(?<!\\p{L})(${ES_ORDINAL_M})${alone('es')}`,
  `(?<!\\p{L})((?:a|da|na|à|pela) (?:primeira|segunda|terceira)|(?:o|do|no|ao|pelo) (?:primeiro|segundo|terceiro))(?=${ENDS})`,
  `(?<!\\p{L})((?:la|della|alla) (?:prima|seconda|terza)|(?:il|del|al) (?:primo|secondo|terzo))(?=${ENDS})`,
  `(?<!\\p{L})de (eerste|tweede|derde)(?=${ENDS})`,
  `(?<!\\p{L})den (första|andra|tredje)(?=${ENDS})`,
  `(?<!\\p{L})(?:за|лучше|выбрали|предпочли) (первый|второй|первую|вторую)(?=${ENDS})`,
  `(第[一二三四1-4])(?=[个個篇条條份种種版款位](?!${NO_OPTION}))`,
  `(${either([...listRows(MEANINGS.ordinals, 'ja').slice(1), ...listRows(MEANINGS.counted, 'ja')])})(?=[がをはにもで、。]|の(?:ほう|方|お?話|物語|もの|やつ|案|文|訳|作品|意見|説明|文面|返事))`,
  '(最初|二番目)(?=の(?:ほう|方))',
  '(前の|後の)(?=(?:ほう|方)(?:が|を|は|に|の|も))',
].map((source) => new RegExp(source, 'giu'));

const SPACED_NUMERAL = either(NUMERALS.map((row) => row.filter((word) => !CJK.test(word))));
/** `number two`, `Nummer 2`, `n° 1`; not `is number one`, which praises. */
const NUMBERED = new RegExp(
  `(?<!\\p{L})(?:number|no\\.|nummer|nr\\.|numéro|número|n[°º]|#)\\s?(${SPACED_NUMERAL})(?=${ENDS}|\\s+(?:is|was|has|had|gets?|got|won|wins|ist|war|hat|est|a|es|ha|gana|and|und|et|y|over)\\b)`,
  'giu',
);
/** A numeral behind a word: `Answer two`, `回答二`. */
const NUMERAL = new RegExp(
  `([\\p{L}]{3,20})[ -](${SPACED_NUMERAL})(?=${ENDS}|\\s(?:is|was|has|had|gets?|got|won|wins|over|to|than|and|as|seems|ist|war|hat|gewinnt|gewann|siegt|führt|est|a|es|ha|gana|ganó|gagne|und|et|y|por)(?![\\p{L}\\p{M}]))|([\\p{Script=Han}]{2}|[ァ-ヶー]{2,12})(?:(一)(?![个個下些样樣致直定般次起切番])|([二三四])(?![个個次十百千万重手]))`,
  'giu',
);
/** In titles: `Submission One averaged 4.7`. */
const TITLED = /(?<!\p{L})(\p{Lu}\p{Ll}{2,19}) (One|Two|Three|Eins|Zwei|Drei|Deux|Trois|Dos|Tres)(?!\p{L})/gu;
/** Words of one row that stand for all options, each in front of a number or a separator. */
const BARE = listRows(MEANINGS.barePlaces).map((row) => ({
  row,
  place: new RegExp(
    `(?<![\\p{L}\\p{N}])(${either([row])})(?=["')\\]]?(?:\\s{0,3}[:=;|\\t,→–—-]|\\s{1,3}[\\d★⭐]))`,
    'giu',
  ),
}));

/** `It is number one`, `the #1 choice`. */
const PRAISED =
  /(?<!\p{L})(?:is|are|was|the|as|ranked|be|a|its|our|remains|became|hit|still|at|die|der|ist|le|la|el|es|est) $/iu;
const isPraise = (text: string, { index, 0: all }: RegExpExecArray): boolean =>
  /(?:one|eins|uno?|1)$/i.test(all) && PRAISED.test(text.slice(Math.max(0, index - 12), index));

/** A place that a text names, and where. */
interface NamedPlace {
  readonly word: string;
  readonly start: number;
}

const group = (match: RegExpExecArray | RegExpMatchArray): NamedPlace => {
  const word = match.slice(1).findLast((one) => one !== undefined) ?? '';
  return { word, start: (match.index ?? 0) + match[0].lastIndexOf(word) };
};

/** The places that a note names in these ways; none in a longer text. @param options how many there are */
export function loosePlacesIn(text: string, options: number): NamedPlace[] {
  if (!isShort(text)) return [];
  const found = NOTES.flatMap((one) => matchesOf(text, one).map(group));
  const numerals = [...matchesOf(text, NUMERAL), ...matchesOf(text, TITLED)]
    .filter(([, spaced, , unspaced]) => isNameOfOption(spaced ?? unspaced ?? ''))
    .map(group);
  const numbered = matchesOf(text, NUMBERED)
    .filter((match) => !isPraise(text, match))
    .map(group);
  const bare = BARE.flatMap(({ row, place }) => {
    const all = matchesOf(text, place).map(group);
    const named = new Set(all.map(({ word }) => word.toLowerCase()));
    return row.slice(0, options).every((word) => named.has(word)) ? all : [];
  });
  // `Links` are addresses.
  return [...found, ...numerals, ...numbered, ...bare].filter(
    ({ word }) => word !== 'Links' && !(isOfTwo(word) && options !== 2),
  );
}

const SIGN = '(?:n[°ºo]\\.? ?|numéro |número |nr\\. ?|no\\. ?|nummer |number |#)';
/** A word and what stands behind it, joined or with the sign of a number. */
const KEY = new RegExp(
  `(?:(?<![\\p{L}])([\\p{L}]{3,20})[ _-]?${SIGN}?\\(?|([\\p{Script=Han}]{2}|[ァ-ヶー]{2,12}) ?)(\\d|[A-H]|III?|[甲乙丙])(?![\\p{Script=Latin}\\p{N}%]|[.,]\\d)`,
  'giu',
);
/** The end of a field's name, whatever it is a field of: `votes_a`, `author_b`. */
const OF_FIELD = /(?<![\p{L}\p{N}])[\p{L}_]{2,24}_([a-h]|\d)(?![\p{L}\p{N}_])/giu;
/** `n° 2` and `2号` without a word; not `is no. 1`, which praises. */
const NUMBER =
  /(?<!\p{L})(?:n[°º] ?|numéro |número |nr\. ?|no\. ?|nummer |number |#)([1-4])(?![\p{L}\p{N}%]|[.,:]\d)|(?<![\d第])([1-4])[号番](?!\p{Script=Han}目?)|(?<!\p{L})(?:die|la|le|el|der|den|zur|zum|mit|con|avec) ([1-4])(?=\s{0,3}(?:$|[.,;!?)"”»]))/giu;

/** Behind a word for an option in any language, what tells options apart: the `2` of `modèle 2`. */
export function keysBehindNouns(text: string): NamedPlace[] {
  if (!isShort(text)) return [];
  const behind = matchesOf(text, KEY)
    // A small letter behind a word is another word, in most languages.
    .filter(([, spaced, joined, key = '']) => isNameOfOption(spaced ?? joined ?? '') && !/^[a-h]$/.test(key))
    .map(group);
  const fields = matchesOf(text, OF_FIELD).map(group);
  const numbers = matchesOf(text, NUMBER)
    .filter((match) => !isPraise(text, match))
    .map(group);
  return [...behind, ...fields, ...numbers];
}

const CHOSEN = new RegExp(
  `(?:${matchWords(MEANINGS.winnerLabel).source})["'”]?\\s{0,3}[:=：→]{1,2}\\s{0,3}["'“]?([1-8A-Ha-h])(?=["'”\\s.,;})\\]]|$)`,
  'giu',
);
/** What is written as the choice of others: the `2` of `team's pick = 2`. */
export const chosenKeys = (text: string): NamedPlace[] =>
  !isShort(text) ? [] : matchesOf(text, CHOSEN).map(group);

/** `a` of `a=34, b=5`, where every key stands in front of a number. */
export function countedKeys(text: string, keys: readonly string[]): NamedPlace[] {
  if (!isShort(text) || keys.some((key) => !/^[\p{L}\d]$/u.test(key))) return [];
  const all = [
    ...text.matchAll(
      new RegExp(`(?<![\\p{L}\\p{N}])(${either([keys])})(?=["'’”]?\\s{0,3}[:=→|]\\s{0,3}["']?\\d)`, 'giu'),
    ),
  ].map(group);
  const named = new Set(all.map(({ word }) => word.toLowerCase()));
  return keys.every((key) => named.has(key.toLowerCase())) ? all : [];
}
