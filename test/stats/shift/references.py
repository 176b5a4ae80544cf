"""Makes references.json: shifts of means by scipy, and clustered ones written out with numpy. Run: python references.py > references.json"""

import json

import numpy
from scipy import stats

random = numpy.random.default_rng(7)
paired, unpaired, clustered = [], [], []
for n in (5, 40, 300):
    before = random.integers(1, 11, n).astype(float)
    after = numpy.clip(before + random.integers(-2, 2, n), 1, 10)
    test = stats.ttest_rel(after, before)
    low, high = test.confidence_interval(0.95)
    paired.append({"before": before.tolist(), "after": after.tolist(), "p": test.pvalue, "low": low, "high": high})
    other = random.integers(1, 9, n + 3).astype(float)
    test = stats.ttest_ind(other, before, equal_var=False)
    low, high = test.confidence_interval(0.95)
    unpaired.append({"before": before.tolist(), "after": other.tolist(), "p": test.pvalue, "low": low, "high": high})
    groups = random.integers(0, max(3, n // 4), n)
    difference = after - before
    names = numpy.unique(groups)
    sums = numpy.array([(difference[groups == name] - difference.mean()).sum() for name in names])
    error = numpy.sqrt(len(names) / (len(names) - 1) * (sums**2).sum()) / n
    reach = stats.t.ppf(0.975, len(names) - 1) * error
    clustered.append(
        {
            "differences": difference.tolist(),
            "groups": groups.tolist(),
            "low": difference.mean() - reach,
            "high": difference.mean() + reach,
        }
    )
print(json.dumps({"paired": paired, "unpaired": unpaired, "clustered": clustered}))
