/**
 * Which option a reply chooses. From the surest place to the least sure: the asked spelling as the whole
 * reply, a bracketed label, a label alone on its line, the sentences that conclude. What two sure places
 * say differently is contradictory, and what no rule reads is no label: nothing is guessed.
 */
import { type Checkpoint, FEW, unlimited } from '../../checkpoint.ts';
import type { NoVerdictReason } from '../../types.ts';
import { matchesOf } from '../../words/matches.ts';
import { splitAtStops } from '../../words/sentences.ts';
import type { Labelled } from '../kind.ts';
import { type ChoiceForm, OPTION, optionOf, SOMEONE, TIE, withNamings } from './naming.ts';

type ChoiceOrTie = number | 'tie';
export type Choice = ChoiceOrTie | { readonly none: Extract<NoVerdictReason, 'no-label' | 'contradictory'> };

/**
 * The choice where the text is a label and nothing else, in the spelling of the request or of the case. Letter
 * case counts only between labels that differ in nothing else: alpaca_eval's `m` and `M`.
 */
export function exactChoice(text: string, form: ChoiceForm, options: Labelled): ChoiceOrTie | null {
  const labels = form.write?.labels ?? options.map(({ label }) => label);
  const cased = new Set(labels.map((label) => label.toLowerCase())).size < new Set(labels).size;
  // The label of a field in JSON is its name as words: `answer_a`, `answerA` and `answer a` are one.
  const joined = (spelling: string) => spelling.trim().replace(/[\s_]+/g, '');
  const plain = (spelling: string) => (cased ? joined(spelling) : joined(spelling).toLowerCase());
  const said = plain(text);
  const same = (spelling: string | undefined) => spelling !== undefined && plain(spelling) === said;
  if (form.tie !== null && same(form.tie)) return 'tie';
  const written = options.findIndex((_, option) => {
    const label = form.write?.labels[option];
    return label !== undefined && (same(form.write?.template.replace('{}', label)) || same(label));
  });
  if (written >= 0) return written;
  const labelled = options.findIndex(({ label }) => same(label));
  return labelled >= 0 ? labelled : null;
}

/** The choice in running text. `said` is free of thinking and markup (own-words.ts). */
export function choiceInText(
  said: string,
  form: ChoiceForm,
  options: Labelled,
  checkpoint: Checkpoint = unlimited,
): Choice {
  const text = withNamings(said, form, options);
  checkpoint();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const marked = marksIn(text);
  if (marked.length === 1) return oneOf(marked);
  // Which of several a client takes is known only where its template is (ruled.ts).
  if (marked.length > 1) return { none: 'contradictory' };
  // A letter that stands for a tie is no name: it counts alone on its line.
  const isTie =
    form.tie !== null && said.split('\n').some((line) => exactChoice(line, form, options) === 'tie');
  const alone = distinct([
    ...lines.flatMap((line, at) => aloneOn(line, at === lines.length - 1)),
    ...(isTie ? (['tie'] as const) : []),
  ]);
  const headed = lines.filter((line) => HEADING.test(line)).length === 1 ? HEADING.exec(text) : null;
  // A name that opens a line as others do is a heading, or has its mark behind it: `Answer A - 9`.
  const opened = new Set(lines.flatMap((line) => OPENING.exec(`${line}\n`)?.[1] ?? []));
  const opening = opened.size > 1 ? undefined : (OPENING.exec(text) ?? headed)?.[1];
  const sure = alone.length === 1 ? alone : opening === undefined ? [] : [optionOf(opening)];
  checkpoint();
  const claims = splitAtStops(text).map((sentence, n, sentences) => {
    if (n % FEW === 0) checkpoint();
    return claimsOf(sentence, options.length, sentences[n + 1]);
  });
  const concluded = conclusion(claims);
  if (concluded !== null) {
    return sure.length === 0 || sure[0] === concluded ? concluded : { none: 'contradictory' };
  }
  if (sure.length === 1) return oneOf(sure);
  return { none: alone.length > 1 ? 'contradictory' : 'no-label' };
}

