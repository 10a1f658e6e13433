"""Rows of `project`: paths and origin URLs, each an alias of one stable namespace."""

from typing import NamedTuple

from indelible.store.database import Transaction, once

NOTED = "noted"  # what a transaction remembers, see `once`


class Noted(NamedTuple):
    """The noted namespace of an alias, and its kind as `Location.kind` gives it; "" where it is unknown."""

    namespace: str
    kind: str = ""


def noted(tx: Transaction) -> dict[str, Noted]:
    """Every alias with what is noted of it; not to be changed. A transaction that only reads looks once."""

    def read() -> dict[str, Noted]:
        rows = tx.rows("projects.aliases")
        return {str(alias): Noted(str(namespace), str(kind)) for alias, namespace, kind in rows}

    return once(tx, NOTED, read)


def aliases(tx: Transaction) -> dict[str, str]:
    """Every alias with its namespace."""
    return {alias: row.namespace for alias, row in noted(tx).items()}


def add(tx: Transaction, alias: str, namespace: str, created: int, kind: str = "") -> None:
    """Add an alias; an existing one is left as it is."""
    tx.scopes.clear()
    tx.run("projects.add", alias=alias, namespace=namespace, kind=kind, created=created)


def change(tx: Transaction, alias: str, namespace: str, kind: str) -> None:
    """Note another namespace and kind of an alias that is there."""
    tx.scopes.clear()
    tx.run("projects.change", alias=alias, namespace=namespace, kind=kind)


def merged(tx: Transaction) -> dict[str, str]:
    """The aliases that an earlier version took for a part of a project above them, with that project's namespace."""
    return {str(alias): str(namespace) for alias, namespace in tx.rows("projects.merged")}


def note_answer(tx: Transaction, alias: str) -> None:
    """Note that the user, or a stored record, has settled what of a merged project belongs to an alias."""
    tx.scopes.clear()
    tx.run("projects.note_answer", alias=alias)


def since(tx: Transaction) -> dict[str, int]:
    """Every namespace that has aliases, with the time of its first."""
    return {str(namespace): int(first) for namespace, first in tx.rows("projects.since")}


def join(tx: Transaction, joined: str, namespace: str) -> None:
    """Make the aliases of `joined`, its own name among them, aliases of `namespace`."""
    tx.scopes.clear()
    tx.run("projects.join", joined=joined, namespace=namespace)
