/**
 * Where a reply names an option. Every naming, however spelled (`Output (a)`, `response A`, `the first
 * answer`), is replaced by one character that stands for the option, so that the rules that follow read
 * `<0> is better than <1>` and never meet a spelling again.
 */
import { labelKey } from '../../counterfactual.ts';
import type { VerdictForm } from '../../types.ts';
import type { Labelled } from '../kind.ts';

export type ChoiceForm = Extract<VerdictForm, { kind: 'choice' }>;

/** Private-use characters: `FIRST` + index is an option, then a tie, and someone who is not an option. */
const FIRST = 0xe000;
export const OPTION = '[\\uE000-\\uE0FF]';
export const TIE = '\uE100';
export const SOMEONE = '\uE101';

export const standFor = (option: number): string => String.fromCharCode(FIRST + option);
export const optionOf = (character: string): number => character.charCodeAt(0) - FIRST;

/** A key that names an option, and the option. */
interface Name {
  readonly key: string;
  readonly option: number;
}

const THINGS =
  'outputs?|responses?|answers?|options?|choices?|candidates?|texts?|completions?|summary|summaries|solutions?|' +
  'reply|replies|passages?|generations?|submissions?|translations?|story|stories|essays?|version|statement';
/** Debaters and graders share letters with what they judge: "Assistant (a) argues that Output (b) is better". */
const PEOPLE = 'assistants?|models?|judges?|evaluators?|reviewers?|annotators?|experts?|debaters?|chatbots?';
const ORDINALS = ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'fifth|5th', 'sixth|6th'];
/** Words that end what a bare letter could be the article of: "response a is better", not "response a user wants". */
const AFTER_BARE =
  '(?=\\s*$|\\s*[.,;:!?()[\\]"\'>=]|\\s+(?:is|was|are|were|does|do|has|and|or|over|than|to|because|since|as|' +
  'seems|would|should|wins|but|more|better|clearly|provides|in)\\b)';
const LEAD =
  '(?:answer|verdict|winner|choice|decision|preference|preferred|result|judge?ment|conclusion|better|best|grade|' +
  'label|output|response|option|one|pick|choose|select|prefer|favou?r|go with|opt for|vote for)' +
  '(?:\\s+(?:is|would be|goes to|must be))?\\s*[:=-]?\\s*';

/** The text with every naming replaced. Linear in the length of the text. */
export function withNamings(text: string, form: ChoiceForm, options: Labelled): string {
  const names = namesOf(form, options);
  const byKey = new Map(names.map((name) => [name.key.toLowerCase(), name.option]));
  const put = (key: string | undefined) => standFor(byKey.get(key?.toLowerCase() ?? '') ?? -1);
  const keys = alternation(names.map((name) => name.key));
  const own = alternation([...ownNouns(options)]);
  const things = own === '' ? `${THINGS}|${PEOPLE}` : `${own}|${THINGS}`;

  let result = inAskedSpelling(text, form, options);
  // A field's name in JSON (`answer_a`).
  result = result.replace(
    new RegExp(`\\b((?:${things}|${PEOPLE}))_(${keys})(?![\\p{L}\\p{N}_])`, 'giu'),
    '$1 $2',
  );
  result = result.replace(
    new RegExp(`\\[\\[\\s*(${keys})\\s*(>{1,2}|<{1,2}|=)\\s*(${keys})\\s*\\]\\]`, 'giu'),
    (_, left: string, sign: string, right: string) =>
      `[[${sign === '=' ? TIE : put(sign.startsWith('>') ? left : right)}]]`,
  );
  result = result.replace(/\[\[\s*(?:tie|draw|equal)\s*\]\]/giu, `[[${TIE}]]`);
  if (isPairOfLetters(names)) result = result.replace(/\[\[\s*C\s*\]\]/g, `[[${TIE}]]`);
  result = result.replace(
    new RegExp(`\\[\\[\\s*(?:(?:${things}|${PEOPLE})\\s*)?\\(?(${keys})\\)?\\s*\\]\\]`, 'giu'),
    (_, key: string) => `[[${put(key)}]]`,
  );
  result = result.replace(
    new RegExp(
      `\\[(?:result|verdict|answer)\\]\\s*(?:(?:${things}|${PEOPLE})\\s*)?["'(\\[]{0,2}(${keys})(?![\\p{L}\\p{N}])[)\\]"']{0,2}`,
      'giu',
    ),
    (_, key: string) => `[[${put(key)}]]`,
  );
  result = nounAndKey(result, things, keys, put);
  const ownNamed = new RegExp(OPTION, 'u').test(result);
  result = nounAndKey(result, PEOPLE, keys, (key) => (own !== '' && ownNamed ? SOMEONE : put(key)));
  result = ordinals(result, own === '' ? things : `${things}|${PEOPLE}`, options.length);
  return bareKeys(result, names, put);
}

/** The asked spelling itself, where it is one that prose does not use by chance, becomes `[[…]]`. */
function inAskedSpelling(text: string, form: ChoiceForm, options: Labelled): string {
  let result = text;
  if (form.tie !== null && isMark(form.tie)) result = result.replaceAll(form.tie, `[[${TIE}]]`);
  if (form.write === null || !isMark(form.write.template)) return result;
  for (const [option, label] of form.write.labels.entries()) {
    if (option >= options.length) break;
    const written = new RegExp(
      `${escaped(form.write.template.replace('{}', label))}(?![\\p{L}\\p{N}])`,
      'gu',
    );
    result = result.replace(written, `[[${standFor(option)}]]`);
  }
  return result;
}

