"""Todos among the records: the type of a todo is its status, its own fields are in its metadata."""

import json
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Transaction

TODO = "todo"


@dataclass(frozen=True, slots=True)
class ListedTodo:
    """The fields of a todo that decide whether and where it is listed; an import may have brought any priority."""

    id: int
    namespace: str
    status: str
    created: int
    priority: Any


def everything(tx: Transaction) -> list[ListedTodo]:
    """Every todo, in no order."""
    rows = tx.rows("todos.all")
    return [ListedTodo(todo, where, status, at, json.loads(priority)) for todo, where, status, at, priority in rows]


def texts(tx: Transaction) -> list[tuple[int, str]]:
    """The text of every todo by its row id, the newest first."""
    return [(int(todo), str(text)) for todo, text in tx.rows("todos.texts")]
