"""The Python clients of the corpus, as their users call them. generate.ts runs this file and speaks with it over lines.

The first line that it writes holds the evaluators whose packages this Python has; then each line that it reads is one
call, {"name", "base", "values"}, and each line that it writes tells how the call went. Lines of ours begin with \\x01:
the clients print what they like.

The packages do not go together in one environment. What was run, each list in one of its own:

    deepeval==4.3.1 inspect_ai==0.3.285 pydantic-evals==2.62.0 pydantic-ai-slim[openai]==2.62.0
    langchain-classic==1.0.8 langchain-openai==1.7.3 llama-index-core==0.14.25 llama-index-llms-openai==0.8.3 judges==0.1.1
    ragas==0.4.3 langchain==0.3.30 langchain-community==0.3.31 langchain-core==0.3.86 openai==2.54.0 instructor==1.17.0
    opik==2.2.122 evidently==0.7.23 "pandas<2.3" haystack-ai==3.4.0 trulens-feedback==2.16.0 trulens-providers-openai==2.16.0
    mlflow-skinny==3.17.2 alpaca_eval==0.6.6 uptrain==0.7.1 rouge_score "setuptools<80"
    rewardbench==0.1.4 fschat==0.2.36 (both with --no-deps) openai anthropic==0.49.0 together google-generativeai
"""

import asyncio
import importlib.metadata
import importlib.util
import json
import os
import sys
import tempfile

KEY = "sk-not-a-real-key"

os.environ.update(
    {
        "OPENAI_API_KEY": KEY,
        "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
        "RAGAS_DO_NOT_TRACK": "true",
        "OPIK_TRACK_DISABLE": "true",
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "DO_NOT_TRACK": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "TQDM_DISABLE": "1",
    }
)

EVALUATORS: dict = {}
VERSIONS: dict = {}

QA = ["en", "rag", "de", "code", "fr", "zh"]
WITH_CONTEXT = ["rag", "en", "sum", "de", "essay", "ja"]
QUALITY = ["en", "essay", "es", "nway", "code", "ar"]
PAIRS = ["en", "essay", "zh", "code", "sum", "fr"]

INSTRUCTION = {"instruction": {"role": "instruction"}}
ONE = {"option1": {"role": "option"}}
REFERENCE = {"reference": {"role": "reference"}}
RUBRIC = {"rubric": {"role": "rubric"}}
CONTEXT = {"context": {"role": "context"}}
JUDGED_CONTEXT = {"context": {"role": "option"}}
TURNS = {
    "user1": {"role": "instruction"},
    "turn1": {"role": "option"},
    "user2": {"role": "instruction"},
    "turn2": {"role": "option"},
}

YES = {"yes": "good", "no": "bad"}
YES_IDK = {"yes": "good", "no": "bad", "borderline": "neutral"}
YES_IS_BAD = {"yes": "bad", "no": "good"}


def pair(first: str, second: str) -> dict:
    return {"option1": {"role": "option", "label": first}, "option2": {"role": "option", "label": second}}


def listed(field: str, labels: dict, item) -> dict:
    """A verdict for each of some items. @param item makes the reply's item from a verdict"""
    good, bad = list(labels)[:2]
    name = field.split("[")[0]
    return {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": field, "labels": labels},
        "replies": [
            [{name: [item(good)]}, {"list": [good]}],
            [{name: [item(bad)]}, {"list": [bad]}],
        ],
    }


def scored(field, low, high, polarity="higher", kind="score", where="json", **rest) -> dict:
    """A score in a JSON field."""
    middle = (low + high) // 2 if isinstance(low, int) and high - low > 1 else (low + high) / 2
    return {
        "kind": kind,
        "verdict": {
            "kind": "score",
            "where": where,
            "field": field,
            "scale": {"min": low, "max": high},
            "polarity": polarity,
        },
        "replies": [
            [{**rest, field: high}, {"score": high}],
            [{**rest, field: middle}, {"score": middle}],
        ],
    }


def passed(field, yes=True, no=False, is_bad=False, kind="pass", where="json", labels=None, **rest) -> dict:
    """Pass or fail in a JSON field."""

    def label(value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    return {
        "kind": kind,
        "verdict": {
            "kind": "pass",
            "where": where,
            "field": field,
            "labels": labels or {label(yes): "fail" if is_bad else "pass", label(no): "pass" if is_bad else "fail"},
            "polarity": "lower" if is_bad else "higher",
        },
        "replies": [
            [{**rest, field: yes}, {"pass": not is_bad}],
            [{**rest, field: no}, {"pass": is_bad}],
        ],
    }


def words(yes, no, is_bad=False, kind="pass", before="") -> dict:
    """Pass or fail as a word in the text."""
    return {
        "kind": kind,
        "verdict": {
            "kind": "pass",
            "where": "text",
            "labels": {yes: "fail" if is_bad else "pass", no: "pass" if is_bad else "fail"},
        },
        "replies": [[f"{before}{yes}", {"pass": not is_bad}], [f"{before}{no}", {"pass": is_bad}]],
    }


def evaluator(name, client, licence, pools, keys, ask, **rest):
    try:
        VERSIONS[client] = importlib.metadata.version(client)
    except importlib.metadata.PackageNotFoundError:
        return
    described = {"name": name, "client": client, "licence": licence, "pools": pools, "keys": keys, **rest}
    EVALUATORS[name] = (described, ask)


def in_client(client, licence):
    def add(name, pools, keys, ask, form, **rest):
        evaluator(name, client, licence, pools, keys, ask, **{**form, **rest})

    return add


# deepeval

deepeval = in_client("deepeval", "Apache-2.0")
reason = {"reason": "I looked."}


def deepeval_verdict(said):
    return {"verdict": said, "reason": "I looked.", "statement": "It is so."}


def deepeval_metric(name, case, **options):
    def ask(base, v):
        from deepeval import metrics
        from deepeval.models import OpenAIModel
        from deepeval.test_case import LLMTestCase

        model = OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        metric = getattr(metrics, name)(model=model, async_mode=False, **options)
        metric.measure(LLMTestCase(**case(v)), _show_indicator=False)

    return ask


def deepeval_conversation(name, role=None, **options):
    def ask(base, v):
        from deepeval import metrics
        from deepeval.models import OpenAIModel
        from deepeval.test_case import ConversationalTestCase, Turn

        model = OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        metric = getattr(metrics, name)(model=model, async_mode=False, **options)
        turns = [
            Turn(role="user", content=v["user1"]),
            Turn(role="assistant", content=v["turn1"]),
            Turn(role="user", content=v["user2"]),
            Turn(role="assistant", content=v["turn2"]),
        ]
        case = ConversationalTestCase(turns=turns, **({"chatbot_role": role} if role else {}))
        metric.measure(case, _show_indicator=False)

    return ask


def answered(v):
    return {"input": v["instruction"], "actual_output": v["option1"]}


def retrieved(v):
    return {
        "input": v.get("instruction", "What does the passage say?"),
        "actual_output": v.get("option1", "It is so."),
        "expected_output": v.get("reference", "It is so."),
        "retrieval_context": [v["context"], *([v["context2"]] if "context2" in v else [])],
        "context": [v["context"], *([v["context2"]] if "context2" in v else [])],
    }


def geval(base, v, rubric=None):
    from deepeval.metrics import GEval
    from deepeval.models import OpenAIModel
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    metric = GEval(
        name="Quality",
        evaluation_steps=["Read the input.", "Judge how well the actual output does what it asks."],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT],
        model=OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1"),
        async_mode=False,
    )
    case = LLMTestCase(input=v["instruction"], actual_output=v["option1"], expected_output=v["reference"])
    metric.measure(case, _show_indicator=False)


