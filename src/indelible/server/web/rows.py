"""A record as a row of a list: the same in the results of a search, in lists, and in the live stream."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from indelible.capture.project_brief import person_of
from indelible.clock import age_text, sortable_text, time_text
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.recall.trace import Explained, Reason
from indelible.core.records import lifetimes
from indelible.core.records.trust import is_confirmed, stated_by, typed_by
from indelible.model import COMMIT, COMPONENTS, Record
from indelible.server.web.page import project_name
from indelible.store.views.todos import TODO
from indelible.toolsets import shapes
from indelible.toolsets.context import todos
from indelible.toolsets.shapes import Mark

LONGEST_ID = 24  # characters of one that is shown in a list
SHORT = 8  # characters of an id
UNTRUSTED, DONE = Mark("untrusted", "untrusted"), Mark("done", "done")
OWN_WORDS = Mark("untrusted", "in your briefs, not reviewed")  # what the reader typed
NEAR = 100  # characters of a line of a list
FIRST = 400  # characters of a text in a row
SPEAKERS = {
    "user": "said by you",
    "agent": "said by the agent",
    "session": "from a session",
    "": "stored by you or an agent",
}
PLACE = 60  # characters of the place in a document that a part of it is from
HASH = 8  # characters of a commit's id
COMPONENT_NAMES = {
    "vector_similarity": "meaning",
    "token_overlap": "words",
    "graph_strength": "relations",
    "temporal": "time",
    "tag_matching": "tags",
    "importance": "importance",
    "confidence": "confidence",
    "recency": "recency",
}


class Part(NamedTuple):
    """One component of a score: its name, its value, 0..1, and where its bar begins and ends, in percent."""

    name: str
    value: float
    start: float
    width: float


class Row(NamedTuple):
    """The facts of one record that a list shows."""

    id: str
    short: str
    kind: str
    text: str
    project: str
    namespace: str
    age: str
    time: str
    speaker: str
    marks: Sequence[Mark]
    tags: Sequence[str]
    score: float | None = None
    parts: Sequence[Part] = ()
    reasons: Sequence[Reason] = ()
    passage: tuple[str, str, str] | None = None  # before, the sentence or line with words of the question, behind
    whole: str = ""  # its text as it was read, of a document too, which a list names by its file


def of_record(ctx: Context, record: Record, short: str = "") -> Row:
    """Return the row of a record."""
    now = ctx.now()
    said = shapes.marks(lifetimes.shown(record, sortable_text(now)))
    return _row(record, short or record.key[:SHORT], now, [*_own_marks(ctx, record), *said])


def of_hit(ctx: Context, found: Explained) -> Row:
    """Return the row of a hit, with its score, why it was found, and the passage that matched."""
    hit = found.hit
    said = shapes.marks(shapes.standing(hit), lambda id_: id_[:SHORT])
    row = _row(hit.record, hit.record.key[:SHORT], ctx.now(), [*_own_marks(ctx, hit.record), *said])
    parts = parts_of(hit.score, hit.components)
    return row._replace(
        score=hit.score, parts=parts, reasons=found.reasons, passage=_passage(hit.record, found.passage)
    )


def parts_of(score: float, components: Mapping[str, float]) -> list[Part]:
    """Return the components of a score as the parts of a bar, as wide together as the score."""
    total = sum(components.values()) or 1.0
    parts, start = [], 0.0
    for name in COMPONENTS:
        width = 100 * score * components[name] / total
        parts.append(Part(COMPONENT_NAMES[name], components[name], round(start, 2), round(width, 2)))
        start += width
    return parts


def _passage(record: Record, place: tuple[int, int] | None) -> tuple[str, str, str] | None:
    """Return the matching passage in what a row shows: the text begins with it where it stands too far behind."""
    text = record.text
    if place is None:
        return None
    start, end = place
    begin = 0 if end <= NEAR else start
    shown = text[begin : begin + FIRST]
    before, what = shown[: start - begin], shown[start - begin : end - begin]
    return ("…" if begin else "") + before, what, shown[end - begin :] + ("…" if len(text) > begin + FIRST else "")


def speaker_of(record: Record) -> str:
    """Return who said a record or where it comes from, in a few words; of a part of a document its place there."""
    if record.kind == "chunk" and record.label:
        return f"from {record.label if len(record.label) <= PLACE else record.label[:PLACE] + '…'}"
    found = stated_by(record)
    return SPEAKERS.get(found) or f"from {found[:40]}"


def kind_of(record: Record) -> str:
    """Return the type of a memory, the kind of any other record."""
    return record.type or record.kind if record.kind == "memory" else record.kind


def _row(record: Record, short: str, now: int, said: Sequence[Mark]) -> Row:
    whole, text = record.text or record.label, _text_of(record)
    return Row(
        id=ids.shown(record) if record.kind == "memory" else ids.name_of(record),
        short=_cut(f"commit:{record.key[:HASH]}" if record.kind == COMMIT else short),
        kind=kind_of(record),
        text=text if len(text) <= FIRST else text[:FIRST].rstrip() + "…",
        project=project_name(record.namespace),
        namespace=record.namespace,
        age=age_text(now - record.created),
        time=time_text(record.created),
        speaker=speaker_of(record),
        marks=said,
        tags=record.tags,
        whole=whole,
    )


def is_own(ctx: Context, record: Record) -> bool:
    """Return whether a record is what the reader certainly typed, which the reader's own briefs have unreviewed."""
    person = person_of(ctx)
    return bool(person) and typed_by(record) == person


def _own_marks(ctx: Context, record: Record) -> list[Mark]:
    """Return whether it waits for review, and whether the briefs of who reads have it meanwhile; of a todo, if done."""
    found = []
    if not is_confirmed(record):
        found.append(OWN_WORDS if is_own(ctx, record) else UNTRUSTED)
    if record.kind == TODO and record.type == todos.COMPLETED:
        found.append(DONE)
    return found


def _cut(id_: str) -> str:
    return id_ if len(id_) <= LONGEST_ID else f"{id_[:LONGEST_ID]}…"


def _text_of(record: Record) -> str:
    """Return what a list shows of a record: of a document its name, of an entity its name and what is known of it."""
    if record.kind == "document" and record.label:
        return record.label
    if record.kind == "entity" and record.text.startswith(f"{record.label}\n"):
        known = record.text[len(record.label) :].strip()
        return record.label if known.startswith("{") else f"{record.label}: {known}"  # not for people
    return record.text or record.label


def as_dicts(rows: Collection[Row]) -> list[dict[str, Any]]:
    """Return rows for an export: without what only a list shows."""
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "content": row.whole,
            "namespace": row.namespace,
            "created_at": row.time,
            "said_by": row.speaker,
            "tags": list(row.tags),
            "marks": [mark.words for mark in row.marks],
            **({} if row.score is None else {"score": round(row.score, 4)}),
        }
        for row in rows
    ]
