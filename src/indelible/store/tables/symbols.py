"""Rows of `symbol`: the definitions in files of source code, and the names that they are found by.

A symbol's record has the kind `symbol`, and the kind of symbol (`function`, `class`, ...) as its type. A record of that
kind without a row here was imported, not indexed.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import records, symbol_names

Place = tuple[str, int, int]  # another definition of a symbol in its file: signature, first line, last line

_SEPARATORS = re.compile(r"\.|::|/")


class SymbolRow(NamedTuple):
    """A row to write: the fields of `source.parse.symbols.Symbol`, and the ids that it belongs to.

    `file` is the record of its file, `parent` the qualified name of the symbol around it, `gone` when it left the
    source (microseconds since 1970 UTC, 0: it is still there).
    """

    record: int
    file: int
    name: str
    qualified_name: str
    signature: str = ""
    doc: str = ""
    visibility: str = "public"
    line: int = 1
    start_line: int = 1
    end_line: int = 1
    parent: str = ""
    is_test: bool = False
    body_hash: str = ""
    gone: int = 0
    places: tuple[Place, ...] = ()


_COLUMNS = SymbolRow._fields


class Found(NamedTuple):
    """A symbol with fields of its record and its file."""

    row: SymbolRow
    kind: str
    key: str
    namespace: str
    path: str
    language: str
    repository: int


def tail_of(qualified_name: str) -> str:
    """The segments of a qualified name from the last to the first, each ended by a full stop.

    The separators `.`, `::` and `/` count alike: a name that ends with another begins, in this form, with it.
    """
    parts = qualified_name.split(".")
    if "" in parts or ":" in qualified_name or "/" in qualified_name:
        parts = segments(qualified_name)
    return f"{'.'.join(reversed(parts))}." if parts else ""


def segments(qualified_name: str) -> list[str]:
    """Return the segments between the separators of a name, from the first to the last."""
    plain = ":" not in qualified_name and "/" not in qualified_name
    return list(filter(None, qualified_name.split(".") if plain else _SEPARATORS.split(qualified_name)))


# --- Writing ---


def add_many(tx: Transaction, symbols: Sequence[SymbolRow]) -> None:
    """Write the rows of symbols that have none: their records were made in this transaction."""
    ids = _find_or_add_names(tx, {symbol.name for symbol in symbols})
    tx.run_many("symbols.add", (_parameters(symbol, ids[symbol.name]) for symbol in symbols))


def put_many(tx: Transaction, symbols: Sequence[SymbolRow]) -> None:
    """Write the rows of symbols whose records and files are there, over those that they have."""
    named = {int(r): str(name) for r, name in tx.rows("symbols.named", ids=listed(s.record for s in symbols))}
    renamed = [symbol for symbol in symbols if named.get(symbol.record, symbol.name) != symbol.name]
    others = [symbol for symbol in symbols if named.get(symbol.record, symbol.name) == symbol.name]
    ids = _find_or_add_names(tx, {symbol.name for symbol in others})
    rows = [_parameters(symbol, ids[symbol.name]) for symbol in others]
    tx.run_many("symbols.add", [row for row in rows if row["record"] not in named])
    tx.run_many("symbols.change", [row for row in rows if row["record"] in named])
    for symbol in renamed:  # one after another: a name goes with the last that has it, and the next may be given it
        own = _find_or_add_names(tx, {symbol.name})
        tx.run("symbols.change", **_parameters(symbol, own[symbol.name]))


def _parameters(symbol: SymbolRow, name: int) -> dict[str, object]:
    values: dict[str, object] = dict(zip(_COLUMNS, symbol, strict=True))
    values["name"] = name
    values["tail"] = tail_of(symbol.qualified_name)
    values["is_test"] = int(symbol.is_test)
    values["places"] = records.dump(symbol.places) if symbol.places else "[]"
    return values


def _find_or_add_names(tx: Transaction, names: set[str]) -> dict[str, int]:
    given = records.dump(sorted(names))
    tx.run("symbols.add_names", names=given)
    return {str(name): int(id_) for id_, name in tx.rows("symbols.find_names", names=given)}


def mark_deleted(tx: Transaction, ids: Iterable[int], time: int) -> None:
    """Note that symbols left the source; `put_many` brings them back. No search finds them until then."""
    tx.run("symbols.set_gone", ids=listed(ids), gone=time)


def derived(tx: Transaction, ids: Iterable[int]) -> dict[int, str]:
    """Return those records, with their kinds, that the index made of source code and no caller related to anything.

    They hold nothing that the source does not. Relations made by the index itself do not count: relations between code,
    and from records that mention it.
    """
    rows = tx.rows("symbols.derived", ids=listed(ids))
    return {int(record): str(kind) for record, kind in rows}


def deleted_names_in(tx: Transaction, repository: int) -> dict[int, str]:
    """The names of the symbols of a codebase that left the source, by record."""
    rows = tx.rows("symbols.gone_in", repository=repository)
    return {int(record): str(name) for record, name in rows}


def strays(tx: Transaction, namespace: str) -> dict[str, int]:
    """Return the symbols of a namespace outside any codebase, by key: imported ones, and those an undo restored."""
    rows = tx.rows("symbols.strays", namespace=namespace)
    return {str(key): int(record) for key, record in rows}


def is_indexed(tx: Transaction, record: int) -> bool:
    """Whether a record was made, or taken over, by the index of source code."""
    return bool(tx.rows("symbols.indexed", record=record))


def delete_code(tx: Transaction, ids: Sequence[int]) -> int:
    """Delete records of the kinds symbol and file with all that belongs to them; nothing goes to the trash.

    Records of other kinds stay. Returns how many were deleted. Relations of callers go too, see `edges.held`.
    """
    return tx.run("symbols.delete_code", ids=listed(ids))


# --- Reading ---


def by_records(tx: Transaction, ids: Iterable[int]) -> dict[int, Found]:
    """Return the symbols that those records are, including those no longer in the source."""
    return {row[0]: _found(row) for row in tx.rows("symbols.by_records", ids=listed(ids))}


def of_files(tx: Transaction, files: Iterable[int]) -> list[Found]:
    """Return all symbols of the files, including those no longer in the source: by path, first line, record."""
    return [_found(row) for row in tx.rows("symbols.of_files", ids=listed(files))]


def of_file(tx: Transaction, file: int) -> list[Found]:
    """All symbols of a file, see `of_files`."""
    return of_files(tx, [file])


def ids_of_files(tx: Transaction, files: Iterable[int]) -> list[tuple[int, str, int]]:
    """Return (file, qualified name, record) of the symbols that are in those files now, in no order."""
    rows = tx.rows("symbols.ids_of_files", ids=listed(files))
    return [(int(file), str(name), int(record)) for file, name, record in rows]


def by_tail(
    tx: Transaction, name: str, namespaces: Iterable[str], limit: int = 100, whole: bool = False
) -> tuple[list[Found], bool]:
    """The symbols whose qualified name is the name or ends with its segments, and whether there are more than `limit`.

    With `whole` only those without more segments. By qualified name (the shortest first), path, first line, record.
    """
    start = tail_of(name)
    if not start:
        return [], False
    rows = tx.rows(
        "symbols.with_tail" if whole else "symbols.by_tail",
        start=start,
        namespaces=records.dump(sorted(namespaces)),
        limit=limit + 1,
        **({} if whole else {"end": start[:-1] + "/"}),  # the character after the full stop
    )
    return [_found(row) for row in rows[:limit]], len(rows) > limit


def search_names(
    tx: Transaction,
    part: str,
    namespaces: Iterable[str],
    kinds: Iterable[str] = (),
    limit: int = 20,
    *,
    own: Iterable[str] = (),
    within: str = "",
) -> list[Found]:
    """The symbols whose name has the part in it, whatever the case; of those kinds, if any are given.

    First those of that very name, then those that begin with it; the shorter name first, then those of the `own`
    namespaces, then by qualified name, path, first line, record. At most `limit`. Only those whose qualified name has
    `within` in it, too, in any case; the separators in that are full stops, and it ends with the part.
    """
    inner, first = within.casefold(), set(own)
    asked = {
        "namespaces": records.dump({name: int(name not in first) for name in namespaces}),
        "kinds": records.dump(sorted(set(kinds))),
        "within": inner if inner.isascii() else "",
    }
    most = limit if inner.isascii() else symbol_names.EVERYTHING  # the statement knows the cases of ASCII only
    found: list[Found] = []
    for names in symbol_names.closest(tx, part, limit):
        rows = tx.rows("symbols.of_names", names=json.dumps(names), limit=most, **asked)
        ids = [int(row[0]) for row in rows[:most]]
        known = by_records(tx, ids) if ids else {}
        found += [known[each] for each in ids if _is_within(known[each].row.qualified_name, inner)]
        if len(found) >= limit:
            break
    return found[:limit]


def _is_within(qualified_name: str, part: str) -> bool:
    return not part or part in ".".join(segments(qualified_name)).casefold()


def inside(tx: Transaction, namespace: str, qualified_name: str) -> list[tuple[int, str]]:
    """Return (record, path of its file) of the symbols of a project nested in a qualified name."""
    found: list[tuple[int, str]] = []
    for separator in (".", "::"):
        start = f"sym:{qualified_name}{separator}"
        end = start[:-1] + chr(ord(start[-1]) + 1)
        rows = tx.rows("symbols.inside", namespace=namespace, start=start, end=end)
        found += [(int(record), str(path)) for record, path in rows]
    return found


def paths(tx: Transaction, ids: Iterable[int]) -> dict[int, str]:
    """The path of each of the records that is a symbol or file of a codebase."""
    return {int(record): str(path) for record, path in tx.rows("symbols.paths", ids=listed(ids))}


def count_of(tx: Transaction, repository: int) -> int:
    """How many symbols a codebase has that are there."""
    return int(tx.rows("symbols.count_of", repository=repository)[0][0])


def count_embedded(tx: Transaction, repository: int) -> int:
    """How many of them have an embedding."""
    return int(tx.rows("symbols.count_embedded", repository=repository)[0][0])


def count_edges(tx: Transaction, repository: int) -> int:
    """How many relations the index made that lead away from files and symbols of a codebase, without CONTAINS."""
    return int(tx.rows("symbols.count_edges", repository=repository)[0][0])


def count_in(tx: Transaction, namespaces: Iterable[str]) -> int:
    """How many symbols the namespaces have together that are there."""
    return int(tx.rows("symbols.count_in", namespaces=records.dump(sorted(namespaces)))[0][0])


def _found(row: Row) -> Found:
    symbol = SymbolRow._make(row[: len(SymbolRow._fields)])
    places = tuple((str(s), int(a), int(b)) for s, a, b in json.loads(row[14])) if row[14] != "[]" else ()
    return Found(symbol._replace(is_test=bool(symbol.is_test), places=places), *row[len(SymbolRow._fields) :])
