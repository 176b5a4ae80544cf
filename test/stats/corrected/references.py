"""Corrected means and rates computed once more with numpy and scipy, for corrected-mean.test.ts.

    python references.py > references.json
"""
import json

import numpy as np
from scipy import stats

LEVEL = 0.95


def corrected_mean(truth, said, judged, population):
    """The regression estimator: labels, moved by the verdicts on all items times the slope."""
    n, size = len(truth), len(judged)
    slope = np.cov(truth, said)[0, 1] / np.var(said, ddof=1) if np.ptp(said) else 0.0
    value = truth.mean() + slope * (judged.mean() - said.mean())
    left = (truth - truth.mean()) - slope * (said - said.mean())
    df = n - (2 if np.ptp(said) else 1)
    residual = (left**2).sum() / df
    outside = 1.0 if population else 1 - n / size
    lever = (judged.mean() - said.mean()) ** 2 / ((said - said.mean()) ** 2).sum() if np.ptp(said) else 0.0
    variance = residual * (outside / n + lever)
    if population:
        variance += slope**2 * np.var(judged, ddof=1) / size
    reach = stats.t.ppf(0.5 + LEVEL / 2, df) * np.sqrt(variance)
    return {"value": value, "weight": slope, "low": value - reach, "high": value + reach}


def rogan_gladen(tp, fp, fn, tn, yes, judged):
    """The adjusted delta method: one success and one failure more for each of the two shares."""
    z = stats.norm.ppf(0.5 + LEVEL / 2)
    s, c = (tp + 1) / (tp + fn + 2), (tn + 1) / (tn + fp + 2)
    rate = yes / judged
    centre = (rate + c - 1) / (s + c - 1)
    variance = rate * (1 - rate) / judged
    variance += centre**2 * s * (1 - s) / (tp + fn + 2) + (1 - centre) ** 2 * c * (1 - c) / (tn + fp + 2)
    error = np.sqrt(variance) / abs(s + c - 1)
    sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
    value = (rate + specificity - 1) / (sensitivity + specificity - 1)
    clip = lambda x: float(min(1.0, max(0.0, x)))
    return {"value": clip(value), "low": clip(centre - z * error), "high": clip(centre + z * error)}


def main():
    draw = np.random.default_rng(22)
    means = []
    for levels, noise in (([0, 1], 0.2), ([0, 0.5, 1], 0.3), ([1, 2, 3, 4, 5], 0.4)):
        truth = draw.choice(levels, 120).astype(float)
        judged = np.where(draw.random(120) < noise, draw.choice(levels, 120), truth).astype(float)
        n = 40
        for population in (False, True):
            got = corrected_mean(truth[:n], judged[:n], judged, population)
            means.append({"truth": truth[:n].tolist(), "judged": judged.tolist(), "population": population, **got})
    rates = [
        {"confusion": list(cells), "yes": yes, "judged": judged, **rogan_gladen(*cells, yes, judged)}
        for cells, yes, judged in (((40, 8, 10, 42), 520, 1000), ((90, 2, 1, 7), 900, 1000), ((20, 5, 15, 60), 31, 300))
    ]
    print(json.dumps({"means": means, "rates": rates}, indent=1))


main()
