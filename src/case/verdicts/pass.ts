/**
 * One answer passes, or fails: yes/no, pass/fail, correct/incorrect, true/false and their letters. Single letters count
 * only where a verdict stands, never inside a sentence.
 */
import * as z from 'zod';
import { strictFields } from '../../strict-fields.ts';
import type { Spelling } from '../types.ts';
import { splitAtStops } from '../words/sentences.ts';
import * as fields from './file-fields.ts';
import {
  type FormKind,
  type FormOf,
  noVerdict,
  spreadOf,
  toTracedSpread,
  tracedSpread,
  type VerdictKind,
} from './kind.ts';
import { type Polarity, polarityOfWords } from './polarity.ts';
import { fieldIn, type JsonObject } from './reading/json.ts';
import {
  isUnread,
  type Reply,
  readByRule,
  readFieldOrWords,
  type Unread,
  withReason,
} from './reading/reply.ts';
import { passSpelling } from './reading/ruled.ts';
import { labelAlone } from './reading/sole-label.ts';
import { jsonField, labelSource, spellingPatterns, spellOut, tellLabels } from './spelling.ts';

export const pass = {
  isSame: (a, b) => a.pass === b.pass,
  distance: (a, b) => Number(a.pass !== b.pass),
  spread: (verdict) => verdict.spread,
  describe: (verdict) => (verdict.pass ? 'a pass' : 'a fail'),
  remind: () => 'the outcome you gave then',
  brief: (verdict) => (verdict.pass ? 'Pass' : 'Fail'),
  readBrief: (text) => (text === 'Pass' || text === 'Fail' ? { kind: 'pass', pass: text === 'Pass' } : null),
  traced: { pass: z.boolean().optional(), spread: tracedSpread },
  toDraw({ pass: passes, spread }) {
    const mean = spread && Math.min(1, Math.max(0, spread.mean));
    return { pass: passes, probability: mean === undefined || passes ? mean : 1 - mean };
  },
  toTrace: (verdict) => ({
    pass: verdict.pass,
    ...(verdict.spread && { spread: toTracedSpread(verdict.spread) }),
  }),
  fromTrace: ({ pass: told }) => (typeof told === 'boolean' ? { kind: 'pass', pass: told } : null),
  /** A yes or no in the words that the prompt speaks of. */
  plain(verdict, _, asked) {
    const [, yes, no] = PLAIN_WORDS.find(([words]) => words.test(asked)) ?? [null, 'Y', 'N'];
    return verdict.pass ? yes : no;
  },
  toProperty: (verdict, property) => passAsValue(verdict.pass, property),
  isFavourable: (verdict) => verdict.pass,
  wordsOf: () => PASS_WORDS,
  weigh: (verdict, alternatives) => ({
    ...verdict,
    spread: spreadOf(alternatives, (one) => (one.kind === 'pass' ? Number(one.pass) : null)),
    lead: alternatives.lead,
  }),
} as const satisfies VerdictKind<'pass'>;

type PassForm = FormOf<'pass'>;

/**
 * `labels`: the good value, then the bad one. `good`: which side of a boolean or of a number is the good one, `unknown` where
 * nothing tells.
 */
const file = strictFields({
  kind: z.literal('pass'),
  labels: fields.labels.length(2).exactOptional(),
  template: fields.framed,
  good: z.union([z.boolean(), z.literal('unknown')]).exactOptional(),
  field: fields.field,
});

export const passForm = {
  read(reply, form, { checkpoint }) {
    const read = passIn(reply, form, checkpoint);
    if (isUnread(read)) return noVerdict(read.none);
    // Where true is the bad value, true lets nothing pass.
    return { kind: 'pass', pass: read.pass !== (form.polarity === 'lower') };
  },
  write(verdict, { write, field }) {
    // A field has companions (score, reason) that would have to say the same.
    if (verdict.kind !== 'pass' || !write || field !== null) return null;
    return spellOut(write, write.labels[verdict.pass ? 0 : 1]);
  },
  describe({ write, polarity }) {
    const words = write ? `, written ${tellLabels(write.template, write.labels)}` : '';
    return `whether it passes${words}${POLARITIES[polarity ?? 'higher']}`;
  },
  patterns: ({ write }) => (write ? spellingPatterns(write, null) : []),
  labelSource: ({ write }) => (write ? labelSource(write, null) : null),
  labels: () => PASS_WORDS.filter((word) => word.length > 1),
  companionsAgree: (objects, _, { field }) =>
    field === null || !objects.some((object) => scoresOtherwise(object, field)),
  isOpen: ({ polarity }) => polarity === 'unknown',
  decide: ([liked = 0]) => ({ kind: 'pass', pass: liked >= 0 }),
  file,
  fromFile: ({ labels, template = '{}', good = true, field = null }) => ({
    kind: 'pass',
    field,
    ...(good !== true && { polarity: good === 'unknown' ? good : ('lower' as const) }),
    ...(labels && { write: { template, labels, rule: 'unique' as const } }),
  }),
} as const satisfies FormKind<'pass', z.infer<typeof file>>;

