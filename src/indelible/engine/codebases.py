"""Which codebases a project has."""

from indelible.engine.aliases import Scoped, aliases
from indelible.store import repositories
from indelible.store.database import Transaction
from indelible.store.repositories import Repository


def of_project(ctx: Scoped, tx: Transaction, namespace: str) -> list[Repository]:
    """The codebases of the project that a namespace, or an alias of one, stands for; none of ''."""
    known = aliases(ctx, tx)
    project = known.canonical(namespace)
    return [
        each
        for each in repositories.everything(tx, ctx.tenant)
        if namespace and (each.namespace == namespace or known.canonical(each.namespace) == project)
    ]
