"""The newest memories, at a cost that does not grow with the store."""

import json
from collections import Counter
from collections.abc import Collection

from indelible.model import Record
from indelible.settings import DAY
from indelible.store.database import Row, Transaction, one
from indelible.store.tables import records

ALWAYS = 1 << 62  # later than every time
LOOKED_AT = 20_000  # newest records of a kind of the whole store that are looked through for those of a namespace


def newest(
    tx: Transaction,
    namespaces: Collection[str],
    limit: int,
    length: int,
    *,
    untrusted: bool = True,
    type_: str = "",
    kind: str = "memory",
    before: int = ALWAYS,
    without: Collection[int] = (),
) -> list[Record]:
    """Return the newest current records of a kind in the namespaces, ties by key; texts cut to `length` characters.

    Captured, unconfirmed ones are included only if `untrusted`; with a type only those of it; none of the row ids
    `without`; only those made before a time (microseconds since 1970 UTC). Only where the store's
    newest hold fewer than `limit` of them, all those of the namespaces are sorted.
    """
    if not namespaces or limit <= 0:
        return []
    where = {"namespaces": json.dumps(sorted(namespaces)), "length": length, "limit": limit}
    where |= {"untrusted": int(untrusted), "type": type_, "without": json.dumps(sorted(without))}
    where |= {"kind": kind, "before": before}
    start = one(tx.rows("recent.start_of_newest", offset=LOOKED_AT, kind=kind))
    rows = tx.rows("recent.among_newest", start=-(1 << 62) if start is None else start[0], **where)
    if len(rows) < limit and start is not None:
        rows = tx.rows("recent.of_namespaces", **where)
    return [records.from_row(row) for row in rows]


def by_day(
    tx: Transaction, namespaces: Collection[str], kinds: Collection[str], since: int, *, type_: str = ""
) -> tuple[dict[int, int], int]:
    """Return how many current records of the kinds, and of a type if one is given, the namespaces have by day.

    Days count from 1970; one without a record is left out. Beside it the time from which on all are counted: `since`,
    or a later one where a kind has more than `LOOKED_AT` records of the whole store since then.
    """
    counts: Counter[int] = Counter()
    for kind in kinds:
        start = one(tx.rows("recent.start_of_newest", offset=LOOKED_AT, kind=kind))
        since = since if start is None else max(since, start[0])
    where = {"namespaces": json.dumps(sorted(namespaces)), "start": since, "type": type_, "length": DAY}
    for kind in kinds:
        counts.update({int(day): int(count) for day, count in tx.rows("recent.by_day", kind=kind, **where)})
    return dict(counts), since


def tags(tx: Transaction, memories: int) -> list[tuple[str, ...]]:
    """Return the tags of each of that many stated or confirmed memories, the newest first."""
    rows: list[Row] = tx.rows("recent.tags", limit=memories)
    return [tuple(json.loads(found)) for (found,) in rows]


def keys(tx: Transaction, memories: int) -> list[str]:
    """The ids of that many memories, the newest first."""
    return [str(key) for (key,) in tx.rows("recent.keys", limit=memories)]
