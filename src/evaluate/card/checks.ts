/** What a card says of a judge, check by check: what is measured, the limit, and what to do about it in Remand's own settings. */

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
import { InputError } from '../../errors.ts';
import type { Model, RunOptions } from '../../models/index.ts';

// Cases with each bias of the catalogue in them and without, put before judges.

/** Biases that can be put into a clean case, and that a fair judge does not notice. */
export const INJECTED: readonly Bias[] = CATALOGUE.filter(
  ({ inject, expectation }) => inject !== undefined && expectation === 'invariant',
);

/** The names of these that are asked about where nobody names any: a judge may be right to follow the others. */
export const INJECTED_BY_DEFAULT: readonly string[] = INJECTED.flatMap(({ name, mustBeNamed }) =>
  mustBeNamed ? [] : [name],
);

interface BiasQuestions {
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

export interface Check {
  readonly name: string;
  /** What the figure is. */
  readonly about: string;
  /**
   * `share`: of cases, less is better. `effect`: how far verdicts follow, 0 for a fair judge. `least`: a share of which more
   * is better.
   */
  readonly kind: 'share' | 'effect' | 'least';
  readonly limit: number;
  /** In words; null where no setting helps. */
  readonly advice: string | null;
  /** Lines of an environment file. */
  readonly settings: Readonly<Record<string, string>>;
}

const ITSELF: readonly Check[] = [
  {
    ...{ name: 'accuracy', kind: 'least', limit: 0.6 },
    about: 'verdicts that agree with the labels',
    advice: 'send what it is unsure of to a better judge (REMAND_ESCALATE), or take another judge',
    settings: {},
  },
  {
    ...{ name: 'confidence', kind: 'share', limit: 0.15 },
    about:
      'by how much the share of replies that agree misses the share of verdicts that are right (expected calibration error)',
    advice: 'learn a curve from labels: remand calibrate --records, then REMAND_CONFIDENCE',
    settings: {},
  },
  {
    ...{ name: 'unread', kind: 'share', limit: 0.02 },
    about: 'replies without a verdict: refusals, other forms, none at all',
    advice: 'ask for a form that can be checked (a JSON schema, or the verdict in brackets)',
    settings: {},
  },
  {
    ...{ name: 'repeats', kind: 'share', limit: 0.05 },
    about: 'cases with another verdict when asked the same again',
    advice: 'take the majority of several replies',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    ...{ name: 'orders', kind: 'share', limit: 0.1 },
    about: 'cases with another verdict when the options stand in the other order',
    advice: 'have both orders judged: position is among the biases',
    settings: {},
  },
  {
    ...{ name: 'labels', kind: 'share', limit: 0.1 },
    about: 'cases with another verdict when the options are called 1 and 2 in place of a and b',
    advice: 'take the majority of several replies',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    ...{ name: 'scale', kind: 'share', limit: 0.1 },
    about: 'pairs of which one text is rated higher from 1 to 10, and the other one from 0 to 100',
    advice: 'have pairs judged instead of ratings, or take the median of several',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    ...{ name: 'opinion', kind: 'effect', limit: 0.1 },
    about: 'how far verdicts follow “I think that … is better”',
    advice: 'keep opinions out of the prompt',
    settings: {},
  },
  {
    ...{ name: 'suggested-score', kind: 'effect', limit: 0.1 },
    about: 'how far ratings follow “I would give it 9”, against “… 3”: 1 goes all the way',
    advice: 'keep opinions and earlier scores out of the prompt',
    settings: {},
  },
  {
    ...{ name: 'mentioned-score', kind: 'effect', limit: 0.1 },
    about: 'how far ratings follow “The last answer got 9”, against “… 3”: 1 goes all the way',
    advice: 'rate each text in a request of its own, without scores of others',
    settings: {},
  },
];

/** Every check, those of the catalogue's biases behind the others. */
export const CHECKS: readonly Check[] = [
  ...ITSELF,
  ...INJECTED.map(
    ({ name }): Check => ({
      ...{ name, kind: 'effect', limit: 0.1 },
      about: `how much more often the judge decides as ${name} wants it`,
      advice: 'have verdicts that rest on it sent back',
      settings: { REMAND_BIASES: name },
    }),
  ),
];

/**
 * @param given limits by the names of checks, in place of their own
 * @throws InputError naming a check that there is not, or a limit outside [0, 1]
 */
export function applyLimits(given: Readonly<Record<string, number>>): Check[] {
  for (const [name, limit] of Object.entries(given)) {
    if (!CHECKS.some((check) => check.name === name))
      throw new InputError(name, `is no check; there are ${CHECKS.map((check) => check.name).join(', ')}`);
    if (!(limit >= 0 && limit <= 1)) throw new InputError(name, `must be a limit from 0 to 1, not ${limit}`);
  }
  return CHECKS.map((check) => ({ ...check, limit: given[check.name] ?? check.limit }));
}
