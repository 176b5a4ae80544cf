"""An eighth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, each package in a folder of its own:

    evalf==1.0.1 llm-judge-kit==0.1.2 policyeval==0.2.2 rag-eval-toolkit==3.0.0 ragjudge==0.1.0 rubriq==0.1.0 chapman-meval==0.2.0
    grading-notes==0.0.1 simboba==0.2.0 judgearena==0.1.0 flexeval==0.18.3 prompttools==0.0.46 vero-eval==0.0.1.6 kort-cli==1.0.2
    lm-council==0.1.0 ag2==1.2.1 clear-eval==2.0.5 agentscope==2.0.11 python-flexeval==0.5.2 openai==3.57.0 litellm anthropic
    autometrics-ai==0.1.0 dspy==3.4.1
    (all with --no-deps, and of what they import all but torch, transformers and the like)
    llama-index-packs-corrective-rag==0.3.1
    fast-agent-mcp==0.10.48 (Python 3.13)
"""

import asyncio
import importlib
import json
import os
import tempfile
import unittest.mock

from clients import (
    CONTEXT,
    INSTRUCTION,
    JUDGED_CONTEXT,
    KEY,
    ONE,
    PAIRS,
    QA,
    QUALITY,
    REFERENCE,
    RUBRIC,
    WITH_CONTEXT,
    in_client,
    listed,
    pair,
    passed,
    scored,
    words,
)
from clients_fifth import ANSWERED, COMPARED, in_text, several, without_torch
from clients_fourth import without
from clients_second import at, said
from clients_sixth import bare
from clients_third import choice

SYSTEM = {"statement": {"role": "rubric"}}

# evalf

evalf = in_client("evalf", "MIT")


def evalf_metric(name):
    def ask(base, v):
        from evalf.llms.factory import build_llm
        from evalf.schemas import EvalCase

        module, metric = name
        made = getattr(importlib.import_module(f"evalf.metrics.{module}"), metric)()
        case = EvalCase(
            question=v.get("instruction", "What is it?"),
            retrieved_contexts=[v[key] for key in ("context", "context2") if key in v] or None,
            actual_output=v.get("option1", "It is so."),
            expected_output=v.get("reference", "It is so."),
        )
        made.measure(case, build_llm(provider="openai", model="gpt-4.1", base_url=f"{base}/v1", api_key=KEY, max_retries=0))

    return ask


def of_criteria(score):
    names = ["alignment_integrity", "accuracy_consistency", "safety_sovereignty_tone", "completeness_coverage"]
    return {name: {"score": score, "reasoning": "I looked."} for name in names}


evalf(
    "evalf-answer-relevance",
    QUALITY,
    ANSWERED,
    evalf_metric(("answer_relevance", "AnswerRelevanceMetric")),
    scored("score", 0.0, 1.0, reason="I looked."),
)
evalf(
    "evalf-answer-correctness",
    QA,
    COMPARED,
    evalf_metric(("answer_correctness", "AnswerCorrectnessMetric")),
    scored("score", 0.0, 1.0, kind="reference", reason="I looked."),
)
evalf(
    "evalf-c4",
    QA,
    COMPARED,
    evalf_metric(("c4", "C4Metric")),
    several(4, 0, 1, (of_criteria(1.0), [1, 1, 1, 1]), (of_criteria(0.25), [0.25] * 4), kind="reference", where="json"),
)
evalf(
    "evalf-context-relevance",
    WITH_CONTEXT,
    {**INSTRUCTION, "context": {"role": "option", "label": "ctx_1"}, "context2": {"role": "option", "label": "ctx_2"}},
    evalf_metric(("context_relevance", "ContextRelevanceMetric")),
    {
        "kind": "list",
        "verdict": {
            "kind": "list",
            "where": "json",
            "field": "verdicts[].verdict",
            "labels": {"relevant": "good", "irrelevant": "bad", "partially_relevant": "neutral"},
        },
        "replies": [
            [
                {"verdicts": [{"context_id": f"ctx_{i + 1}", "verdict": one, "reason": "I looked."} for i, one in enumerate(verdicts)]},
                {"list": verdicts},
            ]
            for verdicts in (["relevant", "irrelevant"], ["irrelevant", "partially_relevant"])
        ],
    },
)
evalf(
    "evalf-faithfulness",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, **ONE},
    evalf_metric(("faithfulness", "FaithfulnessMetric")),
    listed(
        "verdicts[].verdict",
        {"supported": "good", "contradicted": "bad", "unsupported": "bad"},
        lambda verdict: {"claim_id": "claim_1", "verdict": verdict, "evidence_context_ids": ["ctx_1"], "reason": "I looked."},
    ),
    has="evidence_context_ids",
    besides=[["", {"claims": [{"claim_id": "claim_1", "text": "{{option1}}"}]}]],
)

# llm-judge-kit

llm_judge_kit = in_client("llm-judge-kit", "MIT")


