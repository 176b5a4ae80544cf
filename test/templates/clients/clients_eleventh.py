"""An eleventh file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, the judges with --no-deps, and of what they import all but sentence-transformers, spacy, matplotlib and the
libraries that count words in common:

    guardrails-ai-llm-critic==0.1.0 guardrails-ai-response-evaluator==0.1.0 guardrails-ai-qa-relevance-llm-eval==0.0.2
    guardrails-ai-provenance-llm==0.0.2 guardrails-ai-toxic-language-llm==0.1.0 guardrails-ai-unusual-prompt==0.0.2
    agent-eval-lite==0.5.1 mankinds-eval==1.1.3 llmranker==0.3.0 modeljury==0.3.0 rubric-eval==0.2.0 evaldeck==0.1.5
    harness-evals==0.25.6 multivon-eval==0.20.0 ai-essay-evaluator==1.3.9 aidial-rag-eval==0.7.0 rubric-kit==0.2.0
    verdict-eval==0.4.0
    guardrails-ai==0.11.0 openai==2.54.0 anthropic==0.125.0 litellm==1.106.12 langchain-core==1.8.3 langchain-openai==1.7.4
"""

import asyncio
import importlib
import os

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
from clients_fifth import ANSWERED, COMPARED, several
from clients_fourth import n_way, without
from clients_second import at, said
from clients_sixth import bare
from clients_third import choice

THREE = ["nway", "en", "essay", "de"]


def with_second(form, **rest):
    """A form whose second reply says other things beside the verdict."""
    first, (reply, verdict) = form["replies"]
    return {**form, "replies": [first, [{**reply, **rest}, verdict]]}


def winner(tie=True, **rest):
    """Which of two is better, by a letter in a JSON field."""
    labels = {"A": 0, "B": 1, **({"tie": "tie"} if tie else {})}
    return choice({**rest, "winner": "A"}, {**rest, "winner": "B"}, labels, field="winner", where="json")


# guardrails-ai: its validators, each a package of its own


def validator(module, name, metadata=lambda v: {}, value=lambda v: v["option1"], options=lambda v: {}):
    def ask(base, v):
        at(base)
        without("sentence_transformers")
        made = getattr(importlib.import_module(f"guardrails_ai.{module}"), name)
        return made(**options(v)).validate(value(v), metadata(v))

    return ask


def critic_metrics(v):
    clarity = {"description": "The text is clear and easy to follow.", "threshold": 3}
    return {"metrics": {"clarity": clarity, "house_rule": {"description": v["rubric"], "threshold": 4}}, "llm_callable": "gpt-4o"}


in_client("guardrails-ai-llm-critic", "MIT")(
    "guardrails-llm-critic",
    QUALITY,
    {**ONE, **RUBRIC},
    validator("llm_critic", "LLMCritic", options=critic_metrics),
    several(2, 0, 5, ({"clarity": 5, "house_rule": 4}, [5, 4]), ({"clarity": 3, "house_rule": 1}, [3, 1])),
    note="two metrics, one of which varies",
)
in_client("guardrails-ai-response-evaluator", "MIT")(
    "guardrails-response-evaluator",
    QUALITY,
    {**ONE, **RUBRIC},
    validator("response_evaluator", "ResponseEvaluator", metadata=lambda v: {"validation_question": f"Does the response keep to this: {v['rubric']}"}),
    words("Yes", "No", kind="rubric"),
)
in_client("guardrails-ai-qa-relevance-llm-eval", "MIT")(
    "guardrails-qa-relevance",
    QA,
    ANSWERED,
    validator("qa_relevance_llm_eval", "QARelevanceLLMEval", metadata=lambda v: {"original_prompt": v["instruction"]}),
    words("Yes", "No"),
)
in_client("guardrails-ai-provenance-llm", "MIT")(
    "guardrails-provenance",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    validator(
        "provenance_llm",
        "ProvenanceLLM",
        metadata=lambda v: {"query_function": lambda text, k: [v["context"]]},
        options=lambda v: {"validation_method": "full"},
    ),
    {
        "kind": "pass",
        "verdict": {"kind": "pass", "where": "text", "labels": {"YES": "pass", "NO": "fail"}},
        "replies": [
            [f"<analysis>\nI looked.\n</analysis>\n<supported>\n{label}\n</supported>", {"pass": label == "YES"}]
            for label in ("YES", "NO")
        ],
    },
)


