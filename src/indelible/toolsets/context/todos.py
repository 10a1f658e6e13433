"""Adding, listing, searching and completing todos.

A todo's type is its status and its text title, blank line, description. Its metadata holds `title`, `priority`, and
`completed` (microseconds since 1970 UTC) once it is. An import may have brought todos without these: they are read for
what they are.
"""

import unicodedata
from dataclasses import replace
from itertools import islice
from typing import Any, Literal, TypedDict

from indelible.core.context import numbers
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.recall import candidates, recall
from indelible.core.recall.returned import returned
from indelible.core.records import insert, trash
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import todos
from indelible.store.views.todos import TODO

Status = Literal["pending", "completed"]
PENDING: Status = "pending"
COMPLETED: Status = "completed"
LEAST_PRIORITY, MOST_PRIORITY = 1, 3
BETWEEN = "\n\n"  # a title and its description
LONGEST = 1 << 20  # bytes of both: what an export gives, an import takes


class Added(TypedDict):
    """A todo that was added: its number, and when (microseconds since 1970 UTC)."""

    number: int
    created: int


class Completed(TypedDict):
    """A todo that is completed: its number, and since when (microseconds since 1970 UTC)."""

    number: int
    completed: int


@dataclass(frozen=True, slots=True)
class Todo:
    """A todo as it is read; times are microseconds since 1970 UTC."""

    number: str
    title: str
    description: str
    priority: int
    status: Status
    namespace: str
    created: int
    completed: int | None


def add(ctx: Context, title: str, description: str, priority: int) -> Added:
    """Store a todo of the server's project. Raises InvalidInput if its texts together are too long."""
    text = f"{title}{BETWEEN}{description}" if description else title
    size = len(text.encode())
    if size > LONGEST:
        raise InvalidInput(f"title and description have {size:,} bytes together, at most {LONGEST:,} are allowed")
    text_terms = tokens.terms(text)

    def work(tx: Transaction) -> Added:
        (number,) = numbers.take(ctx, tx, 1)
        todo = insert.new(
            ctx,
            TODO,
            text,
            key=str(number),
            type=PENDING,
            namespace=namespace_to_write(ctx, tx, None),
            metadata={"title": title, "priority": priority},
        )
        insert.add(ctx, tx, todo, text_terms)
        return {"number": number, "created": todo.created}

    added = ctx.write(work)
    ctx.call.touched.append(f"{TODO}:{added['number']}")
    return added


def listed(ctx: Context, status: Status | None, limit: int) -> tuple[list[Todo], int]:
    """The first todos of a status (None: of any) and how many there are in all.

    Pending before completed, then the most urgent, then those of the own project, then the newest, then by row id.
    """
    with ctx.store.read() as tx:
        found = [todo for todo in todos.everything(tx) if status in (None, _status(todo.status))]
        own = ctx.scope(tx).own_among({todo.namespace for todo in found})
        found.sort(
            key=lambda todo: (
                _status(todo.status) == COMPLETED,
                -_priority(todo.priority),
                todo.namespace not in own,
                -todo.created,
                todo.id,
            )
        )
        known = records.by_ids(tx, [todo.id for todo in found[:limit]])
    shown = [known[todo.id] for todo in found[:limit]]
    _returned(ctx, shown)
    return [as_todo(record) for record in shown], len(found)


def search(ctx: Context, query: str, limit: int) -> list[Todo]:
    """Return the todos that match a query, as recall ranks them, then those containing its text, newest first."""
    hits = [hit.record for hit in recall.ranked(ctx, candidates.Query(query, limit, kinds=(TODO,)))]
    if len(hits) < limit:
        hits += _containing(ctx, query, {hit.id for hit in hits}, limit - len(hits))
    _returned(ctx, hits)
    return [as_todo(record) for record in hits]


def complete(ctx: Context, number: int) -> Completed:
    """Complete a todo; one that is completed stays as it is. Raises NotFound."""

    def work(tx: Transaction) -> Completed:
        old = _find(ctx, tx, number)
        since = _completed(old)
        if since is not None:
            return {"number": number, "completed": since}
        now = ctx.now()
        trash.keep(ctx, tx, old, "update")  # its words are what they were
        records.update(tx, replace(old, type=COMPLETED, metadata={**old.metadata, "completed": now}, updated=now))
        return {"number": number, "completed": now}

    done = ctx.write(work)
    ctx.call.touched.append(f"{TODO}:{number}")
    return done


def as_todo(record: Record) -> Todo:
    """Return a record as a todo."""
    given_title = record.metadata.get("title")
    title = (
        given_title
        if isinstance(given_title, str) and given_title and record.text.startswith(given_title)
        else record.text.split(BETWEEN, 1)[0]
    )
    return Todo(
        number=record.key,
        title=title,
        description=record.text[len(title) :].removeprefix(BETWEEN),
        priority=_priority(record.metadata.get("priority")),
        status=_status(record.type),
        namespace=record.namespace,
        created=record.created,
        completed=_completed(record),
    )


def _find(ctx: Context, tx: Transaction, number: int) -> Record:
    found = records.by_key(tx, str(number))
    todo = next((record for record in found if record.kind == TODO), None)
    if todo is not None:
        return todo
    what = f"is a {found[0].kind}, not a todo" if found else "is unknown"
    raise NotFound(f"todo_id {number} {what}; list_todos and search_todos name todos")


def _containing(ctx: Context, query: str, but: set[int], limit: int) -> list[Record]:
    part = _folded(query)
    with ctx.store.read() as tx:
        found = (todo for todo, text in todos.texts(tx) if todo not in but and part in _folded(text))
        ids = list(islice(found, limit))
        known = records.by_ids(tx, ids)
    return [known[todo] for todo in ids]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _returned(ctx: Context, shown: list[Record]) -> None:
    returned(ctx, shown, (f"{TODO}:{record.key}" for record in shown))


def _status(type_: str) -> Status:
    return COMPLETED if type_ == COMPLETED else PENDING


def _priority(given: Any) -> int:
    is_one = isinstance(given, int) and not isinstance(given, bool)
    return min(MOST_PRIORITY, max(LEAST_PRIORITY, given)) if is_one else LEAST_PRIORITY


def _completed(record: Record) -> int | None:
    """Return when a todo was completed; for an imported completed one without a time, its last change."""
    if _status(record.type) == PENDING:
        return None
    given = record.metadata.get("completed")
    return given if isinstance(given, int) and not isinstance(given, bool) else record.updated
