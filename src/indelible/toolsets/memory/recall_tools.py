"""Toolset `memory`: recall with related records and impact, and the history of decisions."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.recall import expansion
from indelible.core.recall.candidates import Query
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets import pages, shapes
from indelible.toolsets.hit_shapes import RecallHit, Standing
from indelible.toolsets.memory import decisions, impact
from indelible.toolsets.memory.tools import K, ReadNamespace, Seen
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Asked = Annotated[str, Field(min_length=1, description="What you want to know"), VISIBLE]


class ExpandedHit(RecallHit):
    """One hit of recall_with_expansion: `expansion_path` is the ids from a direct hit to it, both included."""

    expansion_path: list[str]


class Impact(TypedDict):
    """The impact of a hit; pagerank and centrality are fractions of the namespace's largest."""

    pagerank: float
    centrality: float
    connected_decisions: list[str]
    dependent_files: list[str]
    modification_count: int


class ImpactHit(RecallHit):
    """One hit of recall_with_impact."""

    impact: Impact


class Connection(TypedDict):
    """A relation between two decisions of a chain, or to a symbol of the file, stale if removed from the source."""

    relationship: str
    source: str
    target: str
    stale: NotRequired[bool]


class ChainFilter(TypedDict):
    """The filter that selected a chain, as given."""

    file_path: NotRequired[str]
    topic: NotRequired[str]


class ChainedDecision(Standing):
    """One decision of a chain."""

    id: str
    content: str
    importance: float
    tags: list[str]
    created_at: str
    connections: list[Connection]
    origin: NotRequired[str]
    trust: NotRequired[Literal["untrusted"]]


class DecisionChain(TypedDict):
    """The answer of get_decision_chain."""

    chain_length: int
    filter: ChainFilter
    decisions: list[ChainedDecision]


@tool("memory", "Recall with relations")
def recall_with_expansion(
    ctx: Context,
    query: Asked,
    k: K = 5,
    expansion_depth: Annotated[
        int, Field(ge=0, le=expansion.MOST_HOPS, description="Relations to follow; 0 = none"), WHOLE
    ] = 1,
    namespace: ReadNamespace = None,
) -> list[ExpandedHit]:
    """Recall memories and what is related to them: reasons, consequences, what they rest on.

    Call it where plain hits lack context. `expansion_path` lists the ids that led from a hit to each.
    """
    found = expansion.recall_with_expansion(ctx, Query(query, k, namespace=namespace), expansion_depth)
    hits: list[ExpandedHit] = [{**shapes.hit(each.hit), "expansion_path": list(each.path)} for each in found]  # type: ignore[typeddict-item]
    return hits


@tool("memory", "Recall with impact")
def recall_with_impact(ctx: Context, query: Asked, k: K = 10, namespace: ReadNamespace = None) -> list[ImpactHit]:
    """Recall before a change: each hit with its centrality, dependent decisions and files, and number of changes.

    Call it to see what else a change may break. Merely mentioning code gives no pagerank or centrality.
    """
    found = impact.recall_with_impact(ctx, Query(query, k, namespace=namespace))
    hits: list[ImpactHit] = [{**shapes.hit(hit), "impact": _impact(its)} for hit, its in found]  # type: ignore[typeddict-item]
    return hits


def _impact(of: impact.Impact) -> Impact:
    return {
        "pagerank": of.pagerank,
        "centrality": of.centrality,
        "connected_decisions": list(of.connected_decisions),
        "dependent_files": [visible(path) for path in of.dependent_files],
        "modification_count": of.modification_count,
    }


@tool("memory", "History of decisions")
def get_decision_chain(
    ctx: Context,
    file_path: Annotated[str | None, Field(min_length=1, description="File, relative or absolute")] = None,
    topic: Annotated[Seen | None, Field(description="Words in content or tags")] = None,
    limit: pages.Limit = None,
    cursor: pages.Cursor = None,
) -> DecisionChain:
    """List the decisions about a file or topic (give one or both), oldest first, with those they came from or led to.

    Call it before you overturn a decision.
    """
    chain = decisions.decision_chain(ctx, file_path, topic)
    asked: ChainFilter = {}
    if file_path is not None:
        asked["file_path"] = file_path
    if topic is not None:
        asked["topic"] = topic
    shown = pages.page(ctx, chain, limit, cursor, _decision)
    return {"chain_length": len(chain), "filter": asked, "decisions": [_decision(each) for each in shown]}


def _decision(of: decisions.Decision) -> ChainedDecision:
    record = of.record
    shown: ChainedDecision = {
        "id": record.key,
        "content": visible(record.text),
        "importance": record.importance,
        "tags": [visible(tag) for tag in record.tags],
        "created_at": time_text(record.created),
        "connections": [_connection_json(each) for each in of.connections],
        **shapes.provenance(record),  # type: ignore[typeddict-item]
    }
    return {**shown, **of.stands}  # type: ignore[typeddict-item]


def _connection_json(of: decisions.Connection) -> Connection:
    shown: Connection = {"relationship": of.relationship, "source": of.source, "target": visible(of.target)}
    if of.stale:
        shown["stale"] = True
    return shown
