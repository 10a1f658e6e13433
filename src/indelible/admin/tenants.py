"""Other tenants of a server's database: finding the token of a secret, and opening a context for a tenant."""

import logging
from collections.abc import Callable
from contextlib import closing

from indelible.core.context.context import Context, context_for_tenant
from indelible.errors import StoreError
from indelible.store.database import Database, shared
from indelible.store.tables import settings
from indelible.store.tables.tokens import Token

log = logging.getLogger("indelible")

Find = Callable[[int, Database], Token | None]  # given the time in microseconds and the store of a tenant


class Unserved(StoreError):
    """A tenant cannot be served by this process, or not now; the message reveals nothing about this machine.

    `headers` are for the HTTP answer.
    """

    private = False

    def __init__(self, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers or {}


def are_several(ctx: Context) -> bool:
    """Whether the store may hold other tenants: a file holds one."""
    return shared(ctx.store) is not None


def kept_apart(ctx: Context) -> bool:
    """Return whether the database itself keeps tenants apart for the role of this process; of a file, True."""
    return (database := shared(ctx.store)) is None or not database.bypasses_row_security()


def warn_of_rights(ctx: Context) -> None:
    """Note it in the log where the database does not keep tenants apart for the role of this process."""
    if not kept_apart(ctx):
        log.warning(
            "tenants",
            extra={
                "key": str(ctx.store.tenant),
                "message_text": "the database's role is SUPERUSER or BYPASSRLS: row-level security does not hold for "
                "it, and other tenants are not served; `indelible database upgrade --role SERVICE` makes one for this",
            },
        )


def token_of(ctx: Context, tenant: int, find: Find) -> Token | None:
    """Return what `find` finds among the tokens of another tenant, at this time; nothing is opened for it."""
    database = shared(ctx.store)
    if database is None:
        return None
    with closing(database.for_tenant(tenant)) as store:
        return find(ctx.now(), store)


def is_deleted(ctx: Context) -> bool:
    """Return whether the context's tenant was deleted since it was opened."""
    with ctx.store.read() as tx:
        return settings.find(tx, settings.DELETED) is not None


def opened(ctx: Context, tenant: int) -> Context:
    """A context for callers of another tenant, with nothing of this machine in it: no project, no files, no spool.

    Raises Unserved where the database does not keep tenants apart for the role that this process has in it.
    """
    if not kept_apart(ctx):
        log.error(
            "tenants",
            extra={
                "key": str(tenant),
                "message_text": "the database's role bypasses row-level security, so that one tenant only is served; "
                "connect as a role without SUPERUSER and BYPASSRLS (`indelible database upgrade --role SERVICE`)",
            },
        )
        raise Unserved(
            f"this server serves tenant {ctx.store.tenant} only: the role that it has in its database is not held to "
            "one tenant's rows; whoever runs it must give it another"
        )
    return context_for_tenant(ctx, tenant)