def kit_judge(rubric=None):
    def ask(base, v):
        at(base)
        from llm_judge_kit import Judge, Rubric

        made = rubric or Rubric(name="house_style", description=v["rubric"], guidance="Judge this alone.")
        judge = Judge(provider="openai:gpt-4o", rubric=made)
        judge.score(v["instruction"], v["option1"], context=v.get("context"), reference=v.get("reference"))

    return ask


for name, pools, keys, rubric in [
    ("factuality", QUALITY, ANSWERED, "factuality"),
    ("groundedness", WITH_CONTEXT, {**CONTEXT, **ANSWERED}, "groundedness"),
    ("reference", QA, {**RUBRIC, **COMPARED}, None),
]:
    llm_judge_kit(
        f"llm-judge-kit-{name}",
        pools,
        keys,
        kit_judge(rubric),
        scored("score", 0.0, 1.0, kind="reference" if "reference" in keys else "score", confidence=0.8, reason="I looked.", evidence=[], violations=[]),
    )

# policyeval

policyeval = in_client("policyeval", "MIT")


def policy_metric(metric, mode="batch", prompted=False):
    def ask(base, v):
        from policyeval.engine.evaluator import EvaluationEngine
        from policyeval.judges import OpenAIJudge
        from policyeval.policy.models import AdherenceType, Policy, Rule

        kind = AdherenceType.float if mode == "sequential" else AdherenceType.binary
        rules = [Rule(id=f"R{i + 1}", description=v[key], adherence_type=kind) for i, key in enumerate(("rubric", "rubric2")) if key in v]
        judge = OpenAIJudge(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        engine = EvaluationEngine(judge, eval_mode=mode, **({"system_prompt": v["statement"]} if prompted else {}))
        policy = Policy(name="house", rules=rules)
        engine.evaluate(v.get("instruction"), v["option1"], policy, v.get("context"), metrics=[metric])

    return ask


def of_rules(*scores):
    rules = [{"rule_id": f"R{i + 1}", "reasoning": "I looked.", "score": score} for i, score in enumerate(scores)]
    return {"rule_results": rules, "overall_reasoning": "I looked."}


policyeval(
    "policyeval-rules",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC, "rubric2": {"role": "rubric"}},
    policy_metric("adherence"),
    several(2, 0, 1, (of_rules(1.0, 0.0), [1, 0]), (of_rules(0.0, 0.0), [0, 0]), kind="rubric", where="json"),
)
policyeval(
    "policyeval-rule",
    ["en", "essay", "es", "de", "fr", "zh"],
    {**INSTRUCTION, **ONE, **CONTEXT, **RUBRIC, **SYSTEM},
    policy_metric("adherence", "sequential", True),
    {
        "kind": "rubric",
        "verdict": {"kind": "score", "where": "json", "field": "score", "scale": {"min": 0, "max": 1}, "polarity": "higher"},
        "replies": [[{"rule_id": "R1", "reasoning": "I looked.", "score": score}, {"score": score}] for score in (0.9, 0.2)],
    },
    note="the system prompt is the user's",
)
policyeval(
    "policyeval-coverage",
    QUALITY,
    {**ONE, **RUBRIC, "rubric2": {"role": "rubric"}},
    policy_metric("coverage"),
    scored("score", 0.0, 1.0, kind="rubric", uncovered_actions=[], reasoning="I looked."),
)

# rag-eval-toolkit

rag_eval_toolkit = in_client("rag-eval-toolkit", "MIT")


def toolkit_metric(name):
    def ask(base, v):
        at(base)
        from rag_eval import metrics
        from rag_eval.backends import OpenAIBackend

        contexts = [v[key] for key in ("context", "context2") if key in v]
        row = {
            "question": v.get("instruction", "What is it?"),
            "context": contexts if len(contexts) > 1 else "".join(contexts),
            "answer": v.get("option1", "It is so."),
            "ground_truth": v.get("reference", ""),
        }
        getattr(metrics, name)().score(row, OpenAIBackend("gpt-4o"))

    return ask


REASONED = "I looked.\nSCORE: %s"
rag_eval_toolkit(
    "rag-eval-toolkit-faithfulness",
    WITH_CONTEXT,
    {**CONTEXT, **ANSWERED},
    toolkit_metric("FaithfulnessMetric"),
    said(0.0, 1.0, REASONED),
)
rag_eval_toolkit("rag-eval-toolkit-completeness", QUALITY, ANSWERED, toolkit_metric("AnswerCompletenessMetric"), said(0.0, 1.0, REASONED))
rag_eval_toolkit("rag-eval-toolkit-toxicity", ["tox", "en", "essay", "chat"], ONE, toolkit_metric("ToxicityMetric"), said(0.0, 1.0, REASONED))
for name, metric, keys in [
    (
        "precision",
        "ContextPrecisionMetric",
        {**INSTRUCTION, "context": {"role": "option", "label": "1"}, "context2": {"role": "option", "label": "2"}},
    ),
    ("recall", "ContextRecallMetric", {**INSTRUCTION, **CONTEXT, "reference": {"role": "option"}}),
]:
    rag_eval_toolkit(
        f"rag-eval-toolkit-{name}",
        WITH_CONTEXT,
        keys,
        toolkit_metric(metric),
        {
            "kind": "list",
            "verdict": {"kind": "list", "where": "text", "labels": {"yes": "good", "no": "bad"}},
            "replies": [["1: yes\n2: no", {"list": ["yes", "no"]}], ["1: no\n2: no", {"list": ["no", "no"]}]],
        },
    )

