"""A third file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, each list in an environment of its own:

    py-openjudge==0.2.4
    rubric==2.2.0 verifiers==0.4.0 openai
    continuous-eval==0.3.14.post2
    rewardbench==0.1.4 fschat==0.2.36 (both with --no-deps) openai anthropic==0.49.0 together google-generativeai
    alpaca_eval==0.6.6 "setuptools<80"
    ragas==0.4.3 langchain==0.3.30 langchain-community==0.3.31 langchain-core==0.3.86 openai==2.54.0 instructor==1.17.0
"""

import asyncio
import os

from clients import (
    BINARY,
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
    alpaca,
    alpaca_annotator,
    in_client,
    listed,
    pair,
    passed,
    ragas,
    ragas_metric,
    ranking_reply,
    rewardbench,
    rewardbench_module,
    scored,
    statement,
    words,
)
from clients_second import at, category, messages_of, said


def choice(first, second, labels=None, field=None, where="text", kind="pair"):
    """Which of two is better. @param first what the judge says for the first option"""
    return {
        "kind": kind,
        "verdict": {"kind": "choice", "where": where, **({"field": field} if field else {}), "labels": labels},
        "replies": [[first, {"choice": 0}], [second, {"choice": 1}]],
    }


# openjudge

openjudge = in_client("py-openjudge", "openjudge", "Apache-2.0")


def openjudge_grader(module, name, case, language="en"):
    def ask(base, v):
        import importlib

        from openjudge.models.openai_chat_model import OpenAIChatModel

        model = OpenAIChatModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        grader = getattr(importlib.import_module(f"openjudge.graders.{module}"), name)(model=model, language=language)
        asyncio.run(grader.aevaluate(**case(v)))

    return ask


def openjudge_case(v):
    names = {"instruction": "query", "option1": "response", "context": "context", "reference": "reference_response"}
    return {names[key]: value for key, value in v.items() if key in names}


def openjudge_talk(v):
    return {"history": messages_of(v)[:3], "response": v["turn2"]}


ONE_TO_FIVE = scored("score", 1, 5, reason="I looked.")
for name, module, grader, pools, keys, case, language in [
    ("correctness", "common.correctness", "CorrectnessGrader", QA, {**INSTRUCTION, **ONE, **REFERENCE}, openjudge_case, "en"),
    ("hallucination-zh", "common.hallucination", "HallucinationGrader", ["zh", "rag", "ja", "sum"], {**INSTRUCTION, **CONTEXT, **ONE}, openjudge_case, "zh"),
    ("harmfulness", "common.harmfulness", "HarmfulnessGrader", ["tox", "en", "essay"], {**INSTRUCTION, **ONE}, openjudge_case, "en"),
    ("instruction-following-zh", "common.instruction_following", "InstructionFollowingGrader", ["zh", "code", "essay"], {**INSTRUCTION, **ONE}, lambda v: {"instruction": v["instruction"], "response": v["option1"]}, "zh"),
    ("relevance", "common.relevance", "RelevanceGrader", QUALITY, {**INSTRUCTION, **ONE}, openjudge_case, "en"),
    ("context-memory", "multi_turn.context_memory_grader", "ContextMemoryGrader", ["chat"], {**TURNS, "turn1": {"role": "context"}}, openjudge_talk, "en"),
    ("self-correction-zh", "multi_turn.self_correction_grader", "SelfCorrectionGrader", ["chat"], {**TURNS, "turn1": {"role": "context"}}, openjudge_talk, "zh"),
    ("plan-decomposition", "agent.plan.plan_decomposition", "PlanDecompositionGrader", QUALITY, {**INSTRUCTION, **ONE}, lambda v: {"query": v["instruction"], "plan": v["option1"]}, "en"),
    ("reasoning-groundedness", "agent.reasoning.reasoning_groundedness", "ReasoningGroundednessGrader", WITH_CONTEXT, {**CONTEXT, **ONE}, lambda v: {"observation": v["context"], "reasoning": v["option1"]}, "en"),
    ("code-security", "code.code_security", "CodeSecurityGrader", ["code", "sql"], {**INSTRUCTION, **ONE}, openjudge_case, "en"),
]:
    kind = "reference" if "reference" in keys else "conversation" if "user1" in keys else "score"
    openjudge(f"openjudge-{name}", pools, keys, openjudge_grader(module, grader, case, language), {**ONE_TO_FIVE, "kind": kind})

# rubric

rubric = in_client("rubric", "rubric", "MIT")


