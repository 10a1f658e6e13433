"""Visibility of solutions of scope `repo`, and of projects that clients name.

A `repo` solution is visible to servers of its repository, in any worktree or clone of it; only this module decides.
Recall masks these groups before it ranks (`candidates.Search`), lookup by id does not find them (`ids.candidates`), and
whatever follows relations skips them (`relations`, `expansion`, `decisions`, exports by tools). Commands on a whole
store (export, backup and purge on the command line) include them.
"""

from collections.abc import Iterable

from indelible.core.context.context import Context
from indelible.errors import Forbidden
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import tokens
from indelible.store.views import solutions


def hidden_namespaces(ctx: Context, tx: Transaction) -> frozenset[str]:
    """Return the namespaces whose `repo` solutions are hidden from this server; mostly none (one look-up)."""
    names = set(solutions.private_namespaces(tx))
    return frozenset(names - ctx.scope(tx).own_among(names)) if names else frozenset()


def elsewhere(ctx: Context, namespaces: Iterable[str]) -> frozenset[str]:
    """Return those of some namespaces that are not the caller's project; "" is one of them for who has a project."""
    names, own = frozenset(namespaces), ctx.session.location
    if own is None:
        return names - {""}
    if names <= {own.path}:
        return frozenset()
    with ctx.store.read() as tx:
        return names - ctx.scope(tx).own_among(set(names))


def hidden_groups(ctx: Context, tx: Transaction) -> frozenset[tuple[str, str, str]]:
    """Return the hidden records as (namespace, kind, type), as the caches of recall group them."""
    return frozenset((name, solutions.SOLUTION, solutions.PRIVATE) for name in hidden_namespaces(ctx, tx))


def hidden(ctx: Context, tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Return those of the records that this server must not see."""
    names = hidden_namespaces(ctx, tx)
    if not names:
        return set()
    found = solutions.private_among(tx, ids)
    return {record for record, namespace in found.items() if namespace in names}


def is_visible(ctx: Context, tx: Transaction, record: Record) -> bool:
    """Whether this server sees a record."""
    if record.kind != solutions.SOLUTION or record.type != solutions.PRIVATE:
        return True
    return bool(ctx.scope(tx).own_among({record.namespace}))


def refuse_other_project(ctx: Context) -> None:
    """Raise Forbidden where a client over the network names a project outside its token's namespaces.

    Silently using another project would store its records in a place that it did not name.
    """
    location, granted = ctx.session.location, ctx.session.grant.namespaces
    if granted is None or location is None or location.here:
        return
    with ctx.store.read() as tx:
        found = ctx.scope(tx).within(location.path)
    if not found:
        names = ", ".join(repr(name)[:200] for name in sorted(granted)) or "none"
        raise Forbidden(
            f"project {location.path!r:.200} is not within this token's namespaces; it holds in {names}. Name one of "
            "these, or none; nothing was done"
        )


def may_limit(ctx: Context, tx: Transaction) -> bool:
    """Whether callers limited to namespaces may exist, as far as this process knows.

    A process without INDELIBLE_JWT_ISSUER beside a server that has one does not know of them.
    """
    return bool(ctx.settings.jwt_issuer) or tokens.any_there(whole(tx))


def has_limited_callers(ctx: Context, tx: Transaction) -> bool:
    """Whether such callers exist, tokens of all namespaces left aside."""
    return bool(ctx.settings.jwt_issuer) or tokens.any_for_some(whole(tx))
