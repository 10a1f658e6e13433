"""The first screen: what the next session will be told, what was learned lately, which commands still fail."""

import re
from typing import NamedTuple

from starlette.responses import Response

from indelible.capture import open_failures
from indelible.capture.brief import AT_START, compose
from indelible.capture.project_brief import person_of
from indelible.clock import age_text
from indelible.core.context import ids
from indelible.server.web import rows
from indelible.server.web.page import Page
from indelible.store.tables import records
from indelible.toolsets.memory import inspection

LEARNED, FAILURES = 6, 4
BREAK = 30 * 60_000_000  # microseconds after which a visit is another look


class Look(NamedTuple):
    """When the last visit of the first screen was, and the end of the look before it, 0 for none: microseconds."""

    last: int
    before: int

    @classmethod
    def of(cls, text: str, now: int) -> "Look":
        """Return the look that a visit belongs to, given what the visit before it noted; a reload changes nothing."""
        found = _NOTED.fullmatch(text)
        if found is None:
            return cls(now, 0)
        last, before = (min(int(each), now) for each in found.groups())
        return cls(now, last if now - last > BREAK else before)

    @property
    def text(self) -> str:
        """Return what a browser keeps of it."""
        return f"{self.last}.{self.before}"


_NOTED = re.compile(r"([0-9]{1,16})\.([0-9]{1,16})")


def show(page: Page) -> Response:
    """Show the first screen for the project of the switcher, else that of the newest memory."""
    ctx = page.ctx
    newest = inspection.newest(ctx, 1, every_project=True, length=1)
    project = page.project
    if project is None:
        project = inspection.project(ctx) or (newest[0].record.namespace if newest else "")
    with ctx.store.read() as tx:
        scope = ctx.scope(tx)
        names = scope.named(project, set(records.namespaces(tx)))
        brief = compose(tx, project, names, ctx.now(), AT_START, person_of(ctx))
        found = records.by_ids(tx, brief.records)
        named = [ids.name_of(found[each]) if each in found else "" for each in brief.records]
        failures = open_failures.newest(tx, {project, *names}, ctx.now(), FAILURES)
    look = Look.of(page.looked, ctx.now())
    page.note_look(look.text)
    learned = inspection.newest(ctx, LEARNED + 1, namespace=project, length=rows.FIRST + 1)
    new = sum(each.record.created > look.before for each in learned) if look.before else 0
    shown = learned[: min(new, LEARNED) if new else LEARNED]
    return page.shown(
        "home.html",
        project=project,
        lines=_lines(brief.text, named),
        tokens=brief.tokens,
        most=AT_START,
        is_new=not newest,
        learned=[rows.of_record(ctx, each.record, each.short) for each in shown],
        new=new,
        more=new > LEARNED,
        looked=age_text(ctx.now() - look.before) if look.before else "",
        failures=failures,
        days=open_failures.DAYS,
        now=ctx.now(),
    )


def _lines(text: str, names: list[str]) -> list[tuple[str, str]]:
    """Return the lines of a brief, each with the id of its record, "" for a line that is of none."""
    left = iter(names)
    return [(line, next(left, "") if line.startswith("- ") else "") for line in text.splitlines()]


ROUTES = (("GET", "/", show),)
