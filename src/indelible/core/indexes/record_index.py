"""One process's caches of a store: loaded from blocks and rows, then kept up by the change log."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from indelible.core.indexes import model_choice, partitions
from indelible.core.indexes.follower import ChangeFollower, last_operations
from indelible.core.indexes.partitions import Partition
from indelible.core.indexes.read_vectors import ReadVectors
from indelible.dataclass import dataclass
from indelible.embed.base import MODEL
from indelible.store.database import Transaction
from indelible.store.namespace_filter import limits, whole
from indelible.store.tables import changes, embeddings, records, terms
from indelible.store.tables.changes import Change
from indelible.store.tables.embeddings import Model
from indelible.store.views import nearest_vectors

if TYPE_CHECKING:
    from indelible.core.indexes.partitions import Cache
    from indelible.search.index.experience import Experience
    from indelible.search.index.kept_vectors import Windows
    from indelible.search.index.null_cosines import Scale
    from indelible.search.index.postings import Postings
    from indelible.search.index.slots import Ints, Mask, Slots
    from indelible.search.index.vector_index import Floats, VectorIndex

# Imported late (start, cli): indelible.search.index.null_cosines, indelible.search.index.overfetch
# Imported late (start, cli): indelible.search.index.postings

log = logging.getLogger("indelible")

SLICE = 2000  # rows that are read at a time
FEWEST = (
    10_000  # records from which on it is asked whether the database has an index; one is made from twice as many on
)
# Partitions whose caches grow in segments.
POSTINGS = (terms.WORDS, terms.SPARSE, terms.CODE_WORDS, terms.CODE_SPARSE, terms.COMMIT_WORDS)


@dataclass(frozen=True, slots=True)
class DatabaseIndex:
    """The database's own vector index of a partition, as of a transaction: then no codes are kept in memory."""

    tx: Transaction
    model: Model
    code: bool

    def nearest(self, query: "Floats", records: "Postings", mask: "Mask", count: int) -> "tuple[Ints, bool]":
        """Return the records of the `count` vectors nearest to a query, of those under the mask; whether these are all.

        See `overfetch.nearest`. At least 0.98 of the ten nearest are found (see bench/postgres.py).
        """
        from indelible.search.index import overfetch

        vector = query.tolist()

        def find(most: int, among: list[int] | None = None) -> list[int]:
            return nearest_vectors.nearest(self.tx, self.model, vector, most, code=self.code, among=among)

        return overfetch.nearest(find, records, mask, count)


@dataclass(frozen=True, slots=True)
class Meaning:
    """The caches of one model's embeddings. Either `vectors` or `database_index` (an index in the database) is None.

    `read` gives the vectors of some records, whose ids ascend. `scale` maps the model's cosines, None for the built-in
    one, and for another until its null pairs were measured.
    """

    model: Model
    sparse: "Postings"
    vectors: "VectorIndex | None"
    read: "Callable[[Ints], Windows]"
    database_index: DatabaseIndex | None = None
    scale: "Scale | None" = None

    def frozen(self) -> "Meaning":
        """Return the same for a search that goes on when the lock is left; it must be asked before."""
        return replace(self, sparse=self.sparse.frozen())

    def within(self, namespaces: frozenset[str]) -> "Meaning":
        """Return the same as if only the records of some namespaces were stored."""
        vectors = None if self.vectors is None else self.vectors.within(namespaces)
        return replace(self, sparse=self.sparse.within(namespaces), vectors=vectors)

    def nearest(
        self, query: "Floats", words: "Postings", passing: "Callable[[Slots | Postings], Mask]"
    ) -> "Callable[[int], tuple[Ints, bool]]":
        """Return what searches for the nearest vectors that pass: see `search/retrieval.Nearest`."""
        if self.database_index is not None:
            return partial(self.database_index.nearest, query, words, passing(words))
        assert self.vectors is not None
        slots = self.vectors.slots
        records, search = slots.records.values, self.vectors.search(query, passing(slots))

        def nearest(count: int) -> "tuple[Ints, bool]":
            found = search.best(count)
            return records[found], len(found) < count

        return nearest


def _scale(tx: Transaction, model: str) -> "Scale | None":
    """Return the scale of a model's cosines as of the transaction; None where it was not measured yet."""
    null = model_choice.read(tx).nulls.get(model)
    if null is None:
        return None
    from indelible.search.index.null_cosines import Scale

    return Scale(null.mean, null.deviation)


