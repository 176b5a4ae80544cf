/**
 * What one sentence of a reply claims about which option is better. The sentence comes with its namings
 * replaced (naming.ts). "<0> is better" is about the options as wholes; "<0> is more concise" is about one
 * side of them and counts only where the sentence concludes: "Overall, <0> is more helpful".
 */
import { disowned } from './disowned.ts';
import { OPTION, optionOf } from './naming.ts';

export interface Claim {
  readonly decision: number | 'tie';
  /** About the options as wholes. */
  readonly full: boolean;
  /** Said as a conclusion: "therefore", "overall", "I choose". */
  readonly concludes: boolean;
  /** Full, and not limited to a point of view: "in terms of detail", "based on length". */
  readonly bare: boolean;
}

const T = `(${OPTION})`;
const GOOD =
  '(?:better|best|superior|preferable|preferred|stronger|strongest|winner|winning|favou?red|favou?rite|(?:top|right|correct) choice)';
const BETWEEN =
  '(?:\\s+(?:the|a|an|my|to|be|have|been|as|by|bit|clearly|much|far|slightly|overall|definitely|also|generally|still|marginally|' +
  'significantly|considerably|arguably|actually|probably|likely|indeed|therefore|thus|ultimately|moderately|somewhat|little|simply|' +
  'considered|deemed|judged)){0,6}';
const IS =
  "(?:\\s*'s\\s+\\w{1,20})?(?:\\s*\\([^()]{0,60}\\))?(?:,[^,]{0,80},)?" +
  '(?:\\s+(?:would|does|clearly|ultimately|therefore|overall|definitely|likely|still)){0,3}\\s+' +
  '(?:is|was|are|be|seems?|appears?|remains?|stands out|emerges?|looks?|proves?|comes out|comes across|represents|makes for|wins|offers|provides|performs|performed|does|did|fares|works)';
/** What may follow "better" when it means the whole answer; "better written" does not. */
const WHOLE =
  '(?=\\s*$|\\s*[.,;:!)"\\]-]|\\s+(?:because|as|since|than|for|overall|here|due|choice|option|outputs?|responses?|answer|one|of|fit|and|' +
  'when|given|based|suited|aligned|execution|evaluation|match|summary|version|interpretation|explanation|example|introduction|title|' +
  `translation|rewrite|story|solution|candidate|but|among|according|considering|to ${OPTION}|${OPTION})(?!\\p{L}))`;

const BETTER = new RegExp(`${T}${IS}${BETWEEN}\\s+${GOOD}(?!\\p{L})`, 'giu');
const BETTER_WHOLE = new RegExp(`${T}${IS}${BETWEEN}\\s+${GOOD}${WHOLE}`, 'giu');
const WINS = new RegExp(
  `${T}(?:\\s*'s\\s+\\w{1,20})?\\s+(?:clearly |narrowly )?(?:wins|beats|outperforms|surpasses|edges out|(?:should|must) be (?:preferred|chosen|selected|favou?red))\\b`,
  'giu',
);
const RANKED = new RegExp(`${OPTION}(?:\\s*(?:>{1,3}|≻)\\s*${OPTION})+`, 'gu');
const AGAINST = new RegExp(`${T}\\s*(over|<{1,3}|≺|=)\\s*${T}`, 'giu');
const THAN_ONE = new RegExp(`^(?:\\s+\\p{L}{1,20})?\\s+(?:than|to)\\s+${OPTION}`, 'iu');
const WORSE = new RegExp(
  `${T}${IS}(?:n't)?(?:\\s+not)?${BETWEEN}\\s+(worse|inferior|weaker|as\\s+(?:good|well|helpful|accurate))(?!\\p{L})`,
  'giu',
);
const NAMED = new RegExp(
  `(?:${GOOD}|\\b(?:verdict|decision|choice|answer|conclusion|judge?ment|preference|pick|selection|result|evaluation))` +
    `(?:\\s+(?!not\\b|is\\b)\\p{L}{1,30}){0,5}\\s*(?:is|would be|goes to|must be|has to be|seems to be|:|=|-|–|—){1,3}${BETWEEN}\\s*["'\\[(]{0,3}${T}`,
  'giu',
);
const CHOSEN = new RegExp(
  '\\b(?:choose|chose|select|selected|pick|picked|prefer|favou?r|go with|going with|opt for|vote for|vote goes to|lean(?:ing)? towards?|' +
    `declare|determine|recommend|decided on|settle on|side with)(?:\\s+(?:that|the|is|my|for|output|response)){0,3}:?\\s+${T}`,
  'giu',
);
const MAKES = new RegExp(`\\b(?:making|makes)\\s+(it|${OPTION})${BETWEEN}\\s+${GOOD}(?!\\p{L})`, 'giu');
const IT_IS = new RegExp(`\\b(?:it|this)\\s+is${BETWEEN}\\s+(better|worse)\\s+than\\s+${T}`, 'giu');
const NOT_AS = new RegExp(
  `\\b(?:not|less)\\s{1,9}(?:as\\s{1,9}|so\\s{1,9})?[\\p{L}\\s]{1,80}?\\s(?:as|than)\\s{1,9}${T}`,
  'giu',
);
const MORE = new RegExp(
  `${T}(?:\\s*'s\\s+\\w{1,20})?(?:\\s+(?!(?:not|less|no|only|while|whereas|but)\\b)[\\p{L}'-]{1,30}){0,6}?\\s+(?:more|closer|clearer|greater|better|best|most)\\b`,
  'giu',
);
const LESS = new RegExp(
  `${T}(?:\\s+[\\p{L}'-]{1,30}){0,4}?\\s+(?:less|not(?! only\\b)|fails|worse)\\b`,
  'giu',
);

