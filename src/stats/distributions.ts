/**
 * Distribution functions and quantiles: beta, binomial, normal and Student's t. All of them rest on the incomplete beta
 * function and the error function. The relative error is below 1e-11, for tails down to 1e-300, too: test/stats/distributions
 * compares them with scipy.
 */

/** Stands for a zero in a continued fraction, which Lentz's method would divide by. */
const TINY = 1e-300;
const EPSILON = 2 ** -53;
/** The continued fraction takes about √max(a, b) steps. */
const MAX_STEPS = 1_000_000;
/** A quantile takes about ten Newton steps. */
const MAX_NEWTON_STEPS = 200;
/** Trials of a fair coin whose coefficients are summed one by one: 2^-1000 is still an ordinary number. */
const MAX_SUMMED_TRIALS = 1000;
/** Up to this distance from 0 the normal distribution is summed from 0 outwards; beyond it, from the tail. */
const SERIES_TO = 3;

/**
 * @param x from 0 to 1
 * @param a above 0
 * @param b above 0
 * @returns the probability that a Beta(a, b) variable is at most x
 */
export function betaCdf(x: number, a: number, b: number): number {
  return betaLower(shareOf(x, 1 - x), a, b);
}

/**
 * @param p from 0 to 1
 * @returns the x that a Beta(a, b) variable does not exceed with probability p
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p > 0 && p < 1)) return edge(p, 0, 1);
  return logistic(betaLogit(p, a, b)).x;
}

/**
 * @returns the probability of at most `count` successes in `trials` trials, each a success with probability `share`
 *
 * @example binomialCdf(1, 2, 0.5) // 0.75
 */
export function binomialCdf(count: number, trials: number, share: number): number {
  const most = Math.floor(count);
  if (most < 0) return 0;
  if (most >= trials) return 1;
  if (share === 0.5 && trials <= MAX_SUMMED_TRIALS) return fairBinomialCdf(most, trials);
  // DLMF 8.17.5
  return betaLower(shareOf(1 - share, share), trials - most, most + 1);
}

/**
 * The binomial distribution with a share of one half, by its coefficients. Up to 55 trials every step is a whole number that
 * a double holds exactly, so a p-value such as 2/256 has no rounding error; up to 1,000 trials the error is below 4e-15.
 */
function fairBinomialCdf(count: number, trials: number): number {
  if (2 * count >= trials) return 1 - fairBinomialCdf(trials - count - 1, trials);
  let coefficient = 1;
  let total = 0;
  for (let k = 0; k <= count; k++) {
    total += coefficient;
    coefficient = (coefficient * (trials - k)) / (k + 1);
  }
  return total / 2 ** trials;
}

/** @returns the probability that a standard normal variable is at most z */
export function normalCdf(z: number): number {
  return z <= 0 ? normalTail(-z) : 1 - normalTail(z);
}

/**
 * @returns the z that a standard normal variable does not exceed with probability p, from 0 to 1
 *
 * @example normalQuantile(0.975) // 1.96
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return edge(p, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (p > 0.5) return -normalQuantile(1 - p);
  return rootOfLogCdf(p, 0, (z) => {
    // The tail is below the smallest number from z = -38.5 on, so its logarithm is computed without it.
    if (z < -SERIES_TO)
      return { log: logNormalDensity(z) - Math.log(millsFraction(-z)), slope: millsFraction(-z) };
    const cdf = normalCdf(z);
    return { log: Math.log(cdf), slope: Math.exp(logNormalDensity(z)) / cdf };
  });
}

/** @returns the probability that Student's t with `df` degrees of freedom (above 0) is at most `value` */
export function tCdf(value: number, df: number): number {
  const tail = tTail(Math.abs(value), df);
  return value < 0 ? tail : 1 - tail;
}

