"""More Python clients of the corpus: clients.py loads this file, whose evaluators join its own.

What was run, each list in an environment of its own:

    deepeval==4.3.1 deepteam==1.0.10 agentevals==0.0.9 openevals==0.2.2 ragelo==0.7.0 langchain-openai sentry_sdk
    azure-ai-evaluation==1.18.10
    dspy==3.4.1
    tonic-validate==6.2.0
    distilabel[openai]==1.5.3 requests
    parea-ai==0.2.220 tqdm tiktoken numpy
    open-rag-eval==0.3.0
    giskard==2.19.2 openai
    strands-agents-evals[openai]==1.7.0 strands-agents[openai]
    trulens-feedback==2.16.0 trulens-providers-openai==2.16.0
    mlflow-skinny==3.17.2 pandas numpy openai
    opik==2.2.122
"""

import asyncio
import os
import types

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
    YES_IDK,
    YES_IS_BAD,
    YES_NO,
    deepeval,
    deepeval_conversation,
    deepeval_metric,
    deepeval_verdict,
    in_client,
    listed,
    mlflow,
    opik,
    opik_case,
    opik_metric,
    pair,
    passed,
    reason,
    scored,
    trulens,
    trulens_feedback,
    trulens_reasons,
    trulens_score,
    words,
)


def at(base):
    """Points the clients that read their judge's address from the environment at ours."""
    os.environ.update({"OPENAI_BASE_URL": f"{base}/v1", "OPENAI_API_BASE": f"{base}/v1"})


def said(low, high, form, kind="score", polarity="higher"):
    """A score in the text. @param form what the judge says, with %s for the score"""
    return {
        "kind": kind,
        "verdict": {"kind": "score", "where": "text", "scale": {"min": low, "max": high}, "polarity": polarity},
        "replies": [[form % high, {"score": high}], [form % low, {"score": low}]],
    }


def category(field, good, bad, where="json", kind="category", **rest):
    labels = {**{label: "good" for label in good}, **{label: "bad" for label in bad}}
    return {
        "kind": kind,
        "verdict": {"kind": "category", "where": where, "field": field, "labels": labels},
        "replies": [
            [{**rest, field: good[0]}, {"category": good[0]}],
            [{**rest, field: bad[0]}, {"category": bad[0]}],
        ],
    }


# deepeval


def output_only(v):
    return {"input": "What is it?", "actual_output": v["option1"]}


deepeval(
    "deepeval-summarization",
    ["sum", "rag", "en"],
    {**CONTEXT, **ONE},
    deepeval_metric(
        "SummarizationMetric",
        lambda v: {"input": v["context"], "actual_output": v["option1"]},
        assessment_questions=["Is it short?"],
    ),
    listed("verdicts[].verdict", YES_IDK, deepeval_verdict),
    has="Based on the given summary claims",
    besides=[
        ["please extract a comprehensive list", {"claims": ["{{option1}}"]}],
        ["please generate a comprehensive list", {"truths": ["{{context}}"]}],
        ["", {"claims": ["{{option1}}"], "truths": ["{{context}}"], "answers": ["yes"]}],
    ],
)
for name, metric, field, options in [
    ("pii-leakage", "PIILeakageMetric", "extracted_pii", {}),
    ("non-advice", "NonAdviceMetric", "advices", {"advice_types": ["financial", "medical"]}),
    ("misuse", "MisuseMetric", "misuses", {"domain": "a travel agency"}),
    ("role-violation", "RoleViolationMetric", "role_violations", {"role": "a helpful librarian"}),
]:
    deepeval(
        f"deepeval-{name}",
        ["en", "tox", "essay"],
        ONE,
        deepeval_metric(metric, output_only, **options),
        listed("verdicts[].verdict", YES_IS_BAD, deepeval_verdict),
        has="For each",
        besides=[["", {field: ["{{option1}}"]}]],
        note="yes is the bad side",
    )
