"""Links from records to the source code that they are about, and the look-ups that find them.

A link is a relation EXPLAINS to a symbol or file. One made by a mention in a text has the origin `mention` in its
metadata, `name` as the text has it, and `stale` while its target is missing from the source. `was` is the target when
the text was written, and `now` what has become of it since, see `toolsets/code/link_states`.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from indelible.dataclass import dataclass
from indelible.model import Edge
from indelible.store.database import Row, Transaction, listed, once
from indelible.store.tables import edges, records

RELATION = "EXPLAINS"
ORIGIN, MENTION, INDEX = "origin", "mention", "index"
NAME, STALE, WAS, NOW = "name", "stale", "was", "now"
KINDS = ("memory", "solution", "failure", "message")  # whose texts make links
CODE = ("symbol", "file")
INDEXED = "any repository"  # what a transaction remembers, see `once`


class File(NamedTuple):
    """A file of a codebase."""

    record: int
    repository: int
    path: str
    gone: bool


class Symbol(NamedTuple):
    """A symbol of a codebase, and the path of its file."""

    record: int
    file: int
    qualified_name: str
    path: str
    is_test: bool
    gone: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A relation EXPLAINS to a symbol or file, of any origin.

    `tail` is that of a symbol (`symbols.tail_of`), `path` that of a file; "" for a record outside the index. `created`
    in microseconds since 1970 UTC.
    """

    id: int
    source: int
    target: int
    relation: str
    weight: float
    metadata: dict[str, Any]
    created: int
    tail: str
    path: str
    gone: bool

    @property
    def by_mention(self) -> bool:
        """Whether a mention in a text made it."""
        return self.metadata.get(ORIGIN) == MENTION


class Code(NamedTuple):
    """A symbol or file as the index has it.

    `name` is the qualified name of a symbol, "" of a file. `file` is the record of its file, at `path` below `root`,
    whose bytes have that `hash`, "" where it left the source; `size` in bytes, `modified` in nanoseconds. Lines count
    from 1, 0 for a file. `gone` is when it left the source (microseconds, 0: it is there), `moved` where a file went
    that was changed on its way, "" if that is not known.
    """

    record: int
    created: int
    name: str
    signature: str
    body_hash: str
    start_line: int
    end_line: int
    gone: int
    moved: str
    file: int
    path: str
    hash: str
    size: int
    modified: int
    root: str


class Text(NamedTuple):
    """A text that makes links; `updated` is when it was last written, or stored again (microseconds)."""

    record: int
    namespace: str
    text: str
    updated: int


class Changed(NamedTuple):
    """A record that was put, by the log of changes."""

    record: int
    kind: str
    namespace: str


# --- Targets of mentions ---


def any_repository(tx: Transaction) -> bool:
    """Whether any code is indexed; a transaction that only reads looks once."""
    return once(tx, INDEXED, lambda: bool(tx.rows("code_links.any_repository")))


def files_at(tx: Transaction, repositories: Iterable[int], paths: Iterable[str]) -> list[File]:
    """Return the files of those codebases with one of the paths, deleted ones too."""
    given = {"repositories": listed(repositories), "paths": records.dump(sorted(set(paths)))}
    return [_file(row) for row in tx.rows("code_links.files_at", **given)]


def files_below(tx: Transaction, repositories: Iterable[int], ends: Iterable[str], most: int) -> list[File]:
    """The files in directories of those codebases whose path ends so after a slash: at most `most` of each end."""
    given = {"repositories": listed(repositories), "ends": records.dump(sorted(set(ends)))}
    return [_file(row) for row in tx.rows("code_links.files_below", most=most, **given)]


def symbols_called(
    tx: Transaction, repositories: Iterable[int], starts: Iterable[str], most: int
) -> dict[str, list[Symbol]]:
    """Return the symbols of those codebases whose tail begins so, by that beginning, deleted ones too."""
    found: dict[str, list[Symbol]] = {}
    given = {"repositories": listed(repositories), "starts": records.dump(sorted(set(starts))), "most": most}
    for start, *row in tx.rows("code_links.symbols_called", **given):
        found.setdefault(str(start), []).append(_symbol(tuple(row)))
    return found


