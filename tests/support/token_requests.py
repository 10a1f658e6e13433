"""What a server over HTTP makes of a request by its token."""

from __future__ import annotations

from datetime import UTC, datetime

from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.server.http import auth
from indelible.server.http.tenants import Tenants


class Clock:
    """A time that stands still until a test moves it."""

    now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def asked(ctx: Context, secret: str | None, scheme: str = "Bearer") -> Grant:
    """What the caller of a request may do. Raises Unauthorized."""
    headers = {} if secret is None else {"Authorization": f"{scheme} {secret}"}
    return auth.authenticated(Tenants(ctx), headers, needed=auth.is_needed(ctx)).grant
