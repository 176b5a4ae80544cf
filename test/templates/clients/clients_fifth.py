"""A fifth file of Python clients of the corpus: clients.py loads it, and its evaluators join the others.

What was run, with Python 3.12, each package in a run of its own:

    crfm-helm==0.5.16 eval-framework==0.15.4 sdg_hub==0.9.4 langevals-langevals==0.1.16 dingo-python==2.5.0 benchmark-qed==0.4.0
    rhesis-sdk==0.19.1 rm-gallery==0.1.7 refchecker==0.2.17 any-guardrail==0.7.7 autorubric==1.6.1 jailbreakbench==1.0.0
    nemoguardrails==0.24.1 phasellm==0.0.25 eval-protocol==0.3.33 nemo-evaluator==0.3.0 llm-jury==0.1.0 adalflow==1.1.3
    ares-ai==0.6.6
    (all with --no-deps, and of what they import all but torch, transformers and the like)
"""

import asyncio
import importlib
import importlib.machinery
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
from clients_fourth import Absent, labels_of, n_way, openai_at, order, replied, uncounted, without
from clients_second import at, category, said
from clients_third import choice


def in_text(*labels, kind="category", form="%s", bad=None):
    """A label in the text; the first is the good one, the last the bad one. @param form with %s for the label"""
    bad = bad or labels[-1]
    meanings = {label: "good" if label == labels[0] else "bad" if label == bad else "neutral" for label in labels}
    return {
        "kind": kind,
        "verdict": {"kind": "category", "where": "text", "labels": meanings},
        "replies": [[form % label, {"category": label}] for label in (labels[0], bad)],
    }


def several(count, low, high, first, second, kind="score", where="json"):
    """As many scores as there are criteria. @param first what the judge says: an object and its scores"""
    return {
        "kind": kind,
        "verdict": {"kind": "scores", "where": where, "scale": {"min": low, "max": high}, "polarity": "higher"},
        "replies": [[said, {"scores": scores}] for said, scores in (first, second)],
    }


class Part(Absent):
    """Stands in for a part of a package that its release lacks."""

    def find_spec(self, name, path=None, target=None):
        if any(name == part or name.startswith(f"{part}.") for part in self.names):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None


def without_torch(*names):
    """As without, for packages beside which others ask whether a value is a tensor."""
    without("torch", *names)
    import torch

    torch.Tensor = type("Tensor", (), {})


# refchecker

refchecker = in_client("refchecker", "Apache-2.0")


def refcheck(joint):
    def ask(base, v):
        at(base)
        without_torch("pytorch_lightning", "spacy", "sentence_transformers", "bs4", "nltk", "transformers")
        from refchecker.checker.llm_checker import LLMChecker


        checker = LLMChecker(model="openai/gpt-4o", api_base=f"{base}/v1")
        claim = ["The answer", "says", v["option1"]] if joint else v["option1"]
        questions = [v["instruction"]] if joint else None
        checker.check([[claim]], [v["context"]], batch_questions=questions, is_joint=joint)

    return ask


ENTAILED = in_text("Entailment", "Neutral", "Contradiction")
refchecker("refchecker-sentence", WITH_CONTEXT, {**CONTEXT, **ONE}, refcheck(False), ENTAILED)
refchecker(
    "refchecker-joint",
    WITH_CONTEXT,
    {**INSTRUCTION, **CONTEXT, **ONE},
    refcheck(True),
    labels_of({"Entailment": "good", "Neutral": "neutral", "Contradiction": "bad"}, "Entailment", "Contradiction"),
    note="a list of one claim, a triplet in brackets",
)

# phasellm

phasellm = in_client("phasellm", "MIT")


def phasellm_choose(base, v):
    at(base)
    without("vertexai", "cohere", "anthropic", "transformers", "torch", "sseclient", "azure", "msal", "replicate")
    from phasellm.eval import GPTEvaluator

    with unittest.mock.patch("phasellm.eval.random.random", lambda: 0.9):
        GPTEvaluator(KEY, model="gpt-4o").choose(v["rubric"], v["instruction"], v["option1"], v["option2"])


phasellm(
    "phasellm-choose",
    PAIRS,
    {**RUBRIC, **INSTRUCTION, **pair("A", "B")},
    phasellm_choose,
    choice("A", "B", {"A": 0, "B": 1}),
)

# benchmark-qed

benchmark_qed = in_client("benchmark-qed", "MIT")


def qed(run):
    def ask(base, v):
        without_torch("transformers", "matplotlib", "seaborn")
        from benchmark_qed.config.llm_config import LLMConfig
        from benchmark_qed.llm.factory import ModelFactory

        config = LLMConfig(model="gpt-4o", api_key=KEY, init_args={"azure_endpoint": f"{base}/v1"})
        standard = "benchmark_qed.autoe.assertion.standard"
        importlib.import_module(standard)

        def drawn():
            return types.SimpleNamespace(hex=v["drawn"])

        with unittest.mock.patch("uuid.uuid4", drawn), unittest.mock.patch(f"{standard}.uuid4", drawn):
            asyncio.run(run(ModelFactory.create_chat_model(config), config, v))

    return ask


async def qed_pair(llm, _, v):
    from benchmark_qed.autoe.pairwise import get_pairwise_score

    await get_pairwise_score(
        llm,
        question=v["instruction"],
        answer_1_name="first",
        answer_1=v["option1"],
        answer_2_name="second",
        answer_2=v["option2"],
        criteria_name="Helpfulness",
        criteria_description=v["rubric"],
    )


