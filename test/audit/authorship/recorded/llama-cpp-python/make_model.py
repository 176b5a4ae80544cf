"""A language model small enough to make here, as GGUF: python make_model.py OUT.gguf SEED TEXT...

No weights are downloaded. One Llama block with small random weights between an embedding and an output that together
come near to the bigrams of some texts, so that the probabilities are neither flat nor certain. Its vocabulary is ASCII
and the most frequent pairs of it: every token is told from every other by its text.
"""
import sys
from collections import Counter

import gguf
import numpy as np

WIDTH, HEADS, FEED, CONTEXT, MERGES = 64, 2, 96, 1024, 150
out, seed, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
draw = np.random.default_rng(seed)
texts = [open(path, encoding="utf8").read() for path in paths]
text = "".join(letter for letter in "".join(texts) if letter == "\n" or " " <= letter <= "~")


def byte(letter):
    """GPT-2's way of writing what cannot be seen."""
    return {" ": "\u0120", "\n": "\u010a"}.get(letter, letter)


END = "<|end|>"
vocabulary = [END, *(byte(chr(code)) for code in [10, *range(32, 127)])]
words = Counter()
# By the first text alone: models that share it share a tokenizer.
for word in texts[0].split():
    if word.isascii() and word.isalpha():
        words[("\u0120", *word)] += 1
merges = []
while len(merges) < MERGES:
    pairs = Counter()
    for word, count in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    (left, right), _ = max(pairs.items(), key=lambda item: (item[1], item[0]))
    merges.append((left, right))
    vocabulary.append(left + right)
    merged = Counter()
    for word, count in words.items():
        joined, at = [], 0
        while at < len(word):
            if word[at : at + 2] == (left, right):
                joined.append(left + right)
                at += 2
            else:
                joined.append(word[at])
                at += 1
        merged[tuple(joined)] += count
    words = merged

# Longest match: near enough to what the tokenizer does, for counting.
ids = {token: number for number, token in enumerate(vocabulary)}
shown = "".join(byte(letter) for letter in text)
tokens, at = [], 0
while at < len(shown):
    size = next(n for n in range(12, 0, -1) if shown[at : at + n] in ids)
    tokens.append(ids[shown[at : at + size]])
    at += size
size = len(vocabulary)
bigrams = np.full((size, size), 0.02)
for left, right in zip(tokens, tokens[1:]):
    bigrams[left, right] += 1
logits = np.log(bigrams / bigrams.sum(1, keepdims=True))
logits -= logits.mean(1, keepdims=True)
left, strength, right = np.linalg.svd(logits)
rows = left[:, :WIDTH] * strength[:WIDTH]
scale = np.linalg.norm(rows, axis=1, keepdims=True)
embedding = rows / scale
# A norm before the output brings every row to the same length: √WIDTH.
output = right[:WIDTH].T * np.median(scale) / np.sqrt(WIDTH)


def weights(*shape):
    return (draw.standard_normal(shape) * 0.08).astype(np.float32)


writer = gguf.GGUFWriter(out, "llama")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(1)
writer.add_feed_forward_length(FEED)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(WIDTH // HEADS)
writer.add_vocab_size(size)
writer.add_tokenizer_model("gpt2")
writer.add_tokenizer_pre("gpt-2")
writer.add_token_list(vocabulary)
writer.add_token_types([3] + [1] * (size - 1))
writer.add_token_merges([f"{one} {other}" for one, other in merges])
writer.add_bos_token_id(0)
writer.add_eos_token_id(0)
writer.add_add_bos_token(True)
ones = np.ones(WIDTH, dtype=np.float32)
writer.add_tensor("token_embd.weight", embedding.astype(np.float32))
writer.add_tensor("output.weight", output.astype(np.float32))
writer.add_tensor("output_norm.weight", ones)
writer.add_tensor("blk.0.attn_norm.weight", ones)
writer.add_tensor("blk.0.ffn_norm.weight", ones)
for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
    writer.add_tensor(f"blk.0.{name}.weight", weights(WIDTH, WIDTH))
writer.add_tensor("blk.0.ffn_gate.weight", weights(FEED, WIDTH))
writer.add_tensor("blk.0.ffn_up.weight", weights(FEED, WIDTH))
writer.add_tensor("blk.0.ffn_down.weight", weights(WIDTH, FEED))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
print(f"{size} tokens", file=sys.stderr)
