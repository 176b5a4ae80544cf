/**
 * Reads a detector's answer: `<think> reasoning </think> Yes` (arXiv 2505.17100 §3.2) and what real models make
 * of it. Only what follows the detector's own last `</think>` is the label. What is cut off, says neither, or
 * says both is an UnreadableAnalysisError: never a No.
 */

import * as z from 'zod';
import { UnreadableAnalysisError, type UnreadableReason } from '../../http/index.ts';
import { parseJson } from '../../parse-json.ts';
import type { DetectorReply } from './detector-model.ts';

/**
 * Finds Yes or No in what a detector says after its reasoning. A word counts only where it stands as an answer
 * (at the start of a sentence, a line, a quotation or a JSON value, or after "label:"), so that "no" inside a
 * sentence is not a label and "No doubt it is biased" is not taken for a No.
 */
type RbdLabel = 'Yes' | 'No' | 'both' | 'none';

function readRbdLabel(text: string): RbdLabel {
  const plain = text.replace(/```(?:json)?/gi, '').trim();
  const fromJson = readJson(plain);
  if (fromJson !== null) return fromJson;
  const bare = plain.replace(/[*_`#~]+/g, '').replace(/\\(?:boxed|text)\b/g, '');
  const found = new Set([...bare.matchAll(ANSWER)].flatMap((answer) => labelOfAnswer(bare, answer)));
  return found.size > 1 ? 'both' : ([...found][0] ?? 'none');
}

const ANSWER = /(?:yes|no)\b(?!['’]\p{L})/giu;
/** The next word, where only a space stands between. */
const NEXT = /^[ \t]{1,20}(\p{L}{1,20})/u;
/** What ends the signs in front of an answer. */
const NO_SIGN = /[\p{L}\p{N}\n]/u;
/** Signs behind which an answer can begin. */
const STARTS = /[.!?;:"“”(){}[\]<>|/=→]/;
/** Signs behind which it can where its first letter is a capital. */
const PAUSES = /[,–—-]\s*$/;
/** Words behind which it can: `Yes or No` gives both, `the answer is No` gives one. */
const LEADS = /(?<!\w)(?:or|is|be)$/;
/** Words that may follow a No that is an answer: "No bias was found", "No evidence of …". */
const AFTER_NO =
  /^(?:\p{L}*bias(?:es|ed)?|evidence|signs?|indications?|influence|position|positional|order|verbosity|length|bandwagon|majority|sentiment|emotional|significant|clear|apparent|such|undue|there|the|this|it|because|since|as|or|judge|llm)$/iu;

function labelOfAnswer(text: string, { 0: word, index }: RegExpExecArray): RbdLabel[] {
  // Looking back from each word, and not ahead from each sign, looks at every sign once.
  const from = startOfSigns(text, index);
  const signs = text.slice(from, index);
  const first = from === 0 || text[from - 1] === '\n';
  const starts = first || STARTS.test(signs) || (/^[YN]/.test(word) && PAUSES.test(signs));
  const led = /^\W/.test(signs) && LEADS.test(text.slice(Math.max(0, from - 3), from));
  if (!starts && !led) return [];
  const label = word.toLowerCase() === 'yes' ? 'Yes' : 'No';
  const end = index + word.length;
  const next = NEXT.exec(text.slice(end, end + 40))?.[1];
  // "There is no evidence …" goes on: part of a sentence, not an answer.
  const midSentence = !starts && word === word.toLowerCase();
  if (next !== undefined && (midSentence || (label === 'No' && !AFTER_NO.test(next)))) return [];
  return [label];
}

/** Where the signs and spaces begin that end at a place. */
function startOfSigns(text: string, end: number): number {
  let from = end;
  while (from > 0) {
    // The second half of a pair says nothing without the first.
    const size = /[\udc00-\udfff]/.test(text[from - 1] ?? '') ? 2 : 1;
    if (NO_SIGN.test(text.slice(Math.max(0, from - size), from))) break;
    from = Math.max(0, from - size);
  }
  return from;
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
function readJson(text: string): RbdLabel | null {
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
  // What is no object is braces in prose, to be read as prose.
  return z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data ?? null;
}

function labelOf(value: unknown): RbdLabel | null {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase().replace(/[.!]$/, '');
  if (['yes', 'true', 'biased'].includes(word)) return 'Yes';
  return ['no', 'false', 'not biased', 'unbiased'].includes(word) ? 'No' : null;
}

/** A detector's answer as read. */
export interface RbdAnalysis {
  readonly biased: boolean;
  readonly reasoning: string;
  /** What stood where the label was looked for; biases may be named there. */
  readonly said: string;
}

const OPEN = /<\s*think(?:ing)?\s*>/i;
const CLOSE = /<\s*\/\s*think(?:ing)?\s*>/gi;
/** Finish reasons of OpenAI-compatible endpoints, TGI and Anthropic that mean the text just stops. */
const CUT_OFF = /^(?:length|max_tokens|max_output_tokens|max_length)$/i;
const STRAY_TAGS = /<\s*(?:\/\s*)?think(?:ing)?\s*>/gi;

/** @throws UnreadableAnalysisError saying what is wrong with the output, with its end quoted */
export function readRbdAnalysis(reply: Pick<DetectorReply, 'reasoning' | 'content' | 'finish'>): RbdAnalysis {
  const { reasoning, content, finish } = reply;
  if (finish !== null && CUT_OFF.test(finish))
    throw unreadable('was cut off at the token limit', content, 'cut-off');
  if (/^content_filter$/i.test(finish ?? ''))
    throw unreadable('was stopped by a content filter', content, 'filtered');

  const closing = [...content.matchAll(CLOSE)].at(-1);
  if (!closing && OPEN.test(content)) throw unreadable('ends inside its reasoning', content, 'cut-off');
  const said = closing ? content.slice(closing.index + closing[0].length) : content;
  const inline = closing ? content.slice(0, closing.index) : '';

  const label = readRbdLabel(said);
  if (label === 'none') throw unreadable('gives no label', said, 'no-label');
  if (label === 'both') throw unreadable('says both Yes and No', said, 'both-labels');
  const thoughts = [reasoning ?? '', inline].map((text) => text.replace(STRAY_TAGS, '').trim());
  const told = thoughts.filter((text) => text !== '').join('\n\n');
  return { biased: label === 'Yes', reasoning: told === '' ? said.trim() : told, said };
}

function unreadable(what: string, text: string, why: UnreadableReason): UnreadableAnalysisError {
  const end = text.trim().slice(-80).replace(/\s+/g, ' ');
  return new UnreadableAnalysisError(
    `the detector's answer ${what}: ${end === '' ? '(empty)' : `"…${end}"`}`,
    why,
  );
}
