"""LoCoMo as the conversations that it is: each turn through log_chat, the questions through retrieve_memory."""

from collections.abc import Mapping
from dataclasses import dataclass

from asking import PLAIN, Lab, Stored, say
from client import Server, ServerError
from recalling import FLOORS, SESSIONS
from report import Figure, table
from sets import Answer, Corpus, K, Question, half, mean, session_of, together

SET = "locomo"
COST = 1  # questions that may do worse as messages: rankings that are all but equal change as time goes on


@dataclass(frozen=True, slots=True)
class Logged:
    """A store of messages: where it is, and whose item each is by the number that log_chat gave it."""

    stored: Stored
    items: Mapping[int, str]


def chats(lab: Lab) -> tuple[str, list[Figure]]:
    """The same turns and questions as messages and as memories; a session is a conversation."""
    corpora = lab.of(SET)
    if not corpora:
        return "", []
    asked = dict(zip(corpora, lab.each(lambda corpus: _asked(lab, corpus), corpora), strict=True))
    found, beside = together(asked, corpora), together(lab.answers(PLAIN, corpora), corpora)
    heads = "by,questions,recall@10,half A,half B,MRR,session recall@5".split(",")
    rows = [_row("log_chat, retrieve_memory", found), _row("store_memory, recall_memory", beside)]
    value, base = mean(found), mean(beside)
    figures = [
        Figure("messages, recall@10", None, f"{value:.3f}", least=FLOORS[SET], value=value),
        Figure(
            "messages, recall@10 lost against memories",
            None,
            f"{base - value:+.3f}: {value:.3f} of {base:.3f}",
            most=COST / len(found),
            value=base - value,
        ),
        Figure("messages, session recall@5", None, f"{_sessions(found):.3f}", least=SESSIONS, value=_sessions(found)),
    ]
    said = (
        "Each turn is logged in its order, with its session as conversation_id; no role or speaker is given beside it."
    )
    return f"{said}\n\n{table(heads, rows)}", figures


def _row(by: str, answers: list[Answer]) -> list[str]:
    halves = [f"{mean(half(answers, part)):.3f}" for part in "AB"]
    return [
        by,
        str(len(answers)),
        f"{mean(answers):.3f}",
        *halves,
        f"{mean(answers, 'mrr'):.3f}",
        f"{_sessions(answers):.3f}",
    ]


def _sessions(answers: list[Answer]) -> float:
    return sum(answer.session_recall for answer in answers) / len(answers)


def _asked(lab: Lab, corpus: Corpus) -> list[Answer]:
    logged = _told(lab, Stored(lab.fresh(), corpus.name, {}), corpus)
    with lab.serving(logged.stored) as server:
        say(f"{corpus.set}/{corpus.name}, messages: {len(corpus.questions)} questions")
        return [_ask(lab, server, logged, question) for question in corpus.questions]


def _told(lab: Lab, stored: Stored, corpus: Corpus) -> Logged:
    say(f"{corpus.set}/{corpus.name}: logging {len(corpus.items)} turns")
    items = {}
    with lab.serving(stored) as server:
        for item, text in corpus.items:
            items[server.call("log_chat", content=text, conversation_id=session_of(item))["chat_id"]] = item
        lab.settle(server)
    return Logged(stored, items)


def _ask(lab: Lab, server: Server, logged: Logged, question: Question) -> Answer:
    """Ask one question; a call that fails is noted and counts as one that found nothing."""
    try:
        hits = server.call("retrieve_memory", query=question.text, top_k=K)["results"]
    except ServerError as error:
        lab.note_failure(question, error)
        hits = []
    return Answer(question, tuple(logged.items[hit["resource_id"]] for hit in hits), server.seconds)
