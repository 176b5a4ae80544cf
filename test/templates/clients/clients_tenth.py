"""A tenth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.11:

    gatecheck==0.1.1 juryeval==0.5.0 lemmas==0.4.0 peereval==0.1.0 juryrig==0.3.1 openeval-llm==0.1.0 llm-qualitative-sort==1.1.0
    llm-council-core==0.53.0 promptmachine-eval==0.1.0 rubricon==0.2.2 ollama-arena==2.1.2 llmgrader==1.2.6 paired-eval==0.4.0
    debatebench==0.1.2
    (all with --no-deps) openai==3.57.0 langchain-core==1.8.3 langchain-openai==1.7.4 litellm==1.110.2 httpx pydantic
    pydantic-settings pyyaml jinja2 python-dotenv requests numpy nltk scipy rich typer structlog tenacity
"""

import asyncio
import importlib
import json
import os
import random
import tempfile

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
    pair,
    passed,
    scored,
)
from clients_fifth import ANSWERED, COMPARED, several
from clients_second import at, category, said
from clients_seventh import openai_at, replied, says
from clients_sixth import bare
from clients_third import choice

THREE = ["nway", "en", "essay", "de"]


def winner(field="winner", tie=True, **rest):
    """Which of two is better, by a letter in a JSON field."""
    labels = {"A": 0, "B": 1, **({"tie": "tie"} if tie else {})}
    return choice({**rest, field: "A"}, {**rest, field: "B"}, labels, field=field, where="json")


def spoken(base):
    """A judge as the packages want it that leave the call to their user: a function of the messages."""
    client = openai_at(base)
    return lambda messages: replied(client, messages)


# gatecheck: its runner hands in the judge, a function of the prompt

gatecheck = in_client("gatecheck", "MIT")


def gatecheck_judge(base, v):
    from gatecheck.graders.llm_judge import grade_llm_judge

    grade_llm_judge(v["option1"], {"rubric": v["rubric"]}, judge_fn=says(base))


def gatecheck_pairwise(base, v):
    from gatecheck.graders.pairwise import grade_pairwise

    # The second time it asks in the other order.
    first = says(base)
    spec = {"reference": v["option2"], "criteria": v["rubric"]}
    grade_pairwise(v["option1"], spec, judge_fn=once(first), task_input=v["instruction"])


def once(judge):
    """The judge for the first request; a tie for those after it."""
    asked = []

    def say(prompt):
        asked.append(prompt)
        return judge(prompt) if len(asked) == 1 else '{"winner": "tie", "rationale": "I looked."}'

    return say


gatecheck("gatecheck-judge", QUALITY, {**RUBRIC, **ONE}, gatecheck_judge, scored("score", 1, 5, kind="rubric", rationale="I looked."))
gatecheck(
    "gatecheck-pairwise",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("A", "B")},
    gatecheck_pairwise,
    winner(rationale="I looked."),
    note="it asks again in the other order",
)

# juryeval

juryeval = in_client("juryeval", "MIT")


def juryeval_judge(name):
    def ask(base, v):
        at(base)
        bare("juryeval")
        bare("juryeval.judges")
        from juryeval.judges.pairwise import PairwiseJudge
        from juryeval.judges.pointwise import PointwiseJudge

        if name == "pairwise":
            PairwiseJudge("gpt-4o", api_key=KEY, max_retries=1).compare(v["option1"], v["option2"], v["instruction"])
        else:
            PointwiseJudge("gpt-4o", api_key=KEY, max_retries=1).score(v["option1"], v["instruction"], v["rubric"])

    return ask


juryeval(
    "juryeval-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    juryeval_judge("pairwise"),
    choice("I looked.\nWinner: A", "I looked.\nWinner: B", {"A": 0, "B": 1, "Tie": "tie"}),
)
juryeval(
    "juryeval-pointwise",
    QUALITY,
    {**ANSWERED, **RUBRIC},
    juryeval_judge("pointwise"),
    said(0, 10, "I looked.\n%s/10", kind="rubric"),
)

# lemmas: its user hands in the model

lemmas = in_client("lemmas", "MIT")


def lemmas_scorer(base, v):
    from lemmas.best_of_n import best_of_n, llm_judge_scorer

    scorer = llm_judge_scorer(spoken(base), rubric=f"{v['rubric']} Respond with only a number from 0 to 10.")
    best_of_n(lambda _: v["option1"], [{"role": "user", "content": "What is it?"}], scorer, n=1)


