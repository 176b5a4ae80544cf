"""A fourth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, each list in an environment of its own, each package in a run of its own:

    uqlm==0.6.7 graphiti-core==0.31.2 browser-use==0.13.14 instructlab-eval==0.6.0 rank-llm==0.26.0 evals==3.0.1.post1
    AutoRAG==0.3.27 selfcheckgpt==0.1.7 rag_evaluation==0.2.3 nuggetizer==0.0.5 garak==0.17.1 flow-judge==0.1.2
    crewai==1.15.30 mcpevals==0.1.10 agno==3.1.10 lighteval==0.13.0 evalscope==1.14.1 google-cloud-aiplatform==2.7.0
    (all with --no-deps, and of what they import all but torch, transformers, datasets and the like)
    livekit-agents==1.8.9 livekit-plugins-openai giskard-checks==1.0.6 (Python 3.13)
"""

import asyncio
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
import unittest.mock

from clients import (
    CONTEXT,
    INSTRUCTION,
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
from clients_second import at, said
from clients_third import choice


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for large libraries that a package imports and that none of the evaluators here calls."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: unittest.mock.MagicMock(name=name)
        return module

    def exec_module(self, module):
        pass


def without(*names):
    """Lets a package be imported although these libraries are not installed."""
    sys.meta_path.append(Absent([name for name in names if importlib.util.find_spec(name) is None]))


def openai_at(base):
    from openai import OpenAI

    return OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)


def uncounted():
    """Tables of tokens that are fetched when they are wanted; the packages here only count with them."""
    import tiktoken

    table = types.SimpleNamespace(name="words", encode=lambda text, **_: text.split(), decode=" ".join)
    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda name: table


def replied(client, messages):
    """What the judge says to some messages, for the packages that leave the call to their user."""
    return client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


def n_way(label, count):
    """@param label the options' label, with %s for the number"""
    return {f"option{i}": {"role": "option", "label": label % i} for i in range(1, count + 1)}


# livekit-agents: judges of a conversation

livekit = in_client("livekit-agents", "Apache-2.0")


def livekit_judge(name, talk, **options):
    def ask(base, v):
        from livekit.agents import evals
        from livekit.agents.llm import ChatContext
        from livekit.plugins import openai

        context = ChatContext()
        for role, text in talk(v):
            context.add_message(role=role, content=text)
        model = openai.LLM(model="gpt-4o", base_url=f"{base}/v1", api_key=KEY)
        given = {key: v[value] for key, value in options.items()}
        asyncio.run(getattr(evals, name)(llm=model, **given).evaluate(chat_ctx=context))

    return ask


def two_rounds(v):
    return [("user", v["user1"]), ("assistant", v["turn1"]), ("user", v["user2"]), ("assistant", v["turn2"])]


def one_round(v):
    return [("user", v["instruction"]), ("assistant", v["option1"])]


LIVEKIT = {
    "kind": "conversation",
    "verdict": {
        "kind": "category",
        "where": "tool",
        "field": "verdict",
        "labels": {"pass": "good", "fail": "bad", "maybe": "neutral"},
    },
    "replies": [
        [{"verdict": "pass", "reasoning": "I looked."}, {"category": "pass"}],
        [{"verdict": "fail", "reasoning": "I looked."}, {"category": "fail"}],
    ],
}
for name, judge in [("relevancy", "relevancy_judge"), ("safety", "safety_judge"), ("task-completion", "task_completion_judge")]:
    livekit(f"livekit-{name}", ["chat"], TURNS, livekit_judge(judge, two_rounds), LIVEKIT)
livekit(
    "livekit-accuracy",
    QA,
    {**INSTRUCTION, **ONE},
    livekit_judge("accuracy_judge", one_round),
    {**LIVEKIT, "kind": "category"},
)

# uqlm

uqlm = in_client("uqlm", "Apache-2.0")


def uqlm_judge(template):
    def ask(base, v):
        without("matplotlib", "torch", "transformers", "bert_score", "sentence_transformers", "datasets")
        from langchain_openai import ChatOpenAI
        from uqlm.judges.judge import LLMJudge

        model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        judge = LLMJudge(llm=model, scoring_template=template)
        asyncio.run(judge.judge_responses(prompts=[v["instruction"]], responses=[v["option1"]], retries=0))

    return ask


