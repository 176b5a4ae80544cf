"""The figures that test/stats/ranking.test.ts holds our own against: python reference.py > reference.json

scikit-learn 1.9.1, scipy 1.17.1, numpy 2.4.6. 200 random samples, most of them with ties: truths, ratings and
relevances, the area under the ROC curve, all of its points, NDCG of the whole list and of its first five, and the
exact interval of a share.
"""
import json

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import ndcg_score, roc_auc_score, roc_curve

draw = np.random.default_rng(20261121)
samples = []
for number in range(200):
    n = int(draw.integers(2, 60))
    truths = draw.integers(0, 2, n)
    truths[:2] = [0, 1]
    # Few levels make ties, many make none.
    levels = int(draw.choice([2, 3, 5, 20, 10_000]))
    ratings = np.round(draw.integers(0, levels, n) / levels + 0.2 * truths, 6)
    relevance = draw.integers(0, 5, n)
    if relevance.max() == 0:
        relevance[0] = 1
    fpr, tpr, thresholds = roc_curve(truths, ratings, drop_intermediate=False)
    trials = int(draw.integers(1, 5000))
    hits = int(draw.binomial(trials, draw.choice([0, 0.001, 0.01, 0.3, 1])))
    interval = binomtest(hits, trials).proportion_ci(0.95, method="exact")
    samples.append(
        {
            "truths": truths.tolist(),
            "ratings": ratings.tolist(),
            "relevance": relevance.tolist(),
            "auc": roc_auc_score(truths, ratings),
            "fpr": fpr.tolist(),
            "tpr": tpr.tolist(),
            "ndcg": ndcg_score([relevance], [ratings]),
            "ndcg_5": ndcg_score([relevance], [ratings], k=5),
            "hits": hits,
            "trials": trials,
            "exact": [float(interval.low), float(interval.high)],
        }
    )
print(json.dumps(samples, separators=(",", ":")))
