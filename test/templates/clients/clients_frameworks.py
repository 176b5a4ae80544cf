"""Judges as in-house teams declare them, and as the framework writes the request: clients.py loads this file.

The wording is this corpus's own; what stands around it (formats, schemas, fields, tools) is the framework's.
What was run, with Python 3.12, each package in an environment of its own:

    dspy==3.4.1
    instructor==1.17.0 anthropic
    pydantic-ai-slim[openai]==2.68.0
    langchain-openai==1.7.4 langchain-core==1.8.3
    openai-agents==0.24.0
    haystack-ai==3.4.1
    mlflow-skinny==3.17.2 litellm pandas numpy
    baml-py==0.226.3 pydantic
    magentic==0.41.1
    mirascope[openai]==2.8.2
    semantic-kernel==1.45.0
    deepeval==4.3.1
"""

import asyncio
import json
import os
import tempfile
from enum import Enum
from typing import Literal

from clients import CONTEXT, INSTRUCTION, KEY, ONE, REFERENCE, RUBRIC, TURNS, in_client, pair, passed, scored, words
from clients_fifth import ANSWERED, COMPARED, several
from clients_fourth import n_way
from clients_second import at, category, dspy_fields, said
from clients_third import choice

PLAIN = ["en", "essay", "es", "nway", "code", "fr"]
FACTS = ["en", "rag", "code", "fr", "zh"]
READ = ["rag", "en", "sum", "essay", "code"]
TWO = ["en", "essay", "code", "sum", "trans"]

# dspy: a signature, and the adapter that turns it into messages

dspy = in_client("dspy", "MIT")


def dspy_judge(made, adapter=None):
    """@param made of the package: its module, and of the values its arguments"""

    def ask(base, v):
        import dspy as package

        model = package.LM("openai/gpt-4o", api_base=f"{base}/v1", api_key=KEY, cache=False, num_retries=0)
        module, arguments = made(package, v)
        with package.context(lm=model, adapter=getattr(package, adapter)() if adapter else None):
            module(**arguments)

    return ask


def helpdesk(package, v):
    class GradeReply(package.Signature):
        """You lead a help desk. Decide what happens to a reply that a colleague drafted for a customer."""

        customer_message: str = package.InputField(desc="what the customer wrote")
        draft_reply: str = package.InputField(desc="the colleague's draft")
        decision: Literal["send", "edit", "discard"] = package.OutputField()

    return package.ChainOfThought(GradeReply), {"customer_message": v["instruction"], "draft_reply": v["option1"]}


def kundendienst(package, v):
    class Vergleich(package.Signature):
        """Zwei Entwürfe beantworten dieselbe Anfrage. Welcher geht an die Kundin? Bei Gleichstand: gleich."""

        anfrage: str = package.InputField()
        entwurf_links: str = package.InputField()
        entwurf_rechts: str = package.InputField()
        besser: Literal["links", "rechts", "gleich"] = package.OutputField(desc="der bessere Entwurf")

    arguments = {"anfrage": v["instruction"], "entwurf_links": v["option1"], "entwurf_rechts": v["option2"]}
    return package.Predict(Vergleich), arguments


def newsroom(package, v):
    class PickSummary(package.Signature):
        """Pick the summary that a newsroom could print as it is."""

        article: str = package.InputField()
        summary_1: str = package.InputField()
        summary_2: str = package.InputField()
        summary_3: str = package.InputField()
        why: str = package.OutputField(desc="one sentence")
        best: int = package.OutputField(desc="number of the best summary", ge=1, le=3)

    return package.Predict(PickSummary), {"article": v["instruction"], **{f"summary_{i}": v[f"option{i}"] for i in (1, 2, 3)}}


def unsupported(package, v):
    class Unsupported(package.Signature):
        """Does the answer claim anything that no passage states?"""

        passages: list[str] = package.InputField()
        question: str = package.InputField()
        answer: str = package.InputField()
        invents_something: bool = package.OutputField()

    return package.ChainOfThought(Unsupported), {
        "passages": [v["context"], v["context2"]],
        "question": v["instruction"],
        "answer": v["option1"],
    }


def points(package, v):
    signature = package.Signature(
        "task, submission, requirement -> points: float, feedback: str",
        "Award between 0 and 5 points for how far the submission meets the requirement.",
    )
    return package.Predict(signature), {"task": v["instruction"], "submission": v["option1"], "requirement": v["rubric"]}


DECIDED = {"send": "good", "edit": "neutral", "discard": "bad"}
dspy(
    "dspy-helpdesk-draft-decision",
    ["care"],
    ANSWERED,
    dspy_judge(helpdesk),
    {
        "kind": "category",
        "verdict": {"kind": "category", "where": "text", "labels": DECIDED},
        "replies": [[dspy_fields(reasoning="I looked.", decision=one), {"category": one}] for one in DECIDED],
    },
)
dspy(
    "dspy-entwurf-links-rechts",
    ["dienst"],
    {**INSTRUCTION, **pair("entwurf_links", "entwurf_rechts")},
    dspy_judge(kundendienst),
    choice(dspy_fields(besser="links"), dspy_fields(besser="rechts"), {"links": 0, "rechts": 1, "gleich": "tie"}),
    language="de",
)
dspy(
    "dspy-newsroom-best-of-three",
    ["sum"],
    {**INSTRUCTION, **n_way("summary_%s", 3)},
    dspy_judge(newsroom, "JSONAdapter"),
    {
        "kind": "n-way",
        "verdict": {"kind": "choice", "where": "json", "field": "best", "labels": {"1": 0, "2": 1, "3": 2}},
        "replies": [[{"why": "I looked.", "best": best}, {"choice": best - 1}] for best in (2, 1, 3)],
    },
)
dspy(
    "dspy-invents-something-flag",
    ["care", "rag"],
    {**CONTEXT, "context2": {"role": "context"}, **ANSWERED},
    dspy_judge(unsupported),
    {
        **words("True", "False", is_bad=True),
        "replies": [[dspy_fields(reasoning="I looked.", invents_something=flag), {"pass": not flag}] for flag in (True, False)],
    },
    note="true is the bad side; the adapter numbers the passages",
)
dspy(
    "dspy-points-for-requirement",
    PLAIN,
    {**ANSWERED, **RUBRIC},
    dspy_judge(points),
    said(0.0, 5.0, dspy_fields(points="%s", feedback="I looked."), kind="rubric"),
)

