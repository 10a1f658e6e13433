"""The report of an import: counts and a summary."""

from dataclasses import field
from typing import Any

from indelible.dataclass import dataclass


@dataclass(slots=True)
class Counts:
    """Counts of imported items that were not new.

    `skipped` were in the store before, `repeated` came before in the same import, `merged` are failures that were added
    to one of the same signature, `changed` are records that followed their entry in another tool's data, `deleted`
    entries there of which the record was deleted here.
    """

    skipped: int = 0
    repeated: int = 0
    merged: int = 0
    changed: int = 0
    deleted: int = 0


@dataclass(slots=True)
class Imported(Counts):
    """The result of an import: ids of the new records in order, counts of those not new, and errors.

    `rows` are the records that stand for the items here, new or known. The first `of_records` errors are of records
    that were not taken, the others of relations between those that were.
    """

    ids: list[str] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    of_records: int = 0
    rows: set[int] = field(default_factory=set)


def summary(imported: str, done: Counts, problems: int) -> str:
    """Return a sentence on an import; `imported` says how much was new."""
    known = f"{done.skipped} that {'was' if done.skipped == 1 else 'were'} known"
    twice = f" and {done.repeated} that came twice" if done.repeated else ""
    merged = f"added {done.merged} to a failure with the same signature, " if done.merged else ""
    return f"imported {imported}, {merged}skipped {known}{twice}, {problems} problem{'' if problems == 1 else 's'}"
