"""One call of a tool: the caller, what the call touched, and what was redacted."""

import uuid
from collections.abc import Callable
from dataclasses import field, replace
from typing import NamedTuple

from indelible.dataclass import dataclass
from indelible.errors import Cancelled
from indelible.sanitize.redact import Finding


def _no_progress(done: int, total: int | None, message: str) -> None:
    """Report no progress."""


def _waiting() -> bool:
    """Return False: the call is never cancelled."""
    return False


@dataclass(frozen=True, slots=True)
class Caller:
    """The party that waits for a call. Both functions run in the thread that runs the call, and return at once.

    `progress` gets the steps done, the steps in all (None: unknown) and a message; `cancelled` tells whether the
    caller has given up.
    """

    progress: Callable[[int, int | None, str], None] = _no_progress
    cancelled: Callable[[], bool] = _waiting


WEAK = "nothing here is clearly about this"  # of an answer, see `Notes`
NO_CALLER = Caller()  # asks for no progress and never cancels


class Notes(NamedTuple):
    """The remarks on an answer about its searches.

    `unembedded` is how many records were searched by their words only, as they are not embedded yet; `by_words` whether
    all were, as the query was not embedded in time; `weak` whether nothing that was found is clearly about the query.
    `not_reranked` says why a chosen cross-encoder did not order all hits that it should have; "" where it did, or none
    is chosen. `more` says how much of a long list is not here and how to go on, "" where all is.
    """

    unembedded: int = 0
    by_words: bool = False
    weak: bool = False
    not_reranked: str = ""
    more: str = ""

    def and_those(self, others: "Notes") -> "Notes":
        """Return the remarks on two answers that are given together."""
        weak = self.weak or others.weak
        by_words = self.by_words or others.by_words
        most = max(self.unembedded, others.unembedded)
        return Notes(most, by_words, weak, self.not_reranked or others.not_reranked, self.more or others.more)


NO_NOTES = Notes()


@dataclass(slots=True)
class Searched:
    """The searches of a call: `unembedded` are the records without an embedding, by row id; the rest as of `Notes`."""

    unembedded: set[int] = field(default_factory=set)
    by_words: bool = False
    weak: bool = False
    not_reranked: str = ""
    more: str = ""

    @property
    def notes(self) -> Notes:
        """The remarks so far."""
        return Notes(len(self.unembedded), self.by_words, self.weak, self.not_reranked, self.more)

    def clear(self) -> None:
        """Begin anew."""
        self.unembedded.clear()
        self.by_words = self.weak = False
        self.not_reranked = self.more = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: `operation` groups what it puts into the trash, `key` makes a retry harmless.

    A `bulk` operation makes many independent changes: it is undone in short transactions, and so is its undo.
    One that `restores` is an undo, which no quota refuses; `reverses` says whether of a change or of an undo, as the
    trash has it (`store/tables/trash.py`).
    """

    tool: str = "engine"
    operation: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    conversation: str = ""
    key: str | None = None
    digest: str = ""
    touched: list[str] = field(default_factory=list)
    redacted: list[Finding] = field(default_factory=list)
    searched: Searched = field(default_factory=Searched)
    caller: Caller = NO_CALLER
    bulk: bool = False
    restores: bool = False
    reverses: int = 0

    @property
    def cancelled(self) -> bool:
        """Whether the caller has given up waiting for the answer."""
        return self.caller.cancelled()

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Tell the caller how far a long call is. Cheap: call it after every step, with `done` growing."""
        self.caller.progress(done, total, message)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled if the caller has given up; call it between two transactions, never inside one."""
        if self.cancelled:
            raise Cancelled(f"{self.tool} was cancelled; what it committed before is kept")

    def in_conversation(self, conversation: str) -> "Call":
        """The same call, as part of a conversation."""
        return replace(self, conversation=conversation)

    def with_digest(self, digest: str) -> "Call":
        """The same call, with a digest of its arguments: a request key stands for these and no others."""
        return replace(self, digest=digest)
