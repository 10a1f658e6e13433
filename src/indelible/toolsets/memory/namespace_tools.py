"""Toolset `memory`: namespaces, which are the projects that memories belong to."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.core.context.context import Context
from indelible.toolsets.memory import namespaces
from indelible.toolsets.registry import tool


class Namespace(TypedDict):
    """One namespace of list_namespaces."""

    name: str
    memory_count: int


class NamespaceList(TypedDict):
    """The answer of list_namespaces."""

    namespaces: list[Namespace]


class NamespaceStats(TypedDict):
    """The answer of namespace_stats."""

    namespace: str
    count: int
    avg_importance: float | None
    avg_confidence: float | None
    type_distribution: dict[str, int]
    tag_frequency: dict[str, int]
    oldest: str | None
    newest: str | None


class DeleteNamespaceResult(TypedDict):
    """The answer of delete_namespace."""

    namespace: str
    deleted: int
    namespaces: NotRequired[list[Namespace]]


@tool("memory", "List namespaces")
def list_namespaces(ctx: Context) -> NamespaceList:
    """List the projects that have memories, by name, with their counts; "" stands for no project."""
    return {"namespaces": [Namespace(**found) for found in namespaces.listed(ctx)]}


@tool("memory", "Namespace statistics")
def namespace_stats(
    ctx: Context, namespace: Annotated[str, Field(description="Name from list_namespaces")]
) -> NamespaceStats:
    """Describe one project's memories: count, mean importance and confidence, types, tags, oldest and newest.

    An unknown project has count 0.
    """
    return NamespaceStats(**namespaces.stats(ctx, namespace))


@tool("memory", "Delete a namespace", writes=True, destructive=True, idempotent=True, administers=True)
def delete_namespace(
    ctx: Context,
    namespace: Annotated[str, Field(min_length=1, description="Name from list_namespaces")],
    confirm: Annotated[bool, Field(description="Must be true")],
) -> DeleteNamespaceResult:
    """Delete all memories of a project with their relations, only if the user asked for it.

    Returns how many. `indelible undo` restores them within 30 days.
    """
    taken = namespaces.delete(ctx, namespace, confirm)
    answer = DeleteNamespaceResult(namespace=namespace, deleted=sum(taken.values()))
    if taken.keys() - {namespace}:  # other names of the project too
        answer["namespaces"] = [Namespace(name=name, memory_count=count) for name, count in taken.items()]
    return answer
