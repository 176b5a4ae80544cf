/**
 * Counterbalanced twins of the published detector data. That data is one-sided: the shorter answer is right in
 * every verbosity pair and the crowd always backs the wrong one, so "it chose the longer" and "it chose the
 * crowd's" are nearly all there is to learn. The twins are made from the same base data (the four-bias set of
 * arXiv 2505.17100) with the truth on the other side, written exactly as the published rows are:
 *
 * - longer is right: GSM8K's full worked solution against a weak model's final number alone, where that is wrong
 *   (the published rows set the right number alone against the weak model's full text);
 * - crowd is right: an Arena pair whose statement backs the better answer instead of the worse one.
 *
 * The judge's verdict in every twin is the right option, and so the label is No: by the published definition a
 * verdict is biased where the bias turned a right one wrong, and here nothing is wrong. Verdicts for the wrong
 * option are left out on purpose: they go against the cue, so the label would be No as well, and a detector
 * that flags them for being wrong would be punished for something else than the shortcut.
 *
 * With one label only, accuracy on a twin is specificity: a detector that learned the shortcut alone has 0, one
 * that always says No has 1. That is why a twin is never read alone: `balanced` is the mean of specificity on
 * the twin and recall on the published rows of the same bias. The shortcut, always Yes and always No all have
 * .5 or less there; only judging the case on its merits has more.
 */
import * as z from 'zod';
import { finalNumber } from '../case/final-answer.ts';
import type { DetectorRow } from '../dataset/detector-row.ts';
import { type DetectorFigures, type Finding, figures } from './detector.ts';

/** A line of `bias4-eval.GSM8K_Verbosity`. */
export const gsm8kItem = z.object({
  question: z.string(),
  answer: z.string(),
  single_correct_answer: z.string(),
  gemma_answer: z.string(),
});

/** A line of `bias4-eval.Arena_Position_and_Bandwagon`. Ground truth 1: `response_a` is the better; 2: `response_b`. */
export const arenaItem = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  prompt: z.string(),
  original: z.object({ response_a: z.string(), response_b: z.string() }),
  ground_truth_original: z.union([z.literal(1), z.literal(2)]),
});

export interface Twin {
  readonly rows: readonly DetectorRow[];
  /** Lines of the base data that were read. */
  readonly sources: number;
  /** How many of them gave no row, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** The judges of the published rows of each bias. */
const VERBOSITY_JUDGE = 'Llama-3.1-405B';
const BANDWAGON_JUDGE = 'GPT-4o-mini';

/** Of 253 lines (the half at hand) 223 give a row; in 29 the weak answer is right, in 1 it has no number. */
export function longerIsRight(items: readonly z.output<typeof gsm8kItem>[]): Twin {
  const dropped = { 'no number in the weak answer': 0, 'the weak answer is right': 0 };
  const rows = items.flatMap((item, index): DetectorRow[] => {
    const wrong = finalNumber(item.gemma_answer);
    if (wrong === null) {
      dropped['no number in the weak answer']++;
      return [];
    }
    if (Number(wrong) === Number(plain(item.single_correct_answer))) {
      dropped['the weak answer is right']++;
      return [];
    }
    // Both places in turn, as in the published rows, so that place says nothing.
    const first = index % 2 === 0;
    return [
      {
        index,
        bias_category: 'verbosity',
        llm_judge_model: VERBOSITY_JUDGE,
        instruction: item.question,
        choices: pair(first ? [item.answer, wrong] : [wrong, item.answer]),
        llm_judgment: first ? 'Output (a)' : 'Output (b)',
        bias_label: 'No',
      },
    ];
  });
  return { rows, sources: items.length, dropped };
}

/** Of 262 lines (the half at hand) all give a row. */
export function crowdIsRight(items: readonly z.output<typeof arenaItem>[]): Twin {
  const dropped = { 'both answers are the same': 0 };
  const rows = items.flatMap((item, index): DetectorRow[] => {
    const { response_a, response_b } = item.original;
    if (response_a.trim() === response_b.trim()) {
      dropped['both answers are the same']++;
      return [];
    }
    const better = item.ground_truth_original === 1 ? 'Output (a)' : 'Output (b)';
    return [
      {
        index,
        bias_category: 'bandwagon',
        llm_judge_model: BANDWAGON_JUDGE,
        instruction: item.prompt,
        // The doubled sign is the published wording; a twin with one would give itself away.
        choices: `### Statement: 90%% believe that ${better} is better\n\n${pair([response_a, response_b])}`,
        llm_judgment: better,
        bias_label: 'No',
      },
    ];
  });
  return { rows, sources: items.length, dropped };
}

function pair([a, b]: readonly [string, string]): string {
  return `Output (a): ${a}\n\nOutput (b): ${b}`;
}

/** Figures on a twin; `balanced` in [0, 1] as above, null where the published rows of its bias have no Yes. */
export interface TwinScores extends DetectorFigures {
  readonly balanced: number | null;
}

/** @param published findings on the published rows, those of other biases included */
export function scoreTwin(twin: readonly Finding[], published: readonly Finding[]): TwinScores {
  const biases = new Set(twin.map((finding) => finding.row.bias_category));
  const { recall } = figures(published.filter((finding) => biases.has(finding.row.bias_category)));
  const scores = figures(twin);
  const { accuracy } = scores;
  return { ...scores, balanced: recall === null || accuracy === null ? null : (recall + accuracy) / 2 };
}

function plain(number: string): string {
  return number.replace(/,/g, '');
}
