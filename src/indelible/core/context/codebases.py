"""The codebases of a project: the trees of source code that were indexed in it."""

from indelible.core.context.context import Context
from indelible.store.database import Transaction
from indelible.store.tables import repositories
from indelible.store.tables.repositories import Repository


def of_project(ctx: Context, tx: Transaction, namespace: str) -> list[Repository]:
    """Return the codebases of the project of a namespace or alias; none for ''."""
    known = ctx.scope(tx).aliases
    project = known.canonical(namespace)
    return [
        each
        for each in repositories.everything(tx)
        if namespace and (each.namespace == namespace or known.canonical(each.namespace) == project)
    ]