def rubric_grader(name, output):
    def ask(base, v):
        from openai import OpenAI
        from rubric import Rubric, autograders
        from rubric.autograders import schemas
        from rubric.types import Criterion

        client = OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)

        async def generate(system_prompt, user_prompt, **_):
            messages = [{"role": "system", "content": system_prompt}, {"role": "user", "content": user_prompt}]
            reply = client.chat.completions.create(model="gpt-4o", messages=messages)
            return getattr(schemas, output).model_validate_json(reply.choices[0].message.content)

        criteria = [Criterion(weight=2.0, requirement=v["rubric"])]
        if name != "PerCriterionGrader":
            criteria.append(Criterion(weight=-1.0, requirement="Names a person who does not occur in the query."))
        grader = getattr(autograders, name)(generate_fn=generate)
        asyncio.run(Rubric(criteria).grade(to_grade=v["option1"], autograder=grader, query=v["instruction"]))

    return ask


RUBRIC_KEYS = {**RUBRIC, **INSTRUCTION, **ONE}
rubric(
    "rubric-per-criterion",
    QUALITY,
    RUBRIC_KEYS,
    rubric_grader("PerCriterionGrader", "PerCriterionOutput"),
    passed("criterion_status", "MET", "UNMET", kind="rubric", explanation="I looked."),
)


def criteria_met(first, second):
    statuses = enumerate([first, second], 1)
    return {"criteria_evaluations": [{"criterion_number": i, "criterion_status": s, "explanation": "So."} for i, s in statuses]}


rubric(
    "rubric-one-shot",
    QUALITY,
    RUBRIC_KEYS,
    rubric_grader("PerCriterionOneShotGrader", "OneShotOutput"),
    {
        "kind": "list",
        "verdict": {
            "kind": "list",
            "where": "json",
            "field": "criteria_evaluations[].criterion_status",
            "labels": {"MET": "good", "UNMET": "bad"},
        },
        "replies": [
            [criteria_met("MET", "UNMET"), {"list": ["MET", "UNMET"]}],
            [criteria_met("UNMET", "UNMET"), {"list": ["UNMET", "UNMET"]}],
        ],
        "note": "the second criterion is negative: there MET is the bad side",
    },
)
rubric(
    "rubric-as-judge",
    QUALITY,
    RUBRIC_KEYS,
    rubric_grader("RubricAsJudgeGrader", "RubricAsJudgeOutput"),
    scored("overall_score", 0, 100, kind="rubric", explanation="I looked."),
)

# continuous-eval

continuous = in_client("continuous-eval", "continuous_eval", "Apache-2.0")


def continuous_metric(module, name, case):
    def ask(base, v):
        at(base)
        import importlib

        metric = getattr(importlib.import_module(f"continuous_eval.metrics.{module}"), name)()
        metric.compute(**case(v))

    return ask


TEXT = "generation.text.llm_based"
REASONED = {"reasoning": "I looked."}
for name, module, metric, pools, keys, case, form in [
    ("faithfulness", TEXT, "Faithfulness", WITH_CONTEXT, {**CONTEXT, **ONE}, lambda v: {"retrieved_context": v["context"], "answer": v["option1"]}, passed("score", "Yes", "No", **REASONED)),
    ("correctness", TEXT, "AnswerCorrectness", QA, {**INSTRUCTION, **ONE, **REFERENCE}, lambda v: {"question": v["instruction"], "answer": v["option1"], "ground_truth_answers": v["reference"]}, scored("score", 1, 5, kind="reference", **REASONED)),
    ("relevance", TEXT, "AnswerRelevance", QUALITY, {**INSTRUCTION, **ONE}, lambda v: {"question": v["instruction"], "answer": v["option1"]}, scored("score", 1, 3, **REASONED)),
    ("style-consistency", TEXT, "StyleConsistency", QUALITY, {**ONE, **REFERENCE}, lambda v: {"answer": v["option1"], "ground_truth_answers": [v["reference"]]}, scored("score", 1, 4, kind="reference", **REASONED)),
    ("sql-correctness", "code.sql.llm", "SQLCorrectness", ["sql"], {**INSTRUCTION, **ONE, **REFERENCE}, lambda v: {"question": v["instruction"], "answer": v["option1"], "ground_truth_answers": v["reference"], "schema": {"orders": ["id", "total", "placed_at"]}}, scored("score", 0, 5, kind="reference", **REASONED)),
    ("context-precision", "retrieval.llm_based", "ContextPrecision", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, lambda v: {"question": v["instruction"], "retrieved_context": [v["context"]]}, passed("score", "Yes", "No", **REASONED)),
]:
    continuous(f"continuous-eval-{name}", pools, keys, continuous_metric(module, metric, case), form)

# RewardBench: the prompts of other judge models


