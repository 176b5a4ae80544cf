"""Makes reference.jsonl: python3 reference.py > reference.jsonl (Python 3.11.7, scipy 1.17.1, mpmath 1.4.1).

A value is scipy's. It is kept only where it agrees to 1e-11 with the same value computed with 40 digits (mpmath), so that
an error of scipy's own is no reference. A quantile has no row where scipy's differs from the root found with mpmath.
"""
import json
import math
import sys

import mpmath as mp
from scipy import special, stats

mp.mp.dps = 40
AGREE = 1e-11
dropped = 0


def beta_tail(x, y, a, b):
    """I_x(a, b) by its continued fraction (DLMF 8.17.22) in 40 digits; y = 1 - x."""
    x, y, a, b = map(mp.mpf, (x, y, a, b))
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_tail(y, x, b, a)
    front = mp.e ** (a * mp.log(x) + b * mp.log(y) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b)) / a
    d = mp.mpf(0)
    c = mp.mpf(1)
    f = mp.mpf(1)
    for m in range(1, 200_000):
        k = m // 2
        n = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)) if m % 2 == 0 else -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        d = 1 / (1 + n * d)
        c = 1 + n / c
        f *= c * d
        if abs(c * d - 1) < mp.mpf(10) ** -30:
            break
    return front / f


def row(f, args, value, exact):
    global dropped
    value = float(value)
    exact = float(exact)
    if not math.isfinite(value) or value == 0 or abs(value) < 1e-306 or abs(value - exact) > AGREE * abs(exact):
        dropped += 1
        return
    print(json.dumps([f, args, value]))


def exact_t(t, df):
    t, df = mp.mpf(t), mp.mpf(df)
    lower = beta_tail(df / (df + t * t), t * t / (df + t * t), df / 2, mp.mpf(1) / 2) / 2
    return lower if t < 0 else 1 - lower


LARGE = 50_000  # mpmath's fraction would take minutes above

for a in (0.25, 0.5, 1, 2.5, 7, 40, 500, 2e4, 5e6):
    for b in (0.5, 1, 3, 25, 700, 5e6):
        mean = a / (a + b)
        spread = math.sqrt(a * b / (a + b + 1)) / (a + b)
        for x in (1e-300, 1e-30, 1e-9, 0.001, 0.5, 0.97, *(mean + z * spread for z in (-8, -3, -1, 0.1, 1, 4))):
            if 0 < x < 1:
                row("beta cdf", [x, a, b], special.betainc(a, b, x), beta_tail(x, 1 - mp.mpf(x), a, b))

for a, b in ((0.5, 0.5), (1, 1), (2, 5), (13, 1), (1, 200), (40, 41), (700, 3), (2e4, 3e4)):
    for p in (1e-300, 1e-100, 1e-12, 0.001, 0.025, 0.3, 0.5, 0.975, 1 - 1e-6, 1 - 1e-12):
        x = special.betaincinv(a, b, p)
        if 0 < x < 1 - 1e-9:
            density = mp.mpf(x) ** (a - 1) * (1 - mp.mpf(x)) ** (b - 1) / mp.beta(a, b)
            row("beta quantile", [p, a, b], x, mp.mpf(x) + (mp.mpf(p) - beta_tail(x, 1 - mp.mpf(x), a, b)) / density)

for n in (1, 2, 10, 251, 5000, 200_000, 10_000_000):
    for p in (1e-6, 0.01, 0.3, 0.5, 0.93):
        mean, spread = n * p, math.sqrt(n * p * (1 - p))
        for k in sorted({0, 1, *(math.floor(mean + z * spread) for z in (-20, -6, -2, 0, 1, 5))}):
            if 0 <= k < n:
                row("binomial cdf", [k, n, p], stats.binom.cdf(k, n, p), beta_tail(1 - mp.mpf(p), mp.mpf(p), n - k, k + 1))

for x in (-37, -20, -8, -5, -3, -2.1, -1.9, -1, -0.3, -1e-3, -1e-12, 0, 1e-9, 0.5, 1, 1.99, 3, 6, 8):
    row("normal cdf", [x], special.ndtr(x), mp.ncdf(x))

for p in (1e-300, 1e-150, 1e-40, 1e-12, 1e-6, 0.001, 0.02425, 0.025, 0.2, 0.49, 0.5001, 0.7, 0.975, 0.999, 1 - 1e-6, 1 - 1e-12):
    x = special.ndtri(p)
    row("normal quantile", [p], x, mp.mpf(x) + (mp.mpf(p) - mp.ncdf(x)) / mp.npdf(x))

DFS = (0.5, 1, 2, 3.7, 11, 99, 1000, 1e5, 1e7)
for df in DFS:
    for t in (-1e4, -300, -30, -8, -4, -2, -1, -0.1, -1e-6, 1e-9, 0.3, 1.5, 2.6, 5, 40):
        row("t cdf", [t, df], stats.t.cdf(t, df), exact_t(t, df))
    for p in (1e-300, 1e-100, 1e-12, 1e-4, 0.025, 0.3, 0.499999, 0.51, 0.9, 0.975, 0.9995, 1 - 1e-9, 1 - 1e-12):
        t = stats.t.ppf(p, df)
        if math.isfinite(t) and t != 0:
            density = mp.gamma((mp.mpf(df) + 1) / 2) / mp.gamma(mp.mpf(df) / 2) / mp.sqrt(mp.mpf(df) * mp.pi) * (1 + mp.mpf(t) ** 2 / df) ** (-(mp.mpf(df) + 1) / 2)
            row("t quantile", [p, df], t, mp.mpf(t) + (mp.mpf(p) - exact_t(t, df)) / density)

print(f"{dropped} values dropped", file=sys.stderr)
