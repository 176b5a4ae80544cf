/**
 * Words by which prompts name what they hand over, in many languages: `label-words.json`, where one more language is one more
 * entry. They are the first of several witnesses for a slot's role, never the only way to one: see `roles.ts`.
 */

import LABEL_WORDS from './label-words.json' with { type: 'json' };
import LISTS from './words.json' with { type: 'json' };
import { joinLists, listWords, matchWords, wordsByMeaning } from './words.ts';

/** What prompts and replies say of texts, in the languages of most judges. */
export const MEANINGS = wordsByMeaning(LISTS);

/** The words of one language by what they say of a slot, and its rows of names; all of them in strings, with commas between. */
type Words = Partial<Record<LabelRole, string>> & { readonly orders?: readonly string[] };

const LANGUAGES: readonly Words[] = Object.values<Words>(LABEL_WORDS);

/** Names that are given in this order; options are named by the first two or more of one row. */
const ORDERS: readonly (readonly string[])[] = [
  Array.from({ length: 100 }, (_, n) => `${n + 1}`),
  Array.from({ length: 100 }, (_, n) => `${n}`),
  ...LANGUAGES.flatMap(({ orders = [] }) => orders.map((names) => names.split(', '))),
];

/** Where each name stands. */
const PLACES_OF = Map.groupBy(
  ORDERS.flatMap((order) => order.map((name, at) => ({ name, order, at }))),
  ({ name }) => name,
);

const placesOf = (name: string) => PLACES_OF.get(name.toLowerCase()) ?? [];

/** Whether `next` is the name after `name` in some row. */
export const followsInOrder = (name: string, next: string): boolean =>
  placesOf(name).some(({ order, at }) => order[at + 1] === next.toLowerCase());

/** Whether a name stands in some row. */
export const isInOrder = (name: string): boolean => placesOf(name).length > 0;

/** Whether the names are the first of some row, in order. */
export const beginsAnOrder = (names: readonly string[]): boolean =>
  placesOf(names[0] ?? '').some(
    ({ order, at }) => at === 0 && names.every((name, n) => order[n] === name.toLowerCase()),
  );

/**
 * The row whose first names these words are, each once or more, cut to so many names.
 *
 * @param words in any order; one may be none of the names
 * @returns null where no row or several have two of the words or more among its first names
 */
export function placesInOrder(words: readonly string[], count: number): readonly string[] | null {
  const said = new Set(words.map((word) => word.trim().toLowerCase()));
  const rows = ORDERS.map((order) => order.slice(0, count)).filter((row) => {
    const here = row.filter((name) => said.has(name)).length;
    return here > 1 && said.size - here < 2;
  });
  const [row, ...more] = rows;
  return row !== undefined && more.length === 0 ? row : null;
}

/** Words of rows that are said of everything. */
const COMMON = /^(?:one|this|that|other|before|after|new|old)$/;

/** The words that stand at a place of some row, in lower case: `first`, `links`, `第一`. */
export const ordinalsAt = (place: number): readonly string[] =>
  ORDERS.flatMap((order) => order[place] ?? []).filter(
    (word) => !COMMON.test(word) && (word.length > 2 || (CJK.test(word) && word.length > 1)),
  );

/** The name that goes on a row which the names begin, written as they are (`h1`, `h2`: `h3`); null where they begin none or it ends. */
export function nextInOrder(names: readonly string[]): string | null {
  const lower = names.map((name) => name.toLowerCase());
  const row = ORDERS.find((order) => names.length > 1 && lower.every((name, n) => order[n] === name));
  const next = row?.[names.length];
  if (next !== undefined) return names.every((name, n) => name === lower[n]) ? next : next.toUpperCase();
  const lead = sharedBeginning(names);
  const counted = lead === '' ? null : nextInOrder(names.map((name) => name.slice(lead.length)));
  return counted === null ? null : lead + counted;
}