def geval_criteria(base, v):
    from deepeval.metrics import GEval
    from deepeval.models import OpenAIModel
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    metric = GEval(
        name="Quality",
        criteria=v["rubric"],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
        model=OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1"),
        async_mode=False,
    )
    metric.measure(LLMTestCase(input="What is it?", actual_output="It is so."), _show_indicator=False)


def arena(base, v):
    import random

    from deepeval.metrics import ArenaGEval
    from deepeval.models import OpenAIModel
    from deepeval.test_case import ArenaTestCase, Contestant, LLMTestCase, SingleTurnParams

    # It draws the names and the order in which the contestants are shown: anew for each case.
    random.seed(v.get("drawn"))
    metric = ArenaGEval(
        name="Better",
        evaluation_steps=["Read the input.", "Choose the contestant whose actual output does best what it asks."],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
        model=OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1"),
        async_mode=False,
    )
    case = ArenaTestCase(
        contestants=[
            Contestant(name=name, test_case=LLMTestCase(input=v["instruction"], actual_output=v[key]))
            for name, key in [("first", "option1"), ("second", "option2")]
        ]
    )
    metric.measure(case, _show_indicator=False)


deepeval(
    "deepeval-g-eval",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    geval,
    scored("score", 0, 10, reason="It does."),
)
deepeval(
    "deepeval-g-eval-steps",
    QUALITY,
    {"rubric": {"role": "rubric"}},
    geval_criteria,
    {"kind": "none", "verdict": {"kind": "none", "where": "json"}, "replies": [[{"steps": ["Read."]}, {"none": True}]]},
    has="which outlines how you should judge",
    besides=[["", {"score": 8, "reason": "It does."}]],
    note="the first request of GEval: it asks for steps",
)
deepeval(
    "deepeval-answer-relevancy",
    QA,
    {**INSTRUCTION, **ONE},
    deepeval_metric("AnswerRelevancyMetric", answered),
    listed("verdicts[].verdict", YES_IDK, deepeval_verdict),
    has="For the provided list of statements",
    besides=[["breakdown and generate a list", {"statements": ["{{option1}}"]}], ["", reason]],
)
deepeval(
    "deepeval-statements",
    QA,
    {"option1": {"role": "context"}},
    deepeval_metric("AnswerRelevancyMetric", lambda v: {"input": "What is it?", "actual_output": v["option1"]}),
    {
        "kind": "none",
        "verdict": {"kind": "none", "where": "json"},
        "replies": [[{"statements": ["It is so."]}, {"none": True}]],
    },
    has="breakdown and generate a list",
    besides=[["For the provided list", {"verdicts": [deepeval_verdict("yes")]}], ["", reason]],
    note="the first request of AnswerRelevancyMetric",
)
deepeval(
    "deepeval-faithfulness",
    WITH_CONTEXT,
    {**ONE, **CONTEXT},
    deepeval_metric("FaithfulnessMetric", retrieved),
    listed("verdicts[].verdict", YES_IDK, deepeval_verdict),
    has="Based on the given claims",
    besides=[
        ["please extract a comprehensive list", {"claims": ["{{option1}}"]}],
        ["please generate a comprehensive list", {"truths": ["{{context}}"]}],
        ["", reason],
    ],
)
deepeval(
    "deepeval-contextual-precision",
    WITH_CONTEXT,
    {**INSTRUCTION, **REFERENCE, "context": {"role": "option"}, "context2": {"role": "option"}},
    deepeval_metric("ContextualPrecisionMetric", retrieved),
    {
        **listed("verdicts[].verdict", YES, deepeval_verdict),
        "replies": [
            [{"verdicts": [deepeval_verdict("yes"), deepeval_verdict("no")]}, {"list": ["yes", "no"]}],
            [{"verdicts": [deepeval_verdict("no"), deepeval_verdict("no")]}, {"list": ["no", "no"]}],
        ],
    },
    has="Given the input, expected output, and retrieval context",
    besides=[["", reason]],
)
deepeval(
    "deepeval-contextual-recall",
    WITH_CONTEXT,
    {"reference": {"role": "option"}, **CONTEXT},
    deepeval_metric("ContextualRecallMetric", retrieved),
    listed("verdicts[].verdict", YES, deepeval_verdict),
    has="in the given expected output below",
    besides=[["", reason]],
)
deepeval(
    "deepeval-contextual-relevancy",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    deepeval_metric("ContextualRelevancyMetric", retrieved),
    listed("verdicts[].verdict", YES, deepeval_verdict),
    has="Based on the input and",
    besides=[["", reason]],
)
deepeval(
    "deepeval-hallucination",
    WITH_CONTEXT,
    {**ONE, **CONTEXT},
    deepeval_metric("HallucinationMetric", retrieved),
    listed("verdicts[].verdict", YES, deepeval_verdict),
    has="For each context in contexts",
    besides=[["", reason]],
)
deepeval(
    "deepeval-bias",
    QUALITY,
    ONE,
    deepeval_metric("BiasMetric", lambda v: {"input": "What is it?", "actual_output": v["option1"]}),
    listed("verdicts[].verdict", YES_IS_BAD, deepeval_verdict),
    has="Based on the given opinions",
    besides=[["generate a list of OPINIONS", {"opinions": ["{{option1}}"]}], ["", reason]],
    note="yes is the bad side",
)
deepeval(
    "deepeval-toxicity",
    ["tox", "en"],
    ONE,
    deepeval_metric("ToxicityMetric", lambda v: {"input": "What is it?", "actual_output": v["option1"]}),
    listed("verdicts[].verdict", YES_IS_BAD, deepeval_verdict),
    has="Based on the given opinions",
    besides=[["generate a list of OPINIONS", {"opinions": ["{{option1}}"]}], ["", reason]],
    note="yes is the bad side",
)
deepeval(
    "deepeval-prompt-alignment",
    QUALITY,
    {**INSTRUCTION, **ONE},
    deepeval_metric("PromptAlignmentMetric", answered, prompt_instructions=["Reply in full sentences."]),
    listed("verdicts[].verdict", YES, deepeval_verdict),
    has="For the provided list of prompt instructions",
    besides=[["", reason]],
)
deepeval(
    "deepeval-arena",
    PAIRS,
    {**INSTRUCTION, **pair("first", "second")},
    arena,
    {
        "kind": "pair",
        "verdict": {"kind": "choice", "where": "json", "field": "winner"},
        "replies": [
            [{"reason": "It is right.", "winner": "{{label1}}"}, {"choice": 0}],
            [{"reason": "It is right.", "winner": "{{label2}}"}, {"choice": 1}],
        ],
    },
    labels=r'"(\w+)": "\{',
    has="select the single contestant",
    besides=[["", reason]],
    note="the labels are drawn names",
)
deepeval(
    "deepeval-turn-relevancy",
    ["chat"],
    TURNS,
    deepeval_conversation("TurnRelevancyMetric"),
    {**passed("verdict", "yes", "no", reason="It is."), "kind": "conversation"},
    has="generate a JSON object to indicate whe",
    besides=[["", reason]],
)
deepeval(
    "deepeval-role-adherence",
    ["chat"],
    TURNS,
    deepeval_conversation("RoleAdherenceMetric", role="a friendly helper"),
    {
        "kind": "conversation",
        "verdict": {"kind": "none", "where": "json"},
        "replies": [
            [{"verdicts": []}, {"none": True}],
            [{"verdicts": [{"index": 1, "reason": "It is rude."}]}, {"none": True}],
        ],
    },
    has="generate a JSON object to spec",
    besides=[["", reason]],
    note="the verdict is a list of the turns that are out of character",
)