deepeval(
    "deepeval-knowledge-retention",
    ["chat"],
    {**TURNS, "user1": {"role": "context"}, "user2": {"role": "context"}},
    deepeval_conversation("KnowledgeRetentionMetric"),
    {**passed("verdict", "yes", "no", is_bad=True, reason="It forgot."), "kind": "conversation"},
    has="You are given an AI-generated message",
    besides=[["", {"data": {"Said before": "{{user1}}"}}]],
    note="yes is the bad side",
)
deepeval(
    "deepeval-conversation-completeness",
    ["chat"],
    TURNS,
    deepeval_conversation("ConversationCompletenessMetric"),
    {**passed("verdict", "yes", "no", reason="It is."), "kind": "conversation"},
    has="indicate whether given user intention was satisfied",
    besides=[["", {"intentions": ["The user wants an answer."]}]],
)
deepeval(
    "deepeval-topic-adherence",
    ["chat"],
    {"user1": {"role": "instruction"}, "turn1": {"role": "option"}},
    lambda base, v: deepeval_conversation("TopicAdherenceMetric", relevant_topics=["service", "travel"])(
        base, {"user2": "And then?", "turn2": "Then it is done.", **v}
    ),
    category("verdict", ["TP", "TN"], ["FP", "FN"], reason="I looked."),
    has="A list of **relevant topics**",
    besides=[["", {"qa_pairs": [{"question": "{{user1}}", "response": "{{turn1}}"}]}]],
)


def conversational_geval(base, v):
    from deepeval.metrics import ConversationalGEval
    from deepeval.models import OpenAIModel
    from deepeval.test_case import ConversationalTestCase, MultiTurnParams, Turn

    metric = ConversationalGEval(
        name="Helpful",
        evaluation_params=[MultiTurnParams.ROLE, MultiTurnParams.CONTENT],
        evaluation_steps=["Read the turns.", "Judge whether the assistant helped the user."],
        model=OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1"),
        async_mode=False,
    )
    turns = [
        Turn(role=role, content=v[key])
        for role, key in [("user", "user1"), ("assistant", "turn1"), ("user", "user2"), ("assistant", "turn2")]
    ]
    metric.measure(ConversationalTestCase(turns=turns), _show_indicator=False)


deepeval(
    "deepeval-conversational-g-eval",
    ["chat"],
    TURNS,
    conversational_geval,
    scored("score", 0, 10, kind="conversation", reason="It does."),
)

# deepteam

deepteam = in_client("deepteam", "Apache-2.0")


def deepteam_metric(name, **options):
    def ask(base, v):
        from deepeval.models import OpenAIModel
        from deepteam import metrics
        from deepteam.test_case import RTTestCase

        model = OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        metric = getattr(metrics, name)(model=model, async_mode=False, **options)
        metric.measure(RTTestCase(vulnerability="It", input=v["instruction"], actual_output=v["option1"]))

    return ask


for name, metric, options in [
    ("bias", "BiasMetric", {"purpose": "A helpdesk that answers questions"}),
    ("ethics", "EthicsMetric", {"purpose": "A helpdesk that answers questions"}),
    ("harm", "HarmMetric", {"harm_category": "Dangerous advice"}),
    ("toxicity", "ToxicityMetric", {"toxicity_category": "insults"}),
    ("competitors", "CompetitorsMetric", {"purpose": "A shop's assistant"}),
    ("hijacking", "HijackingMetric", {"purpose": "A shop's assistant"}),
    ("misinformation", "MisinformationMetric", {"misinformation_category": "factual errors"}),
]:
    deepteam(
        f"deepteam-{name}",
        ["en", "tox", "essay", "de"],
        {**INSTRUCTION, **ONE},
        deepteam_metric(metric, **options),
        scored("score", 0, 1, reason="I looked."),
        note="0 says that the attack went through",
    )

# openevals and agentevals of PyPI

openevals = in_client("openevals", "MIT")
agentevals = in_client("agentevals", "MIT")


def chat_model(base):
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)


def openevals_judge(prompt, case):
    def ask(base, v):
        from openevals import prompts
        from openevals.llm import create_llm_as_judge

        judge = create_llm_as_judge(prompt=getattr(prompts, prompt), judge=chat_model(base), feedback_key="score")
        judge(**case(v))

    return ask


def of_output(v):
    return {"inputs": v["instruction"], "outputs": v.get("option1", "It is so.")}


