"""Deleting a tenant of a database for good: every row of it, and its files on this machine. No undo brings it back."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from indelible import filesystem
from indelible.admin import purge_journal
from indelible.dataclass import dataclass
from indelible.errors import NotFound, StoreError
from indelible.settings import Settings

# Imported late (extra): indelible.store.postgres.maintenance, indelible.store.postgres.tenants

ELSEWHERE = (
    "the write-ahead log, the replicas and the backups of the database may still hold it: they are its administrator's",
    "what hooks and clients left on other machines stays there, until it is removed by hand",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A tenant that is to be deleted: its rows by table, where there are any, and its files and folders here."""

    tenant: int
    rows: Mapping[str, int]
    files: tuple[Path, ...]
    is_deleted: bool

    @property
    def is_empty(self) -> bool:
        """Return whether nothing of it is left."""
        return not (self.rows or self.files)


def plan(settings: Settings) -> Plan:
    """Return what there is of the settings' tenant. Raises NotFound where it never had anything, and StoreError."""
    from indelible.store.postgres import tenants

    found = tenants.contents(settings.database, settings.tenant)
    files = tuple(path for path in _places(settings, found.projects) if path.exists())
    made = Plan(settings.tenant, found.rows, files, found.is_deleted)
    if made.is_empty and not found.is_deleted:
        raise NotFound(f"tenant {settings.tenant} has stored nothing in {settings.place}; nothing was deleted")
    return made


def run(settings: Settings, planned: Plan, report: Callable[[str, int], None]) -> tuple[str, ...]:
    """Delete a tenant, its files first: they are known by its projects. Returns what else may still hold some of it.

    From its beginning on every write for the tenant is refused. `report` gets each table and how many of its rows were
    deleted so far. What was interrupted is finished by the next run. Raises StoreError.
    """
    from indelible.store.postgres import maintenance, tenants

    tenants.mark(settings.database, settings.tenant)
    for path in planned.files:
        _remove(path)
    indexes = tenants.delete(settings.database, settings.tenant, report)
    refused = maintenance.vacuum(settings.database)
    left = list(ELSEWHERE)
    if refused:
        left.insert(0, f"the room of the rows is not given back in {', '.join(refused)}: their owner must VACUUM them")
    if indexes:
        left.insert(0, f"empty indexes of it are left, which their owner must drop: {', '.join(indexes)}")
    return tuple(left)


def _places(settings: Settings, projects: frozenset[str]) -> list[Path]:
    """Return where files of the tenant may lie: what hooks and clients left for it, and what a purge has yet to do."""
    data = settings.data
    journal = purge_journal.path_of(settings)
    spools = [
        filesystem.spool_of(data, filesystem.target_of(data, name, settings.place)) for name in sorted(projects | {""})
    ]
    inbox = Path(settings.inbox)
    own = [inbox] if (data / "databases") in inbox.parents else []  # of a file's it would be the whole directory
    return [*own, *spools, journal, journal.with_name(f"{journal.name}.unfinished")]


def _remove(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed: {error.strerror}; remove it, then run this again") from error
