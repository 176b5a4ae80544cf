"""The figures that tokens.test.ts holds our own against: python reference.py, which writes each folder's reference.json

numpy 2.4.6, on the bytes in replies.jsonl.gz, written from the papers' definitions and not from our code. Where a reply
lists only 5 alternatives, the least and the most that a figure can be are found by filling in what is missing; vLLM says
the rank of each token beside them, which leaves nothing to fill in there.
"""
import gzip
import json

import numpy as np

VOCABULARIES = {"llama-cpp-python": 247, "vllm": 86}


def echoed(request, reply):
    """Of the text's own tokens but the first: the log-probability, what was listed, and the rank where it is said."""
    found = reply["choices"][0]["logprobs"]
    own = [at for at, offset in enumerate(found["text_offset"]) if offset < len(request["prompt"])]
    assert "".join(found["tokens"][at] for at in own) == request["prompt"]
    return [(found["token_logprobs"][at], found["top_logprobs"][at], None) for at in own[1:]]


def of_prompt(_, reply):
    """The same of vLLM's `prompt_logprobs`, where the first place, of which nothing is known, is null."""
    choice = reply["choices"][0]
    first, *places = zip(choice["prompt_token_ids"], choice["prompt_logprobs"], strict=True)
    assert first[1] is None
    return [
        (place[str(own)]["logprob"], {key: one["logprob"] for key, one in place.items()}, place[str(own)]["rank"])
        for own, place in places
    ]


def tokens_of(record):
    request, reply = json.loads(record["request"]), json.loads(record["reply"])
    return (of_prompt if "prompt_logprobs" in request else echoed)(request, reply)


def asked(record):
    request = json.loads(record["request"])
    return request.get("prompt_logprobs", request.get("logprobs"))


def whole(rows, vocabulary):
    logprob = np.array([row[0] for row in rows])
    dense = np.array([[row[1][key] for key in sorted(row[1])] for row in rows])
    assert dense.shape[1] == vocabulary, dense.shape
    p = np.exp(dense)
    rank = 1 + (dense > logprob[:, None]).sum(1)
    assert all(row[2] in (None, own) for row, own in zip(rows, rank))
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


def bounds(rows, alternatives, vocabulary):
    """Each place filled in its extreme ways, one token at a time."""
    ranks, entropies, spreads = [], [], []
    for logprob, listed, rank in rows:
        values = sorted(listed.values(), reverse=True)
        cut, seen = values[alternatives - 1], np.exp(values)
        missing, count = max(0.0, 1 - seen.sum()), vocabulary - len(values)
        likelier = sum(value > logprob for value in values)
        if rank is not None:
            ranks.append((rank, rank))
        elif logprob >= cut:
            ranks.append((likelier + 1, likelier + 1))
        else:
            room = 0
            while (room + 1) * np.exp(logprob) <= missing:
                room += 1
            ranks.append((likelier + 1, min(vocabulary, likelier + 1 + room)))
        base = -(seen * np.log(seen)).sum()
        even = np.full(count, missing / count)
        entropies.append((base - missing * cut, base - (even * np.log(even)).sum()))
        # Of p·ln² p too, even filling is the most, where none of it is likelier than e^-2.
        assert missing / count < np.exp(-2)
        squares = (seen * np.log(seen) ** 2).sum() + np.array([missing * cut**2, (even * np.log(even) ** 2).sum()])
        spreads.append(np.maximum(0, squares - np.array(entropies[-1])[::-1] ** 2))
    low, high = np.array(ranks).T
    least, most = np.array(entropies).T
    logprob = np.array([row[0] for row in rows])
    narrow, wide = np.sum(spreads, 0)
    # Farthest from 0 over the narrower spread; a spread that may be none at all bounds nothing.
    above = logprob.sum() + np.array([least.sum(), most.sum()])
    ends = [(value, narrow if (value < 0) == (at == 0) else wide) for at, value in enumerate(above)]
    detected = None if narrow == 0 else [value / np.sqrt(spread) for value, spread in ends]
    return {
        "fast-detectgpt": detected,
        "log-likelihood": [logprob.mean(), logprob.mean()],
        "rank": [-high.mean(), -low.mean()],
        "log-rank": [-np.log(high).mean(), -np.log(low).mean()],
        "entropy": [-most.mean(), -least.mean()],
        "gltr": [(high <= 10).mean(), (low <= 10).mean()],
        "lrr": [-logprob.sum() / np.log(high).sum(), -logprob.sum() / np.log(low).sum()],
    }


def binoculars(first, second):
    """Of the observer's rows and the performer's."""
    crossed = [-sum(np.exp(a[key]) * b[key] for key in a) for (_, a, _), (_, b, _) in zip(first, second, strict=True)]
    return -(-np.mean([row[0] for row in second]) / np.mean(crossed))


for folder, vocabulary in VOCABULARIES.items():
    records = [json.loads(line) for line in gzip.open(f"{folder}/replies.jsonl.gz", "rt", encoding="utf8")]
    result, observed = [], {}
    for number, record in enumerate(records):
        rows, prompt = tokens_of(record), json.loads(record["request"])["prompt"]
        entry = {"line": number, "tokens": len(rows)}
        full = asked(record) >= vocabulary
        if len(rows) >= 2 and full:
            entry["whole"] = whole(rows, vocabulary)
            if record["model"] == "observer":
                observed[prompt] = rows
            else:
                entry["binoculars"] = binoculars(observed[prompt], rows)
        elif len(rows) >= 2:
            entry["bounds"] = bounds(rows, asked(record), vocabulary)
        result.append(entry)
    with open(f"{folder}/reference.json", "w", encoding="utf8") as file:
        file.write(json.dumps(result, indent=1, default=float) + "\n")
