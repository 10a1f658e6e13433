"""Deletion of records of any kind by their ids, together with the records that exist only for them."""

from collections.abc import Iterable, Sequence

from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.records import dependents, trash
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import CODE_KINDS, COMMIT, Record
from indelible.store.database import Transaction
from indelible.store.tables import records, symbols
from indelible.store.views.documents import key_of
from indelible.toolsets.context.documents import documents


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deleted record: its kind, its id (`kind:id` is unambiguous among kinds) and its text."""

    kind: str
    id: str
    text: str


def delete(ctx: Context, given: Sequence[str]) -> list[Deleted]:
    """Move the records of these ids to the trash as one operation, all or none; return each once, in the given order.

    A document is deleted with its chunks, a failure with the entities that it wrote and that nothing else uses. Raises
    NotFound for an unknown id, Conflict for an id that records of several kinds have, InvalidInput for a chunk and for
    indexed source code.
    """

    def work(tx: Transaction) -> list[Deleted]:
        found = {record.id: record for record in (named(ctx, tx, each) for each in given)}
        delete_records(ctx, tx, found.values())
        return [Deleted(record.kind, record.key, record.text) for record in found.values()]

    ctx.write_behind.before_deletion()
    deleted = ctx.write(work)
    ctx.call.touched.extend(each.id for each in deleted)
    return deleted


def delete_records(ctx: Context, tx: Transaction, found: Iterable[Record]) -> None:
    """Move records to the trash with what exists only for them; `write_behind.before_deletion` was called before."""
    going = set()
    for record in found:
        going.update([record.id, *(documents.chunks_of(ctx, tx, record) if record.kind == "document" else ())])
    going.update(dependents.unused_entities(ctx, tx, going))
    known = records.by_ids(tx, sorted(going))
    order = sorted(known.values(), key=lambda record: (not record.replaced, record.id))  # as delete_all wants it
    trash.delete_all(ctx, tx, [record.id for record in order])


def named(ctx: Context, tx: Transaction, given: str) -> Record:
    """Return the record that an id names for deletion. Raises as `delete` does."""
    record = ids.find(ctx, tx, "ID", given, ())
    if record.kind == "chunk":
        document = key_of(record.session)
        raise InvalidInput(f"ID {given!r} is a part of the document doc_{document}; delete that, or store it again")
    if record.kind == COMMIT:
        raise InvalidInput(f"ID {given!r} is a commit; it is deleted when it leaves git's history")
    if record.kind in CODE_KINDS and symbols.is_indexed(tx, record.id):
        raise InvalidInput(
            f"ID {given!r} is a {record.kind} of indexed source code; it is deleted when it leaves the source, and "
            "with `indelible purge` of its project"
        )
    return record
