"""The timeline: what was remembered by day and project, newest first, activity by day, and what is stored now, live."""

from collections.abc import Iterable
from dataclasses import field
from datetime import UTC, date, datetime
from typing import NamedTuple

from starlette.responses import Response

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import COMMIT, RECALLED_KINDS
from indelible.server.web import rows
from indelible.server.web.page import Page, parameter, project_name
from indelible.server.web.rows import Row
from indelible.settings import DAY
from indelible.toolsets.memory import inspection
from indelible.toolsets.memory.inspection import Listed

SHOWN, MOST = 40, 640  # records of a page: so many, and where many have one moment
READS = 5  # pages of memories that are read for one with enough sessions
DAYS = 30  # that the bars show
HEIGHT = 32  # of the highest bar


class Choice(NamedTuple):
    """The records that a filter shows: of these kinds, of a memory's type, and captures of that sort; "" for any."""

    words: str
    kinds: tuple[str, ...]
    type: str = ""
    captured: str = ""


CHOICES = {
    "": Choice(
        "Everything", (*(kind for kind in RECALLED_KINDS if kind not in ("chunk", "message")), "document", COMMIT)
    ),
    "sessions": Choice("Sessions", ("memory",), "context", "session"),
    "decisions": Choice("Decisions", ("memory",), "decision"),
    "failures": Choice("Failures and fixes", ("failure", "solution")),
    "documents": Choice("Documents", ("document",)),
    "commits": Choice("Commits", (COMMIT,)),
}


@dataclass
class Project:
    """The records of a project on a day."""

    namespace: str
    name: str
    rows: list[Row] = field(default_factory=list)


@dataclass
class Day:
    """A day of the timeline, in UTC: its date, in words too, and its projects, that of the newest record first."""

    date: str
    words: str
    projects: list[Project] = field(default_factory=list)


class Bar(NamedTuple):
    """The records of one day: the date, their number, and the bar's height."""

    date: str
    records: int
    height: float


def show(page: Page) -> Response:
    """Show the records before a time, the newest without one."""
    what, before = page.query.get("what", ""), page.query.get("before", "")
    if what not in CHOICES:
        raise InvalidInput(f"what must be one of {', '.join(filter(None, CHOICES))}, or left out, got {what!r:.80}")
    if before and not (before.isascii() and before.isdecimal() and len(before) <= 16):
        raise InvalidInput(f"before must be a time in microseconds since 1970, got {before!r:.80}")
    choice = CHOICES[what]
    found, older = _found(page, choice, int(before) if before else inspection.ALWAYS)
    bars, total = _bars(page, choice)
    return page.shown(
        "timeline.html",
        given={"what": what, "project": parameter(page.project), "before": before},
        choices=CHOICES,
        kinds=",".join(choice.kinds),
        choice=choice,
        days=_days(page, found),
        older=older,
        bars=bars,
        total=total,
        height=HEIGHT,
    )


def _found(page: Page, choice: Choice, before: int) -> tuple[list[Listed], int]:
    """Return the records of a page, and before which time the next one begins, 0 for no next one."""
    found: list[Listed] = []
    for _ in range(READS):
        batch, older = _batch(page, choice, before)
        found += [each for each in batch if choice.captured in ("", each.record.metadata.get("captured"))]
        if not older or len(found) >= SHOWN or not choice.captured:
            return found, older
        before = older
    return found, before


def _batch(page: Page, choice: Choice, before: int) -> tuple[list[Listed], int]:
    """Return the newest records before a time, and where the next ones begin; those of one moment stay together.

    Of a moment with more than `MOST` records only so many are shown.
    """
    limit = SHOWN
    while True:
        found = inspection.newest(
            page.ctx,
            limit + 1,
            type_=choice.type,
            every_project=page.project is None,
            namespace=page.project,
            kinds=choice.kinds,
            length=rows.FIRST + 1,
            before=before,
        )
        if len(found) <= limit:
            return found, 0
        edge = found[limit].record.created
        whole = [each for each in found if each.record.created > edge]
        if whole:
            return whole, edge + 1
        if limit >= MOST:
            return found[:limit], edge
        limit *= 4


def _days(page: Page, found: Iterable[Listed]) -> list[Day]:
    days: list[Day] = []
    for each in found:
        day = _date(each.record.created // DAY)
        if not days or days[-1].date != day.isoformat():
            days.append(Day(day.isoformat(), f"{day:%A}, {day.day} {day:%B %Y}"))
        namespace = each.record.namespace
        project = next((known for known in days[-1].projects if known.namespace == namespace), None)
        if project is None:
            project = Project(namespace, project_name(namespace))
            days[-1].projects.append(project)
        project.rows.append(rows.of_record(page.ctx, each.record, each.short))
    return days


def _bars(page: Page, choice: Choice) -> tuple[list[Bar], int]:
    """Return a bar for each of the last days, the oldest first, and how many records they count.

    Days of which not all records were counted, in a large store, are left out.
    """
    today = page.ctx.now() // DAY
    first = today - DAYS + 1
    counts, since = inspection.by_day(
        page.ctx,
        choice.kinds,
        first * DAY,
        type_=choice.type,
        every_project=page.project is None,
        namespace=page.project,
    )
    first = max(first, -(-since // DAY))
    most = max(counts.values(), default=0)
    bars = [_bar(day, counts.get(day, 0), most) for day in range(min(first, today), today + 1)]
    return bars, sum(bar.records for bar in bars)


def _bar(day: int, count: int, most: int) -> Bar:
    return Bar(_date(day).isoformat(), count, max(2.0, round(HEIGHT * count / most, 1)) if count else 0.0)


def _date(day: int) -> date:
    return datetime.fromtimestamp(day * DAY // 1_000_000, UTC).date()


ROUTES = (("GET", "/timeline", show),)
