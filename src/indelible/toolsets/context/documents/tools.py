"""Toolset `context`: retrieval of documents by their chunks, and building context for a model."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.context.session import refuse_long
from indelible.model import Hit
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets import registry, shapes
from indelible.toolsets.context import routing
from indelible.toolsets.context.documents import context_building, passages
from indelible.toolsets.context.documents.passages import Passage
from indelible.toolsets.hit_shapes import Standing
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Asked = Annotated[str, Field(min_length=1), VISIBLE]
Conversation = Annotated[str | None, Field(min_length=1, description="Your conversation")]


class Origin(TypedDict):
    """Where a text comes from; a message has a conversation, and no file name."""

    file_name: str
    created_at: str
    conversation_id: NotRequired[str]


class Found(TypedDict):
    """The fields of every result of retrieve_memory."""

    resource_id: int
    content: str
    similarity_score: float
    resource_type: str
    metadata: Origin


class Chunk(Found):
    """One result of retrieve_memory that is a passage of a document."""

    chunk_id: int


class Message(Found):
    """One result of retrieve_memory that is a message of a conversation, and so has no chunk."""

    message_id: str


class Retrieved(TypedDict):
    """The answer of retrieve_memory."""

    success: Literal[True]
    results: list[Chunk | Message]
    total_results: int


class DocumentOrigin(TypedDict):
    """The name of a document and when it was first stored."""

    file_name: str
    created_at: str


class Document(TypedDict):
    """One result of retrieve_by_type: a document with its best chunk."""

    resource_id: int
    content: str
    similarity_score: float
    resource_type: str
    metadata: DocumentOrigin


class RetrievedByType(TypedDict):
    """The answer of retrieve_by_type."""

    success: Literal[True]
    results: list[Document]
    total_results: int
    query_type: str


class BuiltContext(TypedDict):
    """The answer of build_context."""

    success: Literal[True]
    context: str
    token_count: int
    documents_included: int
    documents_truncated: int


class KnownText(Standing):
    """One text of ask_with_context; `source` is a file name, or kind:id."""

    content: str
    source: str
    relevance: float


class AskResult(TypedDict):
    """The answer of ask_with_context."""

    success: Literal[True]
    question: str
    context: list[KnownText]
    token_count: int


class RoutedHit(Standing):
    """One text of route_query."""

    id: str
    kind: str
    content: str
    source: str
    relevance: float


class RouteResult(TypedDict):
    """The answer of route_query."""

    success: Literal[True]
    route: str
    confidence: float
    results: list[RoutedHit]


_BUILT_OF = {
    "type": "object",
    "properties": {
        "content": {"type": "string"},
        "id": {"type": ["string", "integer"]},
        "title": {"type": "string"},
    },
}


@tool("context", "Retrieve documents")
def retrieve_memory(
    ctx: Context,
    query: Annotated[Asked, Field(description="What you want to read about")],
    conversation_id: Conversation = None,
    top_k: Annotated[int, Field(ge=1, le=100, description="Maximum results"), WHOLE] = 10,
) -> Retrieved:
    """Find passages of stored documents and messages of conversations, by meaning and words, best first.

    A passage has a chunk_id, a message its message_id. Memories and solutions: recall_memory. [] means that nothing
    relevant is stored.
    """
    _check_conversation(conversation_id)
    found = [_passage(passage) for passage in passages.retrieve(ctx, query, top_k)]
    return {"success": True, "results": found, "total_results": len(found)}


@tool("context", "Retrieve documents of a type")
def retrieve_by_type(
    ctx: Context,
    query: Annotated[Asked, Field(description="What you want to read about")],
    doc_type: Annotated[str, Field(min_length=1, description="resource_type they were stored with")],
    top_k: Annotated[int, Field(ge=1, le=50, description="Maximum documents"), WHOLE] = 5,
) -> RetrievedByType:
    """Rank the documents of one type (code, document ...) by a query, each with its best passage."""
    found: list[Document] = []
    for passage in passages.by_type(ctx, query, doc_type, top_k):
        shown = _found(passage)
        found.append(
            {
                "resource_id": shown["resource_id"],
                "content": shown["content"],
                "similarity_score": shown["similarity_score"],
                "resource_type": shown["resource_type"],
                "metadata": {
                    "file_name": shown["metadata"]["file_name"],
                    "created_at": shown["metadata"]["created_at"],
                },
            }
        )
    return {"success": True, "results": found, "total_results": len(found), "query_type": visible(doc_type)}


@tool("context", "Build a context")
def build_context(
    ctx: Context,
    documents: Annotated[
        list[dict[str, Any]],
        Field(description="Texts, or ids of stored ones, best first", json_schema_extra={"items": _BUILT_OF}),
    ],
    max_tokens: Annotated[int, Field(ge=100, le=32_000, description="Maximum o200k tokens"), WHOLE] = 4000,
) -> BuiltContext:
    """Join documents into one text that never exceeds max_tokens, each under `# <title or id>`.

    They are whole while they fit; the first that does not is cut at a sentence's end, later ones are left out. Results
    of retrieve_memory can be passed unchanged.
    """
    built = context_building.build(ctx, documents, max_tokens)
    return {
        "success": True,
        "context": built.text,
        "token_count": built.tokens,
        "documents_included": built.included,
        "documents_truncated": built.truncated,
    }


@tool("context", "Ask with context")
def ask_with_context(
    ctx: Context,
    question: Annotated[Asked, Field(description="In your own words")],
    conversation_id: Conversation = None,
    context_limit: Annotated[int, Field(ge=1, le=50, description="Maximum texts"), WHOLE] = 10,
) -> AskResult:
    """Gather everything stored about a question: documents, messages, memories, solutions, todos.

    Answer from these texts; [] means that nothing relevant is stored. token_count is their sum.
    """
    _check_conversation(conversation_id)
    known = context_building.known_of(ctx, question, context_limit)
    names = passages.names_of(ctx, known.hits)
    context: list[KnownText] = [
        {
            "content": visible(hit.record.text),
            "source": _source(hit, names),
            "relevance": hit.score,
            **shapes.standing(hit),  # type: ignore[typeddict-item]
        }
        for hit in known.hits
    ]
    return {"success": True, "question": visible(question), "context": context, "token_count": known.tokens}


@tool("context", "Route a query")
def route_query(
    ctx: Context,
    query: Annotated[Asked, Field(description="What you want to know")],
    conversation_id: Conversation = None,
) -> RouteResult:
    """Say which tool suits a query best, judged by what is stored, and show what it would find.

    Call it when you do not know where to look; below a confidence of 0.5 use ask_with_context.
    """
    _check_conversation(conversation_id)
    found = routing.route(ctx, query, registry.offered(ctx.settings))
    names = passages.names_of(ctx, found.hits)
    results: list[RoutedHit] = [
        {
            "id": ids.shown(hit.record),
            "kind": hit.record.kind,
            "content": visible(hit.record.text),
            "source": _source(hit, names),
            "relevance": hit.score,
            **shapes.standing(hit),  # type: ignore[typeddict-item]
        }
        for hit in found.hits
    ]
    return {"success": True, "route": found.tool, "confidence": round(found.confidence, 2), "results": results}


def _check_conversation(conversation: str | None) -> None:
    if conversation is not None:
        refuse_long(conversation, "conversation_id")


def _source(hit: Hit, names: dict[int, str]) -> str:
    return visible(names.get(hit.record.id) or f"{hit.record.kind}:{hit.record.key}")


def _passage(passage: Passage) -> Chunk | Message:
    if passage.chunk is None:
        return {**_found(passage), "message_id": passage.record.key}
    return {**_found(passage), "chunk_id": passage.chunk}


def _found(passage: Passage) -> Found:
    origin: Origin = {"file_name": visible(passage.name), "created_at": time_text(passage.created)}
    if passage.conversation:
        origin["conversation_id"] = visible(passage.conversation)
    return {
        "resource_id": passage.resource,
        "content": visible(passage.record.text),
        "similarity_score": passage.similarity,
        "resource_type": visible(passage.type),
        "metadata": origin,
    }
