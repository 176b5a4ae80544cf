/** A judge's card: each check's figure with its interval, held against a limit. */
import { type BiasEffect, type BiasedVerdicts, boundEffect, measureBiasEffects } from '../../audit/index.ts';
import { type Bias, CATALOGUE } from '../../bias/index.ts';
import {
  type BaseItem,
  buildDataset,
  createRetone,
  judgePairs,
  type RowPair,
  USUAL_BUILD,
  type VerdictRecord,
} from '../../dataset/index.ts';
import { InputError } from '../../errors.ts';
import { combineDraws, creditOf } from '../../loop/index.ts';
import type { Model, RunOptions } from '../../models/index.ts';
import type { CheckedFigure, PricedCard } from '../../report/index.ts';
import {
  clusteredShare,
  cohensKappa,
  type Figure,
  type GroupedValue,
  type Interval,
  noFigure,
  pairedShift,
  wilson,
} from '../../stats/index.ts';
import { average } from '../../stats/mean.ts';
import { boundError, type ToldProbability } from '../confidence/calibrate-confidence.ts';
import { type AskedVariant, HIGH, LOW, type Variant } from './ask-itself.ts';

type Measured = Figure<{ readonly value: number; readonly interval: Interval; readonly n: number }>;

export type JudgeCard = Omit<PricedCard, 'price_per_1000'>;

/** @param asked of any number of judges; one card each, in the order in which they first appear */
export function measureCards(
  asked: { readonly variants: readonly AskedVariant[]; readonly biases: readonly AskedBias[] },
  checks: readonly Check[],
): JudgeCard[] {
  const judges = new Set([...asked.variants, ...asked.biases].map(({ judge }) => judge));
  const effects = measureBiasEffects(asked.biases);
  return [...judges].map((judge) => {
    const own = asked.variants.filter((one) => one.judge === judge);
    const swayed = asked.biases.filter((one) => one.judge === judge);
    const figures = checks.map((check) =>
      hold(
        check,
        measure(
          check,
          own,
          swayed,
          effects.filter((one) => one.judge === judge),
        ),
      ),
    );
    const first = own.filter(({ variant }) => variant === 'first');
    return {
      judge,
      cases: new Set(own.map(({ item }) => item)).size,
      checks: figures,
      ...kappaOf(first),
      tokens: meanTokens(first),
      seconds: meanSeconds(own),
      settings: collectSettings(checks, figures),
    };
  });
}

function measure(
  { name }: Check,
  own: readonly AskedVariant[],
  swayed: readonly AskedBias[],
  effects: readonly BiasEffect[],
): Measured & { readonly p?: number | null } {
  switch (name) {
    case 'accuracy':
      return shareOf(
        own.flatMap(({ item, variant, right }) =>
          variant === 'first' && right !== null ? [{ value: Number(right), group: item }] : [],
        ),
      );
    case 'confidence':
      return measureConfidence(own);
    case 'unread':
      return shareOf([
        ...own.map(({ item, unread }) => ({ value: Number(unread !== null), group: item })),
        ...swayed.map(({ base, clean, biased }) => ({
          value: Number(clean === null || biased === null),
          group: base,
        })),
      ]);
    case 'repeats':
      return shareChanged(own, 'repeat');
    case 'orders':
      return shareChanged(own, 'turned');
    case 'labels':
      return shareChanged(own, 'renamed');
    case 'scale':
      return measureScale(own);
    case 'opinion':
      return measureOpinion(own);
    case 'suggested-score':
      return measurePull(own, 'suggested-high', 'suggested-low');
    case 'mentioned-score':
      return measurePull(own, 'mentioned-high', 'mentioned-low');
    default: {
      const effect = effects.find(({ bias }) => bias === name);
      if (!effect) return noFigure('it could not be put into any case, or was not asked for');
      return effect.effect.value === null ? effect.effect : { ...effect.effect, n: effect.n, p: effect.p };
    }
  }
}

/** Of a test that was corrected for their number, biases among chance findings are not told as such. */
const LEVEL = 0.05;