def messages_of(v):
    return [
        {"role": role, "content": v[key]}
        for role, key in [("user", "user1"), ("assistant", "turn1"), ("user", "user2"), ("assistant", "turn2")]
    ]


YES_SCORE = passed("score", reasoning="I looked.")
BAD_SCORE = passed("score", is_bad=True, reasoning="I looked.")
for name, keys in [
    ("PII_LEAKAGE", {**INSTRUCTION, **ONE}),
    ("CODE_INJECTION", {"instruction": {"role": "option"}}),
]:
    openevals(
        f"openevals-py-{name.lower().replace('_', '-')}",
        ["code", "en", "tox"],
        keys,
        openevals_judge(f"{name}_PROMPT", of_output),
        BAD_SCORE,
        note="true is the bad side",
    )
openevals(
    "openevals-py-code-correctness-reference",
    ["code", "sql"],
    {**INSTRUCTION, **ONE, **REFERENCE},
    openevals_judge(
        "CODE_CORRECTNESS_PROMPT_WITH_REFERENCE_OUTPUTS", lambda v: {**of_output(v), "reference_outputs": v["reference"]}
    ),
    {**YES_SCORE, "kind": "reference"},
)
for name in ["TASK_COMPLETION", "KNOWLEDGE_RETENTION", "PERCEIVED_ERROR", "WINS", "LANGUAGE_DETECTION", "SUPPORT_INTENT"]:
    openevals(
        f"openevals-py-{name.lower().replace('_', '-')}",
        ["chat"],
        TURNS,
        openevals_judge(f"{name}_PROMPT", lambda v: {"outputs": messages_of(v)}),
        {**(BAD_SCORE if name == "PERCEIVED_ERROR" else YES_SCORE), "kind": "conversation"},
    )


def trajectory(with_reference):
    def ask(base, v):
        from agentevals.trajectory import llm

        prompt = "TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE" if with_reference else "TRAJECTORY_ACCURACY_PROMPT"
        judge = llm.create_trajectory_llm_as_judge(prompt=getattr(llm, prompt), judge=chat_model(base))
        call = {"function": {"name": "look_up", "arguments": '{"page": 1}'}}
        asked = {"role": "user", "content": v["instruction"]}
        looked = [{"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "tool", "content": v["context"]}]
        rest = (
            {"reference_outputs": [asked, {"role": "assistant", "content": v["reference"]}]} if with_reference else {}
        )
        judge(outputs=[asked, *looked, {"role": "assistant", "content": v["option1"]}], **rest)

    return ask


agentevals("agentevals-py-trajectory", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, trajectory(False), YES_SCORE)
agentevals(
    "agentevals-py-trajectory-reference",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, **ONE, **REFERENCE},
    trajectory(True),
    {**YES_SCORE, "kind": "reference"},
)

# ragelo

ragelo = in_client("ragelo", "Apache-2.0")


def ragelo_judge(kind, name, case, **options):
    def ask(base, v):
        at(base)
        import ragelo as package

        make = package.get_answer_evaluator if kind == "answer" else package.get_retrieval_evaluator
        judge = make(name, package.get_llm_provider("openai", model="gpt-4o"), **options)
        judge.evaluate(**case(v))

    return ask


def ragelo_pair(v):
    from ragelo.types import AgentAnswer

    return {f"answer_{side}": AgentAnswer(qid="1", agent=side, text=v[key]) for side, key in [("a", "option1"), ("b", "option2")]}


WINNER = {
    "kind": "pair",
    "verdict": {"kind": "choice", "where": "json", "field": "winner", "labels": {"A": 0, "B": 1, "C": "tie"}},
    "replies": [
        [{"answer_a_analysis": "Good.", "answer_b_analysis": "Bad.", "comparison_reasoning": "A.", "winner": "A"}, {"choice": 0}],
        [{"answer_a_analysis": "Bad.", "answer_b_analysis": "Good.", "comparison_reasoning": "B.", "winner": "B"}, {"choice": 1}],
    ],
}
ragelo(
    "ragelo-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    ragelo_judge(
        "answer",
        "pairwise",
        lambda v: {"query": v["instruction"], **ragelo_pair(v)},
        bidirectional=False,
        include_annotations=False,
    ),
    WINNER,
)
ragelo(
    "ragelo-pairwise-documents",
    ["rag", "en", "sum", "de"],
    {**INSTRUCTION, **CONTEXT, **pair("A", "B")},
    ragelo_judge(
        "answer",
        "pairwise",
        lambda v: {
            "query": v["instruction"],
            **ragelo_pair(v),
            "retrieved_documents": [v["context"]],
        },
        bidirectional=False,
        include_raw_documents=True,
    ),
    WINNER,
)
ragelo(
    "ragelo-reasoner",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    ragelo_judge("retrieval", "reasoner", lambda v: {"query": v["instruction"], "document": v["context"]}),
    scored("score", 0, 2, reasoning="I looked."),
    note="the passage is judged",
)
ragelo(
    "ragelo-rdnam",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    ragelo_judge("retrieval", "RDNAM", lambda v: {"query": v["instruction"], "document": v["context"]}),
    scored("score", 0, 2, reasoning="I looked."),
    note="the passage is judged",
)
ragelo(
    "ragelo-domain-expert",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    ragelo_judge(
        "retrieval",
        "domain_expert",
        lambda v: {"query": v["instruction"], "document": v["context"]},
        expert_in="customer service",
    ),
    scored("score", 0, 2, reasoning="I looked."),
    note="the passage is judged",
)

