/** Which value of a yes or no is the good one, as the name of its field tells. */

export type Polarity = 'higher' | 'lower' | 'unknown';

const BAD =
  /toxi|halluc|harm|bias|offens|hate|hateful|unsafe|violat|error|incorrect|invalid|wrong|refus|spam|leak|inject|jailbreak|profan|insult|nsfw|unsupported|contradict|plagiar|fabricat|mislead|irrelevan|fail|flag|threat|abus|danger|racis|sexis|stereotyp|ungrounded|unfaithful|misinform|evasi|redundan|repetit|verbos|pii|problem|defect|bug/i;
const GOOD =
  /pass|correct|valid|right|good|accept|approv|relevan|faithful|ground|support|true|safe|helpful|met|meets|satisf|success|succeed|compl|accura|answered|follow|coheren|fluen|concis|clear|consisten|ok|match|equivalen|entail|resolved|score|verdict|result|grade|label|decision|judg|rating|answer|contain|include|mention|cite/i;

/**
 * @param name of a field that is true or false
 * @example polarityOf('toxic') // 'lower': true is the bad value
 */
export function polarityOf(name: string): Polarity {
  const negated = /(?:^|[_\s-])(?:no|non|not|without|free)(?:[_\s-]|$)/i.test(
    name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2'),
  );
  if (BAD.test(name)) return negated ? 'higher' : 'lower';
  return GOOD.test(name) ? 'higher' : 'unknown';
}
