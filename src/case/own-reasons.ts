/**
 * What a judge's own reasons come to: a judge may write "so Response B is better" and `{"winner": "A"}` in one reply, or give
 * the lowest score to what it lets pass. Only a plain conclusion at the end of the reasons counts. A reply without one says
 * nothing against its verdict.
 */

import { mentionsIn } from './layouts/statements.ts';
import type { Case, Verdict } from './types.ts';
import { readVerdict } from './verdict.ts';
import { isNone, sameVerdict } from './verdicts/index.ts';
import { type JsonObject, jsonIn } from './verdicts/reading/json.ts';
import { ownWords } from './verdicts/reading/own-words.ts';
import { isBeside } from './words/field-names.ts';
import { splitAtStops } from './words/sentences.ts';
import { AGAINST } from './words/vocabulary.ts';

/** A verdict that the reply gives beside the one that was read, and how it does, in one clause. */
export interface OwnReasons {
  readonly verdict: Verdict;
  readonly seen: string;
}

/** Shorter texts are labels, longer sentences hold more than a conclusion. In UTF-16 code units. */
const SHORTEST = 15;
const LONGEST = 300;

/** Opens a conclusion on the whole. */
const ON_THE_WHOLE =
  /^(?:therefore|thus|hence|so|overall|in conclusion|in summary|to conclude|consequently|ultimately|on balance|on the whole|all in all|for these reasons|(?:(?:my|final) )?verdict|winner|conclusion)\b[,:]?\s/i;
const IS_BETTER =
  /^.{1,40}\b(?:is|was) (?:the )?(?:clear(?:ly)? )?(?:better|best|stronger|winner|superior)\b/i;
/** "On brevity, …", "Style: …", "… is better for beginners". */
const ON_ONE_POINT =
  /^(?:(?:on|in|for|with|at|by|from|as for|as to|about|concerning)\s|[\p{L} -]{1,30}:\s)|\b(?:better|best|stronger|winner|superior) (?:on|in|for|with|at)\b/iu;
/** Words that make a sentence say less than it seems to, or speak of one point alone. */
const QUALIFIES =
  /\b(?:if|unless|although|though|while|whereas|however|but|despite|might|may|could|would|should|in terms of|with regard|except|no|not|never|hardly|neither|nor|both|tie|equal(?:ly)?)\b|n't\b/i;
/** Says that an option is the one to take: the `best-known` need not be. */
const PREFERS =
  /\b(?:better|best|stronger|strongest|superior|winner|wins|prefer(?:red|able)?|choose|chosen|choice|more (?:accurate|helpful|correct|complete|useful))\b(?!-| known)/i;
/** Finds fault with an option, and so may be about the one that loses. */
const BLAMES = /\b(?:error|mistake|wrong|incorrect|inaccura|flaw|fault|fail|misle|against|reject|eliminat)/i;
/** Where the worse one is asked for, the better one is no other verdict. */
const ASKS_FOR_WORSE = /\b(?:worse|worst|weaker|weakest|loser)\b/i;

/** Whether it passes, in a field beside a score, and scores of which a low one is good. */
const PASSES = /^(?:pass(?:ed|es)?|(?:is_)?(?:correct|acceptable|approved))$/i;
const LOW_IS_GOOD = /penalt|error|risk|toxic|harm|hallucin|violat|severity|distance|bias/i;

/** What a prompt says of an end of its scale: `5 (excellent)`, `where 1 is the worst`. */
const GOOD_END = 'best|excellent|perfect|outstanding|exceptional|great|good|ideal|flawless';
const BAD_END = 'worst|poor|bad|terrible|awful|unacceptable|useless|unhelpful|insufficient';
const BEFORE_WORD = '\\W{0,5}(?:(?:is|being|means|as|for|the|an?|very|completely|entirely)\\s{1,3}){0,4}';
const HIGH_IS_BETTER = /\bhigher [^.\n]{0,30}\bbetter\b/i;

/**
 * @param verdict as it was read from the reply to the case as it was sent
 * @returns null where the reasons come to nothing, or to the same
 *
 * @example readOwnReasons(subject, verdict) // { verdict: { kind: 'choice', option: 1, … }, seen: 'the reasons for it end: "So B is better."' }
 */
