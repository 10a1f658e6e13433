"""Noting, when the index has run, which branches of its repository are not merged into which others."""

from pathlib import Path

from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.git import Head
from indelible.source.history import merges
from indelible.source.history.git import Git, GitFailed
from indelible.store.namespace_filter import whole
from indelible.store.tables import branches

SECONDS = 3.0  # that one run of git may take


def note(ctx: Context, namespace: str, root: Path, head: Head | None) -> bool:
    """Look at the branches and write what is known of them; return whether they are others than before.

    Where git is not there, or refuses, what was known is forgotten: nothing is unmerged then.
    """
    with ctx.store.read() as tx:
        before = branches.every(whole(tx)).get(namespace, {})
    if (head is None or not head.commit) and not before:
        return False
    own = "" if head is None else head.branch
    try:
        git = Git(root, seconds=SECONDS)
        known = merges.tips(git) if head is not None else {}
        seen = merges.digest(known, own)
        if seen == before.get("seen"):
            return False
        apart = merges.unmerged(git, known, own)
        facts = {"seen": seen, "unmerged": apart, "forks": merges.forks(git, known, apart)}
    except (GitFailed, InvalidInput):
        facts = {}
    if facts == before:
        return False
    ctx.store.write(lambda tx: branches.put(whole(tx), namespace, facts))
    return True
