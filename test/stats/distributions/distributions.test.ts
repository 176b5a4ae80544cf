/** Distribution functions against scipy's, far tails and ten million degrees of freedom included. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  betaCdf,
  betaQuantile,
  binomialCdf,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from '../../../src/stats/distributions.ts';

const FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = {
  'beta cdf': (x = 0, a = 0, b = 0) => betaCdf(x, a, b),
  'beta quantile': (p = 0, a = 0, b = 0) => betaQuantile(p, a, b),
  'binomial cdf': (count = 0, trials = 0, share = 0) => binomialCdf(count, trials, share),
  'normal cdf': (z = 0) => normalCdf(z),
  'normal quantile': (p = 0) => normalQuantile(p),
  't cdf': (value = 0, df = 0) => tCdf(value, df),
  't quantile': (p = 0, df = 0) => tQuantile(p, df),
};

/** Made by reference.py. */
const rows: [name: string, args: number[], value: number][] = readFileSync(
  new URL('reference.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

test.each(Object.keys(FUNCTIONS))('%s: relative error below 1e-11', (name) => {
  const ours = FUNCTIONS[name];
  const reference = rows.filter(([of]) => of === name);
  expect(reference.length).toBeGreaterThan(15);
  const wrong = reference.filter(([, args, value]) => {
    const error = Math.abs((ours?.(...args) ?? Number.NaN) - value) / Math.abs(value);
    return !(error < 1e-11);
  });
  expect(wrong).toEqual([]);
});

test('the reference has far tails and large parameters of every kind', () => {
  const of = (name: string) => rows.filter(([one]) => one === name);
  for (const name of ['beta cdf', 'binomial cdf', 'normal cdf', 't cdf']) {
    expect(Math.min(...of(name).map(([, , value]) => value))).toBeLessThan(1e-80);
  }
  for (const name of ['beta quantile', 'normal quantile', 't quantile'])
    expect(Math.min(...of(name).map(([, [p = 1]]) => p))).toBe(1e-300);
  for (const name of ['beta cdf', 'binomial cdf', 't cdf', 't quantile'])
    expect(Math.max(...of(name).flatMap(([, args]) => args))).toBeGreaterThanOrEqual(5e6);
});

test('the edges are exact, and what is no probability is NaN', () => {
  expect([betaCdf(0, 2, 3), betaCdf(1, 2, 3), betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([
    0, 1, 0, 1,
  ]);
  expect([
    binomialCdf(-1, 5, 0.5),
    binomialCdf(5, 5, 0.5),
    binomialCdf(2, 5, 0),
    binomialCdf(2, 5, 1),
  ]).toEqual([0, 1, 1, 0]);
  expect([normalQuantile(0), normalQuantile(1), tQuantile(0, 3), tQuantile(1, 3)]).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
  for (const infinite of [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]) {
    const side = infinite < 0 ? 0 : 1;
    expect([normalCdf(infinite), tCdf(infinite, 3)]).toEqual([side, side]);
  }
  for (const wrong of [-0.1, 1.1, Number.NaN])
    expect([betaQuantile(wrong, 2, 3), normalQuantile(wrong), tQuantile(wrong, 3)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
});

/** Σ C(trials, k) / 2^trials for k up to each count, in whole numbers of any length, rounded once at the end. */
function fairCoin(trials: number): number[] {
  let coefficient = 1n;
  let total = 0n;
  return Array.from({ length: trials }, (_, k) => {
    total += coefficient;
    coefficient = (coefficient * BigInt(trials - k)) / BigInt(k + 1);
    const cut = Math.max(0, total.toString(2).length - 60);
    return Number(total >> BigInt(cut)) * 2 ** (cut - trials);
  });
}

test('a fair coin: no rounding error up to 55 trials, and below 4e-15 up to 1,000', () => {
  for (let trials = 1; trials <= 1000; trials += trials < 60 ? 1 : 47) {
    const wrong = fairCoin(trials).filter((exact, count) => {
      const error = Math.abs(binomialCdf(count, trials, 0.5) - exact) / exact;
      return error > (trials <= 55 ? 0 : 4e-15);
    });
    expect(wrong).toEqual([]);
  }
  expect(binomialCdf(0, 8, 0.5) * 2).toBe(2 / 256);
});
