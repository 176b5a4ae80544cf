"""The figures of `remand eval judge --records`, computed once more and in another way: arrays, sorting, enumeration.

    python3 test/evaluate/confidence/recompute.py records.jsonl > figures.json

Needs numpy. For each judge: accuracy, the risk of the surest 100, 80, 60 and 40 % (expected over the order of equally sure
items), the accuracy with the first 1, 3 and 8 samples and how many are drawn where drawing ends once the rest can change
nothing; for each pair of judges the accuracy and the calls where the least sure 30 % go on.
"""

import itertools
import json
import sys
from collections import defaultdict

import numpy as np

SMALL = 1e-9


def items_of(path):
    """Draws and label by judge and item, in the order of the file."""
    judges = defaultdict(dict)
    labels = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            judges[record["judge"]].setdefault(record["item"], []).append(record)
            if "label" in record:
                labels[record["item"]] = record["label"]
    return judges, labels


def verdict_of(draws):
    """(best values, confidence), or None where nothing was said."""
    scored = [draw["scores"] for draw in draws if draw.get("scores") is not None]
    if scored:
        table = np.array([[np.nan if value is None else value for value in row] for row in scored], float)
        with np.errstate(all="ignore"):
            known = ~np.isnan(table)
            if not known.any(axis=0).all():
                return None
            means = np.nansum(table, axis=0) / known.sum(axis=0)
        best = [int(option) for option in np.flatnonzero(means.max() - means <= SMALL)]
        rest = np.delete(means, best[0])
        return best, float(means.max() - rest.max())
    said = [(draw["choice"], draw.get("probability")) for draw in draws if draw.get("choice") is not None]
    if not said:
        return None
    values = list(dict.fromkeys(value for value, _ in said))
    if all(probability is not None for _, probability in said):
        others = max(1, len(values) - 1)
        weights = [
            np.mean([p if said_value == value else (1 - p) / others for said_value, p in said]) for value in values
        ]
    else:
        weights = [np.mean([said_value == value for said_value, _ in said]) for value in values]
    most = max(weights)
    return [value for value, weight in zip(values, weights) if most - weight <= SMALL], float(most)


def credit(best, label):
    if label == "tie":
        return 1.0 if len(best) > 1 or best[0] == "tie" else 0.0
    return 1 / len(best) if label in best else 0.0


def risk_of_surest(credits, confidences, share):
    """Expected over all orders of equally sure items: each of a group counts with the same part."""
    keep = np.floor(share * len(credits) + SMALL)
    rounded = np.round(np.asarray(confidences) / SMALL) * SMALL
    weights = np.zeros(len(credits))
    for value in np.unique(rounded)[::-1]:
        group = rounded == value
        part = min(1.0, max(0.0, keep / group.sum()))
        weights[group] = part
        keep -= part * group.sum()
    return float(1 - np.average(credits, weights=weights))


def decided(draws, left, scale):
    """Tried out: whether the leader is the same whatever the draws to come say."""
    scored = [draw["scores"] for draw in draws if draw.get("scores") is not None]
    if scored:
        sums = np.sum([[value or 0 for value in row] for row in scored], axis=0)
        order = np.argsort(-sums, kind="stable")
        leader, second = sums[order[0]], sums[order[1]]
        return bool(leader + left * scale[0] > second + left * scale[1])
    votes = defaultdict(int)
    for draw in draws:
        if draw.get("choice") is not None:
            votes[draw["choice"]] += 1
    counts = sorted(votes.values(), reverse=True) + [0, 0]
    return counts[0] > sum(counts[1:]) + left


def samples_of(items, labels, count, scale):
    credits, drawn = [], []
    for item, draws in items.items():
        numbers = sorted({draw.get("sample", 0) for draw in draws})[:count]
        taken = lambda some: [draw for draw in draws if draw.get("sample", 0) in some]
        verdict = verdict_of(taken(numbers))
        if verdict is None or item not in labels:
            continue
        credits.append(credit(verdict[0], labels[item]))
        ends = (
            n
            for n in range(1, len(numbers))
            if decided(taken(numbers[:n]), len(taken(numbers[n:])), scale)
        )
        drawn.append(next(ends, len(numbers)))
    return float(np.mean(credits)), float(np.mean(drawn))


def main(path):
    judges, labels = items_of(path)
    figures = {"judges": {}, "cascades": {}}
    scored = {}
    for name, items in judges.items():
        rows = {}
        for item, draws in items.items():
            verdict = verdict_of(draws)
            if verdict is not None and item in labels:
                rows[item] = (credit(verdict[0], labels[item]), verdict[1], len(draws))
        scored[name] = rows
        credits = np.array([row[0] for row in rows.values()])
        confidences = np.array([row[1] for row in rows.values()])
        values = [
            value
            for draws in items.values()
            for draw in draws
            for value in (draw.get("scores") or [])
            if value is not None
        ]
        scale = (min(values), max(values)) if values else (0, 0)
        most = max(len({draw.get("sample", 0) for draw in draws}) for draws in items.values())
        figures["judges"][name] = {
            "n": len(rows),
            "accuracy": float(credits.mean()),
            "risk": {str(share): risk_of_surest(credits, confidences, share) for share in (1, 0.8, 0.6, 0.4)},
            "samples": {
                str(count): samples_of(items, labels, count, scale) for count in (1, 3, 8) if count <= most
            },
        }
    for first, second in itertools.permutations(judges, 2):
        shared = [item for item in scored[first] if item in scored[second]]
        if not shared:
            continue
        mine = np.array([scored[first][item] for item in shared], float)
        theirs = np.array([scored[second][item] for item in shared], float)
        sent = int(np.floor(0.3 * len(shared) + SMALL))
        left, weights = float(sent), np.zeros(len(shared))
        rounded = np.round(mine[:, 1] / SMALL) * SMALL
        for value in np.unique(rounded):
            group = rounded == value
            taken = min(left, group.sum())
            weights[group] = taken / group.sum()
            left -= taken
        figures["cascades"][f"{first}>{second}"] = {
            "accuracy": float(np.mean(weights * theirs[:, 0] + (1 - weights) * mine[:, 0])),
            "calls": float(mine[:, 2].mean() + sent / len(shared) * theirs[:, 2].mean()),
        }
    json.dump(figures, sys.stdout)


main(sys.argv[1])