/** What all names begin with in front of what counts them. */
function sharedBeginning([first = '', ...others]: readonly string[]): string {
  let end = 0;
  while (end < first.length && others.every((name) => name.charAt(end) === first.charAt(end))) end++;
  // `11` and `12` share no more than a number may begin with; `01` and `02` do.
  while (end > 0 && /(?!0)\p{N}/u.test(first.charAt(end - 1))) end--;
  return others.length > 0 ? first.slice(0, end) : '';
}

/** What a word in a label says of the slot. A label that holds words of several counts for the first of these. */
const LABEL_ROLES = [
  'ignored',
  'reference',
  'rubric',
  'answer',
  'instruction',
  'context',
  // Who wrote it, or what kind of text it is: says that it is judged only where no other label does.
  'agent',
] as const;
export type LabelRole = (typeof LABEL_ROLES)[number];

const PROGRAMS: ReadonlySet<string> = new Set(
  'test tests tool console terminal compiler linter command shell interpreter api ci log'.split(' '),
);

/** A sign of a script that puts no space between words. */
export const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const ROLE_OF = new Map<string, readonly LabelRole[]>();
/** One list for each role, which thousands of words share. */
const ALONE = new Map(LABEL_ROLES.map((role) => [role, [role]]));
// What languages share comes first, and may say several things; a language adds words that say nothing yet.
for (const [n, words] of LANGUAGES.entries())
  for (const role of LABEL_ROLES)
    for (const word of words[role]?.split(', ') ?? []) {
      const known = ROLE_OF.get(word);
      if (!known) ROLE_OF.set(word, ALONE.get(role) ?? [role]);
      else if (n === 0 && !known.includes(role)) ROLE_OF.set(word, [...known, role]);
    }

/** In small letters, as many characters as before. What has a Turkish İ is Turkish: its I has no dot when it is small. */
export const lowerCased = (text: string): string =>
  text.includes('İ') ? text.toLocaleLowerCase('tr') : text.toLowerCase();

/**
 * The words of a label in lower case: letters and numbers apart, `answerA` and `model_x` as two words each. Of scripts
 * that set no spaces every Chinese character is a word.
 */
export function wordsOfLabel(label: string): string[] {
  const spaced = label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/\p{Script=Han}/gu, ' $& ');
  return (
    lowerCased(spaced).match(
      /\p{N}+(?:st|nd|rd|th)?(?!\p{L}(?<!\p{Script=Hangul}))|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+/gu,
    ) ?? []
  );
}

/** The place of the one word in which two labels of as many words differ, null where they differ in none or in several. */
export function onlyDifference(a: readonly string[], b: readonly string[]): number | null {
  if (a.length !== b.length) return null;
  const [found = null, ...more] = [...a.keys()].filter((n) => a[n] !== b[n]);
  return more.length === 0 ? found : null;
}

/** What the words of a label say, the first word's roles first. */
export function rolesOfLabel(label: string): (readonly LabelRole[])[] {
  const words = lowerCased(label.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[\p{L}\p{M}]+/gu) ?? [];
  const found: (readonly LabelRole[])[] = [];
  for (const [n, word] of words.entries()) {
    // What a program gave is no answer: `Test output`, `Tool response`.
    const isProgram = PROGRAMS.has(words[n - 1] ?? '') && ROLE_OF.get(word)?.[0] === 'answer';
    if (isProgram) {
      found.push(['context']);
      continue;
    }
    const pair = ROLE_OF.get(`${word} ${words[n + 1] ?? ''}`);
    if (pair) found.push(pair);
    const roles = ROLE_OF.get(word) ?? (CJK.test(word) ? inside(word) : undefined) ?? roleOfInflected(word);
    if (roles) found.push(roles);
  }
  return found;
}

/** Whether a name says of a text that somebody wrote it, and not that it is an answer: `Poem`, `Story`. */
export function namesWork(name: string): boolean {
  const roles = rolesOfLabel(name).flat();
  return roles.length > 0 && roles.every((role) => role === 'agent');
}

const PART_OF_TEXT = matchWords(MEANINGS.partOfText);

/** Whether a label is that of a part of one text, such as `Step 2` or `paragraph_0`. */
export const namesPartOfText = (label: string): boolean => PART_OF_TEXT.test(wordsOfLabel(label).join(' '));

