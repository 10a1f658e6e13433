"""Toolset `memory`: store, recall, change and relate what was learned."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.core.recall import candidates, recall
from indelible.core.records import exporting, relations
from indelible.core.records.lifetimes import Lifetime
from indelible.errors import InvalidInput
from indelible.model import MemoryType, RecalledKind, Relationship
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets import moments, pages, shapes
from indelible.toolsets.context.documents import documents
from indelible.toolsets.hit_shapes import RecallHit
from indelible.toolsets.memory import importing, memories, statistics
from indelible.toolsets.registry import VISIBLE, WHOLE, tool
from indelible.toolsets.rounding import Exact

Content = Annotated[str, Field(min_length=1, description="The text, in any language, up to 1 MiB"), VISIBLE]
Id = Annotated[str, Field(min_length=1, description="Memory ID")]
Fraction = Annotated[float, Field(ge=0, le=1)]
Namespace = Annotated[
    str | None,
    Field(min_length=1, description="Project it belongs to; default: the server's"),
]
ReadNamespace = Annotated[str | None, Field(min_length=1, description="Only this project")]
OfType = Annotated[MemoryType | None, Field(description="Only this type")]
Tag = Annotated[str, Field(min_length=1)]
Seen = Annotated[str, Field(min_length=1), VISIBLE]


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


K = Annotated[int, Field(ge=0, le=recall.MOST, description="Number of results"), WHOLE]


class StoreResult(TypedDict):
    """The answer of store_memory; the optional fields are there for documents, `warning` where too many are pinned."""

    id: str
    status: Literal["stored", "duplicate"]
    content_hash: str
    graph_node_created: bool
    warning: NotRequired[str]
    success: NotRequired[Literal[True]]
    resource_id: NotRequired[int]
    file_name: NotRequired[str]
    resource_type: NotRequired[str]
    chunk_count: NotRequired[int]
    chunk_ids: NotRequired[list[int]]


class UpdateResult(TypedDict):
    """The answer of update_memory; `warning` says that too many are pinned, or that it had been replaced before."""

    id: str
    updated: bool
    content_hash: str
    warning: NotRequired[str]


class DeleteResult(TypedDict):
    """The answer of delete_memory."""

    id: str
    deleted: bool


class Relation(TypedDict):
    """The answer of associate_memories."""

    source: str
    target: str
    relationship: str
    weight: Exact


class Node(TypedDict):
    """One node of graph_traverse; except for the start, with the relation from the last but one id of its path.

    `valid_from`, `valid_to` and `validity` are of that relation: it holds no more, or not yet, now or at `as_of`.
    """

    id: str
    kind: str
    label: str
    depth: int
    path: list[str]
    relationship: NotRequired[str]
    direction: NotRequired[relations.Direction]
    memory_id: NotRequired[str]
    replaced_by: NotRequired[str]
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    validity: NotRequired[Literal["ended", "ahead"]]


class StorageStats(TypedDict):
    """Counts of what is stored."""

    memories: int
    embeddings: int
    graph_nodes: int
    graph_edges: int


class VectorStats(TypedDict):
    """The vector index."""

    indexed: int
    dimensions: int
    metric: str


class GraphStats(TypedDict):
    """The graph of all records."""

    nodes: int
    edges: int
    node_kinds: dict[str, int]
    relationship_types: dict[str, int]


class EmbeddingStats(TypedDict):
    """The encoders."""

    available: bool
    model: str
    cache: dict[str, int]


class Stats(TypedDict):
    """The answer of codemem_stats."""

    storage: StorageStats
    vector: VectorStats
    graph: GraphStats
    embeddings: EmbeddingStats


class Health(TypedDict):
    """The answer of codemem_health."""

    healthy: bool
    storage: str
    vector: str
    graph: str
    embeddings: str


class ExportedMemory(TypedDict):
    """One memory of export_memories; import_memories takes it back."""

    id: str
    kind: str
    content: str
    label: NotRequired[str]
    memory_type: str
    importance: Exact
    confidence: Exact
    tags: list[str]
    namespace: str | None
    metadata: dict[str, Any]
    replaced: NotRequired[bool]
    replaced_by: NotRequired[str]
    created_at: str
    updated_at: str
    access_count: int
    last_accessed_at: str | None
    session: str
    position: int
    edges: list[dict[str, Any]]


class ImportProblem(TypedDict):
    """One item that was not imported completely: its index in the list, from 0, and why."""

    index: int
    error: str


class ImportResult(TypedDict):
    """The answer of import_memories."""

    imported: int
    skipped: int
    ids: list[str]
    errors: list[ImportProblem]


_IMPORT_ITEM = {
    "type": "object",
    "required": ["content"],
    "properties": {
        "content": {"type": "string"},
        "memory_type": {"type": "string"},
        "importance": {"type": "number"},
        "confidence": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "namespace": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "metadata": {"type": "object"},
    },
}


@tool("memory", "Store a memory", writes=True, idempotent=True, also_in=("context",), in_project=True)
def store_memory(
    ctx: Context,
    content: Content,
    memory_type: Annotated[MemoryType, Field(description="Kind of knowledge")] = "context",
    importance: Annotated[Fraction, Field(description="0 is trivia, 1 must not be forgotten")] = 0.5,
    tags: Annotated[list[Tag], Field(description="Searchable; hierarchical as a:b:c")] = [],  # noqa: B006
    namespace: Namespace = None,
    links: Annotated[list[Tag], Field(description="IDs of nodes it RELATES_TO")] = [],  # noqa: B006
    file_name: Annotated[
        Seen | None,
        Field(max_length=documents.LONGEST_NAME, description="Store as a document of this name"),
    ] = None,
    resource_type: Annotated[Seen | None, Field(description="Type of the document")] = None,
    expires_at: moments.ExpiresAt = None,
    pinned: moments.PinIt = None,
    valid_from: moments.ValidFrom = None,
    valid_to: moments.ValidTo = None,
) -> StoreResult:
    """Remember what the code does not say: a decision and its reason, a preference, a pattern, a pitfall, a fix.

    Call it as soon as you learn something, with one self-contained statement. Known content is not stored again (status
    `duplicate`). Secrets are redacted. Returns the id.
    """
    lifetime = Lifetime(valid_from, valid_to, expires_at, pinned)
    if file_name is not None:
        if lifetime.is_given:
            raise InvalidInput(
                "expires_at, pinned, valid_from and valid_to are of memories, and file_name stores a document; leave "
                "them out, or store a memory"
            )
        document = documents.NewDocument(
            file_name, content, resource_type, importance, tags, namespace, links, memory_type
        )
        return _document(documents.store(ctx, document))
    if resource_type is not None:
        raise InvalidInput(
            f"resource_type {resource_type!r:.80} is the type of a document, which needs a file_name; give one, or "
            "leave resource_type out to store a memory"
        )
    stored = memories.store(ctx, memories.NewMemory(content, memory_type, importance, tags, namespace, links, lifetime))
    status: Literal["stored", "duplicate"] = "stored" if stored["status"] == "stored" else "duplicate"
    result: StoreResult = {
        "id": stored["id"],
        "status": status,
        "content_hash": stored["content_hash"],
        "graph_node_created": status == "stored",
    }
    return {**result, "warning": stored["warning"]} if "warning" in stored else result


def _document(stored: documents.StoredDocument) -> StoreResult:
    return {
        "id": f"doc_{stored['number']}",
        "status": "stored" if stored["status"] == "stored" else "duplicate",
        "content_hash": stored["content_hash"],
        "graph_node_created": stored["created"],
        "success": True,
        "resource_id": stored["number"],
        "file_name": stored["file_name"],
        "resource_type": stored["type"],
        "chunk_count": len(stored["chunks"]),
        "chunk_ids": stored["chunks"],
    }


@tool("memory", "Recall memories")
def recall_memory(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, description="What you want to know, in words or code"), VISIBLE],
    k: K = 10,
    memory_type: OfType = None,
    namespace: ReadNamespace = None,
    as_of: moments.AsOf = None,
    kinds: Annotated[
        list[RecalledKind] | None, Field(min_length=1, max_length=10, description="Only these; default: all but commit")
    ] = None,
) -> list[RecallHit]:
    """Find what was learned before, best first.

    Call it at the start of a task, before a decision, and at an error. Names of functions, files and errors help; so do
    times ("last week"). Each hit shows how it was scored; [] means that nothing relevant is known.
    """
    only = None if kinds is None else tuple(dict.fromkeys(kinds))
    asked = candidates.Query(query, k, memory_type, namespace, only, as_of=moments.passed(as_of))
    found = recall.with_id(ctx, asked) or recall.recall(ctx, asked)
    hits: list[RecallHit] = [shapes.hit(hit) for hit in found]  # type: ignore[misc]
    return hits


@tool("memory", "Update a memory", writes=True, destructive=True, idempotent=True)
def update_memory(
    ctx: Context,
    id: Id,
    content: Annotated[str, Field(min_length=1, description="Replaces the old"), VISIBLE],
    importance: Annotated[Fraction | None, Field(description="Default: unchanged")] = None,
    expires_at: moments.ExpiresAt = None,
    pinned: moments.PinIt = None,
    valid_from: moments.ValidFrom = None,
    valid_to: moments.ValidTo = None,
) -> UpdateResult:
    """Correct a wrong memory: its content, and its importance and times if given ("" for no time).

    If the facts changed, use refine_memory. `indelible undo` restores the old state within 30 days.
    """
    changed = memories.update(ctx, id, content, importance, Lifetime(valid_from, valid_to, expires_at, pinned))
    result: UpdateResult = {"id": changed["id"], "updated": True, "content_hash": changed["content_hash"]}
    return {**result, "warning": changed["warning"]} if "warning" in changed else result


@tool("memory", "Delete a memory", writes=True, destructive=True)
def delete_memory(ctx: Context, id: Id) -> DeleteResult:
    """Delete a memory and its relations when it has no value, not even as history.

    `indelible undo` restores it within 30 days.
    """
    return {"id": memories.delete(ctx, id), "deleted": True}


@tool("memory", "Relate two memories", writes=True, destructive=True, idempotent=True)
def associate_memories(
    ctx: Context,
    source_id: Annotated[str, Field(min_length=1, description="Memory or node ID")],
    target_id: Annotated[str, Field(min_length=1, description="Memory or node ID")],
    relationship: Annotated[Relationship, BeforeValidator(_upper), Field(description="Of the source to the target")],
    weight: Annotated[float, Field(description="Edge weight")] = 1.0,
    valid_from: moments.ValidFrom = None,
    valid_to: moments.ValidTo = None,
) -> Relation:
    """Relate one memory (or any other node) to another; recall follows relations.

    LEADS_TO for consequences, SUPERSEDES where one replaces the other, CONTRADICTS for conflicts. Repeating it only
    replaces the weight, and times that are given; MAY_SUPERSEDE of weight 0 says that `newer` of a hit is wrong.
    """
    times = Lifetime(valid_from, valid_to)
    made = relations.associate(ctx, source_id, target_id, relationship, weight, times)
    return Relation(**made)


@tool("memory", "Walk the graph")
def graph_traverse(
    ctx: Context,
    start_id: Annotated[str, Field(min_length=1, description="Memory or node ID")],
    max_depth: Annotated[int, Field(ge=0, le=100, description="Maximum hops"), WHOLE] = 2,
    algorithm: Annotated[Literal["bfs", "dfs"], Field(description="Breadth-first or depth-first")] = "bfs",
    limit: pages.Limit = None,
    cursor: pages.Cursor = None,
    as_of: moments.AsOf = None,
) -> list[Node]:
    """Follow relations from a node in both directions, to see what a decision led to or rests on.

    Returns each node once, the start first: depth, path of ids to it, that path's last relation and its direction.
    """
    steps = relations.traverse(ctx, start_id, max_depth, algorithm, moments.passed(as_of))
    return [_node(step) for step in pages.page(ctx, steps, limit, cursor, _node)]


def _node(step: relations.Step) -> Node:
    node: Node = {
        "id": step.path[-1],
        "kind": step.record.kind,
        "label": visible(relations.label_of(step.record)),
        "depth": step.depth,
        "path": list(step.path),
    }
    if step.way is not None:
        node["relationship"], node["direction"] = visible(step.way.relation), step.way.direction
        node.update(step.way.times)  # type: ignore[typeddict-item]
    if step.record.kind == "memory":
        node["memory_id"] = step.record.key
    if step.replaced_by:
        node["replaced_by"] = step.replaced_by
    return node


@tool("memory", "Statistics")
def codemem_stats(ctx: Context) -> Stats:
    """Count what is stored: memories, embeddings, nodes by kind, relations by type."""
    counted: Stats = statistics.stats(ctx)  # type: ignore[assignment]
    return counted


@tool("memory", "Health")
def codemem_health(ctx: Context) -> Health:
    """Check storage, vectors, graph and embeddings; each says `ok` or what is wrong."""
    checked: Health = statistics.health(ctx)  # type: ignore[assignment]
    return checked


@tool("memory", "Export memories")
def export_memories(
    ctx: Context,
    namespace: ReadNamespace = None,
    memory_type: OfType = None,
    limit: Annotated[int, Field(ge=0, description="Maximum memories"), WHOLE] = 100,
) -> list[ExportedMemory]:
    """Export memories as a JSON array with their relations, newest first, without loss; import_memories reads it."""
    exported: list[ExportedMemory] = exporting.export_memories(ctx, namespace, memory_type, limit)  # type: ignore[assignment]
    return exported


@tool("memory", "Import memories", writes=True, idempotent=True, itemwise="memories")
def import_memories(
    ctx: Context,
    memories: Annotated[
        list[Any],
        Field(description="As export_memories gives them", json_schema_extra={"items": _IMPORT_ITEM}),
    ],
) -> ImportResult:
    """Import memories from a JSON array: ids, times, tags, metadata and relations are kept.

    Known content is skipped; invalid items are reported by index, the others imported.
    """
    result = importing.import_memories(ctx, memories)
    ctx.call.touched.extend(result["ids"])
    imported: ImportResult = result
    return imported
