"""Access tokens for an administrator: listed, made with their secret shown once, revoked."""

from starlette.responses import Response

from indelible.admin import tokens
from indelible.core.context.call import Call
from indelible.core.context.permissions import SCOPES
from indelible.errors import Forbidden, InvalidInput
from indelible.server.web.page import Page


def show(page: Page, made: tokens.Created | None = None) -> Response:
    """Show the tokens; of one that was just `made` its secret too."""
    require_whole(page)
    return page.shown("tokens.html", found=tokens.listed(page.ctx), now=page.ctx.now(), scopes=SCOPES, made=made)


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
    expires = tokens.duration(lasting) if lasting else None
    ctx = page.ctx.for_call(Call(tool="token create"))
    return show(page, tokens.create(ctx, form.get("name", "").strip(), scope, names or None, expires))


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