def rewardbench_modifier(name):
    def ask(base, v):
        os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
        asked = {"role": "user", "content": v["instruction"]}
        answers = [[asked, {"role": "assistant", "content": v[key]}] for key in ["option1", "option2"]]
        module = rewardbench_module("generative")
        module.run_judge_pair(v["instruction"], *answers, "gpt-4o-2024-05-13", model_modifier=name)

    return ask


def rewardbench_turns(base, v):
    os.environ["OPENAI_BASE_URL"] = f"{base}/v1"
    talks = [
        [
            {"role": "user", "content": v["user1"]},
            {"role": "assistant", "content": v[f"{side}1"]},
            {"role": "user", "content": v["user2"]},
            {"role": "assistant", "content": v[f"{side}2"]},
        ]
        for side in ["turn", "other"]
    ]
    rewardbench_module("generative").run_judge_pair(v["user1"], *talks, "gpt-4o-2024-05-13", multi_turn=True)


for name, modifier, pools, labels, form in [
    ("prometheus", "prometheus", PAIRS, "AB", choice("The first. [RESULT] A", "The second. [RESULT] B", {"A": 0, "B": 1})),
    ("offsetbias", "offsetbias", PAIRS, ["Output (a)", "Output (b)"], choice("Output (a)", "Output (b)", {"Output (a)": 0, "Output (b)": 1})),
    ("con-j", "Con-J", ["zh", "en", "ja", "code"], "12", choice('{"原因": "第一个更准确。", "更好的回答": 1}', '{"原因": "第二个更完整。", "更好的回答": 2}', {"1": 0, "2": 1}, "更好的回答", "json")),
    ("rise", "RISE-Judge", ["zh", "essay", "de"], "AB", choice("第一个更好。\n\n结论：[[A]]", "第二个更好。\n\n结论：[[B]]", {"[[A]]": 0, "[[B]]": 1})),
    ("atla", "Atla", PAIRS, "AB", choice("**Reasoning:** It is so.\n\n**Result:** A", "**Reasoning:** It is so.\n\n**Result:** B", {"A": 0, "B": 1})),
]:
    rewardbench(f"rewardbench-{name}", pools, {**INSTRUCTION, **pair(*labels)}, rewardbench_modifier(modifier), form)
A_TALK = {key: {"role": "option", "label": "A"} for key in ["turn1", "turn2"]}
B_TALK = {key: {"role": "option", "label": "B"} for key in ["other1", "other2"]}
ASKED_TWICE = {"user1": {"role": "instruction"}, "user2": {"role": "instruction"}}
rewardbench(
    "rewardbench-multi-turn",
    ["chat"],
    {**ASKED_TWICE, **A_TALK, **B_TALK},
    rewardbench_turns,
    {**choice("A is right. [[A]]", "B is right. [[B]]", {"[[A]]": 0, "[[B]]": 1}), "kind": "conversation"},
)

# alpaca_eval: one more of its annotators

alpaca(
    "alpaca-farm",
    PAIRS,
    {**INSTRUCTION, **pair("Output (a)", "Output (b)")},
    alpaca_annotator("alpaca_farm_greedy_gpt4"),
    choice("Output (a)", "Output (b)", {"Output (a)": 0, "Output (b)": 1}),
)

# ragas: more of its collections

ragas(
    "ragas-factual-correctness",
    WITH_CONTEXT,
    {**ONE, **REFERENCE},
    ragas_metric("FactualCorrectness", lambda v: {"response": v["option1"], "reference": v["reference"]}, mode="precision"),
    {**listed("statements[].verdict", BINARY, statement), "kind": "reference"},
    has="judge the faithfulness of a series of statements",
    besides=[["", {"claims": ["{{option1}}"]}]],
)
def ragas_goal(base, v):
    from ragas.messages import AIMessage, HumanMessage

    talk = [
        HumanMessage(content=v["user1"]),
        AIMessage(content=v["turn1"]),
        HumanMessage(content=v["user2"]),
        AIMessage(content=v["turn2"]),
    ]
    ragas_metric("AgentGoalAccuracyWithoutReference", lambda _: {"user_input": talk})(base, v)


ragas(
    "ragas-goal-accuracy",
    ["chat"],
    {key: {"role": "context"} for key in TURNS},
    ragas_goal,
    {"kind": "none", "verdict": {"kind": "none", "where": "json"}, "replies": [[{"user_goal": "An answer.", "end_state": "It was given."}, {"none": True}]]},
    has="identify the user_goal",
    besides=[["", {"reason": "I looked.", "verdict": "1"}]],
    note="asks for the goal and the end of a talk: an extraction",
)
