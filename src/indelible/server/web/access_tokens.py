"""Access tokens for an administrator: listed, made with their secret shown once, revoked."""

from starlette.responses import Response

from indelible.admin import tokens
from indelible.core.context.call import Call
from indelible.core.context.permissions import SCOPES
from indelible.errors import Forbidden, InvalidInput
from indelible.server.web.page import Page


def show(page: Page, made: tokens.Created | None = None, failed: str = "") -> Response:
    """Show the tokens; of one that was just `made` its secret too, of one that `failed` why, and what was typed."""
    require_whole(page)
    values = {"found": tokens.listed(page.ctx), "now": page.ctx.now(), "scopes": SCOPES, "made": made}
    typed = page.form if failed else {}
    return page.shown("tokens.html", 400 if failed else 200, failed=failed, typed=typed, **values)


def require_whole(page: Page) -> None:
    """Raise Forbidden unless the visitor administers the whole store."""
    page.require("admin")
    if page.ctx.session.grant.limited:
        raise Forbidden("this concerns the whole store, and this token is limited to namespaces; use another")


def create(page: Page) -> Response:
    """Make a token; the answer is the one place that shows its secret."""
    require_whole(page)
    form = page.form
    scope = next((each for each in SCOPES if each == form.get("scope")), None)
    if scope is None:
        raise InvalidInput(f"scope must be one of {', '.join(SCOPES)}, got {form.get('scope', '')!r:.40}")
    names = [name for line in form.get("namespaces", "").split("\n") if (name := line.strip())]
    lasting = form.get("expires", "").strip()
    ctx = page.ctx.for_call(Call(tool="token create"))
    try:
        expires = tokens.duration(lasting) if lasting else None
        made = tokens.create(ctx, form.get("name", "").strip(), scope, names or None, expires)
    except InvalidInput as error:
        return show(page, failed=str(error))
    return show(page, made)


def revoke(page: Page) -> Response:
    """Revoke a token."""
    require_whole(page)
    tokens.revoke(page.ctx.for_call(Call(tool="token revoke")), page.form.get("id", ""))
    return page.done("/system/tokens")


ROUTES = (
    ("GET", "/system/tokens", show),
    ("POST", "/system/tokens/create", create),
    ("POST", "/system/tokens/revoke", revoke),
)