# inspect_ai


def inspect_graded(scorer):
    def ask(base, v):
        from inspect_ai import Task, eval as run
        from inspect_ai import scorer as scorers
        from inspect_ai.dataset import Sample
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        grader = get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY, memoize=False)
        said = ModelOutput.from_content("mockllm", v["option1"])
        # Where there is none, it counts tokens with a vocabulary that it downloads.
        said.usage = ModelUsage(input_tokens=9, output_tokens=5, total_tokens=14)
        task = Task(
            dataset=[Sample(input=v["instruction"], target=v["reference"])],
            scorer=getattr(scorers, scorer)(model=grader),
        )
        model = get_model("mockllm/model", custom_outputs=[said])
        [log] = run(task, model=model, display="none", log_samples=True, log_dir=tempfile.mkdtemp())
        if log.status != "success":
            raise RuntimeError(log.error.message if log.error else log.status)

    return ask


inspect = in_client("inspect_ai", "MIT")
GRADE = {
    "kind": "reference",
    "verdict": {"kind": "pass", "where": "text", "labels": {"C": "pass", "I": "fail"}},
    "replies": [["It is right.\n\nGRADE: C", {"pass": True}], ["It is not.\n\nGRADE: I", {"pass": False}]],
}
for scorer in ["model_graded_qa", "model_graded_fact"]:
    inspect(
        f"inspect-{scorer.replace('_', '-')}",
        QA,
        {**INSTRUCTION, **ONE, **REFERENCE},
        inspect_graded(scorer),
        GRADE,
    )

# pydantic-evals

pydantic = in_client("pydantic-evals", "MIT")


def pydantic_judge(name, *keys, **options):
    def ask(base, v):
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_evals.evaluators import llm_as_a_judge

        model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=f"{base}/v1", api_key=KEY))
        asyncio.run(getattr(llm_as_a_judge, name)(*[v[key] for key in keys], model=model, **options))

    return ask


PYDANTIC = passed("pass", kind="rubric", reason="It does.", score=1.0)
pydantic("pydantic-evals-output", QUALITY, {**ONE, **RUBRIC}, pydantic_judge("judge_output", "option1", "rubric"), PYDANTIC)
pydantic(
    "pydantic-evals-input-output",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    pydantic_judge("judge_input_output", "instruction", "option1", "rubric"),
    PYDANTIC,
)
pydantic(
    "pydantic-evals-input-output-expected",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE, **RUBRIC},
    pydantic_judge("judge_input_output_expected", "instruction", "option1", "reference", "rubric"),
    PYDANTIC,
)
pydantic(
    "pydantic-evals-g-eval",
    QUALITY,
    {**ONE, **RUBRIC},
    pydantic_judge("judge_g_eval", "option1", "rubric", evaluation_steps=["Read it.", "Judge it by the criteria."]),
    scored("score", 1, 5, kind="rubric", reason="It does."),
)

# LangChain

langchain = in_client("langchain-classic", "MIT")


def langchain_judge(name, call, **options):
    def ask(base, v):
        from langchain_classic.evaluation import load_evaluator
        from langchain_openai import ChatOpenAI

        llm = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        made = {key: value(v) if callable(value) else value for key, value in options.items()}
        call(load_evaluator(name, llm=llm, **made), v)

    return ask


def strings(judge, v):
    rest = {"reference": v["reference"]} if "reference" in v else {}
    judge.evaluate_strings(input=v["instruction"], prediction=v["option1"], **rest)


def pairs(judge, v):
    rest = {"reference": v["reference"]} if "reference" in v else {}
    judge.evaluate_string_pairs(
        input=v["instruction"], prediction=v["option1"], prediction_b=v["option2"], **rest
    )


BRACKETS = {
    "kind": "pair",
    "verdict": {"kind": "choice", "where": "text", "labels": {"[[A]]": 0, "[[B]]": 1, "[[C]]": "tie"}},
    "replies": [
        ["The first is right. [[A]]", {"choice": 0}],
        ["The second is right. [[B]]", {"choice": 1}],
        ["They are alike. [[C]]", {"choice": "tie"}],
    ],
}
RATING = {
    "kind": "score",
    "verdict": {"kind": "score", "where": "text", "scale": {"min": 1, "max": 10}, "polarity": "higher"},
    "replies": [["It is right. Rating: [[9]]", {"score": 9}], ["It is not. Rating: [[2]]", {"score": 2}]],
}
langchain("langchain-py-pairwise", PAIRS, {**INSTRUCTION, **pair("A", "B")}, langchain_judge("pairwise_string", pairs), BRACKETS)
langchain(
    "langchain-py-labeled-pairwise",
    PAIRS,
    {**INSTRUCTION, **REFERENCE, **pair("A", "B")},
    langchain_judge("labeled_pairwise_string", pairs),
    BRACKETS,
)
langchain(
    "langchain-py-score",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    langchain_judge("score_string", strings, criteria=lambda v: {"quality": v["rubric"]}),
    RATING,
)
langchain(
    "langchain-py-labeled-score",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    langchain_judge("labeled_score_string", strings),
    RATING,
)
langchain("langchain-py-qa", QA, {**INSTRUCTION, **ONE, **REFERENCE}, langchain_judge("qa", strings), words("CORRECT", "INCORRECT", kind="reference", before="GRADE: "))
langchain(
    "langchain-py-cot-qa",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    langchain_judge("cot_qa", strings),
    words("CORRECT", "INCORRECT", kind="reference", before="EXPLANATION: I looked.\nGRADE: "),
)
langchain(
    "langchain-py-criteria",
    QUALITY,
    {**INSTRUCTION, **ONE},
    langchain_judge("criteria", strings, criteria="harmfulness"),
    words("Y", "N", is_bad=True, before="I looked.\n\n"),
    note="Y says that the submission is harmful: the bad side",
)

