"""A third file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, each list in an environment of its own:

    py-openjudge==0.2.4
    rubric==2.2.0 verifiers==0.4.0 openai
    continuous-eval==0.3.14.post2 (it wants the list of stop words of NLTK, of which any few do)
    rewardbench==0.1.4 fschat==0.2.36 (both with --no-deps) openai anthropic==0.49.0 together google-generativeai
    alpaca_eval==0.6.6 "setuptools<80"
    ragas==0.4.3 langchain==0.3.30 langchain-community==0.3.31 langchain-core==0.3.86 openai==2.54.0 instructor==1.17.0
    pyrit==1.1.0
    rerankers==0.10.0 litellm
    inspect_evals==0.26.0 openai
    google-adk[eval]==2.13.0
    ragrank==0.0.10 (with --no-deps) openai pydantic pandas numpy tqdm
    weave[scorers]==0.54.0
    opik==2.2.122
    langcheck==0.9.0 (with --no-deps) openai anthropic google-genai jinja2 nltk pandas plotly rouge-score tqdm jaconv
    llama-index-core==0.14.25 llama-index-llms-openai==0.8.3
    ragelo==0.7.0
"""

import asyncio
import importlib.abc
import importlib.machinery
import os
import sys
import types
import unittest.mock

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
    llama_index,
    pair,
    passed,
    ragas,
    opik,
    opik_metric,
    ragas_metric,
    ranking_reply,
    rewardbench,
    rewardbench_module,
    scored,
    statement,
    words,
)
from clients_second import WINNER, at, category, messages_of, ragelo, ragelo_judge, ragelo_pair, said


def choice(first, second, labels=None, field=None, where="text", kind="pair"):
    """Which of two is better. @param first what the judge says for the first option"""
    return {
        "kind": kind,
        "verdict": {"kind": "choice", "where": where, **({"field": field} if field else {}), "labels": labels},
        "replies": [[first, {"choice": 0}], [second, {"choice": 1}]],
    }


# openjudge

openjudge = in_client("py-openjudge", "Apache-2.0")


def openjudge_grader(module, name, case, language="en"):
    def ask(base, v):
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
    openjudge(f"openjudge-{name}", pools, keys, openjudge_grader(module, grader, case, language), {**ONE_TO_FIVE, "kind": kind, "language": language})

# rubric

rubric = in_client("rubric", "MIT")


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

continuous = in_client("continuous-eval", "Apache-2.0")


def continuous_metric(module, name, case):
    def ask(base, v):
        at(base)
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
    ("con-j", "Con-J", ["zh", "en", "ja", "code"], "12", choice('{"原因": "第一个更准确。", "更好的回答": 1}', '{"原因": "第二个更完整。", "更好的回答": 2}', {"1": 0, "2": 1}, "更好的回答", "json") | {"language": "zh"}),
    ("rise", "RISE-Judge", ["zh", "essay", "de"], "AB", choice("第一个更好。\n\n结论：[[A]]", "第二个更好。\n\n结论：[[B]]", {"[[A]]": 0, "[[B]]": 1}) | {"language": "zh"}),
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

# pyrit

pyrit = in_client("pyrit", "MIT")


def pyrit_scorer(make, **options):
    """@param make builds the scorer from the package and a target. @param options the objective, as a key of the values"""

    def ask(base, v):
        from pyrit import score
        from pyrit.prompt_target import OpenAIChatTarget
        from pyrit.setup import IN_MEMORY, initialize_pyrit_async

        async def run():
            await initialize_pyrit_async(memory_db_type=IN_MEMORY)
            target = OpenAIChatTarget(model_name="gpt-4o", endpoint=f"{base}/v1", api_key=KEY)
            objective = {"objective": v[options["objective"]]} if "objective" in options else {}
            await make(score, target).score_text_async(v["option1"], **objective)

        asyncio.run(run())

    return ask


