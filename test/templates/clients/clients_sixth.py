"""A sixth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, each package in a run of its own:

    camel-ai==0.2.90 mcp-agent==0.2.6 langwatch-scenario==1.6.0 cognee==1.6.5 langtest==2.8.0 lmms-eval==0.7.3
    ragaai-catalyst==2.2.7 beyondllm==0.2.3 unitxt==1.26.10 evalassist==1.0.5 promptflow-evals==0.3.5 promptflow-core==1.18.5
    synthetic-data-kit==0.0.5 opencompass==0.5.4 mmengine kiln-ai==1.2.0
    (all with --no-deps, and of what they import all but torch, transformers and the like)
    arthur-bench==0.3.1 llm-rankers==0.0.2 (both with --no-deps) langchain==0.0.354 "openai<1" "pydantic<2" (Python 3.11)
"""

import asyncio
import importlib.util
import json
import os
import sys
import tempfile
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
    pair,
    passed,
    scored,
    words,
)
from clients_fifth import ANSWERED, COMPARED, in_text, several, without_torch
from clients_fourth import openai_at, replied, uncounted, without
from clients_second import at, category, said
from clients_third import choice


def bare(name):
    """Lets the modules of a package be imported without what the package itself imports first, which none of them needs."""
    if name in sys.modules:
        return
    package = types.ModuleType(name)
    package.__path__ = [os.path.dirname(importlib.util.find_spec(name).origin)]
    sys.modules[name] = package


# camel

camel = in_client("camel-ai", "Apache-2.0")


def without_camel():
    uncounted()
    without_torch("rouge", "datasets", "transformers", "tree_sitter", "tree_sitter_python")


def camel_model(base):
    from camel.models import ModelFactory
    from camel.types import ModelPlatformType

    return ModelFactory.create(
        model_platform=ModelPlatformType.OPENAI_COMPATIBLE_MODEL,
        model_type="gpt-4o",
        url=f"{base}/v1",
        api_key=KEY,
    )


def camel_scorer(name):
    def ask(base, v):
        without_camel()
        from camel.agents import ChatAgent
        from camel.datagen.evol_instruct import scorer

        # The scorer's own agent, whose model it takes from the environment.
        with unittest.mock.patch.object(scorer, "ChatAgent", lambda text: ChatAgent(text, model=camel_model(base))):
            getattr(scorer, name)().score(v["reference"], v["instruction"])

    return ask


def camel_trace(base, v):
    without_camel()
    from camel.agents import ChatAgent
    from camel.datagen.self_improving_cot import SelfImprovingCoTPipeline

    def agent():
        return ChatAgent("You are a helpful assistant.", model=camel_model(base))

    pipeline = SelfImprovingCoTPipeline(agent(), [{"id": "1", "problem": "x", "solution": "y"}], evaluate_agent=agent())
    pipeline.evaluate_trace(v["instruction"], v["option1"])


def camel_browsecomp(base, v):
    without_camel()
    from camel.agents import ChatAgent
    from camel.benchmarks.browsecomp import BrowseCompBenchmark

    grader = ChatAgent("You are a helpful assistant.", model=camel_model(base))
    # The questions that it would fetch are not those of this corpus.
    with unittest.mock.patch.object(BrowseCompBenchmark, "load"):
        bench = BrowseCompBenchmark(save_to=os.path.join(tempfile.mkdtemp(), "out.json"), processes=1)
    bench._raw_results = [{"problem": v["instruction"], "response": v["option1"], "expected_answer": v["reference"]}]
    bench.validate(grader)


PROBLEM = {**REFERENCE, "instruction": {"role": "option"}}
for name, scorer, names, lows, highs in [
    ("math", "MathScorer", ["diversity", "difficulty", "solvability"], [1, 1, 1], [5, 10, 10]),
    ("general", "GeneralScorer", ["diversity", "complexity", "validity"], [1, 1, 1], [5, 5, 5]),
]:
    camel(
        f"camel-{name}",
        ["en", "code", "de"],
        PROBLEM,
        camel_scorer(scorer),
        several(3, 1, max(highs), (dict(zip(names, highs)), highs), (dict(zip(names, lows)), lows)),
        note="a problem is judged beside the one that it was made from",
    )
camel(
    "camel-trace",
    QUALITY,
    ANSWERED,
    camel_trace,
    several(
        3,
        0,
        1,
        ({"correctness": 1, "clarity": 1, "completeness": 1, "feedback": "None."}, [1, 1, 1]),
        ({"correctness": 0, "clarity": 0.5, "completeness": 0, "feedback": "Be exact."}, [0, 0.5, 0]),
    ),
)
camel(
    "camel-browsecomp",
    QA,
    COMPARED,
    camel_browsecomp,
    passed("correct", "yes", "no", kind="reference", extracted_final_answer="None", reasoning="I looked.", confidence="90"),
)

