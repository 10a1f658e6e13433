"""Toolset `context`: how documents and other resources are related."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets.context.documents import links, resource_relations
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Text = Annotated[str, Field(min_length=1), VISIBLE]
DocumentId = Annotated[Text, Field(description="doc_N or file name")]
ResourceId = Annotated[Text, Field(description="resource_N, doc_N, file name, or kind:id")]


class LinkResult(TypedDict):
    """The answer of link_resources; the ids as they were given."""

    success: Literal[True]
    relationship_id: str
    source_id: str
    target_id: str
    relationship_type: str
    created_at: str


class Relationship(TypedDict):
    """One relation of a result of query_graph: its other end."""

    target_id: str
    relationship_type: str
    strength: float


class RelatedResource(TypedDict):
    """One result of query_graph."""

    resource_id: str
    content: str
    relationships: list[Relationship]
    relevance_score: float


class GraphResult(TypedDict):
    """The answer of query_graph."""

    success: Literal[True]
    query: str
    results: list[RelatedResource]
    total_results: int


class SimilarDocument(TypedDict):
    """One document similar to another."""

    document_id: str
    similarity_score: float
    relationship_type: Literal["similar_content"]


class AutoLinkResult(TypedDict):
    """The answer of auto_link_documents."""

    success: Literal[True]
    document_id: str
    links_created: int
    similar_documents: list[SimilarDocument]


class RelatedDocument(TypedDict):
    """One end of a relation; `path` are the ids that lead to it, from depth 2 on."""

    document_id: str
    relationship_type: str
    strength: float
    path: NotRequired[list[str]]


class RelationshipsResult(TypedDict):
    """The answer of get_document_relationships: lists under depth_1, depth_2 and so on."""

    success: Literal[True]
    document_id: str
    relationships: dict[str, list[RelatedDocument]]
    total_relationships: int
    max_depth_reached: int


@tool("context", "Link resources", writes=True, idempotent=True)
def link_resources(
    ctx: Context,
    source_id: ResourceId,
    target_id: ResourceId,
    relationship_type: Annotated[Text, Field(description="Of source to target: depends_on, related_to ...")],
) -> LinkResult:
    """Relate two resources: documents, memories or anything else that is stored.

    Repeating it changes nothing. An unknown id gets a placeholder.
    """
    made = resource_relations.link(ctx, source_id, target_id, relationship_type)
    return {
        "success": True,
        "relationship_id": f"rel_{made.number}",
        "source_id": visible(source_id),
        "target_id": visible(target_id),
        "relationship_type": visible(made.relation),
        "created_at": time_text(made.created),
    }


@tool("context", "Query the graph")
def query_graph(
    ctx: Context,
    query: Annotated[Text, Field(description="What it is about")],
    relationship_types: Annotated[list[Text] | None, Field(description="Only these, in any case")] = None,
) -> GraphResult:
    """Find resources about a query, at most 10, best first, with their relations in both directions."""
    results: list[RelatedResource] = [
        {
            "resource_id": found.id,
            "content": visible(found.text),
            "relationships": [
                {
                    "target_id": end.other,
                    "relationship_type": visible(end.relation),
                    "strength": end.strength,
                }
                for end in found.relations
            ],
            "relevance_score": found.relevance,
        }
        for found in resource_relations.query_graph(ctx, query, relationship_types)
    ]
    return {"success": True, "query": visible(query), "results": results, "total_results": len(results)}


@tool("context", "Link similar documents", writes=True, idempotent=True)
def auto_link_documents(
    ctx: Context,
    document_id: DocumentId,
    similarity_threshold: Annotated[float, Field(ge=0, le=1, description="Minimum similarity")] = 0.8,
) -> AutoLinkResult:
    """Link a document to all similar documents.

    Repeating it adds only new links. Shows all of them, most similar first; 0.6 finds documents on one subject, 0.9
    versions of one text.
    """
    linked = links.link_alike(ctx, document_id, similarity_threshold)
    return {
        "success": True,
        "document_id": linked["id"],
        "links_created": linked["created"],
        "similar_documents": [
            {
                "document_id": each["id"],
                "similarity_score": each["similarity"],
                "relationship_type": links.RELATION,
            }
            for each in linked["similar"]
        ],
    }


@tool("context", "Relationships of a document")
def get_document_relationships(
    ctx: Context,
    document_id: DocumentId,
    max_depth: Annotated[int, Field(ge=1, le=5, description="Maximum hops"), WHOLE] = 2,
) -> RelationshipsResult:
    """Show what a document is related to, directly and through others, in both directions, with the path of ids."""
    id_, depths = links.relations_of(ctx, document_id, max_depth)
    return {
        "success": True,
        "document_id": id_,
        "relationships": {
            f"depth_{depth}": [_related(step, depth) for step in steps] for depth, steps in enumerate(depths, 1)
        },
        "total_relationships": sum(map(len, depths)),
        "max_depth_reached": len(depths),
    }


def _related(step: links.Step, depth: int) -> RelatedDocument:
    shown: RelatedDocument = {
        "document_id": step.id,
        "relationship_type": visible(step.relation),
        "strength": step.strength,
    }
    if depth > 1:
        shown["path"] = list(step.path)
    return shown
