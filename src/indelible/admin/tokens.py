"""Access tokens of a store: created and shown once, stored as a hash, and required with every request.

A secret is `ind_` and 43 random characters; of another tenant than the first its number stands between them (`ind_7_`
and 43 characters), so that a server of several tenants looks for it in the rows of the one alone. The length tells the
two apart where the random characters begin like a number: those of tenant 1 may do that.
"""

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from indelible.clock import age_value
from indelible.core.context.context import Context
from indelible.core.context.permissions import SCOPES, Grant, Scope
from indelible.errors import InvalidInput, NotFound
from indelible.settings import MOST_TENANT
from indelible.store.database import Database, Transaction
from indelible.store.tables import records, tokens
from indelible.store.tables.tokens import EVERY_NAMESPACE, Token

FIRST = 1  # the tenant whose secrets name none
PREFIX = "ind_"  # secret scanners know a token by it, ours too
SECRET_BYTES = 32
LONGEST_NAME = 100  # characters
LONGEST_NAMESPACE = 1_024
MOST_NAMESPACES = 100
USED_EVERY = 60_000_000  # microseconds after which a use is noted again

_SECRET = re.compile(rf"{PREFIX}(?:([1-9][0-9]{{0,15}})_)?[A-Za-z0-9_-]{{43}}")
_LIKE_A_NUMBER = re.compile(r"[0-9]+_")


@dataclass(frozen=True, slots=True)
class Created:
    """A new token, and its secret, which cannot be read again.

    `contents` is what is stored in each of its namespaces by now: how many records of each kind; {} of all namespaces.
    """

    token: Token
    secret: str
    contents: Mapping[str, Mapping[str, int]]


def create(
    ctx: Context, name: str, scope: Scope, namespaces: Sequence[str] | None = None, expires: int | None = None
) -> Created:
    """Make a token; `expires` is in microseconds from now, None never. No namespaces means all of them.

    A namespace that is an alias of a project is that project, with what is stored of it under other names. Raises
    InvalidInput.
    """
    _check(name, scope, namespaces, expires)
    secret = _new_secret(ctx.store.tenant)
    now = ctx.now()

    def work(tx: Transaction) -> Created:
        names = sorted(_projects(ctx, tx, namespaces)) if namespaces else None
        token = Token(
            key=f"tok_{secrets.token_hex(4)}",
            name=name,
            scope=scope,
            namespaces=None if names is None else tuple(names),
            created=now,
            expires=None if expires is None else now + expires,
            used=None,
            revoked=None,
            hash=_digest(secret),
        )
        tokens.add(tx, token)
        contents = {each: records.count_kinds_in(tx, {each}) for each in names or ()}
        return Created(token, secret, contents)

    return ctx.write(work)


def _new_secret(tenant: int) -> str:
    number = "" if tenant == FIRST else f"{tenant}_"
    while _LIKE_A_NUMBER.match(random := secrets.token_urlsafe(SECRET_BYTES)):
        pass  # for people, so that a token of tenant 1 is not taken for another's
    return PREFIX + number + random


def tenant_of(secret: str) -> int | None:
    """Return the tenant that a secret belongs to; None for a text that is not a secret of ours."""
    found = _SECRET.fullmatch(secret)
    if found is None or found[1] is None:
        return None if found is None else FIRST
    tenant = int(found[1])
    return tenant if FIRST < tenant <= MOST_TENANT else None


def _projects(ctx: Context, tx: Transaction, namespaces: Sequence[str]) -> set[str]:
    """The projects that names stand for, by all names under which anything of them is stored."""
    scope, stored = ctx.scope(tx), set(records.namespaces(tx))
    wanted: set[str] = set()
    for name in namespaces:
        wanted |= {scope.aliases.canonical(name, exactly=True)} | scope.named(name, stored)
    return wanted