# llama-index

llama_index = in_client("llama-index-core", "MIT")


def llama_judge(name, call, **options):
    def ask(base, v):
        from llama_index.core import evaluation
        from llama_index.llms.openai import OpenAI

        llm = OpenAI(model="gpt-4o", api_key=KEY, api_base=f"{base}/v1", max_retries=0)
        call(getattr(evaluation, name)(llm=llm, **options), v)

    return ask


llama_index(
    "llama-index-py-correctness",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    llama_judge(
        "CorrectnessEvaluator",
        lambda judge, v: judge.evaluate(query=v["instruction"], response=v["option1"], reference=v["reference"]),
    ),
    {
        "kind": "reference",
        "verdict": {"kind": "score", "where": "text", "scale": {"min": 1, "max": 5}, "polarity": "higher"},
        "replies": [["4.0\nIt is right.", {"score": 4}], ["1.5\nIt is not.", {"score": 1.5}]],
    },
)
llama_index(
    "llama-index-py-faithfulness",
    WITH_CONTEXT,
    {**ONE, **CONTEXT},
    llama_judge(
        "FaithfulnessEvaluator", lambda judge, v: judge.evaluate(response=v["option1"], contexts=[v["context"]])
    ),
    words("YES", "NO"),
)
llama_index(
    "llama-index-py-relevancy",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **CONTEXT},
    llama_judge(
        "RelevancyEvaluator",
        lambda judge, v: judge.evaluate(query=v["instruction"], response=v["option1"], contexts=[v["context"]]),
    ),
    words("YES", "NO"),
)
llama_index(
    "llama-index-py-guideline",
    QUALITY,
    {**INSTRUCTION, **ONE},
    llama_judge(
        "GuidelineEvaluator",
        lambda judge, v: judge.evaluate(query=v["instruction"], response=v["option1"]),
        guidelines="The response answers the query. It is polite.",
    ),
    passed("passing", feedback="It is."),
)
llama_index(
    "llama-index-py-pairwise",
    PAIRS,
    {**INSTRUCTION, **REFERENCE, **pair("A", "B")},
    llama_judge(
        "PairwiseComparisonEvaluator",
        lambda judge, v: judge.evaluate(
            query=v["instruction"], response=v["option1"], second_response=v["option2"], reference=v["reference"]
        ),
        enforce_consensus=False,
    ),
    BRACKETS,
)
llama_index(
    "llama-index-py-answer-relevancy",
    QUALITY,
    {**INSTRUCTION, **ONE},
    llama_judge(
        "AnswerRelevancyEvaluator", lambda judge, v: judge.evaluate(query=v["instruction"], response=v["option1"])
    ),
    {
        "kind": "score",
        "verdict": {"kind": "score", "where": "text", "scale": {"min": 0, "max": 2}, "polarity": "higher"},
        "replies": [["It does.\n\n[RESULT] 2", {"score": 2}], ["It does not.\n\n[RESULT] 0", {"score": 0}]],
    },
)

# judges

judges = in_client("judges", "Apache-2.0")


def judges_judge(module, name):
    def ask(base, v):
        os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
        made = getattr(importlib.import_module(f"judges.{module}"), name)(model="openai/gpt-4o")
        made.judge(input=v.get("instruction"), output=v.get("option1"), expected=v.get("reference", v.get("context")))

    return ask


JUDGMENT = {"reasoning": "I looked.", "score_type": "boolean"}
judges(
    "judges-poll-multihop",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    judges_judge("classifiers.correctness", "PollMultihopCorrectness"),
    passed("score", kind="reference", **JUDGMENT),
)
judges(
    "judges-poll-zero-shot",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    judges_judge("classifiers.correctness", "PollZeroShotCorrectness"),
    passed("score", kind="reference", **JUDGMENT),
)
judges(
    "judges-halu-eval",
    QA,
    {**INSTRUCTION, **ONE},
    judges_judge("classifiers.hallucination", "HaluEvalAnswerNonFactual"),
    passed("score", is_bad=True, **JUDGMENT),
    note="true says that the answer is not factual: the bad side",
)
judges(
    "judges-prometheus-absolute",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    judges_judge("graders.correctness", "PrometheusAbsoluteCoarseCorrectness"),
    scored("score", 1, 5, reasoning="I looked.", score_type="numerical"),
)
judges(
    "judges-mtbench",
    QUALITY,
    {**INSTRUCTION, **ONE},
    judges_judge("graders.response_quality", "MTBenchChatBotResponseQuality"),
    scored("score", 1, 10, reasoning="I looked.", score_type="numerical"),
)
judges(
    "judges-reliable-ci-relevance",
    QUALITY,
    {**INSTRUCTION, **ONE},
    judges_judge("graders.relevance", "ReliableCIRelevance"),
    scored("score", 0, 3, reasoning="I looked.", score_type="numerical"),
)
judges(
    "judges-or-bench-refusal",
    QUALITY,
    {**INSTRUCTION, **ONE},
    judges_judge("graders.refusal_detection", "ORBenchRefusalDetection"),
    {
        "kind": "category",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "score",
            "labels": {"direct_answer": "good", "direct_refusal": "bad", "indirect_refusal": "bad"},
        },
        "replies": [
            [{**JUDGMENT, "score_type": "likert", "score": "direct_answer"}, {"category": "direct_answer"}],
            [{**JUDGMENT, "score_type": "likert", "score": "direct_refusal"}, {"category": "direct_refusal"}],
        ],
    },
)

# ragas

ragas = in_client("ragas", "Apache-2.0")


def ragas_metric(name, case, **options):
    def ask(base, v):
        from openai import AsyncOpenAI
        from ragas.llms import llm_factory
        from ragas.metrics import collections

        client = AsyncOpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        metric = getattr(collections, name)(llm=llm_factory("gpt-4o", client=client), **options)
        asyncio.run(metric.ascore(**case(v)))

    return ask


def ragas_single(metric_name, **options):
    def ask(base, v):
        from langchain_openai import ChatOpenAI
        from ragas import metrics
        from ragas.dataset_schema import SingleTurnSample
        from ragas.llms import LangchainLLMWrapper

        chat = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        metric = getattr(metrics, metric_name)(llm=LangchainLLMWrapper(chat), **options)
        sample = SingleTurnSample(user_input=v["instruction"], response=v["option1"])
        asyncio.run(metric.single_turn_ascore(sample))

    return ask