# mcp-agent

mcp_agent = in_client("mcp-agent", "Apache-2.0")


def mcp_evaluator(base, v):
    at(base)
    from mcp_agent.app import MCPApp
    from mcp_agent.agents.agent import Agent
    from mcp_agent.config import LoggerSettings, OpenAISettings, Settings
    from mcp_agent.workflows.evaluator_optimizer.evaluator_optimizer import EvaluatorOptimizerLLM, QualityRating
    from mcp_agent.workflows.llm.augmented_llm_openai import OpenAIAugmentedLLM

    settings = Settings(
        execution_engine="asyncio",
        logger=LoggerSettings(type="none"),
        openai=OpenAISettings(api_key=KEY, base_url=f"{base}/v1", default_model="gpt-4o"),
    )

    async def run():
        async with MCPApp(name="judge", settings=settings).run() as app:
            optimizer = Agent(name="writer", instruction="Answer the user.", context=app.context)
            evaluator = Agent(name="critic", instruction="Judge whether the answer is right and short.", context=app.context)
            llm = EvaluatorOptimizerLLM(
                optimizer=optimizer,
                evaluator=evaluator,
                llm_factory=lambda agent: OpenAIAugmentedLLM(agent=agent, context=app.context),
                min_rating=QualityRating.GOOD,
                max_refinements=1,
                context=app.context,
            )
            await llm.generate_str(v["instruction"])

    asyncio.run(run())


mcp_agent(
    "mcp-agent-evaluator",
    QUALITY,
    ANSWERED,
    mcp_evaluator,
    scored("rating", 0, 3, feedback="None.", needs_improvement=False, focus_areas=[]),
    has="Evaluate the following response based on these criteria",
    besides=[["", "{{option1}}"]],
)

# scenario

scenario = in_client("langwatch-scenario", "Apache-2.0")


def scenario_judge(base, v):
    at(base)
    without("langwatch")
    from scenario import JudgeAgent
    from scenario.cache import context_scenario
    from scenario.types import AgentInput, JudgmentRequest

    judge = JudgeAgent(
        model="openai/gpt-4o",
        api_base=f"{base}/v1",
        api_key=KEY,
        criteria=["The agent answers what it was asked."],
    )
    messages = [
        {"role": role, "content": v[key]}
        for role, key in [("user", "user1"), ("assistant", "turn1"), ("user", "user2"), ("assistant", "turn2")]
    ]
    state = types.SimpleNamespace(
        description="A user asks for help.",
        current_turn=3,
        config=types.SimpleNamespace(max_turns=4, min_turns=None, default_model=None),
        messages=messages,
    )
    given = AgentInput.model_construct(
        thread_id="1", messages=messages, new_messages=[], judgment_request=JudgmentRequest(), scenario_state=state
    )
    context_scenario.set(types.SimpleNamespace(config=types.SimpleNamespace(cache_key=None)))
    asyncio.run(judge.call(given))


CRITERION = "the_agent_answers_what_it_was_asked_"
scenario(
    "scenario-judge",
    ["chat"],
    TURNS,
    scenario_judge,
    {
        "kind": "conversation",
        "verdict": {
            "kind": "category",
            "where": "tool",
            "field": f"criteria.{CRITERION}.status",
            "labels": {"passed": "good", "failed": "bad", "inconclusive": "neutral"},
        },
        "replies": [
            [{"criteria": {CRITERION: {"requirement": "It answers.", "reasoning": "I looked.", "status": status}}}, {"category": status}]
            for status in ("passed", "failed")
        ],
    },
)

# cognee

cognee = in_client("cognee", "Apache-2.0")


def cognee_at(base):
    at(base)
    bare("cognee")
    without("lancedb", "pylance", "lance", "kuzu", "ladybug", "fastembed", "rdflib", "dlt", "fastapi_users", "dateparser", "greenlet", "argon2")
    os.environ.update(
        {
            "LLM_API_KEY": KEY,
            "LLM_MODEL": "openai/gpt-4o",
            "LLM_ENDPOINT": f"{base}/v1",
            "TELEMETRY_DISABLED": "1",
            "LOCOMO_JUDGE_MODEL": "openai/gpt-4o",
            "ENABLE_BACKEND_ACCESS_CONTROL": "false",
        }
    )


