"""Events of agents' sessions as rows of the store, and back: checked, and cut to what a row may have."""

from hashlib import sha256
from typing import Any

from indelible.errors import InvalidInput
from indelible.extraction.events import MOST_EDITS, TEXTS, VERSION, check
from indelible.store.tables import records
from indelible.store.tables.activity import MARK, Activity

LONGEST_NAME = 40  # characters of a client's name
LONGEST_ID = 300  # characters of a session or an event; a longer one stands as its hash
LONGEST_SUBJECT = 2_000
LONGEST_DETAIL = 12 * 1024  # bytes
LONGEST_TEXT = 8_000  # characters of one text in the detail, of which the last part is kept where it must be cut
LATEST = 1 << 62  # microseconds: what every database holds

OWN = ("action", "subject", "outcome")  # columns of a tool's call
DETAILS = ("cwd", "project", "source", "text", "tool", "output", "edits", "trigger", "reason", "redacted")


def row_of(event: Any) -> Activity:
    """Return the row of a common event, without a namespace yet. Raises InvalidInput for any other value."""
    known = check(event)
    client, session, name, what = (_text(known[field]) for field in ("client", "session", "id", "what"))
    time = known["time"]
    if not isinstance(time, int) or not 0 <= time < LATEST:
        raise InvalidInput(f"the `time` of an event is in microseconds since 1970, this is {time!r:.40}")
    own = {field: _text(known.get(field)) for field in OWN}
    return Activity(
        session=_short(f"{client}:{session}", f"{client[:LONGEST_NAME]}:"),
        event=_short(name, "event:", not_before=MARK),
        time=time,
        client=client[:LONGEST_NAME],
        what=what,
        namespace="",
        action=own["action"],
        subject=_cut(own["subject"], LONGEST_SUBJECT),
        outcome=own["outcome"],
        detail=_fitting({field: known[field] for field in DETAILS if known.get(field)}),
    )


def event_of(row: Activity) -> dict[str, Any]:
    """The common event of a row; its texts may be shorter than they came."""
    event = {
        "v": VERSION,
        "id": row.event,
        "client": row.client,
        "session": row.session.removeprefix(f"{row.client}:"),
        "time": row.time,
        "what": row.what,
        "cwd": "",
        **dict.fromkeys(TEXTS[row.what], ""),
    }
    if row.what == "tool":
        event |= {"edits": [], **{field: getattr(row, field) for field in OWN}}
    return {**event, **row.detail}


def _text(value: Any) -> str:
    """A text that every database holds: without NUL and halves of surrogate pairs; "" for what is not text."""
    if not isinstance(value, str):
        return ""
    return value.replace("\0", "").encode("utf-8", "replace").decode()


def _short(name: str, prefix: str, not_before: str = "") -> str:
    """A name as it is, or its hash where it is longer than an index likes or begins as it must not."""
    if len(name) <= LONGEST_ID and not (not_before and name.startswith(not_before)):
        return name
    return prefix + sha256(name.encode()).hexdigest()


def _cut(text: str, longest: int) -> str:
    """Return a text cut to its beginning and, three times as long, its end, where errors are printed."""
    if len(text) <= longest:
        return text
    first = longest // 4
    return f"{text[:first]}…{text[len(text) - (longest - first - 1) :]}"


def _fitting(detail: dict[str, Any]) -> dict[str, Any]:
    """The detail with its texts cut until it is no longer than a row may have it."""
    longest = LONGEST_TEXT
    while True:
        shorter = {field: _shortened(field, value, longest) for field, value in detail.items()}
        if len(records.dump(shorter).encode()) <= LONGEST_DETAIL:
            return shorter
        longest //= 2


def _shortened(field: str, value: Any, longest: int) -> Any:
    if field == "redacted":
        return value
    if field != "edits":
        return _cut(_text(value), longest)
    listed = value[:MOST_EDITS] if isinstance(value, list) else []
    return [
        {name: _cut(_text(edit.get(name)), longest) for name in ("path", "old", "new")}
        for edit in listed
        if isinstance(edit, dict)
    ]