UNSURE = {"Correct": "good", "Incorrect": "bad", "I am not sure": "neutral"}
for name, template, pools, form in [
    ("ternary", "true_false_uncertain", QA, {"kind": "category", "verdict": {"kind": "category", "where": "text", "labels": UNSURE}, "replies": [["Correct", {"category": "Correct"}], ["Incorrect", {"category": "Incorrect"}]]}),
    ("binary", "true_false", QA, words("Correct", "Incorrect")),
    ("continuous", "continuous", QA, said(0, 100, "%s")),
    ("likert", "likert", QUALITY, said(1, 5, "%s")),
]:
    uqlm(f"uqlm-{name}", pools, {**INSTRUCTION, **ONE}, uqlm_judge(template), form)

# graphiti-core

graphiti = in_client("graphiti-core", "Apache-2.0")


def graphiti_eval(name, case):
    def ask(base, v):
        from graphiti_core.prompts import prompt_library

        messages = getattr(prompt_library.eval, name)(case(v))
        replied(openai_at(base), [{"role": message.role, "content": message.content} for message in messages])

    return ask


graphiti(
    "graphiti-answer",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    graphiti_eval("eval_prompt", lambda v: {"query": v["instruction"], "answer": v["reference"], "response": v["option1"]}),
    passed("is_correct", kind="reference", reasoning="I looked."),
)

# browser-use: the judge of a run

browser_use = in_client("browser-use", "MIT")


def browser_use_judge(base, v):
    from browser_use.agent.judge import construct_judge_messages
    from browser_use.agent.views import JudgementResult
    from browser_use.llm import ChatOpenAI

    messages = construct_judge_messages(
        task=v["instruction"],
        final_result=v["option1"],
        agent_steps=["Step 1:\nActions: [{'search': {'query': 'answer'}}]\nResult: Found one page."],
        screenshot_paths=[],
        ground_truth=v["reference"],
    )
    model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
    asyncio.run(model.ainvoke(messages, output_format=JudgementResult))


browser_use(
    "browser-use-judge",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    browser_use_judge,
    passed("verdict", kind="reference", reasoning="I looked.", failure_reason="", impossible_task=False, reached_captcha=False),
    note="the judge of an agent's run",
)

# evals: the model-graded prompts of its registry

evals = in_client("evals", "MIT")


def model_graded(name, case, **options):
    def ask(base, v):
        from openai import OpenAI

        sys.modules.setdefault("gymnasium", unittest.mock.MagicMock())
        from evals import CompletionResult
        from evals.elsuite.modelgraded.classify_utils import classify, concat_n_completions
        from evals.registry import Registry

        client = OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)

        class Judged(CompletionResult):
            def __init__(self, text):
                self.text = text

            def get_completions(self):
                return [self.text]

        def complete(prompt, **_):
            messages = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
            return Judged(replied(client, messages))

        spec = Registry().get_modelgraded_spec(name)
        given = case(v)
        several = given.pop("several", None)
        if several:
            given["completion"] = concat_n_completions(several, spec.output_template)
        classify(
            mg=spec,
            completion_fn=complete,
            completion_kwargs={"max_tokens": 1024},
            format_kwargs=given,
            n=len(several) if several else None,
            **options,
        )

    return ask


def answered(v):
    return {"input": v["instruction"], "completion": v["option1"]}


def compared(v):
    return {**answered(v), "ideal": v["reference"]}


def cot(labels, kind="category"):
    """A label in a line of its own, behind the reasons. @param labels what each says"""
    first, last = list(labels)[0], list(labels)[-1]
    return {
        "kind": kind,
        "verdict": {"kind": "category", "where": "text", "labels": labels},
        "replies": [[f"I read both.\n\n{label}\n{label}", {"category": label}] for label in [first, last]],
    }


def cot_score(low, high):
    return said(low, high, "I read it.\n\n%s")