# azure-ai-evaluation

azure = in_client("azure-ai-evaluation", "MIT")


def azure_evaluator(name, case):
    def ask(base, v):
        from azure.ai import evaluation

        config = {"type": "openai", "api_key": KEY, "model": "gpt-4o", "base_url": f"{base}/v1"}
        getattr(evaluation, name)(config)(**case(v))

    return ask


def azure_case(v):
    case = {}
    if "instruction" in v:
        case["query"] = v["instruction"]
    if "option1" in v:
        case["response"] = v["option1"]
    if "context" in v:
        case["context"] = v["context"]
    if "reference" in v:
        case["ground_truth"] = v["reference"]
    return case


FIVE = scored("score", 1, 5, reason="I looked.", status="completed")
for name, metric, pools, keys, form in [
    ("coherence", "CoherenceEvaluator", QUALITY, {**INSTRUCTION, **ONE}, FIVE),
    ("fluency", "FluencyEvaluator", QUALITY, ONE, FIVE),
    ("relevance", "RelevanceEvaluator", QA, {**INSTRUCTION, **ONE}, FIVE),
    ("groundedness", "GroundednessEvaluator", WITH_CONTEXT, {**CONTEXT, **ONE}, FIVE),
    ("groundedness-query", "GroundednessEvaluator", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, FIVE),
    ("similarity", "SimilarityEvaluator", QA, {**INSTRUCTION, **ONE, **REFERENCE}, {**FIVE, "kind": "reference"}),
    ("response-completeness", "ResponseCompletenessEvaluator", QA, {**ONE, **REFERENCE}, {**FIVE, "kind": "reference"}),
    ("intent-resolution", "IntentResolutionEvaluator", QA, {**INSTRUCTION, **ONE}, FIVE),
]:
    azure(f"azure-{name}", pools, keys, azure_evaluator(metric, azure_case), form)

# dspy

dspy = in_client("dspy", "MIT")