# instructor: a Pydantic model as the tool's or the reply's schema

instructor = in_client("instructor", "MIT")


def instructor_judge(mode, model, messages, provider="openai", **rest):
    """@param model makes the model's class; the package is loaded then"""

    def ask(base, v):
        import instructor as package

        told = {"model": "gpt-4o", "response_model": model(), "messages": messages(v), "max_retries": 1, **rest}
        if "context" in rest:
            told["context"] = rest["context"](v)
        if provider == "anthropic":
            from anthropic import Anthropic

            client = package.from_anthropic(Anthropic(api_key=KEY, base_url=base, max_retries=0))
            client.chat.completions.create(**{**told, "model": "claude-sonnet-4-5", "max_tokens": 800})
            return
        from openai import OpenAI

        openai = OpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        package.from_openai(openai, mode=getattr(package.Mode, mode)).chat.completions.create(**told)

    return ask


def review_model():
    from pydantic import BaseModel, Field

    class ReplyReview(BaseModel):
        """A reviewer's view of one reply by our booking assistant."""

        reasoning: str = Field(description="At most three sentences.")
        verdict: Literal["pass", "fail"] = Field(description="fail if a guest would have to ask again")

    return ReplyReview


def duel_model():
    from pydantic import BaseModel, Field

    class Winner(str, Enum):
        A = "draft_a"
        B = "draft_b"
        NONE = "neither"

    class Duel(BaseModel):
        strengths_a: list[str]
        strengths_b: list[str]
        winner: Winner = Field(description="which draft the editor keeps")

    return Duel


def marks_model():
    from pydantic import BaseModel, Field

    class Mark(BaseModel):
        remark: str
        points: int = Field(ge=1, le=6)

    class Marks(BaseModel):
        content: Mark
        structure: Mark
        language: Mark

    return Marks


def kaitou_model():
    from pydantic import BaseModel, Field

    class Saiten(BaseModel):
        riyuu: str = Field(description="採点の理由を一文で")
        seikai: bool = Field(description="模範解答と意味が同じなら true")

    return Saiten


def leak_model():
    from pydantic import BaseModel, Field

    class GroundingReport(BaseModel):
        contradicted: bool = Field(description="True if the answer says the opposite of the source anywhere.")
        quote: str | None = Field(default=None, description="the words that contradict")

    return GroundingReport


instructor(
    "instructor-booking-reply-review",
    ["care"],
    ANSWERED,
    instructor_judge(
        "TOOLS",
        review_model,
        lambda v: [
            {"role": "system", "content": "You review replies of a hotel's booking assistant before they go live."},
            {"role": "user", "content": f"Guest: {v['instruction']}\n\nAssistant: {v['option1']}\n\nWould you let this stand?"},
        ],
    ),
    passed("verdict", "pass", "fail", reasoning="I looked."),
)
instructor(
    "instructor-editor-keeps-which-draft",
    TWO,
    {**INSTRUCTION, **pair("draft_a", "draft_b")},
    instructor_judge(
        "JSON",
        duel_model,
        lambda v: [
            {"role": "system", "content": "You are an editor. Two writers had the same brief."},
            {
                "role": "user",
                "content": f"<brief>{v['instruction']}</brief>\n<draft_a>\n{v['option1']}\n</draft_a>\n<draft_b>\n{v['option2']}\n</draft_b>",
            },
        ],
    ),
    choice(
        {"strengths_a": ["short"], "strengths_b": [], "winner": "draft_a"},
        {"strengths_a": [], "strengths_b": ["short"], "winner": "draft_b"},
        {"draft_a": 0, "draft_b": 1, "neither": "neither"},
        field="winner",
        where="json",
    ),
)


def marks(*points):
    return {name: {"remark": "I looked.", "points": one} for name, one in zip(("content", "structure", "language"), points)}


instructor(
    "instructor-essay-nested-marks",
    ["essay", "en", "es", "nway"],
    {**RUBRIC, **ANSWERED},
    instructor_judge(
        "MD_JSON",
        marks_model,
        lambda v: [
            {
                "role": "user",
                "content": f"Mark this pupil's work. 1 is the best mark, 6 the worst.\n\nAssignment:\n{v['instruction']}\n\n"
                f"What counts in this class: {v['rubric']}\n\nPupil's work:\n{v['option1']}",
            }
        ],
    ),
    {
        "kind": "rubric",
        "verdict": {"kind": "scores", "where": "json", "scale": {"min": 1, "max": 6}, "polarity": "lower"},
        "replies": [["```json\n" + json.dumps(marks(*points), indent=2) + "\n```", {"scores": points}] for points in ([1, 2, 1], [5, 4, 6])],
    },
    note="1 is the best mark",
)
instructor(
    "instructor-mohan-kaitou-saiten",
    ["ja"],
    COMPARED,
    instructor_judge(
        "JSON_SCHEMA",
        kaitou_model,
        lambda v: [
            {"role": "system", "content": "あなたは通信講座の採点者です。模範解答と照らし合わせて採点してください。"},
            {"role": "user", "content": "設問:{{ mondai }}\n模範解答:{{ mohan }}\n受講者の解答:{{ kaitou }}"},
        ],
        context=lambda v: {"mondai": v["instruction"], "mohan": v["reference"], "kaitou": v["option1"]},
    ),
    passed("seikai", kind="reference", riyuu="同じです。"),
    language="ja",
    note="the messages are Jinja templates that the package fills",
)
instructor(
    "instructor-contradicts-source.anthropic",
    ["rag", "care"],
    {**CONTEXT, **ANSWERED},
    instructor_judge(
        None,
        leak_model,
        lambda v: [
            {
                "role": "user",
                "content": f"SOURCE\n------\n{v['context']}\n\nQUESTION\n--------\n{v['instruction']}\n\nANSWER\n------\n{v['option1']}",
            }
        ],
        "anthropic",
        system="You audit answers of an internal search tool against the source that it found.",
    ),
    passed("contradicted", is_bad=True, quote=None),
    note="true is the bad side",
)

# pydantic-ai: an agent with an output type

pydantic_ai = in_client("pydantic-ai-slim", "MIT")


