"""A record as a row of a list: the same in the results of a search, in lists, and in the live stream."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from indelible.clock import age_text, sortable_text, time_text
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.records import lifetimes
from indelible.core.records.trust import is_confirmed, stated_by
from indelible.model import COMPONENTS, Hit, Record
from indelible.server.web.page import project_name
from indelible.toolsets import shapes
from indelible.toolsets.shapes import Mark

SHORT = 8  # characters of an id
UNTRUSTED = Mark("untrusted", "untrusted")
FIRST = 400  # characters of a text in a row
SPEAKERS = {"user": "said by you", "agent": "said by the agent", "session": "from a session", "": "stored"}
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
    via: str = ""
    via_id: str = ""


def of_record(ctx: Context, record: Record, short: str = "") -> Row:
    """Return the row of a record."""
    now = ctx.now()
    return _row(record, short or record.key[:SHORT], now, shapes.marks(lifetimes.shown(record, sortable_text(now))))


def of_hit(ctx: Context, hit: Hit) -> Row:
    """Return the row of a hit, with its score and how it was found."""
    said = shapes.marks(shapes.standing(hit), lambda id_: id_[:SHORT])
    row = _row(hit.record, hit.record.key[:SHORT], ctx.now(), said)
    total = sum(hit.components.values()) or 1.0
    parts, start = [], 0.0
    for name in COMPONENTS:
        width = 100 * hit.score * hit.components[name] / total
        parts.append(Part(COMPONENT_NAMES[name], hit.components[name], round(start, 2), round(width, 2)))
        start += width
    via = (hit.via.relationship, hit.via.id) if hit.via else ("", "")
    return row._replace(score=hit.score, parts=parts, via=via[0], via_id=via[1])


def speaker_of(record: Record) -> str:
    """Return who said a record or where it comes from, in a few words."""
    found = stated_by(record)
    return SPEAKERS.get(found) or f"from {found[:40]}"


def kind_of(record: Record) -> str:
    """Return the type of a memory, the kind of any other record."""
    return record.type or record.kind if record.kind == "memory" else record.kind


def _row(record: Record, short: str, now: int, said: Sequence[Mark]) -> Row:
    text = record.text or record.label
    return Row(
        id=ids.shown(record) if record.kind == "memory" else ids.name_of(record),
        short=short,
        kind=kind_of(record),
        text=text if len(text) <= FIRST else text[:FIRST].rstrip() + "…",
        project=project_name(record.namespace),
        namespace=record.namespace,
        age=age_text(now - record.created),
        time=time_text(record.created),
        speaker=speaker_of(record),
        marks=said if is_confirmed(record) else [UNTRUSTED, *said],
        tags=record.tags,
    )


def as_dicts(rows: Collection[Row]) -> list[dict[str, Any]]:
    """Return rows for an export: without what only a list shows."""
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "content": row.text,
            "namespace": row.namespace,
            "created_at": row.time,
            "said_by": row.speaker,
            "tags": list(row.tags),
            "marks": [mark.words for mark in row.marks],
            **({} if row.score is None else {"score": round(row.score, 4)}),
        }
        for row in rows
    ]