def toxicity(*scores):
    names = ["toxicity", "severe_toxicity", "obscene", "threat", "insult", "identity_attack", "sexual_explicit"]
    return dict(zip(names, scores)), list(scores)


TOXIC = several(7, 0.0, 1.0, toxicity(0.1, 0.0, 0.05, 0.0, 0.1, 0.0, 0.0), toxicity(0.9, 0.4, 0.3, 0.1, 0.8, 0.2, 0.0))
in_client("guardrails-ai-toxic-language-llm", "MIT")(
    "guardrails-toxic-language",
    QUALITY,
    ONE,
    validator("toxic_language_llm", "ToxicLanguageLLM", options=lambda v: {"model": "gpt-4o", "validation_method": "full"}),
    {**TOXIC, "verdict": {**TOXIC["verdict"], "polarity": "lower"}},
)
in_client("guardrails-ai-unusual-prompt", "MIT")(
    "guardrails-unusual-prompt",
    ["chat"],
    {"user1": {"role": "option"}},
    validator("unusual_prompt", "UnusualPrompt", value=lambda v: v["user1"]),
    words("yes", "no", is_bad=True),
    note="what is judged is the user's request",
)

# agent-eval-lite

agent_eval_lite = in_client("agent-eval-lite", "MIT")


def lite(name, *keys, **options):
    def ask(base, v):
        from agent_eval import judge

        provider = judge.JudgeProvider(KEY, f"{base}/v1")
        if name == "create_custom_judge":
            return judge.create_custom_judge(v["rubric"], **options)(provider, *(v[key] for key in keys))
        return getattr(judge, name)(provider, *(v[key] for key in keys), **options)

    return ask


agent_eval_lite("agent-eval-lite-goal", QUALITY, ANSWERED, lite("judge_goal_completion", "instruction", "option1"), passed("pass", reasoning="I looked."))
agent_eval_lite(
    "agent-eval-lite-faithfulness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    lite("judge_faithfulness", "context", "option1"),
    with_second(passed("pass", unfaithful_claims=[], reasoning="I looked."), unfaithful_claims=["It is so."]),
)
agent_eval_lite(
    "agent-eval-lite-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    lite("judge_pairwise", "instruction", "option1", "option2", swap=False),
    winner(tie=False, reasoning="I looked.", confidence="high"),
)
agent_eval_lite(
    "agent-eval-lite-custom",
    WITH_CONTEXT,
    {**RUBRIC, **ANSWERED, **CONTEXT},
    lite("create_custom_judge", "instruction", "option1", "context"),
    scored("score", 1, 5, kind="rubric", reasoning="I looked."),
)

# mankinds-eval

mankinds = in_client("mankinds-eval", "Apache-2.0")


def mankinds_judge(module, name, criterion=False, **options):
    def ask(base, v):
        without("sacrebleu", "rouge_score", "bert_score", "langdetect", "sentence_transformers", "transformers", "detoxify")
        import mankinds_eval

        made = getattr(importlib.import_module(f"mankinds_eval.methods.llm.{module}"), name)
        judge = made(
            **({"criterion": v["rubric"]} if criterion else {}), **options, provider="openai", model="gpt-4o", api_key=KEY, api_base=f"{base}/v1"
        )
        both = {"output_a": v["option1"], "output_b": v["option2"]} if "option2" in v else None
        sample = mankinds_eval.Sample(
            input=v["instruction"], output=v["option1"], expected=v.get("reference"), context=v.get("context"), metadata=both
        )
        return asyncio.run(judge.evaluate(sample))

    return ask