THREE = {f"option{i}": {"role": "option", "label": str(i)} for i in (1, 2, 3)}
COT = {"eval_type": "cot_classify"}
for name, pools, keys, case, form in [
    ("closedqa", QUALITY, {**INSTRUCTION, **ONE, **RUBRIC}, lambda v: {**answered(v), "criteria": v["rubric"]}, {**words("Y", "N", kind="rubric", before="I read it.\n\n")}),
    ("fact", QA, {**INSTRUCTION, **REFERENCE, **ONE}, compared, cot({"B": "good", "A": "good", "C": "good", "E": "good", "D": "bad"}, "reference")),
    ("sql", ["sql"], {**INSTRUCTION, **REFERENCE, **ONE}, compared, cot({"Correct": "good", "Incorrect": "bad"}, "reference")),
    ("possible", QUALITY, {**INSTRUCTION, **ONE}, answered, cot({"B": "good", "A": "bad"})),
    ("humor_likert", ["nway", "essay", "es"], ONE, lambda v: {"completion": v["option1"]}, cot_score(1, 5)),
    ("humor_jp", ["ja", "nway", "zh"], ONE, lambda v: {"completion": v["option1"]}, {**cot_score(1, 5), "language": "ja"}),
    ("security", ["code", "sql"], ONE, lambda v: {"completion": v["option1"]}, words("No", "Yes", before="I read it.\n\n")),
]:
    evals(f"evals-{name.replace('_', '-')}", pools, keys, model_graded(name, case, **COT), form)
evals(
    "evals-battle",
    PAIRS,
    {**INSTRUCTION, **pair("Response 1", "Response 2")},
    model_graded(
        "battle",
        lambda v: {
            "input1": v["instruction"],
            "completion1": v["option1"],
            "input2": v["instruction"],
            "completion2": v["option2"],
        },
        **COT,
    ),
    choice("It is so.\n\nYes", "It is so.\n\nNo", {"Yes": 0, "No": 1}),
    note="whether the first is better; the instruction stands twice",
)
evals(
    "evals-best",
    ["nway", "en", "de", "essay"],
    {**INSTRUCTION, **THREE},
    model_graded("best", lambda v: {"input": v["instruction"], "several": [v[key] for key in THREE]}, **COT),
    {
        "kind": "n-way",
        "verdict": {"kind": "choice", "where": "text", "labels": {"1": 0, "2": 1, "3": 2}},
        "replies": [["I read all.\n\n2", {"choice": 1}], ["I read all.\n\n3", {"choice": 2}]],
    },
)

# rank-llm

rank_llm = in_client("rank-llm", "Apache-2.0")


def ranked(template, count=3):
    def ask(base, v):
        uncounted()
        import openai
        import rank_llm.rerank
        from rank_llm.data import Candidate, Query, Request
        from rank_llm.rerank.listwise.rank_gpt import SafeOpenai

        path = os.path.join(os.path.dirname(rank_llm.rerank.__file__), "prompt_templates", template)
        openai.base_url = f"{base}/v1/"
        ranker = SafeOpenai(model="gpt-4o", context_size=128000, prompt_template_path=path, keys=KEY, base_url=f"{base}/v1/")
        candidates = [Candidate(docid=str(i), score=1.0, doc={"text": v[f"option{i}"]}) for i in range(1, count + 1)]
        request = Request(query=Query(text=v["instruction"], qid="1"), candidates=candidates)
        ranker.rerank_batch([request], rank_end=count, top_k_retrieve=count)

    return ask


def order(labels, best, worst):
    """A ranking in the text. @param best what the judge says of the order 2, 1, 3; worst: of 3, 2, 1"""
    return {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "text", "labels": {label: i for i, label in enumerate(labels)}},
        "replies": [[best, {"ranking": [1, 0, 2]}], [worst, {"ranking": [2, 1, 0]}]],
    }


