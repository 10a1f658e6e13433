"""Routing a question to the most suitable tool, by the kinds of matching records and by the question's words."""

from collections.abc import Collection, Iterable

from indelible.core.context.context import Context
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query
from indelible.core.recall.returned import returned
from indelible.dataclass import dataclass
from indelible.model import Hit
from indelible.search import tokens

# The kinds of records that each tool answers with, in the order in which the first of equals is taken.
ANSWERS = {
    "retrieve_memory": ("chunk", "message"),
    "recall_memory": ("memory", "vector"),
    "matrix_recall": ("solution", "failure"),
    "search_todos": ("todo",),
    "get_code_patterns": ("attempt",),
    "search_nodes": ("entity",),
    "query_graph": (),
}
# Words of questions that ask for one of them.
ASKED_BY = {
    "retrieve_memory": "document docs documentation readme manual chapter section file conversation chat message said",
    "recall_memory": "decision decide preference convention habit remember",
    "matrix_recall": "error exception failure fail bug crash traceback fix solve solution",
    "search_todos": "todo task backlog unfinished pending remaining",
    "get_code_patterns": "attempt snippet pattern",
    "search_nodes": "entity observation",
    "query_graph": "depend dependency relate relation relationship link graph connect",
}
ANYTHING = "ask_with_context"  # for what no other tool answers alone
NEAREST = 20  # hits whose kinds speak for a tool
SHOWN = 10  # of them
WORDS_WEIGH = 0.5  # as much as half of all hits
MOST_OF = 0.5  # of the evidence, below which no tool alone is best suited


@dataclass(frozen=True, slots=True)
class Route:
    """A tool, the confidence in it (0..1), and the hits that it would answer with, nearest first."""

    tool: str
    confidence: float
    hits: list[Hit]


def route(ctx: Context, query: str, offered: Collection[str]) -> Route:
    """Return the most suitable of the offered tools; any of them with confidence 0 if there is no evidence."""
    hits = recall.ranked(ctx, Query(query, NEAREST, relevance_only=True))
    scores = _scores(query, hits, offered)
    best = max(scores, key=lambda tool: scores[tool], default="")
    total = sum(scores.values())
    confidence = scores[best] / total if total else 0.0
    if confidence <= MOST_OF and ANYTHING in offered:
        best, confidence = ANYTHING, 1 - confidence if total else 0.0
    best = best or next(iter(offered), ANYTHING)
    answered = _answered(best, hits)
    returned(ctx, [hit.record for hit in answered])
    return Route(best, confidence, answered)


def _scores(query: str, hits: Iterable[Hit], offered: Collection[str]) -> dict[str, float]:
    """Return each tool's share of the evidence, increased if the query has one of the tool's words."""
    tools = {kind: tool for tool, kinds in ANSWERS.items() if tool in offered for kind in kinds}
    found = {tool: 0.0 for tool in ANSWERS if tool in offered}
    for hit in hits:
        if hit.record.kind in tools:
            found[tools[hit.record.kind]] += hit.score
    evidence = sum(found.values()) or 1.0
    words = set(tokens.words(query))
    return {
        tool: value / evidence + (WORDS_WEIGH if words & set(tokens.words(ASKED_BY[tool])) else 0.0)
        for tool, value in found.items()
    }


def _answered(tool: str, hits: Iterable[Hit]) -> list[Hit]:
    kinds = ANSWERS.get(tool)
    return [hit for hit in hits if not kinds or hit.record.kind in kinds][:SHOWN]
