"""Verdicts of the self-recognition data that differ between source labels and none, counted once more without Remand.

    python3 identity_changes.py pairs.dev.jsonl texts.dev.jsonl 400

Of each data set and judge the first so many pairs whose texts are at hand; for each kind of label, in both orders: how many
verdicts differ from those without labels. Where the unlabelled prompt was asked twice more: how many of these `repeats` differ
from the first answer by themselves.
"""
import json
import sys

with open(sys.argv[2]) as lines:
    known = {json.loads(line)["id"] for line in lines}
groups = {}
with open(sys.argv[1]) as lines:
    for pair in map(json.loads, lines):
        rows = groups.setdefault((pair["data"], pair["judge"]), [])
        if pair["id"] in known and len(rows) < int(sys.argv[3]):
            rows.append(pair)

figures = {}
for (data, judge), rows in groups.items():
    for order, place in enumerate(("forward", "backward")):
        figure = {"n": len(rows)}
        for labels in ("true", "wrong", "random"):
            figure[labels] = sum(one["none"][order][0] != one[labels][order][0] for one in rows)
        repeats = [(one["none"][order][0], again[order][0]) for one in rows for again in one.get("none_again") or []]
        if repeats:
            figure |= {"by_itself": sum(first != again for first, again in repeats), "repeats": len(repeats)}
        figures[f"{data}/{judge}/{place}"] = figure
print(json.dumps(figures))