def agent_judge(prompt, output, model="OpenAIChatModel", **options):
    """@param output makes the output type; @param prompt of the values, what the agent is run with"""

    def ask(base, v):
        import pydantic_ai
        from pydantic_ai.models import openai
        from pydantic_ai.providers.openai import OpenAIProvider

        provider = OpenAIProvider(base_url=f"{base}/v1", api_key=KEY)
        made = getattr(openai, model)("gpt-4o", provider=provider)
        given = {key: value(v) if callable(value) else value for key, value in options.items()}
        agent = pydantic_ai.Agent(made, output_type=output(pydantic_ai), retries=0, **given)
        agent.run_sync(prompt(v))

    return ask


def xml_of(root, **fields):
    def prompt(v):
        from pydantic_ai import format_as_xml

        return format_as_xml({name: v[key] for name, key in fields.items()}, root_tag=root)

    return prompt


def compliance(package):
    from pydantic import BaseModel, Field

    class Compliance(BaseModel):
        """Outcome of a check of one answer against the house rules."""

        complies: bool
        broken_rule: str = Field(default="", description="empty if it complies")

    return Compliance


def preference(package):
    from pydantic import BaseModel

    class Preference(BaseModel):
        preferred: Literal["reply_1", "reply_2"]
        confidence: Literal["low", "medium", "high"]

    return Preference


def etoiles(package):
    from pydantic import BaseModel, Field

    class Avis(BaseModel):
        """Avis d'un relecteur sur une réponse."""

        etoiles: int = Field(ge=1, le=5, description="5 = parfaite")
        motif: str

    return package.NativeOutput(Avis)


def order_of(package):
    from pydantic import BaseModel, Field

    class Order(BaseModel):
        order: list[Literal["P", "Q", "R"]] = Field(description="best first, each letter once")

    return package.PromptedOutput(Order)