async def qed_reference(llm, _, v):
    from benchmark_qed.autoe.reference.scores import get_reference_score

    await get_reference_score(
        llm,
        question=v["instruction"],
        reference_answer=v["reference"],
        generated_answer=v["option1"],
        criteria_name="Correctness",
        criteria_description=v["rubric"],
    )


async def qed_assertion(llm, _, v):
    from benchmark_qed.autoe.assertion.standard import evaluate_assertion

    await evaluate_assertion(llm, v["rubric"], v["instruction"], v["option1"])


async def qed_relevance(llm, config, v):
    from benchmark_qed.autod.data_model.text_unit import TextUnit
    from benchmark_qed.autoe.retrieval_metrics.relevance_assessment.rationale_rater import RationaleRelevanceRater

    rater = RationaleRelevanceRater(llm, config, cache_enabled=False)
    await rater.rate_relevance(v["instruction"], [TextUnit(id="1", short_id="1", text=v["option1"])])


DRAWN = {"drawn": {"role": "ignored"}}
benchmark_qed(
    "benchmark-qed-pairwise",
    PAIRS,
    {**RUBRIC, **DRAWN, **INSTRUCTION, **pair("Answer 1", "Answer 2")},
    qed(qed_pair),
    choice(
        {"reasoning": "I read both.", "winner": 1},
        {"reasoning": "I read both.", "winner": 2},
        {"1": 0, "2": 1, "0": "tie"},
        field="winner",
        where="json",
    ),
    note="an id is drawn for each call; the criterion stands in the system message, too",
)
benchmark_qed(
    "benchmark-qed-reference",
    QA,
    {**RUBRIC, **DRAWN, **INSTRUCTION, **REFERENCE, **ONE},
    qed(qed_reference),
    scored("score", 1, 10, kind="reference", reasoning="I looked."),
    note="an id is drawn for each call",
)
benchmark_qed(
    "benchmark-qed-assertion",
    QUALITY,
    {**RUBRIC, **DRAWN, **INSTRUCTION, **ONE},
    qed(qed_assertion),
    scored("score", 0, 1, kind="rubric", reasoning="I looked."),
    note="an id is drawn for each call; the assertion stands in the system message, too",
)
benchmark_qed(
    "benchmark-qed-relevance",
    ["rag", "en", "de"],
    {**INSTRUCTION, "option1": {"role": "option"}, **DRAWN},
    qed(qed_relevance),
    scored("score", 0, 3, reasoning="I looked."),
)

# langevals

langevals = in_client("langevals-langevals", "MIT")


def langeval(module, name, entry, **settings):
    def ask(base, v):
        at(base)
        import litellm

        litellm.encode = lambda text="", **_: text.split()
        loaded = importlib.import_module(f"langevals_langevals.{module}")
        evaluator = getattr(loaded, f"{name}Evaluator")
        given = {**settings, **({"prompt": v["rubric"]} if "rubric" in v else {})}
        made = evaluator(settings=getattr(loaded, f"{name}Settings")(model="openai/gpt-4o", **given))
        made.evaluate(getattr(loaded, f"{name}Entry")(**entry(v)))

    return ask


def langeval_case(v):
    return {"input": v["instruction"], "output": v["option1"]}


def langeval_context(v):
    return {**langeval_case(v), "contexts": [v["context"]]}


langevals(
    "langevals-boolean",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    langeval("llm_boolean", "CustomLLMBoolean", langeval_case),
    passed("passed", kind="rubric", where="tool", reasoning="I looked."),
)
langevals(
    "langevals-score",
    WITH_CONTEXT,
    {**RUBRIC, **INSTRUCTION, **ONE, **CONTEXT},
    langeval("llm_score", "CustomLLMScore", langeval_context),
    scored("final_score", 0.0, 1.0, kind="rubric", where="tool", reasoning="I looked."),
)
CATEGORIES = [
    {"name": "resolved", "description": "The output answers what was asked."},
    {"name": "unresolved", "description": "The output leaves the question open."},
]
langevals(
    "langevals-category",
    QUALITY,
    {**INSTRUCTION, **ONE},
    langeval("llm_category", "CustomLLMCategory", langeval_case, categories=CATEGORIES),
    category("label", ["resolved"], ["unresolved"], where="tool", reasoning="I looked."),
)
langevals(
    "langevals-answer-match",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    langeval("llm_answer_match", "LLMAnswerMatch", lambda v: {**langeval_case(v), "expected_output": v["reference"]}),
    {
        **words(
            "[[ ## is_correct ## ]]\nTrue\n\n[[ ## completed ## ]]",
            "[[ ## is_correct ## ]]\nFalse\n\n[[ ## completed ## ]]",
            kind="reference",
            before="[[ ## reasoning ## ]]\nI looked.\n\n",
        ),
        "verdict": {"kind": "pass", "where": "text", "labels": {"True": "pass", "False": "fail"}},
    },
)
langevals(
    "langevals-query-resolution",
    ["chat"],
    TURNS,
    langeval(
        "query_resolution",
        "QueryResolution",
        lambda v: {
            "conversation": [
                {"input": v["user1"], "output": v["turn1"]},
                {"input": v["user2"], "output": v["turn2"]},
            ]
        },
    ),
    scored("queries_answered", 0, 2, kind="conversation", where="tool", reasoning="I looked.", queries_total=2),
)

