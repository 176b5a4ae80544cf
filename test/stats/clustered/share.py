"""References of clustered-share.test.ts: the cluster-robust error of a mean by statsmodels 0.15.0, Korn and Graubard's
effective sample size from it, and Wilson's interval of that size by statsmodels. Prints rows of the test's table."""

import numpy as np
import statsmodels.api as sm
from scipy.stats import t
from statsmodels.stats.proportion import proportion_confint


def interval(values, groups, confidence):
    y, g = np.array(values, float), np.unique(groups, return_inverse=True)[1]
    n, k = len(y), g.max() + 1
    fit = sm.OLS(y, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": g})
    share, alone = y.mean(), y.mean() * (1 - y.mean()) / (n - 1)
    reach = lambda df: t.ppf(1 - (1 - confidence) / 2, df)
    worth = min(n, n * alone / fit.bse[0] ** 2 * (reach(n - 1) / reach(k - 1)) ** 2)
    few = min(len(set(g[y > 0])), len(set(g[y < 1]))) < 5
    worth = min(worth, k) if few and k < n else worth
    return proportion_confint(share * worth, worth, 1 - confidence, method="wilson")


CASES = [
    ("1100", "aabb"),
    ("111100110000", "aabbccddeeff"),
    ("1110100110100100", "aaaabbbbccccdddd"),
    ("11111111110", "aabbccddeef"),
    ("110010110100101101", "aabbccddeeffgghhii"),
    ("1h0h1100", "aabbccdd"),
    ("10110", "abcde"),
]
for text, groups in CASES:
    values = [0.5 if one == "h" else float(one) for one in text]
    for confidence in (0.95, 0.9):
        low, high = interval(values, list(groups), confidence)
        print(f"  ['{text}', '{groups}', {confidence}, {low:.10f}, {high:.10f}],")
