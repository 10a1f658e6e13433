"""Rows of `token`: who may do what in which namespaces. Of a secret only its SHA-256 is kept."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from indelible.store.database import Row, Transaction, one


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret; times are microseconds since 1970 UTC, `namespaces` None means all.

    `hash` is the SHA-256 of the secret, in hex.
    """

    key: str
    name: str
    scope: str
    namespaces: tuple[str, ...] | None
    created: int
    expires: int | None
    used: int | None
    revoked: int | None
    hash: str

    def holds(self, now: int) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or now < self.expires)


def add(tx: Transaction, tenant: int, token: Token) -> None:
    """Keep a new token."""
    namespaces = None if token.namespaces is None else json.dumps(list(token.namespaces), ensure_ascii=False)
    tx.run(
        "tokens.add",
        tenant=tenant,
        key=token.key,
        name=token.name,
        hash=token.hash,
        scope=token.scope,
        namespaces=namespaces,
        created=token.created,
        expires=token.expires,
        used=token.used,
        revoked=token.revoked,
    )


def replace_all(tx: Transaction, tenant: int, tokens: Iterable[Token]) -> None:
    """Let there be these tokens and no others."""
    tx.run("tokens.clear", tenant=tenant)
    for token in tokens:
        add(tx, tenant, token)


def by_hash(tx: Transaction, tenant: int, digest: str) -> Token | None:
    """The token of a secret's SHA-256, revoked and expired ones too."""
    row = one(tx.rows("tokens.by_hash", tenant=tenant, hash=digest))
    return None if row is None else _from_row(row)


def everything(tx: Transaction, tenant: int) -> list[Token]:
    """All tokens, revoked and expired ones too, oldest first."""
    return [_from_row(row) for row in tx.rows("tokens.all", tenant=tenant)]


def any_there(tx: Transaction, tenant: int) -> bool:
    """Whether there is or ever was one."""
    return bool(tx.rows("tokens.any", tenant=tenant))


def revoke(tx: Transaction, tenant: int, key: str, time: int) -> bool:
    """Let a token hold no more; False where there is none of that key that was not revoked before."""
    return tx.run("tokens.revoke", tenant=tenant, key=key, time=time) > 0


def used(tx: Transaction, tenant: int, times: Mapping[str, int]) -> None:
    """Note when each token was used last."""
    tx.run_many("tokens.used", [{"tenant": tenant, "key": key, "time": time} for key, time in sorted(times.items())])


def _from_row(row: Row) -> Token:
    key, name, scope, namespaces, created, expires, used_, revoked, digest = row
    limits = None if namespaces is None else tuple(json.loads(namespaces))
    return Token(key, name, scope, limits, created, expires, used_, revoked, digest)