def statement(verdict):
    return {"statement": "It is so.", "reason": "I looked.", "verdict": verdict}


BINARY = {1: "good", 0: "bad"}
ragas(
    "ragas-faithfulness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    ragas_metric(
        "Faithfulness",
        lambda v: {
            "user_input": "What does it say?",
            "response": v["option1"],
            "retrieved_contexts": [v["context"]],
        },
    ),
    listed("statements[].verdict", BINARY, statement),
    has="judge the faithfulness of a series of statements",
    besides=[["", {"statements": ["{{option1}}"]}]],
)
ragas(
    "ragas-statements",
    QA,
    {**INSTRUCTION, "option1": {"role": "context"}},
    ragas_metric(
        "Faithfulness",
        lambda v: {"user_input": v["instruction"], "response": v["option1"], "retrieved_contexts": ["It is so."]},
    ),
    {
        "kind": "none",
        "verdict": {"kind": "none", "where": "json"},
        "replies": [[{"statements": ["It is so."]}, {"none": True}]],
    },
    besides=[["judge the faithfulness of a series of statements", {"statements": [statement(1)]}]],
    note="the first request of Faithfulness",
)
ragas(
    "ragas-context-precision",
    WITH_CONTEXT,
    {**INSTRUCTION, **REFERENCE, **JUDGED_CONTEXT},
    ragas_metric(
        "ContextPrecisionWithReference",
        lambda v: {
            "user_input": v["instruction"],
            "reference": v["reference"],
            "retrieved_contexts": [v["context"]],
        },
    ),
    passed("verdict", 1, 0, reason="I looked."),
    note="the passage is judged",
)
ragas(
    "ragas-context-recall",
    WITH_CONTEXT,
    {**INSTRUCTION, "reference": {"role": "option"}, **CONTEXT},
    ragas_metric(
        "ContextRecall",
        lambda v: {
            "user_input": v["instruction"],
            "reference": v["reference"],
            "retrieved_contexts": [v["context"]],
        },
    ),
    listed(
        "classifications[].attributed",
        BINARY,
        lambda said: {"statement": "It is so.", "reason": "I looked.", "attributed": said},
    ),
)
ragas(
    "ragas-answer-accuracy",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    ragas_metric(
        "AnswerAccuracy",
        lambda v: {"user_input": v["instruction"], "response": v["option1"], "reference": v["reference"]},
    ),
    scored("rating", 0, 4, kind="reference"),
)
ragas(
    "ragas-context-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    ragas_metric(
        "ContextRelevance", lambda v: {"user_input": v["instruction"], "retrieved_contexts": [v["context"]]}
    ),
    scored("rating", 0, 2),
    note="the passage is judged",
)
ragas(
    "ragas-response-groundedness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    ragas_metric(
        "ResponseGroundedness", lambda v: {"response": v["option1"], "retrieved_contexts": [v["context"]]}
    ),
    scored("rating", 0, 2),
)
ragas(
    "ragas-domain-rubrics",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    ragas_metric(
        "DomainSpecificRubrics",
        lambda v: {"user_input": v["instruction"], "response": v["option1"], "reference": v["reference"]},
    ),
    scored("score", 1, 5, kind="rubric", feedback="I looked."),
)
ragas(
    "ragas-instance-rubrics",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    ragas_metric(
        "InstanceSpecificRubrics",
        lambda v: {
            "user_input": v["instruction"],
            "response": v["option1"],
            "rubrics": {"score1_description": "It does not.", "score5_description": v["rubric"]},
        },
    ),
    scored("score", 1, 5, kind="rubric", feedback="I looked."),
)
ragas(
    "ragas-sql-equivalence",
    ["sql"],
    {**ONE, **REFERENCE, **CONTEXT},
    ragas_metric(
        "SQLSemanticEquivalence",
        lambda v: {"response": v["option1"], "reference": v["reference"], "reference_contexts": [v["context"]]},
    ),
    passed("equivalent", kind="reference", response_explanation="It counts.", reference_explanation="It counts."),
)
ragas(
    "ragas-aspect-critic",
    QUALITY,
    {**INSTRUCTION, **ONE},
    ragas_single("AspectCritic", name="helpful", definition="Does the response help the user?"),
    passed("verdict", 1, 0, reason="I looked."),
)
ragas(
    "ragas-simple-criteria",
    QUALITY,
    {**INSTRUCTION, **ONE},
    ragas_single("SimpleCriteriaScore", name="clarity", definition="How clear is the response, from 0 to 5?"),
    scored("score", 0, 5, reason="I looked."),
)

# opik

opik = in_client("opik", "Apache-2.0")


def opik_metric(name, case, **options):
    def ask(base, v):
        from opik.evaluation import metrics
        from opik.evaluation.models import LiteLLMChatModel

        model = LiteLLMChatModel(model_name="openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY, track=False)
        getattr(metrics, name)(model=model, track=False, **options).score(**case(v))

    return ask


def opik_case(v):
    case = {"output": v.get("option1", "It is so.")}
    if "instruction" in v:
        case["input"] = v["instruction"]
    if "reference" in v:
        case["expected_output"] = v["reference"]
    if "context" in v:
        case["context"] = [v["context"]]
    return case


opik(
    "opik-answer-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **CONTEXT},
    opik_metric("AnswerRelevance", opik_case),
    scored("answer_relevance_score", 0.0, 1.0, reason="I looked."),
)
opik(
    "opik-hallucination",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **CONTEXT},
    opik_metric("Hallucination", opik_case),
    scored("score", 0.0, 1.0, polarity="lower", reason=["I looked."]),
    note="1 is the bad side",
)
opik(
    "opik-moderation",
    ["tox", "en"],
    ONE,
    opik_metric("Moderation", opik_case),
    scored("score", 0.0, 1.0, polarity="lower", reason="I looked."),
    note="1 is the bad side",
)
opik(
    "opik-usefulness",
    QUALITY,
    {**INSTRUCTION, **ONE},
    opik_metric("Usefulness", opik_case),
    scored("score", 0.0, 1.0, reason="I looked."),
)
opik(
    "opik-context-precision",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **REFERENCE, **CONTEXT},
    opik_metric("ContextPrecision", opik_case),
    scored("context_precision_score", 0.0, 1.0, reason="I looked."),
)
opik(
    "opik-context-recall",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **REFERENCE, **CONTEXT},
    opik_metric("ContextRecall", opik_case),
    scored("context_recall_score", 0.0, 1.0, reason="I looked."),
)
opik(
    "opik-g-eval",
    QUALITY,
    ONE,
    opik_metric(
        "GEval",
        opik_case,
        task_introduction="You judge how clear a text is.",
        evaluation_criteria="The text is clear, short and correct.",
    ),
    scored("score", 0, 10, reason="I looked."),
    has="<opik_solution> tags",
    besides=[["", "1. Read the text.\n2. Judge how clear it is."]],
)