const TIES =
  /\b(?:both(?: \S{1,30}){0,6} (?:are|is|seem|perform) (?:\S{1,30} )?(?:equally|equal|tied|the same|comparable|identical)|equally (?:good|bad|well|helpful|valid|correct|strong)|(?:it'?s|it is|is|call(?:ing)? (?:it|this)|declar(?:e|ing)(?: it)?) a (?:tie|draw|toss-up)|(?:verdict|decision|answer|result|winner|choice)\s*(?:is|:)?\s*(?:a )?(?:tie|draw|equal|neither)\b|neither(?: \S{1,30}){0,4} (?:is|was|seems) (?:\S{1,30} )?(?:better|superior|preferable)|no clear winner|cannot (?:choose|decide) between)(?![^.]{0,200}\b(?:but|however|yet|although|though)\b)/iu;

const CONCLUDES =
  /\b(?:therefore|thus|hence|overall|conclusion|to conclude|in summary|to summari[sz]e|ultimately|consequently|as a result|accordingly|in short|all in all|on balance|based on|so,|finally|final|verdict|decision|i (?:would |will |'d )?(?:choose|select|pick|prefer|vote|go with|conclude)|i(?:'d| would) (?:say|choose|go)|determined that|decided that|conclude[ds]? that|considering)\b/iu;
const LIMITED =
  /\b(?:in terms of|regarding|with (?:respect|regard) to|when it comes to|as for|based on|considering|given)\b/iu;
const NEGATED = /\b(?:not|never|no|neither|nor|hardly|less)\b|n't\b/iu;

/** Every claim of a sentence, in order. Of two options, the one that is not worse is better. */
export function claimsOf(sentence: string, options: number): Claim[] {
  if (/\?["')\]]{0,3}$/.test(sentence)) return [];
  const concludes = CONCLUDES.test(sentence);
  const bare = !LIMITED.test(sentence);
  const say = (found: Found[], full: boolean): Claim[] =>
    found
      .filter((one) => !disowned(sentence, one.at))
      .sort((a, b) => a.at - b.at)
      .map(({ decision }) => ({ decision, full, concludes, bare: full && bare }));

  const whole = say(aboutWholes(sentence, options), true);
  if (whole.length > 0) return whole;
  if (TIES.test(sentence)) return say([{ at: 0, decision: 'tie' }], true);
  return concludes ? say(aboutSides(sentence, options), false) : [];
}

interface Found {
  readonly at: number;
  readonly decision: number | 'tie';
}

type Reading = (match: RegExpExecArray) => number | 'tie' | null;

function find(sentence: string, pattern: RegExp, reading: Reading): Found[] {
  return [...sentence.matchAll(pattern)].flatMap((match) => {
    const decision = reading(match);
    return decision === null ? [] : [{ at: match.index, decision }];
  });
}

const token = (match: RegExpExecArray, group: number) => optionOf(match[group] ?? '');
const unlessNegated: Reading = (match) => (NEGATED.test(match[0]) ? null : token(match, 1));

function aboutWholes(sentence: string, options: number): Found[] {
  const other = (option: number) => (options === 2 ? 1 - option : null);
  return [
    ...find(sentence, BETTER_WHOLE, (match) => {
      // Of three, one that is better than another need not be the best.
      const after = sentence.slice(match.index + match[0].length);
      return options > 2 && THAN_ONE.test(after) ? null : unlessNegated(match);
    }),
    ...find(sentence, RANKED, (match) => {
      const order = match[0].match(new RegExp(OPTION, 'gu')) ?? [];
      return order.length === options ? optionOf(order[0] ?? '') : null;
    }),
    ...find(sentence, WINS, (match) => token(match, 1)),
    ...find(sentence, AGAINST, (match) => {
      if (options > 2) return null;
      if (match[2] === '=') return 'tie';
      return token(match, /[<≺]/.test(match[2] ?? '') ? 3 : 1);
    }),
    ...find(sentence, WORSE, (match) => {
      const equal = /^as\s/i.test(match[2] ?? '');
      return equal === NEGATED.test(match[0]) ? other(token(match, 1)) : null;
    }),
    ...find(sentence, NAMED, (match) => token(match, 1)),
    ...find(sentence, CHOSEN, (match) => token(match, 1)),
    ...find(sentence, MAKES, (match) =>
      match[1]?.toLowerCase() === 'it' ? soleOption(sentence.slice(0, match.index)) : token(match, 1),
    ),
    ...find(sentence, IT_IS, (match) =>
      match[1]?.toLowerCase() === 'worse' ? token(match, 2) : other(token(match, 2)),
    ),
  ];
}

/** The first kind of comparison that is there speaks; "less" only where nothing says "more". */
function aboutSides(sentence: string, options: number): Found[] {
  const compared = [
    ...find(sentence, NOT_AS, (match) => token(match, 1)),
    ...find(sentence, BETTER, unlessNegated),
  ];
  if (compared.length > 0) return compared;
  const more = find(sentence, MORE, (match) => token(match, 1));
  if (more.length > 0) return more;
  return options === 2 ? find(sentence, LESS, (match) => 1 - token(match, 1)) : [];
}

function soleOption(text: string): number | null {
  const [first, ...others] = new Set(text.match(new RegExp(OPTION, 'gu')));
  return first !== undefined && others.length === 0 ? optionOf(first) : null;
}
