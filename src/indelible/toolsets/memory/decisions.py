"""Chains of decisions: those about a file or a topic and those linked to them, in chronological order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from indelible.core.context import ids as context_ids
from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.recall.returned import returned
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Edge, Record
from indelible.search import file_paths, tokens
from indelible.search.file_paths import FilePath
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import code_links
from indelible.toolsets import shapes

# Imported late (start, cli): indelible.search.containing

CHAIN = ("EVOLVED_INTO", "LEADS_TO", "DERIVED_FROM")  # the relations that make decisions a chain
KIND, TYPE = "memory", "decision"
SLICE = 10_000  # records whose texts are looked through at a time

# --- Chains ---


@dataclass(frozen=True, slots=True)
class Connection:
    """A relation of a decision; `stale` is True where its target was removed from the source code."""

    relationship: str
    source: str
    target: str
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a chain with its relations to other decisions of the chain, then to code of the given file.

    `stands` is how it stands today, see `shapes.standings`.
    """

    record: Record
    connections: tuple[Connection, ...]
    stands: Mapping[str, Any] = field(default_factory=dict)


def decision_chain(ctx: Context, file_path: str | None, topic: str | None) -> list[Decision]:
    """Return the decisions about a file, a topic, or both, and all decisions linked to them, oldest first.

    A decision is about a file if it names the file, or is related to the file or to a symbol in it. Decisions are
    linked by EVOLVED_INTO, LEADS_TO and DERIVED_FROM in either direction, over any number of records of any kind and
    type. Only decisions are in the chain; connections are relations between two of them, and the code of the file that
    they name. Ties are ordered by key; there is no limit. Counts an access of each. Raises InvalidInput if neither a
    file nor a topic is given.
    """
    if file_path is None and topic is None:
        raise InvalidInput("file_path or topic is required: give the path of a file, words of a topic, or both")
    with ctx.store.read() as tx:
        files = [] if file_path is None else _files(ctx, tx, file_path)
        found = _matching(ctx, tx, file_path, files, topic)
        chain = _linked(ctx, tx, found) if found else []
        relations = edges.among(tx, [record.id for record in chain], CHAIN)
        named = _named_code(ctx, tx, [record.id for record in chain], files)
        stand = shapes.standings(ctx, tx, chain)
    returned(ctx, chain)
    return [replace(each, stands=stand[each.record.id]) for each in _connected(chain, relations, named)]


def _linked(ctx: Context, tx: Transaction, found: Iterable[int]) -> list[Record]:
    """Return the given decisions and those reachable from them, oldest first."""
    everything = records.by_ids(tx, _reachable(ctx, tx, set(found)))
    chain = [record for record in everything.values() if (record.kind, record.type) == (KIND, TYPE)]
    return sorted(chain, key=lambda record: (record.created, record.key, record.id))


def _reachable(ctx: Context, tx: Transaction, found: set[int]) -> list[int]:
    """Return the row ids reachable from the found records along relations that the caller may see."""
    every = edges.reachable(tx, found, CHAIN)
    hidden = visibility.hidden(ctx, tx, every)
    if not hidden:
        return every
    beside: dict[int, set[int]] = {}
    for edge in edges.among(tx, [record for record in every if record not in hidden], CHAIN):
        beside.setdefault(edge.source, set()).add(edge.target)
        beside.setdefault(edge.target, set()).add(edge.source)
    reached, waiting = set(found), list(found)
    while waiting:
        fresh = beside.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return sorted(reached)


def _named_code(ctx: Context, tx: Transaction, ids: Sequence[int], files: Sequence[int]) -> dict[int, list[Connection]]:
    """Return, by decision, the connections to code of the files that its text names by path or by symbol name."""
    code = {*files, *code_links.in_files(tx, files)} if files and ids else set()
    links = [link for link in code_links.of_sources(tx, ids) if link.by_mention] if code else []
    keys = records.keys_of(tx, {end for link in links for end in (link.source, link.target)})
    found: dict[int, list[Connection]] = {}
    for link in links:
        if link.target in code:
            source, target = (context_ids.shown_key(*keys[end]) for end in (link.source, link.target))
            found.setdefault(link.source, []).append(Connection(link.relation, source, target, link.gone))
    return {source: sorted(some, key=lambda each: each.target) for source, some in found.items()}


