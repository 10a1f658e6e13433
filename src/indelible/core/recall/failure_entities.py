"""Failures in recall: each is returned once, in place of its entities and of the memories that it was recorded from."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from indelible.core.context.context import Context
from indelible.core.indexes.entity_index import telling_words
from indelible.core.records import solution_fields
from indelible.core.records.dependents import captured
from indelible.core.records.solution_fields import COMMAND, ERROR, FIX, RECORDED
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import entities as stored
from indelible.store.views import solutions
from indelible.store.views.solutions import FAILURE

if TYPE_CHECKING:
    from indelible.search.relevance import Relevance, Relevances

# Imported late (start, cli): indelible.search.failures, indelible.search.relevance


def replaced(
    ctx: Context,
    tx: Transaction,
    known: Mapping[int, Record],
    near: "Relevances",
    asked: str,
    *,
    by_others: bool,
) -> "tuple[dict[int, Record], Relevances, dict[int, int]]":
    """Return the candidates with each failure entity replaced by its failure, with the greater relevance of the two.

    So a failure ranks no lower than its entities would and, with `by_others`, failures that are no candidates are read
    too: they are found by what only their entities contain, such as files. A promoted memory and its failure are one,
    too: of the two that is left out which has no more words of the query `asked`. The third value is by row ids what
    stands for each candidate that is left out.
    """
    failures = _failures_of(ctx, tx, known, by_others=by_others)
    if not failures and not any(map(_is_recorded, known.values())):
        return dict(known), near, {}
    from indelible.search.relevance import Relevances

    given = near.by_id()
    kept, relevance, instead = dict(known), dict(given), dict[int, int]()
    for entity, those in failures.items():
        for failure in those:
            own = relevance.get(failure.id)
            if own is None or own.value < given[entity].value:
                relevance[failure.id] = given[entity]
            kept[failure.id] = failure
        del kept[entity], relevance[entity]
        instead[entity] = those[0].id
    instead |= _once(kept, relevance, asked)
    return kept, Relevances.of(relevance), instead


def _is_recorded(record: Record) -> bool:
    """Whether a record is a promoted memory whose failure was recorded with it."""
    return record.kind == "memory" and isinstance(record.metadata.get(RECORDED), str)


def _once(kept: dict[int, Record], relevance: "dict[int, Relevance]", asked: str) -> dict[int, int]:
    """Leave out what says nothing more of a promoted failure: its record, or memories that it was recorded from.

    Of those that are candidates the one stays that has most telling words of the query, and each other one that has
    telling words which those before lack. Of equals the failure, or a memory before it whose text a person changed. The
    first has the greatest relevance of all. Returned is what stands for each that is left out.
    """
    instead: dict[int, int] = {}
    failures = {record.key: record for record in kept.values() if record.kind == FAILURE}
    promoted: dict[str, list[Record]] = {}
    for record in kept.values():
        if _is_recorded(record) and record.metadata[RECORDED] in failures:
            promoted.setdefault(record.metadata[RECORDED], []).append(record)
    words = telling_words(asked) if promoted else frozenset()
    for failure, memories in promoted.items():
        changed = [memory for memory in memories if _is_changed(memory)]
        those = [*changed, failures[failure], *(memory for memory in memories if memory not in changed)]
        said = {record.id: words & telling_words(record.text) for record in those}
        first, *others = sorted(those, key=lambda record: -len(said[record.id]))
        relevance[first.id] = max((relevance[record.id] for record in those), key=lambda each: each.value)
        shown = set(said[first.id])
        for record in others:
            if said[record.id] <= shown:
                del kept[record.id], relevance[record.id]
                instead[record.id] = first.id
            shown |= said[record.id]
    return instead


def _is_changed(memory: Record) -> bool:
    """Whether a captured failure does not say its error and fix any more, as its text did when it was captured."""
    return not all(solution_fields.text_of(memory, name) in memory.text for name in ("error_message", "fix"))


def _failures_of(
    ctx: Context, tx: Transaction, known: Mapping[int, Record], *, by_others: bool
) -> dict[int, list[Record]]:
    """Return the failures, mostly one, of each entity among the records that is a failure's."""
    entities = [record for record in known.values() if record.kind == stored.KIND and _is_of_failure(record)]
    by_name: dict[str, dict[int, Record]] = {}
    _note(by_name, (record for record in known.values() if record.kind == FAILURE))
    strangers = [entity for entity in entities if entity.key not in by_name]
    if by_others and strangers:
        _note(by_name, _of_errors(ctx, tx, _errors(ctx, tx, strangers)))
    return {entity.id: list(by_name[entity.key].values()) for entity in entities if entity.key in by_name}


def _is_of_failure(entity: Record) -> bool:
    """Whether an entity may be a failure's: its error, a fix, or a command of which nothing else is known."""
    if entity.type == COMMAND:
        return stored.observations_of(entity) == [solution_fields.FAILED]
    return entity.type in (ERROR, FIX)


def _note(by_name: dict[str, dict[int, Record]], found: Iterable[Record]) -> None:
    for failure in found:
        for name in (*solution_fields.entity_names_of(failure), *solution_fields.command_names_of(failure)):
            by_name.setdefault(name, {})[failure.id] = failure


def _errors(ctx: Context, tx: Transaction, entities: Sequence[Record]) -> list[Record]:
    """Return the errors among entities, and those that the fixes among them resolve or the commands emit."""
    others = {record.id for record in entities if record.type != ERROR}
    found = edges.of_records(tx, sorted(others)) if others else []
    ends = {edge.target for edge in found if edge.source in others and edge.canonical in ("RESOLVES", "EMITS")}
    there = records.by_ids(tx, sorted(ends)) if ends else {}
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