# jailbreakbench

jailbreakbench = in_client("jailbreakbench", "MIT")


def jailbreak_judge(name):
    def ask(base, v):
        without_torch("transformers", "vllm", "matplotlib", "pandas", "wordfreq", "nltk")
        os.environ["TOGETHERAI_API_BASE"] = os.environ["TOGETHER_AI_API_BASE"] = f"{base}/v1"
        import litellm
        from litellm.litellm_core_utils import prompt_templates

        litellm.api_base = f"{base}/v1"
        # Where older releases of litellm had them.
        sys.modules["litellm.llms.prompt_templates"] = prompt_templates
        sys.modules["litellm.llms.prompt_templates.factory"] = importlib.import_module(
            "litellm.litellm_core_utils.prompt_templates.factory"
        )
        from jailbreakbench import classifier

        getattr(classifier, name)(api_key=KEY)([v["instruction"]], [v["option1"]])

    return ask


jailbreakbench(
    "jailbreakbench-jailbreak",
    ["tox", "en", "essay", "es"],
    {**INSTRUCTION, **ONE},
    jailbreak_judge("Llama3JailbreakJudge"),
    words("safe", "unsafe"),
)
jailbreakbench(
    "jailbreakbench-refusal",
    ["tox", "en", "essay", "de"],
    {**INSTRUCTION, **ONE},
    jailbreak_judge("Llama3RefusalJudge"),
    words("Yes", "No", is_bad=True),
    note="yes says that the answer refuses",
)

# helm: its annotators

helm = in_client("crfm-helm", "Apache-2.0")


def annotator(module, name, tags=(), **options):
    def ask(base, v):
        without_torch("transformers", "datasets", "sentencepiece", "nltk", "scipy", "sklearn")
        from helm.benchmark.adaptation.request_state import RequestState
        from helm.benchmark.annotation.model_as_judge import AnnotatorModelInfo
        from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
        from helm.common.request import GeneratedOutput, Request, RequestResult

        client = openai_at(base)

        class Client:
            """Stands where HELM looks up a model of its registry."""

            def make_request(self, request):
                messages = request.messages or [{"role": "user", "content": request.prompt}]
                text = replied(client, messages)
                output = GeneratedOutput(text=text, logprob=0, tokens=[])
                return RequestResult(success=True, cached=False, completions=[output], embedding=[])

        given = {key: tempfile.mkdtemp() if value == "folder" else value for key, value in options.items()}
        if "annotator_models" in given:
            given["annotator_models"] = {"gpt": AnnotatorModelInfo("openai/gpt-4o", "openai/gpt-4o")}
        made = getattr(importlib.import_module(f"helm.benchmark.annotation.{module}"), name)(Client(), **given)
        references = [Reference(Output(text=v["reference"]), tags=["correct"])] if "reference" in v else []
        references += [Reference(Output(text=tag), tags=["correct"]) for tag in tags]
        instance = Instance(input=Input(text=v["instruction"]), references=references)
        answer = RequestResult(
            success=True,
            cached=False,
            completions=[GeneratedOutput(text=v["option1"], logprob=0, tokens=[])],
            embedding=[],
        )
        made.annotate(
            RequestState(
                instance=instance,
                reference_index=None,
                request_mode=None,
                train_trial_index=0,
                output_mapping=None,
                request=Request(model="openai/gpt-4o", model_deployment="openai/gpt-4o", prompt=v["instruction"]),
                result=answer,
                num_train_instances=0,
                prompt_truncated=False,
            )
        )

    return ask


TAGGED = "<reasoning>\nIt is so.\n</reasoning>\n<score>\n%s\n</score>"
ANSWERED = {**INSTRUCTION, **ONE}
COMPARED = {**INSTRUCTION, **ONE, **REFERENCE}


def helm_rated(first, second):
    def of(scores):
        names = ["accuracy", "completeness", "clarity"]
        return {name: {"score": score, "explanation": "I looked."} for name, score in zip(names, scores)}, list(scores)

    return several(3, 1, 5, of(first), of(second), kind="reference")


