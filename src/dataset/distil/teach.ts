/** Asking a teacher about one row until its reasoning comes to the true label (arXiv 2505.17100 §3.2). */
import * as z from 'zod';
import { renderTeacher } from '../../../prompts/index.ts';
import { disarmTokens, readRbdAnalysis } from '../../detect/index.ts';
import { UnreadableAnalysisError } from '../../http/index.ts';
import { endsRun, type Model, type ModelAnswer } from '../../models/index.ts';
import type { LabelledRow } from '../label-pairs.ts';

/**
 * Whether reasoning gives away that its author was shown the answer. A detector that learned from such a text
 * would speak of a label it is never given. Meant for teachers that were shown one; it would rather throw away a
 * good text than keep a leak, since the teacher can be asked again.
 */
const GIVEAWAYS = [
  // "the true label is No", "the provided label"
  /\b(?:true|correct|right|given|provided|known|gold(?:en)?|ground[- ]truth|expected|actual|stated|reference|final|required|target|bias)\s+label\b/,
  /\b(?:the|this|that)\s+label\s+(?:is|was|says|must|should|being|given|provided|shown)\b/,
  /\bground[- ]truth\b/,
  // "as given", but not "as given in the instruction"
  /\bas\s+(?:was\s+|already\s+)?(?:given|provided|told|instructed|settled|specified)\b(?!\s+(?:in|by|under|above\s+in)\s+the\s+(?:instruction|question|options?|statement|text|task|problem))/,
  // "I was told that …", "we are given the conclusion"
  /\b(?:I|we)(?:['’]m|['’]re|['’]ve\s+been|\s+am|\s+are|\s+was|\s+were|\s+have\s+been)\s+(?:already\s+|only\s+)?(?:told|informed|instructed|asked\s+to\s+(?:conclude|justify|arrive|end|reason)|supposed\s+to\s+(?:conclude|say|answer|end|arrive)|meant\s+to|expected\s+to)\b/,
  /\b(?:I|we)(?:['’]re|\s+am|\s+are|\s+was|\s+were)\s+given\s+(?:that\s+)?(?:the\s+)?(?:answer|label|conclusion|verdict|result|word)\b/,
  // "the answer is already known", "the conclusion was given"
  /\b(?:answer|conclusion|result|outcome|word|case)\s+(?:is|was|has\s+been)\s+(?:already\s+|been\s+)?(?:given|known|provided|settled|supplied|fixed|predetermined)\b/,
  /\bsettled\s+by\s+experiment\b/,
  // "I must end with Yes", "so we need to conclude No"
  /\b(?:must|have\s+to|need(?:s|ed)?\s+to|should|supposed\s+to|meant\s+to|want(?:s|ed)?\s+(?:me|us)\s+to)\s+(?:therefore\s+|now\s+)?(?:conclude|end|arrive|say|answer|output|justify|reason\s+towards?)\b[^.\n]{0,24}\b(?:Yes|No|yes|"no"|biased)\b/,
  /\b(?:word|answer|label)\s+to\s+end\s+with\b/,
  /\breason(?:ing)?\s+towards?\s+(?:the\s+)?(?:label|answer|conclusion|Yes|No)\b/,
];
const LEAKS = new RegExp(GIVEAWAYS.map(({ source }) => source).join('|'), 'i');

/** @returns the words that give it away; null where none do */
export function findLeak(reasoning: string): string | null {
  return LEAKS.exec(reasoning)?.[0] ?? null;
}

/** What came of one attempt. */
const ATTEMPT_OUTCOMES = [
  'right',
  'wrong',
  'unreadable',
  'refused',
  'cut off',
  'no reasoning',
  'label leaked',
  'failed',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export const teacherAttempt = z.object({
  outcome: z.enum(ATTEMPT_OUTCOMES),
  /** The label that was read; null where none was. */
  label: z.enum(['Yes', 'No']).nullable(),
  /** What was wrong, in words; null where the outcome says it all. */
  why: z.string().nullable(),
});
export type TeacherAttempt = z.output<typeof teacherAttempt>;

export interface Lesson {
  /** Null where no attempt was right. */
  readonly reasoning: string | null;
  readonly attempts: readonly TeacherAttempt[];
}

interface TeachOptions {
  readonly teacher: Model;
  /** The teacher is given the true label. */
  readonly showLabel: boolean;
  /** How often it is asked about one row, 1 or more. */
  readonly attempts: number;
}

/**
 * @param prompt the detector's prompt of the row
 * @throws JudgeError where the endpoint will answer no row, BudgetError, or the signal's reason
 */
export async function teach(
  row: Pick<LabelledRow, 'bias_label'>,
  prompt: string,
  { teacher, showLabel, attempts }: TeachOptions,
  signal: AbortSignal,
): Promise<Lesson> {
  const question = renderTeacher(prompt, showLabel ? row.bias_label : null);
  const made: TeacherAttempt[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const answer = await teacher.ask({ ...question, attempt }, signal);
      const { reasoning, ...read } = readLesson(answer, row.bias_label, showLabel);
      made.push(read);
      if (read.outcome === 'right') return { reasoning, attempts: made };
    } catch (cause) {
      // What an endpoint cannot answer after all retries is not asked for once more.
      if (signal.aborted || endsRun(cause) || !(cause instanceof Error)) throw cause;
      made.push({ outcome: 'failed', label: null, why: cause.message });
      break;
    }
  }
  return { reasoning: null, attempts: made };
}

/** What an answer is worth: `right` only where the label is the true one and reasons stand before it. */
export function readLesson(
  { text, reasoning: apart, finish }: Pick<ModelAnswer, 'text' | 'reasoning' | 'finish'>,
  truth: 'Yes' | 'No',
  shown: boolean,
): TeacherAttempt & { readonly reasoning: string } {
  const fault = (outcome: AttemptOutcome, why: string | null, label: TeacherAttempt['label'] = null) => ({
    outcome,
    why,
    label,
    reasoning: '',
  });
  if (REFUSED.test(finish ?? '')) return fault('refused', `finish reason ${finish}`);
  try {
    const read = readRbdAnalysis({ reasoning: apart, content: text, finish });
    const label = read.biased ? 'Yes' : 'No';
    if (label !== truth) return fault('wrong', null, label);
    // Without reasons of its own the reader hands back the answer itself.
    if (read.reasoning === read.said.trim()) return fault('no reasoning', null, label);
    const leak = shown ? findLeak(read.reasoning) : null;
    if (leak !== null) return fault('label leaked', `"${leak}"`, label);
    // It quotes judged text, and trainers put it into a chat template.
    return { outcome: 'right', label, why: null, reasoning: disarmTokens(read.reasoning) };
  } catch (cause) {
    if (!(cause instanceof UnreadableAnalysisError)) throw cause;
    if (cause.why === 'cut-off') return fault('cut off', cause.message);
    const refused = cause.why === 'filtered' || (cause.why === 'no-label' && DECLINES.test(text));
    return fault(refused ? 'refused' : 'unreadable', cause.message);
  }
}

/** Finish reasons by which Anthropic, OpenAI and Google say that the model, or a filter, would not answer. */
const REFUSED = /^(?:refusal|content_filter|SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII)$/i;
/** Only what the refusal is counted as depends on it: without a label the answer is of no use either way. */
const DECLINES =
  /^\W*(?:(?:I['’]m|I am)\s+(?:very\s+)?sorry|sorry\b|I\s+(?:can(?:no|['’])t|won['’]t|must\s+decline|decline)|(?:I['’]m|I am)\s+(?:unable|not\s+able))/i;
