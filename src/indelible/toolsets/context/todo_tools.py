"""Toolset `context`: todos."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets.context import todos
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

Limit = Annotated[int, Field(ge=1, le=100, description="Maximum todos"), WHOLE]


class AddResult(TypedDict):
    """The answer of add_todo."""

    success: Literal[True]
    todo_id: int
    title: str
    priority: int
    status: Literal["pending"]
    created_at: str


class Todo(TypedDict):
    """One todo."""

    todo_id: int
    title: str
    description: str
    priority: int
    status: todos.Status
    namespace: NotRequired[str]
    created_at: str
    completed_at: NotRequired[str]


class ListResult(TypedDict):
    """The answer of list_todos."""

    success: Literal[True]
    todos: list[Todo]
    total_count: int
    filtered_count: int


class SearchResult(TypedDict):
    """The answer of search_todos."""

    success: Literal[True]
    results: list[Todo]
    total_results: int


class CompleteResult(TypedDict):
    """The answer of complete_todo."""

    success: Literal[True]
    todo_id: int
    status: Literal["completed"]
    completed_at: str


@tool("context", "Add a todo", writes=True, in_project=True)
def add_todo(
    ctx: Context,
    title: Annotated[str, Field(min_length=1, description="What to do, in a line"), VISIBLE],
    description: Annotated[str, Field(description="Details")] = "",
    priority: Annotated[int, Field(ge=1, le=3, description="1 low, 2 medium, 3 high"), WHOLE] = 1,
) -> AddResult:
    """Store something to do that must outlive this session.

    Recall finds it too; complete_todo when it is done.
    """
    added = todos.add(ctx, title, description, priority)
    return {
        "success": True,
        "todo_id": added["number"],
        "title": visible(title),
        "priority": priority,
        "status": "pending",
        "created_at": time_text(added["created"]),
    }


@tool("context", "List todos")
def list_todos(
    ctx: Context,
    status: Annotated[Literal["all", "pending", "completed"], Field(description="Only these")] = "all",
    limit: Limit = 10,
) -> ListResult:
    """List todos: pending before completed, high priority first, then this project's, then newest.

    total_count counts all with that status.
    """
    found, total = todos.listed(ctx, None if status == "all" else status, limit)
    return {
        "success": True,
        "todos": [_todo(todo) for todo in found],
        "total_count": total,
        "filtered_count": len(found),
    }


@tool("context", "Search todos")
def search_todos(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, description="What it is about, or a part of its text"), VISIBLE],
    limit: Limit = 10,
) -> SearchResult:
    """Find todos by meaning and by words in title and description, pending or completed, best first."""
    found = [_todo(todo) for todo in todos.search(ctx, query, limit)]
    return {"success": True, "results": found, "total_results": len(found)}


@tool("context", "Complete a todo", writes=True, idempotent=True)
def complete_todo(
    ctx: Context, todo_id: Annotated[int, Field(description="From add_todo or list_todos"), WHOLE]
) -> CompleteResult:
    """Mark a todo as done; it stays, and `indelible undo` reopens it. Repeating it changes nothing."""
    done = todos.complete(ctx, todo_id)
    return {
        "success": True,
        "todo_id": done["number"],
        "status": "completed",
        "completed_at": time_text(done["completed"]),
    }


def _todo(todo: todos.Todo) -> Todo:
    shown: Todo = {
        "todo_id": number_of(todo.number) or 0,
        "title": visible(todo.title),
        "description": visible(todo.description),
        "priority": todo.priority,
        "status": todo.status,
        "created_at": time_text(todo.created),
    }
    if todo.namespace:
        shown["namespace"] = visible(todo.namespace)
    if todo.completed is not None:
        shown["completed_at"] = time_text(todo.completed)
    return shown