const MARK = new RegExp(`\\[\\[(${OPTION}|${TIE})\\]\\]`, 'gu');
const ALONE = new RegExp(
  '^\\s*(?:(?:my|the|final|better|best|preferred)\\s+)*(?:(?:verdict|answer|choice|decision|winner|output|response|judge?ment|result|conclusion|preference)\\s*)?' +
    `(?:is\\s*)?(?:[:=–—-]\\s*)?["'(\\[]{0,3}(${OPTION}|${TIE}|tie|draw)["')\\]]{0,3}\\s*(?:([.!:])\\s*)?$`,
  'iu',
);
const OPENING = new RegExp(
  `^["'(]{0,3}(${OPTION})["')]{0,3}(?:[.;!]\\s|\\s+[–—-]{1,3}\\s|,?\\s+(?:because|since|as)\\b|\\s*\\n)`,
  'u',
);

const marksIn = (text: string): ChoiceOrTie[] =>
  distinct([...text.matchAll(MARK)].map((match) => decisionOf(match[1] ?? '')));

/** "Choice 2: it follows" is a verdict with its reason, unless the other options have such lines too. */
const HEADING = new RegExp(`^["'(]{0,3}(${OPTION})["')]{0,3}\\s*:\\s`, 'u');

/** A label with a colon is a heading, unless nothing follows it. */
function aloneOn(line: string, isLast: boolean): ChoiceOrTie[] {
  const [, token, end] = ALONE.exec(line) ?? [];
  return token === undefined || (end === ':' && !isLast) ? [] : [decisionOf(token)];
}

/**
 * What the claims of all sentences come to. The last conclusion decides, unless the reply opened with the
 * opposite verdict or drew the opposite conclusion elsewhere. Without a conclusion all must agree.
 */
function conclusion(sentences: readonly (readonly Claim[])[]): Choice | null {
  const full = sentences.flatMap((claims, at) =>
    claims.filter(
      // "Both are equally good" on the way is an observation; a tie is declared in the end or as a conclusion.
      (claim) => claim.full && (claim.decision !== 'tie' || claim.concludes || at === sentences.length - 1),
    ),
  );
  const options = full.filter((claim) => claim.decision !== 'tie');
  const drawn = full.filter((claim) => claim.concludes);
  const last = drawn.at(-1);
  if (last) {
    const opened = sentences[0]?.filter((claim) => claim.bare) ?? [];
    const unlimited = drawn.filter((claim) => claim.bare);
    const decisions = distinct([...opened, ...unlimited, last].map((claim) => claim.decision));
    // "Both are equally good. Therefore, A": a tie on the way does not speak against the choice that ends it.
    return oneOf(last.decision === 'tie' ? decisions : decisions.filter((decision) => decision !== 'tie'));
  }
  if (options.length > 0) return oneOf(distinct(options.map((claim) => claim.decision)));
  if (full.length > 0) return 'tie';
  const sided = sentences.findLast((claims) => claims.some((claim) => !claim.full)) ?? [];
  const decisions = distinct(sided.map((claim) => claim.decision));
  return decisions.length === 1 ? oneOf(decisions) : null;
}

const decisionOf = (token: string): ChoiceOrTie =>
  token === TIE || /^(?:tie|draw)$/i.test(token) ? 'tie' : optionOf(token);

const distinct = (decisions: readonly ChoiceOrTie[]): ChoiceOrTie[] => [...new Set(decisions)];

function oneOf(decisions: readonly ChoiceOrTie[]): Choice {
  const [first] = decisions;
  return decisions.length === 1 && first !== undefined ? first : { none: 'contradictory' };
}

/*
 * What one sentence of a reply claims about which option is better. The sentence comes with its namings
 * replaced (naming.ts). "<0> is better" is about the options as wholes; "<0> is more concise" is about one
 * side of them and counts only where the sentence concludes: "Overall, <0> is more helpful".
 */

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
const FILLERS =
  'my|to|be|have|been|as|by|bit|clearly|much|far|slightly|overall|definitely|also|generally|still|marginally|' +
  'significantly|considerably|arguably|actually|probably|likely|indeed|therefore|thus|ultimately|moderately|somewhat|little|simply|' +
  'considered|deemed|judged';
