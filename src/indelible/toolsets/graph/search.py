"""Search in the knowledge graph: by a part of a text first, else by fallbacks.

The fallbacks are in the order of the reference's client policy: exact keys, selective fields, the key's stem, the
neighbours of a command or dependency, the documents of a concept, and finally the recall that all toolsets share.
"""

import json
import re
from collections.abc import Iterable, Sequence

from indelible.core.context.context import Context
from indelible.core.indexes.entity_index import Known, folded, telling_words
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.recall.returned import returned
from indelible.core.records import entities, past
from indelible.dataclass import dataclass
from indelible.graph import keys
from indelible.graph.envelopes import parse_observation
from indelible.model import Hit, Record
from indelible.store.database import Transaction
from indelible.store.views import entities as stored
from indelible.toolsets.graph import graph
from indelible.toolsets.graph.graph import Graph
from indelible.toolsets.graph.reading import AsOf, Present

_Entities = Present | AsOf

RANKED = 20  # entities that a ranking gives where no limit is given
SHARED = 2  # words that a query shares with a command or dependency, at least, if it does not hold all of its words

# `type:Error|Warning`, `normalizedKey:cannot find module 'x'`: a value goes on to the next field.
_FIELD = re.compile(r"(?<!\S)(type|entityType|name|normalizedKey):(?=\S)", re.IGNORECASE)


def search_nodes(
    ctx: Context, query: str, limit: int | None = None, offset: int = 0, as_of: int | None = None
) -> Graph:
    """Return the entities that a query finds, with the relations that have at least one end among them.

    Entities whose name, type or observations contain the query, in any case, come in the order of creation; "" finds
    everything. If there are none, a query of two or more words, a key or a field uses the fallbacks, best first.
    `as_of` searches what was there at that time, in microseconds since 1970. Raises InvalidInput for one before the
    store's history.
    """
    if query == "" and as_of is None:
        return graph.read_graph(ctx, limit, offset)
    with ctx.store.read() as tx:
        read = _reading(ctx, tx, as_of)
        found = _Found(read.ids()) if query == "" else _directly(read, query)
        if found.ids or not found.to_rank or limit == 0:
            return _answer(ctx, read, _part(found.ids, limit, offset))
    hits = _ranked(ctx, found, offset + (RANKED if limit is None else limit), as_of)
    chosen = [hit.record for hit in hits[offset:]]
    with ctx.store.read() as tx:
        read = _reading(ctx, tx, as_of)
        return graph.shown(chosen, read.relations_of([record.id for record in chosen]), read.time)


def _reading(ctx: Context, tx: Transaction, as_of: int | None) -> _Entities:
    return Present(ctx, tx) if as_of is None else AsOf(past.at(ctx, tx, as_of))


@dataclass(frozen=True, slots=True)
class _Found:
    """The ids found without ranking; if none, the words to rank by and the only ids that may be returned."""

    ids: Sequence[int]
    to_rank: str = ""
    among: frozenset[int] | None = None


def _ranked(ctx: Context, found: _Found, count: int, as_of: int | None) -> list[Hit]:
    return recall(ctx, Query(found.to_rank, count, kinds=(stored.KIND,), among=found.among, as_of=as_of))


def _part(found: Sequence[int], limit: int | None, offset: int) -> Sequence[int]:
    return found[offset:] if limit is None else found[offset : offset + limit]


def _answer(ctx: Context, read: _Entities, found: Sequence[int]) -> Graph:
    known = read.by_ids(found)
    ordered = [known[entity] for entity in found if entity in known]
    returned(ctx, ordered)
    return graph.shown(ordered, read.relations_of([record.id for record in ordered]), read.time)


def _goes_on(query: str) -> bool:
    """Return whether a query is specific enough for the fallbacks: a single unknown word finds nothing."""
    return len(query.split()) > 1 or keys.key_form(query.strip()) is not None or _FIELD.search(query) is not None


def _directly(read: _Entities, query: str) -> _Found:
    """Return the entities that contain the query, else those of the first fallback that finds any."""
    with read.texts() as known:
        found = known.containing(query)
        search = _Fallbacks(read, known, query.strip(), {folded(query): found})
        concept = search.concept()
        if concept or found or not _goes_on(query):
            return _Found(sorted({*found, *concept}))
        found = search.exact()
        fields = _fields(query)
        if fields and not found:
            return search.by_fields(fields)
        found = found or search.by_stem() or search.neighbours() or search.documents()
        return _Found(found, keys.stem(search.query) if keys.key_form(search.query) else search.query)


# --- Fields ---


def _fields(query: str) -> dict[str, str]:
    """Return the fields of a query with their values, under `""` the text before the first; {} if it has none."""
    found = list(_FIELD.finditer(query))
    if not found:
        return {}
    ends = [*(field.start() for field in found[1:]), len(query)]
    values = {"": query[: found[0].start()].strip()}
    for field, end in zip(found, ends, strict=True):
        name = "type" if field[1].lower() == "entitytype" else field[1].lower()
        values[name] = query[field.end() : end].strip()
    if "type" in values and "" in values:  # `type:A|B some words`: a type is one word
        values["type"], _, rest = values["type"].partition(" ")
        values[""] = f"{values['']} {rest}".strip()
    return values