function hold(
  { settings: _, ...check }: Check,
  figure: Measured & { readonly p?: number | null },
): CheckedFigure {
  if (figure.value === null)
    return { ...check, n: 0, value: null, interval: null, reason: figure.reason, state: 'not measured' };
  const { value, interval, n, p } = figure;
  const { low, high } = interval;
  const isLeast = check.kind === 'least';
  // A judge that goes against the crowd, or takes the last place, is no fairer than one that follows.
  const least = check.kind === 'effect' ? -check.limit : -Infinity;
  const isBeyond = isLeast ? high < check.limit : low > check.limit || high < least;
  const isWithin = isLeast ? low >= check.limit : high <= check.limit && low >= least;
  const isShown = p === undefined || p === null || p <= LEVEL;
  const state = isBeyond && isShown ? 'beyond' : isWithin ? 'within' : 'unclear';
  return { ...check, n, value, interval, reason: null, state };
}

/** @param all grouped by case: a case that is refused once tends to be refused each time */
function shareOf(all: readonly GroupedValue[]): Measured {
  const interval = clusteredShare(all);
  if (!('low' in interval)) return noFigure('no reply could be read');
  return { value: average(all.map(({ value }) => value)), interval, n: all.length };
}

/** By case, those of one variant. */
function groupVariant(own: readonly AskedVariant[], variant: Variant): Map<number, AskedVariant[]> {
  return Map.groupBy(
    own.filter((one) => one.variant === variant),
    ({ place }) => place,
  );
}

/** Cases of which any reply of the variant has another verdict than the first. */
function shareChanged(own: readonly AskedVariant[], variant: Variant): Measured {
  const others = groupVariant(own, variant);
  return shareOf(
    [...groupVariant(own, 'first')].flatMap(([place, [first]]) => {
      const read = (others.get(place) ?? []).flatMap(({ option }) => option ?? []);
      if (first === undefined || first.option === null || read.length === 0) return [];
      return [{ value: Number(read.some((option) => option !== first.option)), group: first.item }];
    }),
  );
}

function measureScale(own: readonly AskedVariant[]): Measured {
  const fine = groupVariant(own, 'fine-rating');
  const lead = (rated: readonly AskedVariant[] = []) => {
    const [a, b] = [0, 1].map((index) => rated.find((one) => one.index === index)?.score ?? null);
    return a == null || b == null ? null : Math.sign(a - b);
  };
  return shareOf(
    [...groupVariant(own, 'rating')].flatMap(([place, rated]) => {
      const [one, other] = [lead(rated), lead(fine.get(place))];
      const group = rated[0]?.item ?? '';
      return one === null || other === null ? [] : [{ value: Number(one * other < 0), group }];
    }),
  );
}

function measureOpinion(own: readonly AskedVariant[]): Measured {
  const first = groupVariant(own, 'first');
  const moved = own.flatMap(({ item, place, variant, right }) => {
    const clean = first.get(place)?.[0]?.right ?? null;
    if (!variant.startsWith('opinion-') || right === null || clean === null) return [];
    const isMore = Number(right) - Number(clean);
    return [{ value: variant === 'opinion-right' ? isMore : -isMore, group: item }];
  });
  return toMeasured(moved);
}

/** How far a rating goes from the low score to the high one. */
function measurePull(own: readonly AskedVariant[], high: Variant, low: Variant): Measured {
  const below = groupVariant(own, low);
  const whole = (HIGH - LOW) / 9;
  return toMeasured(
    [...groupVariant(own, high)].flatMap(([place, [above]]) => {
      const under = below.get(place)?.[0];
      if (above?.score == null || under?.score == null) return [];
      const pull = (above.score - under.score) / whole;
      return [{ value: Math.min(1, Math.max(-1, pull)), group: above.item }];
    }),
  );
}

function toMeasured(moved: readonly { readonly value: number; readonly group: string }[]): Measured {
  const shift = pairedShift(moved);
  return shift.value === null
    ? shift
    : { ...boundEffect(shift), n: new Set(moved.map(({ group }) => group)).size };
}

