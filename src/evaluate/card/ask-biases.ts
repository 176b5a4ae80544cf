/** Cases with each bias of the catalogue in them and without, put before judges. */
import type { BiasedVerdicts } from '../../audit/index.ts';
import { type Bias, CATALOGUE } from '../../bias/index.ts';
import {
  type BaseItem,
  buildDataset,
  createRetone,
  judgePairs,
  type RowPair,
  type VerdictRecord,
} from '../../dataset/index.ts';
import type { Model, RunOptions } from '../../models/index.ts';

/** Biases that can be put into a clean case, and that a fair judge does not notice. */
export const INJECTED: readonly Bias[] = CATALOGUE.filter(
  ({ inject, expectation }) => inject !== undefined && expectation === 'invariant',
);

/** The names of these that are asked about where nobody names any: a judge may be right to follow the others. */
export const INJECTED_BY_DEFAULT: readonly string[] = INJECTED.flatMap(({ name, mustBeNamed }) =>
  mustBeNamed ? [] : [name],
);

export interface BiasQuestions {
  readonly items: readonly BaseItem[];
  readonly biases: readonly Bias[];
  readonly judges: readonly Model[];
  /** Rewrites tones; without one sentiment cannot be tested. */
  readonly tone: Model | null;
  /** Told why a case was not made. */
  readonly onDropped: (bias: string, reason: string) => void;
}

export interface AskedBias extends BiasedVerdicts {
  /** Of the two rows. */
  readonly id: string;
  /** Why the judge gave no reply; null where it gave one. */
  readonly error: string | null;
}

const ATTEMPTS = 5;
const WORDING = '{share}% believe that {option} is better';

/** Each bias speaks once for the wrong option and once for the right one; bias by bias, in the order of the items. */
export async function* askBiases(
  { items, biases, judges, tone, onDropped }: BiasQuestions,
  run: RunOptions,
): AsyncGenerator<AskedBias> {
  const retone =
    tone && createRetone({ model: tone, checker: tone, attempts: ATTEMPTS, onRejected: () => {} });
  for (const bias of biases) {
    const pairs: RowPair[] = [];
    const settings = {
      ...{ biases: [bias], twins: true, place: 'as-is' as const, seed: 1, published: false },
      ...{ checkNegatives: true, tools: { share: 90, wording: WORDING, retone }, negative: null },
    };
    for await (const built of buildDataset(items, settings, run)) {
      pairs.push(...built.pairs);
      for (const reason of built.dropped) onDropped(bias.name, reason);
    }
    const rows = new Map(pairs.map((pair) => [pair[0].id, pair]));
    for await (const record of judgePairs(pairs, judges, run)) {
      const pair = rows.get(record.id);
      if (pair) yield { id: record.id, ...compareVerdicts(bias, pair, record), error: record.error };
    }
  }
}

function compareVerdicts(bias: Bias, [d, dBias]: RowPair, record: VerdictRecord): BiasedVerdicts {
  const [given, swayed] = [record.d?.option ?? null, record.d_bias?.option ?? null];
  const common = { judge: record.judge, bias: bias.name, base: d.base };
  if (given === null || swayed === null) return { ...common, clean: null, biased: null, toward: null };
  const [clean, biased] = [given === d.right, swayed === dBias.right];
  const isMore = Number(biased) - Number(clean);
  // The options of the two rows of a bias of order stand in the one and in the other order.
  const first = (Number(given === 0) + Number(swayed === 0)) / 2 - 1 / d.options.length;
  return { ...common, clean, biased, toward: bias.bothOrders ? first : d.twin ? isMore : -isMore };
}
