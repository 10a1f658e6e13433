"""Point-in-time recovery of one tenant of a database: what it had at a moment, as a file that `restore` puts in place.

The moment is one of a base backup's archive. The database that serves is not touched, nor needed.
"""

import time
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from indelible.admin import backups
from indelible.dataclass import dataclass
from indelible.errors import NotFound
from indelible.settings import Settings
from indelible.store.copy import tables, tenant_file

# Imported late (extra): indelible.store.postgres.database, indelible.store.postgres.recovery


@dataclass(frozen=True, slots=True)
class Recovery:
    """A recovered tenant: its rows by table, where it has any, and how long each part took, in seconds.

    `last` is the last transaction that the recovered server has, in PostgreSQL's words, "" for none after the backup.
    """

    rows: Mapping[str, int]
    last: str
    seconds: Mapping[str, float]


def recover(
    settings: Settings,
    backup: Path,
    restore_command: str,
    *,
    at: datetime | None = None,
    target: Path | None = None,
    programs: Path | None = None,
    work: Path | None = None,
) -> Recovery:
    """Bring up the settings' database as it was at a moment, and write what their tenant had to a verified file.

    Without `at` it is the end of the archive; without `target` a rehearsal, of which nothing is left. Raises what
    `recovery.recovered` raises, InvalidInput for a target that is there, and NotFound where the tenant had nothing.
    """
    from indelible.store.postgres import recovery
    from indelible.store.postgres.database import open_postgres

    if target is not None:
        backups.refuse_taken(target)
    base = recovery.Base(backup, restore_command, programs, work)
    with (
        recovery.recovered(base, settings.database, at) as found,
        TemporaryDirectory(prefix="indelible-recovery-") as place,
        closing(open_postgres(found.url, tenant=settings.tenant, make=False)) as store,
    ):
        began = time.monotonic()
        with store.read() as tx:
            copy = tables.Copy(store, tx)
            rows = {table.name: count for table in tables.TABLES if (count := copy.count(table))}
        if not rows:
            raise NotFound(
                f"tenant {settings.tenant} had nothing at {'the end of the archive' if at is None else at.isoformat()}"
            )
        backups.write_verified(target or Path(place) / "rehearsal.db", partial(tenant_file.backup, store))
        written = time.monotonic() - began
    return Recovery(rows, found.last, {"copying": found.copying, "replaying": found.replaying, "writing": written})
