"""The history of records: the operations of the trash, newest first."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypedDict

from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.errors import NotFound
from indelible.model import Edge
from indelible.store.database import Transaction
from indelible.store.tables import records, trash

NAMED = 10  # ids that are named of an operation
LOOKED_AT = 200  # records of an operation by which it is known whose project it concerns
PAGE = 50  # operations that are read at once


class Past(TypedDict):
    """One earlier state of a record; `who` is the caller that changed it, "" without a token."""

    operation: str
    tool: str
    who: str
    action: str
    kind: str
    id: str
    time: int
    undone: bool
    content: str


def history(ctx: Context, key: str | None = None, limit: int = 20) -> list[Past]:
    """Return earlier states of a record, or without an id the newest entries of the trash, newest first."""
    with ctx.store.read() as tx:
        found = _of_id(tx, key) if key else trash.recent(tx, limit)
        return [
            {
                "operation": thing.operation,
                "tool": thing.tool,
                "who": thing.who,
                "action": thing.action,
                "kind": thing.state.kind,
                "id": thing.key,
                "time": thing.time,
                "undone": thing.undone,
                "content": thing.state.text,
            }
            for thing in found
        ]


def _of_id(tx: Transaction, given: str) -> list[trash.Discarded]:
    return next(filter(None, (trash.of_key(tx, key) for key in ids.past_keys(tx, given))), [])


class Present(TypedDict):
    """A record as it is `there` now, or its last text where it is not."""

    kind: str
    id: str
    namespace: str
    content: str
    there: bool


def present(ctx: Context, keys: Iterable[str]) -> list[Present]:
    """Return the records of these ids as they are now, those that are gone as they were; none of an unknown one."""
    found: list[Present] = []
    with ctx.store.read() as tx:
        for key in keys:
            there = records.by_key(tx, key)
            gone = (thing for thing in trash.of_key(tx, key) if thing.action == "delete") if not there else ()
            for record in there or [thing.state for thing in islice(gone, 1)]:
                place, text = record.namespace, record.text
                found.append(
                    {"kind": record.kind, "id": key, "namespace": place, "content": text, "there": bool(there)}
                )
    return found


class Related(TypedDict):
    """A relation with the names of its ends, as it is `there` now, or was where it is not."""

    source: str
    relationship: str
    target: str
    weight: float
    there: bool


Relations = dict[tuple[int, str, int], Related]  # by the row ids of the ends


class Undone(TypedDict):
    """The result of an undo: the ids of the records that it restored or removed, and the relations.

    A relation that came or went with a record is not named.
    """

    operation: str
    tool: str
    restored: list[str]
    relations: list[Related]


def related(tx: Transaction, edges: Sequence[Edge], *, there: bool) -> Relations:
    """Return relations whose ends exist."""
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    names = {end: ids.name_of_key(*named) for end, named in records.keys_of(tx, ends).items()}
    return {
        (edge.source, edge.relation, edge.target): {
            "source": names[edge.source],
            "relationship": edge.relation,
            "target": names[edge.target],
            "weight": edge.weight,
            "there": there,
        }
        for edge in edges
        if edge.source in names and edge.target in names
    }


class Operation(TypedDict):
    """One call that deleted or overwrote records: the caller `who` ("" without a token), their number and first ids.

    `projects` are the namespaces of these first ones, `content` is the text of the very first.
    """

    operation: str
    time: int
    tool: str
    who: str
    action: str
    undone: bool
    count: int
    ids: list[str]
    projects: list[str]
    content: str


def operations(ctx: Context, limit: int, *, of_project: bool = False) -> list[Operation]:
    """Return calls that can be undone, or were, newest first; where a call did several things, `action` names each.

    With `of_project` only those that changed something of the project that the caller works in.
    """
    with ctx.store.read() as tx:
        if of_project:
            names = list(islice(_of_project(ctx, tx), limit))
        else:
            names = [named for named, _ in trash.operations(tx, limit)]
        found = [_operation(ctx, tx, named) for named in names]
    return [each for each in found if each is not None]


def newest_of_project(ctx: Context) -> str | None:
    """Return the newest call that changed something of the caller's project and is neither undone nor an undo."""
    with ctx.store.read() as tx:
        return next((named for named in _of_project(ctx, tx) if _can_be_undone(tx, named)), None)


def _of_project(ctx: Context, tx: Transaction) -> Iterator[str]:
    """Yield the operations that changed something of the project that the caller works in, newest first."""
    scope, below = ctx.scope(tx), 1 << 62
    while page := trash.operations(tx, PAGE, below):
        for named, _ in page:
            touched = {thing.state.namespace for thing in trash.first_of_operation(tx, named, LOOKED_AT)}
            if scope.own_among(touched):
                yield named
        below = page[-1][1]


def _can_be_undone(tx: Transaction, named: str) -> bool:
    return any(not thing.undone and thing.reverses != trash.REVERSES for thing in trash.last_of_operation(tx, named, 1))


def operation_of(ctx: Context, named: str) -> Operation | None:
    """Return what is known of a call, None where it changed nothing, or so long ago that it cannot be undone."""
    with ctx.store.read() as tx:
        return _operation(ctx, tx, named)


def _operation(ctx: Context, tx: Transaction, named: str) -> Operation | None:
    actions = trash.actions(tx, named)
    things = trash.first_of_operation(tx, named, NAMED)
    if not things:
        return None
    return {
        "operation": named,
        "time": things[0].time,
        "tool": things[0].tool,
        "who": things[0].who,
        "action": ", ".join(actions),
        "undone": things[0].undone,
        "count": sum(actions.values()),
        "ids": list(dict.fromkeys(thing.key for thing in things if thing.key)),
        "projects": sorted({thing.state.namespace for thing in things}),
        "content": things[0].state.text,
    }


def past_of(ctx: Context, given: str) -> list[Past]:
    """Return earlier states of a record, newest first. Raises NotFound where no record has or had that id."""
    past = history(ctx, given) if given else []
    if not past:
        with ctx.store.read() as tx:
            if not ids.candidates(ctx, tx, given):
                raise NotFound(
                    f"id {given!r} is unknown: no memory or earlier state has it; "
                    "`indelible history` lists what was changed or deleted"
                )
    return past