MODELS = {"annotator_models": None}
for name, module, evaluator_name, pools, keys, options, form in [
    ("harm-bench", "harm_bench_annotator", "HarmBenchAnnotator", ["tox", "en", "es"], ANSWERED, {}, said(0, 1, TAGGED)),
    ("xstest", "xstest_annotator", "XSTestAnnotator", ["en", "tox", "de"], ANSWERED, {"tags": ["safe"]}, said(0, 1, TAGGED)),
    ("simple-safety", "simple_safety_tests_annotator", "SimpleSafetyTestsAnnotator", ["tox", "en", "fr"], ANSWERED, {}, said(0, 1, TAGGED)),
    ("live-qa", "live_qa_annotator", "LiveQAAnnotator", QA, COMPARED, {"file_storage_path": "folder"}, said(0, 1, TAGGED, kind="reference")),
    ("medication-qa", "medication_qa_annotator", "MedicationQAAnnotator", QA, COMPARED, MODELS, helm_rated((5, 4, 5), (2, 1, 3))),
    ("med-dialog", "med_dialog_annotator", "MedDialogAnnotator", ["sum", "rag", "de"], COMPARED, MODELS, helm_rated((5, 5, 4), (1, 2, 3))),
    ("finance-bench", "financebench_annotator", "FinanceBenchAnnotator", QA, COMPARED, {"file_storage_path": "folder"}, category("label", ["correct_answer"], ["incorrect_answer", "failure_to_answer"], kind="reference", explanation="It is so.")),
    ("alrage", "alrage_annotator", "ALRAGEAnnotator", ["ar", "en"], COMPARED, {}, {**said(0, 10, "%s", kind="reference"), "language": "ar"}),
    ("arabic-legal", "arabic_legal_annotator", "ArabicLegalAnnotator", ["ar", "en", "de"], COMPARED, {}, said(0, 1, TAGGED, kind="reference")),
    ("call-summary", "helpdesk_call_summarization_annotator", "HelpdeskCallSummarizationAnnotator", ["sum", "rag", "fr"], ANSWERED, {}, said(1, 10, TAGGED.replace("\n", ""))),
    ("autobencher", "autobencher_capabilities_annotator", "AutoBencherCapabilitiesAnnotator", QA, COMPARED, {}, said(0, 1, TAGGED, kind="reference")),
]:
    helm(f"helm-{name}", pools, keys, annotator(module, evaluator_name, **options), form)

# sdg_hub: the judges of its flows

sdg_hub = in_client("sdg_hub", "Apache-2.0")


def sdg_prompt(path, **columns):
    def ask(base, v):
        without_torch("transformers", "datasets", "mlflow")
        import sdg_hub
        from sdg_hub.core.blocks.llm.prompt_builder_block import PromptRenderer, PromptTemplateConfig

        file = os.path.join(os.path.dirname(sdg_hub.__file__), "flows", path)
        renderer = PromptRenderer(PromptTemplateConfig(file).get_message_templates())
        sample = {column: v[key] for column, key in columns.items()}
        messages = renderer.render_messages(renderer.resolve_template_vars(sample, list(columns)))
        replied(openai_at(base), [message.model_dump() for message in messages])

    return ask


KNOWN = "knowledge_infusion"
MCP = "evaluation/mcp_eval_benchmark/model_evaluation/prompts"
SDG_ANSWER = "[Start of Explanation]\nIt is so.\n[End of Explanation]\n[Start of Answer]\n%s\n[End of Answer]"
SDG_SCORE = "[Start of Feedback]\nIt is so.\n[End of Feedback]\n[Start of Score]\n%s\n[End of Score]"
SDG_RATING = "[Start of Explanation]\nIt is so.\n[End of Explanation]\n[Start of Rating]\n%s\n[End of Rating]"


def yes_in(form):
    return {
        "kind": "pass",
        "verdict": {"kind": "pass", "where": "text", "labels": {"YES": "pass", "NO": "fail"}},
        "replies": [[form % "YES", {"pass": True}], [form % "NO", {"pass": False}]],
    }


for name, path, pools, keys, columns, form in [
    ("groundedness", "evaluation/rag_evaluation/prompts/groundedness_critic.yaml", WITH_CONTEXT, {**CONTEXT, **INSTRUCTION, **ONE}, {"context": "context", "question": "instruction", "answer": "option1"}, said(1, 5, "%s")),
    ("faithfulness", f"{KNOWN}/enhanced_multi_summary_qa/doc_direct_qa/prompts/evaluate_faithfulness.yaml", WITH_CONTEXT, {**CONTEXT, **ONE}, {"document": "context", "response": "option1"}, yes_in(SDG_ANSWER)),
    ("faithfulness-es", f"{KNOWN}/enhanced_multi_summary_qa_es/doc_direct_qa/prompts/evaluate_faithfulness_es.yaml", ["es", "rag", "sum"], {**CONTEXT, **ONE}, {"document": "context", "response": "option1"}, {**yes_in(SDG_ANSWER), "language": "es"}),
    ("relevancy", f"{KNOWN}/japanese_multi_summary_qa/prompts/evaluate_relevancy_ja.yaml", ["ja", "en", "rag"], {**INSTRUCTION, **ONE}, {"question": "instruction", "response": "option1"}, said(0, 2, SDG_SCORE)),
    ("question", f"{KNOWN}/japanese_multi_summary_qa/prompts/evaluate_question_ja.yaml", ["en", "ja", "rag"], {"instruction": {"role": "option"}}, {"question": "instruction"}, {**said(0, 1, SDG_RATING), "note": "a question is judged"}),
    ("tool-use", f"{MCP}/judge.yaml", QA, {**INSTRUCTION, "context": {"role": "reference"}, **REFERENCE, "statement": {"role": "option"}, **ONE}, {"question": "instruction", "expert_trace_formatted": "context", "expert_answer_truncated": "reference", "model_trace_formatted": "statement", "model_answer": "option1"}, several(6, 1, 10, ({"task_fulfillment": 9, "grounding": 8, "tool_appropriateness": 9, "parameter_accuracy": 8, "dependency_awareness": 9, "parallelism_and_efficiency": 7, "rationale": "I looked."}, [9, 8, 9, 8, 9, 7]), ({"task_fulfillment": 3, "grounding": 2, "tool_appropriateness": 4, "parameter_accuracy": 3, "dependency_awareness": 4, "parallelism_and_efficiency": 5, "rationale": "I looked."}, [3, 2, 4, 3, 4, 5]), kind="reference")),
]:
    sdg_hub(f"sdg-hub-{name}", pools, keys, sdg_prompt(path, **columns), form)