/** @returns the value that Student's t with `df` degrees of freedom does not exceed with probability p, from 0 to 1 */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) return edge(p, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (p === 0.5) return 0;
  if (p > 0.5) return -tQuantile(1 - p, df);
  // With x = df / (df + t²), the logit of x is log(df / t²).
  return -Math.sqrt(df) * Math.exp(-betaLogit(2 * p, df / 2, 0.5) / 2);
}

function edge(p: number, low: number, high: number): number {
  if (p === 0) return low;
  return p === 1 ? high : Number.NaN;
}

/** A number from 0 to 1 and its complement, with their logarithms. Where x is near 1, computing 1 - x would lose digits. */
interface Share {
  readonly x: number;
  readonly y: number;
  readonly logX: number;
  readonly logY: number;
}

function shareOf(x: number, y: number): Share {
  return { x, y, logX: Math.log(x), logY: Math.log(y) };
}

function complement({ x, y, logX, logY }: Share): Share {
  return { x: y, y: x, logX: logY, logY: logX };
}

/** The share with this logit. Its logarithm is precise even where x itself is too small for a number. */
function logistic(logit: number): Share {
  if (logit > 0) return complement(logistic(-logit));
  const odds = Math.exp(logit);
  const logY = -Math.log1p(odds);
  return { x: odds / (1 + odds), y: 1 / (1 + odds), logX: logit + logY, logY };
}

/** The upper tail of Student's t from `distance`, at least 0 (DLMF 8.17.6 and its reflection). */
function tTail(distance: number, df: number): number {
  const square = distance * distance;
  if (square === Number.POSITIVE_INFINITY) return 0;
  return betaLower(shareOf(df / (df + square), square / (df + square)), df / 2, 0.5) / 2;
}

/** The regularized incomplete beta function I_x(a, b). */
function betaLower(share: Share, a: number, b: number): number {
  const { x, y } = share;
  if (!(x >= 0 && y >= 0 && a > 0 && b > 0)) return Number.NaN;
  if (x === 0) return 0;
  if (y === 0) return 1;
  return isLeft(share, a, b) ? betaTail(share, a, b) : 1 - betaTail(complement(share), b, a);
}

/** Left of the mean the continued fraction converges fast; right of the mean that of the complement does. */
function isLeft({ x, y }: Share, a: number, b: number): boolean {
  return x * b <= y * a;
}

function betaTail(share: Share, a: number, b: number): number {
  return Math.exp(logBetaTerm(share, a, b)) / betaFraction(share, a, b);
}

/**
 * The continued fraction of A. R. DiDonato and A. H. Morris, Algorithm 708 (ACM TOMS 18, 1992, 360-373), equation 9, by the
 * modified Lentz method (I. J. Thompson and A. R. Barnett, J. Comput. Phys. 64, 1986, 490-509).
 *
 * @returns x^a y^b / (B(a, b) I_x(a, b))
 */
function betaFraction({ x, y }: Share, a: number, b: number): number {
  const left = a * y - b * x + 1;
  const term = (m: number) =>
    m + (m * (b - m) * x) / (a + 2 * m - 1) + ((a + m) / (a + 2 * m + 1)) * (left + m * (1 + y));
  let value = (a / (a + 1)) * left;
  let c = value;
  let d = 0;
  for (let m = 1; m < MAX_STEPS; m++) {
    const at = a + 2 * m - 1;
    const over = ((a + m - 1) / at) * ((a + b + m - 1) / at) * m * (b - m) * x * x;
    const under = term(m);
    d = 1 / (under + over * d || TINY);
    c = under + over / c || TINY;
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) < EPSILON) return value;
  }
  throw new RangeError(`the incomplete beta function does not converge for x = ${x}, a = ${a}, b = ${b}`);
}

/**
 * The logarithm of x^a y^b / B(a, b), computed from its distance to its largest value: large powers and large gamma functions
 * would cancel (C. Loader, Fast and Accurate Computation of Binomial Probabilities, 2000).
 */