pydantic_ai(
    "pydantic-ai-answer-keeps-house-rules",
    ["care"],
    {**INSTRUCTION, **RUBRIC, **ONE},
    agent_judge(
        xml_of("case", user_question="instruction", house_rule="rubric", assistant_answer="option1"),
        compliance,
        system_prompt="You are the compliance check of a chat assistant. Judge the answer by the house rule alone.",
    ),
    passed("complies", kind="rubric", broken_rule=""),
    note="format_as_xml writes the case",
)
pydantic_ai(
    "pydantic-ai-two-replies-preferred",
    ["care", "en"],
    {**INSTRUCTION, **pair("reply_1", "reply_2")},
    agent_judge(
        lambda v: [f"reply_1:\n{v['option1']}", f"reply_2:\n{v['option2']}"],
        preference,
        "OpenAIResponsesModel",
        instructions=lambda v: f"A user asked our assistant:\n\n{v['instruction']}\n\nSay which of the two replies you would rather get.",
    ),
    choice(
        {"preferred": "reply_1", "confidence": "high"},
        {"preferred": "reply_2", "confidence": "low"},
        {"reply_1": 0, "reply_2": 1},
        field="preferred",
        where="json",
    ),
    note="the question stands in the instructions, each reply in a part of its own",
)
pydantic_ai(
    "pydantic-ai-etoiles-reponse",
    ["guichet"],
    COMPARED,
    agent_judge(
        lambda v: f"Question posée au guichet : {v['instruction']}\n\nCe que dit la fiche : {v['reference']}\n\nRéponse de l'agent : {v['option1']}",
        etoiles,
        instructions="Vous relisez les réponses du guichet numérique d'une mairie. Donnez de une à cinq étoiles.",
    ),
    scored("etoiles", 1, 5, kind="reference", motif="J'ai lu."),
    language="fr",
)
pydantic_ai(
    "pydantic-ai-order-three-texts",
    ["nway", "essay", "en", "trans"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": "PQR"[i - 1]} for i in (1, 2, 3)}},
    agent_judge(
        lambda v: f"Job: {v['instruction']}\n\nP) {v['option1']}\n\nQ) {v['option2']}\n\nR) {v['option3']}",
        order_of,
        instructions="Put the three texts in order by how well they do the job.",
    ),
    {
        "kind": "ranking",
        "verdict": {"kind": "ranking", "where": "json", "field": "order", "labels": {"P": 0, "Q": 1, "R": 2}},
        "replies": [[{"order": list(order)}, {"ranking": ["PQR".index(one) for one in order]}] for order in ("QPR", "RQP")],
    },
)

# langchain: a prompt template piped into a model

langchain = in_client("langchain-core", "MIT")


def chain_judge(chain, arguments):
    def ask(base, v):
        from langchain_openai import ChatOpenAI

        model = ChatOpenAI(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        chain(model).invoke(arguments(v))

    return ask


def key_chain(model):
    from langchain_core.prompts import ChatPromptTemplate
    from pydantic import BaseModel, Field

    class Grading(BaseModel):
        """Grade a trainee's answer."""

        explanation: str = Field(description="why")
        grade: Literal["CORRECT", "PARTLY", "WRONG"] = Field(description="the grade")

    prompt = ChatPromptTemplate.from_messages(
        [
            ("system", "You grade answers in the onboarding quiz of an airline. The handbook's answer decides."),
            ("human", "Question: {question}\nHandbook: {handbook}\nTrainee: {trainee}"),
        ]
    )
    return prompt | model.with_structured_output(Grading, method="function_calling")


def bots_chain(model):
    from langchain_core.prompts import ChatPromptTemplate

    schema = {
        "title": "BotComparison",
        "type": "object",
        "properties": {
            "justification": {"type": "string"},
            "better_bot": {"type": "string", "enum": ["old_bot", "new_bot", "no_difference"]},
        },
        "required": ["justification", "better_bot"],
        "additionalProperties": False,
    }
    prompt = ChatPromptTemplate.from_template(
        "We plan to replace our chat bot. For the message below, tell which bot served the user better.\n\n"
        "### Message\n{message}\n\n### old_bot\n{old}\n\n### new_bot\n{new}\n\nDo not favour the longer text."
    )
    return prompt | model.with_structured_output(schema, method="json_schema", strict=True)


def nota_chain(model):
    from langchain_core.output_parsers import PydanticOutputParser
    from langchain_core.prompts import PromptTemplate
    from pydantic import BaseModel, Field

    class Nota(BaseModel):
        comentario: str = Field(description="una frase para el redactor")
        nota: int = Field(description="de 0 a 10", ge=0, le=10)

    parser = PydanticOutputParser(pydantic_object=Nota)
    prompt = PromptTemplate(
        template="Eres la jefa de redacción de una academia. Puntúa el texto del redactor según el encargo y el criterio.\n\n"
        "{formato}\n\nEncargo: {encargo}\nCriterio: {criterio}\nTexto del redactor: {texto}\n",
        input_variables=["encargo", "criterio", "texto"],
        partial_variables={"formato": parser.get_format_instructions()},
    )
    return prompt | model | parser


def tone_chain(model):
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate, FewShotChatMessagePromptTemplate

    shown = FewShotChatMessagePromptTemplate(
        example_prompt=ChatPromptTemplate.from_messages([("human", "Reply: {reply}"), ("ai", "{tone}")]),
        examples=[
            {"reply": "Thank you for waiting. Your new card is on its way.", "tone": "FRIENDLY"},
            {"reply": "As I said before, read the terms.", "tone": "RUDE"},
            {"reply": "Your card was sent on 3 May.", "tone": "FRIENDLY"},
        ],
    )
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Label the tone of a bank's reply to a customer: FRIENDLY or RUDE. One word."), shown, ("human", "Reply: {reply}")]
    )
    return prompt | model | StrOutputParser()


def talk_chain(model):
    from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
    from pydantic import BaseModel, Field

    class Session(BaseModel):
        """How a session with the assistant went."""

        frustrated: bool = Field(description="the user left with the wish unmet")
        note: str

    prompt = ChatPromptTemplate.from_messages(
        [
            ("system", "You will see a session between a user and an assistant, and then be asked about it."),
            MessagesPlaceholder("session"),
            ("human", "That was the whole session. Report on it."),
        ]
    )
    return prompt | model.with_structured_output(Session, method="function_calling")


langchain(
    "langchain-quiz-against-handbook",
    FACTS,
    COMPARED,
    chain_judge(key_chain, lambda v: {"question": v["instruction"], "handbook": v["reference"], "trainee": v["option1"]}),
    {
        "kind": "reference",
        "verdict": {
            "kind": "category",
            "where": "tool",
            "field": "grade",
            "labels": {"CORRECT": "good", "PARTLY": "neutral", "WRONG": "bad"},
        },
        "replies": [[{"explanation": "I looked.", "grade": one}, {"category": one}] for one in ("CORRECT", "WRONG", "PARTLY")],
    },
)
langchain(
    "langchain-old-bot-new-bot",
    ["care"],
    {**INSTRUCTION, **pair("old_bot", "new_bot")},
    chain_judge(bots_chain, lambda v: {"message": v["instruction"], "old": v["option1"], "new": v["option2"]}),
    choice(
        {"justification": "I looked.", "better_bot": "old_bot"},
        {"justification": "I looked.", "better_bot": "new_bot"},
        {"old_bot": 0, "new_bot": 1, "no_difference": "tie"},
        field="better_bot",
        where="json",
    ),
)
langchain(
    "langchain-nota-del-redactor",
    ["es"],
    {**INSTRUCTION, **RUBRIC, **ONE},
    chain_judge(nota_chain, lambda v: {"encargo": v["instruction"], "criterio": v["rubric"], "texto": v["option1"]}),
    scored("nota", 0, 10, kind="rubric", comentario="Lo he leído."),
    language="es",
)
langchain(
    "langchain-few-shot-bank-tone",
    ["care", "tox"],
    ONE,
    chain_judge(tone_chain, lambda v: {"reply": v["option1"]}),
    words("FRIENDLY", "RUDE"),
    note="three examples stand before it as messages",
)


def session_of(v):
    from langchain_core.messages import AIMessage, HumanMessage

    return {"session": [HumanMessage(v["user1"]), AIMessage(v["turn1"]), HumanMessage(v["user2"]), AIMessage(v["turn2"])]}


langchain(
    "langchain-session-frustrated",
    ["chat"],
    TURNS,
    chain_judge(talk_chain, session_of),
    passed("frustrated", is_bad=True, kind="conversation", note="I looked."),
    note="the conversation stands as messages; true is the bad side",
)

# openai-agents: an agent with an output type, over the Responses API unless told otherwise

openai_agents = in_client("openai-agents", "MIT")


def runner_judge(told, output, prompt, chat=False):
    """@param told the agent's instructions, of the values"""

    def ask(base, v):
        import agents
        from openai import AsyncOpenAI

        agents.set_tracing_disabled(True)
        client = AsyncOpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        kind = agents.OpenAIChatCompletionsModel if chat else agents.OpenAIResponsesModel
        model = kind(model="gpt-4o", openai_client=client)
        agent = agents.Agent(name="evaluator", instructions=told(v), output_type=output(), model=model)
        agents.Runner.run_sync(agent, prompt(v))

    return ask


def outline_feedback():
    from dataclasses import dataclass

    @dataclass
    class EvaluationFeedback:
        feedback: str
        score: Literal["publish", "revise", "reject"]

    return EvaluationFeedback


def personal_data():
    from pydantic import BaseModel, Field

    class PersonalDataCheck(BaseModel):
        reasoning: str
        reveals_personal_data: bool = Field(description="names, addresses, numbers of real people")

    return PersonalDataCheck


def chosen_index():
    from pydantic import BaseModel, Field

    class Choice(BaseModel):
        chosen: int = Field(ge=0, le=3, description="index of the chosen candidate")

    return Choice


openai_agents(
    "openai-agents-publish-revise-reject",
    PLAIN,
    {**INSTRUCTION, **RUBRIC, **ONE},
    runner_judge(
        lambda v: f"You look at texts for a company blog and decide what becomes of them. The desk's rule today: {v['rubric']}",
        outline_feedback,
        lambda v: [
            {"role": "user", "content": f"The commission was: {v['instruction']}"},
            {"role": "assistant", "content": v["option1"]},
            {"role": "user", "content": "What do you say to this text?"},
        ],
    ),
    {
        "kind": "rubric",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "response.score",
            "labels": {"publish": "good", "revise": "neutral", "reject": "bad"},
        },
        "replies": [
            [{"response": {"feedback": "I looked.", "score": one}}, {"category": one}] for one in ("publish", "reject", "revise")
        ],
    },
    note="the text that is judged is an assistant's message",
)
openai_agents(
    "openai-agents-personal-data-tripwire",
    ["care", "tox", "en"],
    ONE,
    runner_judge(
        lambda v: "Check whether the outgoing message reveals anything personal.",
        personal_data,
        lambda v: v["option1"],
        chat=True,
    ),
    passed("reveals_personal_data", is_bad=True, reasoning="I looked."),
    note="the user's message is the judged text and nothing else; true is the bad side",
)
openai_agents(
    "openai-agents-choose-of-four-slogans",
    ["nway", "en", "essay", "code"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": str(i - 1)} for i in (1, 2, 3, 4)}},
    runner_judge(
        lambda v: "You choose among candidates that four colleagues handed in. Reply with the index of one.",
        chosen_index,
        lambda v: f"Request: {v['instruction']}\n" + "".join(f"\n[{i}] {v[f'option{i + 1}']}\n" for i in range(4)),
        chat=True,
    ),
    {
        "kind": "n-way",
        "verdict": {"kind": "choice", "where": "json", "field": "chosen", "labels": {str(i): i for i in range(4)}},
        "replies": [[{"chosen": i}, {"choice": i}] for i in (2, 0, 3)],
    },
)

# haystack: an evaluator from instructions, inputs, outputs and examples; and a prompt builder

haystack = in_client("haystack-ai", "Apache-2.0")


def haystack_chat(base, **options):
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.utils import Secret

    return OpenAIChatGenerator(
        model="gpt-4o", api_key=Secret.from_token(KEY), api_base_url=f"{base}/v1", max_retries=0, generation_kwargs=options
    )


def haystack_judge(instructions, inputs, output, examples):
    """@param inputs the evaluator's names, each with the key of its value"""

    def ask(base, v):
        from haystack.components.evaluators import LLMEvaluator

        evaluator = LLMEvaluator(
            instructions=instructions,
            inputs=[(name, list[str]) for name in inputs],
            outputs=[output],
            examples=examples,
            chat_generator=haystack_chat(base, response_format={"type": "json_object"}),
            progress_bar=False,
        )
        evaluator.run(**{name: [v[key]] for name, key in inputs.items()})

    return ask


def haystack_built(base, v):
    from haystack import Pipeline
    from haystack.components.builders import ChatPromptBuilder
    from haystack.dataclasses import ChatMessage

    template = [
        ChatMessage.from_system("Du prüfst Antworten eines Mieterportals. Antworte nur mit OK oder NICHT OK."),
        ChatMessage.from_user(
            "Frage der Mieterin: {{ frage }}\n\n{% if merkblatt %}Aus dem Merkblatt:\n> {{ merkblatt }}\n\n{% endif %}"
            "Antwort des Portals:\n{{ antwort }}\n\nStimmt die Antwort mit dem Merkblatt überein?"
        ),
    ]
    pipeline = Pipeline()
    pipeline.add_component("prompt", ChatPromptBuilder(template=template, required_variables="*"))
    pipeline.add_component("llm", haystack_chat(base, temperature=0))
    pipeline.connect("prompt.prompt", "llm.messages")
    pipeline.run({"prompt": {"frage": v["instruction"], "merkblatt": v["context"], "antwort": v["option1"]}})


haystack(
    "haystack-faq-entry-same-answer",
    ["care"],
    {**REFERENCE, **ONE},
    haystack_judge(
        "Two texts answer one question of an employee: our FAQ entry and the assistant's answer. "
        "Set agrees to 1 if an employee would do the same after reading either, otherwise to 0.",
        {"faq_entries": "reference", "assistant_answers": "option1"},
        "agrees",
        [
            {
                "inputs": {"faq_entries": "Ask your team lead.", "assistant_answers": "Your team lead decides that."},
                "outputs": {"agrees": 1},
            },
            {
                "inputs": {"faq_entries": "Twice a year.", "assistant_answers": "Every month."},
                "outputs": {"agrees": 0},
            },
        ],
    ),
    passed("agrees", 1, 0, kind="reference"),
    note="two examples stand before it",
)
haystack(
    "haystack-snippet-one-or-two",
    ["rag", "sum", "en", "essay"],
    {**INSTRUCTION, **pair("snippet_one", "snippet_two")},
    haystack_judge(
        "A reader searched our help centre. Which snippet should stand on top of the results page? Say one, two or none.",
        {"searches": "instruction", "snippet_one": "option1", "snippet_two": "option2"},
        "on_top",
        [
            {
                "inputs": {"searches": "opening hours", "snippet_one": "We sell shoes.", "snippet_two": "Open from 9 to 5."},
                "outputs": {"on_top": "two"},
            }
        ],
    ),
    choice({"on_top": "one"}, {"on_top": "two"}, {"one": 0, "two": 1, "none": "neither"}, field="on_top", where="json"),
    note="an example stands before it",
)
haystack(
    "haystack-mieterportal-merkblatt",
    ["dienst"],
    {**INSTRUCTION, **CONTEXT, **ONE},
    haystack_built,
    words("OK", "NICHT OK"),
    language="de",
)

# mlflow: judges made from instructions with places for the trace's fields

mlflow = in_client("mlflow-skinny", "Apache-2.0")


def mlflow_made(instructions, kind, **fields):
    """@param kind type of the verdict @param fields of the values, what the judge is called with"""

    def ask(base, v):
        at(base)
        from mlflow.genai.judges import make_judge

        judge = make_judge(name="house_judge", instructions=instructions, model="openai:/gpt-4o", feedback_value_type=kind)
        judge(**{name: value(v) for name, value in fields.items()})

    return ask


def chat_session(v):
    """The traces of two turns, as an app that is traced would leave them."""
    import mlflow as package

    os.environ.update({"MLFLOW_ALLOW_FILE_STORE": "true", "MLFLOW_ENABLE_ASYNC_TRACE_LOGGING": "false"})
    package.set_tracking_uri(f"file:{tempfile.mkdtemp()}")
    package.set_experiment("chat")
    traces = []
    for turn in ("1", "2"):
        with package.start_span(name="turn") as span:
            package.update_current_trace(metadata={"mlflow.trace.session": "session-1"})
            span.set_inputs({"messages": [{"role": "user", "content": v[f"user{turn}"]}]})
            span.set_outputs(v[f"turn{turn}"])
        package.flush_trace_async_logging()
        traces.append(package.get_trace(span.trace_id))
    return traces


mlflow(
    "mlflow-made-triage-ticket-category",
    ["care"],
    {**INSTRUCTION, **REFERENCE, **ONE},
    mlflow_made(
        "An assistant answered a ticket.\n\nTicket and channel: {{ inputs }}\nWhat the team agreed on: {{ expectations }}\n"
        "What the assistant wrote: {{ outputs }}\n\nChoose resolved, partial or wrong.",
        Literal["resolved", "partial", "wrong"],
        inputs=lambda v: {"ticket": v["instruction"], "channel": "web"},
        expectations=lambda v: {"agreed": v["reference"]},
        outputs=lambda v: {"answer": v["option1"]},
    ),
    {
        "kind": "reference",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "result",
            "labels": {"resolved": "good", "partial": "neutral", "wrong": "bad"},
        },
        "replies": [[{"result": one, "rationale": "I looked."}, {"category": one}] for one in ("resolved", "wrong", "partial")],
    },
)
mlflow(
    "mlflow-made-nota-texto",
    ["es"],
    ANSWERED,
    mlflow_made(
        "Lee la petición {{ inputs }} y el texto que se entregó: {{ outputs }}. Pon una nota entera de 1 a 10 según lo útil que "
        "sea para quien lo pidió.",
        int,
        inputs=lambda v: v["instruction"],
        outputs=lambda v: v["option1"],
    ),
    scored("result", 1, 10, rationale="Lo he leído."),
    language="es",
)
mlflow(
    "mlflow-made-chat-dropped-wish",
    ["chat"],
    TURNS,
    mlflow_made(
        "Here is a chat of a customer with our assistant: {{ conversation }}\n\nDid the assistant drop a wish of the customer?",
        bool,
        session=chat_session,
    ),
    passed("result", is_bad=True, kind="conversation", rationale="I looked."),
    note="true is the bad side",
)


