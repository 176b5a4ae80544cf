/** What a question changes in the client's own request: edits of its texts, whatever wire or type it travels in. */
import { renderRemand } from '../../prompts/index.ts';
import type { Bias } from '../bias/index.ts';
import {
  type Case,
  type Counterfactual,
  type Edit,
  editsFor,
  nameByPlace,
  placeName,
  remindVerdict,
  withoutLabels,
} from '../case/index.ts';
import type { Note, Question } from '../loop/index.ts';

const BLANK_LINE = '\n\n';

export interface QuestionEdits {
  readonly edits: readonly Edit[];
  /** Whether temperature 0 is to be asked for: a probe is evidence only where the judge does not waver by itself. */
  readonly steady: boolean;
  /** Which sample is asked for, from 1; missing where none is. */
  readonly sample?: number;
  /** How many samples are asked for in one call; missing for one. */
  readonly count?: number;
}

/**
 * @param biases where the definitions come from that go with a remand
 * @returns null for the client's own request, which goes out as it came
 *
 * @example createQuestionEdits(question, subject, CATALOGUE)?.edits // null for the client's own request
 */
export function createQuestionEdits(
  question: Question,
  subject: Case,
  biases: readonly Bias[],
): QuestionEdits | null {
  switch (question.kind) {
    case 'judge':
      return null;
    case 'sample':
      return { edits: [], steady: false, sample: question.sample, count: question.count };
    case 'swap':
      return { edits: editsFor(subject, question.of), steady: true };
    case 'probe': {
      const { of, note } = question;
      return { edits: note ? withNote(of, note) : editsFor(subject, of), steady: true };
    }
    case 'remand':
      return { edits: withNote(question.of, question), steady: false };
  }

  function withNote(of: Counterfactual, { verdict, biases: found, reasoning }: Note): Edit[] {
    const note = renderRemand({
      biases: found.flatMap((one) => biases.find(({ name }) => name === one) ?? []),
      earlier: remindVerdict(verdict, (option) => placeName(of.order.indexOf(option))),
      reasoning: withoutLabels(nameByPlace(reasoning, subject, of.order), subject.form),
    });
    const edits = editsFor(subject, of);
    return [...edits, insertion(subject, note, edits)];
  }
}

/** A note as a paragraph of its own where the case wants it; behind an edit that takes that place away. */
function insertion({ prompt, noteAt: { part, offset } }: Case, note: string, edits: readonly Edit[]): Edit {
  const taken = edits.find(({ at }) => at.part === part && at.start < offset && offset < at.end);
  const start = taken?.at.end ?? offset;
  const text = prompt.parts[part]?.text ?? '';
  const before = text.slice(0, start);
  const after = text.slice(start);
  const above = before === '' ? '' : BLANK_LINE.slice(/\n{0,2}$/.exec(before)?.[0].length);
  const below = after === '' ? '' : BLANK_LINE.slice(/^\n{0,2}/.exec(after)?.[0].length);
  return { at: { part, start, end: start }, with: above + note + below };
}