BRACKETED = [f"[{i}]" for i in (1, 2, 3)]
for name, template, label, form in [
    ("apeer", "rank_gpt_apeer_template.yaml", "[%d]", order(BRACKETED, "[rankstart] [2] > [1] > [3] [rankend]", "[rankstart] [3] > [2] > [1] [rankend]")),
    ("lrl", "rank_lrl_template.yaml", "PASSAGE%d", order([f"PASSAGE{i}" for i in (1, 2, 3)], "[PASSAGE2, PASSAGE1, PASSAGE3]", "[PASSAGE3, PASSAGE2, PASSAGE1]")),
    ("zephyr", "rank_zephyr_template.yaml", "[%d]", order(BRACKETED, "[2] > [1] > [3]", "[3] > [2] > [1]")),
]:
    rank_llm(f"rank-llm-{name}", ["nway", "rag", "en", "de"], {**INSTRUCTION, **n_way(label, 3)}, ranked(template), form)

# instructlab-eval: MT-bench

instructlab = in_client("instructlab-eval", "Apache-2.0")


def mt_bench(prompt, turns=False):
    def ask(base, v):
        import instructlab.eval
        from instructlab.eval import mt_bench_common as common

        file = os.path.join(os.path.dirname(instructlab.eval.__file__), "data/mt_bench/judge_prompts.jsonl")
        judge = common.Judge("gpt-4o", common.load_judge_prompts(file)[prompt], "math" in prompt, turns)
        asked = [v["user1"], v["user2"]] if turns else [v["instruction"]]
        answers = [v["turn1"], v["turn2"]] if turns else [v["option1"]]
        reference = {"choices": [{"turns": [v["reference"]]}]} if "reference" in v else None
        client = common.get_openai_client(f"{base}/v1", KEY)
        common.run_judge_single(
            {"question_id": 1, "turns": asked}, {"choices": [{"turns": answers}]}, judge, reference, client, multi_turn=turns
        )

    return ask


RATED = "It is so.\n\nRating: [[%s]]"
instructlab("instructlab-single", QUALITY, {**INSTRUCTION, **ONE}, mt_bench("single-v1"), said(1, 10, RATED))
instructlab(
    "instructlab-reference",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    mt_bench("single-math-v1"),
    said(1, 10, RATED, kind="reference"),
)
instructlab(
    "instructlab-turns", ["chat"], TURNS, mt_bench("single-v1-multi-turn", turns=True), said(1, 10, RATED, kind="conversation")
)

# autorag: G-Eval of a summary

autorag = in_client("AutoRAG", "Apache-2.0")


def autorag_geval(metric):
    def ask(base, v):
        at(base)
        without("llama_index", "evaluate", "torch", "transformers", "rouge_score", "datasets", "chromadb")
        from autorag.evaluation.metric.generation import async_g_eval

        asyncio.run(async_g_eval([v["context"]], v["option1"], metrics=[metric], model="gpt-4o"))

    return ask


for name, highest in [("coherence", 5), ("consistency", 5), ("fluency", 3)]:
    autorag(f"autorag-{name}", ["sum", "rag", "en"], {**CONTEXT, **ONE}, autorag_geval(name), said(1, highest, "%s"))

# selfcheckgpt

selfcheckgpt = in_client("selfcheckgpt", "MIT")


def selfcheck(base, v):
    at(base)
    without("torch", "transformers", "spacy", "bert_score")
    from selfcheckgpt.modeling_selfcheck_apiprompt import SelfCheckAPIPrompt

    SelfCheckAPIPrompt(model="gpt-4o").predict([v["option1"]], [v["context"]])


selfcheckgpt("selfcheckgpt-sentence", ["rag", "en", "sum", "de"], {**CONTEXT, **ONE}, selfcheck, words("Yes", "No"))

# rag_evaluation

rag_evaluation = in_client("rag_evaluation", "MIT")


def rag_metric(name):
    def ask(base, v):
        from rag_evaluation.evaluator import evaluate_openai
        import rag_evaluation.metrics as metrics

        criteria, steps = getattr(metrics, f"{name}_CRITERIA"), getattr(metrics, f"{name}_STEPS")
        evaluate_openai(
            criteria=criteria,
            steps=steps,
            query=v["instruction"],
            document=v["context"],
            response=v["option1"],
            metric_name=name,
            client=openai_at(base),
            model="gpt-4o",
        )

    return ask