def cognee_case(v, **metadata):
    return types.SimpleNamespace(
        input=v["instruction"],
        actual_output=v["option1"],
        expected_output=v.get("reference", ""),
        additional_metadata=metadata,
    )


def cognee_locomo(base, v):
    cognee_at(base)
    from cognee.eval_framework.locomo.metrics.llm_judge import LocomoLLMJudgeMetric

    LocomoLLMJudgeMetric().measure(cognee_case(v, question_type="single-hop"))


def cognee_direct(base, v):
    cognee_at(base)
    from cognee.eval_framework.evaluation.direct_llm_eval_adapter import DirectLLMEvalAdapter

    asyncio.run(DirectLLMEvalAdapter().evaluate_correctness(v["instruction"], v["option1"], v["reference"]))


cognee("cognee-locomo", QA, COMPARED, cognee_locomo, passed("label", "CORRECT", "WRONG", kind="reference", reason="I looked."))
cognee("cognee-direct", QA, COMPARED, cognee_direct, scored("score", 0.0, 1.0, kind="reference", explanation="I looked."))

# langtest

langtest = in_client("langtest", "Apache-2.0")


class Graded:
    """A model of langtest, as its handlers are."""

    def __init__(self, base):
        self.client = openai_at(base)

    def predict(self, text, prompt, server_prompt=None, **_):
        content = prompt["template"].format(**text, **prompt.get("partial_variables", {}))
        messages = [{"role": "system", "content": server_prompt}] if server_prompt else []
        return replied(self.client, [*messages, {"role": "user", "content": content}])


def without_langtest():
    without_torch("transformers", "datasets", "spacy", "johnsnowlabs", "nlu", "evaluate", "rouge_score", "jsonlines", "pandas", "tqdm", "ai21", "accelerate", "nest_asyncio", "langchain", "pyspark", "mlflow")


def langtest_quiz(rubric):
    def ask(base, v):
        without_langtest()
        from langtest.metrics.llm_eval import EvalTemplate, LlmEval

        given = {}
        if rubric:
            template = EvalTemplate.build_prompt(rubric).replace("{{", "{").replace("}}", "}")
            given = {"template": template, "grade_list": list(rubric)}
        case = {"question": v["instruction"], "answer": v["reference"]}
        LlmEval(Graded(base), **given).evaluate([case], [{"result": v["option1"]}])

    return ask


def langtest_summary(base, v):
    without_langtest()
    from langtest.metrics.llm_eval import SummaryEval

    SummaryEval(Graded(base)).evaluate({"dialogue": v["context"]}, {"summary": v["option1"]})


GRADES = {
    "CORRECT": "The answer says what the true answer says.",
    "PARTIAL": "A part of the true answer is missing.",
    "INCORRECT": "The answer is wrong.",
}
langtest("langtest-quiz", QA, COMPARED, langtest_quiz(None), words("CORRECT", "INCORRECT", kind="reference"))
langtest(
    "langtest-quiz-rubric",
    QA,
    COMPARED,
    langtest_quiz(GRADES),
    in_text("CORRECT", "PARTIAL", "INCORRECT", kind="reference"),
)
def langtest_rating(base, v):
    without_langtest()
    from langtest.metrics.llm_eval import RatingEval

    RatingEval(Graded(base)).evaluate({"prompt": v["instruction"]}, {"response": v["option1"]})


langtest(
    "langtest-mental-health",
    ["en", "essay", "es"],
    ANSWERED,
    langtest_rating,
    scored("overall_rating", 1, 10, explanation="I looked.", metrics={"empathy_validation": 8}),
    note="seven more ratings stand in an object of their own",
)
CLINICAL = ["Factual Completeness", "No Hallucinations", "Clinical Tone & Structure"]
langtest(
    "langtest-summary",
    ["sum", "rag", "fr"],
    {**CONTEXT, **ONE},
    langtest_summary,
    several(3, 1, 10, (dict.fromkeys(CLINICAL, 10), [10, 10, 10]), (dict.fromkeys(CLINICAL, 3), [3, 3, 3])),
)

# lmms-eval

lmms_eval = in_client("lmms-eval", "MIT")


def lmms(call):
    def ask(base, v):
        without_torch("transformers", "datasets", "accelerate", "evaluate", "av", "decord", "sacrebleu", "PIL", "loguru")
        os.environ["OPENAI_API_URL"] = f"{base}/v1"
        from lmms_eval.llm_judge.protocol import ServerConfig
        from lmms_eval.llm_judge.providers.openai import OpenAIProvider

        call(OpenAIProvider(ServerConfig(model_name="gpt-4o", num_retries=1, retry_delay=0)), v)

    return ask