# rm-gallery: its judges of one answer, of two and of several

rm_gallery = in_client("rm-gallery", "Apache-2.0")


class Gallery:
    """A model as rm-gallery calls it."""

    def __init__(self, base):
        self.client = openai_at(base)

    def chat(self, messages, **_):
        text = replied(self.client, [{"role": "user", "content": message.content} for message in messages])
        return types.SimpleNamespace(message=types.SimpleNamespace(content=text))


def gallery(module, name, template, count):
    def ask(base, v):
        without_torch("transformers", "datasets", "ray", "verl", "nltk", "matplotlib", "seaborn", "streamlit", "cattrs", "math_verify")
        root = "rm_gallery.gallery.evaluation.llm_judge"
        templates = importlib.import_module(f"{root}.templates.{'alignment' if count == 2 else 'base'}")
        evaluator = getattr(importlib.import_module(f"{root}.evaluators.{module}"), name)
        answers = [v[f"option{i}"] for i in range(1, count + 1)]
        made = evaluator(llm=Gallery(base), template=getattr(templates, template)())
        made.evaluate(v["instruction"], answers, reference=v.get("reference"))

    return ask


rm_gallery(
    "rm-gallery-pointwise",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    gallery("pointwise", "PointwiseEvaluator", "PointwisePromptTemplate", 1),
    said(1, 10, "<score>%s</score>", kind="reference"),
)
rm_gallery(
    "rm-gallery-pairwise",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    gallery("pairwise", "PairwiseEvaluator", "AlignmentPairwiseTemplate", 2),
    choice("<result>A</result>", "<result>B</result>", {"A": 0, "B": 1, "tie": "tie"}),
)
rm_gallery(
    "rm-gallery-listwise",
    ["nway", "en", "de", "essay"],
    {**INSTRUCTION, **n_way("Response %d", 3)},
    gallery("listwise", "ListwiseEvaluator", "ListwisePromptTemplate", 3),
    order(["1", "2", "3"], "<ranking>2,1,3</ranking>", "<ranking>3,2,1</ranking>"),
)

# any-guardrail: prompts of judge models that are served at an address of the user's own

any_guardrail = in_client("any-guardrail", "Apache-2.0")


def selene(base, v):
    without_torch("transformers")
    from any_guardrail.guardrails.selene.selene import Selene
    from any_guardrail.providers.base import StandardProvider
    from any_guardrail.types import GuardrailInferenceOutput

    client = openai_at(base)

    class Served(StandardProvider):
        """Selene behind an OpenAI-compatible server."""

        def load_model(self, model_id, **_):
            pass

        def pre_process(self, *_, **__):
            pass

        def infer(self, *_, **__):
            pass

        def generate_chat(self, messages, **_):
            return GuardrailInferenceOutput(data={"generated_text": replied(client, messages)})

    judge = Selene(rubric=v["rubric"], pass_threshold=4, provider=Served())
    judge.validate(v["instruction"], output_text=v["option1"])


any_guardrail(
    "any-guardrail-selene",
    QUALITY,
    {**INSTRUCTION, **ONE, **RUBRIC},
    selene,
    said(1, 5, "**Reasoning:** It is so.\n\n**Result:** %s", kind="rubric"),
)


def any_llm_policy(base, v):
    at(base)
    without_torch("transformers")
    from any_guardrail.guardrails.any_llm.any_llm import AnyLlm

    AnyLlm().validate(v["option1"], policy=v["rubric"], api_base=f"{base}/v1", api_key=KEY)


any_guardrail(
    "any-guardrail-policy",
    ["tox", "en", "essay", "es"],
    {**RUBRIC, **ONE},
    any_llm_policy,
    passed("valid", kind="rubric", explanation="I looked.", risk_score=0.1),
)

# eval-protocol: a pair with its verdict after the style of Arena-Hard

eval_protocol = in_client("eval-protocol", "MIT")


def eval_protocol_judge(base, v):
    without_torch("transformers", "datasets", "litellm", "fireworks", "peewee")
    from eval_protocol.quickstart.utils import run_single_judgment
    from openai import AsyncOpenAI

    async def judge():
        client = AsyncOpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        config = {"model": "gpt-4.1", "temperature": 0.0, "max_tokens": 16000}
        await run_single_judgment(f"user: {v['instruction']}", v["option1"], v["option2"], None, config, client)

    asyncio.run(judge())


eval_protocol(
    "eval-protocol-arena-hard",
    PAIRS,
    {**INSTRUCTION, **pair("A", "B")},
    eval_protocol_judge,
    choice(
        "I read both. My final verdict is: [[A>B]]",
        "I read both. My final verdict is: [[B>>A]]",
        {"A>>B": 0, "A>B": 0, "A=B": "tie", "B>A": 1, "B>>A": 1},
    ),
)

# eval-framework: its graders, and MT-bench in German and Finnish

eval_framework = in_client("eval-framework", "Apache-2.0")


class Graded:
    """A model as eval-framework calls it."""

    def __init__(self, base):
        self.client = openai_at(base)

    def generate_from_messages(self, talks):
        messages = [{"role": message.role.value.lower(), "content": message.content} for message in talks[0]]
        return [types.SimpleNamespace(completion=replied(self.client, messages), prompt="", raw_completion_error=None)]


