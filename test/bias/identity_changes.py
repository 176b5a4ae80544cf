"""Verdicts of the self-recognition data that differ between true source labels and none, once more with numpy.

    python identity_changes.py pairs.dev.jsonl texts.dev.jsonl 250

Of each data set and judge the first so many pairs whose texts are at hand, the judge's own summary first.
"""
import json
import sys

import numpy as np

pairs = [json.loads(line) for line in open(sys.argv[1])]
known = {json.loads(line)["id"] for line in open(sys.argv[2])}
figures = {}
for name in sorted({(one["data"], one["judge"]) for one in pairs}):
    rows = [one for one in pairs if (one["data"], one["judge"]) == name and one["id"] in known][: int(sys.argv[3])]
    plain = np.array([one["none"][0][0] for one in rows])
    named = np.array([one["true"][0][0] for one in rows])
    figure = {"n": len(rows), "changed": int((plain != named).sum())}
    if rows[0].get("none_again"):
        again = np.array([one["none_again"][0][0][0] for one in rows])
        figure["by_itself"] = int((again != plain).sum())
    figures["/".join(name)] = figure
print(json.dumps(figures))