# --- Fallbacks ---


@dataclass(frozen=True, slots=True)
class _Fallbacks:
    """The fallbacks for a query that no text contains; each returns row ids, [] for none.

    `sought` caches the case-folded parts that were searched with the ids found, since reading all texts is slow.
    """

    read: _Entities
    known: Known
    query: str
    sought: dict[str, list[int]]

    def exact(self) -> list[int]:
        """Return entities by key: the query's or that of an error with this message; else those that captured it."""
        named = self._named(_keys_of(self.query))
        form = keys.key_form(self.query)
        return named if named or form not in (None, "err#", "warn#") else self._capturing(self.query[len(form or "") :])

    def concept(self) -> list[int]:
        """Return the concept named by a query of several words, in any spelling, with its documents."""
        if len(self.query.split()) == 1 or not any(map(str.isalnum, self.query)):
            return []
        found = self._named([keys.concept_key(self.query)])
        return found and [*found, *self._documents_of(set(found))]

    def by_fields(self, fields: dict[str, str]) -> _Found:
        """Find the entities that have all fields; further words must be in a text, else they rank the entities."""
        found = set(self.known.names)
        if "type" in fields:
            types = {folded(name.strip()) for name in fields["type"].split("|")}
            found &= {entity for entity, type_ in self.known.types.items() if folded(type_) in types}
        if "name" in fields:
            found &= set(self._named([fields["name"]]))
        if "normalizedkey" in fields:
            found &= set(self._of_normalized_key(fields["normalizedkey"]))
        if not fields[""]:
            return _Found(sorted(found))
        holding = found & set(self.known.containing(fields[""]))
        return _Found(sorted(holding), fields[""] if len(fields[""].split()) > 1 else "", frozenset(found))

    def by_stem(self) -> list[int]:
        """Return entities whose keys have the query's stem (and its kind, of a key), else those that contain it."""
        sought, form = keys.stem(self.query), keys.key_form(self.query) or ""
        if not sought:
            return []
        stems = self.known.keys.stems
        same = stems.get(sought, set())
        if not same and len(sought.split()) >= SHARED:
            same = {entity for text, those in stems.items() if sought in text for entity in those}
            same = same or self._containing(sought)
        return sorted(entity for entity in same if self.known.names[entity].startswith(form))

    def neighbours(self) -> list[int]:
        """Return the neighbours of the command or dependency sharing most words with the query, the newest on a tie."""
        asked = telling_words(self.query)
        shared = [
            (count, entity)
            for form in ("cmd#", "dep#")
            for entity, count, has_no_others in self.known.keys.sharing(form, asked)
            if count >= SHARED or has_no_others
        ]
        if not shared:
            return []
        _, nearest = max(shared)
        found = self.read.relations_of([nearest])
        return sorted({end for relation in found for end in (relation.source, relation.target)} - {nearest})

    def documents(self) -> list[int]:
        """Return the concepts whose words are all in the query and the documents that refer to them."""
        asked = telling_words(self.query)
        concepts = {entity for entity, _, whole in self.known.keys.sharing("concept#", asked) if whole}
        found = {concept: self._documents_of({concept}) for concept in concepts}
        return sorted({each for concept, those in found.items() if those for each in (concept, *those)})

    def _documents_of(self, concepts: set[int]) -> set[int]:
        found = self.read.relations_of(concepts)
        return {each.source for each in found if each.canonical == "REFERENCES" and each.target in concepts}

    def _named(self, names: Iterable[str]) -> list[int]:
        found = self.read.named(map(entities.key_name, names))
        return [record.id for record in found.values()]

    def _of_normalized_key(self, key: str) -> list[int]:
        normalized = keys.normalized_key(key)
        return [*self._named(["err#" + normalized, "warn#" + normalized]), *self._capturing(key)]

    def _capturing(self, message: str) -> list[int]:
        """Return the entities of any name with a capture of a message."""
        normalized = keys.normalized_key(message)
        near = self._containing(message) | self._containing(normalized) if normalized else ()
        found = self.read.by_ids(near)
        return [record.id for record in found.values() if _captures(record, normalized)]

    def _containing(self, text: str) -> set[int]:
        """Return the entities that contain a text, also in the JSON of an envelope, where quotes are escaped."""
        found: set[int] = set()
        for part in {folded(text), folded(json.dumps(text, ensure_ascii=False)[1:-1])}:
            if part not in self.sought:
                self.sought[part] = self.known.containing(part)
            found.update(self.sought[part])
        return found


def _keys_of(query: str) -> list[str]:
    form = keys.key_form(query)
    if form in ("err#", "warn#"):
        return [query, form + keys.normalized_key(query[len(form) :])]
    if form is not None:
        return [query]
    normalized = keys.normalized_key(query)
    return [query, "err#" + normalized, "warn#" + normalized]


def _captures(record: Record, normalized: str) -> bool:
    read = (parse_observation(text).fields.get("normalizedKey") for text in stored.observations_of(record))
    return any(isinstance(key, str) and keys.normalized_key(key) == normalized for key in read)
