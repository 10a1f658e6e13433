"""Entities of the knowledge graph among the records, and the relations between two of them."""

import json
from collections.abc import Iterable
from typing import Any

from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import records

KIND = "entity"
NAMESPACE = ""  # the namespace of all entities; those of callers limited to namespaces are in the callers' own
ALL = 1 << 62  # a limit that is none


@dataclass(frozen=True, slots=True)
class Content:
    """The texts of an entity; `observations` as `observations_of` reads them."""

    id: int
    name: str
    type: str
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities: row ids and names of its ends, its name as given and in upper case, metadata."""

    id: int
    source: int
    target: int
    from_name: str
    to_name: str
    relation: str
    canonical: str
    metadata: dict[str, Any]


def observations_of(record: Record) -> list[str]:
    """Return the observations of an entity in order; one of another tool's import has its text as the only one."""
    return _observations(record.metadata, record.key, record.text)


def _observations(metadata: dict[str, object], name: str, text: str) -> list[str]:
    listed = metadata.get("observations")
    if isinstance(listed, list):
        return [each for each in listed if isinstance(each, str)]
    return [] if text in ("", name) else [text]


def named(tx: Transaction, names: Iterable[str], space: str = NAMESPACE) -> dict[str, Record]:
    """Return the existing entities of those names by name, in order of creation; of several that of `space`."""
    rows = tx.rows("entities.named", names=records.dump(sorted(set(names))))
    return by_name(map(records.from_row, rows), space)


def by_name(entities: Iterable[Record], space: str) -> dict[str, Record]:
    """Return entities by name, in order of creation; of several of one name that of `space`, else the first."""
    found: dict[str, Record] = {}
    for record in entities:
        if record.namespace == space != found.get(record.key, record).namespace:
            found[record.key] = record
        found.setdefault(record.key, record)
    return dict(sorted(found.items(), key=lambda item: item[1].id))


def page(tx: Transaction, limit: int = ALL, offset: int = 0) -> list[Record]:
    """All entities, or a part of them, in the order of creation."""
    return [records.from_row(row) for row in tx.rows("entities.page", limit=limit, offset=offset)]


def contents(tx: Transaction, ids: Iterable[int] | None = None) -> list[Content]:
    """Return the contents of all entities, or of those of the records that are entities, in the order of creation."""
    rows = tx.rows("entities.contents") if ids is None else tx.rows("entities.contents_of", ids=listed(ids))
    return [
        Content(id_, name, type_, tuple(_observations(json.loads(metadata), name, text)))
        for id_, name, type_, text, metadata in rows
    ]


def relations(tx: Transaction) -> list[Relation]:
    """Every relation between two entities, in the order of creation."""
    return [_relation(row) for row in tx.rows("entities.relations")]


def relations_of(tx: Transaction, ids: Iterable[int]) -> list[Relation]:
    """The relations between two entities that have at least one end among the records, in the order of creation."""
    given = listed(ids)
    if given == "[]":
        return []
    return [_relation(row) for row in tx.rows("entities.relations_of", ids=given)]


def _relation(row: Row) -> Relation:
    id_, source, target, from_name, to_name, relation, canonical, metadata = row
    known = {} if metadata == "{}" else json.loads(metadata)
    return Relation(id_, source, target, from_name, to_name, relation, canonical, known)
