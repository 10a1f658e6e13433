"""Rows of `repository`: the codebases of projects that were indexed."""

import json
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction, one
from indelible.store.tables import records


@dataclass(frozen=True, slots=True)
class Repository:
    """A codebase; `folder` is where it stands in its project's directory, "" at the top, `root` where it was last.

    `indexed` is when a run last came to its end (microseconds since 1970 UTC, 0 for never), `version` that of the
    rules of extraction, `summary` the figures of that run.
    """

    id: int
    namespace: str
    folder: str
    root: str
    indexed: int = 0
    version: int = 0
    summary: dict[str, Any] = field(default_factory=dict)


def find(tx: Transaction, namespace: str, folder: str) -> Repository | None:
    """The codebase of a folder of a project."""
    row = one(tx.rows("repositories.find", namespace=namespace, folder=folder))
    return None if row is None else _from_row(row)


def find_or_add(tx: Transaction, namespace: str, folder: str, root: str) -> Repository:
    """The codebase of a folder of a project, made where there is none; its root is the given one from now on."""
    tx.run("repositories.put", namespace=namespace, folder=folder, root=root)
    found = find(tx, namespace, folder)
    assert found is not None
    return found


def everything(tx: Transaction) -> list[Repository]:
    """Every codebase, by namespace and folder."""
    return [_from_row(row) for row in tx.rows("repositories.everything")]


def in_namespace(tx: Transaction, namespace: str) -> list[Repository]:
    """The codebases of a project, by folder."""
    return [_from_row(row) for row in tx.rows("repositories.in_namespace", namespace=namespace)]


def last_indexed(tx: Transaction) -> Repository | None:
    """The codebase whose last complete run is the newest, None where no run came to its end."""
    row = one(tx.rows("repositories.last_indexed"))
    return None if row is None else _from_row(row)


def finished(tx: Transaction, repository: int, indexed: int, version: int, summary: dict[str, Any]) -> None:
    """Note that a run came to its end."""
    tx.run(
        "repositories.finished",
        id=repository,
        indexed=indexed,
        version=version,
        summary=records.dump(summary),
    )


def summarize(tx: Transaction, repository: int, summary: dict[str, Any]) -> None:
    """Replace the figures of a codebase."""
    tx.run("repositories.summarize", id=repository, summary=records.dump(summary))


def move(tx: Transaction, repository: int, namespace: str) -> None:
    """Make a codebase that of another namespace."""
    tx.run("repositories.move", id=repository, namespace=namespace)


def commits_of(tx: Transaction, repository: int) -> list[int]:
    """Return the row ids of the commits that a codebase's runs of the index stored."""
    return [int(id_) for (id_,) in tx.rows("repositories.commits", id=repository)]


def delete(tx: Transaction, repository: int) -> int:
    """Delete the rows of a codebase, its files and its symbols; their records stay. How many there were (0 or 1)."""
    return tx.run("repositories.delete", id=repository)


def delete_in(tx: Transaction, namespaces: Iterable[str]) -> int:
    """`delete` for all codebases of the namespaces; how many there were."""
    return tx.run("repositories.delete_in", namespaces=records.dump(sorted(namespaces)))


def _from_row(row: Row) -> Repository:
    id_, namespace, folder, root, indexed, version, summary = row
    return Repository(id_, namespace, folder, root, indexed, version, json.loads(summary))
