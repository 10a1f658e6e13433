"""The one way to follow the change log: a cache says how it is built and what a change does to it, nothing else."""

from collections.abc import Sequence
from typing import Protocol

from indelible.store.database import Transaction
from indelible.store.tables import changes
from indelible.store.tables.changes import Change


class Following(Protocol):
    """A cache of rows that is kept up by a `ChangeFollower`."""

    def start_over(self, tx: Transaction) -> None:
        """Forget everything, and build what is built at once, as of the transaction."""

    def take_in(self, tx: Transaction, news: Sequence[Change]) -> None:
        """Bring what is cached up to the transaction; `news` are the changes since the last time, in their order."""


class ChangeFollower:
    """The position of one cache in the log. Its owner's lock guards it."""

    def __init__(self, cache: Following, most: int | None = None) -> None:
        """`most` is the number of changes that are taken in one by one: after more the cache starts over."""
        self._cache = cache
        self._most = most
        self._epoch: str | None = None
        self._position = 0

    def catch_up(self, tx: Transaction, at_once: int | None = None) -> bool:
        """Bring the cache up to what the transaction sees; whether it is at that moment then.

        A transaction of an earlier moment leaves it as it is. With `at_once` it takes in so many changes at most, and
        the rest comes with the next one: what it has of a record may be newer than its position, and never older.

        The cache starts over where it was never built, a backup was restored, or the log was cut before it was read. If
        it raises, the position stays, and the same changes come again.
        """
        now = changes.moment(tx)
        if now.epoch == self._epoch and now.last <= self._position:
            return now.last == self._position
        too_many = self._most is not None and now.last - self._position > self._most
        if now.epoch != self._epoch or too_many or not now.reaches_back_to(self._position):
            self._epoch = None  # if it raises
            self._cache.start_over(tx)
        else:
            news = changes.since(tx, self._position, changes.ALL if at_once is None else at_once)
            self._cache.take_in(tx, news)
            if len(news) == at_once and news[-1].position < now.last:
                self._position = news[-1].position
                return False
        self._epoch, self._position = now.epoch, now.last
        return True


def last_operations(news: Sequence[Change], operations: Sequence[str]) -> dict[int, str]:
    """Return the last of some operations on each record that any of these changed."""
    return {change.record: change.operation for change in news if change.operation in operations}