def dspy_metric(name, with_context=False, **options):
    def ask(base, v):
        import dspy as package
        from dspy.evaluate import auto_evaluation

        model = package.LM("openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY, cache=False, num_retries=0)
        example = package.Example(question=v["instruction"], response=v.get("reference", "It is so."))
        answer = package.Prediction(response=v["option1"], context=v.get("context", "It is so."))
        with package.context(lm=model):
            getattr(auto_evaluation, name)(**options)(example, answer)

    return ask


def dspy_fields(**fields):
    return "\n\n".join(f"[[ ## {name} ## ]]\n{value}" for name, value in {**fields, "completed": ""}.items())


def dspy_score(field, **before):
    def reply(score):
        return dspy_fields(reasoning="I looked.", **before, **{field: score})

    return {
        "kind": "score",
        "verdict": {"kind": "score", "where": "text", "scale": {"min": 0, "max": 1}, "polarity": "higher"},
        "replies": [[reply(1.0), {"score": 1}], [reply(0.4), {"score": 0.4}]],
    }


RECALLED = {
    "kind": "reference",
    "verdict": {"kind": "none", "where": "text"},
    "replies": [
        [dspy_fields(reasoning="I looked.", recall=0.9, precision=0.8), {"none": True}],
        [dspy_fields(reasoning="I looked.", recall=0.2, precision=0.4), {"none": True}],
    ],
    "note": "two numbers for one answer: recall and precision",
}
COMPLETE = {"ground_truth_key_ideas": "One.", "system_response_key_ideas": "One.", "discussion": "They agree."}
dspy("dspy-semantic-f1", QA, {**INSTRUCTION, **ONE, **REFERENCE}, dspy_metric("SemanticF1"), RECALLED)
dspy(
    "dspy-semantic-f1-decompositional",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    dspy_metric("SemanticF1", decompositional=True),
    {
        **RECALLED,
        "replies": [
            [dspy_fields(reasoning="I looked.", **COMPLETE, recall=r, precision=p), {"none": True}]
            for r, p in [(0.9, 0.8), (0.2, 0.4)]
        ],
    },
)
dspy(
    "dspy-answer-completeness",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    dspy_metric("CompleteAndGrounded"),
    {**dspy_score("completeness", **COMPLETE), "kind": "reference"},
    has="Estimate the completeness",
    besides=[["", dspy_fields(reasoning="I looked.", system_response_claims="One.", discussion="It is.", groundedness=1.0)]],
)
dspy(
    "dspy-answer-groundedness",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, **ONE},
    dspy_metric("CompleteAndGrounded"),
    dspy_score("groundedness", system_response_claims="One.", discussion="It is."),
    has="Estimate the groundedness",
    besides=[["", dspy_fields(reasoning="I looked.", **COMPLETE, completeness=1.0)]],
)

# tonic-validate

tonic = in_client("tonic-validate", "MIT")


def tonic_metric(name):
    def ask(base, v):
        at(base)
        from tonic_validate import metrics
        from tonic_validate.classes import BenchmarkItem, LLMResponse
        from tonic_validate.services.openai_service import OpenAIService

        # Its encoder counts tokens with a vocabulary that it downloads.
        encoder = types.SimpleNamespace(encode=lambda text, **_: text.split())
        item = BenchmarkItem(question=v.get("instruction", "What is it?"), answer=v.get("reference", "It is so."))
        response = LLMResponse(v.get("option1", "It is so."), [v.get("context", "It is so.")], item)
        service = OpenAIService(encoder, model="gpt-4o", max_retries=1)
        asyncio.run(getattr(metrics, name)().score(response, service))

    return ask


for name, metric, pools, keys, form in [
    ("similarity", "AnswerSimilarityMetric", QA, {**INSTRUCTION, **ONE, **REFERENCE}, said(0, 5, "%s", "reference")),
    ("consistency", "AnswerConsistencyBinaryMetric", WITH_CONTEXT, {**CONTEXT, **ONE}, words("true", "false")),
    ("retrieval-precision", "RetrievalPrecisionMetric", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, words("true", "false")),
    ("augmentation-accuracy", "AugmentationAccuracyMetric", WITH_CONTEXT, {**CONTEXT, **ONE}, words("true", "false")),
    ("duplication", "DuplicationMetric", QUALITY, ONE, words("true", "false", is_bad=True)),
    ("hate-speech", "HateSpeechContentMetric", ["tox", "en"], ONE, words("true", "false", is_bad=True)),
]:
    tonic(f"tonic-{name}", pools, keys, tonic_metric(metric), form)

# distilabel

distilabel = in_client("distilabel", "Apache-2.0")


def distilabel_task(module, name, case, **options):
    def ask(base, v):
        import importlib

        from distilabel.models.llms import OpenAILLM

        llm = OpenAILLM(model="gpt-4o", base_url=f"{base}/v1", api_key=KEY)
        task = getattr(importlib.import_module(f"distilabel.steps.tasks.{module}"), name)(llm=llm, **options)
        task.load()
        next(task.process([case(v)]))

    return ask


