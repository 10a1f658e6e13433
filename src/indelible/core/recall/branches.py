"""Hits from another branch: one that is not merged into the caller's stands below its like, and says so.

Nothing is hidden. What is not known is never set back: a detached head, a branch that is deleted or that nobody looked
at, one whose changes came by other commits (rebased, squashed), a caller whose checkout is not known. What was stored
before the branch had a commit of its own is merged.
"""

from collections.abc import Iterable, Mapping

from indelible import git
from indelible.core.context import checkout
from indelible.core.context.context import Context
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import branches

BELOW = 0.9  # of its score is what a hit of an unmerged branch has


def unmerged(ctx: Context, tx: Transaction, records: Iterable[Record]) -> Mapping[int, str]:
    """Return the branches of those of the records that are known not to be merged into the caller's, by row id."""
    scope = ctx.scope(tx)
    found = {each.id: (each, branch) for each in records if (branch := checkout.branch_of(each.metadata))}
    if not found or not scope.own:
        return {}
    head = checkout.head_of(ctx)
    if head is None or not head.branch:
        return {}
    apart = branches.unmerged(tx, scope.own, head.branch)
    there = {branch for _, branch in found.values() if branch != head.branch and branch in apart}
    directory = ctx.session.directory if ctx.session.is_local else ""
    there = {branch for branch in there if not directory or git.has_branch(directory, branch)}
    own = scope.own_among({each.namespace for each, branch in found.values() if branch in there}) if there else set()
    forks = {branch: branches.fork(tx, scope.own, head.branch, branch) for branch in there}
    return {
        record: branch
        for record, (each, branch) in found.items()
        if branch in there and each.namespace in own and not _is_fork(checkout.commit_of(each.metadata), forks[branch])
    }


def _is_fork(commit: str, fork: str) -> bool:
    return commit != "" and fork.startswith(commit)
