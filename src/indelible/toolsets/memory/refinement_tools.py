"""Toolset `memory`: new memories out of old ones, which are kept."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.core.records.lifetimes import Lifetime
from indelible.model import MemoryType
from indelible.toolsets import moments
from indelible.toolsets.memory import refinement
from indelible.toolsets.memory.tools import Fraction, Id, Seen, Tag
from indelible.toolsets.registry import VISIBLE, tool


class Part(TypedDict):
    """One part of a memory."""

    content: Seen
    tags: NotRequired[list[Tag]]
    importance: NotRequired[Fraction]
    memory_type: NotRequired[MemoryType]


class RefineResult(TypedDict):
    """The answer of refine_memory; `warning`: too many are pinned, or another version had replaced it before."""

    old_id: str
    new_id: str
    warning: NotRequired[str]
    relationship: Literal["EVOLVED_INTO"]


class SplitResult(TypedDict):
    """The answer of split_memory."""

    source_id: str
    parts: list[str]
    relationship: Literal["PART_OF"]


class MergeResult(TypedDict):
    """The answer of merge_memories."""

    merged_id: str
    source_ids: list[str]
    relationship: Literal["SUMMARIZES"]


@tool("memory", "Refine a memory", writes=True)
def refine_memory(
    ctx: Context,
    id: Id,
    content: Annotated[Seen | None, Field(description="Default: unchanged")] = None,
    importance: Annotated[Fraction | None, Field(description="Default: unchanged")] = None,
    tags: Annotated[list[Tag] | None, Field(description="Default: unchanged")] = None,
    expires_at: moments.ExpiresAt = None,
    pinned: moments.PinIt = None,
    valid_from: moments.ValidFrom = None,
    valid_to: moments.ValidTo = None,
) -> RefineResult:
    """Store a newer version of a memory and keep the old one as its history (old EVOLVED_INTO new).

    Use it when facts changed; to correct a mistake use update_memory. Returns both ids.
    """
    lifetime = Lifetime(valid_from, valid_to, expires_at, pinned)
    refined = refinement.refine(ctx, id, refinement.Refinement(content, importance, tags, lifetime))
    return {**refined, "relationship": "EVOLVED_INTO"}


@tool("memory", "Split a memory", writes=True)
def split_memory(
    ctx: Context,
    id: Id,
    parts: Annotated[list[Part], Field(min_length=1, description="Omitted fields are inherited")],
) -> SplitResult:
    """Split a memory that says several things: store the parts, each PART_OF it; all or none.

    The memory is kept. Returns the parts' ids in the given order.
    """
    given = [
        refinement.Part(part["content"], part.get("tags"), part.get("importance"), part.get("memory_type"))
        for part in parts
    ]
    return {**refinement.split(ctx, id, given), "relationship": "PART_OF"}


@tool("memory", "Merge memories", writes=True)
def merge_memories(
    ctx: Context,
    source_ids: Annotated[list[Tag], Field(min_length=2, description="IDs of memories of one namespace")],
    content: Annotated[str, Field(min_length=1, description="Merged text"), VISIBLE],
    memory_type: Annotated[MemoryType, Field(description="Kind of knowledge")] = "insight",
    importance: Annotated[Fraction, Field(description="0 to 1")] = 0.7,
    tags: Annotated[list[Tag] | None, Field(description="Default: all tags of the sources")] = None,
) -> MergeResult:
    """Store one memory that SUMMARIZES several overlapping ones; they are kept.

    Returns its id and theirs.
    """
    merged = refinement.merge(ctx, refinement.Merging(source_ids, content, memory_type, importance, tags))
    return {**merged, "relationship": "SUMMARIZES"}
