"""Projects that an earlier version took for one: a directory, and repositories below it.

What of such a project belongs where is not always said by what is stored. As long as nobody answers it, `doctor` tells
of it, and its name deletes nothing.
"""

from collections.abc import Collection

from indelible.engine.context import Context
from indelible.errors import Conflict
from indelible.store import projects, records
from indelible.store.database import Transaction


def unanswered(ctx: Context, tx: Transaction) -> dict[str, list[str]]:
    """The namespaces in which memories of several projects may be, each with the paths that were taken for parts."""
    found: dict[str, list[str]] = {}
    mixed = projects.merged(tx, ctx.tenant)
    stored = set(records.namespaces(tx, ctx.tenant)) if mixed else set()
    for alias, namespace in mixed.items():
        if namespace in stored:
            found.setdefault(namespace, []).append(alias)
    return found


def refuse(ctx: Context, tx: Transaction, names: Collection[str]) -> None:
    """Raise Conflict where memories of several projects may be in one of the namespaces that are to be deleted."""
    mixed = unanswered(ctx, tx)
    for namespace in sorted(mixed.keys() & set(names)):
        parts = ", ".join(repr(part)[:200] for part in mixed[namespace])
        raise Conflict(
            f"namespace {namespace!r:.200} may hold memories of {parts} too: an earlier version stored them under its "
            f"name. Nothing was deleted. `indelible project split {namespace}` proposes which belong where and moves "
            f"them; `indelible project keep {namespace}` says that all of it is one project"
        )
