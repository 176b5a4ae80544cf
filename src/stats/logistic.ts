/** Logistic regression: the probability of a yes, or a share of yes, from numbers that may explain it. */

export interface LogisticData {
  /** One row an observation, all of the same length; a column of ones is an intercept. */
  readonly features: readonly (readonly number[])[];
  /** From 0 to 1. */
  readonly targets: readonly number[];
  /** Default: 1 for each. */
  readonly weights?: readonly number[];
  /** Pull of all coefficients to 0, which keeps them finite where yes and no are parted completely; default 0. */
  readonly ridge?: number;
}

const MOST_STEPS = 50;
const CLOSE = 1e-10;

/**
 * Newton's method on the log-likelihood.
 *
 * @returns the coefficients of the columns; null where there is no estimate: columns that say the same, or yes and no that are
 *   parted completely (with a ridge there always is one)
 *
 * @example fitLogistic({ features: [[1, 0], [1, 1], [1, 2], [1, 3]], targets: [0, 1, 0, 1] }) // [-1.36, 0.908]
 */
export function fitLogistic({ features, targets, weights, ridge = 0 }: LogisticData): number[] | null {
  const width = features[0]?.length ?? 0;
  let coefficients = new Array<number>(width).fill(0);
  for (let step = 0; step < MOST_STEPS; step++) {
    const gradient = coefficients.map((one) => -ridge * one);
    const hessian = coefficients.map((_, i) => coefficients.map((__, j) => (i === j ? ridge : 0)));
    for (const [n, row] of features.entries()) {
      const p = predictLogistic(coefficients, row);
      const weight = weights?.[n] ?? 1;
      const miss = weight * ((targets[n] ?? 0) - p);
      const curve = weight * p * (1 - p);
      for (const [i, x] of row.entries()) {
        gradient[i] = (gradient[i] ?? 0) + miss * x;
        const line = hessian[i] ?? [];
        for (let j = 0; j <= i; j++) line[j] = (line[j] ?? 0) + curve * x * (row[j] ?? 0);
      }
    }
    for (const [i, line] of hessian.entries())
      for (let j = i + 1; j < width; j++) line[j] = hessian[j]?.[i] ?? 0;
    const move = solve(hessian, gradient);
    if (!move) return null;
    coefficients = coefficients.map((one, i) => one + (move[i] ?? 0));
    if (Math.max(...move.map(Math.abs)) < CLOSE) return coefficients;
  }
  return null;
}

/**
 * Standard errors of fitted coefficients where observations come in groups that are not independent in themselves: the
 * sandwich of Huber and White over groups (Liang and Zeger, Biometrika 73:13, 1986), times G / (G - K) for G groups and K
 * coefficients. Of shares, too, which a likelihood of yes and no would be too sure of. Weights count; a ridge does not.
 *
 * @param groups the group of each row
 * @returns null where there are no more groups than coefficients, or columns that say the same
 *
 * @example clusteredErrors({ features, targets }, fitLogistic({ features, targets }) ?? [], items) // a standard error for each feature
 */
export function clusteredErrors(
  { features, targets, weights }: LogisticData,
  coefficients: readonly number[],
  groups: readonly string[],
): number[] | null {
  const width = coefficients.length;
  const hessian = coefficients.map(() => new Array<number>(width).fill(0));
  const scores = new Map<string, number[]>();
  for (const [n, row] of features.entries()) {
    const p = predictLogistic(coefficients, row);
    const weight = weights?.[n] ?? 1;
    const key = groups[n] ?? '';
    const score = scores.get(key) ?? new Array<number>(width).fill(0);
    scores.set(key, score);
    for (const [i, x] of row.entries()) {
      score[i] = (score[i] ?? 0) + weight * ((targets[n] ?? 0) - p) * x;
      const line = hessian[i] ?? [];
      for (const [j, y] of row.entries()) line[j] = (line[j] ?? 0) + weight * p * (1 - p) * x * y;
    }
  }
  if (scores.size <= width) return null;
  const squares = new Array<number>(width).fill(0);
  for (const score of scores.values()) {
    const moved = solve(hessian, score);
    if (!moved) return null;
    for (const [i, one] of moved.entries()) squares[i] = (squares[i] ?? 0) + one ** 2;
  }
  return squares.map((one) => Math.sqrt((one * scores.size) / (scores.size - width)));
}

/**
 * The probability that these coefficients give a row.
 *
 * @example predictLogistic([-1.2, 0.8], [1, 2]) // 0.599
 */
export function predictLogistic(coefficients: readonly number[], row: readonly number[]): number {
  let sum = 0;
  for (const [i, x] of row.entries()) sum += x * (coefficients[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Gaussian elimination with pivots; null for a matrix that cannot be inverted. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = rows.slice(column).map((row) => Math.abs(row[column] ?? 0));
    const pivot = column + rest.indexOf(Math.max(...rest));
    const [here, there] = [rows[column], rows[pivot]];
    if (!here || !there || Math.abs(there[column] ?? 0) < 1e-12) return null;
    [rows[column], rows[pivot]] = [there, here];
    for (const [i, row] of rows.entries()) {
      if (i === column) continue;
      const factor = (row[column] ?? 0) / (there[column] ?? 1);
      for (let j = column; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (there[j] ?? 0);
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1));
}