const isMark = (spelling: string) => /[[\]<>#:=]/.test(spelling);

function nounAndKey(text: string, nouns: string, keys: string, put: (key: string) => string): string {
  const inBrackets = new RegExp(
    `\\b(?:${nouns})\\s{0,9}(?:[:#]\\s{0,9})?[(["'{]\\s{0,9}(${keys})\\s{0,9}[)\\]"'}]`,
    'giu',
  );
  const bare = new RegExp(`\\b(?:${nouns})\\s+#?(${keys})(?![\\p{L}\\p{N}]|\\.\\d)`, 'giu');
  const ending = new RegExp(AFTER_BARE, 'uy');
  return text
    .replace(inBrackets, (_, key: string) => put(key))
    .replace(bare, (found: string, key: string, at: number, whole: string) => {
      ending.lastIndex = at + found.length;
      return /^[ai]$/.test(key) && !ending.test(whole) ? found : put(key);
    });
}

function ordinals(text: string, nouns: string, options: number): string {
  return ORDINALS.slice(0, options).reduce(
    (result, ordinal, option) =>
      result.replace(
        new RegExp(`\\b(?:the\\s+)?(?:${ordinal})\\s+(?:${nouns}|one)\\b`, 'giu'),
        standFor(option),
      ),
    text,
  );
}

/** Keys without a noun count only where nothing else can be meant. */
function bareKeys(text: string, names: readonly Name[], put: (key: string) => string): string {
  const keys = alternation(names.map((name) => name.key));
  const letters = alternation(names.map((name) => name.key).filter((key) => /^\p{L}$/u.test(key)));
  const words = alternation(
    names.map((name) => name.key).filter((key) => /^\p{L}{3,}$/u.test(key) && !COMMON.test(key)),
  );
  let result = text;
  if (letters !== '') {
    result = result.replace(new RegExp(`[([{"']\\s*(${letters})\\s*[)\\]}"']`, 'giu'), (_, key: string) =>
      put(key),
    );
  }
  if (words !== '') {
    result = result.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])(${words})(?![\\p{L}\\p{N}])`, 'gu'),
      (_, key: string) => put(key),
    );
  }
  const sensitive = alternation(
    names.map((name) => (/^\p{L}$/u.test(name.key) ? name.key.toUpperCase() : name.key)),
  );
  const replace = (pattern: string, flags: string) => {
    result = result.replace(new RegExp(pattern, flags), (found: string, key: string) => {
      const at = found.toLowerCase().lastIndexOf(key.toLowerCase());
      return found.slice(0, at) + put(key) + found.slice(at + key.length);
    });
  };
  replace(`^[ \\t]*[(["']?(${keys})[)\\]"']?[.!]?[ \\t]*$`, 'gimu');
  // "A - it is odd", "B. The second": a letter that opens the reply, where no other line opens with one.
  const opening = `["'([]?(${letters.toUpperCase()})["')\\]]?(?=[.;!]\\s|\\s[–—-]\\s)`;
  if (letters !== '' && result.match(new RegExp(`^${opening}`, 'gmu'))?.length === 1)
    replace(`(?<![\\s\\S])${opening}`, 'u');
  replace(`(?<![\\p{L}\\p{N}])(${sensitive})(?=\\s*[>≻]|\\s+(?:is|was|wins|would be|over|beats)\\b)`, 'gu');
  replace(`[>≻=]\\s*(${sensitive})(?![\\p{L}\\p{N}])`, 'gu');
  replace(
    `(?<![\\p{L}])(?:${inAnyCase(LEAD)})["'([]?(${sensitive})(?![\\p{L}\\p{N}]|\\.\\d)${AFTER_BARE}`,
    'gmu',
  );
  replace(`(?<=than\\s|over\\s)(${sensitive})(?![\\p{L}\\p{N}])${AFTER_BARE}`, 'gmu');
  return result;
}

const COMMON =
  /^(?:yes|no|true|false|tie|both|none|neither|first|second|third|better|best|one|two|three|the)$/iu;

/** Letter case counts in a bare key, not in the words before it. */
const inAnyCase = (pattern: string) => pattern.replace(/(?<!\\)[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);

function namesOf(form: ChoiceForm, options: Labelled): Name[] {
  const written = (form.write?.labels ?? [])
    .slice(0, options.length)
    .map((label, option) => ({ key: labelKey(label).normalize('NFKC'), option }));
  const taken = new Set(written.map((name) => name.key.toLowerCase()));
  // Where numbers from 0 on are asked for, 2 is not the one of `Answer 2`.
  const areCounted = written.length > 0 && written.every(({ key }) => /^-?\d+$/.test(key));
  const labelled = options
    .map(({ label }, option) => ({ key: labelKey(label).normalize('NFKC'), option }))
    .filter(({ key }) => !taken.has(key.toLowerCase()) && !(areCounted && /^\d+$/.test(key)));
  return [...written, ...labelled];
}

/** `output` of `Output (a)`; empty for labels that are only a key. */
function ownNouns(options: Labelled): Set<string> {
  const nouns = options.map(({ label }) => {
    const key = [...label.matchAll(/[\p{L}\p{N}]+/gu)].at(-1);
    const lead = label.slice(0, key?.index ?? 0).replace(/(?<![^\p{L}\p{N}_])[^\p{L}\p{N}_]+$/u, '');
    return /^\s*\p{L}[\p{L}\s]*$/u.test(lead) ? lead.trim() : '';
  });
  return new Set(nouns.filter((noun) => noun.length > 2));
}

const isPairOfLetters = (names: readonly Name[]) =>
  names.length === 2 && names.map((name) => name.key.toUpperCase()).join() === 'A,B';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Longest first, so that `10` is not read as `1`. */
function alternation(words: readonly string[]): string {
  return [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
}
