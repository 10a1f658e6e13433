"""The branch and commit that a caller has checked out: of the directory that it works in, or what its client names."""

from typing import Any

from indelible import git
from indelible.core.context.context import Context
from indelible.git import Head

KEY = "git"  # in the metadata of a memory: the `branch` and `commit` on which it was stored
SHOWN = 12  # digits of a commit


def head_of(ctx: Context) -> Head | None:
    """Return what the caller has checked out, None where that is not known.

    Over the network nothing is looked at on this machine: the client's own word counts, or nothing.
    """
    session = ctx.session
    if session.head is not None or not session.is_local:
        return session.head
    return git.head(session.directory) if session.directory else None


def noted(head: Head | None) -> dict[str, Any]:
    """Return what the metadata of a memory have of a checkout; nothing where it is not known."""
    if head is None or not (head.branch or head.commit):
        return {}
    branch = {"branch": head.branch} if head.branch else {}
    return {KEY: {**branch, **({"commit": head.commit[:SHOWN]} if head.commit else {})}}


def branch_of(metadata: dict[str, Any]) -> str:
    """Return the branch on which a memory was stored, by metadata that an import may have brought; "" for none."""
    found = metadata.get(KEY)
    branch = found.get("branch") if isinstance(found, dict) else None
    return branch if isinstance(branch, str) else ""


def commit_of(metadata: dict[str, Any]) -> str:
    """Return the beginning of the commit on which a memory was stored, likewise."""
    found = metadata.get(KEY)
    commit = found.get("commit") if isinstance(found, dict) else None
    return commit if isinstance(commit, str) else ""