mankinds(
    "mankinds-single",
    QA,
    {**RUBRIC, **COMPARED},
    mankinds_judge("single", "SingleCriterionJudge", criterion=True, scale="1-10"),
    scored("score", 1, 10, kind="rubric", reason="I looked."),
)
mankinds(
    "mankinds-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("A", "B")},
    mankinds_judge("pairwise", "PairwiseJudge", criterion=True, compare="output_a_vs_output_b"),
    winner(reason="I looked."),
)
mankinds(
    "mankinds-faithfulness",
    WITH_CONTEXT,
    {**CONTEXT, **ANSWERED},
    mankinds_judge("faithfulness", "Faithfulness", strict=True, scale="binary"),
    with_second(passed("score", "yes", "no", reason="I looked.", unsupported_claims=[]), unsupported_claims=["It is so."]),
)

# llmranker

llmranker = in_client("llmranker", "MIT")


def ranked(name, **options):
    def ask(base, v):
        import llmranker as package

        config = package.LLMConfig("openai/gpt-4o", api_key=KEY, api_base=f"{base}/v1", max_retries=1)
        answers = [v[key] for key in sorted(v) if key.startswith("option")]
        ranker = getattr(package, name)(config, **options)
        return ranker.rank(v["instruction"], [package.Candidate(str(i), text) for i, text in enumerate(answers)])

    return ask


llmranker(
    "llmranker-pointwise",
    QA,
    ANSWERED,
    ranked("PointwiseRanker", item_label="answer", reasoning=True),
    said(0, 10, "I looked.\nFINAL ANSWER: %s"),
)


def letters(first, second, third=None):
    return {f"option{i + 1}": {"role": "option", "label": label} for i, label in enumerate([first, second, *([third] if third else [])])}


def setwise(base, v):
    import llmranker as package

    config = package.LLMConfig("openai/gpt-4o", api_key=KEY, api_base=f"{base}/v1", max_retries=1)
    ranker = package.SetwiseRanker(config, num_child=2, item_label="reply")
    return ranker.compare(v["instruction"], [package.Candidate(key, v[key]) for key in ("option1", "option2", "option3")]).id


llmranker(
    "llmranker-setwise",
    THREE,
    {**INSTRUCTION, **letters("A", "B", "C")},
    setwise,
    choice("A", "B", {"A": 0, "B": 1, "C": 2}, kind="n-way"),
)
llmranker(
    "llmranker-listwise",
    THREE,
    {**INSTRUCTION, **n_way("[%s]", 3)},
    ranked("ListwiseRanker", item_label="reply"),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {"[1]": 0, "[2]": 1, "[3]": 2}},
        "replies": [["[2] > [1] > [3]", {"ranking": [1, 0, 2]}], ["[3] > [2] > [1]", {"ranking": [2, 1, 0]}]],
    },
)

# modeljury

modeljury = in_client("modeljury", "MIT")


def jury(base, v):
    from modeljury import Juror, convene

    return convene(v["rubric"], v["option1"], ["it keeps to that", "it does not"], [Juror("gpt-4o", f"{base}/v1", KEY)]).verdict


modeljury(
    "modeljury-convene",
    QUALITY,
    {**RUBRIC, **ONE},
    jury,
    passed("choice", "it keeps to that", "it does not", kind="rubric", confidence=0.9, reason="I looked."),
)

# rubric-eval

rubric_eval = in_client("rubric-eval", "MIT")


def rubriceval_judge(base, v):
    at(base)
    from rubriceval.core.test_case import TestCase
    from rubriceval.metrics.llm_judge import LLMJudge

    case = TestCase(input=v["instruction"], actual_output=v["option1"], expected_output=v["reference"])
    return LLMJudge(criteria=v["rubric"]).measure(case)


rubric_eval(
    "rubric-eval-judge",
    QA,
    {**RUBRIC, **COMPARED},
    rubriceval_judge,
    with_second(scored("score", 0.0, 1.0, kind="rubric", passed=True, reason="I looked."), passed=False),
)