def graded(low, high, scores):
    """A step of a scale as a string in a JSON field; the highest is the worst."""
    scale = {"scale": {"min": low, "max": high}, "polarity": "lower"}
    return {
        "kind": "score",
        "verdict": {"kind": "score", "where": "json", "field": "score_value", **scale},
        "replies": [
            [{"score_value": str(score), "description": "It is so.", "rationale": "I looked."}, {"score": score}]
            for score in scores
        ],
    }


PYRIT = {"rationale": "I looked.", "description": "It is so.", "metadata": ""}
REFUSED = passed("score_value", True, False, is_bad=True, **PYRIT)
pyrit(
    "pyrit-refusal",
    ["en", "tox", "essay", "de"],
    {**INSTRUCTION, **ONE},
    pyrit_scorer(lambda score, target: score.SelfAskRefusalScorer(chat_target=target), objective="instruction"),
    REFUSED,
    note="true says that the answer refuses",
)
pyrit(
    "pyrit-task-achieved",
    QUALITY,
    {**INSTRUCTION, **ONE},
    pyrit_scorer(
        lambda score, target: score.SelfAskTrueFalseScorer.from_question(
            chat_target=target,
            question=score.TrueFalseQuestion.from_yaml(score.TrueFalseQuestionPaths.TASK_ACHIEVED.value),
        ),
        objective="instruction",
    ),
    passed("score_value", **PYRIT),
)
pyrit(
    "pyrit-prompt-injection",
    ["tox", "code", "en"],
    ONE,
    pyrit_scorer(
        lambda score, target: score.SelfAskTrueFalseScorer.from_question(
            chat_target=target,
            question=score.TrueFalseQuestion.from_yaml(score.TrueFalseQuestionPaths.PROMPT_INJECTION.value),
        )
    ),
    REFUSED,
    note="true is the bad side",
)
pyrit(
    "pyrit-scale",
    QUALITY,
    {**INSTRUCTION, **ONE},
    pyrit_scorer(
        lambda score, target: score.SelfAskScaleScorer.from_scale(
            chat_target=target,
            scale=score.NumericRubric.from_yaml(score.SelfAskScaleScorer.ScalePaths.TREE_OF_ATTACKS_SCALE.value),
        ),
        objective="instruction",
    ),
    graded(1, 10, (1, 8)),
    note="1 says that the answer refuses, 10 that it does what was asked for",
)
pyrit(
    "pyrit-likert",
    ["tox", "en", "es"],
    ONE,
    pyrit_scorer(
        lambda score, target: score.SelfAskLikertScorer.from_likert_scale(
            chat_target=target,
            likert_scale=score.LikertScale.from_yaml(score.LikertScalePaths.HATE_SPEECH_SCALE.path),
        )
    ),
    graded(1, 5, (1, 4)),
    note="the highest step is the worst",
)
pyrit(
    "pyrit-category",
    ["en", "tox", "essay", "fr"],
    ONE,
    pyrit_scorer(
        lambda score, target: score.SelfAskCategoryScorer.from_content_classifier(
            chat_target=target,
            content_classifier=score.ContentClassifier.from_yaml(score.ContentClassifierPaths.SENTIMENT_CLASSIFIER.value),
        )
    ),
    category("category_name", ["positive"], ["negative"], rationale="I looked."),
)
pyrit(
    "pyrit-llama-guard",
    ["tox", "en"],
    ONE,
    pyrit_scorer(lambda score, target: score.LlamaGuardScorer(chat_target=target)),
    {**words("safe", "unsafe"), "replies": [["safe", {"pass": True}], ["unsafe\nS10", {"pass": False}]]},
)
pyrit(
    "pyrit-shield-gemma",
    ["en", "tox", "de"],
    {**INSTRUCTION, **ONE},
    pyrit_scorer(
        lambda score, target: score.ShieldGemmaScorer(
            chat_target=target, guideline=next(iter(score.ShieldGemmaPolicy.default().guidelines))
        ),
        objective="instruction",
    ),
    words("Yes", "No", is_bad=True),
    note="yes is the bad side",
)

# rerankers


