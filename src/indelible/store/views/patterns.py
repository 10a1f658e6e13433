"""Counts of activity in some namespaces: rows of `activity` and `event`, and metadata of memories."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Transaction
from indelible.store.tables import records

PAGE = 500  # edits that are read at a time: what a client reports of one may be many kilobytes


@dataclass(frozen=True, slots=True)
class Subject:
    """A search or a command line of agents, and how often it was run."""

    action: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Touch:
    """A file as an agent named it, from the directory `cwd`, and how often."""

    namespace: str
    path: str
    cwd: str
    count: int


@dataclass(frozen=True, slots=True)
class Report:
    """A memory whose metadata says what was done; `tags` of decisions only."""

    key: str
    namespace: str
    session: str
    metadata: dict[str, Any]
    id: int
    tags: tuple[str, ...] = ()


def subjects(tx: Transaction, namespaces: Iterable[str]) -> list[Subject]:
    """Return the searches of agents, and the commands that they ran."""
    return [Subject(*row) for row in tx.rows("patterns.subjects", namespaces=_listed(namespaces))]


def files_read(tx: Transaction, namespaces: Iterable[str]) -> list[Touch]:
    """The files that agents read."""
    return [Touch(*row) for row in tx.rows("patterns.files_read", namespaces=_listed(namespaces))]


def files_edited(tx: Transaction, namespaces: Iterable[str]) -> Iterator[Touch]:
    """Yield the files that agents edited, one for each edit; an edit may name several. Read page by page."""
    names, after = _listed(namespaces), ("", "")
    while True:
        rows = tx.rows("patterns.files_edited", namespaces=names, session=after[0], event=after[1], limit=PAGE)
        for _, _, namespace, subject, detail in rows:
            event = json.loads(detail)
            named = [edit.get("path") for edit in event.get("edits", ()) if isinstance(edit, dict)]
            for path in dict.fromkeys([path for path in named if path] or ([subject] if subject else [])):
                yield Touch(namespace, path, event.get("cwd", ""), 1)
        if len(rows) < PAGE:
            return
        after = rows[-1][:2]


def tools(tx: Transaction, namespaces: Iterable[str]) -> dict[str, int]:
    """How often agents called each of their tools, by the client's name for it."""
    rows = tx.rows("patterns.tools", namespaces=_listed(namespaces))
    return {str(tool): int(count) for tool, count in rows if tool}


def sessions(tx: Transaction, namespaces: Iterable[str]) -> set[str]:
    """The sessions of agents."""
    return {str(s) for (s,) in tx.rows("patterns.sessions", namespaces=_listed(namespaces))}


def calls(tx: Transaction, but: Iterable[str]) -> dict[str, int]:
    """Return how often each of our tools was called and answered, except some."""
    return {str(tool): int(count) for tool, count in tx.rows("patterns.calls", but=_listed(but))}


def callers(tx: Transaction, but: Iterable[str]) -> int:
    """Return the number of sessions with such calls."""
    return int(tx.rows("patterns.callers", but=_listed(but))[0][0])


def reports(tx: Transaction, namespaces: Iterable[str]) -> list[Report]:
    """The memories whose metadata names a `tool`, `pattern`, `file_path` or `files`, the newest first."""
    rows = tx.rows("patterns.reports", namespaces=_listed(namespaces))
    return [
        Report(key, namespace, session, json.loads(metadata), id_) for id_, key, namespace, session, metadata in rows
    ]


def linked_decisions(tx: Transaction, namespaces: Iterable[str], names: Iterable[str]) -> list[Report]:
    """The decisions from or to which a relation of those canonical names leads to another decision, oldest first."""
    rows = tx.rows("patterns.decisions", namespaces=_listed(namespaces), names=_listed(names))
    return [
        Report(key, namespace, session, json.loads(metadata), id_, tuple(json.loads(tags)))
        for id_, key, namespace, session, tags, metadata in rows
    ]


def _listed(names: Iterable[str]) -> str:
    return records.dump(sorted(names))
