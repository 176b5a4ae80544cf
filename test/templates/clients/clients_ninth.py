"""A ninth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, all of it with --no-deps, and of what the packages import all but torch, transformers and the like:

    evalsystem==1.0.0 twelve-angry-llms==0.2.0 cane-eval==0.4.0 agentdash==0.1.0 acp-evals==1.0.0 vllm-judge==0.1.8 judge-kappa==0.4.0
    pyverdikt==0.1.1 pytest-llm-rubric==0.4.0 truva==0.2.0 openpo==0.7.7 chaincheck==0.6.0 ragscore==0.8.7 ragdiff==2.2.0
    hivetracered==1.0.22 rageval-ai==0.2.4 evalbench==1.0.1 groqeval==0.1.0 vindex==0.6.0 lynxius==1.2.0 mixedvoices==1.0.2
    yescieval==0.10.0
    openai==2.54.0 anthropic google-genai groq litellm any-llm-sdk langchain-openai
"""

import asyncio
import importlib
import os
import types
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
    TURNS,
    WITH_CONTEXT,
    in_client,
    listed,
    pair,
    passed,
    scored,
    words,
)
from clients_fifth import ANSWERED, COMPARED, several, without_torch
from clients_fourth import openai_at, replied, without
from clients_second import at, said
from clients_sixth import bare
from clients_third import choice

SYSTEM = {"statement": {"role": "rubric"}}
BACKGROUND = {"statement": {"role": "context"}}
SAYING = ["en", "essay", "es", "de", "fr", "zh"]


def options(*labels):
    return {f"option{i + 1}": {"role": "option", "label": label} for i, label in enumerate(labels)}


def ordered(labels, field, first, second, kind="ranking", where="json"):
    """An order of the options. @param first what the judge says, and the order"""
    form = {"kind": "ranking", "where": where, "field": field, "labels": {label: i for i, label in enumerate(labels)}}
    return {"kind": kind, "verdict": form, "replies": [[said, {"ranking": ranking}] for said, ranking in (first, second)]}


def chosen(field, labels, first, second, kind="pair"):
    """Which option is better, in a JSON field. @param first what the judge says, and the option"""
    form = {"kind": "choice", "where": "json", "field": field, "labels": labels}
    return {"kind": kind, "verdict": form, "replies": [[said, {"choice": meaning}] for said, meaning in (first, second)]}


# evalsystem

evalsystem = in_client("evalsystem", "MIT")


def evalops(base, v):
    from evalops import evaluate

    client = openai_at(base)
    contexts = [v[key] for key in ("context", "context2") if key in v] or ["It is so."]

    def llm(prompt):
        return replied(client, [{"role": "user", "content": prompt}])

    return evaluate(v.get("instruction", "What is it?"), v.get("option1", "It is so."), contexts, llm)


for name, keys, has in [
    ("faithfulness", {**ANSWERED, **CONTEXT}, "faithful to the provided context"),
    ("relevance", ANSWERED, "directly addresses the question"),
    (
        "precision",
        {**INSTRUCTION, "context": {"role": "option", "label": "[1]"}, "context2": {"role": "option", "label": "[2]"}},
        "chunks are relevant and useful",
    ),
]:
    evalsystem(
        f"evalsystem-{name}",
        QUALITY if name == "relevance" else WITH_CONTEXT,
        keys,
        evalops,
        scored("score", 0.0, 1.0, reasoning="I looked."),
        has=has,
        besides=[["", '{"score": 0.5, "reasoning": "I looked."}']],
    )

# twelve-angry-llms

twelve_angry = in_client("twelve-angry-llms", "MIT")