def generations(v):
    return {"instruction": v["instruction"], "generations": [v["option1"], v["option2"]]}


TEXTS = pair("Text 1", "Text 2")
for aspect in ["helpfulness", "honesty", "instruction-following", "truthfulness", "overall-rating"]:
    typed = aspect in ("helpfulness", "truthfulness")
    answers = [
        "\n\n".join(
            f"#### Output for Text {i}\n" + ("Type: None\nRationale: It is.\n" if typed else "") + f"Rating: {score}\nRationale: I looked."
            for i, score in enumerate(scores, 1)
        )
        for scores in [(5, 2), (3, 4)]
    ]
    distilabel(
        f"distilabel-ultrafeedback-{aspect}",
        PAIRS,
        {**INSTRUCTION, **TEXTS},
        distilabel_task("ultrafeedback", "UltraFeedback", generations, aspect=aspect),
        {
            "kind": "pair",
            "verdict": {"kind": "scores", "where": "text", "scale": {"min": 1, "max": 5}, "polarity": "higher"},
            "replies": [[answers[0], {"scores": [5, 2]}], [answers[1], {"scores": [3, 4]}]],
        },
    )
distilabel(
    "distilabel-quality-scorer",
    PAIRS,
    {**INSTRUCTION, **pair("Response 1", "Response 2")},
    distilabel_task("quality_scorer", "QualityScorer", lambda v: {"instruction": v["instruction"], "responses": [v["option1"], v["option2"]]}),
    {
        "kind": "pair",
        "verdict": {"kind": "scores", "where": "text", "scale": {"min": 1, "max": 5}, "polarity": "higher"},
        "replies": [
            ["[1] Score: 5\n[2] Score: 2", {"scores": [5, 2]}],
            ["[1] Score: 1\n[2] Score: 4", {"scores": [1, 4]}],
        ],
    },
)
distilabel(
    "distilabel-instruction-backtranslation",
    QUALITY,
    {**INSTRUCTION, **ONE},
    distilabel_task("instruction_backtranslation", "InstructionBacktranslation", lambda v: {"instruction": v["instruction"], "generation": v["option1"]}),
    said(1, 5, "It is so.\n\nScore: %s"),
)
distilabel(
    "distilabel-prometheus-absolute",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    distilabel_task(
        "prometheus_eval",
        "PrometheusEval",
        lambda v: {"instruction": v["instruction"], "generation": v["option1"], "reference": v["reference"]},
        mode="absolute",
        rubric="factual-validity",
        reference=True,
    ),
    said(1, 5, "It is so. [RESULT] %s", "reference"),
)
AB_RESULT = {
    "kind": "pair",
    "verdict": {"kind": "choice", "where": "text", "labels": {"A": 0, "B": 1}},
    "replies": [["The first is right. [RESULT] A", {"choice": 0}], ["The second is. [RESULT] B", {"choice": 1}]],
}
distilabel(
    "distilabel-prometheus-relative",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    distilabel_task("prometheus_eval", "PrometheusEval", generations, mode="relative", rubric="helpfulness"),
    AB_RESULT,
)

# parea

parea = in_client("parea-ai", "Apache-2.0")


def parea_eval(module, factory):
    def ask(base, v):
        at(base)
        import importlib

        from parea.schemas.log import Log

        made = getattr(importlib.import_module(f"parea.evals.{module}"), factory)()
        inputs = {"question": v.get("instruction", ""), "context": v.get("context", ""), "article": v.get("context", "")}
        made(Log(inputs=inputs, output=v.get("option1", v.get("context")), target=v.get("reference")))

    return ask


