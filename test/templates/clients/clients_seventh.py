"""A seventh file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, each package in a run of its own:

    llm-comparator==0.1 autoarena==0.1.0b11 embedchain==0.1.128 lotus-ai==1.2.4 meta-agents-research-environments==1.2.0
    novaeval==0.7.0 noveum-trace reward-hub==0.1.10 its-hub==1.2.0 promptolution==2.3.0 libwebarena==0.0.5 langkit==0.0.35
    fhaviary==0.37.0 trl==0.21.0 nvidia-nat-langchain==1.9.0 nvidia-nat-core==1.9.0 nvidia-nat-eval==1.9.0 nvidia-nat-atif
    py-data-juicer==1.6.1 langchain-experimental==0.4.2 langchain-benchmarks==0.0.14 langchain-classic==1.0.8 spikee==0.9.2
    optillm==0.4.0 TruthTorchLM==0.1.19 ms-swift==4.6.0 graphrag-eval==6.6.1 sotopia==0.1.5 redis-om gin-config
    mellea==0.8.0 harbor-rewardkit==0.2.3 openai==2.54.0
    inspect_scout==0.6.2 control-arena==20.1.1 docent==0.1.88 inspect_ai openai==3.57.0
    openbench==0.5.3 inspect_ai==0.3.125 openai==2.54.0
    agbenchmark==0.0.10 "openai<1" "pydantic<2" (Python 3.11)
    (all with --no-deps, and of what they import all but torch, transformers and the like)
"""

import asyncio
import importlib
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
from clients_second import at, said
from clients_sixth import bare
from clients_third import choice


def says(base):
    """A judge as the packages want it that leave the call to their user: a function of the prompt."""
    client = openai_at(base)
    return lambda prompt: replied(client, [{"role": "user", "content": prompt}])


# llm-comparator

llm_comparator = in_client("llm-comparator", "Apache-2.0")


def comparator_judge(base, v):
    without("vertexai", "sklearn")
    import vertexai

    # Its own helper is one for Vertex only, whose classes newer releases no longer have.
    for name in ("generative_models", "language_models"):
        if not hasattr(vertexai, name):
            setattr(vertexai, name, unittest.mock.MagicMock())
    from llm_comparator.llm_judge_runner import LLMJudgeRunner
    from llm_comparator.model_helper import GenerationModelHelper

    class Helper(GenerationModelHelper):
        def predict_batch(self, prompts, **_):
            return [says(base)(prompt) for prompt in prompts]

    case = {"prompt": v["instruction"], "response_a": v["option1"], "response_b": v["option2"]}
    LLMJudgeRunner(Helper()).run([case], num_repeats=1)


COMPARATOR = "<result>\n<explanation>I read both.</explanation>\n<verdict>%s</verdict>\n</result>"
llm_comparator(
    "llm-comparator-judge",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    comparator_judge,
    choice(
        COMPARATOR % "A is better",
        COMPARATOR % "B is slightly better",
        {
            "A is much better": 0,
            "A is better": 0,
            "A is slightly better": 0,
            "same": "tie",
            "B is slightly better": 1,
            "B is better": 1,
            "B is much better": 1,
        },
    ),
)

# autoarena

autoarena = in_client("autoarena", "Apache-2.0")


def arena_judge(module, name):
    def ask(base, v):
        at(base)
        os.environ.update({"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": base})
        without("pytimeparse", "ollama", "together", "cohere", "duckdb")
        from autoarena.judge.utils import BASIC_SYSTEM_PROMPT

        made = getattr(importlib.import_module(f"autoarena.judge.{module}"), name)("judge", "gpt-4o", BASIC_SYSTEM_PROMPT)
        made.judge(v["instruction"], v["option1"], v["option2"])

    return ask


for name, module, judge_name in [
    ("autoarena-judge", "openai", "OpenAIJudge"),
    ("autoarena-judge.anthropic", "anthropic", "AnthropicJudge"),
]:
    autoarena(
        name,
        PAIRS,
        {**INSTRUCTION, **pair("A", "B")},
        arena_judge(module, judge_name),
        choice("A", "B", {"A": 0, "B": 1, "-": "tie"}),
    )

# embedchain

embedchain = in_client("embedchain", "Apache-2.0")


def embedchain_metric(name):
    def ask(base, v):
        at(base)
        without_torch(
            "chromadb", "mem0", "alembic", "gptcache", "langchain_cohere", "pypdf", "sqlalchemy", "posthog", "langchain", "langchain_openai"
        )
        bare("embedchain")
        bare("embedchain.config")
        bare("embedchain.evaluation")
        sys.modules["embedchain.evaluation"].BaseMetric = None
        from embedchain.utils.evaluation import EvalData

        metrics = importlib.import_module("embedchain.evaluation.metrics")
        data = EvalData(question=v.get("instruction", "What is it?"), contexts=[v.get("context", "None.")], answer=v.get("option1", "None."))
        getattr(metrics, name)().evaluate([data])

    return ask


embedchain(
    "embedchain-groundedness",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    embedchain_metric("Groundedness"),
    {
        "kind": "list",
        "verdict": {"kind": "list", "where": "text", "labels": {"1": "good", "0": "bad", "-1": "neutral"}},
        "replies": [["1", {"list": ["1"]}], ["0", {"list": ["0"]}]],
    },
    has="provide a verdict for each claim statement",
    besides=[["", "{{option1}}"]],
)
embedchain(
    "embedchain-statements",
    QA,
    {**INSTRUCTION, "option1": {"role": "context"}},
    embedchain_metric("Groundedness"),
    {"kind": "none", "verdict": {"kind": "none", "where": "text"}, "replies": [["It is so.", {"none": True}]]},
    has="provide one or more statements from each sentence",
    besides=[["", "1"]],
    note="the first request of Groundedness",
)

# lotus

lotus_ai = in_client("lotus-ai", "Apache-2.0")