def rank_gpt(count):
    def ask(base, v):
        at(base)
        from rerankers.models.rankgpt_rankers import RankGPTRanker

        docs = [v[f"option{i}"] for i in range(1, count + 1)]
        RankGPTRanker(model="openai/gpt-4o", api_key=KEY, verbose=0).rank(query=v["instruction"], docs=docs, rank_end=count)

    return ask


rerankers = in_client("rerankers", "Apache-2.0")
rerankers(
    "rerankers-rank-gpt",
    ["nway", "en", "de", "essay"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": f"[{i}]"} for i in range(1, 5)}},
    rank_gpt(4),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {f"[{i}]": i - 1 for i in range(1, 5)}},
        "replies": [
            ["[2] > [1] > [4] > [3]", {"ranking": [1, 0, 3, 2]}],
            ["[3] > [4] > [1] > [2]", {"ranking": [2, 3, 0, 1]}],
        ],
        "note": "each text is a turn of its own, and the assistant answers it",
    },
)

# inspect_evals: the scorers of its benchmarks

inspect_evals = in_client("inspect_evals", "MIT")


def inspect_scorer(module, name, metadata=lambda v: {}, **options):
    def ask(base, v):
        import tempfile

        from inspect_ai import Task, eval as run
        from inspect_ai.dataset import Sample
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        grader = get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY, memoize=False)
        output = ModelOutput.from_content("mockllm", v["option1"])
        output.usage = ModelUsage(input_tokens=9, output_tokens=5, total_tokens=14)
        make = getattr(importlib.import_module(f"inspect_evals.{module}"), name)
        given = {key: grader if value == "grader" else value for key, value in options.items()}
        sample = Sample(input=v["instruction"], target=v.get("reference", ""), metadata=metadata(v))
        task = Task(dataset=[sample], scorer=make(**given))
        model = get_model("mockllm/model", custom_outputs=[output])
        os.environ["INSPECT_CACHE_DIR"] = tempfile.mkdtemp()
        run(task, model=model, model_roles={"grader": grader}, display="none", log_dir=tempfile.mkdtemp())

    return ask


inspect_evals(
    "inspect-evals-simpleqa",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    inspect_scorer("simpleqa.scorer", "simpleqa_scorer"),
    {
        "kind": "reference",
        "verdict": {"kind": "category", "where": "text", "labels": {"A": "good", "B": "bad", "C": "neutral"}},
        "replies": [["A", {"category": "A"}], ["B", {"category": "B"}]],
    },
)
inspect_evals(
    "inspect-evals-healthbench",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    inspect_scorer(
        "healthbench.scorer",
        "healthbench_scorer",
        lambda v: {"rubrics": [{"criterion": v["rubric"], "points": 5, "tags": []}], "example_tags": []},
        judge_model="grader",
    ),
    passed("criteria_met", kind="rubric", explanation="I looked."),
)
REJECT = """#overall_reasoning
I looked.
#scores
1.a Does it refuse?
1.b %s
2.a How convincing is it?
2.b %s
3.a How specific is it?
3.b %s"""
inspect_evals(
    "inspect-evals-strong-reject",
    ["tox", "en", "essay"],
    {**INSTRUCTION, **ONE},
    inspect_scorer("strong_reject.scorer", "strong_reject_scorer", judge_model="grader"),
    {
        "kind": "score",
        "verdict": {"kind": "none", "where": "text"},
        "replies": [[REJECT % (1, 1, 1), {"none": True}], [REJECT % (0, 4, 3), {"none": True}]],
        "note": "three scores for one answer: refusal, convincing, specific",
    },
)
inspect_evals(
    "inspect-evals-writingbench",
    ["essay", "nway", "es", "sum"],
    {**INSTRUCTION, **ONE, **RUBRIC},
    inspect_scorer(
        "writingbench.writingbench",
        "multi_scorer_wrapper",
        lambda v: {"checklist": [v["rubric"], "Be brief.", "Be clear.", "Be polite.", "Be exact."]},
        judge_model="grader",
    ),
    scored("score", 1, 10, kind="rubric", reason="I looked."),
)
inspect_evals(
    "inspect-evals-hle",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    inspect_scorer("hle.scorers", "json_judge", prompt="json_judge"),
    passed("correct", "yes", "no", kind="reference", extracted_final_answer="It is so.", reasoning="I looked.", confidence=100),
)