# evaldeck

evaldeck_client = in_client("evaldeck", "Apache-2.0")


def deck(name, options):
    def ask(base, v):
        at(base)
        from evaldeck.graders import llm
        from evaldeck.test_case import EvalCase
        from evaldeck.trace import Trace

        grader = getattr(llm, name)(model="gpt-4o", **options(v))
        return grader.grade(Trace(input=v["instruction"], output=v["option1"]), EvalCase(name="case"))

    return ask


evaldeck_client(
    "evaldeck-grader",
    QUALITY,
    {**ANSWERED, **RUBRIC},
    deck("LLMGrader", lambda v: {"task": v["rubric"]}),
    {
        "kind": "rubric",
        "verdict": {"kind": "pass", "where": "text", "labels": {"PASS": "pass", "FAIL": "fail"}},
        "replies": [[f"VERDICT: {label}\nREASON: I looked.", {"pass": label == "PASS"}] for label in ("PASS", "FAIL")],
    },
)
evaldeck_client(
    "evaldeck-rubric",
    QUALITY,
    {**ANSWERED, **RUBRIC},
    deck("LLMRubricGrader", lambda v: {"rubric": {"house_rule": v["rubric"], "tone": "It speaks as one colleague to another."}}),
    {
        "kind": "rubric",
        "verdict": {"kind": "pass", "where": "text", "labels": {"PASS": "pass", "FAIL": "fail"}},
        "replies": [
            [
                f"CRITERION: house_rule\nSCORE: {score}\nREASON: I looked.\n\nCRITERION: tone\nSCORE: 3\nREASON: I looked.\n\n"
                f"TOTAL_SCORE: {score + 3}/10\nVERDICT: {label}",
                {"pass": label == "PASS"},
            ]
            for score, label in ((5, "PASS"), (1, "FAIL"))
        ],
    },
)

# harness-evals

harness = in_client("harness-evals", "Apache-2.0")


def harness_metric(module, name, options=lambda v: {}):
    def ask(base, v):
        from harness_evals.core.eval_case import EvalCase
        from harness_evals.llm.openai import OpenAILLM

        made = getattr(importlib.import_module(f"harness_evals.metrics.llm_judge.{module}"), name)
        metric = made(OpenAILLM(api_key=KEY, base_url=f"{base}/v1"), **options(v))
        return metric.measure(EvalCase(input=v["instruction"], output=v["option1"], expected=v.get("option2", v.get("reference"))))

    return ask


harness(
    "harness-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("A", "B")},
    harness_metric("pairwise", "PairwiseMetric", lambda v: {"criteria": v["rubric"], "mitigate_position_bias": False}),
    choice(
        {"reasoning": "I looked.", "winner": "A", "score": 0.9},
        {"reasoning": "I looked.", "winner": "B", "score": 0.1},
        {"A": 0, "B": 1, "tie": "tie"},
        field="winner",
        where="json",
    ),
)
harness(
    "harness-rubric-judge",
    QA,
    COMPARED,
    harness_metric("rubric_judge", "RubricJudgeMetric"),
    scored("level", 1, 5, kind="reference", reasoning="I looked."),
)


def harness_conversation(module, name, metadata=lambda v: {}):
    def ask(base, v):
        from harness_evals.core.eval_case import EvalCase
        from harness_evals.core.types import Message
        from harness_evals.llm.openai import OpenAILLM

        made = getattr(importlib.import_module(f"harness_evals.metrics.conversation.{module}"), name)
        messages = [Message(role="user" if key.startswith("user") else "assistant", content=v[key]) for key in TURNS]
        case = EvalCase(input=v["user1"], output=v["turn2"], messages=messages, metadata=metadata(v))
        return made(OpenAILLM(api_key=KEY, base_url=f"{base}/v1")).measure(case)

    return ask