function logBetaTerm({ x, y, logX, logY }: Share, a: number, b: number): number {
  const off = x * b - y * a;
  return (
    (Math.log(a / (a + b)) + Math.log(b / (2 * Math.PI))) / 2 +
    a * logRatio(logX, a / (a + b), off / a) +
    b * logRatio(logY, b / (a + b), -off / b) +
    (stirlingError(a + b) - stirlingError(a) - stirlingError(b))
  );
}

/** log(x / mean) - e, where e = x / mean - 1. The weighted e of x and of y add up to 0, so leaving them out changes nothing. */
function logRatio(logX: number, mean: number, e: number): number {
  if (e < -0.9) return logX - Math.log(mean) - e;
  if (Math.abs(e) > 0.1) return Math.log1p(e) - e;
  // log(1 + e) - e = -e²/2 + e³/3 - …
  let power = e;
  let total = 0;
  for (let k = 2; k < 20; k++) {
    power *= -e;
    total += power / k;
  }
  return total;
}

/** log Γ(z) - ((z - 1/2) log z - z + log(2π)/2), for z above 0: DLMF 5.11.1, after a step up where z is small. */
function stirlingError(z: number): number {
  if (z < 16) {
    // Stirling's formula at z + 1 and z, from Γ(z + 1) = z Γ(z).
    return stirlingError(z + 1) + (z + 0.5) * Math.log1p(1 / z) - 1;
  }
  const square = z * z;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / z;
}

/** The logit of the beta quantile. It is as precise for quantiles near 1 as for those near 0. */
function betaLogit(p: number, a: number, b: number): number {
  if (p > 0.5) return -betaLogit(1 - p, b, a);
  return rootOfLogCdf(p, Math.log(a / b), (logit) => {
    const share = logistic(logit);
    if (isLeft(share, a, b)) {
      const slope = betaFraction(share, a, b);
      return { log: logBetaTerm(share, a, b) - Math.log(slope), slope };
    }
    const cdf = 1 - betaTail(complement(share), b, a);
    return { log: Math.log(cdf), slope: Math.exp(logBetaTerm(share, a, b)) / cdf };
  });
}

/**
 * Newton's method on the logarithm of a distribution function whose density is log-concave, as that of a normal variable
 * and of a beta variable's logit are. The logarithm of the function is then concave, too, so no step from the left passes the
 * root, and the method converges from any start.
 */
function rootOfLogCdf(
  p: number,
  start: number,
  at: (place: number) => { readonly log: number; readonly slope: number },
): number {
  const wanted = Math.log(p);
  let place = start;
  let last = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
    const { log, slope } = at(place);
    const move = (wanted - log) / slope;
    place += move;
    const size = Math.abs(move);
    // Rounding keeps the steps from getting smaller.
    if (size <= EPSILON * Math.abs(place) || (size >= last && size < 1e-9)) return place;
    last = size;
  }
  throw new RangeError(`no quantile found for p = ${p}`);
}

function logNormalDensity(z: number): number {
  return -(z * z + Math.log(2 * Math.PI)) / 2;
}

/** The upper tail of a standard normal variable from `z`, at least 0. */
function normalTail(z: number): number {
  const density = Math.exp(logNormalDensity(z));
  // DLMF 7.6.2, whose terms are all positive. Far out it would subtract nearly equal numbers: there DLMF 7.9.3.
  return z < SERIES_TO ? 0.5 - density * oddSeries(z) : density / millsFraction(z);
}

/** z + z³/3 + z⁵/15 + … */
function oddSeries(z: number): number {
  let term = z;
  let total = z;
  for (let odd = 3; term > EPSILON * total; odd += 2) {
    term *= (z * z) / odd;
    total += term;
  }
  return total;
}

/** z + 1/(z + 2/(z + 3/(z + …))), from the far end. */
function millsFraction(z: number): number {
  let value = z;
  // After so many steps the error is below that of rounding.
  for (let k = Math.ceil(20 + 300 / (z * z)); k > 0; k--) value = z + k / value;
  return value;
}
