"""The first screen: what the next session will be told, what was learned lately, which failures are open."""

from starlette.responses import Response

from indelible.capture.brief import AT_START, compose
from indelible.capture.project_brief import person_of
from indelible.core.context import ids
from indelible.server.web import rows
from indelible.server.web.page import Page
from indelible.store.tables import records
from indelible.toolsets.memory import inspection

LEARNED, FAILURES = 6, 4


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
        shown = [ids.name_of(found[each]) if each in found else "" for each in brief.records]
    learned = inspection.newest(ctx, LEARNED, namespace=project, length=rows.FIRST)
    failures = inspection.newest(ctx, FAILURES, namespace=project, kinds=("failure",), length=rows.FIRST)
    return page.shown(
        "home.html",
        project=project,
        lines=_lines(brief.text, shown),
        tokens=brief.tokens,
        most=AT_START,
        is_new=not newest,
        learned=[rows.of_record(ctx, each.record, each.short) for each in learned],
        failures=[rows.of_record(ctx, each.record, each.short) for each in failures],
    )


def _lines(text: str, names: list[str]) -> list[tuple[str, str]]:
    """Return the lines of a brief, each with the id of its record, "" for a line that is of none."""
    left = iter(names)
    return [(line, next(left, "") if line.startswith("- ") else "") for line in text.splitlines()]


ROUTES = (("GET", "/", show),)
