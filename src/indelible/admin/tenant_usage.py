"""Usage of the tenants of a database, and the quotas that an operator gives them."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace

from indelible.core.context import quota
from indelible.core.context.context import Context
from indelible.core.context.quota import Quota
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.store.database import Transaction, shared
from indelible.store.views import usage
from indelible.store.views.usage import Month, Stored

MOST = (1 << 63) - 1  # of a limit


@dataclass(frozen=True, slots=True)
class Usage:
    """A tenant: what it has stored as counted now, its quota, and its calls by month, oldest first.

    The calls of the last two seconds are not among them yet, and those before a purge ended may be gone from them.
    """

    tenant: int
    stored: Stored
    quota: Quota
    months: tuple[Month, ...]


def refuse_file(settings: Settings, what: str) -> None:
    """Raise InvalidInput where the store is a file, which has no tenants."""
    if not settings.database:
        raise InvalidInput(
            f"`{what}` is for the tenants of a PostgreSQL database, and this store is a SQLite file, which holds one "
            "memory; give --database URL, or set INDELIBLE_DATABASE"
        )


def set_quota(ctx: Context, limits: Mapping[str, int | None]) -> Quota:
    """Set those limits of the context's tenant that are given, None meaning none; return its quota then.

    Servers that run hold it within `quota.LOOKED` seconds. Raises InvalidInput.
    """
    for name, limit in limits.items():
        if limit is not None and not 0 <= limit <= MOST:
            raise InvalidInput(f"{name} must be a whole number from 0, or `none` for no limit, got {limit}")

    def work(tx: Transaction) -> Quota:
        made = replace(quota.of(tx), **limits)
        quota.put(tx, made)
        return made

    return ctx.write(work)


def of_one(ctx: Context) -> Usage:
    """Return the usage of the context's tenant."""
    with ctx.store.read() as tx:
        return _usage(tx)


def of_all(ctx: Context) -> Iterator[Usage]:
    """Yield the usage of each tenant that has stored something, by number. Raises as `SharedDatabase.tenants`."""
    database = shared(ctx.store)
    assert database is not None  # see `refuse_file`
    for tenant in database.tenants():
        with closing(database.for_tenant(tenant)) as store, store.read() as tx:
            yield _usage(tx)


def _usage(tx: Transaction) -> Usage:
    return Usage(tx.tenant, usage.stored(tx), quota.of(tx), tuple(usage.months(tx)))
