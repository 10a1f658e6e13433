"""How much a tenant has stored, and how often its tools were called."""

from typing import NamedTuple

from indelible.store.database import Transaction


class Stored(NamedTuple):
    """The records of a tenant, of all kinds, and the bytes of their texts, names, tags and fields in UTF-8."""

    records: int
    bytes: int

    def __add__(self, more: "Stored") -> "Stored":  # type: ignore[override]
        return Stored(self.records + more.records, self.bytes + more.bytes)

    def __sub__(self, less: "Stored") -> "Stored":
        return Stored(self.records - less.records, self.bytes - less.bytes)


class Month(NamedTuple):
    """The calls of a month (`2026-11`, UTC), and how many of them failed."""

    month: str
    calls: int
    errors: int


def stored(tx: Transaction) -> Stored:
    """Return what the tenant has stored, counted now: of a million records that takes a second."""
    records, size = tx.rows("usage.stored")[0]
    return Stored(int(records), int(size))


def months(tx: Transaction) -> list[Month]:
    """Return the calls of each month in which there were some, oldest first, as events and their daily counts tell."""
    return [Month(str(month), int(calls), int(errors)) for month, calls, errors in tx.rows("usage.months")]
