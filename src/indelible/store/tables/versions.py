"""Rows of `record_version` and `edge_version`: what records and relations were until they were changed or deleted.

Triggers write them (migration 12), so that no write can forget it. Times are the database's own, in microseconds since
1970; SQLite's clock has milliseconds.
"""

from collections.abc import Iterable, Iterator, Sequence, Set

from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Row, Transaction, listed
from indelible.store.tables import edges, records, settings

BEGINS = "history begins"  # the setting of a store that is older than its history: when that was
PAGE = 2_000  # rows that are read together


@dataclass(frozen=True, slots=True)
class Earlier:
    """A row of `record_version` as a purge needs it; `text` is None where the change left it as it was."""

    id: int
    record: int
    namespace: str
    kind: str
    key: str
    text: str | None
    content_hash: str
    time: int
    updated: int
    deleted: bool
    uid: str


def begins(tx: Transaction) -> int:
    """Return when the history of a store begins that is older than its history, 0 for one that is not."""
    return int(settings.find(tx, BEGINS) or 0)


def records_at(tx: Transaction, ids: Iterable[int], time: int) -> dict[int, Record]:
    """Return the records with those row ids that were there at a time, as they were then, by id."""
    given = listed(ids)
    states: dict[int, Row] = {row[0]: row for row in tx.rows("versions.current", ids=given)}
    for row in tx.rows("versions.of_records", ids=given, time=time):
        states[row[0]] = _filled(row, states.get(row[0]))
    return {id_: records.from_row(row) for id_, row in sorted(states.items()) if row[19] <= time}


def _filled(row: Row, following: Row | None) -> Row:
    """Return an earlier state with the columns that the change to the following one left as they were."""
    if following is None or None not in row:
        return row
    return tuple(value if value is not None else following[place] for place, value in enumerate(row))


def states(tx: Transaction, wanted: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Record]:
    """Return states of records, each named by the record's row id and the number of its version, 0 for how it is now.

    A state that is not there any more, or whose record is gone where it should be as it is now, is left out.
    """
    named = set(wanted)
    numbers = listed(number for _, number in named if number)
    rows: dict[int, Row] = {row[20]: row for row in tx.rows("versions.numbered", versions=numbers)}
    leaning = [row for row in rows.values() if None in row]  # on what follows
    now = {record for record, number in named if not number} | {row[0] for row in leaning}
    current: dict[int, Row] = {row[0]: row for row in tx.rows("versions.current", ids=listed(now))} if now else {}
    if leaning:
        later, least = dict(current), min(row[20] for row in leaning)
        ids = listed({row[0] for row in leaning})
        for row in tx.rows("versions.following", ids=ids, after=least - 1):
            later[row[0]] = _filled(row, later.get(row[0]))
            if row[20] in rows:
                rows[row[20]] = later[row[0]]
    found = {}
    for record, number in named:
        state = rows.get(number) if number else current.get(record)
        if state is not None and state[0] == record and None not in state:
            found[record, number] = records.from_row(state)
    return found


def edges_at(tx: Transaction, ids: Iterable[int], time: int) -> list[Edge]:
    """Return the relations with an end among the records that were there at a time, oldest first.

    Those of source code are not among them: nothing is kept of what they were. All ends count, whoever may see them.
    """
    given = listed(ids)
    if given == "[]":
        return []
    states: dict[int, Row] = {row[0]: row for row in tx.rows("versions.edges_current", ids=given)}
    states.update({row[0]: row for row in tx.rows("versions.edges_of", ids=given, time=time)})  # the oldest one stays
    return [edges.from_row(row) for _, row in sorted(states.items()) if row[10] <= time]


def earlier_edges(tx: Transaction, ids: Iterable[int]) -> list[Edge]:
    """Return the earlier states of relations that have or had an end among the records, newest first."""
    return [edges.from_row(row) for row in tx.rows("versions.edges_of", ids=listed(ids), time=0)]


def has_history(edge: Edge) -> bool:
    """Return whether it is kept what a relation was; it is not of those that an index of source code makes."""
    return edge.id > 0 and edge.metadata.get("origin") not in ("index", "mention")


def newest_edge(tx: Transaction) -> int:
    """Return a number that all versions of relations so far have at most, and every later one exceeds."""
    return int(tx.rows("versions.newest_edge")[0][0] or 0)


