"""Rows of `token`: access tokens with their scopes and namespaces. Of a secret only its SHA-256 is stored."""

import json
from collections.abc import Iterable, Mapping

from indelible.dataclass import dataclass
from indelible.store.database import Row, Transaction, one

EVERY_NAMESPACE = "*"  # alone in the list: all of them


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret; times are microseconds since 1970 UTC, `namespaces` None means all, () none.

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
        return self.state(now) == "active"

    def state(self, now: int) -> str:
        """Return `active`, `revoked` or `expired`."""
        if self.revoked is not None:
            return "revoked"
        return "active" if self.expires is None or now < self.expires else "expired"


def add(tx: Transaction, token: Token) -> None:
    """Keep a new token."""
    namespaces = [EVERY_NAMESPACE] if token.namespaces is None else list(token.namespaces)
    tx.run(
        "tokens.add",
        key=token.key,
        name=token.name,
        hash=token.hash,
        scope=token.scope,
        namespaces=json.dumps(namespaces, ensure_ascii=False),
        created=token.created,
        expires=token.expires,
        used=token.used,
        revoked=token.revoked,
    )


def replace_all(tx: Transaction, tokens: Iterable[Token]) -> None:
    """Replace all tokens by these."""
    tx.run("tokens.clear")
    for token in tokens:
        add(tx, token)


def by_hash(tx: Transaction, digest: str) -> Token | None:
    """The token of a secret's SHA-256, revoked and expired ones too."""
    row = one(tx.rows("tokens.by_hash", hash=digest))
    return None if row is None else _from_row(row)


def everything(tx: Transaction) -> list[Token]:
    """All tokens, revoked and expired ones too, oldest first."""
    return [_from_row(row) for row in tx.rows("tokens.all")]


def any_there(tx: Transaction) -> bool:
    """Whether there is or ever was a token."""
    return bool(tx.rows("tokens.any"))


def any_for_some(tx: Transaction) -> bool:
    """Whether there is or ever was a token limited to some namespaces."""
    return bool(tx.rows("tokens.any_for_some", but=json.dumps([EVERY_NAMESPACE])))


def revoke(tx: Transaction, key: str, time: int) -> bool:
    """Revoke a token; False where none has that key or it was revoked before."""
    return tx.run("tokens.revoke", key=key, time=time) > 0


def expire(tx: Transaction, key: str, time: int) -> bool:
    """Let a token expire at a time; False where none has that key or it does not hold as long anyway."""
    return tx.run("tokens.expire", key=key, time=time) > 0


def used(tx: Transaction, times: Mapping[str, int]) -> None:
    """Note when each token was used last."""
    tx.run_many("tokens.used", [{"key": key, "time": time} for key, time in sorted(times.items())])


def _from_row(row: Row) -> Token:
    key, name, scope, namespaces, created, expires, used_, revoked, digest = row
    return Token(key, name, scope, _namespaces(namespaces), created, expires, used_, revoked, digest)


def _namespaces(stored: str) -> tuple[str, ...] | None:
    """Return the namespaces of a JSON array; () for an invalid value in a damaged row."""
    try:
        listed = json.loads(stored)
    except (ValueError, RecursionError):
        return ()
    if listed == [EVERY_NAMESPACE]:
        return None
    known = isinstance(listed, list) and all(isinstance(name, str) and name.strip() for name in listed)
    return tuple(listed) if known and EVERY_NAMESPACE not in listed else ()
