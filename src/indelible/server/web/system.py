"""System: health, namespaces and tenants, the settings that hold and where each is from, trash."""

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime

from starlette.responses import Response

from indelible.admin import backups
from indelible.admin import tenants as of_database
from indelible.capture import spool
from indelible.core.records import history
from indelible.errors import Forbidden
from indelible.server.web import access_tokens, weights
from indelible.server.web.access_tokens import require_whole
from indelible.server.web.page import Page
from indelible.settings import Settings
from indelible.store.views import captured
from indelible.toolsets.memory import diagnostics, namespaces, statistics

_USER = re.compile(r"://[^/?#]*@")
SHOWN, MOST = 50, 500  # operations of the trash
SOON = 1.0  # seconds in which a small store is examined: the findings are the answer to the form
AGAIN = 2  # seconds after which a page that waits for findings asks for them again


# What each gauge is called, under which heading; one that is not here has its own name, under the last.
FIGURES: Mapping[str, Mapping[str, str]] = {
    "What waits": {
        "to_review": "Memories to review",
        "pending": "Records to embed",
        "events": "Events that hooks left",
    },
    "Sizes": {
        "records": "Records",
        "relations": "Relations",
        "embedded": "Embedded records",
        "store_bytes": "The store",
    },
    "This server": {
        "uptime_seconds": "Runs for",
        "processor_seconds": "Processor time",
        "memory_bytes": "Memory",
        "memory_peak_bytes": "Memory at its peak",
        "threads": "Threads",
        "index.words": "Records in memory, for words",
        "index.sparse": "Records in memory, for terms of meaning",
        "index.vectors": "Records in memory, for meaning",
        "question_cache.size": "Questions kept with their embedding",
    },
}


def _waiting(page: Page) -> dict[str, float]:
    """Return what waits beside the gauges; of hooks' events only where the machine is this visitor's."""
    with page.ctx.store.read() as tx:
        found: dict[str, float] = {"to_review": sum(captured.count(tx).values())}
    if page.may_administer_machine:
        found["events"] = len(spool.waiting(page.ctx.settings.inbox))
    return found


def _figures(given: Mapping[str, float]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the figures by heading, each with its words and its value as a person reads it."""
    named = {name for words in FIGURES.values() for name in words}
    others = {name: name.replace("_", " ").replace(".", ": ") for name in given if name not in named}
    *_, last = FIGURES
    groups = {title: {**words, **(others if title == last else {})} for title, words in FIGURES.items()}
    return [
        (title, [(words[name], _figure(name, given[name])) for name in words if name in given])
        for title, words in groups.items()
        if given.keys() & words.keys()
    ]


def _figure(name: str, value: float) -> str:
    if name.endswith("_bytes"):
        return _size(value)
    if name.endswith("_seconds"):
        return _lasting(value)
    return f"{value:,}"


def _size(count: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:,.0f} {unit}" if unit == "bytes" or count >= 10 else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:,.1f} GiB"


def _lasting(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:,.0f} {unit}s"
    return f"{seconds:,.1f} s"


def show(page: Page) -> Response:
    """Show the health: what waits, sizes, latencies, backups."""
    ctx = page.ctx
    copies = backups.automatic(ctx) if page.may_administer_machine and backups.is_file(ctx) else []
    return page.shown(
        "system.html",
        health=statistics.health(ctx),
        latencies=(measured := diagnostics.measured(ctx))["latencies"],
        figures=_figures(measured["gauges"] | _waiting(page)),
        is_own=page.may_administer_machine,
        is_file=backups.is_file(ctx),
        backups=[(path.name, _size(path.stat().st_size), _modified(path.stat().st_mtime)) for path in copies],
    )


def _modified(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


# --- Examined, and who shares it ---


def doctor(page: Page) -> Response:
    """Show the findings of `indelible doctor`, or that they are being made, or what an examination reads."""
    _refuse_examining(page)
    state = page.examination.state
    answer = page.shown("doctor.html", state=state)
    if state.runs:
        answer.headers["Refresh"] = str(AGAIN)
    return answer


def examine(page: Page) -> Response:
    """Examine the store; nothing is changed."""
    _refuse_examining(page)
    page.examination.begin()
    page.examination.wait(SOON)
    return page.done("/system/doctor")


def _refuse_examining(page: Page) -> None:
    page.require("admin")
    if not page.may_administer_machine:
        raise Forbidden("the whole store is examined; this needs a token of scope admin with no limits")


def stored_namespaces(page: Page) -> Response:
    """Show the namespaces as records have them, each with its project."""
    page.require("admin")
    found = namespaces.stored(page.ctx)
    return page.shown("namespaces.html", found=found, names=len({each.project for each in found}))


def tenants(page: Page) -> Response:
    """Show the tenants that this server serves, as far as it can know them: the database hides the rows of others."""
    require_whole(page)
    if not page.ctx.settings.own_machine:
        raise Forbidden("tenants are those of the whole server, and this token belongs to one of them")
    several = of_database.are_several(page.ctx)
    apart = several and of_database.kept_apart(page.ctx)
    own = page.ctx.store.tenant
    return page.shown("tenants.html", own=own, served=page.served, several=several, apart=apart)


def trash(page: Page) -> Response:
    """Show what was deleted or overwritten, by operation, each with its undo."""
    text = page.query.get("k", "")
    count = min(MOST, int(text)) if text.isdecimal() and 0 < len(text) < 6 else SHOWN
    found = history.operations(page.ctx, count)
    more = min(MOST, 2 * count) if len(found) >= count < MOST else 0
    return page.shown("trash.html", found=found, now=page.ctx.now(), days=page.ctx.settings.trash_days, more=more)


# Of a process, not of what somebody set.
_NO_SETTINGS = ("start", "home", "on_read_only_disk", "own_machine", "existing", "origins")
_SECRET = ("encoder_key",)


def settings(page: Page) -> Response:
    """Show the settings that hold, and what says each."""
    if not page.may_administer_machine:
        raise Forbidden("settings are those of the whole server; this needs a token of scope admin with no limits")
    held = page.ctx.settings
    names = [each.name for each in fields(held) if each.name not in _NO_SETTINGS]
    found = [(name, _value(held, name), held.origins.get(name, "default")) for name in names]
    return page.shown("settings.html", found=found)


def _value(held: Settings, name: str) -> str:
    """Return the text of a setting: of a secret only whether it is set, of a URL no user and no password."""
    value = getattr(held, name)
    if name == "database":
        return held.place if value else ""
    if name in _SECRET:
        return "set" if value else ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(value)
    text = "" if value is None else str(value)
    return _USER.sub("://", text).partition("?")[0] if "://" in text else text


ROUTES = (
    ("GET", "/system", show),
    ("GET", "/system/doctor", doctor),
    ("POST", "/system/doctor", examine),
    ("GET", "/system/namespaces", stored_namespaces),
    ("GET", "/system/tenants", tenants),
    ("GET", "/system/trash", trash),
    ("GET", "/system/settings", settings),
    *weights.ROUTES,
    *access_tokens.ROUTES,
)
