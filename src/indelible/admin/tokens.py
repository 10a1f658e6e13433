"""Access tokens of a store: created and shown once, stored as a hash, and required with every request.

A secret is `ind_` and 43 random characters; of another tenant than the first its number stands between them (`ind_7_`
and 43 characters), so that a server of several tenants looks for it in the rows of the one alone. The length tells the
two apart where the random characters begin like a number: those of tenant 1 may do that.
"""

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import cast

from indelible.clock import age_value
from indelible.core.context.context import Context
from indelible.core.context.permissions import SCOPES, Grant, Scope
from indelible.dataclass import dataclass
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
GRACE = 24 * 3_600_000_000  # microseconds for which a token that was replaced still holds
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
    now = ctx.now()

    def work(tx: Transaction) -> Created:
        names = sorted(_projects(ctx, tx, namespaces)) if namespaces else None
        return _add(
            ctx, tx, name, scope, None if names is None else tuple(names), None if expires is None else now + expires
        )

    return ctx.write(work)


def rotate(ctx: Context, named: str, expires: int | None = None, grace: int = GRACE) -> tuple[Created, Token]:
    """Make a token that may do what another may, which expires after `grace`; the new one, and the other as it is now.

    It has the name, and lasts from now as long as the other was made for; with `expires` that long. Both are in
    microseconds. Raises NotFound, and InvalidInput where the other does not hold any more.
    """
    if grace <= 0:
        raise InvalidInput(
            f"grace must be longer than nothing, got {grace} microseconds; `token revoke` ends one at once"
        )
    now = ctx.now()

    def work(tx: Transaction) -> tuple[Created, Token]:
        old = _named(tx, named, now)
        if not old.holds(now):
            raise InvalidInput(f"token {old.key} is {old.state(now)}; make another with `indelible token create`")
        lasts = expires if expires is not None or old.expires is None else old.expires - old.created
        _check(old.name, old.scope, old.namespaces, lasts)
        until = None if lasts is None else now + lasts
        made = _add(ctx, tx, old.name, cast("Scope", old.scope), old.namespaces, until)
        tokens.expire(tx, old.key, now + grace)
        return made, next(token for token in tokens.everything(tx) if token.key == old.key)

    return ctx.write(work)


def _add(
    ctx: Context, tx: Transaction, name: str, scope: Scope, namespaces: tuple[str, ...] | None, expires: int | None
) -> Created:
    """Add a token with a new secret, which expires at a time."""
    secret = _new_secret(ctx.store.tenant)
    token = Token(
        key=f"tok_{secrets.token_hex(4)}",
        name=name,
        scope=scope,
        namespaces=namespaces,
        created=ctx.now(),
        expires=expires,
        used=None,
        revoked=None,
        hash=_digest(secret),
    )
    tokens.add(tx, token)
    return Created(token, secret, {each: records.count_kinds_in(tx, {each}) for each in namespaces or ()})


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


def duration(text: str, name: str = "expires") -> int:
    """Microseconds of `12h`, `90d`, `4w` or `1y`. Raises InvalidInput."""
    found = age_value(text)
    if found is None:
        raise InvalidInput(f"{name} must be a number of hours, days, weeks or years such as 90d, got {text!r:.80}")
    return found


def listed(ctx: Context) -> list[Token]:
    """All tokens, oldest first: those that are revoked or expired too."""
    with ctx.store.read() as tx:
        return tokens.everything(tx)


def revoke(ctx: Context, named: str) -> Token:
    """Revoke a token, by its id or name, for every server of the store from its next request on.

    Raises NotFound, and InvalidInput for a name that several have that hold.
    """
    now = ctx.now()

    def work(tx: Transaction) -> Token:
        key = _named(tx, named, now).key
        tokens.revoke(tx, key, now)
        return next(token for token in tokens.everything(tx) if token.key == key)

    return ctx.write(work)


def _named(tx: Transaction, named: str, now: int) -> Token:
    """Return the token of an id; else the one of a name that holds, else the newest of that name."""
    stored = tokens.everything(tx)
    for token in stored:
        if token.key == named:
            return token
    of_name = [token for token in stored if named and token.name == named]
    holding_ = [token for token in of_name if token.holds(now)]
    if len(holding_) > 1:
        keys = ", ".join(token.key for token in holding_)
        raise InvalidInput(f"{len(holding_)} active tokens are named {named!r:.80}: {keys}; give an id")
    if not of_name:
        raise NotFound(
            f"token {named!r:.80} is unknown here, as an id and as a name; `indelible token list` lists them, those of "
            "another tenant of a database with --tenant"
        )
    return (holding_ or of_name)[-1]


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
