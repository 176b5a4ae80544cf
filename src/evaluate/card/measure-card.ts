/** A judge's card: each check's figure with its interval, held against a limit. */
import { type BiasEffect, boundEffect, measureBiasEffects } from '../../audit/index.ts';
import {
  bootstrap,
  cohensKappa,
  type Figure,
  type Interval,
  noFigure,
  pairedShift,
  wilson,
} from '../../stats/index.ts';
import { type AskedVariant, HIGH, LOW, type Variant } from './ask-itself.ts';
import type { AskedBias, Check } from './checks.ts';

type Measured = Figure<{ readonly value: number; readonly interval: Interval; readonly n: number }>;

export interface CheckedFigure extends Omit<Check, 'settings'> {
  /** Cases, or replies, that it rests on. */
  readonly n: number;
  /** Null with the reason where it was not measured. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly reason: string | null;
  /**
   * `beyond` and `within` where the whole interval lies on that side of the limit, `unclear` where it holds the limit: more
   * cases would tell.
   */
  readonly state: 'within' | 'unclear' | 'beyond' | 'not measured';
}

export interface JudgeCard {
  readonly judge: string;
  readonly cases: number;
  readonly checks: readonly CheckedFigure[];
  /** With the labels, beyond what chance would give; null where there is none. */
  readonly kappa: number | null;
  /** Of one verdict, on average; null where the endpoint does not count. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Of one verdict, over the calls whose time was measured; null for none. */
  readonly seconds: number | null;
  /** Lines of an environment file: what helps against what is beyond its limit. */
  readonly settings: Readonly<Record<string, string>>;
}

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
      ...{ judge, cases: new Set(own.map(({ item }) => item)).size, checks: figures },
      kappa: kappaOf(first),
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
        own.flatMap(({ variant, right }) => (variant === 'first' && right !== null ? [right] : [])),
      );
    case 'confidence':
      return measureConfidence(own);
    case 'unread':
      return shareOf([
        ...own.map(({ unread }) => unread !== null),
        ...swayed.map(({ clean, biased }) => clean === null || biased === null),
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
  const isBeyond = isLeast ? high < check.limit : low > check.limit;
  const isWithin = isLeast ? low >= check.limit : high <= check.limit;
  const isShown = p === undefined || p === null || p <= LEVEL;
  const state = isBeyond && isShown ? 'beyond' : isWithin ? 'within' : 'unclear';
  return { ...check, ...{ n, value, interval }, reason: null, state };
}

function shareOf(all: readonly boolean[]): Measured {
  const interval = wilson(all.filter(Boolean).length, all.length);
  if (!('low' in interval)) return noFigure('no reply could be read');
  return { value: all.filter(Boolean).length / all.length, interval, n: all.length };
}

/** By item, those of one variant. */
function groupVariant(own: readonly AskedVariant[], variant: Variant): Map<string, AskedVariant[]> {
  return Map.groupBy(
    own.filter((one) => one.variant === variant),
    ({ item }) => item,
  );
}

/** Cases of which any reply of the variant has another verdict than the first. */
function shareChanged(own: readonly AskedVariant[], variant: Variant): Measured {
  const others = groupVariant(own, variant);
  return shareOf(
    [...groupVariant(own, 'first')].flatMap(([item, [first]]) => {
      const read = (others.get(item) ?? []).flatMap(({ option }) => option ?? []);
      if (first === undefined || first.option === null || read.length === 0) return [];
      return [read.some((option) => option !== first.option)];
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
    [...groupVariant(own, 'rating')].flatMap(([item, rated]) => {
      const [one, other] = [lead(rated), lead(fine.get(item))];
      return one === null || other === null ? [] : [one * other < 0];
    }),
  );
}

function measureOpinion(own: readonly AskedVariant[]): Measured {
  const first = groupVariant(own, 'first');
  const moved = own.flatMap(({ item, variant, right }) => {
    const clean = first.get(item)?.[0]?.right ?? null;
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
    [...groupVariant(own, high)].flatMap(([item, [above]]) => {
      const under = below.get(item)?.[0];
      if (above?.score == null || under?.score == null) return [];
      const pull = (above.score - under.score) / whole;
      return [{ value: Math.min(1, Math.max(-1, pull)), group: item }];
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
  const told = [...Map.groupBy(asked, ({ item }) => item).values()].flatMap((replies) => {
    const right = replies.filter((one) => one.right).length / replies.length;
    // The larger side, and a tie counts half.
    return [{ probability: Math.max(right, 1 - right), credit: right === 0.5 ? 0.5 : Number(right > 0.5) }];
  });
  const found = bootstrap(told, missedBy, { seed: 1, resamples: 500, method: 'percentile' });
  if (found.value === null) return found;
  const { value, interval } = found;
  if ('low' in interval) return { value, interval, n: told.length };
  // All cases are alike: no resample differs, and others may all the same.
  const others = wilson(0, told.length);
  return {
    value,
    interval: { low: value, high: Math.min(1, value + ('high' in others ? others.high : 1)) },
    n: told.length,
  };
}

interface ToldProbability {
  readonly probability: number;
  readonly credit: number;
}

/** Expected calibration error; few replies agree in few shares, and each share is a bin of its own. */
function missedBy(told: readonly ToldProbability[]): number | null {
  if (told.length === 0) return null;
  const bins = Map.groupBy(told, ({ probability }) => probability.toFixed(6));
  const missed = [...bins.values()].map((some) =>
    Math.abs(some.reduce((sum, { probability, credit }) => sum + probability - credit, 0)),
  );
  return missed.reduce((sum, one) => sum + one, 0) / told.length;
}

const AGREEING: ReadonlySet<Variant> = new Set<Variant>(['first', 'repeat', 'turned', 'renamed']);

function kappaOf(first: readonly AskedVariant[]): number | null {
  const read = first.flatMap(({ option, right }) =>
    option === null || right === null ? [] : [{ option, right }],
  );
  return cohensKappa(
    read.map(({ option, right }) => (right ? option : 1 - option)),
    read.map(({ option }) => option),
  ).value;
}

function meanTokens(first: readonly AskedVariant[]): JudgeCard['tokens'] {
  const counted = first.flatMap(({ tokens }) => tokens ?? []);
  if (counted.length === 0) return null;
  const mean = (side: 'input' | 'output') =>
    counted.reduce((sum, tokens) => sum + tokens[side], 0) / counted.length;
  return { input: mean('input'), output: mean('output') };
}

function meanSeconds(own: readonly AskedVariant[]): number | null {
  const timed = own.flatMap(({ ms }) => ms ?? []);
  return timed.length === 0 ? null : timed.reduce((sum, ms) => sum + ms, 0) / timed.length / 1000;
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
