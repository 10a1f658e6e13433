"""Entities and their relations as a search reads them: as they are, or as they were at a time."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from indelible.core.context.context import Context
from indelible.core.context.write_scope import shared_namespace_to_read
from indelible.core.indexes.entity_index import Known
from indelible.core.records import entities
from indelible.core.records.past import Past
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import entities as stored
from indelible.store.views.entities import Content, Relation


@dataclass(frozen=True, slots=True)
class Present:
    """The entities as they are."""

    ctx: Context
    tx: Transaction

    @property
    def time(self) -> int:
        """Return the time, in microseconds since 1970."""
        return self.ctx.now()

    def ids(self) -> list[int]:
        """Return the row ids of all entities, in order of creation."""
        return [content.id for content in stored.contents(self.tx)]

    @contextmanager
    def texts(self) -> Iterator[Known]:
        """Yield the texts of all entities."""
        with self.ctx.indexes.entities.current(self.tx) as known:
            yield known

    def named(self, names: Iterable[str]) -> dict[str, Record]:
        """Return the entities of exactly those names by name, in order of creation."""
        return entities.named(self.ctx, self.tx, names)

    def by_ids(self, ids: Iterable[int]) -> dict[int, Record]:
        """Return the entities of those row ids."""
        return records.by_ids(self.tx, sorted(ids))

    def relations_of(self, ids: Iterable[int]) -> list[Relation]:
        """Return the relations between two entities that have an end among those, in order of creation."""
        return stored.relations_of(self.tx, ids)


class AsOf:
    """The entities as they were at a time: all of them are read, which takes a second for some 50,000."""

    def __init__(self, then: Past) -> None:
        self._then = then
        self.time = then.time
        current = (content.id for content in stored.contents(then.tx))
        self._entities = then.of_kinds([stored.KIND], current)

    def ids(self) -> list[int]:
        """Return the row ids of all entities, in order of creation."""
        return list(self._entities)

    @contextmanager
    def texts(self) -> Iterator[Known]:
        """Yield the texts of all entities."""
        known = Known()
        for record in self._entities.values():
            known.put(Content(record.id, record.key, record.type, tuple(stored.observations_of(record))))
        yield known

    def named(self, names: Iterable[str]) -> dict[str, Record]:
        """Return the entities of exactly those names by name, in order of creation."""
        wanted = set(names)
        space = shared_namespace_to_read(self._then.ctx, self._then.tx)
        return stored.by_name((each for each in self._entities.values() if each.key in wanted), space)

    def by_ids(self, ids: Iterable[int]) -> dict[int, Record]:
        """Return the entities of those row ids."""
        return {id_: self._entities[id_] for id_ in sorted(ids) if id_ in self._entities}

    def relations_of(self, ids: Iterable[int]) -> list[Relation]:
        """Return the relations between two entities that have an end among those, in order of creation."""
        known = self._entities
        return [
            Relation(
                edge.id,
                edge.source,
                edge.target,
                known[edge.source].key,
                known[edge.target].key,
                edge.relation,
                edge.canonical,
                edge.metadata,
            )
            for edge in self._then.relations_of(ids)
            if edge.source in known and edge.target in known
        ]