const BETWEEN = `(?:\\s+(?:the|a|an|${FILLERS})){0,6}`;
/** No article stands in front of a name: in "Winner: A (<1> was close)" it is a label that was not seen as one. */
const BEFORE_NAME = `(?:\\s{1,9}(?:the|${FILLERS})){0,6}`;
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
/** "Better than nothing" and "better than I expected" compare with no other option. */
const THAN_NONE =
  /^(?:\s{1,9}\p{L}{1,20})?\s{1,9}than\s{1,9}(?:(?:nothing|none|no|average|most|many|usual|expected|ever|before|I|we)\b|an?\s\p{Ll})/u;
const WORSE = new RegExp(
  `${T}${IS}(?:n't)?(?:\\s+not)?${BETWEEN}\\s+(worse|inferior|weaker|as\\s+(?:good|well|helpful|accurate))(?!\\p{L})`,
  'giu',
);
const NAMED = new RegExp(
  `(?:${GOOD}|\\b(?:verdict|decision|choice|answer|conclusion|judge?ment|preference|pick|selection|result|evaluation))` +
    `(?:\\s{1,9}(?!not\\b|is\\b)\\p{L}{1,30}){0,5}\\s{0,9}(?:is|would be|goes to|must be|has to be|seems to be|:|=|-|–|—){1,3}${BEFORE_NAME}\\s{0,9}["'\\[(]{0,3}${T}`,
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
function claimsOf(sentence: string, options: number, next = ''): Claim[] {
  if (/\?["')\]]{0,3}$/.test(sentence)) return [];
  const isTie = TIES.test(sentence);
  // Most sentences of a long reply claim nothing. Without this line, 16 KB of them take 3.6 ms of CPU instead of 1.1.
  if (!isTie && !NAMES_OPTION.test(sentence)) return [];
  const concludes = CONCLUDES.test(sentence);
  const bare = !LIMITED.test(sentence);
  const say = (found: Found[], full: boolean): Claim[] =>
    found
      .filter((one) => !isDisowned(sentence, one.at, next))
      .sort((a, b) => a.at - b.at)
      .map(({ decision }) => ({ decision, full, concludes, bare: full && bare }));

  const whole = say(aboutWholes(sentence, options), true);
  if (whole.length > 0) return whole;
  if (isTie) return say([{ at: 0, decision: 'tie' }], true);
  return concludes ? say(aboutSides(sentence, options), false) : [];
}

interface Found {
  readonly at: number;
  readonly decision: number | 'tie';
}

type Reading = (match: RegExpExecArray) => number | 'tie' | null;

function find(sentence: string, pattern: RegExp, reading: Reading): Found[] {
  return matchesOf(sentence, pattern).flatMap((match) => {
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
      return (options > 2 && THAN_ONE.test(after)) || THAN_NONE.test(after) ? null : unlessNegated(match);
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

/*
 * Whether a reply takes back what it claims: "if", "while … is better", "I do not think that",
 * "90% of people believe that", "Assistant (a) argues that". Judged by the words before the claim in its
 * sentence; behind it only a plain denial counts: "A looks better, but it isn't". The nearest words decide: "A argues
 * that …, but I believe that" is the judge's own again.
 */

/** In UTF-16 code units; keeps the work per claim small. */
const LOOK_BACK = 160;

const HYPOTHETICAL = /\b(?:if|whether|unless|which(?: of)?|had|were)\s[^,.;]{0,40}$/iu;
/** "While A is better at x, B …" concedes; "A is better, while B …" only compares. */
const CONCEDES =
  /\b(?:while|although|though|despite|initially|at first(?: glance| sight)?|might|one could|some (?:may|might|would|will|people)|on the surface)\b[^,;]{0,60}$/isu;
const NAMES_OPTION = new RegExp(OPTION, 'u');
/** "Were it shorter, A would be better", "If you value brevity, A is better. Otherwise, B is better." */
const CONDITION =
  /^(?:(?:if|were|had|unless|otherwise)\b(?! (?:I|forced|we|one|asked)\b)|it (?:all )?depends\b(?!.*\b(?:but|still|overall)\b))/i;
/** The option named first is the last. */
const RISING = /\b(?:worst|weakest|lowest) to (?:the )?(?:best|strongest|highest)\b/i;
const DENIED =
  /\b(?:not|never|nor|nothing|nobody|no one|told|cannot|can't|don't|doesn't|didn't|wouldn't|isn't|disagree|(?:hard|difficult|impossible|mistake|error|unfair|misleading|premature|tempting|unwise|stretch) to|no (?:reason|need|way)|incorrect(?:ly)?|wrong(?:ly)?|mistaken(?:ly)?|(?<!\bno |without (?:a |any )?)doubts?)\b[^,;:]{0,60}$/iu;
/** "I dispute that", "the impression that", "assuming that": only words that affirm it may stand in front of a clause. */
const AFFIRMS =
  'believ|think|thought|conclu|determin|decid|find|found|clear|evident|obvious|apparent|sa[iy]|judg|evaluat|assess|verdict|choice|answer|opinion|' +
  'view|appear|seem|argu|feel|felt|consider|agree|confiden|convinc|certain|sure|doubt|question|mean|suggest|indicat|show|demonstrat|reveal|prov|' +
  'not(?:e|ic)|see|stat|declar|confirm|follow|fact|recogni|reali[sz]|reason|likely|true|hold|maintain|remain|report|rule|emphasi|recommend|point|' +
  'result|turn|wager|bet|so|such|now|given|is|was|be|and|or|but|for|on|in|by|with|from|at|of|to|out';
const UNAFFIRMED = new RegExp(
  ` that(?<!\\b(?:${AFFIRMS})\\p{L}{0,8},? that)\\b[^,;:]{0,60}(?:\\bthe \\p{L}|${OPTION})$`,
  'iu',
);
const REPORTED = new RegExp(
  `(?:${SOMEONE}|\\d%|\\b(?:people|users?|statement|prompt|instruction|majority|others?|they|he|she|someone|everyone|critics|annotators|humans|readers)\\b)` +
    '[^.;]{0,80}\\b(?:argu|claim|believ|stat|suggest|think|thought|sa(?:y|id)|prefer|vot|conclud|maintain|feel|choo?s|pick|assert|contend)[^.,;]{0,60}$',
  'iu',
);
const BY_OPTION = new RegExp(
  `${OPTION}[^.;]{0,40}\\b(?:claims|says|argues|states|asserts|insists|believes|reads)(?: that|:)?\\s{0,9}["']?\\s{0,9}$|` +
    `\\baccording to (?:the )?(?:majority|others|people|statement|${SOMEONE}|${OPTION})[^.;]{0,40}$`,
  'iu',
);
const OWN =
  /\b(?:I|we|my|it is (?:clear|evident)|it's clear)\b(?! (?:do not|don't|cannot|can't|would not|wouldn't))/giu;

/** `"A is better" is what they say`: the words of others, unless the judge put its whole sentence in quotes. */
const QUOTE = /(?:^|\s)["']$/;
const WHOLLY_QUOTED = /^["'].*["'][.!]?$/s;

const TAKEN_BACK = [HYPOTHETICAL, DENIED, REPORTED, BY_OPTION];

/** "<1> looks better, but it isn't", "<1> seems better. It is not." */
const DENIED_AFTER = new RegExp(
  `^${OPTION}[^.,;:\\uE000-\\uE0FF]{0,80}[.,;:!]\\s{1,3}(?:no,? )?(?:but |yet |though |however,? )?(?:it|this|that)(?:'s not| (?:is|was|does|did)(?:n't| not))\\s{0,3}(?:$|[.,;!])`,
  'iu',
);

/** `at` is where the claim starts in its sentence, `next` the sentence behind. */
function isDisowned(sentence: string, at: number, next: string): boolean {
  if (CONDITION.test(sentence) || RISING.test(sentence)) return true;
  if (DENIED_AFTER.test(`${sentence.slice(at)} ${next}`)) return true;
  if (QUOTE.test(sentence.slice(0, at)) && !WHOLLY_QUOTED.test(sentence)) return true;
  const before = sentence.slice(Math.max(0, at - LOOK_BACK), at);
  let own = 0;
  for (const match of before.matchAll(OWN)) own = match.index;
  const nearest = before.slice(own);
  if (UNAFFIRMED.test(nearest + sentence.charAt(at))) return true;
  return concedes(nearest) || TAKEN_BACK.some((words) => words.test(nearest));
}

/** Only where no option is named in front of it: "A is longer, while" compares. */
function concedes(words: string): boolean {
  const found = CONCEDES.exec(words);
  return found !== null && !NAMES_OPTION.test(words.slice(0, found.index));
}