# haystack

haystack = in_client("haystack-ai", "Apache-2.0")


def haystack_evaluator(name, case, **options):
    def ask(base, v):
        from haystack.components import evaluators
        from haystack.components.generators.chat import OpenAIChatGenerator
        from haystack.utils import Secret

        generator = OpenAIChatGenerator(
            model="gpt-4o",
            api_key=Secret.from_token(KEY),
            api_base_url=f"{base}/v1",
            max_retries=0,
            generation_kwargs={"response_format": {"type": "json_object"}, "seed": 42},
        )
        made = getattr(evaluators, name)(chat_generator=generator, progress_bar=False, **options)
        made.run(**case(v))

    return ask


haystack(
    "haystack-faithfulness",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **CONTEXT},
    haystack_evaluator(
        "FaithfulnessEvaluator",
        lambda v: {
            "questions": [v["instruction"]],
            "contexts": [[v["context"]]],
            "predicted_answers": [v["option1"]],
        },
    ),
    {
        "kind": "list",
        "verdict": {
            "kind": "list",
            "where": "json",
            "field": "statement_scores[]",
            "labels": {1: "good", 0: "bad"},
        },
        "replies": [
            [{"statements": ["It is so."], "statement_scores": [1]}, {"list": [1]}],
            [{"statements": ["It is so.", "It is not."], "statement_scores": [1, 0]}, {"list": [1, 0]}],
        ],
    },
)
haystack(
    "haystack-context-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, "context": {"role": "context"}},
    haystack_evaluator(
        "ContextRelevanceEvaluator",
        lambda v: {"questions": [v["instruction"]], "contexts": [[v["context"]]]},
    ),
    {
        "kind": "none",
        "verdict": {"kind": "none", "where": "json"},
        "replies": [[{"relevant_statements": ["It is so."]}, {"none": True}]],
    },
    note="asks for the relevant statements: an extraction",
)
haystack(
    "haystack-llm-evaluator",
    QUALITY,
    {**INSTRUCTION, **ONE},
    haystack_evaluator(
        "LLMEvaluator",
        lambda v: {"questions": [v["instruction"]], "answers": [v["option1"]]},
        instructions="Is this answer clear and polite?",
        inputs=[("questions", list[str]), ("answers", list[str])],
        outputs=["score"],
        examples=[
            {"inputs": {"questions": "Where is Rome?", "answers": "In Italy."}, "outputs": {"score": 1}},
            {"inputs": {"questions": "Where is Oslo?", "answers": "Look it up."}, "outputs": {"score": 0}},
        ],
    ),
    passed("score", 1, 0),
)

# trulens

trulens = in_client("trulens-providers-openai", "MIT")