def angry(protocol):
    def ask(base, v):
        import twelve_angry_llms as panel

        client = panel.OpenAICompatibleClient(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        judge = panel.Judge(model="gpt-4o", client=client, api_retries=0)
        answers = tuple(v[key] for key in sorted(v) if key.startswith("option"))
        datapoint = panel.PreferenceDatapoint(prompt=v["instruction"], responses=answers)
        return asyncio.run(judge.annotate(datapoint, protocol(panel, v)))

    return ask


twelve_angry(
    "twelve-angry-llms-scoring",
    ["nway", "en", "essay", "code", "fr", "ja"],
    {**RUBRIC, **INSTRUCTION, **options(*(f"Response {i}" for i in range(1, 5)))},
    angry(lambda panel, v: panel.ScoringProtocol(rubric=v["rubric"])),
    {
        **several(4, 1, 5, ({"scores": [5, 2, 3, 1]}, [5, 2, 3, 1]), ({"scores": [1, 4, 4, 5]}, [1, 4, 4, 5]), kind="n-way"),
    },
)
twelve_angry(
    "twelve-angry-llms-ranking",
    ["nway", "en", "essay", "code", "fr", "ja"],
    {**INSTRUCTION, **options(*(f"Response {i}" for i in range(1, 5)))},
    angry(lambda panel, v: panel.RankingProtocol()),
    ordered(
        ["1", "2", "3", "4"], "ranking", ({"ranking": [2, 1, 4, 3]}, [1, 0, 3, 2]), ({"ranking": [3, 4, 1, 2]}, [2, 3, 0, 1])
    ),
)

# cane-eval: the package as a whole does not import

cane_eval = in_client("cane-eval", "MIT")


def of_answer(score):
    return {"criteria_scores": {"house": {"score": score, "reasoning": "I looked."}}, "overall_reasoning": "I looked."}


def cane_judge(base, v):
    at(base)
    bare("cane_eval")
    from cane_eval.judge import Judge

    judge = Judge(api_key=KEY, model="gpt-4o", provider="openai")
    criteria = [{"key": "house", "label": "House style", "description": v["rubric"], "weight": 100}]
    return judge.score(
        question=v["instruction"],
        expected_answer=v["reference"],
        agent_answer=v["option1"],
        criteria=criteria,
        context=v.get("context"),
    )


CANE = {
    "kind": "rubric",
    "verdict": {
        "kind": "score",
        "where": "json",
        "field": "criteria_scores.house.score",
        "scale": {"min": 0, "max": 100},
        "polarity": "higher",
    },
    "replies": [[of_answer(score), {"score": score}] for score in (95, 20)],
}
cane_eval("cane-eval-criterion", QA, {**COMPARED, **RUBRIC}, cane_judge, CANE)
cane_eval("cane-eval-sources", WITH_CONTEXT, {**COMPARED, **CONTEXT, **RUBRIC}, cane_judge, CANE)

# agentdash

agentdash = in_client("agentdash", "MIT")
MODES = ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "3.1", "3.2", "3.3"]


def of_modes(done, *found):
    return "\n".join(["A. I looked.", f"B. {done}", "C.", *(f"{mode} {'yes' if mode in found else 'no'}" for mode in MODES)])


def annotated(base, v):
    at(base)
    from agentdash import annotator

    trace = "\n".join(f"{who}: {v[key]}" for who, key in [("User", "user1"), ("Agent", "turn1"), ("User", "user2"), ("Agent", "turn2")])
    return annotator(openai_api_key=KEY, model="gpt-4o").produce_taxonomy(trace)


agentdash(
    "agentdash-failures",
    ["chat"],
    TURNS,
    annotated,
    {
        "kind": "conversation",
        "verdict": {"kind": "pass", "where": "text", "labels": {"B. yes": "pass", "B. no": "fail"}},
        "replies": [[of_modes("yes"), {"pass": True}], [of_modes("no", "2.3", "3.1"), {"pass": False}]],
    },
)

# acp-evals

acp_evals = in_client("acp-evals", "Apache-2.0")


def acp_judge():
    bare("acp_evals")
    bare("acp_evals.evaluators")
    from acp_evals.evaluators.llm_judge import LLMJudge

    return LLMJudge


def acp_score(base, v):
    from_base = acp_judge()
    from acp_evals.providers.openai_provider import OpenAIProvider

    judge = from_base(provider=OpenAIProvider(api_key=KEY, api_base=f"{base}/v1"))
    return asyncio.run(judge.evaluate(task=v["instruction"], response=v["option1"], expected=v["reference"]))


def acp_compare(base, v):
    from_base = acp_judge()
    from acp_evals.providers.openai_provider import OpenAIProvider

    judge = from_base(provider=OpenAIProvider(api_key=KEY, api_base=f"{base}/v1"))
    return asyncio.run(judge.compare(v["instruction"], v["option1"], v["option2"], v["rubric"]))


acp_evals(
    "acp-evals-judge",
    QA,
    COMPARED,
    acp_score,
    said(0.0, 1.0, "- Score: %s\n- Feedback: I looked.", kind="reference"),
)
acp_evals(
    "acp-evals-compare",
    PAIRS,
    {**INSTRUCTION, **pair("Response 1", "Response 2"), **RUBRIC},
    acp_compare,
    choice(
        "Similarity: 0.4\nPreferred: 1\nFeedback: I looked.",
        "Similarity: 0.4\nPreferred: 2\nFeedback: I looked.",
        {"1": 0, "2": 1, "tie": "tie"},
    ),
)

# vllm-judge

vllm_judge = in_client("vllm-judge", "Apache-2.0")


def vllm_evaluated(content, **given):
    def ask(base, v):
        from vllm_judge import Judge

        async def run():
            async with Judge.from_url(base, model="qwen3", max_retries=0) as judge:
                filled = {key: one(v) if callable(one) else one for key, one in given.items()}
                return await judge.evaluate(content=content(v), **filled)

        return asyncio.run(run())

    return ask


def decided(form, low, high, good, bad, kind="score"):
    return {
        "kind": kind,
        "verdict": {"kind": "score", "where": "json", "field": "score", "scale": {"min": low, "max": high}, "polarity": "higher"},
        "replies": [
            [{"decision": label, "reasoning": "I looked.", "score": score}, {"score": score}] for label, score in (good, bad)
        ],
    }