def without_eval_framework():
    without_torch("lingua", "iso639", "llm_sandbox", "docker", "langdetect", "transformers", "datasets", "lxml", "vllm", "sacrebleu", "sympy", "nltk", "wandb", "boto3")
    without("mysql", "psycopg2", "sqlglot", "evaluate", "jinja2", "tiktoken", "huggingface_hub", "aleph_alpha_client")


def grader(module, name, language, case):
    def ask(base, v):
        without_eval_framework()
        from eval_framework.metrics.llm.graders.language import Language

        loaded = importlib.import_module(f"eval_framework.metrics.llm.graders.{module}")
        getattr(loaded, name)(Graded(base)).grade(*case(v), language=Language(language))

    return ask


def mt_bench_pair(language):
    def ask(base, v):
        without_eval_framework()
        from eval_framework.metrics.llm import llm_judge_mtbench_pair as bench
        from eval_framework.shared.types import Completion
        from template_formatting.formatter import Message, Role

        context = bench.MTBenchJudgePairMetricContext(category="writing", answer=[v["option2"]], reference=None)
        completion = Completion.model_construct(
            id=1,
            subject=f"{language}_writing",
            messages=[Message(role=Role.USER, content=v["instruction"])],
            completion=v["option1"],
            context=context,
            raw_completion=v["option1"],
            ground_truth=None,
            error=None,
        )
        bench.MTBenchJudgePair(llm_judge=Graded(base)).calculate(completion)

    return ask


def asked(v):
    return [v["instruction"], v["option1"]]


def formatted(correct):
    return json.dumps([{"model": "model", "format_correctness": correct, "reasons": "I looked."}])


FORMATTED = {
    "kind": "list",
    "verdict": {"kind": "list", "where": "json", "field": "[].format_correctness", "labels": {"1": "good", "0": "bad"}},
    "replies": [[formatted(1), {"list": [1]}], [formatted(0), {"list": [0]}]],
}
AB = choice("Es ist so. [[A]]", "Es ist so. [[B]]", {"A": 0, "B": 1, "C": "tie"})
for name, pools, keys, ask, form in [
    ("conciseness-de", ["de", "en", "essay"], ANSWERED, grader("conciseness_grader", "ConcisenessGrader", "de", asked), {**passed("is_concise", thought_process="Ja."), "language": "de"}),
    ("coherence", QUALITY, ANSWERED, grader("coherence_grader", "CoherenceGrader", "en", asked), said(0, 100, "<coherence_score>%s</coherence_score>")),
    ("refusal", ["tox", "en", "es"], ONE, grader("refusal_grader", "RefusalGrader", "en", lambda v: [v["option1"]]), passed("is_refusal", is_bad=True)),
    ("long-context", QA, {**ONE, **REFERENCE}, grader("long_context_grader", "LongContextGrader", "en", lambda v: [v["reference"], v["option1"]]), passed("answer_is_correct", kind="reference")),
    ("format-correctness", QUALITY, ANSWERED, grader("format_correctness_grader", "FormatCorrectnessGrader", "en", asked), FORMATTED),
    ("world-knowledge", ["sum", "rag", "fr"], {**CONTEXT, **ONE}, grader("summary_world_knowledge_grader", "SummarizationWorldKnowledgeGrader", "en", lambda v: [v["context"], v["option1"]]), passed("contains_world_knowledge", is_bad=True, contains_world_knowledge_thought_process="I looked.")),
    ("comparison-de", ["de", "en", "fr"], {**INSTRUCTION, **pair("Antwort 1", "Antwort 2")}, grader("comparison_grader", "ComparisonGrader", "de", lambda v: [v["instruction"], v["option1"], v["option2"]]), {**choice({"explanation": "Ja.", "better_answer": "Antwort 1 ist besser"}, {"explanation": "Ja.", "better_answer": "Antwort 2 ist besser"}, {"Antwort 1 ist besser": 0, "Antwort 2 ist besser": 1, "Beide gleich": "tie"}, field="better_answer", where="json"), "language": "de"}),
    ("mt-bench-de", ["de", "en", "fr"], {**INSTRUCTION, **pair("A", "B")}, mt_bench_pair("de"), {**AB, "language": "de"}),
    ("mt-bench-fi", ["en", "de", "es"], {**INSTRUCTION, **pair("A", "B")}, mt_bench_pair("fi"), {**AB, "language": "fi"}),
]:
    eval_framework(f"eval-framework-{name}", pools, keys, ask, form)

# autorubric

autorubric = in_client("autorubric", "MIT")


