"""Review of captured memories, one after the other: each is kept or rejected, and the last decisions can be undone."""

from typing import Any, Literal

from indelible.capture import promotion
from indelible.capture.session_summaries import SESSION
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import undo
from indelible.core.records.trust import STATED, is_confirmed
from indelible.dataclass import dataclass
from indelible.model import SPEAKERS, Record
from indelible.sanitize.prompt_frame import one_line
from indelible.sanitize.validate import merged
from indelible.store.tables import activity, records

AROUND = 240  # characters of a message before and behind a statement
FOUND_BY = 60  # characters of a statement that it is looked for by: the rest of it may be written differently
MESSAGES = ("prompt", "turn_ended")  # events that hold a text of the user, and of the agent
AT_ONCE = 20  # events at one time that are looked at
LAST = "\U0010ffff"  # behind every id of an event

Decision = Literal["kept", "rejected"]


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision on a memory: the row id, whether its text was edited, and the operation that undoes it."""

    record: int
    decision: Decision
    edited: bool
    operation: str


class Review:
    """The memories that wait for review, and the decisions on them so far.

    What somebody said comes first, since rules and decisions steer later sessions, then failures and whatever else was
    found, and the summaries of sessions last; of each the newest first. With `of_project` they are those of the project
    that the caller works in.
    """

    def __init__(self, ctx: Context, *, of_project: bool = False):
        self._ctx, self._of_project = ctx, of_project
        self._queue = [record.id for record in sorted(self._all(), key=_turn)]
        self.decided: list[Decided] = []

    def current(self) -> Record | None:
        """Return the memory to decide on as it is now, None after the last; what others decided on is left out."""
        while self._queue:
            with self._ctx.store.read() as tx:
                record = records.by_ids(tx, self._queue[:1]).get(self._queue[0])
            if record is not None and not record.replaced and not is_confirmed(record):
                return record
            del self._queue[0]
        return None

    @property
    def left(self) -> int:
        """How many memories are to be decided on, the current one included."""
        return len(self._queue)

    def waiting(self) -> int:
        """Return how many memories wait for review now, of the store or of the caller's project."""
        return promotion.waiting(self._ctx, 1, of_project=self._of_project)[1]

    def _all(self) -> list[Record]:
        return promotion.all_waiting(self._ctx, of_project=self._of_project)

    def keep(self, record: Record, text: str | None = None) -> list[dict[str, Any]]:
        """Trust the current memory, with another text if one is given; return what was redacted in that.

        Raises as `promotion.keep` does; the memory is then still the current one.
        """
        call = Call()
        promotion.keep(self._ctx.for_call(call), record, text)
        edited = text is not None and text != record.text
        self._decide(Decided(record.id, "kept", edited, call.operation))
        return merged(call.redacted)

    def reject(self, record: Record) -> None:
        """Delete the current memory, which is not captured again. Raises as `keep` does."""
        call = Call()
        promotion.reject(self._ctx.for_call(call), record)
        self._decide(Decided(record.id, "rejected", False, call.operation))

    def skip(self, record: Record) -> None:
        """Leave the current memory as it is, waiting."""
        self._queue.remove(record.id)

    def undo(self) -> Decided | None:
        """Undo the last decision, whose memory is the current one again; None where there is none left.

        Raises Conflict where the memory was changed since.
        """
        if not self.decided:
            return None
        last = self.decided[-1]
        undo.undo(self._ctx.for_call(Call(tool="undo")), last.operation)
        self._queue.insert(0, last.record)
        return self.decided.pop()

    def _decide(self, decided: Decided) -> None:
        self.decided.append(decided)
        self._queue.remove(decided.record)


def _turn(record: Record) -> int:
    kind = record.metadata.get("captured")
    return 0 if kind in STATED else 2 if kind == SESSION else 1


def surroundings(ctx: Context, record: Record) -> str:
    """Return the message that a captured statement stands in, cut around it; "" where it is no longer stored.

    The events of a session are deleted after some time. A memory that was derived from several events has no message.
    """
    if record.metadata.get("stated_by") not in SPEAKERS:
        return ""
    with ctx.store.read() as tx:
        for time in dict.fromkeys((record.created, record.updated)):
            rows = activity.of_session(tx, record.session, (time, LAST), AT_ONCE)
            texts = [str(row.detail.get("text", "")) for row in rows if row.time == time and row.what in MESSAGES]
            if found := next(filter(None, (_around(text, record.text) for text in texts)), ""):
                return found
    return ""


def _around(message: str, statement: str) -> str:
    """Return the part of a message around a statement, in one line; "" if the statement is all of it.

    It is the beginning of the message where the statement is written differently in it.
    """
    line, wanted = one_line(message), one_line(statement)
    if line == wanted:
        return ""
    at = max(0, line.find(wanted[:FOUND_BY]))
    end = at + len(wanted)
    start, stop = max(0, at - AROUND), min(len(line), end + AROUND)
    return ("…" if start else "") + line[start:stop] + ("…" if stop < len(line) else "")
