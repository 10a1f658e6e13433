"""Records deleted along with a failure because nothing else uses them: the entities it wrote, and its files.

Entities of a failure are those of its error, its fixes and the commands that failed.
"""

from collections.abc import Collection

from indelible.core.context.context import Context
from indelible.core.records import solution_fields
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, source_files
from indelible.store.views import entities as stored
from indelible.store.views.solutions import FAILURE

# Imported late (start, cli): indelible.graph.envelopes


def of_failure(ctx: Context, tx: Transaction, failure: int) -> list[int]:
    """Return the row ids of records that a failure was stored with and that nothing else is related to."""
    there = records.by_ids(tx, [failure]).get(failure)
    if there is None or there.kind != FAILURE:
        return []
    ends = [edge.target for edge in edges.of_records(tx, [failure]) if edge.source == failure]
    found = records.by_ids(tx, ends).values()
    files = [r.id for r in found if r.kind == "file" and r.created >= there.created]
    indexed = source_files.by_records(tx, files)
    alone = [f for f in files if f not in indexed and len(edges.of_records(tx, [f])) == 1]
    return [*unused_entities(ctx, tx, {failure}), *alone]


def unused_entities(ctx: Context, tx: Transaction, going: Collection[int]) -> list[int]:
    """Return the failure entities among the records `going` (about to be deleted) that nothing else uses: they go too.

    An entity stays if another failure has it too, if it has other observations, or if a record that stays is related to
    it.
    """
    known = records.by_ids(tx, sorted(going))
    names = {name for r in known.values() if r.kind == FAILURE for name in names_of(r)}
    if not names:
        return []
    every = stored.named(tx, names)
    for failure in records.newest(tx, FAILURE, None):
        if failure.id not in going:
            names.difference_update(names_of(failure))
    only = {entity.id for entity in every.values() if entity.key in names and is_written_only(entity)}
    # A fix goes though the error that it resolves may stay. A command that others wrote holds what they related it to.
    goes = {*going, *(entity.id for entity in every.values() if not _is_of_others(entity))}
    found = edges.of_records(tx, sorted(only))
    held = {end for edge in found for end in (edge.source, edge.target) if not {edge.source, edge.target} <= goes}
    return sorted(only - held)


def is_used(tx: Transaction, entity: Record) -> bool:
    """Whether several failures have an entity, it has other observations, or something else is related to it."""
    owners = [each for each in records.newest(tx, FAILURE, None) if entity.key in names_of(each)]
    if len(owners) > 1 or not is_written_only(entity):
        return True
    own = {each.id for each in stored.named(tx, {name for each in owners for name in names_of(each)}).values()}
    return any(not {edge.source, edge.target} <= own for edge in edges.of_records(tx, [entity.id]))


def written_since(tx: Transaction, failure: Record, since: int) -> list[Record]:
    """Return the entities of a failure that were written since a time, in microseconds since 1970."""
    return [entity for entity in stored.named(tx, names_of(failure)).values() if entity.created >= since]


def emitted_since(tx: Transaction, failure: Record, since: int) -> list[Edge]:
    """Return the relations that were written since a time to a failure's error, from commands that are older.

    Of a failure that is not older itself only those of commands that no failure wrote: others go with its error.
    """
    named = stored.named(tx, names_of(failure)).values()
    older = [entity for entity in named if entity.type == solution_fields.COMMAND and entity.created < since]
    commands = {entity.id for entity in older if failure.created < since or _is_of_others(entity)}
    found = edges.of_records(tx, sorted(commands)) if commands else []
    return [edge for edge in found if edge.source in commands and edge.canonical == "EMITS" and edge.created >= since]


def related_since(tx: Transaction, failure: Record, since: int) -> list[Edge]:
    """Return the relations of a failure to files, and of its entities to each other, that were written since a time.

    Those of entities that were written since are not among them: they go with these.
    """
    own = stored.named(tx, names_of(failure)).values()
    before = {failure.id, *(entity.id for entity in own if entity.created < since)}
    found = [edge for edge in edges.of_records(tx, sorted(before)) if edge.created >= since and edge.source in before]
    files = {r.id for r in records.by_ids(tx, [edge.target for edge in found]).values() if r.kind == "file"}
    return [edge for edge in found if edge.target in (files if edge.source == failure.id else before)]


def names_of(failure: Record) -> list[str]:
    """Return the names of the entities of a failure: its error, its fixes and the commands that failed."""
    return [*solution_fields.entity_names_of(failure), *solution_fields.command_names_of(failure)]


def _is_of_others(entity: Record) -> bool:
    """Whether an entity is a command that no failure wrote."""
    return entity.type == solution_fields.COMMAND and solution_fields.FAILED not in stored.observations_of(entity)


def is_written_only(entity: Record) -> bool:
    """Whether an entity says no more than failures wrote."""
    return not _is_of_others(entity) and all(map(_is_written, stored.observations_of(entity)))


def _is_written(observation: str) -> bool:
    """Whether an observation may be one that a failure wrote."""
    from indelible.graph.envelopes import parse_observation

    if observation == solution_fields.FAILED:
        return True
    return parse_observation(observation).envelope == "fix.apply" or bool(captured(observation)[1])


def captured(observation: str) -> tuple[str, str]:
    """Return the error's type and message that a failure captured, ("", "") for every other observation."""
    from indelible.graph.envelopes import parse_observation

    fields = parse_observation(observation).fields
    kind, message = fields.get("kind"), fields.get("message")
    if fields.get("detector") != solution_fields.DETECTOR or not isinstance(kind, str) or not isinstance(message, str):
        return "", ""
    return kind, message
