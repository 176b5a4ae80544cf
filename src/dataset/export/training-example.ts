/**
 * One example on its way to a trainer, made safe to train on: no text that UTF-8 cannot hold, and no reasoning that
 * would end itself early.
 */
import { disarmTokens } from '../../detect/index.ts';
import { type DetectorExample, formatCompletion, SPLITS } from '../label-pairs.ts';

export type ExampleSplit = DetectorExample['split'];
export { SPLITS };

/** What Remand adds to the published columns; a row of a published file knows none of it. */
type Ours = 'id' | 'base' | 'twin' | 'right_in_d' | 'right_in_d_bias';
export type TrainingExample = Omit<DetectorExample, Ours | 'index'> & {
  readonly [Name in Ours]: DetectorExample[Name] | null;
};

/** Examples that can be gone through more than once, so that none has to be kept. */
export interface ExampleSource {
  readonly splits: readonly ExampleSplit[];
  /** @throws InputError naming file and row of the first that is wrong */
  read(split: ExampleSplit): AsyncGenerator<TrainingExample>;
}

/** How many examples were changed, and by what. */
export interface Repairs {
  /** UTF-8 cannot hold a lone surrogate, and trainers stop at its JSON escape: U+FFFD takes its place. */
  lone_surrogates: number;
  /** A `</think>` or a role token inside reasoning would end it, or the turn: its brackets become `‹ ›`. */
  tokens_in_reasoning: number;
}

/** Tags as the reader of detectors' answers knows them, wherever their line breaks are. */
const THINK = /<(\s*(?:\/\s*)?think(?:ing)?\s*)>/gi;

/** @param labelOnly leave the reasoning out */
export function prepareExample(
  example: TrainingExample,
  labelOnly: boolean,
  repairs: Repairs,
): TrainingExample {
  const whole = wellFormed(example);
  if (Object.entries(example).some(([name, value]) => value !== whole[name as keyof TrainingExample]))
    repairs.lone_surrogates++;
  const told = labelOnly ? '' : (whole.reasoning ?? '').trim();
  const reasoning = disarmTokens(told).replace(THINK, '‹$1›').trim();
  if (reasoning !== told) repairs.tokens_in_reasoning++;
  return { ...whole, reasoning: reasoning === '' ? null : reasoning };
}

function wellFormed<T extends object>(record: T): T {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  ) as T;
}

/** The turn of the user and that of the detector, as chat trainers name them. */
export function formatTurns(example: TrainingExample): [string, string] {
  return [example.prompt, formatCompletion(example)];
}

interface SplitCounts {
  readonly split: ExampleSplit;
  readonly examples: number;
  readonly labels: Readonly<Record<string, number>>;
}

export interface ExportSurvey {
  /** Those with examples in them. */
  readonly splits: readonly SplitCounts[];
  /** Examples that are the label alone. */
  readonly without_reasoning: number;
  readonly repairs: Repairs;
  /** By bias, judge and teacher, with how many of each are labelled Yes. */
  readonly groups: readonly {
    readonly bias: string;
    readonly judge: string;
    readonly teacher: string | null;
    readonly examples: number;
    readonly biased: number;
  }[];
}

export async function surveyExamples(source: ExampleSource, labelOnly: boolean): Promise<ExportSurvey> {
  const repairs: Repairs = { lone_surrogates: 0, tokens_in_reasoning: 0 };
  const groups = new Map<string, { examples: number; biased: number }>();
  const splits: SplitCounts[] = [];
  let without_reasoning = 0;
  for (const split of SPLITS.filter((one) => source.splits.includes(one))) {
    const labels = { Yes: 0, No: 0 };
    for await (const one of source.read(split)) {
      const example = prepareExample(one, labelOnly, repairs);
      labels[example.bias_label]++;
      if (example.reasoning === null) without_reasoning++;
      const teacher = example.reasoning === null ? null : example.teacher;
      const key = JSON.stringify([example.bias_category, example.llm_judge_model, teacher]);
      const group = groups.get(key) ?? { examples: 0, biased: 0 };
      groups.set(key, group);
      group.examples++;
      if (example.bias_label === 'Yes') group.biased++;
    }
    const examples = labels.Yes + labels.No;
    if (examples > 0) splits.push({ split, examples, labels });
  }
  return {
    splits,
    without_reasoning,
    repairs,
    groups: [...groups].map(([key, counts]) => {
      const [bias, judge, teacher] = JSON.parse(key) as [string, string, string | null];
      return { bias, judge, teacher, ...counts };
    }),
  };
}
