"""Deleted records that were stored only for others, and go for good with these in a purge.

The trash and the history have it apart from them: parts of a document that was deleted or stored again, the entities of
a failure, a summary.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from indelible.core.context.context import Context
from indelible.core.records import dependents, trash
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import purge, records, versions
from indelible.store.views import documents, entities
from indelible.store.views.solutions import FAILURE
from indelible.toolsets.lifecycle.associate import ORIGIN

T = TypeVar("T")

CHUNK, MEMORY = "chunk", "memory"
SUMMARIZES = "SUMMARIZES"


def of(ctx: Context, tx: Transaction, ids: Collection[int], numbers: Iterable[str]) -> set[int]:
    """Return the row ids of the deleted dependents of records, which may be deleted too, by their row ids.

    `numbers` are the keys of the documents among them. An entity stays that another failure has, a deleted one too, or
    that says more than failures wrote.
    """
    sessions = {documents.session_of(number) for number in numbers}
    states = list(_states(tx))
    names = _entities_of(tx, ids, states)
    summaries = _summarizing(tx, ids)
    found = {
        state.id
        for state in states
        if (state.kind == CHUNK and state.session in sessions)
        or (state.kind == entities.KIND and state.key in names and dependents.is_written_only(state))
        or (state.id in summaries and is_summary(state))
    }
    return found - {id_ for some in _pages(found) for id_ in records.by_ids(tx, some)}


def is_summary(record: Record) -> bool:
    """Return whether a cycle made a memory of the sentences of others."""
    return record.kind == MEMORY and record.metadata.get("origin") == ORIGIN


def _states(tx: Transaction) -> Iterator[Record]:
    """Yield the last states of deleted records of the kinds that may depend on others, and of failures."""
    kinds = (CHUNK, MEMORY, entities.KIND, FAILURE)
    for kept in purge.trash(tx):
        if kept.state is not None and kept.action == "delete" and kept.version is None and kept.state.kind in kinds:
            yield kept.state
    ends = [(each.record, each.id) for each in versions.every(tx) if each.deleted and each.kind in kinds]
    for some in _pages(ends):
        yield from versions.states(tx, some).values()


def _entities_of(tx: Transaction, ids: Collection[int], states: Collection[Record]) -> set[str]:
    """Return the names of the entities that only failures of these row ids have."""
    own = [record for some in _pages(ids) for record in records.by_ids(tx, some).values() if record.kind == FAILURE]
    deleted = [state for state in states if state.kind == FAILURE]
    own += [state for state in deleted if state.id in ids]
    if not own:
        return set()
    others = [each for each in (*records.newest(tx, FAILURE, None), *deleted) if each.id not in ids]
    return _names(own) - _names(others)


def _names(failures: Iterable[Record]) -> set[str]:
    return {name for failure in failures for name in dependents.names_of(failure)}


def _summarizing(tx: Transaction, ids: Collection[int]) -> set[int]:
    """Return the row ids of the records that were related to some as their summaries."""
    relations = [edge for some in _pages(ids) for edge in versions.earlier_edges(tx, some)]
    relations += [edge for kept in purge.trash(tx) for edge in kept.edges]
    return {edge.source for edge in relations if edge.canonical == SUMMARIZES and edge.target in ids}


def _pages(items: Collection[T]) -> Iterator[list[T]]:
    listed = list(items)
    for at in range(0, len(listed), trash.TOGETHER):
        yield listed[at : at + trash.TOGETHER]