@dataclass(frozen=True, slots=True)
class Caches:
    """The caches a recall searches, as of its transaction; `meaning` is None where nothing is embedded yet.

    `experience`, where it was asked for, has the vectors of that model, or none. `state` is another number where the
    caches have changed.
    """

    words: "Postings"
    meaning: Meaning | None
    experience: "Experience | None" = None
    state: int = 0

    def frozen(self) -> "Caches":
        """Return words and meaning as they are now, for a search that goes on when the lock is left.

        Terms must be read, and nearest vectors asked for, before that.
        """
        return Caches(self.words.frozen(), None if self.meaning is None else self.meaning.frozen(), state=self.state)

    def within(self, namespaces: frozenset[str]) -> "Caches":
        """Return the same as if only the records of some namespaces were stored."""
        return Caches(
            self.words.within(namespaces),
            None if self.meaning is None else self.meaning.within(namespaces),
            None if self.experience is None else self.experience.within(namespaces),
            self.state,
        )


class Index:
    """The caches of one tenant. They load at first use; every use sees what the caller's transaction sees."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._caches: dict[Partition, Cache] = {}
        self._models: dict[tuple[str, bool], tuple[Model, Partition, Partition]] = {}  # by name, of code or of the rest
        self._experiences: dict[int, Partition] = {}  # by the number of the model, 0 for none
        self._words: dict[int, Partition] = {}
        self._read: dict[int, ReadVectors] = {}  # by the number of the model
        self._state = 0
        self._follower = ChangeFollower(self)

    @property
    def loaded(self) -> bool:
        """Whether any recall has loaded a cache yet."""
        return bool(self._caches)

    @contextmanager
    def current(
        self,
        tx: Transaction,
        model: str | None = None,
        *,
        experience: bool = False,
        code: bool = False,
        commits: bool = False,
    ) -> Iterator[Caches]:
        """Yield the caches as of the transaction, under a lock.

        Those of symbols and files (`code`) and of `commits` are separate, and load at first use.
        Without a model only words are searched; caches of a model searched before are kept up all the same. All callers
        share them; a caller limited to namespaces gets them as if nothing else were stored.
        """
        scale = None if model is None or model == MODEL else _scale(tx, model)
        namespaces, tx = limits(tx), whole(tx)
        with self._lock:
            is_now = self._follower.catch_up(tx)
            number = terms.COMMIT_WORDS if commits else terms.CODE_WORDS if code else terms.WORDS
            if number not in self._words:
                self._words[number] = partitions.words(number)
            words = cast("Postings", self._cache(tx, self._words[number], is_now))
            meaning = None if model is None else self._meaning(tx, model, code, words.count, is_now)
            if meaning is not None and scale is not None:
                meaning = replace(meaning, scale=scale)
            caches = Caches(words, meaning, self._experience(tx, meaning, is_now) if experience else None, self._state)
            yield caches if namespaces is None else caches.within(namespaces)

    def follow(self, tx: Transaction, most: int) -> bool:
        """Take in at most so many of the changes that the transaction sees, so that the next recall need not.

        Return whether none are left.
        """
        with self._lock:
            return self._follower.catch_up(tx, most)

    def compact(self, pause: Callable[[], None]) -> None:
        """Merge small segments; recalls go on meanwhile. `pause` is called before each merge."""
        with self._lock:
            postings = [
                cast("Postings", cache) for partition, cache in self._caches.items() if partition.number in POSTINGS
            ]
        for each in postings:
            self._compact(each, pause)

    def _compact(self, postings: "Postings", pause: Callable[[], None]) -> None:
        from indelible.search.index.postings import LONG_TAIL, merge

        with self._lock:
            postings.flush_tail(LONG_TAIL)
        while True:
            with self._lock:
                pair = postings.to_merge()
            if pair is None:
                return
            pause()
            part = merge(*pair)
            with self._lock:
                postings.merged(pair, part)

    def _meaning(self, tx: Transaction, name: str, code: bool, stored: int, is_now: bool) -> Meaning | None:
        known = self._models.get((name, code))
        if known is None:
            model = embeddings.model(tx, name)
            if model is None:
                return None
            self._drop_other_models(name)
            known = self._models[name, code] = (model, *partitions.of_model(model, code=code))
        model, sparse, dense = known
        terms = cast("Postings", self._cache(tx, sparse, is_now))
        kept = self._read.setdefault(model.number, ReadVectors(model.number))
        read = partial(kept.of, tx, kept.changes if is_now and tx.remembered is not None else None)
        indexed = self._database_index(tx, model, code, stored)
        if indexed is not None:
            self._caches.pop(dense, None)
            return Meaning(model, terms, None, read, indexed)
        return Meaning(model, terms, cast("VectorIndex", self._cache(tx, dense, is_now)), read)

    def _drop_other_models(self, name: str) -> None:
        """Free what is loaded of the model that was searched before: the store has changed to another."""
        for key in [key for key in self._models if key[0] != name]:
            model, *gone = self._models.pop(key)
            self._read.pop(model.number, None)
            experience = self._experiences.pop(model.number, None)
            for partition in (*gone, *([] if experience is None else [experience])):
                self._caches.pop(partition, None)

    def _database_index(self, tx: Transaction, model: Model, code: bool, stored: int) -> DatabaseIndex | None:
        """Return the database's vector index for the transaction; looked up each time, as it may be made or dropped."""
        if stored < FEWEST or not nearest_vectors.whole(tx, model, code=code):
            return None
        return DatabaseIndex(tx, model, code)

    def _experience(self, tx: Transaction, meaning: Meaning | None, is_now: bool) -> "Experience":
        model = None if meaning is None else meaning.model
        number = 0 if model is None else model.number
        if number not in self._experiences:
            self._experiences[number] = partitions.experience(model)
        return cast("Experience", self._cache(tx, self._experiences[number], is_now))

    def _cache(self, tx: Transaction, partition: Partition, is_now: bool) -> "Cache":
        """Return what is loaded of a partition, else load it.

        A transaction of an earlier moment (not `is_now`) loads it for itself: kept, it would never get what came since.
        """
        found = self._caches.get(partition)
        if found is None:
            found = _loaded(tx, partition)
            if is_now:
                self._caches[partition] = found
        return found

    def start_over(self, tx: Transaction) -> None:
        """Drop what is loaded; it loads again at its next use."""
        self._state += 1
        self._caches.clear()
        self._models.clear()
        self._experiences.clear()
        self._read.clear()

    def take_in(self, tx: Transaction, news: Sequence[Change]) -> None:
        """Bring what is loaded up to the transaction."""
        self._state += 1
        for read in self._read.values():
            read.forget(change.record for change in news)
        for partition, cache in self._caches.items():
            last = last_operations(news, partition.operations)
            for record, operation in last.items():
                if operation == "delete" or partition.embeds:  # of an embedded text that changed nothing may be left
                    cache.remove(record)
            _put(tx, partition, cache, [r for r, operation in last.items() if operation != "delete"])


