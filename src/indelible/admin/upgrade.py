"""Creating, upgrading and spreading the tables of a store in a database, by its owner."""

from indelible.errors import InvalidInput
from indelible.settings import Settings

# Imported late (extra): indelible.store.postgres.distribution, indelible.store.postgres.migrate,
#   indelible.store.postgres.vector_indexes


def upgrade(settings: Settings, role: str | None = None, limited_role: str | None = None) -> list[str]:
    """Make the tables of the store that the settings name, or bring them to this version; a role may serve it then.

    `limited_role` is the role under which servers ask for callers that are limited to namespaces.

    Where the server has pgvector, large tenants' nearest vectors are indexed (minutes); gives what was done of that.
    Raises InvalidInput where no database is named or the role cannot serve, StoreError, and Conflict where the tables
    are newer.
    """
    url = _database(settings)
    from indelible.store.postgres.migrate import upgrade_postgres
    from indelible.store.postgres.vector_indexes import keep_neighbors

    upgrade_postgres(url, role=role, limited_role=limited_role)
    return keep_neighbors(url)


def distribute(settings: Settings) -> dict[str, list[str]]:
    """Spread the tables of the store that the settings name over the nodes of a Citus cluster.

    Gives and raises what `distribution.distribute` does, and InvalidInput where no database is named.
    """
    url = _database(settings)
    from indelible.store.postgres import distribution

    return distribution.distribute(url)


def _database(settings: Settings) -> str:
    if not settings.database:
        raise InvalidInput(
            "no database is named; give --database URL, or set INDELIBLE_DATABASE, with the role that owns the tables"
        )
    return settings.database
