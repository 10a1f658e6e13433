"""One call of a tool: who calls, what it touched, what it was answered."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from indelible.errors import Cancelled
from indelible.sanitize.redact import Finding


def _unheard(done: int, total: int | None, message: str) -> None:
    """Nobody asked how far the call is."""


def _waiting() -> bool:
    """Nobody takes the call back."""
    return False


@dataclass(frozen=True, slots=True)
class Caller:
    """Who waits for a call. Both functions are asked in the thread that runs the call, and return at once.

    `progress` hears how many of how many steps are done (None: unknown); `gone` says that nobody waits any more.
    """

    progress: Callable[[int, int | None, str], None] = _unheard
    gone: Callable[[], bool] = _waiting


NOBODY = Caller()  # asks for no progress and never cancels


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: `operation` groups what it puts into the trash, `key` makes a retry harmless.

    What a `bulk` operation does to many records is independent: it is undone in short transactions, and so is its undo.
    A call that `reverses` is the undo of another: what it puts into the trash is no change of its own.
    """

    tool: str = "engine"
    operation: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    conversation: str = ""
    key: str | None = None
    digest: str = ""
    touched: list[str] = field(default_factory=list)
    redacted: list[Finding] = field(default_factory=list)
    caller: Caller = NOBODY
    bulk: bool = False
    reverses: bool = False

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self.caller.gone()

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Tell the caller how far a long call is. Cheap: call it after every step, with `done` growing."""
        self.caller.progress(done, total, message)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled where nobody waits any more; for the gap between two transactions, never inside one."""
        if self.cancelled:
            raise Cancelled(f"{self.tool} was cancelled; what it committed before is kept")

    def in_conversation(self, conversation: str) -> "Call":
        """The same call, as part of a conversation."""
        return replace(self, conversation=conversation)

    def with_digest(self, digest: str) -> "Call":
        """The same call, with a digest of its arguments: a request key stands for these and no others."""
        return replace(self, digest=digest)
