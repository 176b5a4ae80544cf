/** Phrases of a text by rules about words, and a text without them. */

/** Of what was seen, in characters. */
const QUOTED = 120;
/** Of one sentence, before and behind what was found. */
const LONGEST_SENTENCE = 400;

/** Characters of a text that are looked through, and phrases that are told of it: a search must not hold up others. */
const LONGEST = 1 << 18;
const MOST = 1000;

/** A part of a text, the end not included. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Rules for texts that hold one of its words or marks: most texts hold none, and need no rule of the group. */
export interface PhraseGroup {
  /** Beginnings of words, from a letter of English on, as alternatives of a regular expression. */
  readonly words?: string;
  /** Anything else, likewise. */
  readonly marks?: string;
  readonly rules: readonly RegExp[];
}

/** @param sources of regular expressions; letters in large and small count as the same */
export const phraseRules = (...sources: readonly string[]): RegExp[] =>
  sources.map((source) => new RegExp(source, source.includes('\\p') ? 'gimu' : 'gim'));

/**
 * @param extent `phrase`: what a rule found; `sentence`: with the rest of its sentence
 * @returns finds the places in their order, none within another, in the first 256 KiB of a text
 */
export function createPhraseFinder(
  groups: readonly PhraseGroup[],
  extent: 'phrase' | 'sentence',
): (text: string) => TextRange[] {
  // One pass over a text that holds nothing of the kind, as most do.
  const anyHint = createHint(groups);
  const hinted = groups.map(({ rules, ...hint }) => ({ rules, hint: createHint([hint]) }));
  return function findPhrases(whole) {
    const text = whole.slice(0, LONGEST);
    if (!anyHint.test(text)) return [];
    const found = hinted
      .filter(({ hint }) => hint.test(text))
      .flatMap(({ rules }) => rules.flatMap((rule) => text.matchAll(rule).take(MOST).toArray()))
      .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
      .sort((a, b) => a.start - b.start || a.end - b.end);
    const joined: TextRange[] = [];
    for (const one of found) {
      const last = joined.at(-1);
      // A hostile text may hold a hundred thousand of them in one sentence, which is looked for once.
      if (last && one.end <= last.end) continue;
      const range = extent === 'phrase' ? one : widen(text, one.start, one.end);
      if (last && range.start <= last.end)
        joined.splice(-1, 1, { ...last, end: Math.max(last.end, range.end) });
      else joined.push(range);
    }
    return joined;
  };
}

/** Words are looked for at their beginning alone, which is several times as fast. */
function createHint(groups: readonly Pick<PhraseGroup, 'words' | 'marks'>[]): RegExp {
  const words = groups.flatMap((group) => group.words ?? []);
  const marks = groups.flatMap((group) => group.marks ?? []);
  return new RegExp([...(words.length > 0 ? [`\\b(?:${words.join('|')})`] : []), ...marks].join('|'), 'i');
}

/** A text without whole sentences; the white space in front of them goes with them. */
export function cutSentences(text: string, sentences: readonly TextRange[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of sentences) {
    rest += text.slice(at, start).trimEnd();
    at = end;
  }
  const tail = text.slice(at);
  return rest === '' ? tail.trimStart() : rest + tail;
}

/** A text without these phrases, to the byte. */
export function cutPhrases(text: string, phrases: readonly TextRange[]): string {
  let at = 0;
  let rest = '';
  for (const { start, end } of phrases) {
    rest += text.slice(at, start);
    at = end;
  }
  return rest + text.slice(at);
}

/** What was found, for people. */
export function quotePhrase(text: string, { start, end }: TextRange): string {
  const quoted = text.slice(start, end).trim();
  return quoted.length > QUOTED ? `${quoted.slice(0, QUOTED - 1)}…` : quoted;
}

const ENDS = new Set(['\n', '。', '！', '？']);

/** To the sentence that it stands in. */
function widen(text: string, from: number, to: number): TextRange {
  let start = from;
  while (start > 0 && from - start < LONGEST_SENTENCE && !endsSentence(text, start - 1)) start--;
  let end = to;
  while (end < text.length && end - to < LONGEST_SENTENCE && !(end > 0 && endsSentence(text, end - 1))) end++;
  while (start < from && text.charAt(start).trim() === '') start++;
  if (end > to && text.charAt(end - 1) === '\n') end--;
  return { start, end };
}

/** Whether a sentence ends with the character at this place. */
function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (ENDS.has(sign)) return true;
  return (sign === '.' || sign === '!' || sign === '?') && /^[\s"')\]*]?$/.test(text.charAt(at + 1));
}
