"""Toolset `memory`: store, recall, change and relate what was learned."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.engine import memories, recall, relations, statistics, transfer
from indelible.engine.context import Context
from indelible.errors import InvalidInput
from indelible.model import MemoryType, Relationship
from indelible.registry import WHOLE, tool
from indelible.tools import shapes

Content = Annotated[str, Field(min_length=1, description="The text to remember, in any language, up to 1 MiB")]
Id = Annotated[str, Field(min_length=1, description="Memory ID (UUID)")]
Fraction = Annotated[float, Field(ge=0, le=1)]
Namespace = Annotated[
    str | None,
    Field(min_length=1, description="Project scope, e.g. its directory; default: the server's project"),
]
ReadNamespace = Annotated[str | None, Field(min_length=1, description="Only this project; default: all")]
OfType = Annotated[MemoryType | None, Field(description="Only memories of this type")]
Tag = Annotated[str, Field(min_length=1)]


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


K = Annotated[int, Field(ge=0, le=recall.MOST, description="Number of results"), WHOLE]


class StoreResult(TypedDict):
    """The answer of store_memory."""

    id: str
    status: Literal["stored", "duplicate"]
    content_hash: str
    graph_node_created: bool


class ScoreBreakdown(TypedDict):
    """The eight components of a score, each 0..1, before the weights."""

    vector_similarity: float
    graph_strength: float
    token_overlap: float
    temporal: float
    tag_matching: float
    importance: float
    confidence: float
    recency: float


class RecallHit(TypedDict):
    """One hit of recall_memory."""

    id: str
    content: str
    memory_type: str
    importance: float
    score: float
    score_breakdown: ScoreBreakdown
    tags: list[str]
    namespace: NotRequired[str]
    kind: str
    access_count: int
    created_at: str


class UpdateResult(TypedDict):
    """The answer of update_memory."""

    id: str
    updated: bool
    content_hash: str


class DeleteResult(TypedDict):
    """The answer of delete_memory."""

    id: str
    deleted: bool


class Relation(TypedDict):
    """The answer of associate_memories."""

    source: str
    target: str
    relationship: str
    weight: float


class Node(TypedDict):
    """One node of graph_traverse."""

    id: str
    kind: str
    label: str
    depth: int
    path: list[str]
    memory_id: NotRequired[str]


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
    importance: float
    confidence: float
    tags: list[str]
    namespace: str | None
    metadata: dict[str, Any]
    replaced: NotRequired[bool]
    created_at: str
    updated_at: str
    access_count: int
    last_accessed_at: str | None
    session: str
    position: int
    edges: list[dict[str, Any]]


class ImportProblem(TypedDict):
    """One item that was not taken whole: its place in the list, from 0, and why."""

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
        "memory_type": {"type": "string", "default": "context"},
        "importance": {"type": "number", "default": 0.5, "minimum": 0, "maximum": 1},
        "confidence": {"type": "number", "default": 1.0, "minimum": 0, "maximum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
        "namespace": {"type": ["string", "null"]},
        "metadata": {"type": "object"},
    },
}


@tool("memory", "Store a memory", writes=True, idempotent=True)
def store_memory(
    ctx: Context,
    content: Content,
    memory_type: Annotated[MemoryType, Field(description="What kind of knowledge it is")] = "context",
    importance: Annotated[Fraction, Field(description="0 (trivia) to 1 (must not be forgotten)")] = 0.5,
    tags: Annotated[list[Tag], Field(description="Searchable tags; hierarchical ones as a:b:c")] = [],  # noqa: B006
    namespace: Namespace = None,
    links: Annotated[list[Tag], Field(description="IDs of existing nodes to relate it to (RELATES_TO)")] = [],  # noqa: B006
    file_name: Annotated[str | None, Field(min_length=1, description="Store as a document of this name")] = None,
    resource_type: Annotated[str | None, Field(min_length=1, description="Type of the document")] = None,
) -> StoreResult:
    """Remember something for later sessions: a decision and its reason, a pattern, a preference, a pitfall.

    Call it when something was learned that the code does not say. Write one self-contained statement. The same
    content twice in a project is kept once (status `duplicate`). Secrets are redacted before storing. Returns the id.
    """
    if file_name is not None or resource_type is not None:
        given = "file_name" if file_name is not None else "resource_type"
        raise InvalidInput(
            f"{given} stores a document, and this version keeps memories only; leave it out to store a memory"
        )
    stored = memories.store(ctx, memories.NewMemory(content, memory_type, importance, tags, namespace, links))
    status: Literal["stored", "duplicate"] = "stored" if stored["status"] == "stored" else "duplicate"
    return {
        "id": stored["id"],
        "status": status,
        "content_hash": stored["content_hash"],
        "graph_node_created": status == "stored",
    }


@tool("memory", "Recall memories")
def recall_memory(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, description="What you want to know, in natural language or code")],
    k: K = 10,
    memory_type: OfType = None,
    namespace: ReadNamespace = None,
) -> list[RecallHit]:
    """Find what was learned before, best first. Call it at the start of a task, before a decision, and at an error.

    Names of functions, files and errors help; so do times ("last week"). Each hit has its `kind` and how its score
    came about. Returns [] where nothing relevant is known.
    """
    found = recall.recall(ctx, recall.Query(query, k, memory_type, namespace))
    hits: list[RecallHit] = [shapes.hit(hit) for hit in found]  # type: ignore[misc]
    return hits


@tool("memory", "Update a memory", writes=True, destructive=True, idempotent=True)
def update_memory(
    ctx: Context,
    id: Id,
    content: Annotated[str, Field(min_length=1, description="New content (replaces the old)")],
    importance: Annotated[Fraction | None, Field(description="New importance, 0 to 1; default: unchanged")] = None,
) -> UpdateResult:
    """Correct a memory that is wrong or out of date: its content, and its importance if given.

    The old state can be brought back for 30 days (`indelible undo`). A content that another memory of the project
    has already is refused, naming that one.
    """
    changed = memories.update(ctx, id, content, importance)
    return {"id": changed["id"], "updated": True, "content_hash": changed["content_hash"]}


@tool("memory", "Delete a memory", writes=True, destructive=True)
def delete_memory(ctx: Context, id: Id) -> DeleteResult:
    """Delete a memory and its relations when it is wrong and worth nothing as history.

    It can be brought back for 30 days (`indelible undo`). To replace a memory use update_memory instead.
    """
    return {"id": memories.delete(ctx, id), "deleted": True}


@tool("memory", "Relate two memories", writes=True, destructive=True, idempotent=True)
def associate_memories(
    ctx: Context,
    source_id: Annotated[str, Field(min_length=1, description="Source memory/node ID")],
    target_id: Annotated[str, Field(min_length=1, description="Target memory/node ID")],
    relationship: Annotated[
        Relationship, BeforeValidator(_upper), Field(description="How the source relates to the target")
    ],
    weight: Annotated[float, Field(description="Edge weight")] = 1.0,
) -> Relation:
    """Create a typed relation from one memory (or any other node) to another; recall follows it.

    LEADS_TO for consequences, EVOLVED_INTO or SUPERSEDES where one replaces the other, CONTRADICTS for conflicts.
    Done again it only replaces the weight.
    """
    made = relations.associate(ctx, source_id, target_id, relationship, weight)
    return Relation(**made)


@tool("memory", "Walk the graph")
def graph_traverse(
    ctx: Context,
    start_id: Annotated[str, Field(min_length=1, description="Starting node ID")],
    max_depth: Annotated[int, Field(ge=0, le=100, description="Maximum number of relations from the start"), WHOLE] = 2,
    algorithm: Annotated[Literal["bfs", "dfs"], Field(description="Breadth first or depth first")] = "bfs",
) -> list[Node]:
    """Follow relations from a node in both directions to see what a decision led to or rests on.

    Returns each node once with its depth and the path of ids to it, the start first; heavier relations come first.
    """
    return [_node(step) for step in relations.traverse(ctx, start_id, max_depth, algorithm)]


def _node(step: relations.Step) -> Node:
    node: Node = {
        "id": step.record.key,
        "kind": step.record.kind,
        "label": relations.label_of(step.record),
        "depth": step.depth,
        "path": list(step.path),
    }
    if step.record.kind == "memory":
        node["memory_id"] = step.record.key
    return node


@tool("memory", "Statistics")
def codemem_stats(ctx: Context) -> Stats:
    """Count what is stored: memories, embeddings, nodes by kind, relations by type. Takes no arguments."""
    counted: Stats = statistics.stats(ctx)  # type: ignore[assignment]
    return counted


@tool("memory", "Health")
def codemem_health(ctx: Context) -> Health:
    """Check every subsystem (storage, vector, graph, embeddings); each says `ok` or what is wrong. No arguments."""
    checked: Health = statistics.health(ctx)  # type: ignore[assignment]
    return checked


@tool("memory", "Export memories")
def export_memories(
    ctx: Context,
    namespace: ReadNamespace = None,
    memory_type: OfType = None,
    limit: Annotated[int, Field(ge=0, description="Maximum number of memories"), WHOLE] = 100,
) -> list[ExportedMemory]:
    """Export memories as a JSON array with their relations, newest first, lossless: import_memories takes it back.

    For all records of all kinds use `indelible export` on the command line.
    """
    exported: list[ExportedMemory] = transfer.export_memories(ctx, namespace, memory_type, limit)  # type: ignore[assignment]
    return exported


@tool("memory", "Import memories", writes=True, idempotent=True, itemwise="memories")
def import_memories(
    ctx: Context,
    memories: Annotated[
        list[Any],
        Field(description="Memory objects, each with at least `content`", json_schema_extra={"items": _IMPORT_ITEM}),
    ],
) -> ImportResult:
    """Import memories from a JSON array, such as export_memories gives: ids, times, tags, metadata, relations.

    Known content is skipped, a bad item is reported with its index and the others are taken.
    """
    result = transfer.import_memories(ctx, memories)
    ctx.call.touched.extend(result["ids"])
    imported: ImportResult = result
    return imported