/** What a label says by itself. */
export function roleOfLabel(label: string): LabelRole | null {
  const words = rolesOfLabel(label);
  for (const role of ['reference', 'rubric', 'answer', 'instruction', 'context', 'agent'] as const)
    if (words.some((roles) => roles[0] === role)) return role;
  return words.flat()[0] ?? null;
}

/** Words by which a note names an option. As the title of a section they say something else, or nothing. */
const IN_NOTES: ReadonlySet<string> = new Set(listWords(MEANINGS.optionInNotes));

/** Whether a word is one for what is judged, in whatever language: `Antwort`, `回答`, `assistant`. */
export function isNameOfOption(word: string): boolean {
  if (IN_NOTES.has(word.toLowerCase())) return true;
  const [roles = []] = rolesOfLabel(word);
  return roles[0] === 'answer' || roles[0] === 'agent';
}

/** Known words of scripts that put no space between them. */
const UNSPACED = [...ROLE_OF.keys()].filter((word) => CJK.test(word));

/** Chinese, Japanese and Korean words stand together without spaces. */
function inside(word: string): readonly LabelRole[] | undefined {
  let best = '';
  for (const known of UNSPACED) if (word.includes(known) && isBetter(known, best, word)) best = known;
  return ROLE_OF.get(best);
}

/** A reference or a rubric is named in front of the word for an answer (`参考答案`). */
function isBetter(known: string, best: string, word: string): boolean {
  const rank = (one: string) => {
    const roles = ROLE_OF.get(one) ?? [];
    return roles.includes('reference') || roles.includes('rubric') ? 1 : 0;
  };
  if (rank(known) !== rank(best)) return rank(known) > rank(best);
  return (
    known.length > best.length || (known.length === best.length && word.indexOf(known) > word.indexOf(best))
  );
}

/** Letters of an ending that a word may have more than the one that is known, and what must be left of it. */
const LONGEST_ENDING = 3;
const SHORTEST_STEM = 5;

/** `questions`, `відповіді`, `çevirisi`. */
function roleOfInflected(word: string): readonly LabelRole[] | undefined {
  if (word.endsWith('s') && ROLE_OF.has(word.slice(0, -1))) return ROLE_OF.get(word.slice(0, -1));
  for (let ending = 1; ending <= LONGEST_ENDING && word.length - ending >= SHORTEST_STEM; ending++) {
    const roles = ROLE_OF.get(word.slice(0, -ending));
    // English words are known in all their forms: a `subjective` is no subject.
    if (roles && !/^[a-z]+$/.test(word)) return roles;
  }
  return undefined;
}

/** Says in orders, in lower case, that something is judged. */
export const VERB_OF_JUDGING =
  /evaluat|assess|\b(?:rat|grad|scor)(?:e|ing)\b|\bjudg|\bcheck|\bverif|bewert|beurteil|prüf|évalu|\bjuge|\bnote[rz]?\b|vérifi|evalú|valora|califi|puntúa|avali|julg|valuta|giudica|beoordeel|оцен|провер|oceń|oceni|değerlendir|puanla|bedöm|granska|vurder|arvioi|đánh giá|chấm|nilai|评估|评价|评判|判断|打分|評価|採点|判定|평가|채점|판정|قيّم|قيم|تقييم|मूल्यांकन|ประเมิน/u;

/** Words that take back the label beside them. */
export const DENIES = matchWords(MEANINGS.denies);

/** Words for the better or the best of several. */
export const BETTER = matchWords(MEANINGS.better);

/** Words that make the label beside them the other one's. */
export const AGAINST = matchWords(joinLists(MEANINGS.against, MEANINGS.worse));

/** Says that no text is chosen. A policy may write a tie, and nobody may write that neither will do but the judge. */
export const NEITHER = matchWords(MEANINGS.neither);

/** Asks for one of several: `Which …`, `Choose …`, `Welche …`. */
export const ASKS_WHICH = new RegExp(
  `\\b(?:which|choose|pick|select)\\b|${matchWords(MEANINGS.asksWhich).source}`,
  'iu',
);