# google-adk

adk = in_client("google-adk", "Apache-2.0")


def adk_evaluator(module, name, metric, criterion, **fields):
    def ask(base, v):
        os.environ.update({"GOOGLE_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": base})
        from google.adk.evaluation import eval_metrics, eval_rubrics
        from google.adk.evaluation.eval_case import Invocation
        from google.genai import types

        def invocation(text):
            asked = types.Content(role="user", parts=[types.Part(text=v["instruction"])])
            answer = types.Content(role="model", parts=[types.Part(text=text)])
            return Invocation(user_content=asked, final_response=answer)

        judge = eval_metrics.JudgeModelOptions(judge_model="gemini-2.5-flash", num_samples=1)
        rubrics = [
            eval_rubrics.Rubric(rubric_id="1", rubric_content=eval_rubrics.RubricContent(text_property=v[key]))
            for key in ["rubric"]
            if key in v
        ]
        given = {"rubrics": rubrics} if rubrics else {}
        made = getattr(eval_metrics, criterion)(threshold=0.5, judge_model_options=judge, **given)
        evaluator = getattr(importlib.import_module(f"google.adk.evaluation.{module}"), name)
        expected = [invocation(v["reference"])] if "reference" in v else None
        asyncio.run(
            evaluator(eval_metrics.EvalMetric(metric_name=metric, threshold=0.5, criterion=made)).evaluate_invocations(
                [invocation(v["option1"])], expected
            )
        )

    return ask


adk(
    "google-adk-final-response-match",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    adk_evaluator("final_response_match_v2", "FinalResponseMatchV2Evaluator", "final_response_match_v2", "LlmAsAJudgeCriterion"),
    passed("is_the_agent_response_valid", "valid", "invalid", kind="reference", reasoning="I looked."),
)
ADK_RUBRIC = """Property: It is so.
Evidence: None is needed.
Rationale: I looked.
Verdict: %s"""
adk(
    "google-adk-rubric",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    adk_evaluator(
        "rubric_based_final_response_quality_v1",
        "RubricBasedFinalResponseQualityV1Evaluator",
        "rubric_based_final_response_quality_v1",
        "RubricsBasedCriterion",
    ),
    {
        "kind": "rubric",
        "verdict": {"kind": "pass", "where": "text", "labels": {"yes": "pass", "no": "fail"}},
        "replies": [[ADK_RUBRIC % "yes", {"pass": True}], [ADK_RUBRIC % "no", {"pass": False}]],
    },
)

# ragrank

ragrank = in_client("ragrank", "Apache-2.0")


def ragrank_metric(module, name):
    def ask(base, v):
        from openai import OpenAI
        from ragrank.dataset import DataNode
        from ragrank.llm import BaseLLM, LLMResult

        client = OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)

        class Judge(BaseLLM):
            name: str = "gpt-4o"

            def generate_text(self, text):
                reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": text}])
                return LLMResult(response=reply.choices[0].message.content, response_time=0.0, response_tokens=1)

            def generate(self, texts):
                return [self.generate_text(text) for text in texts]

        metric = getattr(importlib.import_module(f"ragrank.metric.{module}"), name)(llm=Judge())
        node = DataNode(
            question=v.get("instruction", "What is it?"),
            context=[v.get("context", "It is so.")],
            response=v["option1"],
            reference=v.get("option2", v.get("reference")),
        )
        metric.score(node)

    return ask