# ragjudge

ragjudge = in_client("ragjudge", "MIT")


def ragjudge_metric(name):
    def ask(base, v):
        import ragjudge as package
        from ragjudge.judges.openai import OpenAIJudge

        sample = package.Sample(
            question=v.get("instruction", "What is it?"),
            contexts=[v[key] for key in ("context", "context2") if key in v],
            answer=v.get("option1", "It is so."),
            ground_truth=v.get("reference"),
        )
        judge = OpenAIJudge(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        asyncio.run(getattr(package, name)().score(sample, judge))

    return ask


ragjudge("ragjudge-relevance", QUALITY, ANSWERED, ragjudge_metric("AnswerRelevance"), scored("score", 0.0, 1.0, reasoning="I looked."))
ragjudge(
    "ragjudge-correctness",
    QA,
    COMPARED,
    ragjudge_metric("AnswerCorrectness"),
    scored("score", 0.0, 1.0, kind="reference", reasoning="I looked."),
)
ragjudge(
    "ragjudge-contexts",
    WITH_CONTEXT,
    {**INSTRUCTION, "context": {"role": "option", "label": "0"}, "context2": {"role": "option", "label": "1"}},
    ragjudge_metric("ContextRelevance"),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "verdicts[].relevant", "labels": {"true": "good", "false": "bad"}},
        "replies": [
            [{"verdicts": [{"index": i, "relevant": one, "reason": "I looked."} for i, one in enumerate(verdicts)]}, {"list": verdicts}]
            for verdicts in ([True, False], [False, False])
        ],
    },
)
ragjudge(
    "ragjudge-faithfulness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    ragjudge_metric("Faithfulness"),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "verdicts[].supported", "labels": {"true": "good", "false": "bad"}},
        "replies": [
            [{"verdicts": [{"claim": "It is so.", "supported": one, "reason": "I looked."}]}, {"list": [one]}] for one in (True, False)
        ],
    },
    has="For each claim",
    besides=[["", {"claims": ["{{option1}}"]}]],
)

# rubriq: its user hands in the judge, a function of the prompt

rubriq = in_client("rubriq", "MIT")


def rubriq_grade(base, v):
    from clients_seventh import says
    from rubriq import Criterion, Rubric, grade

    criteria = tuple(Criterion(v[key], weight) for key, weight in (("rubric", 2.0), ("rubric2", 1.0)) if key in v)
    grade(v["option1"], Rubric("house", criteria), judge=says(base), input=v["instruction"])


rubriq(
    "rubriq-grade",
    QUALITY,
    {**ANSWERED, **RUBRIC, "rubric2": {"role": "rubric"}},
    rubriq_grade,
    scored("score", 0.0, 1.0, kind="rubric", violations=[], reasoning="I looked."),
)

# chapman-meval

chapman_meval = in_client("chapman-meval", "MIT")


def meval_judge(name, *more, options=1):
    def ask(base, v):
        from meval import judge
        from meval.schemas import EvalRecord, ModelConfig

        config = ModelConfig(api_url=f"{base}/v1", model_name="gpt-4o", api_key=KEY)
        answers = {f"model-{i}": v[f"option{i}"] for i in range(1, options + 1)}
        record = EvalRecord(
            id="1",
            prompt=v["instruction"],
            context=v.get("context"),
            reference=v.get("reference"),
            **({"completions": answers} if options > 1 else {"completion": v["option1"]}),
        )
        getattr(judge, name)(config, *more, v["rubric"]).evaluate(record)

    return ask


MEVAL = {"reasoning": "I looked."}
chapman_meval(
    "meval-classification",
    QUALITY,
    {**RUBRIC, **ANSWERED},
    meval_judge("ClassificationJudge", ["keeps to it", "half", "does not"]),
    {
        "kind": "rubric",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "label",
            "labels": {"keeps to it": "good", "half": "neutral", "does not": "bad"},
        },
        "replies": [[{**MEVAL, "label": label}, {"category": label}] for label in ("keeps to it", "does not")],
    },
)
chapman_meval(
    "meval-scoring",
    ["en", "de", "fr", "code", "rag", "zh"],
    {**RUBRIC, **CONTEXT, **COMPARED},
    meval_judge("ScoringJudge"),
    scored("score", 1.0, 5.0, kind="rubric", **MEVAL),
)
chapman_meval(
    "meval-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("A", "B")},
    meval_judge("PairwiseJudge", options=2),
    choice(
        {**MEVAL, "winner": "A"},
        {**MEVAL, "winner": "B"},
        {"A": 0, "B": 1, "tie": "tie"},
        field="winner",
        where="json",
    ),
)
chapman_meval(
    "meval-ranking",
    ["nway", "en", "essay", "de"],
    {**RUBRIC, **INSTRUCTION, **{f"option{i}": {"role": "option", "label": str(i - 1)} for i in (1, 2, 3)}},
    meval_judge("RankingJudge", options=3),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "json", "field": "ranking", "labels": {str(i): i for i in range(3)}},
        "replies": [
            [{**MEVAL, "ranking": [1, 0, 2]}, {"ranking": [1, 0, 2]}],
            [{**MEVAL, "ranking": [2, 1, 0]}, {"ranking": [2, 1, 0]}],
        ],
    },
)

