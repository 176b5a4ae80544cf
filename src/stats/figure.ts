/** What a statistic answers where there is nothing to compute it from: no number, and the reason in words. */

/** Never 0 and never NaN for a figure that does not exist; `reason` can be shown to a person as it is. */
export interface NoFigure {
  readonly value: null;
  readonly reason: string;
}

/** A result whose main figure is `value`, or why there is none: `if (result.value === null)` tells them apart. */
export type Figure<Details extends { readonly value: number } = { readonly value: number }> =
  | Details
  | NoFigure;

/** @example noFigure('no pair differs') // { value: null, reason: 'no pair differs' } */
export function noFigure(reason: string): NoFigure {
  return { value: null, reason };
}
