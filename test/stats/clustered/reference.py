"""The figures that the tests of sign-flip.ts and mid-p.ts are held against: python reference.py > reference.json

scipy 1.17.1, numpy 2.4.6. `few`: balances of items and the p-value of scipy's permutation test with all sign
patterns. `many`: balances of hundreds of items and the p-value of the clustered McNemar test of Durkalski et al.,
Statistics in Medicine 22:2417, 2003, by its formula: with as many judgments of each item, the square of Σ d over Σ d².
`shares`: counts and the mid-p interval, by scipy's binomial distribution and root finder.
"""
import json

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, chi2, permutation_test

draw = np.random.default_rng(20261121)


def balances(items, judgments, better):
    """Gained less lost, for items whose judgments are alike before, and alike after, more often than chance makes them."""
    easy = draw.normal(size=(items, 1))
    before = easy + draw.normal(size=(items, judgments)) > 0
    after = easy + draw.normal(size=(items, judgments)) + better > 0
    return (after.astype(int) - before).sum(axis=1)


few = []
while len(few) < 60:
    d = balances(int(draw.integers(2, 25)), int(draw.integers(1, 5)), draw.normal())
    moved = d[d != 0]
    if not 2 <= len(moved) <= 14:
        continue
    p = permutation_test((moved,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    few.append({"balances": d.tolist(), "p": p})

many = []
for better in (0, 0.02, 0.05, 0.1, 0.15):
    for judgments in (1, 2, 3):
        d = balances(1500, judgments, better)
        many.append({"balances": d.tolist(), "p": chi2.sf(d.sum() ** 2 / (d**2).sum(), 1)})


def mid_p(count, of, tail):
    below = lambda share: (binom.cdf(count, of, share) + binom.cdf(count - 1, of, share)) / 2
    low = 0 if count == 0 else brentq(lambda share: below(share) - 1 + tail, 0, 1, xtol=1e-15)
    high = 1 if count == of else brentq(lambda share: below(share) - tail, 0, 1, xtol=1e-15)
    return low, high


shares = []
for of in (1, 3, 10, 50, 51, 200, 1000, 20000):
    for count in sorted({0, 1, 2, 3, of // 7, of // 2, of - 1, of} & set(range(of + 1))):
        for confidence in (0.95, 0.99):
            low, high = mid_p(count, of, (1 - confidence) / 2)
            shares.append([count, of, confidence, low, high])

print(json.dumps({"few": few, "many": many, "shares": shares}))