lmms_eval(
    "lmms-eval-binary",
    QA,
    COMPARED,
    lmms(lambda judge, v: judge.evaluate_binary(v["instruction"], v["reference"], v["option1"])),
    words("1", "0", kind="reference"),
)
lmms_eval(
    "lmms-eval-comparative",
    PAIRS,
    {**INSTRUCTION, **pair("Assistant 1", "Assistant 2")},
    lmms(lambda judge, v: judge.evaluate_comparative(v["instruction"], v["option1"], v["option2"])),
    several(2, 1, 10, ("9 4\nThe first is right.", [9, 4]), ("3 8\nThe second is right.", [3, 8]), kind="pair", where="text"),
)


def lmms_correctness(judge, v):
    from lmms_eval.llm_judge.protocol import Request
    from lmms_eval.llm_judge.utils import JudgePromptBuilder

    prompt = JudgePromptBuilder.build_correctness_prompt(v["instruction"], v["reference"], v["option1"])
    judge.evaluate(Request(messages=[{"role": "user", "content": prompt}]))


lmms_eval("lmms-eval-correctness", QA, COMPARED, lmms(lmms_correctness), words("yes", "no", kind="reference"))
lmms_eval(
    "lmms-eval-rubric",
    QUALITY,
    {**ANSWERED, **RUBRIC},
    lmms(lambda judge, v: judge.evaluate_with_rubric(v["instruction"], v["option1"], {"quality": v["rubric"]})),
    scored("quality", 1, 5, kind="rubric"),
)

# ragaai-catalyst

ragaai = in_client("ragaai-catalyst", "Apache-2.0")


def ragaai_audit(base, v):
    at(base)
    bare("ragaai_catalyst")
    bare("ragaai_catalyst.redteaming")
    from ragaai_catalyst.redteaming.evaluator import Conversation, EvaluationInput, Evaluator

    given = EvaluationInput(v["context"], Conversation(v["instruction"], v["option1"]), [v["rubric"]])
    Evaluator(api_key=KEY, model_name="gpt-4o").evaluate_conversation(given)


ragaai(
    "ragaai-redteaming",
    WITH_CONTEXT,
    {**CONTEXT, **ANSWERED, **RUBRIC},
    ragaai_audit,
    passed("eval_passed", kind="rubric", reason="I looked."),
    note="the context is what the agent is described by",
)

# beyondllm

beyondllm = in_client("beyondllm", "Apache-2.0")


def beyondllm_metric(call, context=None):
    def ask(base, v):
        without("llama_index", "google", "chainlit", "chromadb", "lancedb")
        from beyondllm.generator.generate import Generate

        client = openai_at(base)
        llm = types.SimpleNamespace(predict=lambda prompt: replied(client, [{"role": "user", "content": prompt}]))
        node = types.SimpleNamespace(node=types.SimpleNamespace(text=v.get("context", "None.")))
        retriever = types.SimpleNamespace(retrieve=lambda _: [node])
        call(Generate(question=v.get("instruction", "What is it?"), retriever=retriever, llm=llm), v)

    return ask


for name, pools, keys, call, has in [
    ("context-relevance", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, lambda made, v: made.get_context_relevancy(), "rate the CONTEXT's"),
    ("answer-relevance", QUALITY, ANSWERED, lambda made, v: made.get_answer_relevancy(), "basically a response"),
    ("ground-truth", QA, {**REFERENCE, **ONE}, lambda made, v: made.get_ground_truth(v["reference"]), "GENERATED_RESPONSE:"),
]:
    beyondllm(f"beyondllm-{name}", pools, keys, beyondllm_metric(call), said(0, 10, "%s"), has=has, besides=[["", "{{option1}}"]])

# unitxt: judges of its catalog, and its own judges

unitxt = in_client("unitxt", "Apache-2.0")


def unitxt_engine(base):
    from unitxt.inference import OpenAiInferenceEngine

    os.environ["UNITXT_ALLOW_UNVERIFIED_CODE"] = "True"
    return OpenAiInferenceEngine(
        model_name="gpt-4o", base_url=f"{base}/v1", credentials={"api_key": KEY}, logprobs=None, top_logprobs=None, use_cache=False
    )


def without_unitxt():
    without("transformers", "evaluate", "scipy", "sklearn")