const POLARITIES = {
  higher: '',
  lower: ' (true is the bad value)',
  unknown: ' (which value is the good one is not known)',
} as const;

function passIn(reply: Reply, { write, field }: PassForm, checkpoint: () => void): PassRead {
  // Words that no known client's parser looks for.
  const isBare = field === null && write?.template === '{}' && write.rule === 'unique';
  const ruled = isBare
    ? labelAlone(reply.said, write.labels)
    : write
      ? readByRule(reply, write, field, null)
      : null;
  if (ruled !== null) {
    const read = withReason(ruled, reply);
    return isUnread(read) ? read : { pass: read === 0 };
  }
  return readFieldOrWords(reply, field, { value: passInValue, words: passInText }, checkpoint);
}

function passInValue(value: unknown): PassRead {
  const pass = passOf(value);
  return pass === null ? { none: 'no-label' } : { pass };
}

/** Words that let pass or fail. */
const PASS_WORDS = 'yes no true false pass passed fail failed correct incorrect y n c i 0 1'.split(' ');

/** Ways of saying pass and fail, by what the prompt speaks of; the first that fits. */
const PLAIN_WORDS: readonly (readonly [asked: RegExp, pass: string, fail: string])[] = [
  [/\bGRADE:/, 'GRADE: C', 'GRADE: I'],
  [/\bPASS\b/, 'PASS', 'FAIL'],
  [/\byes\b/i, 'Yes', 'No'],
  [/\bincorrect\b/i, 'CORRECT', 'INCORRECT'],
];

function passAsValue(pass: boolean, property: JsonObject): unknown {
  if (Array.isArray(property.enum)) {
    const wanted = pass ? /^(?:y|c|pass|true|1|met)/i : /^(?:n|i|fail|false|0|unmet)/i;
    return property.enum.find((word) => wanted.test(String(word))) ?? property.enum[pass ? 0 : 1];
  }
  if (property.type === 'integer' || property.type === 'number') return pass ? 1 : 0;
  return property.type === 'string' ? (pass ? 'yes' : 'no') : pass;
}

type PassRead = { readonly pass: boolean } | Unread;

const WORDS = 'yes|no|pass(?:es|ed)?|fail(?:s|ed)?|incorrect|correct|true|false';
const VERDICT = `(${WORDS}|[ynci])`;
const STOP = '(?=["\')\\]]{0,3}\\s{0,9}(?:[.,;!\\n–—-]|$|because\\b|since\\b|as\\b))';

