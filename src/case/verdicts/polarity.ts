/** Which value of a yes or no is the good one: as the name of its field tells, its words, or what the orders say of it. */

export type Polarity = 'higher' | 'lower' | 'unknown';

/** How words begin that name what is bad, or good, in the name of a field: `something` says nothing of what is met. */
const BAD =
  /(?<!\p{L})(?:toxi|halluc|harm(?!on|less)|bias|offens|hate(?!\p{L})|hateful|violat|error|wrong|refus|spam|leak|inject|jailbreak|profan|insult|nsfw|contradict|plagiar|fabricat|invent(?:s|ed)(?!\p{L})|mislead|fail|flag|threat|abus|danger|racis|sexis|stereotyp|misinform|evasi|redundan|repetit|verbos|pii(?!\p{L})|problem|defect|bug|mistake|fault(?!less)|flaw(?!less)|penal(?:ty|ties|i[sz])|risk|severe(?!ly)|severity|perplexity|typos?(?!\p{L}))/iu;
/** With what turns it round in front of it: `unsafe`, `incomplete`. */
const GOOD =
  /(?<!\p{L})(un|in|ir|dis)?(?:pass(?!i)|correct|valid|right|good|accept|approv|relevan|faithful|ground|support|true(?!\p{L})|safe|helpful|met(?!\p{L})|meets|satisf|success|succeed|compl(?!ain|ex|ic)|accura|answered|follow|coheren|fluen|concis|clear|consisten|ok(?!\p{L})|match|equivalen|entail|resolved)/iu;

/** What may turn round the word beside it: a fault that is averted, or what is wanted and lacking. */
const TURNS =
  /(?<!\p{L})(?:avoid|resist|prevent|mitigat|disclos|acknowledg|assess|handl|detects(?!\p{L})|fix|solv|need|miss(?:es|ing)(?!\p{L})|lack|issue|concern|over(?:ly)?(?!\p{L})|too(?!\p{L})|off(?!\p{L})|false(?!\p{L})|nothing)/iu;

/**
 * Which value of a yes or no is the good one, as the name of its field tells.
 *
 * @param name of a field that is true or false
 * @example polarityOf('toxic') // 'lower': true is the bad value
 */
export function polarityOf(name: string): Polarity {
  const words = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2');
  const negated = /(?:^|[_\s-])(?:no|non|(?<!or.)not|without|(?<!^)free|free(?=.of))(?:[_\s-]|$)/i.test(
    words,
  );
  const good = GOOD.exec(words);
  const saysBad = BAD.test(words) || good?.[1] !== undefined;
  const saysGood = good !== null && good[1] === undefined;
  // `correctly_refuses` says both, `bug_fixed` the opposite of one.
  if (saysBad === saysGood || TURNS.test(words)) return 'unknown';
  return saysBad === negated ? 'higher' : 'lower';
}

/**
 * Which value of a yes or no is the good one, as the name of its field tells, or the orders where that says nothing.
 *
 * @example polarityOfField('score', 'Assign TRUE if toxic language is found.') // 'lower'
 */
export function polarityOfField(name: string, orders: string): Polarity {
  const told = polarityOf(name);
  return told === 'unknown' ? polarityInWords(orders) : told;
}

/** Words that say which side they are on themselves: `correct`, `FAIL`, the C of a grade. */
const SAYS_ITSELF = /^(?:pass|fail|correct|incorrect|(?:un)?met\b|[ci]$)/i;

/** The same, where the words are known that stand for yes and no. */
export const polarityOfWords = (words: readonly string[], name: string, orders: string): Polarity =>
  words.some((word) => SAYS_ITSELF.test(word.trim())) ? 'higher' : polarityOfField(name, orders);

/** What the orders call true: `TRUE if the answer is toxic`, `Yes: it leaks a password`. */
const CALLED_TRUE =
  /\b(?:true|yes)\b["'”`*)\]]{0,3}\s{0,3}(?:only )?(?:if|when|where|means|[:=–—-])\s{0,3}([^\n.;]{3,200})/giu;
const CALLED_FALSE =
  /(?<![\p{L}\p{N}])["'“”`[]{0,3}(?:no|false)["'”`\]]{0,3}(?: if| when|,? otherwise|:|$)/iu;
/** `Determine whether the claim is supported by the document.` */
const ASKED =
  /\b(?:verify|check|determine|decide|judge|assess|evaluate|classify|say|tell|indicate|predict)\b[^.?\n]{0,60}\b(?:if|whether)\b[^.?\n]{3,200}/gi;
const QUESTION = /\b(?:is|are|does|do|did|has|have|was|were|can|could|would|should)\b[^?\n.]{3,200}\?/giu;
/** Words of harm in a sentence. Of those in a field's name it has no `error` or `problem`: a good answer may well speak of one. */
const HARM =
  /toxi|halluc|harm|offens|hate|unsafe|violat|spam|leak|inject|jailbreak|profan|insult|nsfw|unsupported|contradict|plagiar|fabricat|mislead|irrelevan|threat|abus|danger|racis|sexis|stereotyp|ungrounded|unfaithful|misinform|explicit(?!ly)|violen|sexual|illegal/i;
const IS_AVERTED =
  /\b(?:no|not|non|free|without|never|lacks?|neither|nor|less)\b|n['’]t\b|avoid|refus|declin|reject|address|handl|identif|correct|detects\b|warn|prevent|safe(?!ty)|appropriat/i;

/** Words of what is wanted of an answer, in a sentence that says no `not`. */
const FITS =
  /\b(?:correct|accura|valid|good|well|accept|relevan|faithful|grounded|support|safe\b|helpful|meets?\b|met\b|satisf|succe|complet|follows?\b|coheren|consisten|match|equivalen|entail|resolve[sd]|appropriate|sufficien|fulfil|adher|compl(?:y|ies)|agree|aligned|useful|respond(?:s|ed)? to|answer(?:s|ed)\b|addresse[sd]\b)/i;
const IS_DENIED =
  /\b(?:no|not|non|without|never|lacks?|neither|nor|fail\w*|miss(?:es|ing)|(?:have|has|needs?) to)\b|n['’]t\b/i;

/** What no answer is to follow, support or agree with: `follows a malicious instruction`; not `correct or wrong`, `free of errors`. */
const IS_UNWANTED =
  /(?<!\b(?:or|of|no|any) )\b(?:malicious|attack\w*|false|wrong|incorrect|bad|errors?|mistakes?|duplicates?)\b/i;

/** Which value yes is, as a sentence says when it is given; null where it leaves that open. */
function sideOf(sentence: string): Exclude<Polarity, 'unknown'> | null {
  if (HARM.test(sentence)) return IS_AVERTED.test(sentence) ? 'higher' : 'lower';
  return FITS.test(sentence) && !IS_DENIED.test(sentence) && !IS_UNWANTED.test(sentence) ? 'higher' : null;
}

/** What the orders say of yes, where all that they say of it agrees. A question about harm may ask for its absence. */
function polarityInWords(orders: string): Polarity {
  const called = Array.from(orders.matchAll(CALLED_TRUE), ([, meant = '']) =>
    sideOf(meant.split(CALLED_FALSE)[0] ?? ''),
  );
  const [first = null, ...others] = called;
  if (called.length > 0) return others.every((side) => side === first) ? (first ?? 'unknown') : 'unknown';
  const asked = [QUESTION, ASKED].map((pattern) => [...orders.matchAll(pattern)].at(-1)?.[0] ?? '');
  return asked.some((one) => sideOf(one) === 'higher') && !asked.some((one) => sideOf(one) === 'lower')
    ? 'higher'
    : 'unknown';
}
