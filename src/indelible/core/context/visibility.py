"""Who sees a solution of scope `repo`, and who the project of the server itself.

A `repo` solution is for servers of its repository, in whatever worktree or clone of it; this is the one place that
knows. Recall masks these groups before it ranks (`candidates.Search`), ids of them are unknown
elsewhere (`lookup.candidates`), and what goes along relations passes them by (`relations`, `expansion`, `decisions`,
exports by tools). What takes the whole store, as export, backup and purge on the command line, takes them too.
"""

from collections.abc import Iterable

from indelible.core.context.context import Context
from indelible.core.context.scoping import namespaces_to_read, own_namespace, within
from indelible.errors import Forbidden
from indelible.model import Record
from indelible.project import Location
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import tokens
from indelible.store.views import solutions


def hidden_namespaces(ctx: Context, tx: Transaction) -> frozenset[str]:
    """The namespaces whose `repo` solutions are not for this server; mostly none, which one look in an index tells."""
    names = set(solutions.private_namespaces(tx, ctx.tenant))
    return frozenset(names - own_among(ctx, tx, names)) if names else frozenset()


def hidden_groups(ctx: Context, tx: Transaction) -> frozenset[tuple[str, str, str]]:
    """The same as (namespace, kind, type), as the caches of recall group their records."""
    return frozenset((name, solutions.SOLUTION, solutions.PRIVATE) for name in hidden_namespaces(ctx, tx))


def own_among(ctx: Context, tx: Transaction, names: set[str]) -> set[str]:
    """Those of the namespaces that are the server's repository; '' is that of all servers without one."""
    return namespaces_to_read(ctx, tx, own_namespace(ctx, tx), names) or set()


def hidden(ctx: Context, tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Those of the records that this server must not see."""
    names = hidden_namespaces(ctx, tx)
    if not names:
        return set()
    found = solutions.private_among(tx, ctx.tenant, ids)
    return {record for record, namespace in found.items() if namespace in names}


def is_visible(ctx: Context, tx: Transaction, record: Record) -> bool:
    """Whether this server sees a record."""
    if record.kind != solutions.SOLUTION or record.type != solutions.PRIVATE:
        return True
    return bool(own_among(ctx, tx, {record.namespace}))


def refuse_other_project(ctx: Context) -> None:
    """Raise Forbidden where a client over the network names a project that its token does not hold in.

    To answer it as if it had named another would write what it stores elsewhere than it said.
    """
    location, granted = ctx.location, ctx.grant.namespaces
    if granted is None or location is None or location.here:
        return
    with ctx.store.read() as tx:
        found = within(ctx, tx, location.path, granted)
    if not found:
        names = ", ".join(repr(name)[:200] for name in sorted(granted)) or "none"
        raise Forbidden(
            f"project {location.path!r:.200} is not within this token's namespaces; it holds in {names}. Name one of "
            "these, or none; nothing was done"
        )


def own_location(ctx: Context, tx: Transaction) -> Location | None:
    """The server's project, as far as its caller may know of it: who is limited to other namespaces is told nothing.

    What a client over the network named itself, it knows.
    """
    location, granted = ctx.location, ctx.grant.namespaces
    if granted is None or location is None or not location.here:
        return location
    return location if within(ctx, tx, location.path, granted) else None


def may_limit(ctx: Context, tx: Transaction) -> bool:
    """Whether there may be callers who are limited to namespaces, as far as this process knows.

    A process without INDELIBLE_JWT_ISSUER beside a server that has one does not.
    """
    return bool(ctx.settings.jwt_issuer) or tokens.any_there(whole(tx), ctx.tenant)


def limits_somebody(ctx: Context, tx: Transaction) -> bool:
    """The same without the tokens that hold in all namespaces."""
    return bool(ctx.settings.jwt_issuer) or tokens.any_for_some(whole(tx), ctx.tenant)