def unitxt_rag(task, template, score):
    def ask(base, v):
        without_unitxt()
        from unitxt.llm_as_judge_from_template import TaskBasedLLMasJudge

        judge = TaskBasedLLMasJudge(
            inference_model=unitxt_engine(base),
            task=f"tasks.rag_eval.{task}",
            template=f"templates.rag_eval.{template}",
            format=None,
            main_score=score,
            prediction_field="answer" if "option1" in v else None,
            infer_log_probs=False,
        )
        case = {"question": v["instruction"], "contexts": [v.get("context", "")], "ground_truths": [v.get("reference", "")]}
        judge.compute([[]], [v.get("option1")], [{**case, "contexts_ids": [0], "metadata": {"data_classification_policy": ["public"]}}])

    return ask


GROUNDED = ["Completely Grounded", "Mostly grounded", "Somewhat grounded", "Not grounded"]
for name, task, template, pools, keys, form in [
    ("faithfulness", "faithfulness.binary", "faithfulness.judge_with_question_simplified_verbal", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, in_text(*GROUNDED)),
    ("answer-correctness", "answer_correctness.binary", "answer_correctness.judge_loose_match_no_context_numeric", QA, COMPARED, said(0, 10, "%s", kind="reference")),
    ("answer-relevance", "answer_relevance.binary", "answer_relevance.judge_answer_relevance_numeric", QUALITY, ANSWERED, said(0, 10, "%s")),
    ("faithfulness-full", "faithfulness.binary", "faithfulness.judge_with_question_full", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, words("yes", "no")),
    ("instruct-qa", "answer_correctness.binary", "answer_correctness.judge_instruct_qa_format", QA, COMPARED, words("yes", "no", kind="reference")),
    ("context-answers", "context_relevance.binary", "context_relevance.judge_context_relevance", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, words("yes", "no")),
    ("context-relevance", "context_relevance.binary", "context_relevance.judge_context_relevance_ares", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, words("[[Yes]]", "[[No]]")),
]:
    unitxt(f"unitxt-{name}", pools, keys, unitxt_rag(task, template, name.replace("-", "_")), form)


def unitxt_direct(base, v):
    without_unitxt()
    from unitxt.llm_as_judge import LLMJudgeDirect
    from unitxt.llm_as_judge_constants import CriteriaOption, CriteriaWithOptions

    options = [
        CriteriaOption(name="Good", description="The response meets the criterion."),
        CriteriaOption(name="Poor", description="It does not."),
    ]
    criteria = CriteriaWithOptions(name="quality", description=v["rubric"], options=options, option_map={"Good": 1.0, "Poor": 0.0})
    judge = LLMJudgeDirect(
        inference_engine=unitxt_engine(base),
        criteria=criteria,
        context_fields=["question"],
        criteria_field=None,
        check_positional_bias=False,
        generate_summaries=False,
    )
    judge.prepare()
    judge.compute([[]], [v["option1"]], [{"question": v["instruction"], "data_classification_policy": ["public"]}])


def unitxt_pairwise(base, v):
    without_unitxt()
    from unitxt.llm_as_judge import LLMJudgePairwise
    from unitxt.llm_as_judge_constants import Criteria

    judge = LLMJudgePairwise(
        inference_engine=unitxt_engine(base),
        criteria=Criteria(name="quality", description=v["rubric"]),
        context_fields=["question"],
        check_positional_bias=False,
        generate_summaries=False,
    )
    judge.prepare()
    judge.compute([[]], [[v["option1"], v["option2"]]], [{"question": v["instruction"], "data_classification_policy": ["public"]}])


ASSESSED = "The response says what was asked."
ASSESSMENT = {"verdict": {"kind": "none", "where": "text"}, "replies": [[ASSESSED, {"none": True}], ["It leaves a part out.", {"none": True}]]}
unitxt(
    "unitxt-direct",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    unitxt_direct,
    {"kind": "rubric", **ASSESSMENT},
    has="You will assess the quality of the response",
    besides=[["Now based on the assessment", "Good"], ["", ASSESSED]],
    note="the first request of the judge: it asks for an assessment, the option is chosen in the next",
)
unitxt(
    "unitxt-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("Response 1", "Response 2")},
    unitxt_pairwise,
    {"kind": "pair", **ASSESSMENT},
    has="You will choose the better quality response",
    besides=[["Now considering the evaluation criteria", "Response 1"], ["", ASSESSED]],
    note="the first request of the judge: it asks for an assessment, the response is chosen in the next",
)

# evalassist

evalassist = in_client("evalassist", "Apache-2.0")


