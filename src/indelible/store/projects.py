"""Rows of `project`: paths and origin URLs, each an alias of one stable namespace."""

from indelible.store.database import Transaction


def aliases(tx: Transaction, tenant: int) -> dict[str, str]:
    """Every alias with its namespace."""
    return {str(alias): str(namespace) for alias, namespace in tx.rows("projects.aliases", tenant=tenant)}


def add(tx: Transaction, tenant: int, alias: str, namespace: str, created: int) -> None:
    """Add an alias; one that exists stays what it is."""
    tx.run("projects.add", tenant=tenant, alias=alias, namespace=namespace, created=created)


def since(tx: Transaction, tenant: int) -> dict[str, int]:
    """Every namespace that has aliases, with the time of its first."""
    return {str(namespace): int(first) for namespace, first in tx.rows("projects.since", tenant=tenant)}


def join(tx: Transaction, tenant: int, joined: str, namespace: str) -> None:
    """Make the aliases of `joined`, its own name among them, aliases of `namespace`."""
    tx.run("projects.join", tenant=tenant, joined=joined, namespace=namespace)