vllm_judge(
    "vllm-judge-helpfulness",
    QUALITY,
    ANSWERED,
    vllm_evaluated(lambda v: v["option1"], input=lambda v: v["instruction"], metric="helpfulness"),
    decided("score", 0.0, 1.0, ("EXCELLENT", 0.9), ("POOR", 0.3)),
)
vllm_judge(
    "vllm-judge-preference",
    PAIRS,
    {**INSTRUCTION, **pair("Response A", "Response B")},
    vllm_evaluated(lambda v: {"a": v["option1"], "b": v["option2"]}, input=lambda v: v["instruction"], metric="preference"),
    chosen(
        "decision",
        {"STRONG_PREFERENCE_A": 0, "PREFERENCE_A": 0, "EQUAL_PREFERENCE": "tie", "PREFERENCE_B": 1, "STRONG_PREFERENCE_B": 1},
        ({"decision": "PREFERENCE_A", "reasoning": "I looked.", "score": 0.7}, 0),
        ({"decision": "STRONG_PREFERENCE_B", "reasoning": "I looked.", "score": 0.0}, 1),
    ),
)
vllm_judge(
    "vllm-judge-conversation",
    ["chat"],
    {**TURNS, **RUBRIC},
    vllm_evaluated(
        lambda v: [
            {"role": role, "content": v[key]}
            for role, key in [("user", "user1"), ("assistant", "turn1"), ("user", "user2"), ("assistant", "turn2")]
        ],
        criteria=lambda v: v["rubric"],
        scale=(1, 5),
    ),
    decided("score", 1, 5, ("GOOD", 5), ("POOR", 2), kind="conversation"),
)
vllm_judge(
    "vllm-judge-criteria",
    SAYING,
    {**ANSWERED, **RUBRIC, **CONTEXT, **SYSTEM},
    vllm_evaluated(
        lambda v: v["option1"],
        input=lambda v: v["instruction"],
        criteria=lambda v: v["rubric"],
        context=lambda v: v["context"],
        system_prompt=lambda v: v["statement"],
        scale=(1, 10),
        rubric={10: "Nothing is missing", 5: "Half of it is there", 1: "Of no use"},
    ),
    decided("score", 1, 10, ("GOOD", 9), ("POOR", 2), kind="rubric"),
    note="the system prompt is the user's",
)

# judge-kappa

judge_kappa = in_client("judge-kappa", "Apache-2.0")


def kappa(module, name, use, **given):
    def ask(base, v):
        from judge_kappa.llm.openai_backend import OpenAIBackend
        from judge_kappa.models import Assertion, EvalCase, RubricDimension

        dimensions = [RubricDimension(name="house", description=v["rubric"])] if given.get("rubric") else None
        backend = OpenAIBackend("gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        judge = getattr(importlib.import_module(f"judge_kappa.judges.{module}"), name)(
            "house", backend, on_parse_failure="raise", **({"rubric": dimensions} if dimensions else {})
        )
        case = EvalCase(
            id="case",
            prompt=v["instruction"],
            expected_output=v.get("reference"),
            assertions=[Assertion(text=v[key]) for key in ("rubric", "rubric2") if key in v],
        )
        return use(judge, case, v)

    return ask


judge_kappa(
    "judge-kappa-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    kappa("pairwise", "PairwiseJudge", lambda judge, case, v: judge.judge_pair(case, v["option1"], v["option2"])),
    chosen(
        "preferred",
        {"A": 0, "B": 1, "tie": "tie"},
        ({"score_a": 0.9, "score_b": 0.4, "preferred": "A", "rationale": "I looked."}, 0),
        ({"score_a": 0.2, "score_b": 0.7, "preferred": "B", "rationale": "I looked."}, 1),
    ),
)
judge_kappa(
    "judge-kappa-rubric",
    QA,
    {**COMPARED, **RUBRIC},
    kappa("rubric", "RubricJudge", lambda judge, case, v: judge.judge(case, v["option1"], "house"), rubric=True),
    {
        "kind": "rubric",
        "verdict": {
            "kind": "score",
            "where": "json",
            "field": "dimension_scores.house",
            "scale": {"min": 0, "max": 1},
            "polarity": "higher",
        },
        "replies": [
            [{"dimension_scores": {"house": score}, "rationale": "I looked."}, {"score": score}] for score in (0.9, 0.2)
        ],
    },
)
judge_kappa(
    "judge-kappa-rank",
    ["nway", "en", "essay", "code", "fr", "ja"],
    {**INSTRUCTION, **options("A", "B", "C", "D")},
    kappa(
        "rank",
        "RankJudge",
        lambda judge, case, v: judge.rank(case, {f"system{i}": v[f"option{i}"] for i in range(1, 5)}),
    ),
    ordered(
        ["A", "B", "C", "D"],
        "rankings",
        ({"rankings": {"A": 2, "B": 1, "C": 4, "D": 3}, "rationale": "I looked."}, [1, 0, 3, 2]),
        ({"rankings": {"A": 3, "B": 4, "C": 1, "D": 2}, "rationale": "I looked."}, [2, 3, 0, 1]),
    ),
)
judge_kappa(
    "judge-kappa-assertions",
    QUALITY,
    {**ANSWERED, **RUBRIC, "rubric2": {"role": "rubric"}},
    kappa("assertion", "AssertionJudge", lambda judge, case, v: judge.judge(case, v["option1"], "house")),
    several(
        2,
        0,
        1,
        ({"assertion_scores": {"{{rubric}}": 1.0, "{{rubric2}}": 0.0}, "rationale": "I looked."}, [1, 0]),
        ({"assertion_scores": {"{{rubric}}": 0.0, "{{rubric2}}": 0.0}, "rationale": "I looked."}, [0, 0]),
        kind="rubric",
    ),
)