def symbols_of(tx: Transaction, files: Iterable[int]) -> list[tuple[str, Symbol]]:
    """The symbols of files, each with its tail."""
    rows = tx.rows("code_links.symbols_of", files=listed(files))
    return [(str(tail), _symbol(tuple(row))) for tail, *row in rows]


def in_files(tx: Transaction, files: Iterable[int]) -> list[int]:
    """Return the records of the symbols of files, deleted ones too."""
    return [int(record) for (record,) in tx.rows("code_links.in_files", files=listed(files))]


def names_of(tx: Transaction, ids: Iterable[int]) -> set[str]:
    """The names of those records that are symbols, each its last segment, and the paths of those that are files."""
    return {str(name) for (name,) in tx.rows("code_links.names_of", ids=listed(ids))}


def targets(tx: Transaction, ids: Iterable[int]) -> dict[int, Code]:
    """Return those of the records that are symbols and files of codebases, with what the index has of them."""
    found = {}
    for row in tx.rows("code_links.targets", ids=listed(ids)):
        record, created, name, signature, body, first, last, gone, moved, *file = row
        symbol = (name or "", signature or "", body or "", first or 0, last or 0)
        found[int(record)] = Code(int(record), int(created), *symbol, _moment(gone), moved or "", *file)
    return found


# --- Texts ---


def texts(tx: Transaction, ids: Iterable[int]) -> list[Text]:
    """Return those of the records whose texts make links, by row id."""
    rows = tx.rows("code_links.texts", ids=listed(ids), kinds=records.dump(KINDS))
    return [Text(int(record), str(namespace), str(text), int(updated)) for record, namespace, text, updated in rows]


def after(tx: Transaction, namespaces: Iterable[str], record: int, limit: int) -> list[int]:
    """The row ids above one of those records of the namespaces whose texts make links, ascending."""
    given = {"namespaces": records.dump(sorted(namespaces)), "kinds": records.dump(KINDS)}
    rows = tx.rows("code_links.after", after=record, limit=limit, **given)
    return [int(id_) for (id_,) in rows]


# --- Links ---


def of_sources(tx: Transaction, ids: Iterable[int]) -> list[Link]:
    """The links of those records, oldest first."""
    return [_link(row) for row in tx.rows("code_links.of_sources", ids=listed(ids))]


def add(tx: Transaction, source: int, target: int, weight: float, metadata: Mapping[str, Any], now: int) -> bool:
    """Link a record to a symbol or file named in its text; False where they are linked already, whoever made it.

    `metadata` are the name, and what else is known of the link, beside its origin.
    """
    metadata = {ORIGIN: MENTION, **metadata}
    return edges.add(tx, Edge(source, target, RELATION, RELATION, weight, now, metadata))


def change(tx: Transaction, link: Link, weight: float, metadata: dict[str, Any]) -> None:
    """Give a link another weight and other metadata."""
    tx.run("code_links.change", id=link.id, weight=float(weight), metadata=records.dump(metadata))


