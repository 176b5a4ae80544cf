"""Llamas of random weights for vLLM, each as a Hugging Face folder: python make_models.py FOLDER

No weights are downloaded. `observer` and `performer` have two layers drawn from a seed of their own and one tokenizer,
byte-level BPE trained on the texts below, with a token before the text (BOS); `bare` is the observer without that token.
Needs numpy, safetensors and tokenizers.
"""
import json
import sys
from pathlib import Path

import numpy as np

LONG = [
    "The paper presents a method for judges that are swayed by the length of an answer. The experiments are broad, "
    "but the text does not say how the judges were asked.",
    "I do not see why this works. Table 2 has no error bars, and the baseline was never tuned; with more seeds the "
    "gain may well be gone. Please say what the proxy does where a verdict cannot be read.",
    "Sound and short.\nThe reply of the judge is read from its own words, and what cannot be read is no verdict.",
]
SHORT = [
    "The paper presents a method.",
    "Why? I do not see this.",
    "Sound\nand short.\n",
    "the the the the the the the the",
    "Une idée naïve — 良い👍.",
    " a b",
    "So",
    "S",
]
SEEDS = {"observer": 1, "performer": 2, "bare": 1}
SIZE, HEADS, LAYERS, FEED, CONTEXT, EPSILON, THETA = 64, 2, 2, 96, 1024, 1e-5, 10000.0
START, END, MERGES = "<s>", "</s>", 32


def tokenizer(starts):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    # All bytes that the texts have, and no others: a vocabulary small enough to be listed whole.
    split = [word for text in LONG + SHORT for word, _ in made.pre_tokenizer.pre_tokenize_str(text)]
    size = 2 + len(set("".join(split))) + MERGES
    made.train_from_iterator(
        LONG + SHORT, trainers.BpeTrainer(vocab_size=size, special_tokens=[START, END], show_progress=False)
    )
    if starts:
        made.post_processor = processors.TemplateProcessing(
            single=f"{START} $A", special_tokens=[(START, made.token_to_id(START))]
        )
    return made


def weights(seed, count):
    draw = np.random.default_rng(seed)

    def some(scale, *shape):
        return (draw.standard_normal(shape) * scale).astype(np.float32)

    tensors = {"model.embed_tokens.weight": some(1, count, SIZE)}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        for part in "qkvo":
            tensors[f"{at}self_attn.{part}_proj.weight"] = some(0.15, SIZE, SIZE)
        for part, shape in {"gate": (FEED, SIZE), "up": (FEED, SIZE), "down": (SIZE, FEED)}.items():
            tensors[f"{at}mlp.{part}_proj.weight"] = some(0.15, *shape)
        for part in ("input", "post_attention"):
            tensors[f"{at}{part}_layernorm.weight"] = np.ones(SIZE, np.float32)
    tensors["model.norm.weight"] = np.ones(SIZE, np.float32)
    # Logits with a deviation of two: neither flat nor certain.
    tensors["lm_head.weight"] = some(2 / np.sqrt(SIZE), count, SIZE)
    return tensors


def logprobs(tensors, ids):
    """The model in numpy, in double precision: a row for each token, of what comes after it."""
    w = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}
    size, steps = SIZE // HEADS, np.arange(len(ids))
    angle = np.outer(steps, THETA ** -(np.arange(0, size, 2) / size))
    cos, sin = np.cos(np.tile(angle, 2)), np.sin(np.tile(angle, 2))
    past = np.where(steps[:, None] >= steps, 0, -np.inf)

    def norm(x, name):
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + EPSILON) * w[name]

    def heads(x):
        return x.reshape(len(ids), HEADS, size).swapaxes(0, 1)

    def turned(x):
        left, right = np.split(x, 2, -1)
        return x * cos + np.concatenate([-right, left], -1) * sin

    def softmax(x):
        raised = np.exp(x - x.max(-1, keepdims=True))
        return raised / raised.sum(-1, keepdims=True)

    x = w["model.embed_tokens.weight"][ids]
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        y = norm(x, f"{at}input_layernorm.weight")
        q, k, v = (heads(y @ w[f"{at}self_attn.{part}_proj.weight"].T) for part in "qkv")
        seen = softmax(turned(q) @ turned(k).swapaxes(1, 2) / np.sqrt(size) + past) @ v
        x = x + seen.swapaxes(0, 1).reshape(len(ids), SIZE) @ w[f"{at}self_attn.o_proj.weight"].T
        y = norm(x, f"{at}post_attention_layernorm.weight")
        gate = y @ w[f"{at}mlp.gate_proj.weight"].T
        y = gate / (1 + np.exp(-gate)) * (y @ w[f"{at}mlp.up_proj.weight"].T)
        x = x + y @ w[f"{at}mlp.down_proj.weight"].T
    return np.log(softmax(norm(x, "model.norm.weight") @ w["lm_head.weight"].T))


def save(folder, name):
    from safetensors.numpy import save_file

    path = Path(folder, name)
    path.mkdir(parents=True, exist_ok=True)
    made = tokenizer(starts=name != "bare")
    made.save(str(path / "tokenizer.json"))
    save_file(weights(SEEDS[name], made.get_vocab_size()), path / "model.safetensors", {"format": "pt"})
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": SIZE,
        "intermediate_size": FEED,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
        "head_dim": SIZE // HEADS,
        "vocab_size": made.get_vocab_size(),
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": EPSILON,
        "rope_theta": THETA,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "torch_dtype": "float32",
        "bos_token_id": 0,
        "eos_token_id": 1,
    }
    (path / "config.json").write_text(json.dumps(config))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": START,
        "eos_token": END,
        "clean_up_tokenization_spaces": False,
    }
    (path / "tokenizer_config.json").write_text(json.dumps(settings))
    print(f"{name}: {made.get_vocab_size()} tokens", file=sys.stderr)


if __name__ == "__main__":
    for name in SEEDS:
        save(sys.argv[1], name)
