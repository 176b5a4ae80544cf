/** Records of judgments: what judges said of items, in the past or elsewhere, one verdict a line. */
import * as z from 'zod';
import { type VerdictValue, verdictValue } from '../../case/index.ts';
import { InputError } from '../../errors.ts';
import { whyNoLabel } from '../../loop/index.ts';
import { findMajority } from '../../stats/index.ts';
import { strictFields } from '../../strict-fields.ts';

/** Items may be numbered. */
const ItemName = z.union([z.string().min(1), z.number()]).transform(String);

/**
 * One verdict. An index is that of the option in the item's own order, whatever order it was shown in.
 *
 * @example { item: 'q1', judge: 'gpt-4', sample: 0, order: 'swapped', choice: 1, probability: 0.8, label: 0 }
 */
export const pastJudgment = strictFields({
  item: ItemName,
  judge: z.string().min(1),
  /** Which of several replies to the same request; 0 where it is absent. */
  sample: z.int().min(0).optional(),
  order: z.enum(['given', 'swapped']).optional(),
  choice: z.union([z.int().min(0), z.literal('tie')]).optional(),
  score: z.number().optional(),
  /** One an option; null where no score was found for it. */
  scores: z.array(z.number().nullable()).min(2).readonly().optional(),
  pass: z.boolean().optional(),
  category: z.string().min(1).optional(),
  /** Of this verdict, as the judge's log-probabilities or a calibration give it. */
  probability: z.number().min(0).max(1).optional(),
  /**
   * How sure whoever asked was of the item's verdict, all told: what the proxy compares, from the other order, probes and samples.
   * Where it is there a calibration goes by it and this verdict, else by all verdicts on the item.
   */
  confidence: z.number().optional(),
  label: verdictValue.optional(),
  /**
   * False where the item was chosen to be labelled (as one the judge was unsure of, say): it does not stand for all. Beside a label
   * it tells of that label, and nothing of one in a file of labels.
   */
  random: z.boolean().optional(),
  /** A part of the items of which figures are wanted, such as a language or a model. */
  subgroup: z.string().min(1).optional(),
  /** Whose answers the options are, in the item's own order. */
  contestants: z.array(z.string().min(1)).min(2).optional(),
  /** Numbers of each option that may sway a judge, in the item's own order, such as `{ length: [120, 340] }`. */
  covariates: z.record(z.string().min(1), z.array(z.number()).min(2).readonly()).optional(),
  /** Items of one group were made from the same source and are no independent observations. */
  group: z.string().optional(),
}).refine(
  ({ choice, score, scores, pass, category }) =>
    [choice, score, scores, pass, category].filter((one) => one !== undefined).length <= 1,
  {
    error:
      'must have one of choice, score, scores, pass and category; none of them says that no verdict was found',
  },
);
export type PastJudgment = z.infer<typeof pastJudgment>;

/** What a person, or a gold standard, says of an item. */
export const labelRecord = strictFields({
  item: ItemName,
  label: verdictValue,
  annotator: z.string().optional(),
  /** Whether chance chose the item, as it is taken to have where nothing is said: as `random` of a verdict. */
  random: z.boolean().optional(),
});
export type LabelRecord = z.infer<typeof labelRecord>;

interface DecidedLabel {
  readonly label: VerdictValue;
  readonly random: boolean;
}

/** What one judge said of one item, in the order of the samples. */
export interface JudgedItem {
  readonly item: string;
  readonly judge: string;
  readonly group: string;
  /** Null for none. */
  readonly subgroup: string | null;
  /** Null where nobody says what is right. */
  readonly label: VerdictValue | null;
  /** Whether it stands for all items: nobody chose it for what the judge said. */
  readonly random: boolean;
  readonly draws: readonly PastJudgment[];
}

/**
 * @param records of any number of judges
 * @param labels that stand in a file of their own; where several people label an item, what most of them say
 * @returns for each judge its items, in the order in which they first appear
 * @throws InputError for an item that has two labels in the records, or two of one person, or two verdicts of the same sample
 *   and order
 */
export function groupJudgments(
  records: readonly PastJudgment[],
  labels: readonly LabelRecord[] = [],
): Map<string, JudgedItem[]> {
  const people = decideLabels(labels);
  const own = new Map<string, DecidedLabel>();
  for (const { item, label, random = true } of records) {
    if (label === undefined) continue;
    const other = own.get(item);
    if (other && other.label !== label)
      throw new InputError('label', `item ${item} is labelled ${String(other.label)} and ${String(label)}`);
    own.set(item, { label, random: random && (other?.random ?? true) });
  }
  const judges = new Map<string, JudgedItem[]>();
  for (const [judge, said] of Map.groupBy(records, (record) => record.judge)) {
    const items = [...Map.groupBy(said, (record) => record.item)].map(([item, draws]): JudgedItem => {
      const places = draws.map(({ sample = 0, order = 'given' }) => `sample ${sample}, order ${order}`);
      const twice = places.find((place, n) => places.indexOf(place) !== n);
      if (twice !== undefined)
        throw new InputError(
          'sample',
          `${judge} has two verdicts on item ${item} (${twice}); number what was asked again: "sample": 0, 1, …`,
        );
      const { label, random } = people.get(item) ?? own.get(item) ?? { label: null, random: true };
      for (const draw of draws) {
        const why = label === null ? null : whyNoLabel(draw, label, draw.contestants?.length ?? null);
        if (why !== null) throw new InputError('label', `of item ${item} ${why}`);
      }
      return {
        item,
        judge,
        group: draws[0]?.group ?? item,
        subgroup: draws[0]?.subgroup ?? null,
        label,
        random: random && !draws.some((draw) => draw.random === false && draw.label === undefined),
        draws: draws.toSorted((a, b) => (a.sample ?? 0) - (b.sample ?? 0)),
      };
    });
    judges.set(judge, items);
  }
  return judges;
}

/** What most of the people say of each item; no label where two are named equally often. Drawn by chance for one of them is drawn. */
function decideLabels(labels: readonly LabelRecord[]): Map<string, DecidedLabel> {
  const decided = new Map<string, DecidedLabel>();
  for (const [item, said] of Map.groupBy(labels, (label) => label.item)) {
    const people = said.map(({ annotator }) => annotator ?? '');
    const twice = people.find((one, n) => people.indexOf(one) !== n);
    if (twice !== undefined)
      throw new InputError('label', `item ${item} is labelled twice${twice === '' ? '' : ` by ${twice}`}`);
    const majority = findMajority(said, ({ label }) => label);
    const random = said.some((label) => label.random ?? true);
    if (majority) decided.set(item, { label: majority.label, random });
  }
  return decided;
}
