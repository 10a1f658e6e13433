"""Projects: which there are, what waits in them, whether they are recorded; joined, told apart, and purged."""

from typing import NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from indelible.admin import purge
from indelible.capture import pausing
from indelible.clock import age_text
from indelible.core.context.call import Call
from indelible.errors import Forbidden, InvalidInput, NotFound
from indelible.server.web import recording
from indelible.server.web.page import Page
from indelible.store.tables import projects, records
from indelible.store.views import captured
from indelible.toolsets.memory import inspection, merged_projects, namespaces

ALIASES = 20  # other names of a project that are listed
PROPOSED = 50  # records that are listed


class Listed(NamedTuple):
    """A project of the list: its memories, those that wait for review, and what pauses its recording."""

    name: str
    memories: int
    waiting: int
    newest: str
    paused: bool


def show(page: Page) -> Response:
    """List the projects."""
    waiting = _waiting(page)
    pauses = recording.pauses(page)
    found = [
        Listed(
            *(name, each.number, waiting.get(name, 0), age_text(page.ctx.now() - each.newest)),
            recording.paused_by(page, name, pauses) is not None,
        )
        for name, each in namespaces.counted(page.ctx).items()
    ]
    return page.shown(
        "projects.html",
        found=found,
        everything_paused=pausing.EVERY in pauses,
        switches=recording.may_switch(page),
    )


def _waiting(page: Page) -> dict[str, int]:
    """Return how many memories wait for review, by project."""
    with page.ctx.store.read() as tx:
        known = page.ctx.scope(tx).aliases
        counts: dict[str, int] = {}
        for stored, count in captured.count(tx).items():
            name = known.canonical(stored)
            counts[name] = counts.get(name, 0) + count
    return counts


def _newest(page: Page, name: str) -> str:
    found = inspection.newest(page.ctx, 1, namespace=name, length=1)
    return age_text(page.ctx.now() - found[0].record.created) if found else ""


def one(page: Page, failed: str = "", status: int = 200) -> Response:
    """Show one project, and what can be done with it."""
    ctx, name = page.ctx, _named(page)
    with ctx.store.read() as tx:
        known = ctx.scope(tx).aliases
        stored = set(records.namespaces(tx))
        every = {*stored, *(() if ctx.session.grant.limited else projects.noted(tx))}
        aliases = sorted(each for each in every if each != name and known.canonical(each) == name)
        parts = merged_projects.unanswered(ctx, tx).get(name, [])
        proposed = merged_projects.proposal(ctx, tx, name) if parts else []
    stats = namespaces.stats(ctx, name)
    if not (stats["count"] or aliases or name in stored or name == ""):
        raise NotFound(f"project {name!r:.200} has nothing stored; /projects lists those that there are")
    pauses = recording.pauses(page)
    return page.shown(
        "project.html",
        status,
        name=name,
        stats=stats,
        newest=_newest(page, name),
        waiting=_waiting(page).get(name, 0),
        aliases=aliases[:ALIASES],
        more_aliases=max(0, len(aliases) - ALIASES),
        parts=parts,
        proposed=proposed[:PROPOSED],
        more_proposed=max(0, len(proposed) - PROPOSED),
        others=[each for each in page.projects if each != name],
        paused_by=recording.paused_by(page, name, pauses),
        switches=recording.may_switch(page) and recording.location(page, name) is not None,
        purges=page.may_administer_machine and page.may("admin"),
        failed=failed,
    )


def _named(page: Page) -> str:
    given = page.form.get("name", page.query.get("name"))
    if given is None:
        raise InvalidInput("name must say which project; /projects lists them")
    return given


def _where(name: str) -> str:
    """Return the address of a project; that of no project has the empty name in it."""
    return f"/projects/one?{urlencode({'name': name})}"


# --- Told apart, and joined ---


def move(page: Page) -> Response:
    """Move everything of a project to another: to rename it, or to join two; the bar takes it back."""
    page.require("admin")
    name, to = _named(page), page.form.get("to", "").strip()
    if not to or to == name:
        return one(page, "Say which other project all of this belongs to.", 400)
    ctx = page.ctx.for_call(Call(tool="project split"))
    ids = merged_projects.chosen_of(ctx, name)
    if not ids:
        return one(page, "Nothing is stored under this name that could be moved.", 400)
    moved = merged_projects.split(ctx, name, to, ids)
    if moved.stay:
        return page.done(_where(name), ctx.call.operation)
    return page.done(_where(to), ctx.call.operation)


def split(page: Page) -> Response:
    """Move what belongs to one of the parts of a project there."""
    page.require("admin")
    name, to = _named(page), page.form.get("to", "")
    ctx = page.ctx.for_call(Call(tool="project split"))
    with ctx.store.read() as tx:
        found = [each.record.id for each in merged_projects.proposal(ctx, tx, name) if each.to == to]
    if not found:
        raise InvalidInput(f"to must be a project that something here belongs to, got {to!r:.200}; reload the page")
    merged_projects.split(ctx, name, to, found)
    return page.done(_where(name), ctx.call.operation)


def keep(page: Page) -> Response:
    """Note that all of a project belongs to it."""
    page.require("admin")
    merged_projects.keep(page.ctx.for_call(Call(tool="project keep")), _named(page))
    return page.done(_where(_named(page)))


# --- Purged ---


def _refuse_purge(page: Page) -> None:
    page.require("admin")
    if page.ctx.session.grant.limited:
        raise Forbidden("a purge rewrites the whole store, and this token is limited to namespaces; use another")
    if not page.ctx.settings.own_machine:
        raise Forbidden("a purge rewrites files of this machine, and this token belongs to another tenant")


def rehearse(page: Page, failed: str = "", status: int = 200) -> Response:
    """Show what a purge of a project would delete; nothing is deleted."""
    _refuse_purge(page)
    name = _named(page)
    plan = purge.plan(page.ctx, purge.of_namespace(page.ctx, name))
    return page.shown("purge.html", status, name=name, plan=plan, failed=failed, done=None, said=[])


def erase(page: Page) -> Response:
    """Purge a project whose name was typed."""
    _refuse_purge(page)
    name = _named(page)
    if page.form.get("typed", "").strip() != name.strip():
        return rehearse(page, "That is not its name. Nothing was deleted.", 400)
    ctx = page.ctx.for_call(Call(tool="purge"))
    said: list[str] = []
    purge.take_in(ctx, said.append)
    plan = purge.plan(ctx, purge.of_namespace(ctx, name))
    done = purge.run(ctx, plan.selection, lambda _: None)
    page.undoable = ""
    return page.shown("purge.html", name=name, plan=plan, failed="", done=done, said=said)


ROUTES = (
    ("GET", "/projects", show),
    ("GET", "/projects/one", one),
    ("POST", "/projects/move", move),
    ("POST", "/projects/split", split),
    ("POST", "/projects/keep", keep),
    ("GET", "/projects/purge", rehearse),
    ("POST", "/projects/purge", erase),
    *recording.ROUTES,
)
