"""How long a memory or a relation holds, and whether a memory opens every brief: what its `metadata` says of that.

Times are ISO 8601 in UTC with six digits of a second, so that databases compare them as texts. What was true is kept
apart from what was known: see `past` for that.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from indelible import clock
from indelible.clock import age_value, sortable_text, time_value, validity_text
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import lifetimes

VALID_FROM, VALID_TO, EXPIRES_AT, PINNED = "valid_from", "valid_to", "expires_at", "pinned"
TIMES = (VALID_FROM, VALID_TO, EXPIRES_AT)
KINDS = ("memory", "solution")  # that can be pinned and can expire


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Times and a pin as a caller gives them: ISO 8601, "" for no time; None leaves what is there.

    `valid_from` and `valid_to` are since when and until when something is true. From `expires_at` on, also a duration
    such as 30d, a memory is in no recall and no brief. A `pinned` one opens every brief of its project.
    """

    valid_from: str | None = None
    valid_to: str | None = None
    expires_at: str | None = None
    pinned: bool | None = None

    @property
    def is_given(self) -> bool:
        """Whether anything is given."""
        return any(getattr(self, each.name) is not None for each in fields(self))


UNCHANGED = Lifetime()


def with_lifetime(ctx: Context, metadata: Mapping[str, Any], given: Lifetime) -> dict[str, Any]:
    """Return metadata with what is given.

    Raises InvalidInput for what is no time, an expiry that has passed, or an end that is not after the start.
    """
    new = dict(metadata)
    for name in TIMES:
        text = getattr(given, name)
        if text is not None:
            new.pop(name, None)
            new |= {name: _moment(ctx, text, name)} if text else {}
    if given.pinned is not None:
        new.pop(PINNED, None)
        new |= {PINNED: True} if given.pinned else {}
    start, end = _time_in(new, VALID_FROM), _time_in(new, VALID_TO)
    if (given.valid_from or given.valid_to) and start and end and end <= start:
        raise InvalidInput(
            f"{VALID_TO} {end} is not after {VALID_FROM} {start}; give a later end, or an empty text for none"
        )
    if given.expires_at and new[EXPIRES_AT] <= sortable_text(ctx.now()):
        raise InvalidInput(
            f"{EXPIRES_AT} {given.expires_at} has passed: the memory would be in no recall; give a later time, or "
            "delete it"
        )
    return new


def _moment(ctx: Context, text: str, name: str) -> str:
    lasting = age_value(text.strip()) if name == EXPIRES_AT else None
    try:
        return sortable_text(time_value(text, name) if lasting is None else ctx.now() + lasting)
    except OverflowError:
        raise InvalidInput(f"{name} {text} lies after the year 9999; leave it out for what never expires") from None
    except InvalidInput as error:
        also = "it takes a duration such as 30d, 12w or 1y too, and " if name == EXPIRES_AT else ""
        raise InvalidInput(f"{error}; {also}an empty text is none") from None


def _time_in(metadata: Mapping[str, Any], name: str) -> str:
    """Return a time of metadata, "" for none, or for what an import brought that is no text."""
    found = metadata.get(name)
    return found if isinstance(found, str) else ""


def validity(metadata: Mapping[str, Any], now: str) -> str:
    """Return whether something has ended or lies ahead at a time (`clock.sortable_text`), "" if it holds."""
    return clock.validity(*true_at(metadata), now)


def has_expired(record: Record, now: str) -> bool:
    """Return whether a record left recalls before or at a time (`clock.sortable_text`)."""
    end = _time_in(record.metadata, EXPIRES_AT) if record.kind in KINDS else ""
    return bool(end) and end <= now


def stored_again(ctx: Context, record: Record, given: Lifetime) -> Record:
    """Return a record whose content is stored again, with what is given: one that has expired is current once more."""
    metadata = record.metadata
    if has_expired(record, sortable_text(ctx.now())):
        metadata = {name: value for name, value in metadata.items() if name != EXPIRES_AT}
    if given.is_given:
        metadata = with_lifetime(ctx, metadata, given)
    return record if metadata == record.metadata else replace(record, metadata=metadata, updated=ctx.now())


def shown(record: Record, now: str) -> dict[str, Any]:
    """Return what answers show of a memory or solution at a time, nothing of most: its times, `pinned`, how it stands.

    That is `expired`, and `validity` where it does not hold: `ended` or `ahead`.
    """
    if not record.metadata or record.kind not in KINDS:
        return {}
    found = times_of(record.metadata, now)
    if end := _time_in(record.metadata, EXPIRES_AT):
        found[EXPIRES_AT] = end
        found |= {"expired": True} if end <= now else {}
    if record.metadata.get(PINNED) is True:
        found[PINNED] = True
    return found


def marks(shown: Mapping[str, Any]) -> dict[str, str]:
    """Return by kind, in a few words each, what a reader must know of a record or relation `shown` so; mostly nothing.

    That it has expired, is not true now, is true until a time, or opens every brief.
    """
    start, end, state = (shown.get(name, "") for name in (VALID_FROM, VALID_TO, "validity"))
    said = {
        "expired": f"expired {shown[EXPIRES_AT][:10]}" if shown.get("expired") else "",
        "validity": validity_text(start, end, state) or (f"true until {end[:10]}" if end else ""),
        "pinned": "pinned" if shown.get(PINNED) else "",
    }
    return {kind: words for kind, words in said.items() if words}


def remarks(shown: Mapping[str, Any]) -> list[str]:
    """Return the words of `marks`."""
    return list(marks(shown).values())


def times_of(metadata: Mapping[str, Any], now: str) -> dict[str, Any]:
    """Return `valid_from` and `valid_to` of a memory's or a relation's metadata, if there are, and `validity`."""
    found: dict[str, Any] = {name: time for name in (VALID_FROM, VALID_TO) if (time := _time_in(metadata, name))}
    return found | ({"validity": state} if found and (state := validity(metadata, now)) else {})


def true_at(metadata: Mapping[str, Any]) -> tuple[str, str]:
    """Return since when and until when what metadata belongs to is true, "" for no time."""
    return _time_in(metadata, VALID_FROM), _time_in(metadata, VALID_TO)


def times_in(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the three times of metadata, as far as there are."""
    return {name: time for name in TIMES if (time := _time_in(metadata, name))}


def normalized(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata of an import with its times as they are stored; what is no time stays what it is."""
    new = dict(metadata)
    for name, time in times_in(metadata).items():
        try:
            new[name] = sortable_text(time_value(time, name))
        except InvalidInput:  # another product may mean another thing by that name
            continue
    return new


def warning(ctx: Context, tx: Transaction, namespace: str) -> str:
    """Return a sentence where more are pinned in the project of a namespace than its briefs show, else ""."""
    counts = lifetimes.pinned_by_namespace(tx, sortable_text(ctx.now()))
    names = ctx.scope(tx).of_project(namespace, set(records.namespaces(tx)))
    return too_many(sum(count for name, count in counts.items() if name in names))


def too_many(count: int) -> str:
    """Return the sentence that so many are too many in one project, "" if they are not."""
    if count <= lifetimes.MOST_PINNED:
        return ""
    return (
        f"{count} are pinned in this project, and a brief opens with the {lifetimes.MOST_PINNED} most important, of "
        "these the newest; unpin the others"
    )