/** The share of replies to one case that agree, as a probability that the majority is right. */
function measureConfidence(own: readonly AskedVariant[]): Measured {
  const asked = own.filter(({ variant, option }) => AGREEING.has(variant) && option !== null);
  const told = [...Map.groupBy(asked, ({ place }) => place).values()].flatMap((replies) => {
    const [first] = replies;
    const verdict = combineDraws(
      replies.flatMap(({ option }) => (option === null ? [] : [{ choice: option }])),
    );
    const right = replies.find((one) => one.right)?.option ?? -1;
    if (!verdict || !first) return [];
    return [{ probability: verdict.confidence, credit: creditOf(verdict, right), group: first.item }];
  });
  if (told.length === 0) return noFigure('no reply could be read');
  const [value, interval] = [missedBy(told), boundError(told, missedBy, 1)];
  if ('low' in interval) return { value, interval, n: told.length };
  // All cases are alike: no resample differs, and others may all the same.
  const others = wilson(0, told.length);
  return {
    value,
    interval: { low: value, high: Math.min(1, value + ('high' in others ? others.high : 1)) },
    n: told.length,
  };
}

/** Expected calibration error; few replies agree in few shares, and each share is a bin of its own. */
function missedBy(told: readonly ToldProbability[]): number {
  const bins = Map.groupBy(told, ({ probability }) => probability.toFixed(6));
  const missed = [...bins.values()].map((some) =>
    Math.abs(some.reduce((sum, { probability, credit }) => sum + probability - credit, 0)),
  );
  return missed.reduce((sum, one) => sum + one, 0) / told.length;
}

const AGREEING: ReadonlySet<Variant> = new Set<Variant>(['first', 'repeat', 'turned', 'renamed']);

function kappaOf(first: readonly AskedVariant[]): Pick<JudgeCard, 'kappa' | 'kappa_interval'> {
  const read = first.flatMap(({ item, option, right }) =>
    option === null || right === null ? [] : [{ item, option, right }],
  );
  const found = cohensKappa(
    read.map(({ option, right }) => (right ? option : 1 - option)),
    read.map(({ option }) => option),
    0.95,
    read.map(({ item }) => item),
  );
  return { kappa: found.value, kappa_interval: found.value === null ? null : found.interval };
}

function meanTokens(first: readonly AskedVariant[]): JudgeCard['tokens'] {
  const counted = first.flatMap(({ tokens }) => tokens ?? []);
  if (counted.length === 0) return null;
  const mean = (side: 'input' | 'output') => average(counted.map((tokens) => tokens[side]));
  return { input: mean('input'), output: mean('output') };
}

function meanSeconds(own: readonly AskedVariant[]): number | null {
  const timed = own.flatMap(({ ms }) => ms ?? []);
  return timed.length === 0 ? null : average(timed) / 1000;
}

/** Biases go into one list; of other settings there is one value each. */
function collectSettings(
  checks: readonly Check[],
  figures: readonly CheckedFigure[],
): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [n, { state }] of figures.entries()) {
    if (state !== 'beyond') continue;
    for (const [name, value] of Object.entries(checks[n]?.settings ?? {}))
      settings[name] =
        name === 'REMAND_BIASES' && settings[name] !== undefined ? `${settings[name]},${value}` : value;
  }
  return settings;
}

// What a card says of a judge, check by check: what is measured, the limit, and what to do about it in Remand's own settings.

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

/** Each bias speaks once for the wrong option and once for the right one; bias by bias, in the order of the items. */
export async function* askBiases(
  { items, biases, judges, tone, onDropped }: BiasQuestions,
  run: RunOptions,
): AsyncGenerator<AskedBias> {
  const retone =
    tone && createRetone({ model: tone, checker: tone, attempts: ATTEMPTS, onRejected: () => {} });
  for (const bias of biases) {
    const pairs: RowPair[] = [];
    const settings = { ...USUAL_BUILD, biases: [bias], tools: { ...USUAL_BUILD.tools, retone } };
    for await (const built of buildDataset(items, settings, run)) {
      pairs.push(...built.pairs);
      for (const reason of built.dropped) onDropped(bias.name, reason);
    }
    for await (const [pair, record] of judgePairs(pairs, judges, run))
      yield { id: record.id, ...compareVerdicts(bias, pair, record), error: record.error };
  }
}