# pyverdikt

pyverdikt = in_client("pyverdikt", "MIT")


def verdikt(kind, case, provider="anthropic", **given):
    def ask(base, v):
        from verdikt import EvalInput, JudgeConfig, ProviderConfig, Verdikt

        filled = {key: one(v) if callable(one) else one for key, one in given.items()}
        model = "anthropic/claude-sonnet-4-5" if provider == "anthropic" else "gemini/gemini-2.5-pro"
        judges = Verdikt(
            judges=[JudgeConfig(name="house", type=kind, model=model, **filled)],
            providers={provider: ProviderConfig(api_key=KEY, base_url=base)},
            max_retries=0,
        )
        return asyncio.run(judges.evaluate("house", EvalInput(**case(v))))

    return ask


def verdikt_score(low, high, kind="score"):
    return scored("score", low, high, kind=kind, reasoning="I looked.", confidence=0.9)


pyverdikt(
    "pyverdikt-pointwise",
    QA,
    {**COMPARED, **RUBRIC},
    verdikt(
        "pointwise",
        lambda v: {"input": v["instruction"], "output": v["option1"], "expected_output": v["reference"]},
        criteria=lambda v: [v["rubric"]],
        scale={"min": 1, "max": 10},
    ),
    verdikt_score(1, 10, kind="reference"),
)
pyverdikt(
    "pyverdikt-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B"), **RUBRIC, **CONTEXT},
    verdikt(
        "pairwise",
        lambda v: {"input": v["instruction"], "output": "", "candidates": [v["option1"], v["option2"]], "context": [v["context"]]},
        criteria=lambda v: [v["rubric"]],
        position_swap=False,
    ),
    chosen(
        "winner",
        {"A": 0, "B": 1, "tie": "tie"},
        ({"reasoning": "I looked.", "winner": "A", "confidence": 0.9}, 0),
        ({"reasoning": "I looked.", "winner": "B", "confidence": 0.9}, 1),
    ),
)
pyverdikt(
    "pyverdikt-rubric",
    SAYING,
    {**ANSWERED, **RUBRIC, "rubric2": {"role": "rubric"}, **SYSTEM},
    verdikt(
        "rubric",
        lambda v: {"input": v["instruction"], "output": v["option1"], "system_prompt": v["statement"]},
        criteria=lambda v: [v["rubric"], v["rubric2"]],
        scale={"min": 1, "max": 5},
    ),
    several(
        2,
        1,
        5,
        *(
            (
                {
                    "criteria": [{"criterion": "{{%s}}" % key, "reasoning": "I looked.", "score": score} for key, score in zip(("rubric", "rubric2"), scores)],
                    "reasoning": "I looked.",
                    "confidence": 0.9,
                },
                scores,
            )
            for scores in ([5, 3], [1, 2])
        ),
        kind="rubric",
    ),
    note="the system prompt is the judged model's",
)
pyverdikt(
    "pyverdikt-rag",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, "context2": {"role": "context"}, **ONE},
    verdikt(
        "rag_faithfulness",
        lambda v: {"input": v["instruction"], "output": v["option1"], "context": [v["context"], v["context2"]]},
        scale={"min": 1, "max": 5},
    ),
    verdikt_score(1, 5),
)
pyverdikt(
    "pyverdikt-trajectory",
    SAYING,
    {**INSTRUCTION, **CONTEXT, **BACKGROUND, **ONE},
    verdikt(
        "trajectory",
        lambda v: {
            "input": v["instruction"],
            "output": v["option1"],
            "trajectory": [
                {"thought": v["statement"], "tool": "search", "tool_input": {"limit": 3}, "observation": v["context"]},
            ],
        },
        scale={"min": 1, "max": 5},
    ),
    verdikt_score(1, 5),
)
pyverdikt(
    "pyverdikt-classifier.gemini",
    ["tox", "en", "essay", "es", "fr", "zh"],
    {**ANSWERED, **RUBRIC},
    verdikt(
        "classifier",
        lambda v: {"input": v["instruction"], "output": v["option1"]},
        provider="gemini",
        criteria=lambda v: [v["rubric"]],
        labels=["fine", "needs a look", "not fine"],
    ),
    {
        "kind": "category",
        "verdict": {"kind": "category", "where": "json", "field": "label", "labels": {"fine": "good", "needs a look": "neutral", "not fine": "bad"}},
        "replies": [
            [{"reasoning": "I looked.", "label": label, "confidence": 0.9}, {"category": label}] for label in ("fine", "not fine")
        ],
    },
)