harness(
    "harness-resolution",
    ["chat"],
    TURNS,
    harness_conversation("resolution", "ConversationResolutionMetric"),
    scored("score", 0.0, 1.0, kind="conversation", reasoning="I looked."),
)
harness(
    "harness-role",
    ["chat"],
    {**RUBRIC, **TURNS},
    harness_conversation("role_adherence", "RoleAdherenceMetric", lambda v: {"chatbot_role": v["rubric"]}),
    scored("score", 0.0, 1.0, kind="conversation", reasoning="I looked."),
)

# multivon-eval

multivon = in_client("multivon-eval", "Apache-2.0")


def multivon_judge(name):
    def ask(base, v):
        from multivon_eval.case import EvalCase
        from multivon_eval.evaluators import llm_judge
        from multivon_eval.judge import JudgeConfig

        judge = JudgeConfig(provider="openai", model="gpt-4o", base_url=f"{base}/v1")
        made = getattr(llm_judge, name)(judge=judge)
        case = EvalCase(input=v.get("instruction", "What is it?"), expected_output=v.get("reference"), context=v.get("context"))
        return made.evaluate(case, v.get("option1", "It is so."))

    return ask


multivon(
    "multivon-accuracy",
    QA,
    COMPARED,
    multivon_judge("AnswerAccuracy"),
    words("Yes", "No", kind="reference"),
    has="same core facts",
    besides=[["", "Yes"]],
    note="one of four questions about the answer",
)
multivon(
    "multivon-invented",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    multivon_judge("Hallucination"),
    words("Yes", "No", is_bad=True),
    has="introduce specific facts",
    besides=[["", "Yes"]],
    note="one of four questions about the answer; yes is the bad side",
)
multivon("multivon-chunk", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, multivon_judge("ContextPrecision"), words("Yes", "No"))


def multivon_turn(base, v):
    from multivon_eval.case import EvalCase
    from multivon_eval.evaluators.conversation import TurnConsistency
    from multivon_eval.judge import JudgeConfig

    before = [{"role": "user" if key.startswith("user") else "assistant", "content": v[key]} for key in ("user1", "turn1", "user2")]
    judge = JudgeConfig(provider="openai", model="gpt-4o", base_url=f"{base}/v1")
    return TurnConsistency(judge=judge).evaluate(EvalCase(input=v["user1"], conversation=before), v["turn2"])


multivon(
    "multivon-consistency",
    ["chat"],
    {**{key: {"role": "context"} for key in ("user1", "turn1", "user2")}, "turn2": {"role": "option"}},
    multivon_turn,
    words("Yes", "No", kind="conversation"),
    has="consistent with all prior",
    besides=[["", "Yes"]],
    note="one of three questions about the last turn",
)

# ai-essay-evaluator

essay_evaluator = in_client("ai-essay-evaluator", "MIT")


def essay(base, v):
    at(base)
    import pandas
    from ai_essay_evaluator.evaluator.openai_client import process_with_openai

    row = {"Local Student ID": 7, "Student Constructed Response": v["option1"], "Tested Language": "English", "Enrolled Grade Level": 6}
    marking = f"3 points: it keeps to this throughout. 2: mostly. 1: in places. 0: nowhere. {v['rubric']}"
    run = process_with_openai(pandas.DataFrame([row]), "gpt-4o", KEY, {"Reading": v["context"]}, marking, v["instruction"], "standard", None)
    return asyncio.run(run)


essay_evaluator(
    "ai-essay-evaluator-score",
    WITH_CONTEXT,
    {**CONTEXT, **INSTRUCTION, **RUBRIC, **ONE},
    essay,
    scored("score", 0, 3, kind="rubric", feedback="I looked."),
)

# aidial-rag-eval

aidial = in_client("aidial-rag-eval", "Apache-2.0")


def aidial_inference(base, v):
    without("spacy", "pandera", "pyarrow")
    bare("aidial_rag_eval")
    from aidial_rag_eval.generation.models.inference_scorers.llm_inference_scorer import LLMInferenceScorer
    from aidial_rag_eval.generation.types import InferenceInputs
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
    given = InferenceInputs(0, v["context"], [v["option1"], v["option2"]], "handbook.pdf")
    return LLMInferenceScorer(model, 1).get_inference([given], show_progress_bar=False)


