"""The needs of a state that comes back: its id, name, content or signature, each of which a namespace has once."""

from dataclasses import replace

from indelible.core.context.context import Context
from indelible.core.records import item_schema
from indelible.errors import Conflict
from indelible.model import CODE_KINDS, Record
from indelible.store.database import Transaction
from indelible.store.tables import records, trash
from indelible.store.tables.trash import Discarded
from indelible.store.views import documents, solutions

LOOKED_AT = 200  # rows of the trash that are looked at in one transaction


def fitting(state: Record) -> Record:
    """Return an earlier state with the hash of its text: secrets may have been taken out of it since."""
    if state.kind not in item_schema.HASHED or not state.content_hash:  # a placeholder has none
        return state
    right = item_schema.content_hash(state.kind, state.type, state.text, state.metadata)
    return replace(state, content_hash=right)


def named_anew(tx: Transaction, old: Record) -> Record:
    """Return a deleted record without its name for other stores, to get a new one, where an import brought it again."""
    again = records.by_uid(tx, old.uid, old.kind, old.created) if old.uid else None
    return old if again is None else replace(old, uid="")


def is_stored_anew(tx: Transaction, old: Record) -> bool:
    """Whether another document has the name of one; a namespace has one of a name."""
    named = documents.named(tx, old.label) if old.kind == "document" and old.label else []
    return any(document.namespace == old.namespace and document.id != old.id for document in named)


def is_occupied(tx: Transaction, old: Record) -> bool:
    """Return whether another record has the id of one in its namespace, or is the same failure."""
    return bool(_occupied_by(tx, old) - {old.id})


def error(old: Record) -> Conflict:
    """Return the error that says that a record cannot be restored."""
    return Conflict(
        f"{old.kind} {old.key} cannot be restored: its id, name or content is taken by a newer one in namespace "
        f"{old.namespace!r}; delete or change that one first, or undo another operation by its id (`indelible history`)"
    )


def refuse(ctx: Context, operation: str) -> None:
    """Raise Conflict where something of an operation cannot come back: what it needs is taken, and not by its own."""
    own: set[int] = set()
    found: list[tuple[Record, set[int]]] = []
    last: Discarded | None = None
    while True:
        with ctx.store.read() as tx:
            things = trash.last_of_operation(tx, operation, LOOKED_AT, last)
            found += [(old, by) for thing in things if (by := _taken_by(tx, thing, old := fitting(thing.state)))]
        if not things:
            break
        for thing in things:
            own |= {thing.record, *thing.body.get("added", {}).get("records", ())}
        last = things[-1]
    for old, by in found:
        if not by <= own:
            raise error(old)


def _taken_by(tx: Transaction, thing: Discarded, old: Record) -> set[int]:
    """Return the other records that have now what a thing needs to come back: its id, name, content or signature."""
    if thing.action == "edge":
        return set()
    found = set() if old.kind in CODE_KINDS else _occupied_by(tx, old)
    if old.kind == "document" and old.label:
        found |= {each.id for each in documents.named(tx, old.label) if each.namespace == old.namespace}
    if old.kind == "memory" and not old.replaced and (same := records.by_content(tx, old.namespace, old.content_hash)):
        found.add(same.id)
    return found - {old.id}


def _occupied_by(tx: Transaction, old: Record) -> set[int]:
    """Return the records that have the id, or a failure's signature, of one in its namespace, which has one of each."""
    found = set(records.by_keys(tx, old.namespace, old.kind, [old.key]).values())
    if old.kind == solutions.FAILURE and old.content_hash:
        alike = solutions.by_signatures(tx, [old.content_hash])
        found |= {each.id for each in alike if each.namespace == old.namespace}
    return found
