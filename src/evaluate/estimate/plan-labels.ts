/** How many more labels an interval of a wished width takes, and on which items they tell most. */
import {
  type CorrectedMean,
  type Figure,
  type LabelledValue,
  noFigure,
  normalQuantile,
} from '../../stats/index.ts';

export interface LabelPlan {
  /** More labels, drawn by chance; 0 where there are enough. */
  readonly value: number;
  /** The same by what the verdict says, where labels are drawn in each of these parts by chance, with the fewest needed. */
  readonly strata: readonly {
    readonly judged: number;
    readonly items: number;
    /** In all, those there are included. */
    readonly labels: number;
  }[];
}

interface PlanOptions {
  /** Half the width of the interval, in units of the figure. */
  readonly halfWidth: number;
  readonly of: 'set' | 'population';
  readonly confidence: number;
}

/** More different values are no strata. */
const MOST_STRATA = 8;

/** @returns no figure where labels are too few to tell, or where no labels of these items could give that width */
export function planLabels(
  corrected: Figure<CorrectedMean>,
  labelled: readonly LabelledValue[],
  judged: readonly number[],
  { halfWidth, of, confidence }: PlanOptions,
): Figure<LabelPlan> {
  if (corrected.value === null) return corrected;
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const items = judged.length;
  const { residual, weight } = corrected;
  const wanted = (halfWidth / z) ** 2;
  // Of a population the items are a sample: what they leave open no label closes.
  const left = of === 'set' ? 0 : (weight ** 2 * variance(judged)) / items;
  if (wanted <= left || (of === 'population' && residual / items + left > wanted)) {
    const best = z * Math.sqrt(residual / items + left);
    return noFigure(
      `labels on all ${items} items would leave ±${round(best)}: judge more items, or ask for the rate of these (--of set)`,
    );
  }
  const needed = Math.ceil(of === 'set' ? 1 / (wanted / residual + 1 / items) : residual / (wanted - left));
  return {
    value: Math.max(0, Math.min(items, needed) - labelled.length),
    strata: allocate(labelled, judged, wanted, of),
  };
}

/** Neyman's allocation (Journal of the Royal Statistical Society 97:558, 1934): labels where they differ most. */
function allocate(
  labelled: readonly LabelledValue[],
  judged: readonly number[],
  wanted: number,
  of: PlanOptions['of'],
): LabelPlan['strata'] {
  const counts = Map.groupBy(judged, (value) => value);
  if (counts.size < 2 || counts.size > MOST_STRATA) return [];
  const strata = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, some]) => {
      const truths = labelled.filter((one) => one.judged === value).map(({ truth }) => truth);
      // With a label of each kind more, so that a part where all were alike is not taken for one without doubt.
      return { value, size: some.length, spread: Math.sqrt(variance([...truths, 0, 1])) };
    });
  const all = judged.length;
  const sum = strata.reduce((total, { size, spread }) => total + (size / all) * spread, 0);
  const squares = strata.reduce((total, { size, spread }) => total + (size / all) * spread ** 2, 0);
  const labels = sum ** 2 / (wanted + (of === 'set' ? squares / all : 0));
  return strata.map(({ value, size, spread }) => ({
    judged: value,
    items: size,
    labels: Math.min(size, Math.ceil((labels * (size / all) * spread) / sum)),
  }));
}

function variance(values: readonly number[]): number {
  const middle = values.reduce((sum, one) => sum + one, 0) / values.length;
  return values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, values.length - 1);
}

const round = (value: number) => Number(value.toPrecision(2));