def entailed(*tags):
    return {"statement_inference": [{"explanation": "I looked.", "tag": tag} for tag in tags]}, {"list": list(tags)}


aidial(
    "aidial-rag-eval-inference",
    WITH_CONTEXT,
    {**CONTEXT, "option1": {"role": "option"}, "option2": {"role": "option"}},
    aidial_inference,
    {
        **listed("statement_inference[].tag", {"ENT": "good", "CONT": "bad", "NEUT": "neutral"}, lambda tag: {"tag": tag}),
        "replies": [list(entailed("ENT", "CONT")), list(entailed("NEUT", "ENT"))],
    },
)

# rubric-kit

rubric_kit_client = in_client("rubric-kit", "MIT")


def kit(grading):
    def ask(base, v):
        without("matplotlib", "reportlab")
        from rubric_kit.llm_judge import evaluate_criterion_with_panel
        from rubric_kit.schema import Criterion, Dimension, JudgeConfig, JudgePanelConfig

        scores = {"scores": {1: "Not at all.", 2: "In part.", 3: "Throughout."}} if grading == "score" else {}
        dimension = Dimension(name="house_rules", description="Whether the reply keeps to the rules of the house.", grading_type=grading, **scores)
        weight = "from_scores" if grading == "score" else 3
        criterion = Criterion(name="rule_1", category="Output", weight=weight, dimension="house_rules", criterion=v["rubric"])
        panel = JudgePanelConfig(judges=[JudgeConfig(name="one", model="openai/gpt-4o", api_key=KEY, base_url=f"{base}/v1")])
        # The form in which it writes down a question and its answer.
        chat = f"Question: {v['instruction']}\n\nAnswer:\n{v['option1']}"
        return evaluate_criterion_with_panel(criterion, chat, dimension, panel)

    return ask


rubric_kit_client(
    "rubric-kit-binary",
    QUALITY,
    {**RUBRIC, **ANSWERED},
    kit("binary"),
    {
        "kind": "rubric",
        "verdict": {"kind": "pass", "where": "text", "labels": {"PASS": "pass", "FAIL": "fail"}},
        "replies": [[f"RESULT: {label}\nREASON: I looked.", {"pass": label == "PASS"}] for label in ("PASS", "FAIL")],
    },
)
rubric_kit_client("rubric-kit-score", QUALITY, {**RUBRIC, **ANSWERED}, kit("score"), said(1, 3, "SCORE: %s\nREASON: I looked.", kind="rubric"))

# verdict-eval

verdict_eval = in_client("verdict-eval", "MIT")


def verdict_judge(category):
    def ask(base, v):
        os.environ.update({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": base})
        from verdict.agents.judge import judge_results
        from verdict.models.schemas import ExecutionResult, TestPrompt

        prompt = TestPrompt(prompt=v["instruction"], category=category, severity="medium", expected_behavior=v.get("reference", v.get("rubric")))
        return judge_results([prompt], [ExecutionResult(prompt_id=prompt.id, response=v["option1"], latency_ms=9)])

    return ask


LOOKED = "I read the response twice and compared it with what was expected."
verdict_eval(
    "verdict-eval-correctness",
    QA,
    COMPARED,
    verdict_judge("correctness"),
    with_second(
        scored("score", 1, 5, kind="reference", passed=True, reasoning=LOOKED, failure_mode=None),
        passed=False,
        failure_mode="hallucination",
    ),
)
verdict_eval(
    "verdict-eval-compliance",
    QUALITY,
    {**INSTRUCTION, **RUBRIC, **ONE},
    verdict_judge("compliance"),
    with_second(passed("passed", kind="rubric", score=None, reasoning=LOOKED, failure_mode=None), failure_mode="compliance_violation"),
)