export function readOwnReasons(
  { form, options, prompt }: Pick<Case, 'form' | 'options' | 'prompt'>,
  verdict: Verdict,
): OwnReasons | null {
  if (isNone(verdict)) return null;
  const words = ownWords(verdict.text);
  if ('none' in words) return null;
  const { objects } = jsonIn(words.raw);
  if (verdict.kind === 'score') return passBeside(verdict.score, { form, prompt }, objects);
  if (verdict.kind !== 'choice' || prompt.parts.some(({ text }) => ASKS_FOR_WORSE.test(text))) return null;
  const read = (sentence: string) =>
    readVerdict(sentence, { kind: 'choice', write: null, tie: null, field: null }, options);
  const said = conclusionOf(words.raw, objects, (sentence) => sameVerdict(read(sentence), verdict));
  if (said === null || namesSeveral(said, options)) return null;
  const concluded = read(said);
  return concluded.kind === verdict.kind && !sameVerdict(concluded, verdict)
    ? { verdict: concluded, seen: `the reasons for it end: "${said}"` }
    : null;
}

/** "Draft A beats draft B" may be said from either side; what is better than another stands in front of `than`. */
function namesSeveral(sentence: string, options: Case['options']): boolean {
  const [subject = ''] = sentence.split(/\bthan\b/i);
  const mentions = mentionsIn(
    subject,
    { part: 0, start: 0, end: subject.length },
    options.map(({ label }) => label),
  );
  return new Set(mentions.map(({ option }) => option)).size > 1;
}

/** The last sentence of the reasons, where it is a plain conclusion and no conclusion on the whole bears the verdict out. */
function conclusionOf(
  text: string,
  objects: readonly JsonObject[],
  bearsOut: (sentence: string) => boolean,
): string | null {
  const fields = objects.flatMap((object) =>
    Object.entries(object).flatMap(([name, value]) =>
      isBeside(name) && typeof value === 'string' ? [value] : [],
    ),
  );
  const reasons = objects.length > 0 ? (fields.at(-1) ?? '') : text;
  const sentences = splitAtStops(reasons.replace(/[*`_#]+/g, '')).map((sentence) => sentence.trim());
  const last = sentences.findLast(({ length }) => length >= SHORTEST) ?? '';
  if (last.length > LONGEST || !PREFERS.test(last)) return null;
  if ([QUALIFIES, AGAINST, BLAMES].some((words) => words.test(last))) return null;
  if (ON_ONE_POINT.test(last.replace(ON_THE_WHOLE, ''))) return null;
  if (ON_THE_WHOLE.test(last)) return last;
  const whole = sentences.filter((sentence) => ON_THE_WHOLE.test(sentence));
  return IS_BETTER.test(last) && !whole.some(bearsOut) ? last : null;
}

/** A pass beside the lowest score, or a fail beside the highest, where the prompt says that a high one is good. */
function passBeside(
  score: number,
  { form, prompt }: Pick<Case, 'form' | 'prompt'>,
  objects: readonly JsonObject[],
): OwnReasons | null {
  const { min = null, max = null } = form.kind === 'score' ? form : {};
  const beside = objects.flatMap((object) =>
    Object.entries(object).filter(([name, value]) => PASSES.test(name) && typeof value === 'boolean'),
  );
  const [only, ...more] = beside;
  if (!only || more.length > 0 || min === null || max === null || LOW_IS_GOOD.test(form.field ?? ''))
    return null;
  const [name, value] = only;
  const pass = value === true;
  if (score !== (pass ? min : max) || !isHighGood(prompt, min, max)) return null;
  return {
    verdict: { kind: 'pass', pass, text: `"${name}": ${pass}` },
    seen: `"${name}" in the same reply is ${pass}`,
  };
}

/** Whether the prompt says so, and nothing else: of several scales in it another may be meant. */
function isHighGood({ parts }: Case['prompt'], min: number, max: number): boolean {
  const says = (end: number, words: string) => {
    const pattern = new RegExp(
      `(?<![\\d.-])${RegExp.escape(String(end))}(?![\\d.])${BEFORE_WORD}(?:${words})\\b`,
      'iu',
    );
    return parts.some(({ text }) => pattern.test(text));
  };
  const isSaid =
    says(max, GOOD_END) || says(min, BAD_END) || parts.some(({ text }) => HIGH_IS_BETTER.test(text));
  return isSaid && !says(min, GOOD_END) && !says(max, BAD_END);
}
