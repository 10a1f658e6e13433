"""Rows of `project`: paths and origin URLs, each an alias of one stable namespace."""

from indelible.store.database import Transaction


def aliases(tx: Transaction, tenant: int) -> dict[str, str]:
    """Every alias with its namespace."""
    return {str(alias): str(namespace) for alias, namespace in tx.rows("projects.aliases", tenant=tenant)}


def add(tx: Transaction, tenant: int, alias: str, namespace: str, created: int) -> None:
    """Add an alias; one that exists stays what it is."""
    tx.run("projects.add", tenant=tenant, alias=alias, namespace=namespace, created=created)