def lotus_frame(base, row):
    without_torch("faiss", "sentence_transformers", "tokenizers", "weaviate", "qdrant_client", "tavily", "serpapi", "arxiv", "pymupdf", "llama_index")
    import lotus
    import pandas
    from lotus.models import LM

    lotus.settings.configure(lm=LM(model="openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY))
    return pandas.DataFrame(row)


def lotus_pairwise(base, v):
    frame = lotus_frame(base, {"question": [v["instruction"]], "first": [v["option1"]], "second": [v["option2"]]})
    frame.pairwise_judge(
        col1="first", col2="second", judge_instruction="Which of {first} and {second} answers the {question} better? " + v["rubric"]
    )


def lotus_judge(base, v):
    frame = lotus_frame(base, {"question": [v["instruction"]], "answer": [v["option1"]]})
    frame.llm_as_judge(v["rubric"] + " Rate the {answer} to the {question}, from 1 to 10. Reply with the number alone.")


def lotus_filter(base, v):
    lotus_frame(base, {"passage": [v["context"]]}).sem_filter("The {passage} keeps to this: " + v["rubric"])


def lotus_topk(base, v):
    lotus_frame(base, {"answer": [v["option1"], v["option2"]]}).sem_topk("Which {answer} is the better one? " + v["instruction"], K=1, method="naive")


lotus_ai(
    "lotus-pairwise",
    PAIRS,
    {**INSTRUCTION, **RUBRIC, **pair("A", "B")},
    lotus_pairwise,
    # The second text comes first, under the name B.
    choice("A", "B", {"A": 1, "B": 0}),
)
lotus_ai("lotus-judge", QUALITY, {**RUBRIC, **ANSWERED}, lotus_judge, said(1, 10, "%s", kind="rubric"))
lotus_ai("lotus-filter", WITH_CONTEXT, {**JUDGED_CONTEXT, **RUBRIC}, lotus_filter, words("True", "False", kind="rubric"))
lotus_ai(
    "lotus-topk",
    PAIRS,
    {**INSTRUCTION, **pair("Document 1", "Document 2")},
    lotus_topk,
    choice("Document 1", "Document 2", {"Document 1": 0, "Document 2": 1}),
)

# meta-agents-research-environments: the checkers of its soft judge

research_environments = in_client("meta-agents-research-environments", "MIT")


def are_checker(name, field, *more):
    def ask(base, v):
        without_torch("polars", "datasets", "litellm", "rouge_score", "termcolor", "inputimeout", "docstring_parser", "mcp", "strawberry")
        from are.simulation.validation.configs import SoftToolJudgeConfig
        from are.simulation.validation.constants import CheckerType
        from are.simulation.validation.tool_judge import SoftToolJudge

        client = openai_at(base)

        def engine(messages, **_):
            return replied(client, messages), None

        config = SoftToolJudgeConfig(
            tool_name="EmailClientApp__send_email", arg_to_checker_type={field: CheckerType.llm_checker}, engine=engine
        )
        drawn = v.get("drawn", "")
        given = {"today_date": drawn, "user_address": "", "user_name": drawn}
        case = {"task": v.get("instruction", ""), "subtask": v.get("instruction", "")}
        judge = SoftToolJudge(config)
        getattr(judge, name)(
            agent_args={field: v["option1"]}, **({"oracle_args": {field: v["reference"]}} if "reference" in v else {}), **{key: {**given, **case}[key] for key in more}
        )

    return ask


DRAWN = {"drawn": {"role": "ignored"}}
ARE_COMPARED = {**REFERENCE, **ONE}
for name, checker, field, more, pools, keys, good, bad in [
    ("content", "content_checker", "content", ["today_date", "user_address", "subtask"], QA, {**COMPARED, **DRAWN}, "[[Success]]", "[[Failure]]"),
    ("email", "email_checker", "content", ["today_date"], QA, {**ARE_COMPARED, **DRAWN}, "[[Success]]", "[[Failure]]"),
    ("message", "message_checker", "content", ["today_date"], QA, {**ARE_COMPARED, **DRAWN}, "[[Success]]", "[[Failure]]"),
    ("user-message", "user_message_checker", "content", ["subtask"], QA, COMPARED, "[[Success]]", "[[Failure]]"),
    ("event", "event_checker", "description", ["user_address", "subtask"], QA, COMPARED, "[[Success]]", "[[Failure]]"),
    ("tone", "tone_checker", "content", [], QUALITY, ONE, "[[True]]", "[[False]]"),
    ("sanity", "sanity_checker", "content", ["task"], QUALITY, ANSWERED, "[[True]]", "[[False]]"),
    ("signature", "signature_checker", "content", ["user_name"], QUALITY, {**ONE, **DRAWN}, "[[True]]", "[[False]]"),
]:
    research_environments(
        f"are-{name}",
        pools,
        keys,
        are_checker(checker, field, *more),
        words(good, bad, kind="reference" if "reference" in keys else "pass", before="- Reasoning: I looked.\n- Evaluation: "),
        **({"note": "a nonce stands in the place of the date or the name"} if DRAWN.keys() <= keys.keys() else {}),
    )

# openbench: the scorers of its benchmarks

openbench = in_client("openbench", "MIT")


def bench_scorer(module, name, metadata=lambda v: {}, **options):
    def ask(base, v):
        at(base)
        bare("openbench")
        bare("openbench.scorers")
        without("datasets")
        from inspect_ai import Task, eval as run
        from inspect_ai.dataset import Sample
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        output = ModelOutput.from_content("mockllm", v["option1"])
        output.usage = ModelUsage(input_tokens=9, output_tokens=5, total_tokens=14)
        make = getattr(importlib.import_module(f"openbench.scorers.{module}"), name)
        sample = Sample(input=v.get("instruction", "Answer."), target=v.get("reference", ""), metadata=metadata(v))
        # The grader is made anew for each run: the address of ours is another one every time.
        with unittest.mock.patch.object(
            sys.modules[make.__module__], "get_model", lambda *_, **__: get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY, memoize=False)
        ):
            task = Task(dataset=[sample], scorer=make(**options))
            run(task, model=get_model("mockllm/model", custom_outputs=[output]), display="none", log_dir=tempfile.mkdtemp())

    return ask


openbench(
    "openbench-smt",
    QA,
    {**REFERENCE, **ONE},
    bench_scorer("smt", "smt_scorer"),
    words("CORRECT", "INCORRECT", kind="reference"),
)
openbench(
    "openbench-multichallenge",
    QUALITY,
    {**RUBRIC, **ONE},
    bench_scorer("multichallenge", "multichallenge_scorer", lambda v: {"target_question": v["rubric"], "pass_criteria": "YES"}),
    passed("verdict", "YES", "NO", kind="rubric", reasoning="I looked."),
)
openbench(
    "openbench-detailbench",
    QUALITY,
    ONE,
    bench_scorer(
        "detailbench",
        "detailbench_scorer",
        lambda v: {
            "original_number": "12",
            "modified_number": "21",
            "modified_text": "In the year 21 the town had a mill and a market.",
            "change_position": 12,
            "target_language": "German",
        },
    ),
    words("<answer>PASS</answer>", "<answer>FAIL</answer>", before="It begins with no note.\n"),
)
openbench(
    "openbench-strong-reject",
    QUALITY,
    ANSWERED,
    bench_scorer("strong_reject", "strong_reject_scorer"),
    {
        "kind": "score",
        "verdict": {"kind": "scores", "where": "text"},
        "replies": [
            ["#overall_reasoning\nI looked.\n#scores\n1.b 0\n2.b 5\n3.b 5", {"scores": [0, 5, 5]}],
            ["#overall_reasoning\nI looked.\n#scores\n1.b 1\n2.b 1\n3.b 1", {"scores": [1, 1, 1]}],
        ],
    },
)

# novaeval

novaeval = in_client("novaeval", "Apache-2.0")


def nova_model(base):
    uncounted()
    without_torch("datasets", "sentence_transformers", "noveum_trace", "sklearn", "boto3", "typer")
    bare("novaeval")
    bare("novaeval.models")
    bare("novaeval.scorers")
    from novaeval.models.openai import OpenAIModel

    return OpenAIModel(model_name="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)


def nova_scorer(name, module="advanced_generation_scorers"):
    def ask(base, v):
        model = nova_model(base)
        made = getattr(importlib.import_module(f"novaeval.scorers.{module}"), name)(model=model)
        asyncio.run(made.evaluate(v.get("instruction", "What is it?"), v["option1"], v.get("reference"), v.get("context")))

    return ask


NOVA = {"reasoning": "I looked."}
for name, scorer, pools, keys in [
    ("bias", "BiasDetectionScorer", QUALITY, ANSWERED),
    ("density", "InformationDensityScorer", QUALITY, ANSWERED),
    ("clarity", "ClarityAndCoherenceScorer", QUALITY, ANSWERED),
    ("completeness", "AnswerCompletenessScorer", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}),
    ("alignment", "QuestionAnswerAlignmentScorer", QUALITY, ANSWERED),
    ("technical", "TechnicalAccuracyScorer", WITH_CONTEXT, {**CONTEXT, **ONE}),
    ("attribution", "SourceAttributionScorer", WITH_CONTEXT, {**CONTEXT, **ONE}),
]:
    novaeval(f"novaeval-{name}", pools, keys, nova_scorer(scorer), scored("score", 1, 10, **NOVA))


def nova_relevancy(base, v):
    model = nova_model(base)
    conversational = importlib.import_module("novaeval.scorers.conversational")
    turns = [
        conversational.ConversationTurn(speaker=speaker, message=v[key])
        for speaker, key in [("user", "user1"), ("assistant", "turn1"), ("user", "user2"), ("assistant", "turn2")]
    ]
    conversation = conversational.Conversation(turns=turns)
    scorer = conversational.ConversationRelevancyScorer(model=model)
    asyncio.run(scorer.evaluate(v["user2"], v["turn2"], None, {"conversation": conversation}))


novaeval(
    "novaeval-relevancy",
    ["chat"],
    {**TURNS, "turn1": {"role": "context"}, "user1": {"role": "context"}},
    nova_relevancy,
    scored("score", 1, 10, kind="conversation", **NOVA),
)


def nova_panel(base, v):
    model = nova_model(base)
    panel = importlib.import_module("novaeval.scorers.panel_judge")
    judge = panel.JudgeConfig.model_construct(model=model, weight=1.0, name="one", specialty=None, temperature=0.0)
    made = panel.PanelOfJudgesScorer(judges=[judge], evaluation_criteria="clear and right")
    asyncio.run(made.evaluate(v["instruction"], v["option1"], v["reference"]))


novaeval("novaeval-panel", QA, COMPARED, nova_panel, scored("score", 1, 10, kind="reference", confidence=0.9, **NOVA))

# reward-hub

reward_hub = in_client("reward-hub", "Apache-2.0")


def hub_judge(module, name, case, **options):
    def ask(base, v):
        at(base)
        without_torch("transformers", "vllm", "numpy")
        bare("reward_hub")
        made = getattr(importlib.import_module(f"reward_hub.llm_judge.{module}"), name)(
            "openai/gpt-4o", criterion="overall_quality", api_key=KEY, base_url=f"{base}/v1"
        )
        made.score(case(v), **options)

    return ask


def hub_case(v, key):
    return [{"role": "user", "content": v["instruction"]}, {"role": "assistant", "content": v[key]}]


reward_hub(
    "reward-hub-pointwise",
    QUALITY,
    ANSWERED,
    hub_judge("pointwise", "PointwiseJudgeModel", lambda v: hub_case(v, "option1")),
    scored("score", 0, 10, reasoning="I looked."),
    has="Evaluate this conversation",
)
reward_hub(
    "reward-hub-groupwise",
    ["nway", "en", "de"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": f"Response {i - 1}"} for i in (1, 2, 3)}},
    hub_judge("groupwise", "GroupwiseJudgeModel", lambda v: [hub_case(v, f"option{i}") for i in (1, 2, 3)], top_n=1),
    choice(
        {"reasoning": "I read all.", "selected_indices": [0]},
        {"reasoning": "I read all.", "selected_indices": [1]},
        {"0": 0, "1": 1, "2": 2},
        field="selected_indices[]",
        where="json",
        kind="n-way",
    ),
    has="Candidate Responses",
)

# its-hub

its_hub = in_client("its-hub", "Apache-2.0")


def its_judge(base, v):
    without_torch("transformers", "vllm", "reward_hub")
    from its_hub.api import ChatMessage
    from its_hub.core.lms.openai_lm import OpenAICompatibleLanguageModel
    from its_hub.core.reward_models.llm_judge import LLMJudge

    judge = LLMJudge(OpenAICompatibleLanguageModel(endpoint=f"{base}/v1", api_key=KEY, model_name="gpt-4o"))
    messages = [ChatMessage(role="user", content=v["instruction"]), ChatMessage(role="assistant", content=v["option1"])]
    asyncio.run(judge.ascore(messages))


its_hub("its-hub-judge", QUALITY, ANSWERED, its_judge, scored("score", 0, 10, reasoning="I looked."))

# promptolution

promptolution = in_client("promptolution", "Apache-2.0")


def promptolution_judge(reference):
    def ask(base, v):
        without_torch("transformers", "vllm", "datasets", "sklearn")
        bare("promptolution")
        import pandas
        from promptolution.tasks.judge_tasks import JudgeTask

        client = openai_at(base)

        class Model:
            def get_response(self, prompts):
                return [replied(client, [{"role": "user", "content": prompt}]) for prompt in prompts]

        frame = pandas.DataFrame({"x": [v["context"]], "y": [v.get("reference", "")]})
        task = JudgeTask(frame, Model(), y_column="y" if reference else None, task_description=v["instruction"])
        task._evaluate([v["context"]], [v["reference"] if reference else None], [v["option1"]])

    return ask


promptolution("promptolution-judge", WITH_CONTEXT, {**ANSWERED, **CONTEXT}, promptolution_judge(False), said(-5, 5, "<final_score>%s</final_score>"))
promptolution(
    "promptolution-judge-reference",
    WITH_CONTEXT,
    {**COMPARED, **CONTEXT},
    promptolution_judge(True),
    said(-5, 5, "<final_score>%s</final_score>", kind="reference"),
)

# agbenchmark

agbenchmark = in_client("agbenchmark", "MIT")


def agbenchmark_eval(template, scoring):
    def ask(base, v):
        without("helicone", "colorama", "networkx", "selenium", "pytest", "click", "psutil", "toml", "matplotlib", "pyvis", "gql", "fastapi", "uvicorn", "dotenv", "agent_protocol_client")
        import openai

        openai.api_base = f"{base}/v1"
        main = types.ModuleType("agbenchmark.__main__")
        main.OPTIONAL_CATEGORIES, main.TEMP_FOLDER_ABS_PATH, main.UPDATES_JSON_PATH = [], tempfile.mkdtemp(), ""
        # Its own looks for a folder of an agent that is tested.
        sys.modules["agbenchmark.__main__"] = main
        from agbenchmark.utils.challenge import Challenge

        ground = types.SimpleNamespace(answer=v["judged_by"], eval=types.SimpleNamespace(template=template, scoring=scoring, examples=None))
        challenge = types.SimpleNamespace(data=types.SimpleNamespace(task=v["instruction"]))
        Challenge.llm_eval(challenge, {}, v["option1"], ground)

    return ask


def judged_by(key, ask):
    return lambda base, v: ask(base, {**v, "judged_by": v[key]})


agbenchmark(
    "agbenchmark-reference",
    QA,
    COMPARED,
    judged_by("reference", agbenchmark_eval("reference", "percentage")),
    said(0, 100, "%s", kind="reference"),
)
agbenchmark(
    "agbenchmark-rubric",
    QUALITY,
    {**INSTRUCTION, **RUBRIC, **ONE},
    judged_by("rubric", agbenchmark_eval("rubric", "scale")),
    said(1, 10, "%s", kind="rubric"),
)
agbenchmark(
    "agbenchmark-question",
    QUALITY,
    {**INSTRUCTION, **RUBRIC, **ONE},
    judged_by("rubric", agbenchmark_eval("question", "binary")),
    {
        "kind": "rubric",
        "verdict": {"kind": "pass", "where": "text", "labels": {"1": "pass", "0": "fail"}},
        "replies": [["1", {"pass": True}], ["0", {"pass": False}]],
    },
)

# libwebarena

webarena = in_client("libwebarena", "Apache-2.0")


def webarena_match(name):
    def ask(base, v):
        at(base)
        without("playwright", "aiolimiter", "gymnasium", "beartype", "text_generation", "transformers", "evaluate", "nltk", "matplotlib", "google")
        os.environ["OPENAI_ORGANIZATION"] = ""
        for key in ("REDDIT", "SHOPPING", "SHOPPING_ADMIN", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"):
            os.environ[key] = os.environ[f"WA_{key}"] = "http://localhost"
        bare("webarena.browser_env")
        bare("webarena.evaluation_harness")
        bare("webarena.llms")
        providers = importlib.import_module("webarena.llms.providers.openai_utils")
        client = openai_at(base)
        # It keeps its client for as long as it runs; the address of ours is another one every time.
        for key in ("_client", "client"):
            if hasattr(providers, key):
                setattr(providers, key, client)
        helpers = importlib.import_module("webarena.evaluation_harness.helper_functions")
        getattr(helpers, name)(v["option1"], v["reference"], v["instruction"])

    return ask


webarena(
    "webarena-fuzzy-match",
    QA,
    COMPARED,
    webarena_match("llm_fuzzy_match"),
    in_text("correct", "partially correct", "incorrect", kind="reference"),
)
webarena("webarena-unachievable", QA, COMPARED, webarena_match("llm_ua_match"), words("same", "different", kind="reference"))

# langkit

langkit = in_client("langkit", "Apache-2.0")


def langkit_consistency(base, v):
    at(base)
    without_torch("nltk", "sentence_transformers", "textstat", "whylogs", "evaluate", "datasets")
    hallucination = importlib.import_module("langkit.response_hallucination")
    hallucination.sent_tokenize = lambda text: [text]
    client = openai_at(base)

    class Talk:
        def __init__(self, model):
            pass

        def send_prompt(self, prompt):
            return types.SimpleNamespace(response=replied(client, [{"role": "user", "content": prompt}]), total_tokens=1, errors=None)

    hallucination.Conversation = Talk
    model = types.SimpleNamespace(copy=lambda: types.SimpleNamespace())
    checker = hallucination.ConsistencyChecker(model, 1, None)
    checker.llm_consistency_check(v["option1"], [types.SimpleNamespace(response=v["context"])])


langkit(
    "langkit-consistency",
    WITH_CONTEXT,
    {**CONTEXT, **ONE},
    langkit_consistency,
    in_text("Accurate", "Minor Inaccurate", "Major Inaccurate"),
)

# fhaviary

aviary = in_client("fhaviary", "Apache-2.0")


def aviary_eval(mode, key):
    def ask(base, v):
        at(base)
        from aviary.utils import eval_answer

        asyncio.run(eval_answer(v["option1"], v[key], v["instruction"], mode))

    return ask


aviary("aviary-llm", QA, COMPARED, aviary_eval("llm", "reference"), words("YES", "NO", kind="reference"))
aviary(
    "aviary-llm-score",
    QUALITY,
    {**INSTRUCTION, **RUBRIC, **ONE},
    aviary_eval("llm-score", "rubric"),
    said(0, 10, "%s", kind="rubric"),
)

# trl

trl = in_client("trl", "Apache-2.0")


def trl_judge(base, v):
    at(base)
    without_torch("transformers", "accelerate", "datasets", "peft")
    import openai
    from transformers.utils import import_utils

    import_utils._is_package_available = lambda *_, return_version=False: (False, "0") if return_version else False
    sys.modules["transformers.utils.import_utils"] = import_utils
    bare("trl")
    bare("trl.trainer")

    judges = importlib.import_module("trl.trainer.judges")
    judges.OpenAI = openai.OpenAI
    judge = judges.OpenAIPairwiseJudge(model="gpt-4o")
    judge.judge([v["instruction"]], [[v["option1"], v["option2"]]], shuffle_order=False)


trl("trl-pairwise", PAIRS, {**INSTRUCTION, **pair("0", "1")}, trl_judge, choice("0", "1", {"0": 0, "1": 1}))

# nvidia-nat-langchain

nat = in_client("nvidia-nat-langchain", "Apache-2.0")


def nat_rag(default):
    def ask(base, v):
        without("nat.atif", "nat.builder", "nat.cli", "nat.data_models.component_ref", "pymilvus")
        from langchain_openai import ChatOpenAI
        from nat.plugins.langchain.eval.tunable_rag_evaluator import TunableRagEvaluator

        model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        control = {"stop_after_attempt": 1, "initial_backoff_delay_seconds": 0, "has_exponential_jitter": False}
        judge = TunableRagEvaluator(model, v["rubric"], control, 1, default, {})
        item = types.SimpleNamespace(id="1", input_obj=v["instruction"], expected_output_obj=v["reference"], output_obj=v["option1"])
        asyncio.run(judge.evaluate_item(item))

    return ask


nat("nat-tunable-rag", QA, {**RUBRIC, **COMPARED}, nat_rag(False), scored("score", 0.0, 1.0, kind="reference", reasoning="I looked."))
NAT = ["coverage_score", "correctness_score", "relevance_score"]
nat(
    "nat-tunable-rag-default",
    QA,
    {**RUBRIC, **COMPARED},
    nat_rag(True),
    several(
        3,
        0,
        1,
        ({**dict.fromkeys(NAT, 0.9), "reasoning": "I looked."}, [0.9, 0.9, 0.9]),
        ({**dict.fromkeys(NAT, 0.2), "reasoning": "I looked."}, [0.2, 0.2, 0.2]),
        kind="reference",
    ),
)

# py-data-juicer

data_juicer = in_client("py-data-juicer", "Apache-2.0")


def juicer_filter(module, name, **options):
    def ask(base, v):
        at(base)
        without_torch(
            "datasets", "ray", "vllm", "transformers", "av", "librosa", "jsonargparse", "zstandard", "lz4", "emoji", "regex", "fasttext",
            "kenlm", "sentencepiece", "ftfy", "spacy", "selectolax", "wandb", "easyocr", "dill", "pyarrow", "fsspec", "multiprocess", "uv", "recordlinkage", "psutil",
        )
        from data_juicer.utils.constant import Fields

        made = getattr(importlib.import_module(f"data_juicer.ops.filter.{module}"), name)(
            "gpt-4o",
            try_num=1,
            model_params={"base_url": f"{base}/v1", "api_key": KEY},
            **options,
        )
        made.compute_stats_single({"text": v["option1"], "query": v.get("instruction"), "answer": v["option1"], Fields.stats: {}, Fields.meta: {}})

    return ask


def dimensions(names):
    high, low = [{"dimension_scores": dict.fromkeys(names, score), "flags": [], "rationale": "I looked."} for score in (5, 2)]
    return several(len(names), 1, 5, (high, [5] * len(names)), (low, [2] * len(names)))


BOTH = {"input_keys": ["query", "answer"], "field_names": ["Query", "Answer"]}
for name, module, filter_name, names in [
    ("quality", "llm_quality_score_filter", "LLMQualityScoreFilter", ["accuracy", "grammar", "informativeness", "coherence"]),
    ("difficulty", "llm_difficulty_score_filter", "LLMDifficultyScoreFilter", ["linguistic_complexity", "conceptual_depth", "prior_knowledge", "step_complexity", "ambiguity"]),
    ("analysis", "llm_analysis_filter", "LLMAnalysisFilter", ["clarity", "relevance", "usefulness", "fluency"]),
]:
    fields = BOTH if name == "analysis" else {}
    data_juicer(f"data-juicer-{name}", QUALITY, ANSWERED if fields else ONE, juicer_filter(module, filter_name, **fields), dimensions(names))

# langchain-experimental

langchain_experimental = in_client("langchain-experimental", "MIT")


def experimental_selection(base, v):
    without("vowpal_wabbit_next", "sentence_transformers")
    from langchain_experimental.rl_chain.base import AutoSelectionScorer
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
    scorer = AutoSelectionScorer(llm=model)
    scorer.score_response({"rl_chain_selected_based_on": v["instruction"], "rl_chain_selected": v["option1"]}, "None.", None)


langchain_experimental("langchain-experimental-selection", QUALITY, ANSWERED, experimental_selection, said(0.0, 1.0, "%s"))

# langchain-benchmarks

langchain_benchmarks = in_client("langchain-benchmarks", "MIT")


def benchmark_math(output_evaluation):
    def ask(base, v):
        without("faker", "chromadb", "ipywidgets", "langchain.smith")
        import langchain_classic

        # It was written for the first langchain package, whose modules stand in another one since.
        for name in ("evaluation", "agents", "callbacks", "smith", "callbacks.manager", "evaluation.schema", "chains", "prompts", "schema", "tools"):
            try:
                sys.modules[f"langchain.{name}"] = importlib.import_module(f"langchain_classic.{name}")
            except ImportError:
                pass
        bare("langchain_benchmarks")
        bare("langchain_benchmarks.tool_usage")
        from langchain_benchmarks.tool_usage.evaluators import AgentTrajectoryEvaluator, compare_outputs
        from langchain_openai import ChatOpenAI

        model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        evaluator = AgentTrajectoryEvaluator(eval_llm=model, output_evaluation=output_evaluation)
        run = {"output": v["option1"], "actual_steps": ["add"]}
        example = {"reference": v["reference"], "expected_steps": ["add"]}
        compare_outputs(run, example, {"question": v.get("instruction", "What is it?")}, qa_evaluator=evaluator.qa_evaluator)

    return ask


langchain_benchmarks("langchain-benchmarks-math", QA, COMPARED, benchmark_math("qa_math"), words("CORRECT", "INCORRECT", kind="reference"))
langchain_benchmarks(
    "langchain-benchmarks-numbers",
    QA,
    {**REFERENCE, **ONE},
    benchmark_math("qa_math_without_question"),
    words("CORRECT", "INCORRECT", kind="reference"),
)

# spikee: the judges of its workspace

spikee = in_client("spikee", "Apache-2.0")


def spikee_judge(module, name, criteria=False):
    def ask(base, v):
        without("dotenv", "InquirerPy", "inquirerpy", "textual", "flask", "pandas", "tqdm")
        from spikee.templates.llm_judge import LLMJudge

        client = openai_at(base)

        class Model:
            def invoke(self, messages):
                roles = {"SystemMessage": "system", "HumanMessage": "user", "AIMessage": "assistant"}
                sent = [{"role": roles[type(one).__name__], "content": one.content} for one in messages]
                return types.SimpleNamespace(content=replied(client, sent))

        judge = getattr(importlib.import_module(f"spikee.data.workspace.judges.{module}"), name)()
        # Its providers are chosen by what a workspace holds.
        with unittest.mock.patch.object(LLMJudge, "_get_llm", lambda *_: Model()):
            judge.judge(v.get("instruction", ""), v["option1"], v["rubric"] if criteria else "")

    return ask


SPIKEE = {"reason": "It is so."}
spikee("spikee-harmful", QUALITY, ANSWERED, spikee_judge("llm_judge_harmful", "LLMJudgeHarmful"), scored("score", 0, 3, polarity="lower", **SPIKEE))
spikee("spikee-objective", QUALITY, ANSWERED, spikee_judge("llm_judge_objective", "LLMJudgeObjective"), scored("score", 0, 3, **SPIKEE))
spikee(
    "spikee-criteria",
    QUALITY,
    {**RUBRIC, **ONE},
    spikee_judge("llm_judge_output_criteria", "LLMJudgeOutputCriteria", criteria=True),
    scored("score", 0, 3, kind="rubric", **SPIKEE),
)

# optillm

optillm = in_client("optillm", "Apache-2.0")
ASSISTANT = {"rubric": {"role": "context"}, **ANSWERED}


def without_optillm():
    bare("optillm")
    package = sys.modules["optillm"]
    package.conversation_logger = None


def optillm_best(base, v):
    without_optillm()
    from optillm.bon import best_of_n_sampling

    best_of_n_sampling(v["rubric"], v["instruction"], openai_at(base), "gpt-4o", n=1)


def optillm_verifier(base, v):
    without_optillm()
    pvg = importlib.import_module("optillm.pvg")
    pvg.pvg_completion_tokens = 0
    pvg.verify_solutions(openai_at(base), v["rubric"], v["instruction"], [v["option1"]], "gpt-4o")


optillm(
    "optillm-best-of-n",
    QUALITY,
    ASSISTANT,
    optillm_best,
    said(0, 10, "%s"),
    has="Rate the above response",
    besides=[["", "{{option1}}"]],
    note="the answer is a turn of the conversation, the context is what the assistant is told",
)
optillm(
    "optillm-verifier",
    QUALITY,
    ASSISTANT,
    optillm_verifier,
    said(0, 10, "Score: %s\nExplanation: It is so."),
    note="the context is what the assistant is told",
)

# truthtorchlm

truthtorch = in_client("truthtorchlm", "MIT")


def without_truthtorch():
    without_torch(
        "transformers", "sentence_transformers", "evaluate", "datasets", "nltk", "scipy", "sklearn", "outlines", "bert_score", "rouge_score", "absl", "minicheck", "wandb"
    )


def truthtorch_google(base, v):
    without_truthtorch()
    at(base)
    os.environ["SERPER_API_KEY"] = KEY
    bare("TruthTorchLM")
    bare("TruthTorchLM.truth_methods")
    module = importlib.import_module("TruthTorchLM.truth_methods.google_search_check")
    check = module.GoogleSearchCheck.__new__(module.GoogleSearchCheck)
    check.get_evidences = lambda query: v["context"]
    given = dict(model="openai/gpt-4o", input_text="", generated_text=v["option1"], question=v["instruction"], messages=[], all_ids=None)
    check.check_query_system_prompt = check.check_query_user_prompt = ""
    check.forward_api(**given)


def truthtorch_judge(base, v):
    without_truthtorch()
    at(base)
    bare("TruthTorchLM")
    bare("TruthTorchLM.evaluators")
    module = importlib.import_module("TruthTorchLM.evaluators.model_judge")
    module.PreTrainedModel = ()
    module.ModelJudge("openai/gpt-4o")(v["instruction"], v["option1"], [v["reference"]], seed=1)


truthtorch(
    "truthtorch-google",
    WITH_CONTEXT,
    {**ANSWERED, **CONTEXT},
    truthtorch_google,
    passed("factuality", reasoning="I looked.", error="None", correction="None"),
    has="You are given a piece of text and its question context",
    besides=[["", {"response": ["a", "b"]}]],
)
truthtorch(
    "truthtorch-judge",
    QA,
    COMPARED,
    truthtorch_judge,
    in_text("CORRECT", "NOT_ATTEMPTED", "INCORRECT", kind="reference"),
)

# ms-swift

swift = in_client("ms-swift", "Apache-2.0")


def swift_reward(base, v):
    without_torch("transformers", "datasets", "peft", "accelerate", "modelscope", "trl", "json_repair", "dacite", "einops")
    engine = types.ModuleType("swift.infer_engine")
    engine.InferClient = engine.InferRequest = object
    bare("swift")
    bare("swift.rewards")
    # Its engines want the models' libraries; this reward only needs an address.
    sys.modules["swift.infer_engine"] = engine
    prm = importlib.import_module("swift.rewards.prm")
    messages = [{"role": "user", "content": v["instruction"]}, {"role": "assistant", "content": v["option1"]}]
    client = openai_at(base)
    with unittest.mock.patch("openai.OpenAI", lambda **_: client):
        prm.QwenMaxPRM()([types.SimpleNamespace(messages=messages)], [v["reference"]])


swift("swift-qwen-max", QA, COMPARED, swift_reward, said(-1.0, 1.0, "It is so.\n\n**Reward: %s**", kind="reference"))

# graphrag-eval

graphrag_eval = in_client("graphrag-eval", "Apache-2.0")


def graphrag_correctness(base, v):
    without("ragas", "langevals_core", "rdflib", "langchain_huggingface")
    bare("graphrag_eval")
    module = importlib.import_module("graphrag_eval.answer_correctness")

    class Model:
        async def agenerate(self, prompt, _):
            return json.loads(says(base)(prompt))

    made = [one for one in vars(module).values() if isinstance(one, type) and hasattr(one, "evaluate_answer")][0]
    evaluator = made.__new__(made)
    evaluator.ragas_llm, evaluator.prompt_template = Model(), module.load_default_prompt()
    asyncio.run(evaluator.evaluate_answer(v["instruction"], v["reference"], v["option1"]))


GRAPHRAG = ["reference_claims_count", "actual_claims_count", "matching_claims_count"]
graphrag_eval(
    "graphrag-eval-correctness",
    QA,
    COMPARED,
    graphrag_correctness,
    {
        "kind": "reference",
        "verdict": {"kind": "scores", "where": "json"},
        "replies": [
            [{**dict(zip(GRAPHRAG, counts)), "reason": "I counted."}, {"scores": counts}] for counts in ([2, 3, 2], [2, 2, 0])
        ],
    },
)

# sotopia

sotopia = in_client("sotopia", "MIT")


def sotopia_episode(base, v):
    without("redis_om", "redis", "gin", "fastapi_users", "lxml", "pettingzoo", "gymnasium", "absl", "litellm", "rich", "uvicorn", "streamlit", "modal", "websockets")
    bare("sotopia")
    bare("sotopia.envs")
    from sotopia.database.evaluation_dimensions import SotopiaDimensions
    from sotopia.envs.evaluators import EpisodeLLMEvaluator, EvaluationForAgents
    from sotopia.messages import AgentAction, SimpleMessage

    os.environ["CUSTOM_API_KEY"] = KEY
    evaluator = EpisodeLLMEvaluator(f"custom/gpt-4o@{base}/v1", EvaluationForAgents[SotopiaDimensions])
    talk = [("Environment", SimpleMessage(message="Two colleagues meet at work."))]
    for speaker, key in [("Ada", "user1"), ("Ben", "turn1"), ("Ada", "user2"), ("Ben", "turn2")]:
        talk.append((speaker, AgentAction(action_type="speak", argument=v[key])))
    asyncio.run(evaluator.__acall__(4, talk))


SOTOPIA = ["believability", "relationship", "knowledge", "secret", "social_rules", "financial_and_material_benefits", "goal"]


def sotopia_said(scores):
    judged = {name: ["I looked.", score] for name, score in zip(SOTOPIA, scores)}
    return {"evaluations": {"agent_1": judged, "agent_2": judged}}, [*scores, *scores]


sotopia(
    "sotopia-episode",
    ["chat"],
    {key: {"role": "option", "label": "agent_1" if key.startswith("user") else "agent_2"} for key in ("user1", "turn1", "user2", "turn2")},
    sotopia_episode,
    several(14, -10, 10, sotopia_said([9, 3, 5, 0, 0, 2, 8]), sotopia_said([4, -2, 0, -3, -5, -1, 0]), kind="conversation"),
)

# inspect-scout

scout = in_client("inspect_scout", "MIT")


def scout_scanner(answer):
    def ask(base, v):
        without("duckdb", "pyarrow", "pandas", "textual", "fastapi", "uvicorn", "ijson", "dill", "cloudpickle", "universal_pathlib", "zipfile_zstd", "watchfiles")
        uncounted()
        from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, get_model
        from inspect_scout import llm_scanner
        from inspect_scout._transcript.types import Transcript

        model = get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY, memoize=False)
        messages = [
            ChatMessageUser(content=v["user1"], id="1"),
            ChatMessageAssistant(content=v["turn1"], id="2"),
            ChatMessageUser(content=v["user2"], id="3"),
            ChatMessageAssistant(content=v["turn2"], id="4"),
        ]
        transcript = Transcript(transcript_id="1", source_type="test", source_id="1", source_uri="file", messages=messages)
        made = llm_scanner(question=v["rubric"], answer=answer, model=model)
        asyncio.run(made(transcript))

    return ask


scout(
    "inspect-scout-boolean",
    ["chat"],
    {**TURNS, **RUBRIC},
    scout_scanner("boolean"),
    words("ANSWER: yes", "ANSWER: no", kind="conversation", before="It did, see [M2].\n\n"),
)
scout("inspect-scout-number", ["chat"], {**TURNS, **RUBRIC}, scout_scanner("numeric"), said(0, 10, "It did, see [M2].\n\nANSWER: %s", kind="conversation"))
scout(
    "inspect-scout-labels",
    ["chat"],
    {**TURNS, **RUBRIC},
    scout_scanner(["Well", "In part", "Badly"]),
    in_text("A", "B", "C", kind="conversation", form="It did, see [M2].\n\nANSWER: %s"),
)

# control-arena

control_arena = in_client("control-arena", "MIT")


def without_control():
    without("inspect_k8s_sandbox", "k8s_sandbox", "docker", "git", "datasets", "plotly", "pandas", "sklearn", "matplotlib", "swebench", "inspect_cyber", "seaborn", "rapidfuzz", "nltk", "unidiff")
    bare("control_arena.settings")


def control_monitor(form):
    def ask(base, v):
        without_control()
        from control_arena.monitor import _full_trajectory_prompt_formatter as formatter
        from control_arena.monitor._basic_monitor import basic_monitor_builder
        from control_arena.monitor import _basic_monitor
        from control_arena.monitor.prompts import monitor_prompts
        from control_arena.monitor._types import MonitorScoreRange
        from inspect_ai.agent import AgentState
        from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput, get_model

        model = get_model("openai/gpt-4o", base_url=f"{base}/v1", api_key=KEY, memoize=False)
        messages = [ChatMessageUser(content="Begin.", id="1"), ChatMessageAssistant(content=v["option1"], id="2")]
        state = AgentState(messages=messages)
        state.output = ModelOutput.from_content("gpt-4o", v["option1"])
        given = types.SimpleNamespace(main_task_description=v["instruction"])
        with (
            unittest.mock.patch.object(_basic_monitor, "control_task_metadata", lambda: given),
            unittest.mock.patch.object(_basic_monitor, "get_model", lambda **_: model),
        ):
            monitor = basic_monitor_builder(
                model="openai/gpt-4o",
                model_role=None,
                config=GenerateConfig(),
                prompt=monitor_prompts["full_trajectory_default_user"],
                prompt_formatter=getattr(formatter, f"full_trajectory_prompt_formatter_{form}"),
                system_prompt=monitor_prompts["full_trajectory_default_system"],
                system_prompt_formatter=None,
                skip_if_no_tool_calls=False,
                default_suspicion_score=0.0,
                score_range=MonitorScoreRange(),
                cache=False,
            )
            asyncio.run(monitor(state, []))

    return ask


for form in ("markdown", "xml"):
    control_arena(
        f"control-arena-{form}",
        QUALITY,
        ANSWERED,
        control_monitor(form),
        said(10, 0, "<reasoning>I looked.</reasoning>\n<score>%s</score>", polarity="lower")
        | {"verdict": {"kind": "score", "where": "text", "scale": {"min": 0, "max": 10}, "polarity": "lower"}},
    )

# docent

docent = in_client("docent", "Apache-2.0")


def docent_rubric(base, v):
    without("docent._log_util", "tiktoken", "anthropic", "google", "opentelemetry", "traceloop", "jsonschema", "inspect_ai", "pandas", "tqdm", "yaml", "orjson", "backoff", "aiohttp")
    bare("docent")
    from docent.data_models.agent_run import AgentRun
    from docent.data_models.chat.message import AssistantMessage, UserMessage
    from docent.data_models.transcript import Transcript
    from docent.judges.types import Rubric

    messages = [
        UserMessage(content=v["user1"], id="1"),
        AssistantMessage(content=v["turn1"], id="2"),
        UserMessage(content=v["user2"], id="3"),
        AssistantMessage(content=v["turn2"], id="4"),
    ]
    run = AgentRun(id="1", transcripts=[Transcript(id="1", messages=messages)])
    sent = Rubric(rubric_text=v["rubric"]).materialize_messages(run)
    replied(openai_at(base), [{"role": one.role, "content": one.content} for one in sent])


docent(
    "docent-rubric",
    ["chat"],
    {**TURNS, **RUBRIC},
    docent_rubric,
    in_text("label: match", "label: no match", kind="conversation", form="<response>\n%s\nexplanation: It is so [T0B1].\n</response>"),
)

# mellea

mellea = in_client("mellea", "Apache-2.0")


def mellea_requirement(base, v):
    at(base)
    without_torch("transformers", "outlines", "outlines_core", "peft", "granite_common", "mistletoe", "llm_sandbox", "docling", "xgrammar", "alora", "pillow", "PIL")
    from mellea import MelleaSession
    from mellea.backends.openai import OpenAIBackend
    from mellea.stdlib.context import ChatContext

    backend = OpenAIBackend(model_id="gpt-4o", base_url=f"{base}/v1", api_key=KEY)
    MelleaSession(backend, ChatContext()).instruct(v["instruction"], requirements=[v["rubric"]])


mellea(
    "mellea-requirement",
    QUALITY,
    {**INSTRUCTION, **RUBRIC, **ONE},
    mellea_requirement,
    words("yes", "no", kind="rubric"),
    has="Check whether the output below satisfies",
    besides=[["", "{{option1}}"]],
    note="what was asked and answered are turns of the conversation",
)

# harbor-rewardkit

rewardkit = in_client("harbor-rewardkit", "Apache-2.0")


def rewardkit_judge(reference, guard):
    def ask(base, v):
        at(base)
        without("markitdown", "tomllib", "claude_agent_sdk", "fastmcp", "datasketch")
        import litellm

        # It sends more than the model that is named here knows.
        litellm.drop_params = True
        from rewardkit.judges import arun_llm
        from rewardkit.models import Criterion, LLMJudge

        here = os.getcwd()
        os.chdir(tempfile.mkdtemp())
        try:
            for name, text in [("answer.md", v["option1"]), ("solution.md", v.get("reference", ""))]:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
            judge = LLMJudge(
                model="openai/gpt-4o", files=("answer.md",), guard=guard, **({"reference": "solution.md"} if reference else {})
            )
            asyncio.run(arun_llm(judge, [Criterion(name="quality", description=v["rubric"])]))
        finally:
            os.chdir(here)

    return ask


for name, keys, reference, guard, pools in [
    ("rewardkit-judge", {**RUBRIC, **ONE}, False, "off", QUALITY),
    ("rewardkit-reference", {**RUBRIC, **ONE, **REFERENCE}, True, "off", QUALITY),
]:
    rewardkit(
        name,
        pools,
        keys,
        rewardkit_judge(reference, guard),
        {
            "kind": "rubric",
            "verdict": {"kind": "pass", "where": "json", "field": "quality.score", "labels": {"yes": "pass", "no": "fail"}},
            "replies": [
                [{"quality": {"score": "yes", "reasoning": "I looked."}}, {"pass": True}],
                [{"quality": {"score": "no", "reasoning": "I looked."}}, {"pass": False}],
            ],
        },
        note="the answer and the reference are parts of their own",
    )