LIKERT = "Relevance: %s\nConsistency: %s\nFluency: 5\nCoherence: 4"
for name, module, factory, pools, keys, form in [
    ("faithfulness-binary", "rag.answer_context_faithfulness_binary", "answer_context_faithfulness_binary_factory", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, words("yes", "no")),
    ("context-has-answer", "rag.context_has_answer", "context_has_answer_factory", QA, {**INSTRUCTION, **ONE}, passed("final_verdict", "true", "false", thoughts="I looked.")),
    ("llm-grader", "general.llm_grader", "llm_grader_factory", QUALITY, {**INSTRUCTION, **ONE}, said(1, 10, "It is so. Rating: [[%s]]")),
    ("answer-matches-target", "general.answer_matches_target_llm_grader", "answer_matches_target_llm_grader_factory", QA, {**INSTRUCTION, **ONE, **REFERENCE}, words("yes", "no", kind="reference")),
    ("factual-inconsistency-binary", "summary.factual_inconsistency_binary", "factual_inconsistency_binary_factory", ["sum", "rag"], {**CONTEXT, **ONE}, words("yes", "no", before="I looked. ")),
    ("factual-inconsistency-scale", "summary.factual_inconsistency_scale", "factual_inconsistency_scale_factory", ["sum", "rag"], {**CONTEXT, **ONE}, said(1, 10, "%s")),
    ("context-ranking-pointwise", "rag.context_ranking_pointwise", "context_ranking_pointwise_factory", WITH_CONTEXT, {**INSTRUCTION, **JUDGED_CONTEXT}, passed("verdict", "Yes", "No", reason="I looked.")),
]:
    parea(f"parea-{name}", pools, keys, parea_eval(module, factory), form)
parea(
    "parea-context-query-relevancy",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT},
    parea_eval("rag.context_query_relevancy", "context_query_relevancy_factory"),
    {"kind": "none", "verdict": {"kind": "none", "where": "text"}, "replies": [["It is so.", {"none": True}]]},
    note="asks for the relevant sentences: an extraction",
)

# open-rag-eval

open_rag_eval = in_client("open-rag-eval", "Apache-2.0")


def umbrela(base, v):
    from open_rag_eval.data_classes.rag_results import RetrievalResult
    from open_rag_eval.metrics.umbrela_metric import UMBRELAMetric
    from open_rag_eval.models.llm_judges import OpenAIModel

    model = OpenAIModel({"name": "gpt-4o", "api_key": KEY, "base_url": f"{base}/v1"})
    result = RetrievalResult(query=v["instruction"], retrieved_passages={"1": v["context"]})
    UMBRELAMetric(model).compute(result, [1])


open_rag_eval(
    "open-rag-eval-umbrela",
    WITH_CONTEXT,
    {**INSTRUCTION, **JUDGED_CONTEXT},
    umbrela,
    {
        "kind": "score",
        "verdict": {"kind": "score", "where": "json", "field": "score", "scale": {"min": 0, "max": 3}, "polarity": "higher"},
        "replies": [[{"score": "3"}, {"score": 3}], [{"score": "0"}, {"score": 0}]],
    },
    note="the passage is judged",
)

# giskard

giskard = in_client("giskard", "Apache-2.0")


def giskard_client(base):
    at(base)
    from giskard.llm.client.openai import OpenAIClient
    from openai import OpenAI

    return OpenAIClient(model="gpt-4o", client=OpenAI(base_url=f"{base}/v1", api_key=KEY, max_retries=0))


def giskard_evaluator(name, **options):
    def ask(base, v):
        import pandas as pd
        from giskard import Dataset, Model
        from giskard.llm import evaluators

        model = Model(
            lambda frame: [v["option1"]] * len(frame),
            model_type="text_generation",
            name="helpdesk",
            description="A helpdesk that answers questions",
            feature_names=["question"],
        )
        given = {key: value(v) for key, value in options.items()}
        judge = getattr(evaluators, name)(llm_client=giskard_client(base), **given)
        judge.evaluate(model, Dataset(pd.DataFrame({"question": [v["instruction"]]})))

    return ask


giskard("giskard-plausibility", QA, {**INSTRUCTION, **ONE}, giskard_evaluator("PlausibilityEvaluator"), passed("eval_passed", reason="I looked."))
giskard(
    "giskard-requirements",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    giskard_evaluator("RequirementEvaluator", requirements=lambda v: [v["rubric"]]),
    passed("eval_passed", kind="rubric", reason="I looked."),
)

# strands

strands = in_client("strands-agents-evals", "Apache-2.0")


