"""A model of no use but of the real kind: `tiny.py TEXTS.jsonl FOLDER`. Own tokenizer, weights drawn at random."""

import json
import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GenerationConfig, PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

# Opens the reasoning itself, as the templates of the DeepSeek-R1 distillations do.
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|><think>\n{% endif %}"
)
POSITIONS = 8192


def main(texts, folder):
    with open(texts, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    byte_level = Tokenizer(models.BPE())
    byte_level.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    byte_level.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        special_tokens=["<|end|>", "<|user|>", "<|assistant|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    byte_level.train_from_iterator([text for row in rows for text in (row["prompt"], row["completion"])], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=byte_level, eos_token="<|end|>", pad_token="<|end|>", model_max_length=POSITIONS
    )
    tokenizer.chat_template = TEMPLATE

    torch.manual_seed(1)
    model = Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=POSITIONS,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    model.generation_config = GenerationConfig(
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


main(*sys.argv[1:])