# baml: functions of a language of its own

baml = in_client("baml-py", "Apache-2.0")

BAML = """
client<llm> Judge {
  provider %s
  retry_policy Never
  options {
    model "gpt-4o"
    api_key env.OPENAI_API_KEY
    base_url env.JUDGE_URL
  }
}
retry_policy Never {
  max_retries 0
}
"""


def baml_judge(function, source, arguments, provider="openai"):
    def ask(base, v):
        os.environ["BAML_LOG"] = "off"
        import baml_py

        env = {"OPENAI_API_KEY": KEY, "JUDGE_URL": f"{base}/v1"}
        runtime = baml_py.BamlRuntime.from_files("baml_src", {"judge.baml": BAML % provider + source}, env)
        result = runtime.call_function_sync(
            function, arguments(v), runtime.create_context_manager(), None, None, [], env, {}
        )
        if not result.is_ok():
            raise ValueError("the reply was not read")

    return ask


CLAIM_DESK = '''
enum Outcome {
  READY @description("can be sent to the policyholder as it is")
  NEEDS_WORK @description("right, but unclear or impolite")
  WRONG @description("says something that is not so")
}

class LetterCheck {
  outcome Outcome
  remarks string[] @description("at most three")
}

function CheckLetter(request: string, letter: string, instruction: string) -> LetterCheck {
  client Judge
  prompt #"
    {{ _.role("system") }}
    You check letters of an insurer's claim desk.
    The head of the desk says: {{ instruction }}

    {{ ctx.output_format }}

    {{ _.role("user") }}
    What the policyholder asked:
    {{ request }}

    The letter:
    {{ letter }}
  "#
}
'''