def lemmas_debate(base, v):
    from lemmas.debate import debate

    def drafts(key):
        return lambda _: v[key]

    agents = [(f"AGENT_{letter}", drafts(f"option{i + 1}")) for i, letter in enumerate("ABC")]
    debate(v["instruction"], agents, rounds=1, judge=spoken(base))


lemmas(
    "lemmas-scorer",
    QUALITY,
    {**RUBRIC, **ONE},
    lemmas_scorer,
    said(0, 10, "%s", kind="rubric"),
    note="the rubric is the user's, and so is the sentence on the scale",
)
lemmas(
    "lemmas-debate",
    THREE,
    {**INSTRUCTION, **{f"option{i + 1}": {"role": "option", "label": f"AGENT_{letter}"} for i, letter in enumerate("ABC")}},
    lemmas_debate,
    choice(
        "AGENT_A: I looked.",
        "AGENT_B: I looked.",
        {"AGENT_A": 0, "AGENT_B": 1, "AGENT_C": 2},
        kind="n-way",
    ),
)

# peereval

peereval_client = in_client("peereval", "MIT")


def peereval_judging(base, v):
    from peereval.judge import JudgeConfig, run_judging

    answers = [{"question_id": "1", "question": v["instruction"], "model": f"model-{i}", "response": v[f"option{i}"]} for i in (1, 2)]
    judge = JudgeConfig("judge", "gpt-4o", base_url=f"{base}/v1")
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "judged.jsonl")
        # It asks in both orders; the one that is not wanted counts as done.
        from peereval import judge as module

        tasks = module.build_tasks
        module.build_tasks = lambda *args: [task for task in tasks(*args) if task["position"] == "AB"]
        try:
            run_judging(answers, [judge], output, concurrency=1)
        finally:
            module.build_tasks = tasks


peereval_client(
    "peereval-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    peereval_judging,
    winner(confidence=0.8, reason="I looked."),
    note="it asks again in the other order",
)

# juryrig

juryrig = in_client("juryrig", "MIT")


def juryrig_judge(base, v):
    from juryrig.http_judge import HttpJudge

    judge = HttpJudge(f"{base}/v1/chat/completions", "gpt-4o", api_key=KEY)
    if "option2" in v:
        judge.compare(prompt=v["instruction"], a=v["option1"], b=v["option2"], rubric=v["rubric"])
    else:
        judge.judge(prompt=v["instruction"], response=v["option1"], rubric=v["rubric"])


juryrig("juryrig-judge", QUALITY, {**ANSWERED, **RUBRIC}, juryrig_judge, scored("score", 0.0, 1.0, kind="rubric", reasoning="I looked."))
juryrig("juryrig-compare", PAIRS, {**INSTRUCTION, **pair("A", "B"), **RUBRIC}, juryrig_judge, winner(reasoning="I looked."))

# openeval-llm

openeval = in_client("openeval-llm", "MIT")


def openeval_judge(base, v):
    at(base)
    from openeval.connectors.openai_connector import OpenAIConnector
    from openeval.judge.judge import Judge
    from openeval.judge.schemas import EvalCase

    case = EvalCase(question=v["instruction"], answer=v["option1"], context=v.get("context"))
    Judge(OpenAIConnector("gpt-4o", api_key=KEY), max_retries=1).evaluate(case)


def of_dimensions(*scores):
    names = ["faithfulness", "relevance", "clarity", "safety", "consistency"]
    return {name: {"score": score, "reasoning": "I looked."} for name, score in zip(names, scores)}, list(scores)


OPENEVAL = several(5, 0, 1, of_dimensions(0.9, 1.0, 0.8, 1.0, 0.9), of_dimensions(0.1, 0.3, 0.5, 0.9, 0.2))
openeval("openeval-judge", QUALITY, ANSWERED, openeval_judge, OPENEVAL)
openeval("openeval-judge-context", WITH_CONTEXT, {**ANSWERED, **CONTEXT}, openeval_judge, OPENEVAL)

# llm-qualitative-sort

qualitative_sort = in_client("llm-qualitative-sort", "MIT")


