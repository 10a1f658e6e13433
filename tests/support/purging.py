"""A purge of all that a name stands for, as the command does it, and what it would take."""

from indelible.core.context.context import Context
from indelible.toolsets.memory import namespaces


def purge(ctx: Context, name: str) -> dict[str, int]:
    """Purge the namespaces of a name: how many of each kind."""
    with ctx.store.read() as tx:
        names = namespaces.named(ctx, tx, name)
    return namespaces.purge_all(ctx, names)


def contents(ctx: Context, name: str) -> dict[str, int]:
    """How many of each kind a purge takes."""
    with ctx.store.read() as tx:
        return namespaces.everything_in(ctx, tx, namespaces.named(ctx, tx, name))[1]
