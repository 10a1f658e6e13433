"""The symbols and relations that a map of a codebase is drawn from: few columns, since there are tens of thousands."""

from collections.abc import Iterable
from typing import NamedTuple

from indelible.store.database import Transaction
from indelible.store.tables import records


class Drawn(NamedTuple):
    """A symbol, by its record, with the path of its file."""

    record: int
    qualified_name: str
    path: str
    signature: str
    line: int
    parent: str
    is_test: bool


def symbols(tx: Transaction, repository: int) -> list[Drawn]:
    """Return the symbols now in a codebase: by path, first line, record."""
    return [Drawn(*row) for row in tx.rows("code_map.symbols", repository=repository)]


def relations(tx: Transaction, repository: int, names: Iterable[str]) -> list[tuple[int, int, float]]:
    """(source, target, weight) of the relations of those names that lead away from its symbols and files, unordered."""
    rows = tx.rows("code_map.relations", repository=repository, names=records.dump(list(names)))
    return [(source, target, weight) for source, target, weight in rows]