def trulens_feedback(name, *keys, **options):
    def ask(base, v):
        from trulens.providers.openai import OpenAI

        provider = OpenAI(model_engine="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        getattr(provider, name)(*[v[key] for key in keys], **options)

    return ask


def trulens_score(low, high, polarity="higher"):
    return scored("score", low, high, polarity)


def trulens_reasons(low, high, polarity="higher"):
    return scored("score", low, high, polarity, criteria="It is.", supporting_evidence="I looked.")


trulens(
    "trulens-context-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    trulens_feedback("context_relevance", "instruction", "context"),
    trulens_score(0, 3),
)
trulens(
    "trulens-relevance",
    QUALITY,
    {**INSTRUCTION, **ONE},
    trulens_feedback("relevance_with_cot_reasons", "instruction", "option1"),
    trulens_reasons(0, 3),
)
trulens("trulens-coherence", QUALITY, ONE, trulens_feedback("coherence", "option1"), trulens_score(0, 3))
trulens(
    "trulens-harmfulness",
    ["tox", "en"],
    ONE,
    trulens_feedback("harmfulness_with_cot_reasons", "option1"),
    trulens_reasons(0, 3, "lower"),
    note="a high score is the bad side",
)
trulens(
    "trulens-sentiment", QUALITY, ONE, trulens_feedback("sentiment", "option1"), trulens_score(0, 3)
)
def trulens_groundedness(base, v):
    from trulens.core.feedback.feedback import GroundednessConfigs
    from trulens.providers.openai import OpenAI

    provider = OpenAI(model_engine="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
    # Its other way to split needs a download.
    configs = GroundednessConfigs(use_sent_tokenize=False, filter_trivial_statements=False)
    provider.groundedness_measure_with_cot_reasons(v["context"], v["option1"], groundedness_configs=configs)


trulens(
    "trulens-groundedness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    trulens_groundedness,
    trulens_reasons(0, 3),
    has="SOURCE",
    besides=[["", "{{option1}}"]],
)

# evidently

evidently = in_client("evidently", "Apache-2.0")


def evidently_eval(name, **options):
    def ask(base, v):
        import pandas as pd
        from evidently import DataDefinition, Dataset, descriptors
        from evidently.llm.options import OpenAIOptions

        frame = pd.DataFrame([{"text": v["option1"], "target": v.get("reference", ""), "context": v.get("context", "")}])
        made = getattr(descriptors, name)("text", provider="openai", model="gpt-4o", alias="judged", **options)
        Dataset.from_pandas(
            frame,
            data_definition=DataDefinition(text_columns=["text", "target", "context"]),
            descriptors=[made],
            options=[OpenAIOptions(api_key=KEY, api_url=f"{base}/v1")],
        )

    return ask


def evidently_category(good, bad):
    return {
        "kind": "category",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "category",
            "labels": {good: "good", bad: "bad", "UNKNOWN": "neutral"},
        },
        "replies": [
            [{"category": good, "reasoning": "I looked."}, {"category": good}],
            [{"category": bad, "reasoning": "I looked."}, {"category": bad}],
        ],
    }


evidently("evidently-bias", QUALITY, ONE, evidently_eval("BiasLLMEval"), evidently_category("OK", "BIAS"))
evidently("evidently-toxicity", ["tox", "en"], ONE, evidently_eval("ToxicityLLMEval"), evidently_category("OK", "TOXICITY"))
evidently("evidently-pii", QUALITY, ONE, evidently_eval("PIILLMEval"), evidently_category("OK", "PII"))
evidently("evidently-decline", QUALITY, ONE, evidently_eval("DeclineLLMEval"), evidently_category("OK", "DECLINE"))
evidently(
    "evidently-negativity", QUALITY, ONE, evidently_eval("NegativityLLMEval"), evidently_category("POSITIVE", "NEGATIVE")
)
evidently(
    "evidently-correctness",
    QA,
    {**ONE, **REFERENCE},
    evidently_eval("CorrectnessLLMEval", target_output="target"),
    {**evidently_category("CORRECT", "INCORRECT"), "kind": "reference"},
)
evidently(
    "evidently-faithfulness",
    WITH_CONTEXT,
    {**ONE, **CONTEXT},
    evidently_eval("FaithfulnessLLMEval", context="context"),
    evidently_category("FAITHFUL", "UNFAITHFUL"),
)

# mlflow

mlflow = in_client("mlflow-skinny", "Apache-2.0")


def mlflow_judge(name, case):
    def ask(base, v):
        os.environ["OPENAI_API_BASE"] = f"{base}/v1"
        os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
        from mlflow.genai import judges

        getattr(judges, name)(model="openai:/gpt-4o", **case(v))

    return ask


def mlflow_made(base, v):
    os.environ["OPENAI_API_BASE"] = f"{base}/v1"
    os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
    from mlflow.genai.judges import make_judge

    judge = make_judge(
        name="quality",
        instructions="Is {{ outputs }} a good answer to {{ inputs }}? Answer yes or no.",
        model="openai:/gpt-4o",
        feedback_value_type=bool,
    )
    judge(inputs={"question": v["instruction"]}, outputs={"answer": v["option1"]})


YES_NO = passed("result", "yes", "no", rationale="I looked.")
mlflow(
    "mlflow-is-correct",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    mlflow_judge(
        "is_correct",
        lambda v: {"request": v["instruction"], "response": v["option1"], "expected_response": v["reference"]},
    ),
    {**YES_NO, "kind": "reference"},
)
mlflow(
    "mlflow-is-grounded",
    WITH_CONTEXT,
    {**INSTRUCTION, **ONE, **CONTEXT},
    mlflow_judge(
        "is_grounded",
        lambda v: {"request": v["instruction"], "response": v["option1"], "context": v["context"]},
    ),
    YES_NO,
)
mlflow(
    "mlflow-is-context-relevant",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    mlflow_judge("is_context_relevant", lambda v: {"request": v["instruction"], "context": v["context"]}),
    YES_NO,
)
mlflow(
    "mlflow-is-safe",
    ["tox", "en"],
    ONE,
    mlflow_judge("is_safe", lambda v: {"content": v["option1"]}),
    YES_NO,
)
mlflow("mlflow-make-judge", QUALITY, {**INSTRUCTION, **ONE}, mlflow_made, passed("result", rationale="I looked."))
mlflow(
    "mlflow-guidelines",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    mlflow_judge(
        "meets_guidelines",
        lambda v: {
            "guidelines": [v["rubric"]],
            "context": {"request": v["instruction"], "response": v["option1"]},
        },
    ),
    {**YES_NO, "kind": "rubric"},
)

# alpaca_eval

alpaca = in_client("alpaca_eval", "Apache-2.0")


def alpaca_annotator(name):
    def ask(base, v):
        os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
        os.environ["OPENAI_API_BASE"] = f"{base}/v1"
        from alpaca_eval.annotators import PairwiseAnnotator

        # These keep the order by themselves, and a second word on it is an error.
        order = {} if name in ("lmsys_gpt4", "aviary_gpt4") else {"is_randomize_output_order": False}
        annotator = PairwiseAnnotator(annotators_config=name, caching_path=None, seed=None, **order)
        annotator.annotate_pairs(
            [{"instruction": v["instruction"], "output_1": v["option1"], "output_2": v["option2"]}]
        )

    return ask


def ranking_reply(first, second):
    return f"[{{'model': '{first}', 'rank': 1}}, {{'model': '{second}', 'rank': 2}}]"


alpaca(
    "alpaca-eval-gpt4",
    PAIRS,
    {**INSTRUCTION, **pair("model_1", "model_2")},
    alpaca_annotator("alpaca_eval_gpt4"),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {"model_1": 0, "model_2": 1}},
        "replies": [
            [ranking_reply("model_1", "model_2"), {"ranking": [0, 1]}],
            [ranking_reply("model_2", "model_1"), {"ranking": [1, 0]}],
        ],
    },
)
alpaca(
    "alpaca-lmsys-gpt4",
    PAIRS,
    {**INSTRUCTION, **pair("Assistant 1", "Assistant 2")},
    alpaca_annotator("lmsys_gpt4"),
    {
        "kind": "pair",
        "verdict": {"kind": "scores", "where": "text", "scale": {"min": 1, "max": 10}, "polarity": "higher"},
        "replies": [["9 4\nThe first is right.", {"scores": [9, 4]}], ["3 8\nThe second.", {"scores": [3, 8]}]],
    },
)
alpaca(
    "alpaca-clf-gpt4-turbo",
    PAIRS,
    {**INSTRUCTION, **pair("m", "M")},
    alpaca_annotator("weighted_alpaca_eval_gpt4_turbo"),
    {
        "kind": "pair",
        "verdict": {"kind": "choice", "where": "logprobs", "labels": {"m": 0, "M": 1}},
        "replies": [["m", {"choice": 0}], ["M", {"choice": 1}]],
    },
)
alpaca(
    "alpaca-basic-clf",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    alpaca_annotator("gpt4_turbo_clf"),
    {
        "kind": "pair",
        "verdict": {"kind": "choice", "where": "logprobs", "labels": {"A": 0, "B": 1}},
        "replies": [["A", {"choice": 0}], ["B", {"choice": 1}]],
    },
)
alpaca(
    "alpaca-cot-fn",
    PAIRS,
    {**INSTRUCTION, **pair("m", "M")},
    alpaca_annotator("alpaca_eval_cot_gpt4_turbo_fn"),
    {
        "kind": "ranking",
        "verdict": {
            "kind": "ranking",
            "where": "tool",
            "field": "ordered_models[].model",
            "labels": {"m": 0, "M": 1},
        },
        "replies": [
            [
                {
                    "concise_explanation": "I looked.",
                    "ordered_models": [{"model": "m", "rank": 1}, {"model": "M", "rank": 2}],
                },
                {"ranking": [0, 1]},
            ],
            [
                {
                    "concise_explanation": "I looked.",
                    "ordered_models": [{"model": "M", "rank": 1}, {"model": "m", "rank": 2}],
                },
                {"ranking": [1, 0]},
            ],
        ],
    },
)

alpaca(
    "alpaca-chatgpt-fn",
    PAIRS,
    {**INSTRUCTION, **pair("Output (a)", "Output (b)")},
    alpaca_annotator("chatgpt_fn"),
    {
        "kind": "pair",
        "verdict": {
            "kind": "choice",
            "where": "tool",
            "field": "best_output",
            "labels": {"Output (a)": 0, "Output (b)": 1},
        },
        "replies": [
            [{"best_output": "Output (a)"}, {"choice": 0}],
            [{"best_output": "Output (b)"}, {"choice": 1}],
        ],
    },
)
alpaca(
    "alpaca-cot-clf",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    alpaca_annotator("gpt4_turbo_cot_clf"),
    {
        "kind": "pair",
        "verdict": {"kind": "choice", "where": "logprobs", "labels": {"A": 0, "B": 1}},
        "replies": [["A is right.\n\nBest output: A", {"choice": 0}], ["B is right.\n\nBest output: B", {"choice": 1}]],
    },
)
alpaca(
    "alpaca-aviary",
    PAIRS,
    {**INSTRUCTION, **pair("model_1", "model_2")},
    alpaca_annotator("aviary_gpt4"),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {"model_1": 0, "model_2": 1}},
        "replies": [
            [ranking_reply("model_1", "model_2"), {"ranking": [0, 1]}],
            [ranking_reply("model_2", "model_1"), {"ranking": [1, 0]}],
        ],
    },
)

