"""Toolset `memory`: the weights of a recall's score, and the metrics of this server."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.core.recall import scoring_weights
from indelible.toolsets.memory import diagnostics
from indelible.toolsets.registry import tool
from indelible.toolsets.rounding import Exact


def _at_first(share: float) -> Any:
    """Return the type of an optional weight whose schema shows the built-in value as its default."""
    return Field(ge=0, description="New weight", json_schema_extra={"default": share})


_NUMBER = WithJsonSchema({"type": "number", "minimum": 0})
Weight25 = Annotated[float | None, _at_first(0.25), _NUMBER]
Weight15 = Annotated[float | None, _at_first(0.15), _NUMBER]
Weight10 = Annotated[float | None, _at_first(0.1), _NUMBER]
Weight05 = Annotated[float | None, _at_first(0.05), _NUMBER]


class ScoringWeights(TypedDict):
    """The weight of each component; they sum to 1."""

    vector_similarity: Exact
    graph_strength: Exact
    token_overlap: Exact
    temporal: Exact
    tag_matching: Exact
    importance: Exact
    confidence: Exact
    recency: Exact


class WeightsResult(TypedDict):
    """The answer of set_scoring_weights."""

    updated: bool
    weights: ScoringWeights


class Latency(TypedDict):
    """How long the calls of one tool took."""

    count: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class Metrics(TypedDict):
    """The answer of codemem_metrics."""

    latencies: dict[str, Latency]
    counters: dict[str, int]
    gauges: dict[str, float]


@tool("memory", "Set the scoring weights", writes=True, administers=True)
def set_scoring_weights(
    ctx: Context,
    vector_similarity: Weight25 = None,
    graph_strength: Weight25 = None,
    token_overlap: Weight15 = None,
    temporal: Weight10 = None,
    tag_matching: Weight10 = None,
    importance: Weight05 = None,
    confidence: Weight05 = None,
    recency: Weight05 = None,
    reset: Annotated[bool, Field(description="Omitted ones to their defaults")] = False,
) -> WeightsResult:
    """Set how much each component of a recall's score counts, permanently, for all servers of this store.

    Omitted ones keep their value, then all are divided by their sum. Returns the new weights.
    """
    asked = {
        "vector_similarity": vector_similarity,
        "graph_strength": graph_strength,
        "token_overlap": token_overlap,
        "temporal": temporal,
        "tag_matching": tag_matching,
        "importance": importance,
        "confidence": confidence,
        "recency": recency,
    }
    given = {name: weight for name, weight in asked.items() if weight is not None}
    done: WeightsResult = scoring_weights.put(ctx, given, reset=reset)  # type: ignore[assignment]
    return done


@tool("memory", "Metrics")
def codemem_metrics(ctx: Context) -> Metrics:
    """Show metrics since the server started, when calls are slow or fail: latencies by tool in ms, counters, gauges."""
    measured: Metrics = diagnostics.measured(ctx)  # type: ignore[assignment]
    return measured