BETTER_TRANSLATION = '''
class Comparison {
  analysis string
  better "first" | "second" | "same"
}

function CompareTranslations(source: string, first: string, second: string) -> Comparison {
  client Judge
  prompt #"
    Two translators worked on the same text. Whose translation would you print?

    Source: {{ source }}
    ---
    First: {{ first }}
    ---
    Second: {{ second }}
    ---

    {{ ctx.output_format(prefix="Reply with this JSON:\\n") }}
  "#
}
'''

SCORE_ANSWERS = '''
class Candidate {
  id int
  text string
}

class Points {
  id int
  points int @description("0 to 10")
}

function ScoreCandidates(task: string, candidates: Candidate[]) -> Points[] {
  client Judge
  prompt #"
    {{ _.role("user") }}
    Give points to each candidate for the task "{{ task }}".
    {% for candidate in candidates %}
    <candidate id="{{ candidate.id }}">
    {{ candidate.text }}
    </candidate>
    {% endfor %}

    {{ ctx.output_format }}
  "#
}
'''

HALLUCINE = '''
function HorsSource(extrait: string, reponse: string) -> bool {
  client Judge
  prompt #"
    {{ _.role("user") }}
    Extrait de la documentation :
    « {{ extrait }} »

    Réponse de l'assistant :
    « {{ reponse }} »

    La réponse affirme-t-elle quelque chose que l'extrait ne dit pas ?
    {{ ctx.output_format }}
  "#
}
'''

baml(
    "baml-claim-desk-letter-check",
    ["care"],
    {**RUBRIC, **ANSWERED},
    baml_judge(
        "CheckLetter", CLAIM_DESK, lambda v: {"request": v["instruction"], "letter": v["option1"], "instruction": v["rubric"]}
    ),
    {
        "kind": "rubric",
        "verdict": {
            "kind": "category",
            "where": "json",
            "field": "outcome",
            "labels": {"READY": "good", "NEEDS_WORK": "neutral", "WRONG": "bad"},
        },
        "replies": [[{"outcome": one, "remarks": []}, {"category": one}] for one in ("READY", "WRONG", "NEEDS_WORK")],
    },
)
baml(
    "baml-translations-first-second",
    ["trans"],
    {**INSTRUCTION, **pair("First", "Second")},
    baml_judge(
        "CompareTranslations",
        BETTER_TRANSLATION,
        lambda v: {"source": v["instruction"], "first": v["option1"], "second": v["option2"]},
    ),
    choice(
        {"analysis": "I looked.", "better": "first"},
        {"analysis": "I looked.", "better": "second"},
        {"first": 0, "second": 1, "same": "tie"},
        field="better",
        where="json",
    ),
)
baml(
    "baml-points-for-each-candidate",
    ["nway", "en", "essay", "code"],
    {**INSTRUCTION, **{f"option{i}": {"role": "option", "label": str(i)} for i in (1, 2, 3)}},
    baml_judge(
        "ScoreCandidates",
        SCORE_ANSWERS,
        lambda v: {"task": v["instruction"], "candidates": [{"id": i, "text": v[f"option{i}"]} for i in (1, 2, 3)]},
    ),
    {
        "kind": "n-way",
        "verdict": {"kind": "scores", "where": "json", "field": "[].points", "scale": {"min": 0, "max": 10}, "polarity": "higher"},
        "replies": [
            [
                "[" + ", ".join(f'{{"id": {i + 1}, "points": {one}}}' for i, one in enumerate(points)) + "]",
                {"scores": points},
            ]
            for points in ([8, 3, 5], [1, 9, 4])
        ],
    },
)
baml(
    "baml-hors-extrait-documentation",
    ["guichet"],
    {**CONTEXT, **ONE},
    baml_judge(
        "HorsSource", HALLUCINE, lambda v: {"extrait": v["context"], "reponse": v["option1"]}, "openai-responses"
    ),
    words("true", "false", is_bad=True),
    language="fr",
    note="true is the bad side",
)