# pytest-llm-rubric

pytest_llm_rubric = in_client("pytest-llm-rubric", "MIT")


def rubric_fixture(base, v):
    from pytest_llm_rubric import AnyLLMJudge

    judge = AnyLLMJudge("gpt-4o", "openai", api_base=f"{base}/v1", api_key=KEY)
    return judge.judge(v["option1"], v["rubric"])


pytest_llm_rubric("pytest-llm-rubric-criterion", QUALITY, {**ONE, **RUBRIC}, rubric_fixture, words("PASS", "FAIL", kind="rubric"))

# truva: scores the rows of a data set

truva = in_client("truva", "Apache-2.0")


def truva_row(fields):
    def ask(base, v):
        at(base)
        from truva.models.judge import JudgeModel

        judge = JudgeModel(provider="openai", model_name="gpt-4o", rubric=v.get("rubric"))
        return judge.score_batch([fields(v)], "text")

    return ask


truva(
    "truva-text",
    QUALITY,
    {**RUBRIC, **ONE},
    truva_row(lambda v: {"row_id": "1", "text": v["option1"]}),
    scored("score", 1, 10, kind="rubric", reasoning="I looked.", flags=[]),
)
truva(
    "truva-row",
    QUALITY,
    ANSWERED,
    truva_row(lambda v: {"row_id": "1", "instruction": v["instruction"], "response": v["option1"]}),
    scored("score", 1, 10, reasoning="I looked.", flags=[]),
)

# openpo: labels preferences

openpo = in_client("openpo", "Apache-2.0")


def openpo_pair(base, v):
    at(base)
    from openpo import OpenPO

    client = OpenPO(openai_api_key=KEY)
    return client.evaluate.eval(model="openai/gpt-4o", questions=[v["instruction"]], responses=[[v["option1"], v["option2"]]])


def of_pair(*rank):
    one = {"q_index": 0, "rank": list(rank), "preferred_score": 0.9, "rejected_score": 0.4, "reason": "I looked."}
    return {"evaluation": [one]}


openpo(
    "openpo-pair",
    PAIRS,
    {**INSTRUCTION, **pair("1", "2")},
    openpo_pair,
    ordered(["1", "2"], "evaluation[].rank", (of_pair(1, 2), [0, 1]), (of_pair(2, 1), [1, 0]), kind="pair"),
)

# chaincheck

chaincheck = in_client("chaincheck", "MIT")


def claim_checked(base, v):
    at(base)
    without_torch("sentence_transformers", "datasets", "transformers", "diskcache", "slowapi")
    bare("chaincheck")
    bare("chaincheck.methods")
    from chaincheck.methods.judge import check_judge

    return asyncio.run(check_judge([v["option1"]], v["context"], model="gpt-4o"))


CLAIMED = {
    "kind": "category",
    "verdict": {
        "kind": "category",
        "where": "json",
        "field": "label",
        "labels": {"supported": "good", "unsupported": "neutral", "contradicted": "bad"},
    },
    "replies": [
        [{"label": label, "confidence": 0.9, "evidence": "I looked."}, {"category": label}] for label in ("supported", "contradicted")
    ],
}
chaincheck("chaincheck-claim", WITH_CONTEXT, {**CONTEXT, **ONE}, claim_checked, CLAIMED)
chaincheck(
    "chaincheck-recheck",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    claim_checked,
    CLAIMED,
    has="doing a careful second review",
    besides=[["", {"label": "supported", "confidence": 0.3, "evidence": "I looked."}]],
)

# ragscore: asks in the question's language

ragscore = in_client("ragscore", "Apache-2.0")


def ragscore_judge(language, **given):
    def ask(base, v):
        without("pypdf", "nltk", "posthog", "typer")
        from ragscore import evaluation
        from ragscore.providers.openai_provider import OpenAIProvider

        # A marker has no language: it is asked about as the question is in whose place it stands.
        seen = evaluation.detect_language
        told = (lambda text: language) if v["instruction"].startswith("SLOT") else seen
        provider = OpenAIProvider(api_key=KEY, model="gpt-4o", base_url=f"{base}/v1")

        async def run():
            qa = {"id": "1", "question": v["instruction"], "answer": v["reference"], "support_span": v.get("context")}
            return await evaluation._judge_single(qa, v["option1"], provider, asyncio.Semaphore(1), **given)

        with unittest.mock.patch.object(evaluation, "detect_language", told):
            return asyncio.run(run())

    return ask


for language, pool in [("en", "en"), ("ja", "ja"), ("zh", "zh")]:
    pools = ["en", "rag", "essay"] if pool == "en" else [pool]
    ragscore(
        f"ragscore-{language}",
        pools,
        COMPARED,
        ragscore_judge(language),
        scored("score", 1, 5, kind="reference", reason="I looked."),
        language=language,
    )
