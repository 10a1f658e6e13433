"""The store as of a time: what it knew then, whatever was changed, deleted, undone or imported since."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from indelible.clock import moment_of, time_text, utc_now
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.model import INDEXED_KINDS, Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, versions

AT_ONCE = 500  # records that are read together


@dataclass(frozen=True, slots=True)
class Past:
    """Reads records and relations as they were at `time` (microseconds since 1970), in one transaction.

    What the index reads from source code is not kept, so it is left out: code as it was is in git. With `everything`
    also what other projects alone see is read, such as solutions of one repository.
    """

    ctx: Context
    tx: Transaction
    time: int
    everything: bool = False

    def by_ids(self, wanted: Iterable[int]) -> dict[int, Record]:
        """Return the records of those row ids that were there and that the caller may see, by id."""
        found = versions.records_at(self.tx, wanted, self.time)
        return {
            id_: record
            for id_, record in found.items()
            if record.kind not in INDEXED_KINDS
            and (self.everything or visibility.is_visible(self.ctx, self.tx, record))
        }

    def relations_of(self, of: Iterable[int]) -> list[Edge]:
        """Return the relations with an end among the records and both ends visible then, oldest first."""
        found = versions.edges_at(self.tx, of, self.time)
        there = self.by_ids({end for edge in found for end in (edge.source, edge.target)})
        return [edge for edge in found if edge.source in there and edge.target in there]

    def replacing(self, among: Iterable[Record]) -> dict[int, str]:
        """Return the ids of what replaced those of the records that were replaced, see `replaced_by`."""
        found = self.relations_of(record.id for record in among if record.replaced)
        return replaced_by(found, self.by_ids({pair[1] for edge in found if (pair := edges.replaces(edge))}))

    def every(self) -> Iterator[list[Record]]:
        """Yield all records in the order of storing, some at a time."""
        last = 0
        while page := versions.ids_after(self.tx, last, AT_ONCE, self.time):
            yield list(versions.records_at(self.tx, page, self.time).values())
            last = page[-1]

    def of_kinds(self, kinds: Sequence[str], current: Iterable[int]) -> dict[int, Record]:
        """Return all visible records of those kinds, by id; `current` are the row ids of those that are there now."""
        wanted = sorted({*current, *versions.changed_since(self.tx, kinds, self.time)})
        found: dict[int, Record] = {}
        for at in range(0, len(wanted), AT_ONCE):
            found.update(self.by_ids(wanted[at : at + AT_ONCE]))
        return found

    def find(self, argument: str, given: str) -> Record:
        """Return the record that an id named then: a memory before others, the caller's project first, the oldest.

        Raises NotFound where none had it.
        """
        fitting = self.candidates(given)
        if not fitting:
            raise NotFound(
                f"{argument} {given[: ids.LONGEST_QUOTED]!r} is unknown at {time_text(self.time)}: nothing had that id "
                "then; leave as_of out to ask what is there now"
            )
        return fitting[0]

    def candidates(self, given: str) -> list[Record]:
        """Return every visible record that an id may have meant: memories first, then as `ids.candidates` does."""
        now = [record.id for record in ids.candidates(self.ctx, self.tx, given)]  # an id may be abbreviated
        found = self.by_ids({*now, *versions.keyed(self.tx, ids.key_of(given))}).values()
        kind = given.partition(":")[0]
        known = [record for record in found if record.kind == kind] or list(found)
        own = self.ctx.scope(self.tx).own_among({record.namespace for record in known})
        return sorted(known, key=lambda each: (each.kind != "memory", each.namespace not in own, each.id))


def replaced_by(relations: Iterable[Edge], known: Mapping[int, Record]) -> dict[int, str]:
    """Return by row id, for each record that one of the relations says is replaced, the id of what replaces it.

    As ids are shown, of the newest that is among the known ones, ties by row id.
    """
    newest: dict[int, Record] = {}
    for edge in relations:
        pair = edges.replaces(edge)
        if pair is not None and (new := known.get(pair[1])) is not None:
            best = newest.get(pair[0], new)
            newest[pair[0]] = max(best, new, key=lambda record: (record.created, record.id))
    return {old: ids.shown(new) for old, new in newest.items()}


def replacing(ctx: Context, tx: Transaction, among: Iterable[Record]) -> dict[int, str]:
    """Return what `replaced_by` does for those of the records that are replaced, by what the caller may see."""
    older = {record.id for record in among if record.replaced}
    if not older:
        return {}
    pairs = [(edge, pair) for edge in edges.of_records(tx, older) if (pair := edges.replaces(edge))]
    found = [edge for edge, (old, _) in pairs if old in older]
    news = {new for _, (old, new) in pairs if old in older}
    return replaced_by(found, records.by_ids(tx, sorted(news - visibility.hidden(ctx, tx, news))))


def at(ctx: Context, tx: Transaction, time: int, argument: str = "as_of") -> Past:
    """Return the store as of a time. Raises InvalidInput for one that lies ahead, or before its history begins."""
    begins = versions.begins(tx)
    if time < begins:
        raise InvalidInput(
            f"{argument} {time_text(time)} is before the history of this store, which begins at {time_text(begins)}: "
            "what was stored with earlier versions of Indelible is known from then on"
        )
    now = utc_now()  # not that of the context: versions have the times of their database
    if moment_of(time) > now:
        raise InvalidInput(f"{argument} {time_text(time)} is ahead: it is {now.isoformat()}; give a time that is past")
    return Past(ctx, tx, time)