# magentic: functions without a body, of which the decorator makes prompts

magentic = in_client("magentic", "MIT")


def magentic_judge(made, arguments):
    """@param made the decorated function, of the package and the model"""

    def ask(base, v):
        import magentic as package

        model = package.OpenaiChatModel("gpt-4o", api_key=KEY, base_url=f"{base}/v1")
        made(package, model)(**arguments(v))

    return ask


def readers_desk(package, model):
    from pydantic import BaseModel, Field

    class Taqyim(BaseModel):
        """تقييم جواب المساعد"""

        clarity: int = Field(ge=1, le=5)
        correctness: int = Field(ge=1, le=5)
        safety: int = Field(ge=1, le=5)

    @package.prompt("كتب إلينا أحد القراء:\n{question}\n\nوأجاب المساعد:\n{answer}\n\nقيّم جواب المساعد من ١ إلى ٥ في كل جانب.", model=model)
    def mark(question: str, answer: str) -> Taqyim: ...

    return mark


def yes_or_no(package, model):
    @package.prompt(
        "Statement of the wiki: {wiki}\nStatement of the bot: {bot}\nIs the bot's statement backed by the wiki's?", model=model
    )
    def backed(wiki: str, bot: str) -> bool: ...

    return backed


def captions(package, model):
    class Pick(Enum):
        UPPER = "upper"
        LOWER = "lower"

    @package.chatprompt(
        package.SystemMessage("You choose captions for the gallery of a museum."),
        package.UserMessage("Wish: a caption for a vase\n\nUpper: A vase.\n\nLower: Oil jar, Attica, about 470 BC."),
        package.AssistantMessage(Pick.LOWER),
        package.UserMessage("Wish: {wish}\n\nUpper: {upper}\n\nLower: {lower}"),
        model=model,
    )
    def pick(wish: str, upper: str, lower: str) -> Pick: ...

    return pick


def marked(*marks):
    return dict(zip(("clarity", "correctness", "safety"), marks))


magentic(
    "magentic-jawab-al-qari-thalath-darajat",
    ["ar"],
    ANSWERED,
    magentic_judge(readers_desk, lambda v: {"question": v["instruction"], "answer": v["option1"]}),
    several(3, 1, 5, (marked(5, 4, 5), [5, 4, 5]), (marked(2, 1, 3), [2, 1, 3])),
    language="ar",
)
magentic(
    "magentic-bot-backed-by-wiki",
    READ,
    {**CONTEXT, **ONE},
    magentic_judge(yes_or_no, lambda v: {"wiki": v["context"], "bot": v["option1"]}),
    passed("value"),
)
magentic(
    "magentic-caption-upper-lower",
    TWO,
    {**INSTRUCTION, **pair("Upper", "Lower")},
    magentic_judge(captions, lambda v: {"wish": v["instruction"], "upper": v["option1"], "lower": v["option2"]}),
    choice({"value": "upper"}, {"value": "lower"}, {"upper": 0, "lower": 1}, field="value", where="json"),
    note="an example of a judgment stands before it as messages",
)

# mirascope: functions that return the prompt, with a format for the reply

mirascope = in_client("mirascope", "MIT")


def mirascope_judge(made, model="openai/gpt-4o:completions"):
    def ask(base, v):
        from mirascope import llm

        llm.register_provider("openai", scope="openai/", api_key=KEY, base_url=f"{base}/v1")
        made(llm, model, v)

    return ask


def homework(llm, model, v):
    from pydantic import BaseModel

    class Homework(BaseModel):
        """The marker's decision."""

        decision: Literal["right", "wrong"]
        hint_for_pupil: str

    @llm.call(model, format=llm.format(Homework, mode="tool"))
    def check(exercise: str, solution: str, pupil: str):
        return [
            llm.messages.system("You mark homework for a school in Leeds."),
            llm.messages.user(f"Exercise\n{exercise}\n\nSolution in the teacher's book\n{solution}\n\nPupil\n{pupil}"),
        ]

    check(v["instruction"], v["reference"], v["option1"]).parse()


def leaner(llm, model, v):
    from pydantic import BaseModel, Field

    class CodeReview(BaseModel):
        merge: Literal["ours", "theirs"] = Field(description="the change to be merged")

    @llm.call(model, format=CodeReview)
    def review(task: str, ours: str, theirs: str):
        return f"Two changes do the same task: {task}\n\n<<<<<<< ours\n{ours}\n=======\n{theirs}\n>>>>>>> theirs\n\nWhich one do we merge?"

    review(v["instruction"], v["option1"], v["option2"]).parse()


def gyakuten(llm, model, v):
    @llm.call(model)
    def judge(shitsumon: str, kaitou: str):
        return [
            llm.messages.system("ホテルの自動応答を点検します。お客様にそのまま送れるなら「可」、送れないなら「不可」とだけ答えてください。"),
            llm.messages.user(f"【お客様】{shitsumon}\n【自動応答】{kaitou}"),
        ]

    judge(v["instruction"], v["option1"])


mirascope(
    "mirascope-homework-teachers-book",
    FACTS,
    COMPARED,
    mirascope_judge(homework),
    passed("decision", "right", "wrong", kind="reference", hint_for_pupil="Look again."),
)
mirascope(
    "mirascope-merge-ours-or-theirs",
    ["code", "sql", "en"],
    {**INSTRUCTION, **pair("ours", "theirs")},
    mirascope_judge(leaner, "openai/gpt-4o:responses"),
    choice({"merge": "ours"}, {"merge": "theirs"}, {"ours": 0, "theirs": 1}, field="merge", where="json"),
)
mirascope(
    "mirascope-hotel-outou-ka-fuka",
    ["hotel"],
    ANSWERED,
    mirascope_judge(gyakuten),
    words("可", "不可"),
    language="ja",
)

# semantic-kernel: functions from prompt templates

