"""Toolset `lifecycle`: memory that looks after itself, and the patterns in what was done."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.toolsets.lifecycle import associate, cycle, decay, deduplicate, forget, patterns, summarize
from indelible.toolsets.memory.tools import Fraction, ReadNamespace
from indelible.toolsets.registry import WHOLE, all_tools, tool
from indelible.toolsets.rounding import Exact

LONGEST_AGE = 36_500  # days

Least = Annotated[int, Field(ge=1, description="Minimum occurrences"), WHOLE]


class DecayResult(TypedDict):
    """The answer of consolidate_decay."""

    cycle: Literal["decay"]
    affected: int
    threshold_days: int


class CreativeResult(TypedDict):
    """The answer of consolidate_creative."""

    cycle: Literal["creative"]
    new_connections: int


class ClusterResult(TypedDict):
    """The answer of consolidate_cluster."""

    cycle: Literal["cluster"]
    merged: int
    kept: int


class ForgetResult(TypedDict):
    """The answer of consolidate_forget."""

    cycle: Literal["forget"]
    deleted: int
    threshold: Exact


class SummarizeResult(TypedDict):
    """The answer of consolidate_summarize."""

    cycle: Literal["summarize"]
    clusters_found: int
    summarized: int
    created_ids: list[str]
    min_cluster_size: int


class Ran(TypedDict):
    """When a cycle ran last, and how much it did then."""

    last_run: str | None
    affected: int


class Cycles(TypedDict):
    """All cycles."""

    decay: Ran
    creative: Ran
    cluster: Ran
    forget: Ran
    summarize: Ran


class StatusResult(TypedDict):
    """The answer of consolidation_status."""

    cycles: Cycles


class Pattern(TypedDict):
    """Something that was done repeatedly."""

    pattern_type: Literal["repeated_search", "file_hotspot", "decision_chain", "tool_preference"]
    description: str
    frequency: int
    confidence: float
    related_memories: list[str]


class PatternsResult(TypedDict):
    """The answer of detect_patterns."""

    patterns: list[Pattern]
    count: int


@tool("lifecycle", "Let unused memories decay", writes=True, destructive=True, idempotent=True)
def consolidate_decay(
    ctx: Context,
    threshold_days: Annotated[int, Field(ge=1, le=LONGEST_AGE, description="Days without use"), WHOLE] = 30,
) -> DecayResult:
    """Lower by 10% the importance of memories not used for some days, when old ones crowd out new ones.

    Each once in that time. Returns how many. `indelible undo` reverts it.
    """
    affected = decay.decay(ctx, threshold_days)
    return {"cycle": "decay", "affected": affected, "threshold_days": threshold_days}


@tool("lifecycle", "Relate memories by tags", writes=True, idempotent=True)
def consolidate_creative(ctx: Context) -> CreativeResult:
    """Relate memories of one project that share tags and differ in type, so that recall finds one through the other.

    Returns how many relations are new.
    """
    return {"cycle": "creative", "new_connections": associate.relate(ctx)}


@tool("lifecycle", "Merge duplicates", writes=True, destructive=True, idempotent=True)
def consolidate_cluster(ctx: Context) -> ClusterResult:
    """Merge memories of one project and type that differ only in spaces and a final full stop.

    The most important is kept, with all tags and relations. Returns how many were removed and kept. `indelible undo`
    reverts it.
    """
    merged, kept = deduplicate.merge_duplicates(ctx)
    return {"cycle": "cluster", "merged": merged, "kept": kept}


@tool("lifecycle", "Forget unused memories", writes=True, destructive=True, idempotent=True)
def consolidate_forget(
    ctx: Context,
    importance_threshold: Annotated[Fraction, Field(description="Delete below this importance")] = 0.1,
) -> ForgetResult:
    """Delete memories of low importance that no recall ever returned; run consolidate_decay before it.

    Those that replace or summarise others stay. Returns how many were deleted. `indelible undo` restores them within 30
    days.
    """
    deleted = forget.forget(ctx, importance_threshold)
    return {"cycle": "forget", "deleted": deleted, "threshold": importance_threshold}


@tool("lifecycle", "Summarize related memories", writes=True, idempotent=True)
def consolidate_summarize(
    ctx: Context,
    cluster_size: Annotated[int, Field(ge=2, description="Minimum memories per group"), WHOLE] = 5,
) -> SummarizeResult:
    """Store an insight for each group of related memories, in their own sentences; it SUMMARIZES them, and they stay.

    Groups that have a summary are skipped. Returns the ids of the new ones.
    """
    return {"cycle": "summarize", **summarize.summarize(ctx, cluster_size), "min_cluster_size": cluster_size}


@tool("lifecycle", "Consolidation status")
def consolidation_status(ctx: Context) -> StatusResult:
    """Show when each consolidation cycle last ran and how much it did, to see whether one is due."""
    cycles: Cycles = cycle.status(ctx)  # type: ignore[assignment]
    return {"cycles": cycles}


@tool("lifecycle", "Detect patterns")
def detect_patterns(ctx: Context, min_frequency: Least = 3, namespace: ReadNamespace = None) -> PatternsResult:
    """Find what recurs over sessions: repeated searches, file hotspots, decision chains, tools.

    Use it to see what is worth a memory. Each has a frequency, a confidence (0 to 1) and related memories.
    """
    found = patterns.detect(ctx, min_frequency, namespace)
    shown = [
        Pattern(
            pattern_type=each.type,
            description=each.description,
            frequency=each.frequency,
            confidence=each.confidence,
            related_memories=list(each.related),
        )
        for each in found
    ]
    return {"patterns": shown, "count": len(shown)}


@tool("lifecycle", "Pattern insights")
def pattern_insights(ctx: Context, min_frequency: Least = 2, namespace: ReadNamespace = None) -> str:
    """Show what detect_patterns finds as Markdown, in sections: hotspots, searches, decision chains and tools."""
    titles = {name: each.title for name, each in all_tools().items()}
    return patterns.insights(patterns.detect(ctx, min_frequency, namespace, titles))