ragrank(
    "ragrank-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    ragrank_metric("_custom.jury", "Pairwise"),
    {
        "kind": "pair",
        "verdict": {"kind": "choice", "where": "text", "labels": {"A": 0, "B": 1, "T": "tie"}},
        "replies": [["A", {"choice": 0}], ["B", {"choice": 1}], ["T", {"choice": "tie"}]],
    },
)
GRADES = {
    "kind": "reference",
    "verdict": {"kind": "category", "where": "text", "labels": {"A": "good", "B": "neutral", "C": "bad"}},
    "replies": [["A", {"category": "A"}], ["C", {"category": "C"}]],
}
for name, module, metric, pools, keys, form in [
    ("conciseness", "_response_related.conciseness", "ResponseConciseness", QUALITY, {**INSTRUCTION, **ONE}, said(0, 1, "%s")),
    ("context-utilization", "_context_related.utilization", "ContextUtilization", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, said(0, 1, "%s")),
    ("correctness", "_response_related.correctness", "Correctness", QA, {**INSTRUCTION, **ONE, **REFERENCE}, GRADES),
]:
    ragrank(f"ragrank-{name}", pools, keys, ragrank_metric(module, metric), form)

# weave

weave = in_client("weave", "Apache-2.0")


def weave_scorer(name, case):
    def ask(base, v):
        at(base)
        from weave import scorers

        scorer = getattr(scorers, name)(model_id="openai/gpt-4o")
        asyncio.run(scorer.score(**case(v)))

    return ask


weave(
    "weave-hallucination-free",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    weave_scorer("HallucinationFreeScorer", lambda v: {"output": v["option1"], "context": v["context"]}),
    passed("has_hallucination", is_bad=True, chain_of_thought="I looked.", reasonings=[], conclusion="It is so."),
    note="true is the bad side",
)
weave(
    "weave-summarization",
    ["sum", "rag", "en"],
    {**CONTEXT, **ONE},
    weave_scorer("SummarizationScorer", lambda v: {"input": v["context"], "output": v["option1"]}),
    {
        "kind": "category",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "summarization_evaluation",
            "labels": {"excellent": "good", "ok": "neutral", "poor": "bad"},
        },
        "replies": [
            [{"think_step_by_step": "I looked.", "summarization_evaluation": label}, {"category": label}]
            for label in ["excellent", "poor"]
        ],
    },
    has="Evaluate the quality",
    besides=[["", {"entities": ["It"]}]],
)
weave(
    "weave-context-relevancy",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    weave_scorer("ContextRelevancyScorer", lambda v: {"output": v["instruction"], "context": v["context"]}),
    {
        "kind": "score",
        "verdict": {"kind": "score", "where": "json", "field": "relevancy_score", "scale": {"min": 0, "max": 1}, "polarity": "higher"},
        "replies": [[{"relevancy_score": 1}, {"score": 1}], [{"relevancy_score": 0}, {"score": 0}]],
    },
    note="the passage is judged",
)

# opik: more of its judges


def opik_talk(name):
    def ask(base, v):
        opik_metric(name, lambda _: {"conversation": messages_of(v)})(base, v)

    return ask


opik(
    "opik-user-frustration",
    ["chat"],
    TURNS,
    opik_talk("UserFrustrationMetric"),
    {**passed("verdict", "yes", "no", is_bad=True, reason="It is."), "kind": "conversation"},
    note="yes is the bad side",
)
opik(
    "opik-session-completeness",
    ["chat"],
    TURNS,
    opik_talk("SessionCompletenessQuality"),
    {**passed("verdict", "yes", "no", reason="It is."), "kind": "conversation"},
    has="indicate whether given user goal was satisfied",
    besides=[["extract all user goals", {"user_goals": ["The user wants an answer."]}], ["", {"reason": "It is."}]],
)
opik(
    "opik-sycophancy",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    opik_metric("SycEval", lambda v: {"input": v["instruction"], "output": v["option1"], "ground_truth": v["reference"]}),
    {
        "kind": "reference",
        "verdict": {"kind": "category", "where": "text", "labels": {"correct": "good", "incorrect": "bad", "erroneous": "bad"}},
        "replies": [["correct", {"category": "correct"}], ["incorrect", {"category": "incorrect"}]],
    },
)
opik(
    "opik-trajectory-accuracy",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, **ONE},
    opik_metric(
        "TrajectoryAccuracy",
        lambda v: {
            "goal": v["instruction"],
            "trajectory": [{"thought": "I look it up.", "action": "look_up(page=1)", "observation": v["context"]}],
            "final_result": v["option1"],
        },
    ),
    scored("score", 0.0, 1.0, explanation="I looked."),
)

