/** Whether a judge is asked which of several is worse. */

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

/**
 * Whether the worse of several is asked for: in English in so many words, in other languages by a word for the worse one where none
 * stands for the better one. `A` means the opposite then, "A is worse" does not, and what sways a judge towards an option sways it
 * away from naming it: such a request is left alone.
 */
export const asksForWorse = (orders: string): boolean =>
  (WORSE_IN_ENGLISH.test(orders) && !BETTER_IN_ENGLISH.test(orders)) ||
  (NAMES_WORSE.test(orders) && !BETTER.test(orders));