# grading-notes

grading_notes = in_client("grading-notes", "Apache-2.0")


def noted(provider, model):
    def ask(base, v):
        at(base)
        os.environ.update({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": base})
        from grading_notes.main import GradingNote, evaluate, get_judge

        note = GradingNote(question=v["instruction"], grading_note=v["rubric"])
        evaluate(get_judge(provider, model), note, v["option1"])

    return ask


NOTED = passed("verdict", "Good", "Bad", kind="rubric", reasoning="I looked.")
grading_notes("grading-notes-evaluate", QUALITY, {**ANSWERED, **RUBRIC}, noted("openai", "gpt-4o"), NOTED)
grading_notes("grading-notes-evaluate.anthropic", QUALITY, {**ANSWERED, **RUBRIC}, noted("anthropic", "claude-sonnet-4-5"), NOTED)

# simboba

simboba = in_client("simboba", "MIT")


def boba_judge(base, v):
    at(base)
    from simboba.judge import create_judge

    turns = [("user", v["user1"]), ("assistant", v["turn1"]), ("user", v["user2"])]
    create_judge("openai/gpt-4o")([{"role": role, "message": text} for role, text in turns], v["rubric"], v["turn2"])


simboba(
    "simboba-judge",
    ["chat"],
    {
        "user1": {"role": "context"},
        "turn1": {"role": "context"},
        "user2": {"role": "instruction"},
        **RUBRIC,
        "turn2": {"role": "option"},
    },
    boba_judge,
    passed("passed", kind="rubric", reasoning="I looked."),
)

# judgearena

judgearena = in_client("judgearena", "Apache-2.0")


def arena_battle(explained, prompted=False):
    def ask(base, v):
        without_torch("huggingface_hub", "langchain_community", "datasets")
        from judgearena.evaluate import annotate_battles
        from langchain_openai import ChatOpenAI

        model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        more = {"system_prompt": v["rubric"]} if prompted else {}
        annotate_battles(model, [v["instruction"]], [v["option1"]], [v["option2"]], provide_explanation=explained, **more)

    return ask


for name, keys, explained, prompted in [
    ("judgearena-battle", INSTRUCTION, False, False),
    ("judgearena-explained", {**RUBRIC, **INSTRUCTION}, True, True),
]:
    judgearena(
        name,
        PAIRS,
        {**keys, **pair("A", "B")},
        arena_battle(explained, prompted),
        several(2, 0, 10, ("score_A: 9\nscore_B: 4", [9, 4]), ("score_A: 2\nscore_B: 7", [2, 7]), kind="pair", where="text"),
        **({"note": "the system prompt is the user's"} if prompted else {}),
    )

# flexeval: its presets in Japanese

flexeval = in_client("flexeval", "Apache-2.0")


def flex_preset(folder, name):
    """What a preset is made with."""
    import _jsonnet
    import flexeval

    path = os.path.join(os.path.dirname(flexeval.__file__), "preset_configs", folder, f"{name}.jsonnet")
    return json.loads(_jsonnet.evaluate_file(path))["init_args"]


def flex_made(base, folder, name):
    """What the preset says, with a model at our address."""
    without_torch("transformers", "datasets", "vllm", "sacrebleu", "evaluate", "rouge", "fuzzywuzzy", "litellm", "math_verify", "sklearn", "jiwer", "sumeval", "googleapiclient", "wandb")
    from flexeval.core.language_model.openai_api import OpenAIChatAPI
    from flexeval.core.prompt_template.jinja2 import Jinja2PromptTemplate

    made = flex_preset(folder, name)
    made["language_model"] = OpenAIChatAPI(model="gpt-4o", api_headers={"base_url": f"{base}/v1", "api_key": KEY})
    for key in ("prompt_template", "system_message"):
        if isinstance(made.get(key), dict):
            made[key] = Jinja2PromptTemplate(**made[key]["init_args"])
    return made


def flex_pair(base, v):
    made = flex_made(base, "PairwiseJudge", "assistant_judge_ja_single_turn")
    from flexeval.core.pairwise_comparison.judge.llm_judge import ChatLLMPairwiseJudge

    def item(key):
        asked = {"messages": [{"role": "user", "content": v["instruction"]}]}
        return {"extra_info": asked, "lm_output": v[key], "references": [v["reference"]] if "reference" in v else []}

    ChatLLMPairwiseJudge(**made).batch_judge([(item("option1"), item("option2"))])


def flex_score(base, v):
    made = flex_made(base, "Metric", "assistant_eval_ja_single_turn")
    from flexeval.core.metric.llm_score import ChatLLMScore

    asked = {"messages": [{"role": "user", "content": v["instruction"]}]}
    ChatLLMScore(**made).evaluate([v["option1"]], [[v["reference"]] if "reference" in v else []], [asked])


JA = ["ja", "zh", "en", "code"]
FLEX_PAIR = choice("比べました。[[1]]", "比べました。[[2]]", {"[[1]]": 0, "[[2]]": 1, "[[3]]": "tie"})
FLEX_LABELS = pair("アシスタント1", "アシスタント2")
flexeval("flexeval-ja-pairwise", JA, {**INSTRUCTION, **FLEX_LABELS}, flex_pair, FLEX_PAIR, language="ja")
flexeval("flexeval-ja-pairwise-reference", JA, {**INSTRUCTION, **REFERENCE, **FLEX_LABELS}, flex_pair, FLEX_PAIR, language="ja")
flexeval("flexeval-ja-score", JA, COMPARED, flex_score, said(1, 10, "見ました。rating：[[%s]]", kind="reference"), language="ja")

# prompttools

prompttools = in_client("prompttools", "Apache-2.0")


def autoeval(module, row, *args):
    def ask(base, v):
        at(base)
        os.environ.update({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": base})
        without_torch("chromadb", "sentence_transformers", "scipy", "cv2", "skimage", "IPython", "ipywidgets", "sentry_sdk")
        bare("prompttools")
        bare("prompttools.utils")
        import openai

        # Its calls go to the library's own client, which keeps the address that it was made with.
        openai.api_key, openai.base_url = KEY, f"{base}/v1/"
        openai._client = None
        importlib.import_module(f"prompttools.utils.{module}").compute(*[v[key] if isinstance(key, str) else [v[one] for one in key] for key in row])

    return ask


prompttools("prompttools-autoeval", QUALITY, ANSWERED, autoeval("autoeval", ["instruction", "option1"]), words("RIGHT", "WRONG"))
prompttools(
    "prompttools-expected",
    QA,
    COMPARED,
    autoeval("autoeval_from_expected", ["instruction", "reference", "option1"]),
    words("RIGHT", "WRONG", kind="reference"),
)
prompttools(
    "prompttools-documents",
    WITH_CONTEXT,
    {**CONTEXT, "context2": {"role": "context"}, **ONE},
    autoeval("autoeval_with_docs", [["context", "context2"], "option1"]),
    said(0, 10, "%s"),
)

# vero-eval

vero_eval = in_client("vero-eval", "Apache-2.0")


def vero_sufficiency(base, v):
    at(base)
    without_torch("bert_score", "transformers", "sentence_transformers", "deepeval", "rouge_score", "ranx", "plotly", "faiss")
    bare("vero")
    bare("vero.metrics")
    importlib.import_module("vero.metrics").MetricBase = importlib.import_module("vero.metrics.metric_base").MetricBase
    module = importlib.import_module("vero.metrics.sufficiency_score.sufficiency_score")
    module.SufficiencyScore(v["context"], v["instruction"]).evaluate()


vero_eval(
    "vero-sufficiency",
    WITH_CONTEXT,
    {**JUDGED_CONTEXT, **INSTRUCTION},
    vero_sufficiency,
    scored("score", 1, 5, reasoning="I looked."),
)

# kort-cli

kort_cli = in_client("kort-cli", "Apache-2.0")


def kort_evaluator(base, v):
    at(base)
    without_torch("transformers", "google", "gradio")
    from kort.data import GenerationExample, LangCode
    from kort.data.generate import Categories
    from kort.evaluators.from_model import ModelEvaluator
    from kort.models.openai.gpt import OpenAIModel

    example = GenerationExample(
        source=v["instruction"],
        translated=v["option1"],
        source_lang=LangCode.ENG,
        target_lang=LangCode.KOR,
        category=list(Categories)[0],
        reference_translation=v["reference"],
    )
    # Its constructor leaves out the model's name, which the model wants.
    made = ModelEvaluator.__new__(ModelEvaluator)
    made.model = OpenAIModel("gpt-4o", KEY)
    made.evaluate(example)


kort_cli(
    "kort-evaluation",
    ["trans", "en", "de", "fr"],
    COMPARED,
    kort_evaluator,
    said(0, 100, "<score>\n%s\n</score>", kind="reference"),
    note="two languages are always the same",
)

# lm-council

lm_council = in_client("lm-council", "MIT")


def council(config, ask_it):
    def ask(base, v):
        os.environ["OPENROUTER_API_KEY"] = KEY
        without("matplotlib", "seaborn", "datasets", "sklearn", "choix", "aiolimiter")
        import huggingface_hub

        # Newer releases have it no more; it is wanted to save results only.
        huggingface_hub.HfFolder = getattr(huggingface_hub, "HfFolder", None)
        from lm_council import council as module
        from lm_council.judging import PRESET_EVAL_CONFIGS
        from openai import AsyncOpenAI

        class Limit:
            def __init__(self, *_):
                pass

            async def __aenter__(self):
                pass

            async def __aexit__(self, *_):
                pass

        # It knows OpenRouter alone, and asks there for a limit first.
        limit = unittest.mock.MagicMock(json=lambda: {"data": {"rate_limit": {"requests": 100, "interval": "10s"}}})
        with (
            unittest.mock.patch.object(module.requests, "get", lambda *_, **__: limit),
            unittest.mock.patch.object(module, "AsyncOpenAI", lambda **_: AsyncOpenAI(api_key=KEY, base_url=f"{base}/v1")),
            unittest.mock.patch.object(module, "AsyncLimiter", Limit),
        ):
            made = module.LanguageModelCouncil(["first", "second"], ["gpt-4o"], PRESET_EVAL_CONFIGS[config].model_copy(deep=True))
            asyncio.run(ask_it(made, v))

    return ask


async def council_pair(made, v):
    await made.get_judge_pairwise_structured_output(
        v["instruction"], {"first": v["option1"], "second": v["option2"]}, "first", "second", "gpt-4o"
    )


async def council_rubric(made, v):
    import pandas

    made.eval_config.config.rubric = [type(made.eval_config.config.rubric[0])(name="house", statement=v["rubric"])]
    frame = pandas.DataFrame([{"model": "first", "user_prompt": v["instruction"], "completion_text": v["option1"]}])
    await asyncio.gather(*await made.get_judge_rubric_tasks(frame))


lm_council(
    "lm-council-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    council("default_pairwise", council_pair),
    choice(
        {"pairwise_choice": "[[A>B]]"},
        {"pairwise_choice": "[[B>>A]]"},
        {"[[A>>B]]": 0, "[[A>B]]": 0, "[[B>A]]": 1, "[[B>>A]]": 1},
        field="pairwise_choice",
        where="json",
    ),
)
lm_council(
    "lm-council-rubric",
    QUALITY,
    {**ANSWERED, **RUBRIC},
    council("default_rubric", council_rubric),
    scored("house", 1, 5, kind="rubric"),
)

# ag2: the judges of its evaluations

ag2 = in_client("ag2", "Apache-2.0")


def ag2_judge(reference):
    def ask(base, v):
        from ag2.config import OpenAIConfig
        from ag2.eval.scorers.judge import agent_judge
        from ag2.eval.trace import Trace

        config = OpenAIConfig(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        judge = agent_judge(config, criterion=v["rubric"], key="house")
        references = {"answer": v["reference"]} if reference else None
        trace = Trace(events=[], exception=None, duration_ms=1)
        asyncio.run(judge._fn({"input": v["instruction"]}, {"body": v["option1"]}, references, trace))

    return ask


def ag2_pair(base, v):
    from ag2.config import OpenAIConfig
    from ag2.eval.dataset import Task
    from ag2.eval.scorers.pairwise_judge import pairwise_judge
    from ag2.eval.trace import Trace
    from ag2.events import ModelResponse, ModelMessage

    config = OpenAIConfig(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
    judge = pairwise_judge(config, criterion=v["rubric"], key="house", swap=False)
    traces = [
        Trace(events=[ModelResponse(message=ModelMessage(content=v[key]))], exception=None, duration_ms=1) for key in ("option1", "option2")
    ]
    task = Task(task_id="1", inputs={"input": v["instruction"]})
    asyncio.run(judge.compare(task=task, trace_a=traces[0], trace_b=traces[1], reference_outputs={"answer": v["reference"]}))


for name, keys, pools in [("ag2-judge", {**RUBRIC, **ANSWERED}, QUALITY), ("ag2-judge-reference", {**RUBRIC, **COMPARED}, QA)]:
    ag2(
        name,
        pools,
        keys,
        ag2_judge("reference" in keys),
        scored("score", 0.0, 1.0, kind="rubric", reasoning="I looked."),
    )
ag2(
    "ag2-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **REFERENCE, **pair("Response 1", "Response 2")},
    ag2_pair,
    choice(
        {"preferred": "first", "reasoning": "I looked."},
        {"preferred": "second", "reasoning": "I looked."},
        {"first": 0, "second": 1, "tie": "tie"},
        field="preferred",
        where="json",
    ),
)

# clear-eval

clear_eval = in_client("clear-eval", "Apache-2.0")


def clear_case(name, reference=False):
    def ask(base, v):
        at(base)
        without_torch("streamlit", "langchain_ibm", "langchain_anthropic", "datasets")
        from clear_eval.pipeline.eval_utils import evaluate_row
        from clear_eval.pipeline.inference_utils.llm_client import get_llm_client
        from clear_eval.pipeline.use_cases import eval_use_case

        config = {
            "model_output_column": "answer",
            "model_input_column": "question",
            "question_column": "question",
            "documents_column": "documents",
            "reference_column": "reference",
            "is_reference_based": reference,
            "use_general_prompt": False,
            "evaluation_criteria": {"house": v.get("rubric", "It is right.")},
        }
        row = {"question": v["instruction"], "answer": v["option1"], "documents": v.get("context"), "reference": v.get("reference")}
        client = get_llm_client("openai", "gpt-4o", "litellm")
        prompt = getattr(eval_use_case, name).generate_evaluation_model_prompt
        asyncio.run(evaluate_row(row, config, client, prompt))

    return ask


CLEAR = "Textual Evaluation: I looked.\nEvaluation score: %s"
for name, case, pools, keys in [
    ("general", "GeneralEvalUseCase", QUALITY, {**RUBRIC, **ANSWERED}),
    ("general-reference", "GeneralEvalUseCase", QA, {**RUBRIC, **COMPARED}),
    ("math", "MathUseCase", QUALITY, ANSWERED),
    ("rag", "RAGUseCase", WITH_CONTEXT, {**CONTEXT, **ANSWERED}),
]:
    clear_eval(
        f"clear-eval-{name}",
        pools,
        keys,
        clear_case(case, "reference" in keys),
        said(0, 1, CLEAR, kind="reference" if "reference" in keys else "score"),
    )

# agentscope: the reranker of its retrieval

agentscope = in_client("agentscope", "Apache-2.0")


def scope_rerank(base, v):
    absent = "dashscope json5 filetype datauri socketio shortuuid frontmatter aiofiles tree_sitter tree_sitter_bash pypdf aioitertools"
    without_torch("docstring_parser", *absent.split())
    bare("agentscope.middleware")
    from agentscope.credential import OpenAICredential
    from agentscope.message import TextBlock
    from agentscope.model import OpenAIChatModel
    from agentscope.rag import Chunk, VectorSearchResult

    rag = importlib.import_module("agentscope.middleware._rag")
    model = OpenAIChatModel(OpenAICredential(api_key=KEY, base_url=f"{base}/v1"), "gpt-4o", stream=False)
    results = [
        VectorSearchResult(
            score=0.5, document_id=str(i), chunk=Chunk(content=TextBlock(text=v[f"option{i}"]), source=f"{v['drawn']}-{i}.md", chunk_index=0, total_chunks=1)
        )
        for i in (1, 2, 3)
    ]
    asyncio.run(rag._rerank_results(model, [v["instruction"]], results, 3, rag._DEFAULT_RERANK_PROMPT))


agentscope(
    "agentscope-rerank",
    ["nway", "en", "essay", "de"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": f"c{i}"} for i in (1, 2, 3)}, "drawn": {"role": "ignored"}},
    scope_rerank,
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "json", "field": "ids", "labels": {f"c{i}": i - 1 for i in (1, 2, 3)}},
        "replies": [[{"ids": ["c2", "c1", "c3"]}, {"ranking": [1, 0, 2]}], [{"ids": ["c3", "c2", "c1"]}, {"ranking": [2, 1, 0]}]],
    },
    note="each candidate is a part of its own; a nonce stands in its file's name",
)

# python-flexeval: rubrics that it ships, and one of the user's

python_flexeval = in_client("python-flexeval", "MIT")


def flexeval_rubric(name):
    def ask(base, v):
        at(base)
        from types import SimpleNamespace

        import flexeval
        import yaml
        from flexeval.classes.thread import Thread
        from flexeval.classes.turn import Turn
        from flexeval.compute_metrics import MetricComputer

        # The rows that its own classes read from its database.
        roles = {"user1": "user", "turn1": "assistant", "user2": "user", "turn2": "assistant", "instruction": "user", "option1": "assistant"}
        rows = [{"role": role, "content": v[key]} for key, role in roles.items() if key in v]
        row = SimpleNamespace(
            toolcalls=[],
            get_context=lambda: rows[:-1],
            get_content=lambda **_: rows[-1:],
            get_formatted_prompt=lambda: rows,
        )
        kind = Thread if "user1" in v else Turn
        row.format_input_for_rubric = lambda: kind.format_input_for_rubric(row)
        made = MetricComputer.__new__(MetricComputer)
        made.do_completion, made.grader_llm = False, json.dumps({"function_name": "litellm_completion", "kwargs": {"model": "openai/gpt-4o"}})
        with open(os.path.join(os.path.dirname(flexeval.__file__), "configuration", "rubric_metrics.yaml"), encoding="utf-8") as file:
            made.rubrics = yaml.safe_load(file)
        made.compute_rubric_metric(name, {}, row, "Turn", [], 1)

    return ask


python_flexeval(
    "python-flexeval-plot",
    QUALITY,
    ANSWERED,
    flexeval_rubric("is_pedagogically_appropriate_plot"),
    in_text("A", "B", "C", form="I looked.\n\n%s"),
)
python_flexeval(
    "python-flexeval-tutor",
    ["chat"],
    {
        "user1": {"role": "option"},
        "turn1": {"role": "context"},
        "user2": {"role": "option"},
        "turn2": {"role": "context"},
    },
    flexeval_rubric("is_student_acting_as_tutor"),
    words("YES", "NO", is_bad=True, kind="conversation", before="I looked.\n\n"),
    note="what the user says is judged",
)

# fast-agent

fast_agent_mcp = in_client("fast-agent-mcp", "Apache-2.0")


def fast_evaluator(base, v):
    from fast_agent import FastAgent

    async def run():
        fast = FastAgent("judge", parse_cli_args=False, quiet=True, config_path="fast-agent.yaml")

        @fast.agent(name="writer", instruction="Answer the user.", model="openai.gpt-4o", default=False)
        @fast.agent(name="critic", instruction=v["statement"], model="openai.gpt-4o", default=False)
        @fast.evaluator_optimizer(
            name="refine", generator="writer", evaluator="critic", max_refinements=1, refinement_instruction=v["rubric"]
        )
        async def work():
            async with fast.run() as agents:
                await agents.refine.send(v["instruction"])

        await work()

    here = os.getcwd()
    os.chdir(tempfile.mkdtemp())
    try:
        with open("fast-agent.yaml", "w", encoding="utf-8") as file:
            file.write(f"openai:\n  api_key: {KEY}\n  base_url: {base}/v1\nlogger:\n  type: none\n  progress_display: false\n  show_chat: false\n")
        asyncio.run(run())
    finally:
        os.chdir(here)


fast_agent_mcp(
    "fast-agent-evaluator",
    ["en", "essay", "es", "de", "fr", "zh"],
    {**SYSTEM, **RUBRIC, **ANSWERED},
    fast_evaluator,
    {
        "kind": "category",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "rating",
            "labels": {"EXCELLENT": "good", "GOOD": "good", "FAIR": "neutral", "POOR": "bad"},
        },
        "replies": [
            [{"rating": rating, "feedback": "None.", "needs_improvement": False, "focus_areas": []}, {"category": rating}]
            for rating in ("EXCELLENT", "POOR")
        ],
    },
    has="Evaluate the response for iteration",
    besides=[["", "{{option1}}"]],
    note="the evaluator's instruction and the criterion are the user's",
)

# llama-index-packs-corrective-rag

corrective_rag = in_client("llama-index-packs-corrective-rag", "MIT")


def corrective_grade(base, v):
    at(base)
    from types import SimpleNamespace

    from llama_index.core.query_pipeline.query import QueryPipeline
    from llama_index.core.schema import NodeWithScore, TextNode
    from llama_index.llms.openai import OpenAI
    from llama_index.packs.corrective_rag.base import DEFAULT_RELEVANCY_PROMPT_TEMPLATE, CorrectiveRAGWorkflow, RetrieveEvent

    # The step that grades, after those that would make an index and ask it.
    llm = OpenAI(model="gpt-4o", api_key=KEY, api_base=f"{base}/v1", max_retries=0)
    pipeline = QueryPipeline(chain=[DEFAULT_RELEVANCY_PROMPT_TEMPLATE, llm])
    context = SimpleNamespace(data={"query_str": v["instruction"], "relevancy_pipeline": pipeline})
    nodes = [NodeWithScore(node=TextNode(text=v["context"]), score=0.5)]
    asyncio.run(CorrectiveRAGWorkflow().eval_relevance(context, RetrieveEvent(retrieved_nodes=nodes)))


corrective_rag(
    "corrective-rag-relevance",
    WITH_CONTEXT,
    {**JUDGED_CONTEXT, **INSTRUCTION},
    corrective_grade,
    words("yes", "no"),
)

# autometrics-ai: its judges ask through DSPy

autometrics_ai = in_client("autometrics-ai", "MIT")


def autometrics_judge(name, module):
    def ask(base, v):
        without_torch("datasets", "sklearn", "scipy", "matplotlib", "transformers", "sentence_transformers", "psutil")
        bare("autometrics")
        bare("autometrics.metrics")
        bare("autometrics.metrics.generated")
        import dspy

        made = getattr(importlib.import_module(f"autometrics.metrics.generated.{module}"), name)
        model = dspy.LM("openai/gpt-4o", api_key=KEY, api_base=f"{base}/v1", cache=False, num_retries=0)
        judge = made(
            name="House",
            description="The house's own measure.",
            axis=v["rubric"],
            model=model,
            task_description=v["statement"],
            metric_card="provided",
            use_cache=False,
        )
        judge._call_llm(v["instruction"], v["option1"], *([[v["reference"]]] if "reference" in v else []))

    return ask


for name, keys, judge in [
    ("judge", ANSWERED, "GeneratedRefFreeLLMJudgeMetric"),
    ("judge-reference", COMPARED, "GeneratedRefBasedLLMJudgeMetric"),
]:
    autometrics_ai(
        f"autometrics-{name}",
        ["en", "essay", "es", "de", "fr", "zh"],
        {"statement": {"role": "context"}, **RUBRIC, **keys},
        autometrics_judge(judge, "GeneratedLLMJudgeMetric"),
        said(1, 5, "[[ ## reasoning ## ]]\nI looked.\n\n[[ ## score ## ]]\n%s\n\n[[ ## completed ## ]]", kind="rubric"),
        note="what the task is, the user says",
    )