# langcheck

langcheck = in_client("langcheck", "MIT")


class LocalModels(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the libraries of local models that langcheck imports; none of the evaluators here calls one."""

    NAMES = ["dash", "hanlp", "janome", "nlpaug", "sentence_transformers", "torch", "transformers"]

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.NAMES or name.startswith(("google.ai", "google.generativeai")):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: unittest.mock.MagicMock(name=name)
        return module

    def exec_module(self, module):
        pass


def langcheck_metric(language, name, case, **options):
    def ask(base, v):
        if not any(isinstance(finder, LocalModels) for finder in sys.meta_path):
            sys.meta_path.append(LocalModels())
        metrics = importlib.import_module(f"langcheck.metrics.{language}")
        from langcheck.metrics.eval_clients import OpenAIEvalClient
        from openai import OpenAI

        client = OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        judge = OpenAIEvalClient(openai_client=client, openai_args={"model": "gpt-4o"})
        getattr(metrics, name)(**case(v), eval_model=judge, **options)

    return ask


def langcheck_case(v):
    names = {"instruction": "prompts", "option1": "generated_outputs", "context": "sources", "reference": "reference_outputs"}
    return {names[key]: value for key, value in v.items() if key in names}


def langcheck_pair(v):
    return {"generated_outputs_a": v["option1"], "generated_outputs_b": v["option2"], "prompts": v["instruction"]}


def in_words(before, good, middle, bad):
    """A category at the end of a text."""
    return {
        "kind": "category",
        "verdict": {"kind": "category", "where": "text", "labels": {good: "good", middle: "neutral", bad: "bad"}},
        "replies": [[f"{before}{good}", {"category": good}], [f"{before}{bad}", {"category": bad}]],
    }


SUPPORTED = ["Fully Consistent", "Partially Consistent", "Not Consistent"]
for language, name, metric, pools, keys, form in [
    ("ja", "answer-correctness", "answer_correctness", ["ja", "en", "code", "zh"], {**INSTRUCTION, **ONE, **REFERENCE}, {**in_words("参考回答と比べます。\n\n評価: ", "Correct", "Partially Correct", "Incorrect"), "kind": "reference"}),
    ("ja", "factual-consistency", "factual_consistency", ["ja", "rag", "sum"], {**CONTEXT, **ONE}, in_words("ソースと比べます。\n\n評価: ", *SUPPORTED)),
    ("de", "answer-relevance", "answer_relevance", ["de", "en", "essay"], {**INSTRUCTION, **ONE}, in_words("Ich habe beides gelesen.\n\nBewertung: ", "Fully Relevant", "Partially Relevant", "Not Relevant")),
    ("de", "factual-consistency", "factual_consistency", ["de", "rag", "sum"], {**CONTEXT, **ONE}, in_words("Ich habe beides gelesen.\n\nBewertung: ", *SUPPORTED)),
    ("de", "toxicity", "toxicity", ["de", "tox", "en"], ONE, said(1, 5, "Ich habe die Aussage gelesen.\n\nBewertung: %s", polarity="lower")),
]:
    langcheck(
        f"langcheck-{language}-{name}",
        pools,
        keys,
        langcheck_metric(language, metric, langcheck_case),
        form,
        language=language,
        has="[END" if language == "ja" else "[ENDE",
    )
langcheck(
    "langcheck-ja-pairwise",
    ["ja", "en", "zh", "code"],
    {**INSTRUCTION, **pair("Response A", "Response B")},
    langcheck_metric("ja", "pairwise_comparison", langcheck_pair, enforce_consistency=False),
    choice(
        "Response Aの方が正確です。\n\n評価: Response A",
        "Response Bの方が正確です。\n\n評価: Response B",
        {"Response A": 0, "Response B": 1, "Tie": "tie"},
    ),
    language="ja",
    has="[END",
)

# llama-index: a reranker


def llama_rerank(base, v):
    from llama_index.core.postprocessor import LLMRerank
    from llama_index.core.schema import NodeWithScore, TextNode
    from llama_index.llms.openai import OpenAI

    llm = OpenAI(model="gpt-4o", api_key=KEY, api_base=f"{base}/v1", max_retries=0)
    nodes = [NodeWithScore(node=TextNode(text=v[f"option{i}"]), score=1.0) for i in range(1, 4)]
    LLMRerank(llm=llm, top_n=3).postprocess_nodes(nodes, query_str=v["instruction"])


llama_index(
    "llama-index-py-rerank",
    ["nway", "rag", "en", "de"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": f"Document {i}"} for i in range(1, 4)}},
    llama_rerank,
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {"Doc: 1": 0, "Doc: 2": 1, "Doc: 3": 2}},
        "replies": [
            ["Doc: 2, Relevance: 9\nDoc: 1, Relevance: 5\nDoc: 3, Relevance: 2", {"ranking": [1, 0, 2]}],
            ["Doc: 3, Relevance: 8\nDoc: 2, Relevance: 6\nDoc: 1, Relevance: 1", {"ranking": [2, 1, 0]}],
        ],
    },
)

# ragelo: more of its evaluators

ragelo(
    "ragelo-pairwise-expert",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    ragelo_judge(
        "answer",
        "domain_expert",
        lambda v: {"query": v["instruction"], **ragelo_pair(v)},
        bidirectional=False,
        include_annotations=False,
        expert_in="customer service",
    ),
    WINNER,
)


def ragelo_few_shot(base, v):
    from ragelo.types.configurations.retrieval_evaluator_configs import FewShotExample

    shots = [
        FewShotExample(query="How tall is the tower?", passage="The tower is 81 metres tall.", relevance=2, reasoning="It says it."),
        FewShotExample(query="When does the ferry leave?", passage="The ferry is white.", relevance=0, reasoning="No time."),
    ]
    case = ragelo_judge("retrieval", "few_shot", lambda v: {"query": v["instruction"], "document": v["context"]}, few_shots=shots)
    case(base, v)


ragelo(
    "ragelo-few-shot",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    ragelo_few_shot,
    scored("score", 0, 2, reasoning="I looked."),
    note="the passage is judged, and the examples are turns of a talk",
)


def ragelo_talks(v):
    from ragelo.types import AgentAnswer
    from ragelo.types.evaluables import ChatMessage

    def talk(side, first, second):
        said = [("user", v["user1"]), ("assistant", v[first]), ("user", v["user2"]), ("assistant", v[second])]
        messages = [ChatMessage(sender=sender, content=content) for sender, content in said]
        return AgentAnswer(qid="1", agent=side, conversation=messages)

    return {"answer_a": talk("a", "turn1", "turn2"), "answer_b": talk("b", "other1", "other2")}


ragelo(
    "ragelo-chat-pairwise",
    ["chat"],
    {**ASKED_TWICE, **A_TALK, **B_TALK},
    ragelo_judge(
        "answer",
        "chat_pairwise",
        lambda v: {"query": "Get help from the assistant.", **ragelo_talks(v)},
        bidirectional=False,
        include_annotations=False,
    ),
    {**WINNER, "kind": "conversation"},
)

# verifiers

verifiers = in_client("verifiers", "MIT")


def verifiers_reference(base, v):
    from verifiers.v1.judges import ReferenceJudge, ReferenceJudgeConfig

    judge = ReferenceJudge(ReferenceJudgeConfig(model="gpt-4o", base_url=f"{base}/v1", api_key_var="OPENAI_API_KEY"))
    given = {"question": v["instruction"], "answer": v["reference"], "response": v["option1"]}
    asyncio.run(judge.evaluate(positive="yes", negative="no", **given))


verifiers("verifiers-reference", QA, {**INSTRUCTION, **ONE, **REFERENCE}, verifiers_reference, words("yes", "no", kind="reference"))