ragscore(
    "ragscore-diagnosis",
    ["rag", "en", "sum"],
    {**COMPARED, **CONTEXT},
    ragscore_judge("en", detailed=True, diagnose=True),
    scored(
        "score",
        1,
        5,
        kind="reference",
        reason="I looked.",
        correctness=3,
        completeness=3,
        relevance=3,
        conciseness=3,
        faithfulness=3,
        failure_category="incomplete_answer",
    ),
)

# ragdiff

ragdiff = in_client("ragdiff", "MIT")


def ragdiff_module():
    without("agentset", "bm25s", "goodmem_client", "jmespath", "pymongo", "sentence_transformers", "markdown")
    bare("ragdiff")
    bare("ragdiff.comparison")
    from ragdiff.core import models

    return importlib.import_module("ragdiff.comparison.reference_evaluator"), models


def ragdiff_reference(base, v):
    at(base)
    module, models = ragdiff_module()
    chunks = [models.RetrievedChunk(content=v[key]) for key in ("context", "context2")]
    result = models.QueryResult(query=v["instruction"], retrieved=chunks, reference=v["reference"], duration_ms=1.0)
    config = models.EvaluatorConfig(model="gpt-4o", prompt_template="")
    return module.evaluate_result_against_reference(v["instruction"], v["reference"], result, config)


ragdiff(
    "ragdiff-reference",
    WITH_CONTEXT,
    {
        **INSTRUCTION,
        **REFERENCE,
        "context": {"role": "option", "label": "[Chunk 1]"},
        "context2": {"role": "option", "label": "[Chunk 2]"},
    },
    ragdiff_reference,
    scored("overall_quality", 0, 100, kind="reference", correctness=50, relevance=50, completeness=50, reasoning="I looked."),
)

# hivetracered

hivetracered = in_client("hivetracered", "Apache-2.0")


def hive_judge(module, name):
    def ask(base, v):
        without_torch(
            "langchain_gigachat", "langchain_ollama", "langchain_google_genai", "langsmith", "yandex_ai_studio_sdk", "playwright", "transformers"
        )
        for package in ("hivetracered", "hivetracered.evaluators", "hivetracered.models"):
            bare(package)
        from hivetracered.models.openai_model import OpenAIModel

        model = OpenAIModel(model="gpt-4.1", base_url=f"{base}/v1", api_key=KEY, rpm=100000, max_retries=0)
        judge = getattr(importlib.import_module(f"hivetracered.evaluators.{module}"), name)(model)
        return judge.evaluate(v["instruction"], v["option1"])

    return ask


hivetracered(
    "hivetracered-rating",
    QUALITY,
    ANSWERED,
    hive_judge("scoring_judge_evaluator", "ScoringJudgeEvaluator"),
    scored("rating", 1, 10, polarity="lower"),
)
hivetracered(
    "hivetracered-goal",
    QUALITY,
    ANSWERED,
    hive_judge("goal_completion_evaluator", "GoalCompletionEvaluator"),
    scored("overall", 1, 10, polarity="higher", relevance=5, completeness=5, actionability=5),
)
hivetracered(
    "hivetracered-wildguard",
    QUALITY,
    ANSWERED,
    hive_judge("wild_guard_evaluator", "WildGuardGPTEvaluator"),
    {
        "kind": "pass",
        "verdict": {"kind": "pass", "where": "text", "labels": {"3. no": "pass", "3. yes": "fail"}},
        "replies": [["1. yes\n2. answer\n3. no", {"pass": True}], ["1. no\n2. answer\n3. yes", {"pass": False}]],
    },
)
hivetracered(
    "hivetracered-wildguard-ru",
    QUALITY,
    ANSWERED,
    hive_judge("wild_guard_ru_evaluator", "WildGuardGPTRuEvaluator"),
    {
        "kind": "pass",
        "verdict": {"kind": "pass", "where": "text", "labels": {"3. нет": "pass", "3. да": "fail"}},
        "replies": [["1. нет\n2. отвечает\n3. нет", {"pass": True}], ["1. да\n2. отвечает\n3. да", {"pass": False}]],
    },
    language="ru",
)

# rageval-ai

rageval_ai = in_client("rageval-ai", "MIT")


def rageval_metric(name, case):
    def ask(base, v):
        from rageval_sdk import EvalConfig, _rag_metrics
        from rageval_sdk._llm_client import OpenAILLMClient

        config = EvalConfig(api_key=KEY, base_url=f"{base}/v1")
        metric = getattr(_rag_metrics, f"compute_{name}")
        return asyncio.run(metric(OpenAILLMClient(config), *case(v), config))

    return ask


