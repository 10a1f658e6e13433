"""The namespace that a call writes to."""

from indelible.core.context.context import Context
from indelible.core.context.scoping import notes_of
from indelible.errors import InvalidInput
from indelible.project import is_path
from indelible.store.database import Transaction
from indelible.store.namespace_filter import outside
from indelible.store.tables import projects


def shared_namespace_to_write(ctx: Context, tx: Transaction) -> str:
    """Return the namespace of entities and vectors, which belong to no project: '' in a store without limits.

    A caller limited to namespaces writes them into its own, where callers of other namespaces cannot reach them. Raises
    InvalidInput where several namespaces are equally possible.
    """
    return namespace_to_write(ctx, tx, None) if ctx.session.grant.limited else ""


def shared_namespace_to_read(ctx: Context, tx: Transaction) -> str:
    """Return the namespace whose entities and vectors come first where others have the same name."""
    return ctx.scope(tx).own if ctx.session.grant.limited else ""


def namespace_to_write(ctx: Context, tx: Transaction, given: str | None) -> str:
    """Return the namespace of a write: the one given, else the server's project, whose aliases are stored from now on.

    Two projects that the server's location shows to be one are joined under the namespace known first; stored records
    keep theirs. A name from a client over the network is looked up and never becomes an alias: a path would become the
    project of everything below it. A caller limited to namespaces writes there only, without a project among them to
    the only one, and changes no aliases. Raises Forbidden.
    """
    if given is not None and not given:
        raise InvalidInput("namespace must not be empty; leave it out to use the server's project")
    if ctx.session.grant.namespaces is not None:
        return _granted_to_write(ctx, tx, given, ctx.session.grant.namespaces)
    if given is not None:
        _note_project(ctx, tx, given)
        return given
    if ctx.session.location is None:
        return ""
    own = ctx.scope(tx).project
    if not ctx.session.location.here:
        return own.namespace
    if own.joined is not None:
        projects.join(tx, own.joined, own.namespace)
    for alias, noted in notes_of(ctx.session.location, own.namespace, own.known).items():
        if alias not in own.stored:
            projects.add(tx, alias, noted.namespace, ctx.now(), noted.kind)
        elif noted != own.stored[alias]:
            projects.change(tx, alias, *noted)
    return own.namespace


def _granted_to_write(ctx: Context, tx: Transaction, given: str | None, granted: frozenset[str]) -> str:
    """Return the namespace as given, or the project's, by its own or another name of the project. Raises Forbidden."""
    found = ctx.scope(tx).own if given is None else ctx.scope(tx).within(given)
    if found:
        return found
    if given is not None:
        raise outside(given, granted)
    names = ", ".join(repr(name)[:200] for name in sorted(granted)) or "none"
    raise InvalidInput(f"no namespace is given, and this token holds in several: give one of {names}")


def _note_project(ctx: Context, tx: Transaction, given: str) -> None:
    """Note the repository that a given namespace lies in, where it begins below what is noted already."""
    if not (ctx.session.is_local and is_path(given)):
        return
    known = ctx.scope(tx).aliases
    found = known.repository_to_note(given)
    if found is not None:
        projects.add(tx, found.path, known.canonical(found.path), ctx.now(), found.kind)