semantic_kernel = in_client("semantic-kernel", "MIT")


def kernel_judge(template, arguments, kind="semantic-kernel", output=None):
    """@param arguments the template's names, each with the key of its value"""

    def ask(base, v):
        from openai import AsyncOpenAI
        from semantic_kernel import Kernel
        from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion, OpenAIChatPromptExecutionSettings
        from semantic_kernel.functions import KernelArguments

        kernel = Kernel()
        client = AsyncOpenAI(api_key=KEY, base_url=f"{base}/v1", max_retries=0)
        kernel.add_service(OpenAIChatCompletion(ai_model_id="gpt-4o", async_client=client))
        settings = OpenAIChatPromptExecutionSettings(temperature=0, **({"response_format": output()} if output else {}))
        given = KernelArguments(settings=settings, **{name: v[key] for name, key in arguments.items()})

        async def run():
            async with client:
                return await kernel.invoke_prompt(
                    prompt=template, function_name="judge", plugin_name="quality", arguments=given, template_format=kind
                )

        asyncio.run(run())

    return ask


def severity():
    from pydantic import BaseModel

    class Incident(BaseModel):
        summary: str
        harm: int

    return Incident


def clearer():
    from pydantic import BaseModel

    class Clearer(BaseModel):
        clearer_text: Literal["A", "B"]
        why: str

    return Clearer


semantic_kernel(
    "semantic-kernel-kefu-huifu-hege",
    ["zh"],
    {**RUBRIC, **ANSWERED},
    kernel_judge(
        "客服规范:{{$guide}}\n\n顾客来信:\n{{$customer}}\n\n拟回复:\n{{$reply}}\n\n"
        "请判断拟回复是否符合客服规范。先写一句理由,最后另起一行只写“合格”或“不合格”。",
        {"guide": "rubric", "customer": "instruction", "reply": "option1"},
    ),
    words("合格", "不合格", kind="rubric", before="我看过了。\n"),
    language="zh",
)
semantic_kernel(
    "semantic-kernel-harm-zero-to-four",
    ["tox", "en", "essay"],
    ONE,
    kernel_judge(
        '<message role="system">You rate posts for moderators. 0 is harmless, 4 must go at once.</message>'
        '<message role="user">Post:\n{{post}}</message>',
        {"post": "option1"},
        "handlebars",
        severity,
    ),
    scored("harm", 0, 4, polarity="lower", summary="A post."),
    note="a high score is the bad side",
)
semantic_kernel(
    "semantic-kernel-clearer-of-two-notices",
    ["sum", "en", "essay", "trans"],
    {**INSTRUCTION, **pair("A", "B")},
    kernel_judge(
        '<message role="user">Our office must tell residents this:\n{{ matter }}\n\nNotice A\n{{ a }}\n\nNotice B\n{{ b }}\n\n'
        "Which notice is clearer to somebody who reads little?</message>",
        {"matter": "instruction", "a": "option1", "b": "option2"},
        "jinja2",
        clearer,
    ),
    choice(
        {"clearer_text": "A", "why": "I looked."},
        {"clearer_text": "B", "why": "I looked."},
        {"A": 0, "B": 1},
        field="clearer_text",
        where="json",
    ),
)

# deepeval: G-Eval with a team's own steps, a node of a decision tree, and a conversation

deepeval = in_client("deepeval", "Apache-2.0")


def deepeval_model(base):
    from deepeval.models import OpenAIModel

    return OpenAIModel(model="gpt-4o", api_key=KEY, base_url=f"{base}/v1")


def own_geval(base, v):
    from deepeval.metrics import GEval
    from deepeval.metrics.g_eval import Rubric
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    metric = GEval(
        name="Prescription advice",
        evaluation_steps=[
            "Check every dose and every interval in the actual output against the retrieval context.",
            "Anything that the retrieval context does not say counts against it.",
            "Plain words count for it.",
        ],
        rubric=[
            Rubric(score_range=(0, 3), expected_outcome="Dangerous."),
            Rubric(score_range=(4, 7), expected_outcome="Harmless, but of little use."),
            Rubric(score_range=(8, 10), expected_outcome="A pharmacist would say the same."),
        ],
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.RETRIEVAL_CONTEXT],
        model=deepeval_model(base),
        async_mode=False,
    )
    case = LLMTestCase(input=v["instruction"], actual_output=v["option1"], retrieval_context=[v["context"]])
    metric.measure(case, _show_indicator=False)


def own_tree(base, v):
    from deepeval.metrics import DAGMetric
    from deepeval.metrics.dag import BinaryJudgementNode, DeepAcyclicGraph, VerdictNode
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    node = BinaryJudgementNode(
        criteria="Does the actual output give the reader something to do next?",
        evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT],
        children=[VerdictNode(verdict=False, score=0), VerdictNode(verdict=True, score=10)],
    )
    metric = DAGMetric(name="Next step", dag=DeepAcyclicGraph(root_nodes=[node]), model=deepeval_model(base), async_mode=False)
    metric.measure(LLMTestCase(input=v["instruction"], actual_output=v["option1"]), _show_indicator=False)


def own_talk(base, v):
    from deepeval.metrics import ConversationalGEval
    from deepeval.test_case import ConversationalTestCase, MultiTurnParams, Turn

    metric = ConversationalGEval(
        name="Concierge",
        evaluation_steps=["See what the guest wanted in each turn.", "Judge whether the concierge took up the change of mind."],
        evaluation_params=[MultiTurnParams.ROLE, MultiTurnParams.CONTENT],
        model=deepeval_model(base),
        async_mode=False,
    )
    turns = [
        Turn(role=role, content=v[f"{key}{turn}"])
        for turn in ("1", "2")
        for key, role in (("user", "user"), ("turn", "assistant"))
    ]
    metric.measure(ConversationalTestCase(turns=turns), _show_indicator=False)


deepeval(
    "deepeval-own-prescription-advice-ranges",
    READ,
    {**INSTRUCTION, **ONE, **CONTEXT},
    own_geval,
    scored("score", 0, 10, reason="I looked."),
)
deepeval(
    "deepeval-own-tree-next-step",
    ["care"],
    ANSWERED,
    own_tree,
    passed("verdict", reason="I looked."),
)
deepeval(
    "deepeval-own-concierge-talk",
    ["chat"],
    TURNS,
    own_talk,
    scored("score", 0, 10, kind="conversation", reason="I looked."),
)