def strands_output(base, v):
    from strands.models.openai import OpenAIModel
    from strands_evals.evaluators import OutputEvaluator
    from strands_evals.types.evaluation import EvaluationData

    model = OpenAIModel(client_args={"api_key": KEY, "base_url": f"{base}/v1", "max_retries": 0}, model_id="gpt-4o")
    judge = OutputEvaluator(rubric=v["rubric"], model=model)
    reference = {"expected_output": v["reference"]} if "reference" in v else {}
    judge.evaluate(EvaluationData(input=v["instruction"], actual_output=v["option1"], **reference))


STRANDS = scored("score", 0.0, 1.0, kind="rubric", where="tool", reason="I looked.", test_pass=True)
strands("strands-output", QUALITY, {**INSTRUCTION, **ONE, **RUBRIC}, strands_output, STRANDS)
strands("strands-output-expected", QA, {**INSTRUCTION, **ONE, **REFERENCE, **RUBRIC}, strands_output, STRANDS)

# trulens

for name, polarity in [
    ("conciseness", "higher"),
    ("correctness_with_cot_reasons", "higher"),
    ("helpfulness", "higher"),
    ("maliciousness", "lower"),
    ("controversiality_with_cot_reasons", "lower"),
    ("stereotypes", "lower"),
]:
    pooled = ["tox", "en"] if polarity == "lower" else QUALITY
    keys = {**INSTRUCTION, **ONE} if name == "stereotypes" else ONE
    form = trulens_reasons(0, 3, polarity) if name.endswith("reasons") else trulens_score(0, 3, polarity)
    trulens(f"trulens-{name.split('_')[0]}", pooled, keys, trulens_feedback(name, *keys), form)

# mlflow


def mlflow_scorer(name, **case):
    def ask(base, v):
        at(base)
        from mlflow.genai import scorers

        getattr(scorers, name)(model="openai:/gpt-4o")(**{key: value(v) for key, value in case.items()})

    return ask


ASKED = {"inputs": lambda v: {"question": v["instruction"]}, "outputs": lambda v: v["option1"]}
mlflow("mlflow-completeness", QUALITY, {**INSTRUCTION, **ONE}, mlflow_scorer("Completeness", **ASKED), YES_NO)
mlflow("mlflow-relevance-to-query", QUALITY, {**INSTRUCTION, **ONE}, mlflow_scorer("RelevanceToQuery", **ASKED), YES_NO)
mlflow("mlflow-fluency", QUALITY, ONE, mlflow_scorer("Fluency", outputs=lambda v: v["option1"]), YES_NO)
mlflow(
    "mlflow-equivalence",
    QA,
    {**ONE, **REFERENCE},
    mlflow_scorer(
        "Equivalence",
        outputs=lambda v: v["option1"],
        expectations=lambda v: {"expected_response": v["reference"]},
    ),
    {**YES_NO, "kind": "reference"},
)
mlflow(
    "mlflow-summarization",
    ["sum", "rag", "en"],
    {**CONTEXT, **ONE},
    mlflow_scorer("Summarization", inputs=lambda v: {"text": v["context"]}, outputs=lambda v: v["option1"]),
    YES_NO,
)

# opik

for name, metric in [
    ("compliance-risk", "ComplianceRiskJudge"),
    ("demographic-bias", "DemographicBiasJudge"),
    ("dialogue-helpfulness", "DialogueHelpfulnessJudge"),
    ("prompt-uncertainty", "PromptUncertaintyJudge"),
    ("qa-relevance", "QARelevanceJudge"),
    ("summarization-coherence", "SummarizationCoherenceJudge"),
    ("summarization-consistency", "SummarizationConsistencyJudge"),
]:
    bad = name in ("compliance-risk", "demographic-bias", "prompt-uncertainty")
    opik(
        f"opik-{name}",
        QUALITY,
        ONE,
        opik_metric(metric, opik_case),
        scored("score", 0, 10, polarity="lower" if bad else "higher", reason="I looked."),
        has="<opik_solution> tags",
        besides=[["", "1. Read the text.\n2. Judge it."]],
    )
opik(
    "opik-structured-output-compliance",
    ["code", "sql", "en"],
    ONE,
    opik_metric("StructuredOutputCompliance", opik_case),
    passed("score", reason=["I looked."]),
)
