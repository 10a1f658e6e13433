"""Whether sessions are recorded: what is paused, and the switch of one project or of everything."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from indelible.capture import pausing
from indelible.errors import Conflict, Forbidden, InvalidInput
from indelible.project import Location
from indelible.server.web.page import Page

Pauses = Mapping[str, dict[str, Any]]


def may_switch(page: Page) -> bool:
    """Return whether the visitor may pause and resume: hooks record on the machine of the store."""
    return page.is_local and page.may_administer_machine and page.may("admin")


def pauses(page: Page) -> Pauses:
    """Return the pauses, none where that is not this visitor's matter. What cannot be read pauses everything."""
    if not (page.is_local and page.may_administer_machine):
        return {}
    try:
        return pausing.paused(page.ctx.settings.inbox)
    except (OSError, ValueError):
        return {pausing.EVERY: {}}


def location(page: Page, name: str) -> Location | None:
    """Return the project that hooks know by a name, as the command line finds it; None for none."""
    if not name:
        return None
    return replace(page.ctx.settings, project=name, workspace=None, project_hint=None).project_found.location


def paused_by(page: Page, name: str, found: Pauses) -> str | None:
    """Return which of these pauses holds for a project: a project or `pausing.EVERY`; None for none."""
    return pausing.holding(found, location(page, name), name) if found else None


def record(page: Page) -> Response:
    """Pause the recording of a project, or of everything, or resume it."""
    if not may_switch(page):
        raise Forbidden("recording is paused on the machine that records: open the page there with `indelible ui`")
    name, inbox, resumes = page.form.get("name", ""), page.ctx.settings.inbox, page.form.get("recorded") == "1"
    project, origin = _paused_or_found(page, name)
    try:
        if resumes:
            pausing.resume(inbox, project, origin)
        else:
            pausing.pause(inbox, project, left_out=False, origin=origin)
    except (OSError, ValueError):
        raise Conflict(
            f"{pausing.FILE} in the data directory cannot be read or written; `indelible resume --all` mends it, or "
            "says why not"
        ) from None
    return page.done(page.back("/projects"))


def _paused_or_found(page: Page, name: str) -> tuple[str, str | None]:
    """Return what a pause is, or would be, known by: its project or `pausing.EVERY`, and the origin of that."""
    if name == pausing.EVERY:
        return name, None
    known = pauses(page).get(name)
    if known is not None:
        return name, known.get("origin")
    found = location(page, name)
    if found is None:
        raise InvalidInput(f"{name!r:.200} is no project that hooks record; nothing was changed")
    return found.path, found.origin


ROUTES = (("POST", "/projects/recording", record),)