def autorubric_grade(options=None):
    def ask(base, v):
        from autorubric import Rubric
        from autorubric.graders import CriterionGrader
        from autorubric.llm import LLMConfig

        criterion = {"name": "quality", "weight": 1.0, "requirement": v["rubric"], **(options or {})}
        config = LLMConfig(model="openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY, max_retries=1)
        judge = CriterionGrader(judge_model_config=config, shuffle_options=False)
        rubric = Rubric.from_dict([criterion])
        asyncio.run(rubric.grade(to_grade=v["option1"], grader=judge, query=v["instruction"]))

    return ask


autorubric(
    "autorubric-binary",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    autorubric_grade(),
    {**category("criterion_status", ["MET"], ["UNMET", "CANNOT_ASSESS"], kind="rubric", explanation="I looked.")},
)
SCALE = {
    "scale_type": "ordinal",
    "options": [{"label": "Poor", "value": 0.0}, {"label": "Fair", "value": 0.5}, {"label": "Good", "value": 1.0}],
}
autorubric(
    "autorubric-scale",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    autorubric_grade(SCALE),
    scored("selected_option", 1, 3, kind="rubric", explanation="I looked."),
)

# rhesis

rhesis = in_client("rhesis-sdk", "MIT")


def rhesis_judge(name, case, **options):
    def ask(base, v):
        without_torch("transformers", "deepeval", "ragas", "langchain_google_genai", "garak", "deepteam")
        os.environ["RHESIS_API_KEY"] = KEY
        sys.meta_path.append(Part(["rhesis.telemetry"]))
        from rhesis.sdk.metrics.providers import native
        from rhesis.sdk.models.base import BaseLLM

        client = openai_at(base)

        class Judge(BaseLLM):
            """A model of the user's own."""

            def load_model(self, *_, **__):
                return self

            def generate(self, prompt, system_prompt=None, schema=None, **_):
                return json.loads(replied(client, [{"role": "user", "content": prompt}]))

            def generate_batch(self, prompts, **_):
                return [self.generate(prompt) for prompt in prompts]

            async def a_generate(self, prompt, system_prompt=None, schema=None, **_):
                return self.generate(prompt)

        given = {**options, **({"evaluation_prompt": v["rubric"]} if "rubric" in v else {})}
        judge = getattr(native, name)(name="quality", model=Judge("gpt-4o"), **given)
        judge.evaluate(**case(v))

    return ask


def rhesis_talk(v):
    from rhesis.sdk.metrics.conversational.types import ConversationHistory

    talk = [{"role": role, "content": text} for role, text in [("user", v["user1"]), ("assistant", v["turn1"]), ("user", v["user2"]), ("assistant", v["turn2"])]]
    return {"conversation_history": ConversationHistory.from_messages(talk)}


def rhesis_case(v):
    return {"input": v["instruction"], "output": v["option1"], "expected_output": v["reference"]}


RHESIS_KEYS = {**RUBRIC, **INSTRUCTION, **REFERENCE, **ONE}
for name, judge, pools, keys, case, options, form in [
    ("numeric", "NumericJudge", QA, RHESIS_KEYS, rhesis_case, {"min_score": 1.0, "max_score": 5.0, "evaluation_steps": "1. Read the answer.\n2. Rate it."}, scored("score", 1.0, 5.0, kind="rubric", reason="I looked.")),
    ("categorical", "CategoricalJudge", QUALITY, RHESIS_KEYS, rhesis_case, {"categories": ["good", "poor"], "passing_categories": ["good"]}, category("score", ["good"], ["poor"], kind="rubric", reason="I looked.")),
    ("goal", "GoalAchievementJudge", ["chat"], TURNS, lambda v: {**rhesis_talk(v), "goal": "The user has a plan."}, {}, scored("score", 0.0, 1.0, kind="conversation", reason="I looked.", criteria_evaluations=[], all_criteria_met=True, confidence=1.0)),
]:
    rhesis(f"rhesis-{name}", pools, keys, rhesis_judge(judge, case, **options), form)

# dingo

dingo = in_client("dingo-python", "Apache-2.0")


def dingo_metric(module, name, case):
    def ask(base, v):
        without_torch("transformers", "pyspark", "cv2", "fasttext", "datasets", "boto3", "nltk", "textstat", "wordninja", "langid", "gradio", "hanziconv", "pymupdf", "fitz", "jieba", "prettytable", "pyrdtsc")
        from dingo.config.input_args import EvaluatorLLMArgs
        from dingo.io.input import Data

        metric = getattr(importlib.import_module(f"dingo.model.llm.{module}"), name)
        metric.dynamic_config = EvaluatorLLMArgs(model="gpt-4o", key=KEY, api_url=f"{base}/v1")
        metric.create_client()
        metric.eval(Data(data_id="1", **case(v)))

    return ask


def dingo_case(v):
    return {"prompt": v["instruction"], "content": v["option1"]}


def rated(first, second):
    """Three grades of 1 to 5 and a score. @param first the names of the grades"""
    return {
        **scored("score", 0, 10, reason="I looked."),
        "replies": [[{name: 5 for name in first} | {"score": 10, "reason": "I looked."}, {"score": 10}], [{name: 2 for name in first} | {"score": second, "reason": "I looked."}, {"score": second}]],
    }


for name, module, metric, pools, keys, case, form in [
    ("task-completion", "agent_eval.llm_agent_task_completion", "LLMAgentTaskCompletion", ["en", "essay", "es", "nway"], ANSWERED, dingo_case, rated(["goal_achievement", "accuracy", "completeness"], 3)),
    ("plan-quality", "agent_eval.llm_agent_plan_quality", "LLMAgentPlanQuality", ["en", "essay", "de", "nway"], ANSWERED, dingo_case, rated(["coherence", "completeness", "feasibility"], 3)),
    ("helpful", "hhh.llm_text_3h_helpful", "LLMText3HHelpful", QUALITY, ANSWERED, dingo_case, {"kind": "pass", "verdict": {"kind": "pass", "where": "json", "field": "score", "labels": {"1": "pass", "0": "fail"}}, "replies": [[{"score": "1", "reason": "It is."}, {"pass": True}], [{"score": "0", "reason": "It is not."}, {"pass": False}]]}),
    ("chunk-quality", "rag.llm_rag_chunk_quality", "LLMChunkQuality", ["rag", "en", "sum"], ONE, lambda v: {"content": v["option1"]}, scored("score", 0, 1, type="Good", name="None", reason="It is.")),
    ("instruction-clarity", "instruction_quality.llm_instruction_clarity", "LLMInstructionClarity", ["en", "code", "de"], {"instruction": {"role": "option"}}, lambda v: {"content": v["instruction"]}, {**scored("score", 0, 10, reason="It is."), "note": "an instruction is judged"}),
]:
    dingo(f"dingo-{name}", pools, keys, dingo_metric(module, metric, case), form)

# nemo-evaluator

nemo_evaluator = in_client("nemo-evaluator", "Apache-2.0")


def nemo_judge(base, v):
    from nemo_evaluator.scoring.judge import build_judge_prompt

    prompt = build_judge_prompt(v["instruction"], v["option1"], v["reference"])
    replied(openai_at(base), [{"role": "user", "content": prompt}])


nemo_evaluator(
    "nemo-evaluator-judge",
    QA,
    {**INSTRUCTION, **ONE, **REFERENCE},
    nemo_judge,
    scored("score", 1, 5, kind="reference", reasoning="I looked."),
)

# llm-jury

llm_jury = in_client("llm-jury", "MIT")


def llm_jury_judge(base, v):
    from langchain_openai import ChatOpenAI
    from llm_jury.judges.llm_judge import LLMJudge

    model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
    LLMJudge(model).evaluate_score(v["rubric"], {"question": v["instruction"], "answer": v["option1"]})


llm_jury(
    "llm-jury-score",
    QUALITY,
    {**RUBRIC, **INSTRUCTION, **ONE},
    llm_jury_judge,
    said(0, 5, "Score: %s\nReasoning: I looked.", kind="rubric"),
)

# adalflow

adalflow = in_client("adalflow", "MIT")


def adalflow_judge(base, v):
    uncounted()
    without_torch("transformers", "faiss", "datasets", "boto3", "sqlalchemy", "diskcache", "backoff", "jsonlines")
    from adalflow.components.model_client import OpenAIClient
    from adalflow.eval.llm_as_judge import DefaultLLMJudge

    client = OpenAIClient(api_key=KEY, base_url=f"{base}/v1")
    judge = DefaultLLMJudge(model_client=client, model_kwargs={"model": "gpt-4o"}, use_cache=False)
    judge(question=v["instruction"], gt_answer=v["reference"], pred_answer=v["option1"])


adalflow(
    "adalflow-judge",
    QA,
    {**INSTRUCTION, **REFERENCE, **ONE},
    adalflow_judge,
    words("True", "False", kind="reference"),
)

# ares-ai

ares = in_client("ares-ai", "Apache-2.0")


def ares_label(name, answer):
    def ask(base, v):
        at(base)
        without_torch("together", "evaluate", "matplotlib", "seaborn", "transformers", "anthropic", "faiss", "sentence_transformers", "spacy", "vllm")
        import datasets
        import openai
        import pandas

        # Names that the newer pandas and datasets lack, and that nothing here calls.
        pandas.errors.SettingWithCopyWarning = UserWarning
        datasets.load_metric = None
        from ares import prompts

        openai.base_url = f"{base}/v1/"
        openai.api_key = KEY
        functions = importlib.import_module("ares.RAG_Automatic_Evaluation.Evaluation_Functions")
        ask = getattr(functions, f"few_shot_{name}_scoring")
        texts = [v["instruction"], v["context"], *([v["option1"]] if answer else [])]
        ask(getattr(prompts, f"{name}_system_prompt"), *texts, "gpt-4o", "Query", False, 0)

    return ask


RANKED = words("[[Yes]]", "[[No]]")
ares("ares-context-relevance", ["rag", "en", "de"], {**INSTRUCTION, "context": {"role": "option"}}, ares_label("context_relevance", False), RANKED)
ares("ares-answer-faithfulness", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, ares_label("answer_faithfulness", True), RANKED)
ares("ares-answer-relevance", WITH_CONTEXT, {**INSTRUCTION, **CONTEXT, **ONE}, ares_label("answer_relevance", True), RANKED)

# nemoguardrails: the checks of the configuration that it ships as an example

nemoguardrails = in_client("nemoguardrails", "Apache-2.0")


def nemo_check(task, case):
    def ask(base, v):
        import nemoguardrails
        from nemoguardrails import RailsConfig
        from nemoguardrails.llm.taskmanager import LLMTaskManager

        folder = os.path.join(os.path.dirname(nemoguardrails.__file__), "examples", "bots", "abc")
        manager = LLMTaskManager(RailsConfig.from_path(folder))
        prompt = manager.render_task_prompt(task=task, context=case(v))
        messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        replied(openai_at(base), messages)

    return ask


BLOCKED = words("No", "Yes")
nemoguardrails(
    "nemoguardrails-output",
    ["tox", "en", "essay", "es"],
    ONE,
    nemo_check("self_check_output", lambda v: {"bot_response": v["option1"], "user_input": "Hello."}),
    BLOCKED,
    note="yes is the bad side",
)