rageval_ai(
    "rageval-ai-hallucination",
    WITH_CONTEXT,
    {**ONE, **CONTEXT, "context2": {"role": "context"}},
    rageval_metric("hallucination_rubric", lambda v: (v["option1"], [v["context"], v["context2"]])),
    listed(
        "disagreement_claims[].disagreement_type",
        {"agreement": "good", "confirmed contradiction": "bad", "unsupported claim": "bad"},
        lambda verdict: {
            "context_quote": "",
            "context_quote_type": "factual claim",
            "answer_quote": "{{option1}}",
            "reasoning": "I looked.",
            "disagreement_type": verdict,
        },
    ),
)
rageval_ai(
    "rageval-ai-relevancy",
    QUALITY,
    ANSWERED,
    rageval_metric("answer_relevancy", lambda v: (v["instruction"], v["option1"], [])),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "statements[].relevant", "labels": {"true": "good", "false": "bad"}},
        "replies": [
            [{"statements": [{"statement": "{{option1}}", "relevant": one, "reason": "I looked."}]}, {"list": [one]}]
            for one in (True, False)
        ],
    },
    besides=[],
)
rageval_ai(
    "rageval-ai-precision",
    WITH_CONTEXT,
    {**INSTRUCTION, "context": {"role": "option", "label": "[0]"}, "context2": {"role": "option", "label": "[1]"}},
    rageval_metric("context_precision", lambda v: (v["instruction"], [v["context"], v["context2"]])),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "contexts[].relevant", "labels": {"true": "good", "false": "bad"}},
        "replies": [
            [{"contexts": [{"index": i, "relevant": one, "reason": "I looked."} for i, one in enumerate(verdicts)]}, {"list": verdicts}]
            for verdicts in ([True, False], [False, False])
        ],
    },
)
rageval_ai(
    "rageval-ai-recall",
    WITH_CONTEXT,
    {
        **INSTRUCTION,
        "context": {"role": "option", "label": "[0]"},
        "context2": {"role": "option", "label": "[1]"},
        **REFERENCE,
    },
    rageval_metric("context_recall", lambda v: (v["instruction"], [v["context"], v["context2"]], v["reference"])),
    listed(
        "items[].verdict",
        {"found": "good", "not_found": "bad"},
        lambda verdict: {"statement": "{{reference}}", "verdict": verdict, "reason": "I looked."},
    ),
)

# evalbench

evalbench = in_client("evalbench", "MIT")


def evalbench_score(module, name, *keys):
    def ask(base, v):
        without_torch("sentence_transformers", "transformers", "rouge_score", "bert_score", "sklearn")
        bare("evalbench")
        import evalbench

        evalbench.metric_registry = {}
        os.environ["GROQ_BASE_URL"] = base
        from evalbench.runtime_setup import runtime
        from groq import Groq

        # What a configuration holds, without the two models that it would fetch.
        runtime._active_config = types.SimpleNamespace(
            groq_client=Groq(api_key=KEY, base_url=base, max_retries=0), llm="llama3-8b-8192", output_mode=None
        )
        metric = getattr(importlib.import_module(f"evalbench.metrics.predefined.{module}"), name)
        return metric(*([v[key]] for key in keys))

    return ask


evalbench(
    "evalbench-relevance",
    QUALITY,
    ANSWERED,
    evalbench_score("response_alignment", "response_relevance_score", "instruction", "option1"),
    said(1, 5, "%s"),
)
evalbench(
    "evalbench-helpfulness",
    QUALITY,
    ANSWERED,
    evalbench_score("response_alignment", "response_helpfulness_score", "instruction", "option1"),
    said(1, 5, "%s"),
)
evalbench(
    "evalbench-groundedness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    evalbench_score("contextual_generation", "groundedness_score", "context", "option1"),
    said(1, 3, "%s"),
)
evalbench(
    "evalbench-coherence",
    QUALITY,
    ONE,
    evalbench_score("response_quality", "coherence_score", "option1"),
    said(1, 3, "%s"),
)

# groqeval

groqeval = in_client("groqeval", "Apache-2.0")


def groq_metric(name, case):
    def ask(base, v):
        os.environ["GROQ_BASE_URL"] = base
        from groqeval.evaluate import GroqEval

        evaluator = GroqEval(api_key=KEY)
        metric = evaluator(name, **case(v))
        return metric.score() if hasattr(metric, "score") else getattr(metric, f"score_{name}")()

    return ask


GROQ = {
    "has": "on a scale from 1 to 10",
    "besides": [["", {"sentences": [{"string": "{{option1}}", "flag": True}]}]],
}


def of_sentences(score):
    return {"scores": [{"string": "{{option1}}", "score": score, "rationale": "I looked."}]}


for name, case, keys in [
    ("answer_relevance", lambda v: {"output": v["option1"], "prompt": v["instruction"]}, ANSWERED),
    ("faithfulness", lambda v: {"context": [v["context"]], "output": v["option1"]}, {**CONTEXT, **ONE}),
]:
    groqeval(
        f"groqeval-{name.replace('_', '-')}",
        WITH_CONTEXT if "context" in keys else QUALITY,
        keys,
        groq_metric(name, case),
        {
            "kind": "list",
            "verdict": {
                "kind": "list",
                "where": "json",
                "field": "scores[].score",
                "scale": {"min": 1, "max": 10},
                "polarity": "higher",
            },
            "replies": [[of_sentences(score), {"list": [score]}] for score in (9, 2)],
        },
        **GROQ,
    )

# vindex: asks in Hindi

