/**
 * Whether a reply takes back what it is about to claim: "if", "while … is better", "I do not think that",
 * "90% of people believe that", "Assistant (a) argues that". Judged by the words before the claim in its
 * sentence. The nearest words decide: "A argues that …, but I believe that" is the judge's own again.
 */
import { OPTION, SOMEONE } from './naming.ts';

/** In UTF-16 code units; keeps the work per claim small. */
const LOOK_BACK = 160;

const HYPOTHETICAL = /\b(?:if|whether|unless|which(?: of)?|had|were)\s[^,.;]{0,40}$/iu;
/** "While A is better at x, B …" concedes; "A is better, while B …" only compares. */
const CONCEDES =
  /\b(?:while|although|though|despite|initially|at first(?: glance| sight)?|might|one could|some (?:may|might|would|will|people)|on the surface)\b[^,;]{0,60}$/isu;
const NAMES_OPTION = new RegExp(OPTION, 'u');
/** "Were it shorter, A would be better", "If you value brevity, A is better. Otherwise, B is better." */
const CONDITION = /^(?:if|were|had|unless|otherwise)\b(?! (?:I|forced|we|one|asked)\b)/i;
const DENIED =
  /\b(?:not|never|nor|nothing|nobody|no one|told|cannot|can't|don't|doesn't|didn't|wouldn't|isn't|disagree|(?:hard|difficult|impossible) to|no (?:reason|need|way)|incorrect(?:ly)?|wrong(?:ly)?|mistaken(?:ly)?)\b[^,;:]{0,60}$/iu;
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

/** `at` is where the claim starts in its sentence. */
export function disowned(sentence: string, at: number): boolean {
  if (CONDITION.test(sentence)) return true;
  if (QUOTE.test(sentence.slice(0, at)) && !WHOLLY_QUOTED.test(sentence)) return true;
  const before = sentence.slice(Math.max(0, at - LOOK_BACK), at);
  let own = 0;
  for (const match of before.matchAll(OWN)) own = match.index;
  const nearest = before.slice(own);
  return concedes(nearest) || TAKEN_BACK.some((words) => words.test(nearest));
}

/** Only where no option is named in front of it: "A is longer, while" compares. */
function concedes(words: string): boolean {
  const found = CONCEDES.exec(words);
  return found !== null && !NAMES_OPTION.test(words.slice(0, found.index));
}
