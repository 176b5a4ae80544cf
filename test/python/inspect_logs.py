"""Has Inspect grade three answers before a local judge, and writes its log in both formats. Arguments: base URL, folder, transcript."""

import sys

from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import model_graded_qa

base, folder = sys.argv[1:]
for log_format in ("eval", "json"):
    grader = get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key="sk-not-a-real-key", memoize=False)
    outputs = []
    for answer in ("A tool for hewing wood.", "A dance.", "A tool that splits shingles. " * 20):
        output = ModelOutput.from_content("mockllm", answer)
        output.usage = ModelUsage(input_tokens=9, output_tokens=5, total_tokens=14)
        outputs.append(output)
    task = Task(
        dataset=[Sample(input=f"What is {tool}?", target="a tool") for tool in ("an adze", "a jig", "a froe")],
        scorer=model_graded_qa(model=grader),
    )
    model = get_model("mockllm/model", custom_outputs=outputs)
    [log] = run(task, model=model, display="none", log_dir=folder, log_format=log_format, max_samples=1)
    if log.status != "success":
        raise RuntimeError(log.error.message if log.error else log.status)