def stated(relation: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata of a relation that a caller states, without what is noted of the code at its end."""
    if relation.upper() != RELATION or not (WAS in metadata or NOW in metadata):
        return dict(metadata)
    return {name: value for name, value in metadata.items() if name not in (NAME, STALE, WAS, NOW)}


def adopt(tx: Transaction, edge: Edge) -> None:
    """Make a relation of a mention or of the index the caller's own, so that neither removes it again."""
    if edge.metadata.get(ORIGIN) in (MENTION, INDEX):
        tx.run("code_links.change", id=edge.id, weight=float(edge.weight), metadata="{}")


def remove(tx: Transaction, link: Link) -> None:
    """Remove a link."""
    tx.run("edges.delete", id=link.id)


def without_commit(tx: Transaction, repository: int) -> list[Link]:
    """Return the links to a codebase whose target became another, by a commit that is not known yet."""
    return [_link(row) for row in tx.rows("code_links.without_commit", repository=repository)]


def explaining(tx: Transaction, ids: Iterable[int]) -> list[int]:
    """The memories, solutions, failures and messages that are linked to those symbols and files, ascending."""
    rows = tx.rows("code_links.explaining", ids=listed(ids), kinds=records.dump(KINDS))
    return [int(record) for (record,) in rows]


def explaining_deleted(tx: Transaction) -> list[int]:
    """Return the records with a link by mention to a deleted symbol that is not marked stale yet, ascending."""
    return [int(record) for (record,) in tx.rows("code_links.explaining_gone")]


def deleted_among(tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Return those of the records that are symbols or files no longer in the source."""
    return {int(record) for (record,) in tx.rows("code_links.gone_among", ids=listed(ids))}


def decisions_about(tx: Transaction, ids: Iterable[int]) -> dict[int, list[tuple[str, int, int, float]]]:
    """(key, created, row id, weight of the link) of the decisions linked to each of those symbols and files."""
    found: dict[int, list[tuple[str, int, int, float]]] = {}
    for target, key, created, record, weight in tx.rows("code_links.decisions_about", ids=listed(ids)):
        found.setdefault(int(target), []).append((str(key), int(created), int(record), float(weight)))
    return found


def about(
    tx: Transaction, ids: Iterable[int], code: Iterable[int], files: Iterable[int]
) -> list[tuple[int, int, int, float]]:
    """Return (source, target, its file or 0, weight) of the links to that code and to symbols of those files."""
    rows = tx.rows("code_links.about", ids=listed(ids), code=listed(code), files=listed(files))
    return [(int(source), int(target), int(file), float(weight)) for source, target, file, weight in rows]


# --- Changes and activity ---


def changed(tx: Transaction, after: int, last: int) -> list[Changed]:
    """Return the records put between two positions of the log that may make or remove links, by row id.

    And those that a caller has linked to code.
    """
    kinds = records.dump((*KINDS, *CODE))
    rows = tx.rows("code_links.changed", after=after, last=last, kinds=kinds)
    return [Changed(int(record), str(kind), str(namespace)) for record, kind, namespace in rows]


def is_indexing(tx: Transaction, now: int) -> bool:
    """Whether a run of the index is under way: it holds a lease."""
    return bool(tx.rows("code_links.indexing", now=now))


def subjects(tx: Transaction, namespaces: Iterable[str], since: int, limit: int) -> list[str]:
    """The paths that agents read or edited in those namespaces since a time (microseconds), the last one first."""
    given = {"namespaces": records.dump(sorted(namespaces)), "since": since, "limit": limit}
    return [str(path) for path, _ in tx.rows("code_links.subjects", **given)]


def _file(row: Row) -> File:
    record, repository, path, gone = row
    return File(int(record), int(repository), str(path), bool(gone))


def _symbol(row: Row) -> Symbol:
    record, file, qualified_name, path, is_test, gone = row
    return Symbol(int(record), int(file), qualified_name, path, bool(is_test), _is_gone(gone))


def _link(row: Row) -> Link:
    id_, source, target, relation, weight, metadata, created, tail, path, gone = row
    return Link(id_, source, target, relation, weight, json.loads(metadata), created, tail, path, _is_gone(gone))


def _moment(value: Any) -> int:
    """Return when a record left the source; 1 where its metadata, which an import may have brought, say no time."""
    return (int(value) if str(value).isascii() and str(value).isdigit() else 1) if _is_gone(value) else 0


def _is_gone(value: Any) -> bool:
    """Whether a column, or a value in metadata (which PostgreSQL gives as a text), says so."""
    return str(value) not in ("", "0", "None", "false")
