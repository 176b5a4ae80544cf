"""Reads an export's folder as trainers do, with `datasets` and TRL, and prints what they see as one JSON line."""

import json
import sys
from pathlib import Path

from datasets import load_dataset
from trl.data_utils import is_conversational, maybe_convert_to_chatml

folder = Path(sys.argv[1])
SPLITS = ("train", "validation", "test")


def load(kind, name, ending):
    return load_dataset(kind, data_files={split: str(folder / name / f"{split}.{ending}") for split in SPLITS})


def counts(data):
    return {split: len(rows) for split, rows in data.items()}


told = {}
for name in ("chat", "axolotl", "openai"):
    data = load("json", name, "jsonl")
    told[name] = {"splits": counts(data), "conversational": is_conversational(data["train"][0])}

completion = load("json", "completion", "jsonl")
told["completion"] = {
    "splits": counts(completion),
    "conversational": is_conversational(completion["train"][0]),
    "columns": completion["train"].column_names,
}

for name in ("sharegpt", "llama-factory"):
    data = load("json", name, "jsonl")
    messages = maybe_convert_to_chatml(data["train"][0])["messages"]
    told[name] = {"splits": counts(data), "turns": [one["role"] for one in messages]}

told["published-csv"] = {"splits": counts(load("csv", "published-csv", "csv"))}

# By its card alone: the splits, their files and the features are what the README's front matter says.
parquet = load_dataset(str(folder / "parquet"))
told["parquet"] = {
    "splits": counts(parquet),
    "same_as_completion": all(
        list(parquet[split][column]) == list(completion[split][column])
        for split in SPLITS
        for column in ("prompt", "completion")
    ),
}
print(json.dumps(told))
