"""Fine-tunes a detector on exported prompts and completions; the loss is on the completion alone.

Run it by itself, or on several GPUs with `accelerate launch --config_file zero3.yaml train.py …`. Defaults are the
settings of arXiv 2505.17100 §4.1. Prints one JSON object a line: the data, the losses, where the model was saved.
"""

import argparse
import json
import sys

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

OPEN, CLOSE = "<think>", "</think>"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--model", required=True, help="base model: a folder or a name on the hub")
    parser.add_argument("--train", required=True, help="JSONL with prompt and completion: remand export")
    parser.add_argument("--validation", help="the same, measured after each epoch")
    parser.add_argument("--out", required=True, help="folder for model and tokenizer")
    parser.add_argument("--label-only", action="store_true", help="learn the label without its reasoning")
    parser.add_argument("--epochs", type=float, default=3, help="the paper: 1 to 5")
    parser.add_argument("--max-steps", type=int, default=-1, help="stop after so many steps; -1: after the epochs")
    parser.add_argument("--learning-rate", type=float, default=1e-5)
    parser.add_argument("--scheduler", default="cosine")
    parser.add_argument("--warmup", type=float, default=0.1, help="share of the steps")
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--batch", type=int, default=1, help="examples at a time on each device")
    parser.add_argument("--accumulate", type=int, default=8, help="batches to one step")
    parser.add_argument("--max-length", type=int, default=4096, help="tokens; longer examples are left out, not cut")
    parser.add_argument("--no-checkpointing", action="store_true", help="keep activations: faster, more memory")
    parser.add_argument("--lora", type=int, default=0, help="rank; 0 trains every weight")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def say(**what):
    print(json.dumps(what), flush=True)


def completion_after(prompt, completion, label_only):
    """Some chat templates open the reasoning themselves (DeepSeek-R1's do): then it is not opened a second time."""
    opened = prompt.rstrip().endswith(OPEN)
    if label_only:
        label = completion.rpartition(CLOSE)[2].strip()
        return f"{CLOSE}\n\n{label}" if opened else label
    return completion.removeprefix(OPEN).lstrip("\n") if opened else completion


def tokenized(example, tokenizer, label_only):
    """The prompt as a server will put it to the model, then the completion and the end.

    The completion is not passed through the chat template, since many templates take reasoning out of earlier turns.
    """
    prompt = example["prompt"]
    if tokenizer.chat_template:
        turn = [{"role": "user", "content": prompt}]
        prompt = tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
    completion = completion_after(prompt, example["completion"], label_only) + tokenizer.eos_token
    asked = tokenizer(prompt, add_special_tokens=not tokenizer.chat_template)["input_ids"]
    answer = tokenizer(completion, add_special_tokens=False)["input_ids"]
    return {"input_ids": asked + answer, "completion_mask": [0] * len(asked) + [1] * len(answer)}


def read(path, tokenizer, options):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    whole = [tokenized(row, tokenizer, options.label_only) for row in rows]
    kept = [one for one in whole if len(one["input_ids"]) <= options.max_length]
    say(file=path, examples=len(kept), too_long=len(whole) - len(kept))
    if not kept:
        sys.exit(f"{path}: no example of at most {options.max_length} tokens")
    return Dataset.from_list(kept)


class Losses(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **_):
        told = {key: logs[key] for key in ("loss", "eval_loss", "learning_rate", "epoch") if key in (logs or {})}
        if state.is_world_process_zero and ("loss" in told or "eval_loss" in told):
            say(step=state.global_step, **told)


def main():
    options = arguments()
    gpu = torch.cuda.is_available()
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    train = read(options.train, tokenizer, options)
    validation = read(options.validation, tokenizer, options) if options.validation else None
    # Made before the model, so that ZeRO-3 can place the weights while they are loaded.
    config = SFTConfig(
        output_dir=options.out,
        num_train_epochs=options.epochs,
        max_steps=options.max_steps,
        learning_rate=options.learning_rate,
        lr_scheduler_type=options.scheduler,
        warmup_steps=options.warmup,
        weight_decay=options.weight_decay,
        per_device_train_batch_size=options.batch,
        per_device_eval_batch_size=options.batch,
        gradient_accumulation_steps=options.accumulate,
        activation_checkpointing=not options.no_checkpointing,
        max_length=options.max_length,
        completion_only_loss=True,
        bf16=gpu and torch.cuda.is_bf16_supported(),
        use_cpu=not gpu,
        eval_strategy="epoch" if validation else "no",
        save_strategy="no",
        logging_steps=1,
        logging_first_step=True,
        report_to="none",
        disable_tqdm=True,
        seed=options.seed,
    )
    lora = None
    if options.lora:
        from peft import LoraConfig

        lora = LoraConfig(r=options.lora, lora_alpha=2 * options.lora, target_modules="all-linear", task_type="CAUSAL_LM")
    # Steps of 1e-5 are lost in bfloat16 weights: those that learn are kept in float32, the arithmetic is bfloat16.
    dtype = torch.bfloat16 if config.bf16 and lora else torch.float32
    trainer = SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(options.model, dtype=dtype),
        args=config,
        train_dataset=train,
        eval_dataset=validation,
        processing_class=tokenizer,
        peft_config=lora,
        callbacks=[Losses()],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    if lora and not trainer.is_fsdp_enabled and not trainer.is_deepspeed_enabled:
        # A server then needs no adapter support.
        trainer.model.merge_and_unload().save_pretrained(options.out)
    else:
        trainer.save_model(options.out)
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(options.out)
        say(saved=options.out, steps=trainer.state.global_step)


if __name__ == "__main__":
    main()
