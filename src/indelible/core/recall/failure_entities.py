"""Failures and their entities (error and fixes) in recall: the failure is returned in the entities' place."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from indelible.core.context.context import Context
from indelible.core.records import solution_fields
from indelible.core.records.dependents import captured
from indelible.core.records.solution_fields import ERROR, FIX
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import entities as stored
from indelible.store.views import solutions
from indelible.store.views.solutions import FAILURE

if TYPE_CHECKING:
    from indelible.search.relevance import Relevances

# Imported late (start, cli): indelible.search.failures, indelible.search.relevance


def replaced(
    ctx: Context,
    tx: Transaction,
    known: Mapping[int, Record],
    near: "Relevances",
    *,
    by_others: bool,
) -> "tuple[dict[int, Record], Relevances]":
    """Return the candidates with each failure entity replaced by its failure, with the greater relevance of the two.

    So a failure ranks no lower than its entities would and, with `by_others`, failures that are no candidates are read
    too: they are found by what only their entities contain, such as files.
    """
    failures = _failures_of(ctx, tx, known, by_others=by_others)
    if not failures:
        return dict(known), near
    from indelible.search.relevance import Relevances

    given = near.by_id()
    kept, relevance = dict(known), dict(given)
    for entity, those in failures.items():
        for failure in those:
            own = relevance.get(failure.id)
            if own is None or own.value < given[entity].value:
                relevance[failure.id] = given[entity]
            kept[failure.id] = failure
        del kept[entity], relevance[entity]
    return kept, Relevances.of(relevance)


def _failures_of(
    ctx: Context, tx: Transaction, known: Mapping[int, Record], *, by_others: bool
) -> dict[int, list[Record]]:
    """Return the failures, mostly one, of each entity among the records that is a failure's."""
    entities = [record for record in known.values() if record.kind == stored.KIND and record.type in (ERROR, FIX)]
    by_name: dict[str, dict[int, Record]] = {}
    _note(by_name, (record for record in known.values() if record.kind == FAILURE))
    strangers = [entity for entity in entities if entity.key not in by_name]
    if by_others and strangers:
        _note(by_name, _of_errors(ctx, tx, _errors(ctx, tx, strangers)))
    return {entity.id: list(by_name[entity.key].values()) for entity in entities if entity.key in by_name}


def _note(by_name: dict[str, dict[int, Record]], found: Iterable[Record]) -> None:
    for failure in found:
        for name in solution_fields.entity_names_of(failure):
            by_name.setdefault(name, {})[failure.id] = failure


def _errors(ctx: Context, tx: Transaction, entities: Sequence[Record]) -> list[Record]:
    """Return the errors among entities, and those that the fixes among them resolve."""
    fixes = {record.id for record in entities if record.type == FIX}
    found = edges.of_records(tx, sorted(fixes)) if fixes else []
    resolved = {edge.target for edge in found if edge.source in fixes and edge.canonical == "RESOLVES"}
    there = records.by_ids(tx, sorted(resolved)) if resolved else {}
    return [record for record in (*entities, *there.values()) if record.type == ERROR]


def _of_errors(ctx: Context, tx: Transaction, errors: Iterable[Record]) -> list[Record]:
    """Return the failures that wrote captures into errors, by their signatures."""
    from indelible.search import failures  # its expressions, which most recalls do not need

    signatures = {
        failures.signature(kind, message)
        for error in errors
        for kind, message in map(captured, stored.observations_of(error))
        if message
    }
    return solutions.by_signatures(tx, signatures) if signatures else []