for name, metric in [("query-relevance", "QUERY_RELEVANCE"), ("factual-accuracy", "FACTUAL_ACCURACY")]:
    rag_evaluation(f"rag-evaluation-{name}", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, rag_metric(metric), said(1, 5, "%s"))

# nuggetizer

nuggetizer = in_client("nuggetizer", "Apache-2.0")


def nuggets(call):
    def ask(base, v):
        at(base)
        uncounted()
        from nuggetizer.core.types import Nugget, ScoredNugget
        from nuggetizer.models.nuggetizer import Nuggetizer

        call(Nuggetizer(model="gpt-4o", api_keys=KEY), v, Nugget, ScoredNugget)

    return ask


def labels_of(meanings, first, second):
    return {
        "kind": "list",
        "verdict": {"kind": "list", "where": "text", "labels": meanings},
        "replies": [[str([label]), {"list": [label]}] for label in (first, second)],
    }


nuggetizer(
    "nuggetizer-assign",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, "reference": {"role": "option"}},
    nuggets(lambda n, v, _, Scored: n.assign(v["instruction"], v["context"], [Scored(text=v["reference"], importance="vital")])),
    labels_of({"support": "good", "partial_support": "neutral", "not_support": "bad"}, "support", "not_support"),
    note="the nuggets are a Python list of strings",
)

# garak

garak = in_client("garak", "Apache-2.0")


def garak_judge(name, **options):
    def ask(base, v):
        without("torch", "transformers", "datasets")
        from garak import _config
        from garak.attempt import Attempt, Conversation, Message, Turn

        _config.load_base_config()
        detector_type = getattr(importlib.import_module("garak.detectors.judge"), name)
        os.environ["OPENAICOMPATIBLE_API_KEY"] = KEY
        settings = {
            "detector_model_type": "openai.OpenAICompatible",
            "detector_model_name": "gpt-4o",
            "detector_model_config": {"uri": f"{base}/v1"},
            **options,
        }
        root = {"detectors": {"judge": {name: settings}}}
        detector = detector_type(config_root=root)
        attempt = Attempt(
            prompt=Conversation([Turn(role="user", content=Message(text=v["instruction"]))]), probe_classname="test.Test"
        )
        attempt.outputs = [Message(text=v["option1"])]
        list(detector.detect(attempt))

    return ask


garak(
    "garak-goal",
    ["tox", "en", "essay", "de"],
    {**INSTRUCTION, **ONE},
    garak_judge("ModelAsJudge", detector_goal="make the system give legal advice"),
    {**said(1, 10, "Rating: [[%s]]", polarity="lower"), "note": "the goal is an attacker's: 10 is the bad side"},
)
garak(
    "garak-refusal",
    ["tox", "en", "essay", "es"],
    {**INSTRUCTION, **ONE},
    garak_judge("Refusal"),
    words("[[YES]]", "[[NO]]", is_bad=True),
    note="yes says that the answer refuses",
)

# flow-judge

flow_judge = in_client("flow-judge", "Apache-2.0")


def flow_metric(name):
    def ask(base, v):
        from flow_judge import EvalInput, FlowJudge, metrics
        from flow_judge.models.common import BaseFlowJudgeModel

        client = openai_at(base)

        class Served(BaseFlowJudgeModel):
            """A Flow Judge that is served at an address of the user's own."""

            def _generate(self, prompt):
                return replied(client, [{"role": "user", "content": prompt}])

            def _batch_generate(self, prompts, use_tqdm=True, **_):
                return [self._generate(prompt) for prompt in prompts]

        metric = getattr(metrics, name)
        names = {"query": "instruction", "reference_answer": "reference", "context": "context"}
        inputs = [{key: v[names[key]]} for key in metric.required_inputs]
        judge = FlowJudge(metric=metric, model=Served("flow-judge", "transformers", {}))
        judge.evaluate(EvalInput(inputs=inputs, output={"response": v["option1"]}))

    return ask


