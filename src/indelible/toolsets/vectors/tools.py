"""Toolset `vectors`: entries under vectors that the caller computes itself, searched by cosine."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.core.indexes import vector_format
from indelible.toolsets.registry import WHOLE, tool
from indelible.toolsets.rounding import Exact
from indelible.toolsets.vectors import vectors

_FORMS = {
    "anyOf": [
        {"type": "object", "additionalProperties": {"type": "number"}},
        {"type": "array", "items": {"type": "number"}},
        {"type": "string"},
    ]
}
# Its forms are checked by the engine, in one line instead of one for each form that it is not.
Vector = Annotated[
    Any, WithJsonSchema(_FORMS), Field(description='Sparse {"index": weight}, or a dense array; or either as JSON text')
]
EntryId = Annotated[str, Field(min_length=1, description="ID of the entry")]


class VectorMatch(TypedDict):
    """One entry that a search found."""

    id: str
    vector: dict[str, Exact]
    metadata: dict[str, Any]
    score: float
    similarity: float


@tool("vectors", "Search vectors")
def search(
    ctx: Context,
    vector: Vector,
    limit: Annotated[int, Field(ge=0, description="Maximum results"), WHOLE] = 5,
) -> list[VectorMatch]:
    """Find the stored entries nearest to a vector of your own embedding, by exact cosine, highest first.

    Search before a task for what earlier sessions memorized. Returns id, vector, metadata (with the text), feedback
    score and similarity.
    """
    found: list[VectorMatch] = vectors.search(ctx, vector_format.parse(vector), limit)
    return found


@tool("vectors", "Memorize a vector", writes=True, destructive=True, idempotent=True)
def memorize(
    ctx: Context,
    id: Annotated[str, Field(min_length=1, description="Your own ID")],
    vector: Vector,
    text: Annotated[str | None, Field(description="What it is about; recall_memory finds it too")] = None,
    metadata: Annotated[dict[str, Any] | None, Field(description="Any tags")] = None,
) -> str:
    """Store a vector of your own embedding with its text, when you learned something that later searches should find.

    A known id is replaced and its score reset (`indelible undo` restores it). Returns a confirmation.
    """
    entry = vectors.NewEntry(id, vector_format.parse(vector), text, metadata or {})
    return f"Stored entry: {vectors.memorize(ctx, entry)}"


@tool("vectors", "Give feedback", writes=True)
def feedback(
    ctx: Context,
    id: EntryId,
    scoreAdjustment: Annotated[float, Field(description="Added to the score: praise 1 .. wrong -2")],
) -> str:
    """Rate how useful a found entry was; its score decides between equally similar ones.

    Explicit praise +1, implicit success +0.5, correction needed -1, completely wrong -2. Returns a confirmation.
    """
    return f"Updated score for entry: {id}" if vectors.feedback(ctx, id, scoreAdjustment) else _unknown(id)


@tool("vectors", "Delete a vector", writes=True, destructive=True, idempotent=True)
def delete(ctx: Context, id: EntryId) -> str:
    """Delete a wrong or worthless entry from the vector space.

    `indelible undo` restores it within 30 days. Returns a confirmation.
    """
    return f"Deleted entry: {id}" if vectors.delete(ctx, id) else _unknown(id)


def _unknown(id: str) -> str:
    return f"Entry not found: {id}"