function compareVerdicts(bias: Bias, [d, dBias]: RowPair, record: VerdictRecord): BiasedVerdicts {
  const [given, swayed] = [record.d?.option ?? null, record.d_bias?.option ?? null];
  const common = { judge: record.judge, bias: bias.name, base: d.base };
  if (given === null || swayed === null)
    return { ...common, clean: null, biased: null, moved: null, toward: null };
  const [clean, biased] = [given === d.right, swayed === dBias.right];
  const last = d.options.length - 1;
  // The options of the two rows of a bias of order stand in the one and in the other order.
  if (bias.bothOrders) {
    const lead = (place: number) => Number(place === 0) - Number(place === last);
    return {
      ...common,
      clean,
      biased,
      moved: given !== last - swayed,
      toward: (lead(given) + lead(swayed)) / 4,
    };
  }
  const { favours } = dBias;
  const isWanted = (option: number) =>
    favours === undefined ? (option === d.right) === d.twin : option === favours;
  const toward = Number(isWanted(swayed)) - Number(isWanted(given));
  return { ...common, clean, biased, moved: given !== swayed, toward };
}

export interface Check extends Pick<CheckedFigure, 'name' | 'about' | 'kind' | 'limit' | 'advice'> {
  /** Lines of an environment file; absent where none helps. */
  readonly settings?: Readonly<Record<string, string>>;
}

const ITSELF: readonly Check[] = [
  {
    name: 'accuracy',
    kind: 'least',
    limit: 0.6,
    about: 'verdicts that agree with the labels',
    advice: 'send what it is unsure of to a better judge (REMAND_ESCALATE), or take another judge',
  },
  {
    name: 'confidence',
    kind: 'share',
    limit: 0.15,
    about:
      'by how much the share of replies that agree misses the share of verdicts that are right (expected calibration error)',
    advice: 'learn a curve from labels: remand calibrate --records, then REMAND_CONFIDENCE',
  },
  {
    name: 'unread',
    kind: 'share',
    limit: 0.02,
    about: 'replies without a verdict: refusals, other forms, none at all',
    advice: 'ask for a form that can be checked (a JSON schema, or the verdict in brackets)',
  },
  {
    name: 'repeats',
    kind: 'share',
    limit: 0.05,
    about: 'cases with another verdict when asked the same again',
    advice: 'take the majority of several replies',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    name: 'orders',
    kind: 'share',
    limit: 0.1,
    about: 'cases with another verdict when the options stand in the other order',
    advice: 'have both orders judged: position is among the biases',
  },
  {
    name: 'labels',
    kind: 'share',
    limit: 0.1,
    about: 'cases with another verdict when the options are called 1 and 2 in place of a and b',
    advice: 'take the majority of several replies',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    name: 'scale',
    kind: 'share',
    limit: 0.1,
    about: 'pairs of which one text is rated higher from 1 to 10, and the other one from 0 to 100',
    advice: 'have pairs judged instead of ratings, or take the median of several',
    settings: { REMAND_SAMPLES: '5' },
  },
  {
    name: 'opinion',
    kind: 'effect',
    limit: 0.1,
    about: 'how far verdicts follow “I think that … is better”',
    advice: 'keep opinions out of the prompt',
  },
  {
    name: 'suggested-score',
    kind: 'effect',
    limit: 0.1,
    about: 'how far ratings follow “I would give it 9”, against “… 3”: 1 goes all the way',
    advice: 'keep opinions and earlier scores out of the prompt',
  },
  {
    name: 'mentioned-score',
    kind: 'effect',
    limit: 0.1,
    about: 'how far ratings follow “The last answer got 9”, against “… 3”: 1 goes all the way',
    advice: 'rate each text in a request of its own, without scores of others',
  },
];

/** Every check, those of the catalogue's biases behind the others. */
export const CHECKS: readonly Check[] = [
  ...ITSELF,
  ...INJECTED.map(
    ({ name }): Check => ({
      name,
      kind: 'effect',
      limit: 0.1,
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