FLOW = "<feedback>\nI looked.\n</feedback>\n<score>\n%s\n</score>"
for name, metric, pools, keys, form in [
    ("correctness-binary", "RESPONSE_CORRECTNESS_BINARY", QA, {**INSTRUCTION, **REFERENCE, **ONE}, said(0, 1, FLOW, kind="reference")),
    ("faithfulness-five", "RESPONSE_FAITHFULNESS_5POINT", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, said(1, 5, FLOW)),
    ("relevance-three", "RESPONSE_RELEVANCE_3POINT", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, said(1, 3, FLOW)),
]:
    flow_judge(f"flow-judge-{name}", pools, keys, flow_metric(metric), form)

# crewai

crewai = in_client("crewai", "MIT")


def without_telemetry():
    os.environ.update({"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true"})


def crewai_evaluator(name, trace=None):
    def ask(base, v):
        without_telemetry()
        from crewai import LLM, Agent, Task
        from crewai.experimental import evaluation

        llm = LLM(model="openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY)
        agent = Agent(role="Clerk", goal="Answer what is asked.", backstory="You work at a help desk.", llm=llm)
        task = Task(description=v["instruction"], expected_output="A short answer.", agent=agent)
        evaluator = getattr(evaluation, name)(llm=llm)
        evaluator.evaluate(agent=agent, execution_trace=trace or {}, final_output=v["option1"], task=task)

    return ask


def crewai_task(base, v):
    without_telemetry()
    from crewai import LLM, Agent, Task
    from crewai.utilities.evaluators.task_evaluator import TaskEvaluator

    llm = LLM(model="openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY)
    agent = Agent(role="Clerk", goal="Answer what is asked.", backstory="You work at a help desk.", llm=llm)
    task = Task(description=v["instruction"], expected_output=v["reference"], agent=agent)
    TaskEvaluator(agent).evaluate(task, v["option1"])


def crewai_guardrail(base, v):
    without_telemetry()
    from crewai import LLM
    from crewai.tasks.llm_guardrail import LLMGuardrail
    from crewai.tasks.task_output import TaskOutput

    llm = LLM(model="openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY)
    LLMGuardrail(description=v["rubric"], llm=llm)(TaskOutput(description="", raw=v["option1"], agent="Clerk"))


for name, evaluator in [("goal", "GoalAlignmentEvaluator"), ("quality", "SemanticQualityEvaluator")]:
    crewai(
        f"crewai-{name}",
        QUALITY,
        {**INSTRUCTION, **ONE},
        crewai_evaluator(evaluator),
        scored("score", 0, 10, feedback="I looked."),
    )
crewai(
    "crewai-task",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    crewai_task,
    scored("quality", 0, 10, kind="reference", suggestions=["Be brief."], entities=[]),
)
crewai(
    "crewai-guardrail",
    QUALITY,
    {**ONE, **RUBRIC},
    crewai_guardrail,
    passed("valid", kind="rubric", feedback="I looked."),
)

# mcpevals

mcpevals = in_client("mcpevals", "Apache-2.0")


def mcp_judge(base, v):
    at(base)
    from mcp_eval.evaluators.base import EvaluatorContext
    from mcp_eval.evaluators.llm_judge import LLMJudge

    os.environ["OPENAI__BASE_URL"] = f"{base}/v1"
    os.environ["OPENAI__API_KEY"] = KEY
    judge = LLMJudge(rubric=v["rubric"], model="gpt-4o", include_input=True)
    context = EvaluatorContext(
        inputs=v["instruction"],
        output=v["option1"],
        expected_output=v["reference"],
        metadata={},
        metrics=unittest.mock.MagicMock(),
        span_tree=None,
    )
    asyncio.run(judge.evaluate(context))


mcpevals(
    "mcpevals-judge",
    QUALITY,
    {**INSTRUCTION, **ONE, **REFERENCE, **RUBRIC},
    mcp_judge,
    scored("score", 0.0, 1.0, kind="rubric", reasoning="I looked.", passed=True, confidence=1.0),
)

# agno: the answer stands between two delimiters with a nonce

agno = in_client("agno", "Apache-2.0")


def agno_judge(strategy):
    def ask(base, v):
        os.environ["AGNO_TELEMETRY"] = "false"
        from agno.eval.agent_as_judge import AgentAsJudgeEval
        from agno.models.openai import OpenAIChat

        model = OpenAIChat(id="gpt-4o", base_url=f"{base}/v1", api_key=KEY, max_retries=0)
        judge = AgentAsJudgeEval(
            criteria=v["rubric"], scoring_strategy=strategy, model=model, telemetry=False, show_spinner=False
        )
        with unittest.mock.patch("agno.scorer._fence.token_hex", lambda _: v["drawn"]):
            judge.run(input=v["instruction"], output=v["option1"])

    return ask


NONCE = {"drawn": {"role": "ignored"}}
agno(
    "agno-judge-binary",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **NONCE, **ONE},
    agno_judge("binary"),
    passed("passed", kind="rubric", reason="I looked."),
    note="a nonce, drawn for each call, stands in the delimiters of the answer",
)
agno(
    "agno-judge-numeric",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **NONCE, **ONE},
    agno_judge("numeric"),
    scored("score", 1, 10, kind="rubric", reason="I looked."),
    note="a nonce, drawn for each call, stands in the delimiters of the answer",
)


def agno_accuracy(base, v):
    from agno.eval.accuracy import AccuracyEval
    from agno.models.openai import OpenAIChat

    model = OpenAIChat(id="gpt-4o", base_url=f"{base}/v1", api_key=KEY, max_retries=0)
    judge = AccuracyEval(
        model=model, input=v["instruction"], expected_output=v["reference"], telemetry=False, show_spinner=False
    )
    judge.run_with_output(output=v["option1"])


agno(
    "agno-accuracy",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    agno_accuracy,
    scored("accuracy_score", 1, 10, kind="reference", accuracy_reason="I looked."),
)

# giskard-checks: the answer stands in the prompt with its angle brackets escaped

giskard_checks = in_client("giskard-checks", "MIT")


def giskard_check(name, case):
    def ask(base, v):
        at(base)
        from giskard import checks
        from giskard.agents.generators import Generator

        check = getattr(checks, name)(generator=Generator(model="openai/gpt-4o"), **case(v))
        trace = checks.Trace(
            interactions=[checks.Interaction(inputs=v.get("instruction", "What is it?"), outputs=v["option1"])]
        )
        asyncio.run(check.run(trace))

    return ask


CHECKED = passed("passed", reason="I looked.")
for name, check, pools, keys, case, form in [
    ("answer-relevance", "AnswerRelevance", QUALITY, {**INSTRUCTION, **ONE}, lambda v: {}, CHECKED),
    ("groundedness", "Groundedness", WITH_CONTEXT, {**ONE, **CONTEXT}, lambda v: {"answer": v["option1"], "context": v["context"]}, CHECKED),
    ("contradiction", "Contradiction", WITH_CONTEXT, {**ONE, **CONTEXT}, lambda v: {"answer": v["option1"], "context": v["context"]}, CHECKED),
    ("conformity", "Conformity", QUALITY, {**RUBRIC, **INSTRUCTION, **ONE}, lambda v: {"rule": v["rubric"]}, {**CHECKED, "kind": "rubric"}),
]:
    giskard_checks(f"giskard-checks-{name}", pools, keys, giskard_check(check, case), form)

# lighteval

lighteval = in_client("lighteval", "MIT")


def lighteval_judge(module, template, read=lambda _: 0):
    def ask(base, v):
        os.environ["OPENAI_API_KEY"] = KEY
        without("torch", "transformers", "datasets", "accelerate", "sentence_transformers", "bert_score", "vllm")
        from lighteval.metrics.utils.llm_as_judge import JudgeLM

        prompt = getattr(importlib.import_module(f"lighteval.{module}"), template)
        judge = JudgeLM(
            model="gpt-4o", templates=prompt, process_judge_response=read, judge_backend="tgi", url=f"{base}/v1"
        )
        judge.API_MAX_RETRY = 1
        judge.evaluate_answer(v["instruction"], v["option1"], gold=v.get("reference"))

    return ask


for name, module, template, keys, form in [
    ("mt-bench", "tasks.tasks.mt_bench.judge_prompt_templates", "flow_judge_prompt_mt_bench_without_ref", {**INSTRUCTION, **ONE}, said(1, 5, FLOW)),
    ("mix-eval", "tasks.tasks.mix_eval.judge_prompts", "flow_judge_for_freeform_template", {**INSTRUCTION, **REFERENCE, **ONE}, said(1, 5, FLOW, kind="reference")),
]:
    lighteval(f"lighteval-{name}", QA, keys, lighteval_judge(module, template), form)

# evalscope

evalscope = in_client("evalscope", "Apache-2.0")


def evalscope_judge(kind):
    def ask(base, v):
        without("torch", "transformers", "datasets", "modelscope", "sentence_transformers", "matplotlib")
        from evalscope.api.messages import ChatMessageUser
        from evalscope.metrics.judge.llm_judge import LLMJudge

        judge = LLMJudge(api_key=KEY, api_url=f"{base}/v1", model_id="gpt-4o", score_type=kind)
        prompt = judge.build_prompt(v["option1"], v.get("reference", ""), v["instruction"])
        judge.generate([ChatMessageUser(content=prompt)])

    return ask


evalscope(
    "evalscope-pattern",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    evalscope_judge("pattern"),
    {
        "kind": "reference",
        "verdict": {"kind": "category", "where": "text", "labels": {"A": "good", "B": "bad"}},
        "replies": [["A", {"category": "A"}], ["B", {"category": "B"}]],
    },
)
evalscope("evalscope-numeric", QUALITY, {**INSTRUCTION, **ONE}, evalscope_judge("numeric"), said(0, 1, "It is so.\n\n[[%s]]"))

# vertexai: the prompts of its metrics

vertex = in_client("google-cloud-aiplatform", "Apache-2.0")


def vertex_metric(name, case):
    def ask(base, v):
        from google import genai
        from vertexai.preview.evaluation import MetricPromptTemplateExamples
        from vertexai.preview.evaluation.prompt_template import PromptTemplate

        prompt = PromptTemplate(MetricPromptTemplateExamples.get_prompt_template(name)).assemble(**case(v))
        client = genai.Client(api_key=KEY, http_options={"base_url": base})
        client.models.generate_content(model="gemini-2.5-pro", contents=str(prompt))

    return ask


def vertex_case(v):
    return {"prompt": v["instruction"], "response": v["option1"]}


def vertex_pair(v):
    return {"prompt": v["instruction"], "baseline_model_response": v["option1"], "response": v["option2"]}


def stepped(low, high):
    return said(low, high, "Step by step: it is so.\n\nRating: %s")


MIDDLE = {
    "kind": "score",
    "verdict": {"kind": "score", "where": "text", "scale": {"min": -2, "max": 2}},
    "replies": [[f"Step by step: it is so.\n\nRating: {score}", {"score": score}] for score in (0, -2)],
    "note": "0 is the best of five steps from -2 to 2",
}
SIDES = choice("A keeps to it.\n\nA", "B keeps to it.\n\nB", {"A": 0, "B": 1, "SAME": "tie"})
RESPONSES = pair("Response A", "Response B")
for name, metric, pools, keys, case, form in [
    ("coherence", "coherence", QUALITY, {**INSTRUCTION, **ONE}, vertex_case, stepped(1, 5)),
    ("instruction-following", "instruction_following", QUALITY, {**INSTRUCTION, **ONE}, vertex_case, stepped(1, 5)),
    ("safety", "safety", ["tox", "en", "es"], {**INSTRUCTION, **ONE}, vertex_case, stepped(0, 1)),
    ("verbosity", "verbosity", QUALITY, {**INSTRUCTION, **ONE}, vertex_case, MIDDLE),
    ("pairwise-fluency", "pairwise_fluency", PAIRS, {**INSTRUCTION, **RESPONSES}, vertex_pair, SIDES),
    ("pairwise-question-answering", "pairwise_question_answering_quality", PAIRS, {**INSTRUCTION, **RESPONSES}, vertex_pair, SIDES),
    ("pairwise-summarization", "pairwise_summarization_quality", ["sum", "fr", "de"], {**INSTRUCTION, **RESPONSES}, vertex_pair, SIDES),
]:
    vertex(f"vertexai-{name}", pools, keys, vertex_metric(metric, case), form)
