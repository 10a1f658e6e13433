"""System: health, the settings that hold and where each comes from, and the trash."""

import re
from dataclasses import fields
from datetime import UTC, datetime

from starlette.responses import Response

from indelible.admin import backups
from indelible.core.records import history
from indelible.errors import Forbidden
from indelible.server.web import access_tokens, weights
from indelible.server.web.page import Page
from indelible.settings import Settings
from indelible.toolsets.memory import diagnostics, statistics

_USER = re.compile(r"://[^/?#]*@")
SHOWN, MOST = 50, 500  # operations of the trash


def show(page: Page) -> Response:
    """Show the health: what waits, sizes, latencies, backups."""
    ctx = page.ctx
    copies = backups.automatic(ctx) if page.may_administer_machine and backups.is_file(ctx) else []
    return page.shown(
        "system.html",
        health=statistics.health(ctx),
        measured=diagnostics.measured(ctx),
        is_own=page.may_administer_machine,
        is_file=backups.is_file(ctx),
        backups=[(path.name, path.stat().st_size, _modified(path.stat().st_mtime)) for path in copies],
    )


def _modified(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


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
    ("GET", "/system/trash", trash),
    ("GET", "/system/settings", settings),
    *weights.ROUTES,
    *access_tokens.ROUTES,
)