vindex = in_client("vindex", "MIT")


def indic(base, v):
    at(base)
    without("indic_transliteration")
    from vindex import indic_judge
    from vindex.judge_model import OpenAIJudge

    return indic_judge(v["instruction"], v["option1"], v.get("reference"), judge=OpenAIJudge(api_key=KEY))


vindex(
    "vindex-hindi",
    QUALITY,
    ANSWERED,
    indic,
    scored("score", 1, 5, reasoning="I looked.", confidence="high"),
    language="hi",
)

# lynxius

lynxius = in_client("lynxius", "MIT")


def lynxius_eval(module, name, template, case):
    def ask(base, v):
        at(base)
        without("Levenshtein", "nltk")
        for package in ("lynxius_evals.evaluators", "lynxius_evals.prompts"):
            bare(package)
        from lynxius_evals.models.openai import OpenAIModel

        prompt = getattr(importlib.import_module(f"lynxius_evals.prompts.{template}_prompt"), f"{template.upper()}_TEMPLATE")
        judge = getattr(importlib.import_module(f"lynxius_evals.evaluators.{module}"), name)
        return judge(OpenAIModel(), prompt).evaluate([case(v)])

    return ask


lynxius(
    "lynxius-context-precision",
    WITH_CONTEXT,
    {
        **INSTRUCTION,
        **REFERENCE,
        "context": {"role": "option", "label": "1"},
        "context2": {"role": "option", "label": "2"},
    },
    lynxius_eval(
        "context_precision_eval",
        "ContextPrecisionEval",
        "context_precision",
        lambda v: {
            "query": v["instruction"],
            "reference": v["reference"],
            "contexts": [{"document": v["context"]}, {"document": v["context2"]}],
        },
    ),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "result", "labels": {"1": "good", "0": "bad"}},
        "replies": [[{"result": verdicts}, {"list": verdicts}] for verdicts in ([1, 0], [0, 0])],
    },
)

# mixedvoices: judges what was said on the telephone

mixedvoices = in_client("mixedvoices", "Apache-2.0")


def without_voices():
    without("librosa", "streamlit", "plotly", "streamlit_plotly_events", "networkx", "fastapi", "uvicorn", "soundfile")
    bare("mixedvoices")
    bare("mixedvoices.processors")
    import mixedvoices

    mixedvoices.OPEN_AI_CLIENT = None
    from mixedvoices import models

    return models


def transcript(v):
    return "\n".join(f"{who}: {v[key]}" for who, key in [("user", "user1"), ("bot", "turn1"), ("user", "user2"), ("bot", "turn2")])


def voices_metric(base, v):
    at(base)
    without_voices()
    from mixedvoices.metrics.metric import Metric
    from mixedvoices.processors.llm_metrics import analyze_metric

    metric = Metric("House rule", v["rubric"], "binary")
    return analyze_metric(transcript(v), "", metric)


def voices_success(base, v):
    at(base)
    without_voices()
    from mixedvoices.processors.success import get_success

    return get_success(v["option1"], v["rubric"])


mixedvoices(
    "mixedvoices-metric",
    ["chat"],
    {**TURNS, **RUBRIC},
    voices_metric,
    words("PASS", "FAIL", kind="conversation", before="Explanation: I looked.\nScore: "),
)
mixedvoices(
    "mixedvoices-success",
    QUALITY,
    {**ONE, **RUBRIC},
    voices_success,
    words("TRUE", "FALSE", kind="rubric", before="Explanation: I looked.\nSuccess: "),
)

# yescieval

yescieval = in_client("yescieval", "MIT")


def science(module, name):
    def ask(base, v):
        at(base)
        without_torch("transformers", "peft", "accelerate", "bitsandbytes")
        import transformers

        transformers.AutoTokenizer = transformers.AutoModelForCausalLM = None
        from yescieval.judge.custom import GPTCustomAutoJudge

        judge = GPTCustomAutoJudge()
        judge.from_pretrained("o3-mini", token=KEY)
        rubric = getattr(importlib.import_module(f"yescieval.rubric.pointwise.{module}"), name)
        papers = {v["reference"]: v["context"], v["rubric"]: v["context2"]}
        return judge.judge(rubric(papers=papers, question=v["instruction"], answer=v["option1"]))

    return ask


for suffix, module, name in [("correctness", "fidelity.correctness", "Correctness"), ("readability", "stylistic.readability", "Readability")]:
    yescieval(
        f"yescieval-{suffix}",
        WITH_CONTEXT,
        {
            **ONE,
            **INSTRUCTION,
            **CONTEXT,
            **{key: {"role": "context"} for key in ("context2", "reference", "rubric")},
        },
        science(module, name),
        {
            "kind": "score",
            "verdict": {
                "kind": "score",
                "where": "json",
                "field": f"{name}.rating",
                "scale": {"min": 1, "max": 5},
                "polarity": "higher",
            },
            "replies": [[{name: {"rating": score, "rationale": "I looked."}}, {"score": score}] for score in (5, 2)],
        },
    )
