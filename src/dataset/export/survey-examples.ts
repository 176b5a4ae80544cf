/** What is in the examples, counted in one pass before they are written: for the card and for what the command says. */
import {
  type ExampleSource,
  type ExampleSplit,
  prepareExample,
  type Repairs,
  SPLITS,
} from './training-example.ts';

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
    ...{ splits, without_reasoning, repairs },
    groups: [...groups].map(([key, counts]) => {
      const [bias, judge, teacher] = JSON.parse(key) as [string, string, string | null];
      return { bias, judge, teacher, ...counts };
    }),
  };
}
