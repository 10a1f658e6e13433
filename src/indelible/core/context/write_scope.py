"""The namespace that a call writes to."""

from indelible.core.context.context import Context, _note_named
from indelible.core.context.scoping import notes_of, own_namespace, project_of, within
from indelible.errors import InvalidInput
from indelible.store.database import Transaction
from indelible.store.namespace_filter import outside
from indelible.store.tables import projects


def space_to_write(ctx: Context, tx: Transaction) -> str:
    """Where entities and vectors go, which belong to no project: one space a store, '' as a namespace.

    Who is limited to namespaces has these as spaces: nobody who holds in others can reach what is in there. Raises
    InvalidInput where several are meant alike.
    """
    return namespace_to_write(ctx, tx, None) if ctx.grant.limited else ""


def space_to_read(ctx: Context, tx: Transaction) -> str:
    """The space whose entities and vectors come first where others have the same name."""
    return own_namespace(ctx, tx) if ctx.grant.limited else ""


def namespace_to_write(ctx: Context, tx: Transaction, given: str | None) -> str:
    """Where a write goes: the namespace as given, else the server's project, whose aliases are kept from now on.

    Two projects that the server's location shows to be one are joined under the namespace known first; records that are
    stored keep theirs. What a client over the network names is looked up, and made no alias: by that a path would
    become the project of everything below it. Who is limited to namespaces writes there only, and without a project of
    them to the only one; what projects there are is not changed by such a caller. Raises Forbidden.
    """
    if given is not None and not given:
        raise InvalidInput("namespace must not be empty; leave it out to use the server's project")
    if ctx.grant.namespaces is not None:
        return _granted_to_write(ctx, tx, given, ctx.grant.namespaces)
    if given is not None:
        _note_named(ctx, tx, given)
        return given
    if ctx.location is None:
        return ""
    own = project_of(ctx, tx)
    if not ctx.location.here:
        return own.namespace
    if own.joined is not None:
        projects.join(tx, ctx.tenant, own.joined, own.namespace)
    for alias, noted in notes_of(ctx.location, own.namespace, own.known).items():
        if alias not in own.stored:
            projects.add(tx, ctx.tenant, alias, noted.namespace, ctx.now(), noted.kind)
        elif noted != own.stored[alias]:
            projects.change(tx, ctx.tenant, alias, *noted)
    return own.namespace


def _granted_to_write(ctx: Context, tx: Transaction, given: str | None, granted: frozenset[str]) -> str:
    """The namespace as given, or the project's, by its own name or another of that project. Raises Forbidden."""
    found = own_namespace(ctx, tx) if given is None else within(ctx, tx, given, granted)
    if found:
        return found
    if given is not None:
        raise outside(given, granted)
    names = ", ".join(repr(name)[:200] for name in sorted(granted)) or "none"
    raise InvalidInput(f"no namespace is given, and this token holds in several: give one of {names}")