def _put(tx: Transaction, partition: Partition, cache: "Cache", ids: list[int]) -> None:
    entries = []
    for at in range(0, len(ids), SLICE):
        entries += partition.of_records(tx, ids[at : at + SLICE])
    cache.put_many(entries)


def _loaded(tx: Transaction, partition: Partition) -> "Cache":
    """Return a partition as of the transaction: sealed blocks, changes since they were sealed, the rest by rows."""
    from indelible.search.index.postings import BLOCK

    cache = partition.empty()
    now = changes.moment(tx)
    sealed = {
        b: (at, body)
        for b, at, _, body in terms.blocks(tx, partition.number, partition.version)
        if now.reaches_back_to(at)
    }
    changed = _changed_since(tx, partition, {b: at for b, (at, _) in sealed.items()})
    fresh: list[int] = []
    for block, (_, body) in list(sealed.items()):
        news = changed.get(block, {})
        try:
            cache.add_block(body, news)
        except ValueError:  # the rows say the same, only slower
            log.warning("damaged block", extra={"key": block, "message_text": "`indelible doctor --repair` repairs it"})
            del sealed[block]
            continue
        fresh += [record for record, operation in news.items() if operation != "delete"]
    _put(tx, partition, cache, sorted(fresh))
    for block in range(records.last_id(tx) // BLOCK + 1):
        if block not in sealed:
            cache.put_many(partition.in_range(tx, block * BLOCK, (block + 1) * BLOCK))
    return cache


def _changed_since(tx: Transaction, partition: Partition, sealed: dict[int, int]) -> dict[int, dict[int, str]]:
    """Return by block: the records changed after it was sealed, with the last operation on each."""
    from indelible.search.index.postings import BLOCK

    found: dict[int, dict[int, str]] = {}
    if sealed:
        for change in changes.since(tx, min(sealed.values())):
            block = change.record // BLOCK
            if partition.follows(change.operation) and change.position > sealed.get(block, change.position):
                found.setdefault(block, {})[change.record] = change.operation
    return found