def _check(name: str, scope: str, namespaces: Sequence[str] | None, expires: int | None) -> None:
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"name must have at most {LONGEST_NAME} characters, got {len(name)}; shorten it")
    if scope not in SCOPES:
        raise InvalidInput(f"scope must be one of {', '.join(SCOPES)}, got {scope!r:.80}")
    if namespaces is not None and not 1 <= len(namespaces) <= MOST_NAMESPACES:
        raise InvalidInput(f"namespaces must be 1 to {MOST_NAMESPACES}, or none for all, got {len(namespaces)}")
    for namespace in namespaces or ():
        if namespace == EVERY_NAMESPACE:
            raise InvalidInput(f"namespace {EVERY_NAMESPACE!r} names no project; leave namespaces out for all of them")
        if not namespace.strip() or "\0" in namespace or len(namespace) > LONGEST_NAMESPACE:
            raise InvalidInput(
                f"namespace must be a text of at most {LONGEST_NAMESPACE:,} characters that names a project, "
                f"got {namespace!r:.80}"
            )
    if expires is not None and expires <= 0:
        raise InvalidInput(f"expires must lie in the future, got {expires} microseconds")


def duration(text: str) -> int:
    """Microseconds of `12h`, `90d`, `4w` or `1y`. Raises InvalidInput."""
    found = age_value(text)
    if found is None:
        raise InvalidInput(f"expires must be a number of hours, days, weeks or years such as 90d, got {text!r:.80}")
    return found


def listed(ctx: Context) -> list[Token]:
    """All tokens, oldest first: those that are revoked or expired too."""
    with ctx.store.read() as tx:
        return tokens.everything(tx)


def revoke(ctx: Context, key: str) -> Token:
    """Revoke a token, for every server of the store from its next request on. Raises NotFound."""

    def work(tx: Transaction) -> Token:
        tokens.revoke(tx, key, ctx.now())
        found = next((token for token in tokens.everything(tx) if token.key == key), None)
        if found is None:
            raise NotFound(f"token {key!r:.80} is unknown; `indelible token list` lists them")
        return found

    return ctx.write(work)


def any_token(ctx: Context) -> bool:
    """Whether a token was ever made: from then on every request needs one, even when none holds any more."""
    with ctx.store.read() as tx:
        return tokens.any_there(tx)


def verify(ctx: Context, secret: str) -> Grant | None:
    """Return the grant of a secret's token; None if it is unknown, expired, revoked, or of another tenant."""
    now = ctx.now()
    token = holding(ctx.store, secret, now) if tenant_of(secret) == ctx.store.tenant else None
    if token is None:
        return None
    note_use(ctx, token, now)
    return grant_of(token)


def holding(store: Database, secret: str, now: int) -> Token | None:
    """Return the token of a secret among those of a tenant if it is valid and grants anything; one look-up only."""
    digest = _digest(secret)
    with store.read() as tx:
        found = tokens.by_hash(tx, digest)
    if found is None or not hmac.compare_digest(found.hash, digest):
        return None
    return found if found.holds(now) and _grants(found) else None


def holding_key(store: Database, key: str, now: int) -> Token | None:
    """Return the token with an id among those of a tenant if it is valid and grants anything."""
    with store.read() as tx:
        found = next((token for token in tokens.everything(tx) if token.key == key), None)
    return found if found is not None and found.holds(now) and _grants(found) else None


def grant_of(token: Token) -> Grant:
    """Return the grant of a valid token."""
    namespaces = None if token.namespaces is None else frozenset(token.namespaces)
    return Grant(token.key, cast("Scope", token.scope), namespaces)


def note_use(ctx: Context, token: Token, now: int) -> None:
    """Note, once a minute, that a token was used."""
    if token.used is None or now - token.used >= USED_EVERY:
        ctx.write_behind.token_used(token.key, now)


def _grants(token: Token) -> bool:
    """Whether a row grants anything: one that a damaged store or another version left may not say what or where."""
    return token.scope in SCOPES and token.namespaces != ()


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()