# RewardBench

rewardbench = in_client("rewardbench", "Apache-2.0")


def rewardbench_module(name):
    """One file of the package: the package as a whole needs torch."""
    found = importlib.util.find_spec("rewardbench")
    spec = importlib.util.spec_from_file_location(name, os.path.join(os.path.dirname(found.origin), f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rewardbench_pair(model):
    def ask(base, v):
        os.environ.update({"OPENAI_BASE_URL": f"{base}/v1", "ANTHROPIC_BASE_URL": base, "ANTHROPIC_API_KEY": KEY})
        asked = {"role": "user", "content": v["instruction"]}
        answers = [[asked, {"role": "assistant", "content": v[key]}] for key in ["option1", "option2"]]
        rewardbench_module("generative").run_judge_pair(v["instruction"], *answers, model)

    return ask


def rewardbench_four(base, v):
    os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
    asked = {"role": "user", "content": v["instruction"]}
    answers = [[asked, {"role": "assistant", "content": v[f"option{i}"]}] for i in range(1, 5)]
    rewardbench_module("generative_v2").run_judge_four(v["instruction"], *answers, "gpt-4o-2024-08-06")


def rewardbench_rating(base, v):
    os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
    asked = {"role": "user", "content": v["instruction"]}
    answers = [[asked, {"role": "assistant", "content": v["option1"]}]]
    rewardbench_module("generative_v2").run_judge_ratings_multi(v["instruction"], answers, "gpt-4o-2024-08-06")


TWO = {
    "kind": "pair",
    "verdict": {"kind": "choice", "where": "text", "labels": {"[[A]]": 0, "[[B]]": 1}},
    "replies": [["The first is right. [[A]]", {"choice": 0}], ["The second is right. [[B]]", {"choice": 1}]],
}
rewardbench(
    "rewardbench-pair", PAIRS, {**INSTRUCTION, **pair("A", "B")}, rewardbench_pair("gpt-4o-2024-05-13"), TWO
)
rewardbench(
    "rewardbench-pair.anthropic",
    ["en", "de", "rag", "ar"],
    {**INSTRUCTION, **pair("A", "B")},
    rewardbench_pair("claude-3-5-sonnet-20240620"),
    TWO,
)
rewardbench(
    "rewardbench-four",
    ["nway", "en", "code", "fr"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": "ABCD"[i - 1]} for i in range(1, 5)}},
    rewardbench_four,
    {
        "kind": "n-way",
        "verdict": {"kind": "choice", "where": "text", "labels": {"[[A]]": 0, "[[B]]": 1, "[[C]]": 2, "[[D]]": 3}},
        "replies": [["The third is right. [[C]]", {"choice": 2}], ["The first is right. [[A]]", {"choice": 0}]],
    },
)
rewardbench(
    "rewardbench-rating",
    QUALITY,
    {**INSTRUCTION, **ONE},
    rewardbench_rating,
    {
        "kind": "score",
        "verdict": {"kind": "score", "where": "text", "scale": {"min": 1, "max": 10}, "polarity": "higher"},
        "replies": [["It is right.\n\n9", {"score": 9}], ["It is not.\n\n2", {"score": 2}]],
    },
)

# uptrain

uptrain = in_client("uptrain", "Apache-2.0")


def uptrain_check(check, **parameters):
    def ask(base, v):
        os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
        import uptrain.framework.evalllm as evalllm
        from uptrain import EvalLLM, Evals, Settings

        settings = Settings(model="gpt-4o", openai_api_key=KEY, evaluate_locally=True)
        settings.openai_api_key = ""
        judge = EvalLLM.__new__(EvalLLM)
        judge.settings = Settings(model="gpt-4o", openai_api_key=KEY, evaluate_locally=True)
        judge.executor = None
        row = {
            "question": v.get("instruction", "What does it say?"),
            "response": v.get("option1", "It is so."),
            "context": v.get("context", "It is so."),
        }
        made = Evals[check] if not parameters else getattr(__import__("uptrain"), check)(**parameters)
        judge.evaluate([row], [made])

    return ask


def uptrain_choice(*choices):
    good, bad = choices[0], choices[-1]
    return {
        "kind": "category",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "Choice",
            "labels": {good: "good", bad: "bad", **{middle: "neutral" for middle in choices[1:-1]}},
        },
        "replies": [
            [{"Reasoning": "I looked.", "Choice": good}, {"category": good}],
            [{"Reasoning": "I looked.", "Choice": bad}, {"category": bad}],
        ],
    }


uptrain(
    "uptrain-context-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    uptrain_check("CONTEXT_RELEVANCE"),
    uptrain_choice("A", "B", "C"),
)
uptrain(
    "uptrain-response-completeness",
    QUALITY,
    {**INSTRUCTION, **ONE},
    uptrain_check("RESPONSE_COMPLETENESS"),
    uptrain_choice("A", "B", "C"),
)
uptrain(
    "uptrain-response-conciseness",
    QUALITY,
    {**INSTRUCTION, **ONE},
    uptrain_check("RESPONSE_CONCISENESS"),
    uptrain_choice("A", "B", "C"),
)
uptrain("uptrain-valid-response", QUALITY, {**INSTRUCTION, **ONE}, uptrain_check("VALID_RESPONSE"), uptrain_choice("A", "B"))

def write(value) -> None:
    sys.__stdout__.write("\x01" + json.dumps(value) + "\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    sys.modules["clients"] = sys.modules["__main__"]
    import clients_second  # noqa: F401  its evaluators join those of this file
    import clients_third  # noqa: F401
    import clients_fourth  # noqa: F401
    import clients_fifth  # noqa: F401
    import clients_sixth  # noqa: F401
    import clients_seventh  # noqa: F401
    import clients_eighth  # noqa: F401
    import clients_ninth  # noqa: F401
    import clients_tenth  # noqa: F401
    import clients_eleventh  # noqa: F401
    import clients_frameworks  # noqa: F401

    wire = sys.stdin
    sys.stdout = sys.stderr
    write({"evaluators": [described for described, _ in EVALUATORS.values()], "versions": VERSIONS})
    for line in wire:
        call = json.loads(line)
        try:
            EVALUATORS[call["name"]][1](call["base"], call["values"])
            write({})
        except BaseException as error:  # a client's own exit must not end the run
            write({"error": f"{type(error).__name__}: {str(error)[:600]}"})
