"""What a process asks that looks once and is gone, of a store that is there: with the least that has to be loaded."""

import os
from pathlib import Path
from typing import NamedTuple

from indelible.engine import brief as briefs
from indelible.engine.aliases import namespaces_to_read, own_namespace
from indelible.engine.grants import EVERYTHING, Grant
from indelible.engine.project import Location
from indelible.errors import Conflict
from indelible.store import brief as rows
from indelible.store import sqlite_connection

PATIENCE = 0.05  # seconds that it waits for others who hold the store


class Glance(NamedTuple):
    """The little of a Context by which a project is found."""

    location: Location | None
    tenant: int = 1
    grant: Grant = EVERYTHING


def brief(data: str, location: Location | None, tokens: int = briefs.DEFAULT) -> str:
    """The brief of a project as `recent.brief` gives it; "" where the data directory holds no store.

    Nothing is made, upgraded, changed or counted. Raises StoreError for a store that is damaged or busy, and Conflict
    for one of another version's schema.
    """
    path = Path(data, sqlite_connection.FILE)
    if not os.path.isfile(path):  # also where `data` is the address of a database
        return ""
    ctx = Glance(location)
    with sqlite_connection.glance(path, PATIENCE) as tx:
        own = own_namespace(ctx, tx)
        names = namespaces_to_read(ctx, tx, own, set(rows.namespaces(tx, ctx.tenant))) or set()
        return briefs.compose(tx, ctx.tenant, own, names, briefs.now(), tokens).text


def is_current(data: str) -> bool:
    """Whether a data directory holds a store of this version's schema. Raises StoreError for a damaged or busy one."""
    path = Path(data, sqlite_connection.FILE)
    if not os.path.isfile(path):
        return False
    try:
        with sqlite_connection.glance(path, PATIENCE):
            return True
    except Conflict:
        return False