def evalassist_judge(pairwise, **options):
    def ask(base, v):
        without_unitxt()
        bare("evalassist")
        from evalassist.judges.direct_judge import DirectJudge
        from evalassist.judges.pairwise_judge import PairwiseJudge
        from evalassist.judges.types import Criteria, CriteriaOption, Instance

        levels = [
            CriteriaOption(name="Good", description="It meets the criterion.", score=1.0),
            CriteriaOption(name="Poor", description="It does not.", score=0.0),
        ]
        criteria = Criteria(
            name="quality",
            description=v["rubric"],
            to_evaluate_field="response",
            context_fields=["question"],
            options=[] if pairwise else levels,
        )
        answers = [v["option1"], v["option2"]] if pairwise else v["option1"]
        judge = (PairwiseJudge if pairwise else DirectJudge)(inference_engine=unitxt_engine(base), **options)
        judge([Instance(fields={"question": v["instruction"], "response": answers})], criteria)

    return ask


evalassist(
    "evalassist-direct",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    evalassist_judge(False),
    category("selected_option", ["Good"], ["Poor"], kind="rubric", explanation="I looked."),
)
evalassist(
    "evalassist-feedback",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    evalassist_judge(False, generate_feedback=True),
    category("selected_option", ["Good"], ["Poor"], kind="rubric", explanation="I looked.", feedback="None."),
)
evalassist(
    "evalassist-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("response_1", "response_2")},
    evalassist_judge(True),
    choice(
        {"explanation": "I read both.", "selected_option": "response_1"},
        {"explanation": "I read both.", "selected_option": "response_2"},
        {"response_1": 0, "response_2": 1, "tie": "tie"},
        field="selected_option",
        where="json",
    ),
)

# promptflow-evals

promptflow = in_client("promptflow-evals", "MIT")


def promptflow_evaluator(module, name, case):
    def ask(base, v):
        without("azure", "marshmallow_", "promptflow.client")
        bare("promptflow.evals")
        bare("promptflow.evals.evaluators")
        from promptflow.core import OpenAIModelConfiguration

        made = getattr(importlib.import_module(f"promptflow.evals.evaluators.{module}"), name)
        made(OpenAIModelConfiguration(model="gpt-4o", base_url=f"{base}/v1", api_key=KEY))(**case(v))

    return ask


for name, module, evaluator_name, pools, keys, case in [
    ("coherence", "_coherence", "CoherenceEvaluator", QUALITY, ANSWERED, lambda v: {"question": v["instruction"], "answer": v["option1"]}),
    ("fluency", "_fluency", "FluencyEvaluator", QUALITY, ANSWERED, lambda v: {"question": v["instruction"], "answer": v["option1"]}),
    ("groundedness", "_groundedness", "GroundednessEvaluator", WITH_CONTEXT, {**CONTEXT, **ONE}, lambda v: {"context": v["context"], "answer": v["option1"]}),
    ("relevance", "_relevance", "RelevanceEvaluator", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, lambda v: {"question": v["instruction"], "context": v["context"], "answer": v["option1"]}),
]:
    promptflow(f"promptflow-evals-{name}", pools, keys, promptflow_evaluator(module, evaluator_name, case), said(1, 5, "%s"))

# llm-rankers

llm_rankers = in_client("llm-rankers", "Apache-2.0")


def ranker(module, name, count, **options):
    def ask(base, v):
        without_torch("transformers", "datasets", "sentencepiece", "accelerate", "peft", "more_itertools")
        uncounted()
        import openai

        openai.api_base = f"{base}/v1"
        from llmrankers.rankers import SearchResult

        made = getattr(importlib.import_module(f"llmrankers.{module}"), name)("gpt-4", KEY, **options)
        texts = [v[f"option{i}"] for i in range(1, count + 1)]
        docs = texts if count == 2 else [SearchResult(docid=str(i), score=0, text=text) for i, text in enumerate(texts)]
        made.compare(v["instruction"], docs)

    return ask


PASSAGES = ["nway", "rag", "en", "de"]
llm_rankers(
    "llm-rankers-pairwise",
    PASSAGES,
    {**INSTRUCTION, **pair("Passage A", "Passage B")},
    ranker("pairwise", "OpenAiPairwiseLlmRanker", 2),
    choice("Passage A", "Passage B", {"Passage A": 0, "Passage B": 1}),
)
llm_rankers(
    "llm-rankers-setwise",
    PASSAGES,
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": f"Passage {letter}"} for i, letter in [(1, "A"), (2, "B"), (3, "C")]}},
    ranker("setwise", "OpenAiSetwiseLlmRanker", 3),
    choice("Passage A", "Passage B", {"Passage A": 0, "Passage B": 1, "Passage C": 2}, kind="n-way"),
)