def _connected(
    chain: Sequence[Record], relations: Iterable[Edge], named: dict[int, list[Connection]]
) -> list[Decision]:
    """Return the chain with the relations of each decision: by source, target and name, then those to code."""
    place = {record.id: at for at, record in enumerate(chain)}
    of: list[list[Connection]] = [[] for _ in chain]
    for edge in sorted(relations, key=lambda edge: (place[edge.source], place[edge.target], edge.canonical)):
        source, target = place[edge.source], place[edge.target]
        shown = Connection(edge.canonical, chain[source].key, chain[target].key)
        for end in (source, target):
            of[end].append(shown)
    return [
        Decision(record, tuple(dict.fromkeys([*mine, *named.get(record.id, ())])))
        for record, mine in zip(chain, of, strict=True)
    ]


# --- What is about a file or a topic ---


def _matching(
    ctx: Context, tx: Transaction, file_path: str | None, files: Sequence[int], topic: str | None
) -> set[int]:
    """Return the row ids of the decisions that are about the file and the topic, where given."""
    from indelible.search import containing

    with ctx.indexes.records.current(tx) as caches:
        if topic is None:
            ids = containing.of_type(caches.words, KIND, TYPE)
        else:
            ids = containing.having(caches.words, KIND, TYPE, _asked_words(topic))
    if topic is not None:
        ids = _saying(ctx, tx, ids, topic)
    return set(ids) if file_path is None else _about_file(ctx, tx, ids, file_path, files)


def _asked_words(topic: str) -> list[tuple[frozenset[str], ...]]:
    """Return, for each word of a topic, the alternative sets of index terms, one of which a text must have.

    An identifier matches as a whole or in its parts. Function words count only if the topic has no other words.
    """
    asked: dict[tuple[frozenset[str], ...], bool] = {}
    for run in re.findall(r"\w+", topic):
        found = tuple(tokens.words(run))
        if found:
            is_identifier = run.isascii() and len(found) > 1
            alternatives = (frozenset(found[:-1]), frozenset(found[-1:])) if is_identifier else (frozenset(found),)
            asked[alternatives] = any(tokens.is_telling(word) for word in found)
    return [alternatives for alternatives, telling in asked.items() if telling] or list(asked)


def _saying(ctx: Context, tx: Transaction, ids: Sequence[int], topic: str) -> list[int]:
    """Return the ids whose content or tags really have the words: terms can collide, and names are indexed too."""
    asked = _asked_words(topic)
    found = []
    for at in range(0, len(ids), SLICE):
        for record, text, tags, _ in records.containing(tx, ids[at : at + SLICE], ""):
            there = set(tokens.words("\n".join([text, *tags])))
            if all(any(every <= there for every in alternatives) for alternatives in asked):
                found.append(record)
    return found


def _files(ctx: Context, tx: Transaction, file_path: str) -> list[int]:
    """Return the row ids of the file records that a path may refer to."""
    path = file_paths.parse(file_path)
    if path is None:
        return []
    return [
        record
        for record, key in records.named(tx, "file", _searchable(path))
        if len(own := file_paths.normal(key)) in file_paths.mentions(path, own)
    ]


def _searchable(path: FilePath) -> str:
    """Return the longest part of a file name that is the same in JSON and in every normal form of Unicode."""
    return max(re.findall(r"[ !#-\[\]-~]+", path.name), key=len, default="")


def _about_file(ctx: Context, tx: Transaction, ids: Sequence[int], file_path: str, files: Sequence[int]) -> set[int]:
    """Return the ids that name the file in content, tags or metadata, or are related to it or to a symbol in it."""
    path = file_paths.parse(file_path)
    if path is None:
        return set()
    found, part = set(), _searchable(path)
    for at in range(0, len(ids), SLICE):
        for record, text, tags, metadata in records.containing(tx, ids[at : at + SLICE], part):
            if any(_mentions(path, said) for said in (text, *tags, *_strings(metadata))):
                found.add(record)
        if files:
            found.update(source for source, *_ in code_links.about(tx, ids[at : at + SLICE], files, files))
    linked = {each.id for each in edges.linked(tx, files, (KIND,), TYPE)}
    return found | linked.intersection(ids)


def _mentions(path: FilePath, text: str) -> bool:
    return any(file_paths.mentions(path, file_paths.normal(text)))


def _strings(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, the keys of objects included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
