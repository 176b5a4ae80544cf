/** Whether a judge is asked which of several is worse. */

import { splitAtStops } from './sentences.ts';
import { BETTER, WORSE } from './vocabulary.ts';

const WORSE_IN_ENGLISH =
  /\b(?:which|what)\b(?: [\p{L}'’()]{1,20}){0,6} (?:is|was|are|were|does|did|performs?|performed|reads?|sounds?)(?: the)?(?: \p{L}{1,12})? (?:worse|worst|weaker|weakest|poorer|poorest|inferior)\b|\b(?:choose|pick|select|name|identify|find|output|return|say)(?: [\p{L}'’()]{1,20}){0,5} (?:worse|worst|weaker|weakest|poorer|poorest|inferior)\b/iu;
const BETTER_IN_ENGLISH =
  /\b(?:which|what|whether|choose|pick|select|name|identify|find|decide|determine|judge)\b[^.?!\n]{0,80}\b(?:better|best|prefer(?:able|red|ence)?|superior|stronger|strongest|winner)\b/i;

/** What stands in front of a word for worse and takes it back, as in `macht sie nicht schlechter`. */
const DENIED = '(?<!(?<!\\p{L})(?:nicht|niet|inte|ikke|no|não|non|pas|не|nie|ne) (?:es |é |è |ser )?)';
/** Behind such a word: a rule says what counts less than something else, as in `schlechter als eine Lücke`. */
const COMPARED = '(?!,? (?:als|que|che|чем|ніж|niż|než|än|end|enn|kuin|dan|hơn|decât|mint)(?!\\p{L}))';
const NAMES_WORSE = new RegExp(`${DENIED}(?:${WORSE.source})${COMPARED}`, 'iu');

/** How a question ends. */
const QUESTION = /[?？؟;]$|か[。.]?$/;
/** What a question or an order to choose says. */
const ASKS =
  /(?<!\p{L})(?:welch\p{L}{1,2}|wähl\p{L}{1,3}|nenn\p{L}{1,3}|quel(?:le)?s?|laquelle|lequel|chois\p{L}{1,5}|indique[rz]?|cuál(?:es)?|qué|eli[gj]\p{L}{1,3}|indi(?:ca|que)|qual|quale|escolh\p{L}{1,4}|sceg\p{L}{1,4}|welke?|kies|как\p{L}{2,3}|выбер\p{L}{1,4}|назов\p{L}{1,4}|як(?:а|ий|е)|обер\p{L}{1,4}|któr\p{L}{1,3}|wybier\p{L}{1,4}|wska\p{L}{1,4}|kter\p{L}{1,3}|vyber\p{L}{0,3}|vilke[nt]|välj|hvilke[nt]?|vælg|velg|kumpi|valitse|hangi\p{L}{0,4}|seç\p{L}{0,4}|mana|pilih(?:lah)?|nào|chọn|care|alege\p{L}{0,3}|melyik|válassz\p{L}{0,3}|ποι\p{L}{1,3}|επίλεξ\p{L}{1,3})(?!\p{L})|答え(?:て|る)|[哪选選挑]|どちら|どれ|どの|어느|고르|고르십|골라|선택|أي|اختر|איזו|איזה|בחר|कौन|चुन|ไหน|เลือก/iu;

/** Two labels to choose from: `A oder B`. */
const LABELS = /(?<!\p{L})A(?!\p{L})[^.?!\n]{1,12}(?<!\p{L})B(?!\p{L})/u;

/** Whether a sentence asks for the worse one, and names no better one. */
const asksInOneSentence = (sentence: string) =>
  NAMES_WORSE.test(sentence) &&
  !BETTER.test(sentence) &&
  (QUESTION.test(sentence.trimEnd()) || ASKS.test(sentence) || LABELS.test(sentence));

/**
 * Whether the worse of several is asked for: in English in so many words, in other languages by a sentence that asks or has one
 * chosen, with a word for the worse one and none for the better one. `A` means the opposite then, "A is worse" does not, and what
 * sways a judge towards an option sways it away from naming it: such a request is left alone.
 */
export const asksForWorse = (orders: string): boolean =>
  (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
  (NAMES_WORSE.test(orders) && splitAtStops(orders).some(asksInOneSentence));