def edge_states(tx: Transaction, wanted: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], Edge]:
    """Return states of relations, each the one before the first change after a version, by relation and version.

    They are asked for by relation, version and source. One that did not change is as it is now; one that is not there,
    and of which nothing is kept, is left out.
    """
    named = {(edge, after): source for edge, after, source in wanted}
    if not named:
        return {}
    rows: dict[tuple[int, int], Row] = {}
    given, least = listed(set(named.values())), min(after for _, after in named)
    later: dict[int, list[tuple[int, Row]]] = {}
    for number, *row in tx.rows("versions.edges_after", sources=given, after=least):
        later.setdefault(row[0], []).append((number, tuple(row)))  # newest first
    now = {row[0]: row for row in tx.rows("versions.edges_now", ids=listed({edge for edge, _ in named}))}
    for edge, after in named:
        state = next((row for number, row in reversed(later.get(edge, ())) if number > after), now.get(edge))
        if state is not None:
            rows[edge, after] = state
    return {key: edges.from_row(row) for key, row in rows.items()}


def ids_after(tx: Transaction, after: int, limit: int, time: int) -> list[int]:
    """Return the next row ids of records that are there, or were changed since a time, ascending; none of code."""
    return [int(id_) for (id_,) in tx.rows("versions.ids_after", after=after, limit=limit, time=time)]


def changed_since(tx: Transaction, kinds: Sequence[str], time: int) -> list[int]:
    """Return the row ids of records of those kinds that were changed or deleted since a time, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.changed", kinds=records.dump(list(kinds)), time=time)]


def known_since(tx: Transaction, kinds: Sequence[str], time: int) -> list[int]:
    """Return the row ids of records of those kinds that the store did not know at a time, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.later", kinds=records.dump(list(kinds)), time=time)]


def keyed(tx: Transaction, key: str) -> list[int]:
    """Return the row ids of the records that have or had a key, ascending."""
    return [int(id_) for (id_,) in tx.rows("versions.keyed", key=key)]


def of_key(tx: Transaction, key: str) -> list[Record]:
    """Return the earlier states of records with a key, newest first."""
    states: dict[int, Row] = {}
    found = []
    for row in tx.rows("versions.of_key", key=key):
        states[row[0]] = _filled(row, states.get(row[0]))
        if None not in states[row[0]]:
            found.append(records.from_row(states[row[0]]))
    return found


# --- What a purge takes away ---


def every(tx: Transaction) -> Iterator[Earlier]:
    """Every earlier state of a record, the oldest first."""
    after = 0
    while rows := tx.rows("versions.after", after=after, limit=PAGE):
        for id_, record, namespace, kind, key, text, content_hash, time, updated, deleted, uid in rows:
            yield Earlier(id_, record, namespace, kind, key, text, content_hash, time, updated, bool(deleted), uid)
        after = rows[-1][0]


def drop_of(tx: Transaction, ids: Iterable[int]) -> int:
    """Forget what these records were, and their relations; how many states of records."""
    given = listed(ids)
    tx.run("versions.drop_edges", ids=given)
    return tx.run("versions.drop", ids=given)


def drop(tx: Transaction, rows: Iterable[int]) -> int:
    """Forget earlier states by their own ids; how many. Those that stay keep what they were."""
    going = set(rows)
    _fill_before(tx, going)
    return tx.run("versions.drop_rows", ids=listed(going))


def _fill_before(tx: Transaction, going: Set[int]) -> None:
    """Write texts, tags and metadata into states that have them from a following one, where a following one goes."""
    touched = listed({row[0] for row in tx.rows("versions.numbered", versions=listed(going))})
    later = {row[0]: row for row in tx.rows("versions.current", ids=touched)}
    lose = set()
    for row in tx.rows("versions.following", ids=touched, after=0):
        record, number = row[0], row[20]
        later[record] = _filled(row, later.get(record))
        if number in going:
            lose.add(record)
        elif record in lose and None in row:
            _, _, _, _, _, _, text, tags, metadata, *_ = later[record]
            tx.run("versions.fill", id=number, text=text, tags=tags, metadata=metadata)


def chunks(tx: Transaction, sessions: Iterable[str]) -> list[tuple[int, str, str]]:
    """Return the number, session and text of earlier states of chunks, by the sessions of their documents."""
    rows = tx.rows("versions.chunks", sessions=records.dump(sorted(sessions)))
    return [(int(number), str(session), str(text)) for number, session, text in rows]


def set_text(tx: Transaction, version: int, text: str) -> None:
    """Replace the text of an earlier state."""
    tx.run("versions.set_text", id=version, text=text)


def drop_edges_before(tx: Transaction, time: int) -> int:
    """Forget what relations were before a time; how many states."""
    return tx.run("versions.drop_edges_before", before=time)