# arthur-bench

arthur_bench = in_client("arthur-bench", "MIT")


def arthur_scorer(module, name, case):
    def ask(base, v):
        uncounted()
        without_torch("bert_score", "spacy", "nltk", "textstat")
        bare("arthur_bench.scoring")
        os.environ["OPENAI_API_BASE"] = f"{base}/v1"
        import openai

        openai.api_base = f"{base}/v1"
        sys.modules["arthur_bench.scoring"].Scorer = importlib.import_module("arthur_bench.scoring.scorer").Scorer
        scorer = getattr(importlib.import_module(f"arthur_bench.scoring.{module}"), name)()
        scorer.run_batch(*case(v))

    return ask


arthur_bench(
    "arthur-bench-qa",
    ["rag", "en", "de"],
    {**INSTRUCTION, **CONTEXT, **ONE},
    arthur_scorer("qa_quality", "QAQualityCorrectness", lambda v: [[v["option1"]], None, [v["instruction"]], [v["context"]]]),
    words("1", "0"),
    note="three examples are turns of the conversation",
)
arthur_bench(
    "arthur-bench-summary",
    ["sum", "rag", "fr"],
    {**CONTEXT, **pair("0", "1")},
    arthur_scorer("summary_quality", "SummaryQuality", lambda v: [[v["option2"]], [v["option1"]], [v["context"]], None]),
    choice("0", "1", {"0": 0, "1": 1, "tie": "tie"}),
    note="two examples are turns of the conversation",
)

# synthetic-data-kit

synthetic_data_kit = in_client("synthetic-data-kit", "MIT")


def sdk_rating(base, v):
    at(base)
    without("torch", "transformers", "datasets", "lance", "vllm")
    os.environ["API_ENDPOINT_KEY"] = KEY
    from synthetic_data_kit.core.curate import curate_qa_pairs

    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "in.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"summary": "", "qa_pairs": [{"question": v["instruction"], "answer": v["option1"]}]}, file)
    curate_qa_pairs(path, os.path.join(folder, "out.json"), provider="api-endpoint", api_base=f"{base}/v1", model="gpt-4o")


synthetic_data_kit(
    "synthetic-data-kit-rating",
    QUALITY,
    ANSWERED,
    sdk_rating,
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "json", "field": "[].rating"},
        "replies": [
            ['[{"question": "Q", "answer": "A", "rating": 9}]', {"list": [9]}],
            ['[{"question": "Q", "answer": "A", "rating": 3}]', {"list": [3]}],
        ],
    },
)

# opencompass: its subjective sets put the judge's prompt together, their users' answers fill it

opencompass = in_client("opencompass", "Apache-2.0")


def compass(module, name, file, case, column):
    def ask(base, v):
        without_torch(
            "transformers", "evaluate", "rouge_score", "rouge_chinese", "jieba", "opencc", "faiss", "sentence_transformers",
            "spacy", "accelerate", "sacrebleu", "rapidfuzz", "cn2an", "prettytable", "absl", "nltk", "func_timeout", "fairscale", "rank_bm25",
        )
        sys.modules["torch"].__version__ = "2.0.0"
        bare("opencompass.datasets")
        bare("opencompass.datasets.subjective")
        from opencompass.openicl.icl_prompt_template import PromptTemplate

        folder = tempfile.mkdtemp()
        with open(os.path.join(folder, f"{file}.json"), "w", encoding="utf-8") as out:
            json.dump([case(v)], out)
        made = getattr(importlib.import_module(f"opencompass.datasets.subjective.{module}"), name)
        # The library of data sets would ask the stand-in for its classes.
        for stand_in in ("torch", "transformers"):
            sys.modules.pop(stand_in, None)
        prompt = made.load(None, folder, file)[0][column]
        entry = {"prediction": v["option1"], **({"prediction2": v["option2"]} if "option2" in v else {})}
        replied(openai_at(base), [{"role": "user", "content": PromptTemplate(prompt).generate_item(entry)}])

    return ask


def compassbench(language):
    return compass(
        "compassbench",
        "CompassBenchDataset",
        "first",
        lambda v: {"question": v["instruction"], "language": language, "category": "writing", "others": {"level": 1}},
        "judge_prompt",
    )


def compassarena(column):
    return compass(
        "compass_arena_subjective_bench",
        "CompassArenaSubjectiveBench",
        "singleturn",
        lambda v: {"category": "领域知识问答", "question": {"content": v["instruction"]}, "answer": {"content": "."}, "difficulty": 1},
        column,
    )