def sort_compare(base, v):
    from langchain_openai import ChatOpenAI
    from llm_qualitative_sort.providers.langchain import LangChainProvider

    llm = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
    asyncio.run(LangChainProvider(llm).compare(v["option1"], v["option2"], v["rubric"]))


qualitative_sort(
    "llm-qualitative-sort-compare",
    PAIRS,
    {**RUBRIC, **pair("A", "B")},
    sort_compare,
    winner(tie=False, reasoning="I looked."),
)

# llm-council-core: its reviewers rank what the members said; the order is drawn

llm_council = in_client("llm-council-core", "MIT")


def council_ranking(by_rubric=False):
    def ask(base, v):
        os.environ["OPENROUTER_API_KEY"] = KEY
        os.environ["LLM_COUNCIL_SUPPRESS_WARNINGS"] = "true"
        from llm_council import council_stages
        from llm_council.unified_config import get_config

        config = get_config()
        config.gateways.providers["openrouter"].base_url = f"{base}/v1/chat/completions"
        config.evaluation.rubric.enabled = by_rubric
        said_by = [{"model": f"model-{i}", "response": v[f"option{i}"]} for i in (1, 2, 3)]
        shuffle = random.shuffle
        random.shuffle = lambda items: None
        try:
            asyncio.run(council_stages.stage2_collect_rankings(v["instruction"], said_by, models=["openai/gpt-4o"]))
        finally:
            random.shuffle = shuffle

    return ask


def ranked(order, by_rubric):
    names = [f"Response {letter}" for letter in order]
    told = {"ranking": names}
    if by_rubric:
        dimensions = ["accuracy", "relevance", "completeness", "conciseness", "clarity"]
        told["evaluations"] = {name: {**{one: 9 - 2 * i for one in dimensions}, "notes": "I looked."} for i, name in enumerate(names)}
    else:
        told["scores"] = {name: 9 - 2 * i for i, name in enumerate(names)}
    return f"I looked.\n\n```json\n{json.dumps(told, indent=2)}\n```"


for name, by_rubric in [("ranking", False), ("rubric", True)]:
    llm_council(
        f"llm-council-{name}",
        THREE,
        {**INSTRUCTION, **{f"option{i + 1}": {"role": "option", "label": letter} for i, letter in enumerate("ABC")}},
        council_ranking(by_rubric),
        {
            "kind": "ranking",
            "verdict": {
                "kind": "ranking",
                "where": "json",
                "field": "ranking",
                "labels": {f"Response {letter}": i for i, letter in enumerate("ABC")},
            },
            "replies": [
                [ranked("BAC", by_rubric), {"ranking": [1, 0, 2]}],
                [ranked("CBA", by_rubric), {"ranking": [2, 1, 0]}],
            ],
        },
        note="the order of the answers is drawn; here it is the one given",
    )

# promptmachine-eval

promptmachine = in_client("promptmachine-eval", "MIT")


def promptmachine_battle(base, v):
    at(base)
    from promptmachine_eval.battle import BattleRunner
    from promptmachine_eval.runner import TestResult

    runner = BattleRunner(openai_api_key=KEY)

    async def answered(prompt, models, **_):
        return [TestResult(model, v[f"option{i + 1}"], 1, 1, 2, 0.0, 1) for i, model in enumerate(models)]

    # What the two models of the battle say.
    runner.tester.test = answered
    asyncio.run(runner.battle(v["instruction"], "gpt-4o", "gpt-4o-mini", judge_model="gpt-4-turbo", randomize_order=False))


promptmachine(
    "promptmachine-battle",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    promptmachine_battle,
    choice(
        "Winner: A\nReasoning: I looked.",
        "Winner: B\nReasoning: I looked.",
        {"A": 0, "B": 1, "draw": "tie"},
    ),
)

# rubricon

rubricon = in_client("rubricon", "MIT")