const ALONE = new RegExp(`^\\s{0,9}["'(\\[]{0,3}${VERDICT}["')\\]]{0,3}[.!]?\\s{0,9}$`, 'gimu');
const MARKED = new RegExp(`\\[\\[\\s{0,9}${VERDICT}\\s{0,9}\\]\\]`, 'giu');
const LED = new RegExp(
  `\\b(?:verdict|answer|grade|result|decision|judge?ment|conclusion|label|score|evaluation|outcome|pass(?:ed)?|correct)["']?\\s{0,9}[:=]\\s{0,9}["'(\\[]{0,3}${VERDICT}${STOP}`,
  'giu',
);
const LED_BY_IS = new RegExp(
  `\\b(?:(?:verdict|grade|decision|judge?ment|conclusion) is:?\\s{0,9}["']?${VERDICT}|(?:final|correct|my) answer is:?\\s{0,9}["']?(yes|no))${STOP}`,
  'giu',
);
const OPENING = new RegExp(
  `^\\s{0,9}["'(\\[]{0,3}(${WORDS}|[yn](?=[.,:;]))(?=["')\\]]{0,3}\\s{0,9}(?:[.,:;!\\n–—-]|$))`,
  'giu',
);
const CLOSING = /(?:[.!?:]\s+|\n)([yn]|yes|no)["')\]]{0,3}[.!]?\s*$/giu;
const STATED =
  /\b(?:answer|response|output|submission|solution|reply|completion|criterion|criteria|requirement)(?:\s+(?:given|provided|above))?\s+(?:(?:is|are|was|has|does|should|therefore|thus|clearly|fully|also)\s+|(is|are|was|does|has|should)(?:n't|\s+not)\s+(?:fully\s+)?)?(?:be\s+|been\s+)?(pass(?:es|ed)?|fail(?:s|ed)?|incorrect|correct|met)\b(?![^.]{0,200}\b(?:but|however|except)\b)/giu;
const CONCLUDES = /\b(?:therefore|thus|hence|overall|in conclusion|in summary|conclude|so,)\b/iu;

/** Where verdicts stand, by how sure: an answer to the letter; a concluding sentence about the answer. */
function passInText(said: string): PassRead {
  const exact = [ALONE, MARKED, LED, LED_BY_IS, OPENING, CLOSING].flatMap((place) =>
    [...said.matchAll(place)].map((match) => isPass(match[1] ?? match[2] ?? '')),
  );
  if (exact.length > 0) return unanimous(exact);
  const sentences = splitAtStops(said);
  const stated = sentences
    .filter(
      (sentence, at) =>
        (at === sentences.length - 1 || CONCLUDES.test(sentence)) && !/\?["')]{0,3}$/.test(sentence),
    )
    .flatMap((sentence) => [...sentence.matchAll(STATED)])
    .map((match) => isPass(match[2] ?? '') !== (match[1] !== undefined));
  return stated.length > 0 ? unanimous(stated) : { none: 'no-label' };
}

/** A JSON value as a verdict: true, "yes", 1. */
function passOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  return typeof value === 'string' && new RegExp(`^\\s*${VERDICT}[.!]?\\s*$`, 'iu').test(value)
    ? isPass(value)
    : null;
}

const isPass = (word: string) => /^\s*(?:y|c|yes|pass|correct|true|met)/i.test(word);

function unanimous(all: readonly boolean[]): PassRead {
  const [first] = all;
  return first !== undefined && all.every((one) => one === first)
    ? { pass: first }
    : { none: 'contradictory' };
}

/** A pass with nothing of the score, or a fail with all of it, where the score is a companion and not the verdict. */
function scoresOtherwise(object: JsonObject, field: string): boolean {
  if (field.toLowerCase() === 'score') return false;
  const pass = passOf(fieldIn(object, field)[0]);
  const [score] = fieldIn(object, 'score');
  return pass !== null && typeof score === 'number' && (pass ? score <= 0 : score >= 1);
}

const PAIRS =
  /\b(?:["'“`]?y(?:es)?["'”`]?(?: (?:or|and) ?| ?[/|] ?)["'“`]?n(?:o)?["'”`]?)(?![a-z])|["'“`](?:Y|yes|pass|correct|true|C|PASS|CORRECT)["'”`][^\n]{0,60}["'“`](?:N|no|fail|incorrect|false|I|FAIL|INCORRECT)["'”`]|\bpass(?:ed)?(?:\/| or )fail(?:ed)?\b|\bcorrect(?:\/| or )incorrect\b|"pass"\s{0,9}:\s{0,9}(?:true|false|<?bool)|\bGRADE: ?(?:\$LETTER|C\b)/i;

/** `"correct" | "incorrect"` and one more: `| "skipped"`. */
const GOES_ON = /^\s{0,3}(?:[|/,]|,? ?or\b)\s{0,3}["'“`]\p{L}[^"'”`\n]{0,30}["'”`](?!\s{0,3}:)/u;

/** @returns null where nothing asks for yes or no */
export function passInWords(orders: string): PassForm | null {
  const write = passSpelling(orders);
  if (write) return spelledForm(write, polarityOfWords(write.labels, '', orders));
  const found = PAIRS.exec(orders);
  if (!found) return null;
  const [pair] = found;
  // `yes | no | n/a` is a yes or no, and one more word makes categories of others.
  if (!/^["'“`]?y/i.test(pair) && GOES_ON.test(orders.slice(found.index + pair.length))) return null;
  const field = jsonField(orders, 'truth');
  // `{"score": <number>, "passed": <true|false>}`
  if (field === null && jsonField(orders, 'number') !== null) return null;
  const polarity = polarityOfWords(pair.match(/[a-z]+/gi) ?? [], field ?? '', orders);
  return { kind: 'pass', field, ...(polarity !== 'higher' && { polarity }) };
}

/** Labels stand with the good one first. */
function spelledForm(write: Spelling, polarity: Polarity): PassForm {
  if (polarity === 'lower')
    return { kind: 'pass', field: null, write: { ...write, labels: write.labels.toReversed() } };
  return { kind: 'pass', field: null, write, ...(polarity === 'unknown' && { polarity }) };
}