opencompass(
    "opencompass-bench-en",
    PAIRS,
    {**INSTRUCTION, **pair("Response 1", "Response 2")},
    compassbench("en"),
    choice("Evaluation 1: It is right.\nEvaluation 2: It is wrong.\nChoice: [[A]]", "Evaluation 1: It is wrong.\nEvaluation 2: It is right.\nChoice: [[B]]", {"A": 0, "B": 1, "C": "tie"}),
)
opencompass(
    "opencompass-bench-zh",
    ["zh", "en", "ja"],
    {**INSTRUCTION, **pair("回答1", "回答2")},
    compassbench("zh"),
    {**choice("评价1：对。\n评价2：错。\n选择：[[A]]", "评价1：错。\n评价2：对。\n选择：[[B]]", {"A": 0, "B": 1, "C": "tie"}), "language": "zh"},
)
opencompass(
    "opencompass-arena-pointwise",
    ["zh", "en", "ja"],
    ANSWERED,
    compassarena("pointwise_judge_prompt"),
    {**said(0, 5, "因此，我的最终综合打分结果为：[[%s分]]。"), "language": "zh"},
)
opencompass(
    "opencompass-arena-pairwise",
    ["zh", "en", "ja"],
    {**INSTRUCTION, **pair("模型A", "模型B")},
    compassarena("pairwise_judge_prompt"),
    {
        **choice("因此，我的最终判断结果为：[[A>B]]。", "因此，我的最终判断结果为：[[A<<B]]。", {"A>>B": 0, "A>B": 0, "A=B": "tie", "A<B": 1, "A<<B": 1}),
        "language": "zh",
    },
)

# kiln

kiln = in_client("kiln-ai", "MIT")


def kiln_judge(reference):
    def ask(base, v):
        at(base)
        without_torch("transformers", "lancedb", "llama_index", "vertexai_", "google.cloud")
        from kiln_ai.adapters.eval.g_eval import GEval
        from kiln_ai.datamodel import Project, Task, TaskOutputRatingType
        from kiln_ai.datamodel.datamodel_enums import ModelProviderName, StructuredOutputMode
        from kiln_ai.datamodel.eval import Eval, EvalConfig, EvalConfigType, EvalDataType, EvalOutputScore
        from kiln_ai.datamodel.run_config import KilnAgentRunConfigProperties
        from kiln_ai.datamodel.task import RunConfigProperties  # noqa: F401  its module has to be loaded
        from kiln_ai.datamodel import DataSource, DataSourceType, TaskOutput, TaskRun
        from kiln_ai.utils.config import Config

        Config.shared().update_settings({"open_ai_api_key": KEY})
        folder = tempfile.mkdtemp()
        project = Project(name="Help", path=os.path.join(folder, "project.kiln"))
        project.save_to_file()
        task = Task(name="Answers", instruction="Answer the question of a nurse.", parent=project)
        task.save_to_file()
        scores = [EvalOutputScore(name="helpfulness", instruction="Does the answer help?", type=TaskOutputRatingType.five_star)]
        made = Eval(
            name="Quality",
            parent=task,
            eval_set_filter_id="tag::a",
            eval_configs_filter_id="tag::b",
            output_scores=scores,
            **({"evaluation_data_type": EvalDataType.reference_answer} if reference else {}),
        )
        made.save_to_file()
        config = EvalConfig(
            name="Judge",
            parent=made,
            config_type=EvalConfigType.llm_as_judge,
            model_name="gpt_4o",
            model_provider="openai",
            properties={"eval_steps": ["Does the answer say what was asked?", "Is it short?"]},
        )
        config.save_to_file()
        run_config = KilnAgentRunConfigProperties(
            model_name="gpt_4o",
            model_provider_name=ModelProviderName.openai,
            prompt_id="simple_prompt_builder",
            structured_output_mode=StructuredOutputMode.json_schema,
        )
        judge = GEval(config, run_config)
        run = TaskRun(
            parent=task,
            input=v["instruction"],
            input_source=DataSource(type=DataSourceType.human, properties={"created_by": "me"}),
            output=TaskOutput(output=v["option1"], source=DataSource(type=DataSourceType.human, properties={"created_by": "me"})),
        )
        asyncio.run(judge.run_eval(run))

    return ask


kiln(
    "kiln-judge",
    QUALITY,
    ANSWERED,
    kiln_judge(False),
    scored("helpfulness", 1, 5),
    has="Considering the above, return a final result.",
    besides=[["First, think step by step", "The answer says what was asked. It is short."]],
    note="the second request: what the judge has thought before is a turn of the conversation",
)