def rubricon_judge(batched):
    def ask(base, v):
        from rubricon.backends import LiteLLMBackend
        from rubricon.config import BackendConfig
        from rubricon.evaluators import LLMJudgeEvaluator
        from rubricon.models import Criterion
        from rubricon.templates import TemplateLoader

        scale = {1: "It does not.", 2: "Hardly.", 3: "In part.", 4: "Mostly.", 5: "It does."}
        keys = [key for key in ("rubric", "rubric2") if key in v]
        criteria = [Criterion(f"House {i + 1}", v[key], scale) for i, key in enumerate(keys)]
        backend = LiteLLMBackend(BackendConfig(model="openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY))
        LLMJudgeEvaluator(backend, TemplateLoader(), batched=batched).evaluate(v["option1"], criteria)

    return ask


def of_criteria(*scores):
    return json.dumps([{"criterion": f"House {i + 1}", "score": score, "reasoning": "I looked."} for i, score in enumerate(scores)])


rubricon("rubricon-single", QUALITY, {**RUBRIC, **ONE}, rubricon_judge(False), scored("score", 1, 5, kind="rubric", reasoning="I looked."))
rubricon(
    "rubricon-batch",
    ["en", "essay", "es", "fr", "code", "zh"],
    {**RUBRIC, "rubric2": {"role": "rubric"}, **ONE},
    rubricon_judge(True),
    several(2, 1, 5, (of_criteria(5, 4), [5, 4]), (of_criteria(2, 1), [2, 1]), kind="rubric"),
)

# ollama-arena: it judges in both orders

ollama_arena = in_client("ollama-arena", "MIT")


def arena_judge(base, v):
    from ollama_arena.backends.openai_compat import OpenAICompatBackend
    from ollama_arena.judge import LLMJudge

    backend = OpenAICompatBackend(f"{base}/v1", api_key=KEY)
    judge = LLMJudge(backend, "gpt-4o")
    if "option2" not in v:
        judge.grade_single(v["instruction"], v["option1"], v["reference"])
        return
    generate, asked = backend.generate, []

    def first(*args, **options):
        asked.append(args)
        if len(asked) > 1:
            raise StopIteration
        return generate(*args, **options)

    backend.generate = first
    try:
        judge.grade_pair(v["instruction"], v["option1"], v["option2"], v["reference"])
    except StopIteration:
        pass


ollama_arena(
    "ollama-arena-pair",
    PAIRS,
    {**INSTRUCTION, **REFERENCE, **pair("A", "B")},
    arena_judge,
    several(2, 0, 10, ("A: 9\nB: 4", [9, 4]), ("A: 2\nB: 8", [2, 8]), kind="pair", where="text"),
    note="it asks again in the other order",
)
ollama_arena("ollama-arena-single", QA, {**INSTRUCTION, **REFERENCE, **ONE}, arena_judge, said(0, 10, "%s", kind="reference"))

# debatebench

debatebench = in_client("debatebench", "MIT")


def debate_scores(base, v):
    from debatebench.backend import GenerationResult
    from debatebench.judging import score_debate
    from debatebench.transcript import RunSnapshot, SideSnapshot, TeamSnapshot, Transcript, Turn, Usage

    client = openai_at(base)

    class Backend:
        async def generate(self, request):
            messages = [{"role": message.role, "content": message.content} for message in request.messages]
            return GenerationResult(replied(client, messages), 10, 10, "stop", 1)

    sides = tuple(
        SideSnapshot(i, "team.yaml", TeamSnapshot(side, side.title(), "plain", side, (), None), side, "gpt-4o", f"{base}/v1", 400, None)
        for i, side in enumerate(("pro", "con"))
    )
    turns = tuple(
        Turn(0, "opening", i, i, v[f"option{i + 1}"], Usage(1, 1), 400, False, "stop", 1, "2026-11-28T00:00:00Z") for i in (0, 1)
    )
    run = RunSnapshot(v["instruction"], 7, 16, ("opening",), sides)
    transcript = Transcript(run, turns, "2026-11-28T00:00:00Z", "2026-11-28T00:01:00Z")
    asyncio.run(score_debate(transcript, Backend(), model="gpt-4o", budget=4000))


def of_sides(*sides):
    names = ["argument_quality", "evidence_grounding", "steelman_fidelity", "rebuttal_effectiveness", "clarity"]
    told = [
        {
            "side_index": i,
            **{
                name: {
                    "score": score,
                    "justification": "I looked.",
                    **({"hit_ledger": []} if name == "rebuttal_effectiveness" else {}),
                }
                for name, score in zip(names, scores)
            },
        }
        for i, scores in enumerate(sides)
    ]
    return {"sides": told}, [score for scores in sides for score in scores]


debatebench(
    "debatebench-scores",
    ["essay", "en", "fr", "de", "es", "zh"],
    {**INSTRUCTION, **pair("PRO", "CON")},
    debate_scores,
    several(10, 0, 30, of_sides((25, 20, 15, 12, 9), (10, 9, 8, 5, 6)), of_sides((8, 5, 4, 3, 5), (27, 22, 18, 13, 9)), kind="pair"),
    note="a debate of one turn a side; the scores of the first side come first",
)

# llmgrader

llmgrader = in_client("llmgrader", "Apache-2.0")


def llmgrader_metric(module, name, **options):
    def ask(base, v):
        from llmgrader.providers.openai_provider import OpenAIProvider
        from llmgrader.test_case import LLMTestCase

        made = {key: v[value] if isinstance(value, str) else [v[one] for one in value] for key, value in options.items()}
        provider = OpenAIProvider(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        contexts = [v["context"]] if "context" in v else None
        case = LLMTestCase(
            input=v.get("instruction", "What is it?"),
            actual_output=v.get("option1", "It is so."),
            expected_output=v.get("reference"),
            context=contexts,
            retrieval_context=contexts,
        )
        getattr(importlib.import_module(f"llmgrader.metrics.{module}"), name)(model=provider, **made).measure(case)

    return ask


STEPS = "1. Read both.\n2. Compare them."
ARENA = "Reasoning: I looked.\nScore A: %d\nScore B: %d\nWinner: %s"
llmgrader(
    "llmgrader-arena",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B"), **RUBRIC},
    llmgrader_metric("other.arena_geval", "ArenaGEvalMetric", criteria="rubric", response_b="option2"),
    choice(ARENA % (9, 4, "A"), ARENA % (3, 8, "B"), {"A": 0, "B": 1, "tie": "tie"}),
    has="You are an impartial judge",
    besides=[["", STEPS]],
)
llmgrader(
    "llmgrader-task",
    QUALITY,
    ANSWERED,
    llmgrader_metric("agentic.task_completion", "TaskCompletionMetric"),
    scored("score", 0, 10, completion_aspects=["It is so."], reason="I looked."),
)
llmgrader(
    "llmgrader-role",
    ["en", "essay", "es", "de", "fr", "zh"],
    {"statement": {"role": "rubric"}, **ANSWERED},
    llmgrader_metric("safety.role_violation", "RoleViolationMetric", role="statement"),
    scored(
        "score",
        0,
        10,
        kind="rubric",
        violation_detected=False,
        violation_type="none",
        violating_statements=[],
        reason="I looked.",
    ),
)
llmgrader(
    "llmgrader-topic",
    ["en", "rag", "nway", "de", "code", "ja"],
    {**INSTRUCTION, **RUBRIC, **ONE},
    llmgrader_metric("other.topic_adherence", "TopicAdherenceMetric", topics=["rubric"]),
    scored("score", 0, 10, kind="rubric", on_topic_aspects=[], off_topic_aspects=[], topic_coverage=0.5, reason="I looked."),
)
llmgrader(
    "llmgrader-precision",
    WITH_CONTEXT,
    {**INSTRUCTION, **REFERENCE, **JUDGED_CONTEXT},
    llmgrader_metric("rag.contextual_precision", "ContextualPrecisionMetric"),
    passed("verdict", "yes", "no", kind="reference"),
)

# paired-eval: its user hands in the model, a function of the prompt, the system prompt and a schema

paired_eval = in_client("paired-eval", "MIT")


def paired_rubric(base, v):
    from paired_eval.rubric_eval import run_rubric

    def llm(prompt, system, _schema):
        return json.loads(spoken(base)([{"role": "system", "content": system}, {"role": "user", "content": prompt}]))

    run_rubric(v["option1"], [{"text": v["rubric"], "weight": 1}], llm, reference=v["reference"])


paired_eval(
    "paired-eval-rubric",
    ["zh", "en", "rag", "de", "code", "ja"],
    {**RUBRIC, **ONE, **REFERENCE},
    paired_rubric,
    {
        "kind": "rubric",
        "language": "zh",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "verdict",
            "labels": {"met": "good", "not_met": "bad", "abstain": "neutral"},
        },
        "replies": [[{"verdict": verdict, "reasoning": "I looked."}, {"category": verdict}] for verdict in ("met", "not_met")],
    },
)
