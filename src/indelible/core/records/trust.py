"""Trust in a record: stated by a user or agent, or only captured."""

from dataclasses import replace

from indelible.core.context.context import Context
from indelible.core.records import trash
from indelible.model import SPEAKERS, Record
from indelible.store.database import Transaction

UNTRUSTED, TRUSTED = "untrusted", "trusted"  # metadata's `trust`: captured memories have it, others mostly do not
TYPED_BY = "typed_by"  # metadata of a captured memory: the person who certainly typed it; no import brings it
STATED = ("decision", "statement")  # kinds of captures that somebody said

CAPTURED_CONFIDENCE = 0.5  # of a captured memory until it is trusted: beside an equal one it comes second


def trust(ctx: Context, tx: Transaction, record: Record) -> bool:
    """Clear the mark of distrust of a captured memory that is stored or changed by hand; whether it had one."""
    if is_confirmed(record):
        return False
    trash.overwrite(ctx, tx, record, trusted(ctx, record))
    return True


def trusted(ctx: Context, record: Record) -> Record:
    """Return a memory with `trusted` instead of the mark of distrust of captured ones, and the call that did it."""
    if is_confirmed(record):
        return record
    captured = "captured" in record.metadata and record.confidence == CAPTURED_CONFIDENCE
    return replace(
        record,
        metadata={**record.metadata, "trust": TRUSTED, "promoted_by": ctx.call.tool},
        confidence=1.0 if captured else record.confidence,
    )


def stated_by(record: Record) -> str:
    """Return who a record comes from: "user" or "agent" where a capture found that one said it, "" if that is unknown.

    "session" is what was derived from the actions of a captured session; any other word is the record's `origin`, such
    as that of an import. Of records stored by a tool or a command it is unknown which of the two said it.
    """
    origin, speaker = record.metadata.get("origin"), record.metadata.get("stated_by")
    if "captured" in record.metadata or origin == "capture":
        return speaker if speaker in SPEAKERS else "session"
    return origin if isinstance(origin, str) else ""


def typed_by(record: Record) -> str:
    """Return the person who certainly typed what a captured memory states, "" where nobody did.

    A session's summary is in nobody's words, though its first request may be.
    """
    person = record.metadata.get(TYPED_BY)
    return person if isinstance(person, str) and record.metadata.get("captured") in STATED else ""


def is_confirmed(record: Record) -> bool:
    """Whether a record was stated, or was confirmed since it was captured."""
    return record.metadata.get("trust") != "untrusted"
