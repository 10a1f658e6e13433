"""The brief for a short-lived hook process: one read of an existing store, with a minimum of imports."""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from indelible import hook_settings
from indelible.capture import brief as briefs
from indelible.core.context.scoping import Scope, without_secrets
from indelible.errors import Conflict, InvalidInput, StoreError
from indelible.project import Location, locate
from indelible.store.database import Transaction
from indelible.store.schema import NoStoreYet
from indelible.store.sqlite import connection
from indelible.store.tables import settings
from indelible.store.views import brief as rows

TYPE_CHECKING = False  # as typing's: a hook loads this
if TYPE_CHECKING:
    from indelible.settings import Settings

# Imported late (extra): indelible.store.postgres.maintenance

PATIENCE = 0.05  # seconds that it waits for others who hold the store
FAR = 2.0  # seconds for a database to answer, the first time and each time: the least that libpq knows


class Place(NamedTuple):
    """The place of a store: a data directory, or a tenant of a database."""

    data: str
    database: str = ""
    tenant: int = 1


def place_of(given: "Settings") -> Place:
    """The store that the settings name."""
    return Place(str(given.data), given.database, given.tenant)


def brief(place: Place, location: Location | None, tokens: int = briefs.AT_START) -> briefs.Brief:
    """Return the brief of a project as `project_brief.brief_of` does; an empty one if the data directory has no store.

    Nothing is created, upgraded, changed or counted. Raises StoreError for a store that is damaged, busy or
    unreachable, and Conflict for another version's schema, a database without a store, or the target of an unfinished
    migration.
    """
    if not is_there(place):
        return briefs.Brief("")
    with looked(place) as tx:
        settings.refuse_unusable(tx)
        scope = Scope(tx, location and without_secrets(location))
        names = scope.own_among(set(rows.namespaces(tx)))
        person = hook_settings.person(place.database)
        return briefs.compose(tx, scope.own, names, briefs.now(), tokens, person)


def for_hook(place: Place, cwd: str, client: str) -> briefs.Brief:
    """Return the brief of the project around a working directory, as the command tells it; empty where there is none.

    A store of another version's schema gives none too. Raises StoreError as `brief`, and for a wrong setting.
    """
    try:
        return brief(place, located(cwd))
    except NoStoreYet:
        return briefs.Brief("")
    except Conflict as error:  # no trouble: a server of this version brings an older store up to date
        return briefs.Brief("", unread=str(error))
    except (InvalidInput, StoreError) as error:
        raise StoreError(f"no brief for {client}: {error}") from error


def located(cwd: str) -> Location | None:
    """Return the project of a working directory, as a server finds it."""
    named, hint = hook_settings.project()
    return locate(named, {"CLAUDE_PROJECT_DIR": hint} if hint else {}, Path(cwd), Path.home())


def is_current(place: Place) -> bool:
    """Return whether there is a store of this version's schema. Raises StoreError if it is damaged, busy or away."""
    if not is_there(place):
        return False
    try:
        with looked(place):
            return True
    except Conflict:
        return False


def is_there(place: Place) -> bool:
    """Whether there may be a store."""
    return bool(place.database) or os.path.isfile(_file(place))


def _file(place: Place) -> Path:
    return Path(place.data, connection.FILE)


def looked(place: Place) -> AbstractContextManager[Transaction]:
    """Open an existing store for one transaction that reads. Raises as `brief`."""
    if not place.database:
        return connection.read_once(_file(place), PATIENCE)
    from indelible.store.postgres import maintenance

    return maintenance.read_once(place.database, place.tenant, FAR)
