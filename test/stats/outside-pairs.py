"""
Makes outside-pairs.jsonl: 200 random paired samples for each test, with scipy's and scikit-learn's figures.

    python -m venv venv && venv/bin/pip install scipy==1.17.1 scikit-learn==1.9.1
    venv/bin/python test/stats/outside-pairs.py > test/stats/outside-pairs.jsonl

Scores are whole numbers (ratings, with ties and zeros) or decimals (hardly a tie); n runs from 1 to 400.
"""
import json
import random
import warnings

import numpy
from scipy.stats import PermutationMethod, ttest_1samp, wilcoxon
from sklearn.metrics import cohen_kappa_score

warnings.simplefilter("ignore")
SIZES = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 41, 50, 51, 60, 90, 150, 250, 400]
SIDES = ["two-sided", "greater", "less"]


def size_of(random_, at):
    return SIZES[at % len(SIZES)] if at < 2 * len(SIZES) else random_.randint(2, 80)


def differences(random_, at):
    n, kind, shift = size_of(random_, at), random_.choice(["ratings", "few", "decimals"]), random_.uniform(-1, 1)
    if kind == "ratings":
        return [max(-9, min(9, round(random_.gauss(shift, 2)))) for _ in range(n)]
    if kind == "few":  # most did not move
        return [random_.choice([0, 0, 0, 0, -1, 1, 1 if shift > 0 else -1]) for _ in range(n)]
    return [round(random_.gauss(shift, 1.5), 4) for _ in range(n)]


def of_wilcoxon(random_, at):
    d = differences(random_, at)
    moved = [one for one in d if one != 0]
    if not moved:
        return {"differences": d, "exact": None, "normal": None}
    tied = len({abs(one) for one in moved}) < len(moved)
    # scipy's "exact" knows no ties; all sign changes can be gone through for few differences only.
    method = PermutationMethod(n_resamples=numpy.inf) if tied else "exact"
    known = len(moved) <= (12 if tied else 50)
    exact = [float(wilcoxon(moved, alternative=side, method=method).pvalue) for side in SIDES] if known else None
    of = lambda correction: [
        wilcoxon(d, alternative=side, method="asymptotic", zero_method="wilcox", correction=correction).pvalue
        for side in SIDES
    ]
    return {"differences": d, "exact": exact, "normal": of(False), "corrected": of(True)}


def of_equivalence(random_, at):
    d = differences(random_, at)
    margin = random_.choice([0.5, 1.0])
    if len(set(d)) < 2:
        return {"differences": d, "margin": margin, "lower": None}
    interval = ttest_1samp(d, 0).confidence_interval(0.9)
    wide = ttest_1samp(d, 0).confidence_interval(0.95)
    return {
        "differences": d,
        "margin": margin,
        "lower": ttest_1samp(d, -margin, alternative="greater").pvalue,
        "upper": ttest_1samp(d, margin, alternative="less").pvalue,
        "interval": [interval.low, interval.high],
        "interval95": [wide.low, wide.high],
    }


def of_kappa(random_, at):
    n, labels = size_of(random_, at), random_.choice([2, 3, 4, 10])
    keep = random_.random()
    first = [random_.randint(1, labels) for _ in range(n)]
    second = [one if random_.random() < keep else random_.randint(1, labels) for one in first]
    if len(set(first + second)) < 2:
        return {"first": first, "second": second, "plain": None}
    everything = list(range(1, labels + 1))
    of = lambda weights: float(cohen_kappa_score(first, second, labels=everything, weights=weights))
    return {"first": first, "second": second, "plain": of(None), "linear": of("linear"), "quadratic": of("quadratic")}


def many(make, seed):
    random_ = random.Random(seed)
    return [make(random_, at) for at in range(200)]


for name, make, seed in [("wilcoxon", of_wilcoxon, 1), ("equivalence", of_equivalence, 2), ("kappa", of_kappa, 3)]:
    for one in many(make, seed):
        print(json.dumps({"test": name, **one}, separators=(",", ":")))
