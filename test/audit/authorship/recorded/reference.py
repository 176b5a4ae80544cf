"""The figures that tokens.test.ts holds our own against: python reference.py > reference.json

numpy 2.4.6, on the bytes in replies.jsonl.gz, written from the papers' definitions and not from our code. Where a reply
lists only 5 alternatives, the least and the most that a figure can be are found by filling in what is missing.

It also writes vllm-documented-format.jsonl: the same probabilities in the form that vLLM's documentation gives for
`prompt_logprobs` (five alternatives and the token itself, each with its rank in the whole vocabulary). The form is
documented, the numbers are recorded; the bytes are not those of a vLLM server.
"""
import gzip
import json
import sys

import numpy as np

VOCABULARY = 247
records = [json.loads(line) for line in gzip.open("replies.jsonl.gz", "rt", encoding="utf8")]


def tokens_of(record):
    """Of the text's own tokens but the first: the log-probability, and what was listed."""
    request, reply = json.loads(record["request"]), json.loads(record["reply"])
    found = reply["choices"][0]["logprobs"]
    own = [at for at, offset in enumerate(found["text_offset"]) if offset < len(request["prompt"])]
    assert "".join(found["tokens"][at] for at in own) == request["prompt"]
    return [(found["tokens"][at], found["token_logprobs"][at], found["top_logprobs"][at]) for at in own[1:]]


def whole(record):
    rows = tokens_of(record)
    logprob = np.array([row[1] for row in rows])
    dense = np.array([[row[2][key] for key in sorted(row[2])] for row in rows])
    assert dense.shape[1] == VOCABULARY, dense.shape
    p = np.exp(dense)
    rank = 1 + (dense > logprob[:, None]).sum(1)
    entropy = -(p * dense).sum(1)
    variance = (p * dense**2).sum(1) - entropy**2
    return {
        "log-likelihood": logprob.mean(),
        "rank": -rank.mean(),
        "log-rank": -np.log(rank).mean(),
        "entropy": -entropy.mean(),
        "gltr": (rank <= 10).mean(),
        "lrr": -logprob.sum() / np.log(rank).sum(),
        "fast-detectgpt": (logprob.sum() + entropy.sum()) / np.sqrt(variance.sum()),
    }


def bounds(record):
    """Each place filled in its extreme ways, one token at a time."""
    rows = tokens_of(record)
    ranks, entropies = [], []
    for _, logprob, listed in rows:
        values = sorted(listed.values(), reverse=True)
        cut, seen = values[4], np.exp(values)
        missing, count = max(0.0, 1 - seen.sum()), VOCABULARY - len(values)
        likelier = sum(value > logprob for value in values)
        if logprob >= cut:
            ranks.append((likelier + 1, likelier + 1))
        else:
            room = 0
            while (room + 1) * np.exp(logprob) <= missing:
                room += 1
            ranks.append((likelier + 1, min(VOCABULARY, likelier + 1 + room)))
        base = -(seen * np.log(seen)).sum()
        even = np.full(count, missing / count)
        entropies.append((base - missing * cut, base - (even * np.log(even)).sum()))
    low, high = np.array(ranks).T
    least, most = np.array(entropies).T
    logprob = np.array([row[1] for row in rows])
    return {
        "log-likelihood": [logprob.mean(), logprob.mean()],
        "rank": [-high.mean(), -low.mean()],
        "log-rank": [-np.log(high).mean(), -np.log(low).mean()],
        "entropy": [-most.mean(), -least.mean()],
        "gltr": [(high <= 10).mean(), (low <= 10).mean()],
        "lrr": [-logprob.sum() / np.log(high).sum(), -logprob.sum() / np.log(low).sum()],
    }


def binoculars(observer, performer):
    first, second = tokens_of(observer), tokens_of(performer)
    crossed = [-sum(np.exp(a[key]) * b[key] for key in a) for (_, _, a), (_, _, b) in zip(first, second)]
    return -(-np.mean([row[1] for row in second]) / np.mean(crossed))


def full(record):
    return json.loads(record["request"])["logprobs"] == 300


result = []
by_text = {}
for number, record in enumerate(records):
    entry = {"line": number, "whole": whole(record)} if full(record) else {"line": number, "bounds": bounds(record)}
    if full(record):
        prompt = json.loads(record["request"])["prompt"]
        by_text.setdefault(prompt, {})[record["model"]] = record
        if len(by_text[prompt]) == 2:
            entry["binoculars"] = binoculars(by_text[prompt]["observer"], by_text[prompt]["performer"])
    result.append(entry)
print(json.dumps(result, indent=1, default=float))

with open("vllm-documented-format.jsonl", "w", encoding="utf8") as lines:
    for number, record in enumerate(records):
        if not full(record) or record["model"] != "observer":
            continue
        request, rows = json.loads(record["request"]), tokens_of(record)
        first = json.loads(record["reply"])["choices"][0]["logprobs"]["tokens"][0]
        ids = {token: at for at, token in enumerate(sorted(rows[0][2]))}
        places = [None]
        for token, logprob, listed in rows:
            order = sorted(listed, key=lambda key: (-listed[key], ids[key]))
            shown = [token, *(key for key in order[:5] if key != token)]
            places.append(
                {
                    str(ids[key]): {
                        "logprob": listed[key],
                        "rank": 1 + sum(value > listed[key] for value in listed.values()),
                        "decoded_token": key,
                    }
                    for key in shown
                }
            )
        choice = {
            "index": 0,
            "text": " ",
            "logprobs": None,
            "finish_reason": "length",
            "stop_reason": None,
            "prompt_logprobs": places,
            "prompt_token_ids": [ids[token] for token in [first, *(row[0] for row in rows)]],
        }
        reply = {
            "id": f"cmpl-{number}",
            "object": "text_completion",
            "created": 0,
            "model": "observer",
            "choices": [choice],
            "usage": {"prompt_tokens": len(rows) + 1, "total_tokens": len(rows) + 2, "completion_tokens": 1},
        }
        line = {"prompt": request["prompt"], "line": number, "reply": json.dumps(reply)}
        lines.write(json.dumps(line) + "\n")
