/**
 * Finds Yes or No in what a detector says after its reasoning. A word counts only where it stands as an answer
 * (at the start of a sentence, a line, a quotation or a JSON value, or after "label:"), so that "no" inside a
 * sentence is not a label and "No doubt it is biased" is not taken for a No.
 */
import * as z from 'zod';

export type Label = 'Yes' | 'No' | 'both' | 'none';

export function readLabel(text: string): Label {
  const plain = text.replace(/```(?:json)?/gi, '').trim();
  const fromJson = readJson(plain);
  if (fromJson !== null) return fromJson;
  const bare = plain.replace(/[*_`#~]+/g, '').replace(/\\(?:boxed|text)\b/g, '');
  const found = new Set([...bare.matchAll(STARTS)].flatMap((start) => labelAt(bare, start)));
  return found.size > 1 ? 'both' : ([...found][0] ?? 'none');
}

/** Where an answer can begin. After `or`, `is`, `be` it can, too: `Yes or No` gives both, `the answer is No` gives one. */
const STARTS = /^|[\n.!?;:"“”(){}[\]<>|/=→]|[,–—-](?=\s*(?:Yes|No|YES|NO)\b)|\b(?:or|is|be)\b/gu;
/** An answer there: the word, and the next one where only a space stands between. */
const ANSWER = /^[^\p{L}\p{N}\n]*(yes|no)\b(?!['’]\p{L})(?:[ \t]+(\p{L}+))?/iu;
/** Words that may follow a No that is an answer: "No bias was found", "No evidence of …". */
const AFTER_NO =
  /^(?:\p{L}*bias(?:es|ed)?|evidence|signs?|indications?|influence|position|positional|order|verbosity|length|bandwagon|majority|sentiment|emotional|significant|clear|apparent|such|undue|there|the|this|it|because|since|as|or|judge|llm)$/iu;

function labelAt(text: string, start: RegExpExecArray): Label[] {
  const answer = ANSWER.exec(text.slice(start.index + start[0].length));
  if (!answer) return [];
  const [, word = '', next] = answer;
  const label = word.toLowerCase() === 'yes' ? 'Yes' : 'No';
  // "There is no evidence …" goes on: part of a sentence, not an answer.
  const midSentence = /^\w/.test(start[0]) && word === word.toLowerCase();
  if (next !== undefined && (midSentence || (label === 'No' && !AFTER_NO.test(next)))) return [];
  return [label];
}

const FIELDS = [
  'bias_label',
  'biasLabel',
  'label',
  'biased',
  'is_biased',
  'isBiased',
  'has_bias',
  'bias',
  'bias_detected',
  'verdict',
  'answer',
  'prediction',
  'result',
] as const;

/** A JSON answer's label; null where the text is no JSON object. */
function readJson(text: string): Label | null {
  const open = text.indexOf('{');
  const close = text.lastIndexOf('}');
  if (open !== 0 || close < open) return null;
  const read = parse(text.slice(open, close + 1));
  if (read === null) return null;
  const said = FIELDS.flatMap((field) => (field in read ? [labelOf(read[field])] : [])).filter(
    (label) => label !== null,
  );
  const found = new Set(said);
  if (found.size > 1) return 'both';
  return said[0] ?? 'none';
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    // Not JSON, or no object (zod): braces in prose, to be read as prose.
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) return null;
    throw cause;
  }
}

function labelOf(value: unknown): Label | null {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase().replace(/[.!]$/, '');
  if (['yes', 'true', 'biased'].includes(word)) return 'Yes';
  return ['no', 'false', 'not biased', 'unbiased'].includes(word) ? 'No' : null;
}
