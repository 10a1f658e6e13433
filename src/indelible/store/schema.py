"""Checks of migrations, shared by both databases."""

from pathlib import Path
from typing import Any

from indelible.errors import Conflict, StoreError


class NoStoreYet(Conflict):
    """A database holds no store: for whoever only reads, as there being none."""


def refuse_loss(before: dict[str, int], after: dict[str, int]) -> None:
    """Raise StoreError where a table has fewer rows after an upgrade than before."""
    lost = [table for table, n in before.items() if after.get(table, 0) < n]
    if lost:
        raise StoreError(f"the upgrade would lose rows of {', '.join(lost)}; nothing was changed. Please report this")


def unread(path: Path | str, found: int, own: int) -> Conflict:
    """Return the error of a process that only reads, and that reads another version's schema."""
    mend = "update it (pip install -U indelible)" if found > own else "its next server or command upgrades the store"
    return Conflict(f"{path} has schema {found}, this version of indelible reads {own}; {mend}")


def upgraded(path: Path | str, found: Any, own: int) -> Conflict:
    """Return the error of a version that is older than the store."""
    return Conflict(
        f"store was upgraded, restart me: {path} has schema {found}, this version of indelible writes {own}. "
        "Nothing was written; restart this server so that it runs the newer version (pip install -U indelible)"
    )
