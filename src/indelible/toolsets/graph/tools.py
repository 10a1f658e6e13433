"""Toolset `graph`: the nine tools of the reference memory server, on the one store."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.sanitize.prompt_frame import json_text, visible
from indelible.sanitize.validate import is_blank
from indelible.toolsets import moments
from indelible.toolsets.graph import graph, search
from indelible.toolsets.graph.graph import Observed
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

LONGEST_QUERY = 2_048  # characters, as of the reference

Name = Annotated[str, Field(min_length=1)]
NewName = Annotated[str, Field(min_length=1), VISIBLE]


def _text_or_object(value: Any) -> Any:
    if not isinstance(value, (str, dict)):
        raise ValueError("an observation should be text or an object")  # worded as pydantic words its own
    return value


def _not_blank(value: Any) -> Any:
    if isinstance(value, str) and is_blank(value):
        raise ValueError("an observation should have at least one visible character")
    return _text_or_object(value)


# Pydantic alone would name each member of the union as a part of the argument.
Observation = Annotated[str | dict[str, Any], BeforeValidator(_text_or_object)]
NewObservation = Annotated[str | dict[str, Any], BeforeValidator(_not_blank)]


def _with_entity_type(value: Any) -> Any:
    """Accept `type` for `entityType`, as many agents write it."""
    if isinstance(value, dict) and "type" in value and "entityType" not in value:
        return {"entityType" if key == "type" else key: inner for key, inner in value.items()}
    return value


class NewEntity(TypedDict):
    """An entity to create."""

    name: NewName
    entityType: NewName
    observations: NotRequired[list[NewObservation]]


NewRelation = TypedDict(
    "NewRelation",
    {
        "from": Name,
        "to": Name,
        "relationType": NewName,
        "valid_from": NotRequired[moments.ValidFrom],
        "valid_to": NotRequired[moments.ValidTo],
    },
)
RelationGiven = TypedDict("RelationGiven", {"from": Name, "to": Name, "relationType": Name})


class Addition(TypedDict):
    """Observations to add to an entity."""

    entityName: Name
    contents: list[NewObservation]


class Deletion(TypedDict):
    """Observations to take from an entity: of any text, for an import takes blank ones too."""

    entityName: Name
    observations: list[Observation]


class Entity(TypedDict):
    """An entity."""

    name: str
    entityType: str
    observations: list[str]


Relation = TypedDict(
    "Relation",
    {
        "from": str,
        "to": str,
        "relationType": str,
        "valid_from": NotRequired[str],
        "valid_to": NotRequired[str],
        "validity": NotRequired[Literal["ended", "ahead"]],
    },
)


class Added(TypedDict):
    """The new observations of an entity."""

    entityName: str
    addedObservations: list[str]


class CreatedEntities(TypedDict):
    """The answer of create_entities."""

    entities: list[Entity]


class CreatedRelations(TypedDict):
    """The answer of create_relations."""

    relations: list[Relation]


class AddedObservations(TypedDict):
    """The answer of add_observations."""

    results: list[Added]


class Deleted(TypedDict):
    """The answer of the deletes."""

    success: Literal[True]
    message: str


class Graph(TypedDict):
    """Entities and relations."""

    entities: list[Entity]
    relations: list[Relation]


ENDS = Field(description="Entities by name")
Limit = Annotated[int | None, Field(ge=0, description="Maximum entities; default: all"), WHOLE]
Offset = Annotated[int, Field(ge=0, description="Entities to skip"), WHOLE]


def _indented(value: Any) -> str:
    return json_text(value, indent=2)


def _bare(value: Any) -> str:
    """Return the only list of an answer as JSON text, as the reference writes it."""
    (inner,) = value.values()
    return _indented(inner)


def _message(value: Deleted) -> str:
    return value["message"]


@tool("graph", "Create entities", writes=True, idempotent=True, text=_bare)
def create_entities(
    ctx: Context,
    entities: Annotated[
        list[Annotated[NewEntity, BeforeValidator(_with_entity_type)]], Field(description="Known names are skipped")
    ],
) -> CreatedEntities:
    """Create entities of the knowledge graph with their observations: one fact each, text or a JSON envelope.

    Stable keys (err#, cmd#, fix#, dep#, doc# ...) match existing entities; their type and envelopes are checked.
    Returns the new ones.
    """
    given: list[graph.Entity] = [
        {
            "name": each["name"],
            "entityType": each["entityType"],
            "observations": _texts(each.get("observations", [])),
        }
        for each in entities
    ]
    return {"entities": [_entity(each) for each in graph.create_entities(ctx, given)]}


@tool("graph", "Create relations", writes=True, idempotent=True, text=_bare)
def create_relations(ctx: Context, relations: Annotated[list[NewRelation], ENDS]) -> CreatedRelations:
    """Relate existing entities, in active voice: Fix RESOLVES Error, Command EMITS Error.

    Returns the new relations. A known one only takes times that are given ("" for none).
    """
    created = graph.create_relations(ctx, [*map(_timed, relations)])
    return {"relations": [_relation(each) for each in created]}


@tool("graph", "Add observations", writes=True, idempotent=True, text=_bare)
def add_observations(
    ctx: Context,
    observations: Annotated[list[Addition], Field(description="By entity; known ones are skipped")],
) -> AddedObservations:
    """Add observations to existing entities: a repeated error is one more error.capture of its entity.

    Returns what was new.
    """
    given = [Observed(each["entityName"], _texts(each["contents"])) for each in observations]
    added = graph.add_observations(ctx, given)
    results: list[Added] = [
        {"entityName": each["entityName"], "addedObservations": [visible(text) for text in each["addedObservations"]]}
        for each in added
    ]
    return {"results": results}


@tool("graph", "Delete entities", writes=True, destructive=True, idempotent=True, text=_message)
def delete_entities(
    ctx: Context, entityNames: Annotated[list[Name], Field(description="Unknown ones are skipped")]
) -> Deleted:
    """Delete entities with their relations.

    `indelible undo` restores them within 30 days.
    """
    graph.delete_entities(ctx, entityNames)
    return {"success": True, "message": "Entities deleted successfully"}


@tool("graph", "Delete observations", writes=True, destructive=True, idempotent=True, text=_message)
def delete_observations(
    ctx: Context, deletions: Annotated[list[Deletion], Field(description="By entity, each by its full text")]
) -> Deleted:
    """Delete single observations of entities that are wrong or out of date."""
    given = [Observed(each["entityName"], _texts(each["observations"])) for each in deletions]
    graph.delete_observations(ctx, given, visible)
    return {"success": True, "message": "Observations deleted successfully"}


@tool("graph", "Delete relations", writes=True, destructive=True, idempotent=True, text=_message)
def delete_relations(ctx: Context, relations: Annotated[list[RelationGiven], ENDS]) -> Deleted:
    """Delete single relations that are wrong or out of date; the entities stay."""
    graph.delete_relations(ctx, _pairs(relations))
    return {"success": True, "message": "Relations deleted successfully"}


@tool("graph", "Read the graph", text=_indented)
def read_graph(ctx: Context, limit: Limit = None, offset: Offset = 0) -> Graph:
    """Read all entities and relations, in order of creation.

    It can be long: prefer open_nodes and search_nodes.
    """
    return _graph(graph.read_graph(ctx, limit, offset))


@tool("graph", "Search entities", text=_indented, with_recipes=True)
def search_nodes(
    ctx: Context,
    query: Annotated[
        str, Field(max_length=LONGEST_QUERY, description="Text, a key, type:A|B, normalizedKey:k; empty: all")
    ],
    limit: Limit = None,
    offset: Offset = 0,
    as_of: moments.AsOf = None,
) -> Graph:
    """Find entities by a text in name, type or an observation, in any case, with their relations.

    If none has it, several words or a key find similar ones: other versions and paths, neighbours of a command or
    dependency, documents of a concept, then by meaning. Search before you create.
    """
    return _graph(search.search_nodes(ctx, query, limit, offset, moments.passed(as_of)))


@tool("graph", "Open entities", text=_indented)
def open_nodes(ctx: Context, names: Annotated[list[Name], Field(description="Exact names")]) -> Graph:
    """Read entities by their exact names, with their relations: best where the key is known."""
    return _graph(graph.open_nodes(ctx, names))


def _texts(observations: Sequence[Observation]) -> list[str]:
    return graph.texts(observations)


def _timed(given: NewRelation) -> graph.Relation:
    ends = _pairs([given])[0]
    return {**ends, "valid_from": given.get("valid_from"), "valid_to": given.get("valid_to")}


def _pairs(relations: Sequence[NewRelation | RelationGiven]) -> list[graph.Relation]:
    return [{"from": each["from"], "to": each["to"], "relationType": each["relationType"]} for each in relations]


def _graph(found: graph.Graph) -> Graph:
    return {
        "entities": [_entity(each) for each in found["entities"]],
        "relations": [_relation(each) for each in found["relations"]],
    }


def _entity(found: graph.Entity) -> Entity:
    """Return an entity as answers show it; its name stays unchanged, since it identifies the entity."""
    return {
        "name": found["name"],
        "entityType": visible(found["entityType"]),
        "observations": [visible(text) for text in found["observations"]],
    }


def _relation(found: graph.Relation) -> Relation:
    return {**found}  # type: ignore[typeddict-item]
