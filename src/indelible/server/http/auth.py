"""Authentication over HTTP: the caller of a request, and the rights that it has."""

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from indelible.admin import tokens
from indelible.core.context.context import Context
from indelible.core.context.permissions import SCOPES
from indelible.errors import InvalidInput, Unauthorized
from indelible.server.http.jwt import INVALID, SCOPE, Issuer, configured
from indelible.server.http.tenants import Bearer, Tenants
from indelible.server.http.turns import WAIT, in_turn
from indelible.settings import Settings
from indelible.store.database import read_again

HEADER = "authorization"
METADATA = "/.well-known/oauth-protected-resource"  # RFC 9728
SECRETS = ("access_token", "token", "api_key", "apikey", "authorization")  # names of what belongs in no address
FORWARDED = ("forwarded", "x-forwarded-for")  # headers by which a proxy says for whom it asks


class Authentication:
    """Asks every request of one server who it comes from: from the first token on, and then for good.

    That is kept for as long as the server runs: no store that is lost or damaged under it opens it to everybody.
    """

    def __init__(self, tenants: Tenants, *, needed: bool = False):
        self.wait = WAIT  # seconds for one of the threads
        self._tenants = tenants
        self._needed = needed
        # Threads of their own: who they are is asked before they wait. An issuer that is slow holds up its own JWTs.
        self._own = anyio.CapacityLimiter(4)
        self._issued = anyio.CapacityLimiter(2)

    async def bearer(self, headers: Mapping[str, str]) -> Bearer:
        """Whom a request comes from, as `authenticated`. It is a part of answering, to which other work gives way."""
        limiter = self._issued if _is_issued(headers) else self._own
        return await in_turn(limiter, self.wait, self._looked_up, headers)

    def _looked_up(self, headers: Mapping[str, str]) -> Bearer:
        with self._tenants.own.answering.call():
            return read_again(lambda: self._asked(headers))

    def _asked(self, headers: Mapping[str, str]) -> Bearer:
        own = self._tenants.own
        if _given(headers) is None:  # callers of other tenants need no look into ours, which may be on another node
            self._needed = self._needed or is_needed(own)
            return authenticated(self._tenants, headers, needed=self._needed)
        bearer = authenticated(self._tenants, headers, needed=True)
        self._needed = self._needed or bearer.tenant == own.store.tenant
        return bearer


def authenticated(tenants: Tenants, headers: Mapping[str, str], *, needed: bool) -> Bearer:
    """Whom the bearer token of a request names; somebody who may do all where none is given or `needed`.

    Raises Unauthorized (401, with what to ask for among its `headers`), all in the same words but for a token that is
    missing; Forbidden (403) for a JWT that grants nothing here; StoreError (503) where its issuer's keys cannot be had.
    """
    given, settings = _given(headers), tenants.own.settings
    if given is None:
        if needed:
            raise Unauthorized(
                "this server needs a token: send `Authorization: Bearer TOKEN` (`indelible token create` makes one)",
                {"WWW-Authenticate": challenge(settings)},
            )
        _refuse_forwarded(headers)
        return tenants.anybody()
    try:
        return _bearer(tenants, _secret(given))
    except Unauthorized as error:
        raise Unauthorized(str(error), {"WWW-Authenticate": challenge(settings, "invalid_token")}) from error


def _given(headers: Mapping[str, str]) -> str | None:
    return next((value for name, value in headers.items() if name.lower() == HEADER), None)


def _secret(given: str) -> str:
    """The token of a header; "" where it holds something else."""
    scheme, _, secret = given.strip().partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _is_issued(headers: Mapping[str, str]) -> bool:
    """Return whether a request gives something else than a token of the store: it would be one of an issuer."""
    given = _given(headers)
    return given is not None and not _secret(given).startswith(tokens.PREFIX)


def _refuse_forwarded(headers: Mapping[str, str]) -> None:
    """Refuse what others sent through a proxy to a server that is there for its own machine."""
    for name in headers:
        if name.lower() in FORWARDED:
            raise Unauthorized(
                f"this request came through a proxy ({name}), and this server asks for no token, because only "
                "its own machine should reach it; run `indelible token create` first"
            )


def _bearer(tenants: Tenants, secret: str) -> Bearer:
    issuer = None if secret.startswith(tokens.PREFIX) else _issuer(tenants.own.settings)
    if issuer is not None:
        return tenants.issued(*issuer.grant(secret))
    found = tenants.bearer(secret)
    if found is None:
        raise Unauthorized(INVALID)
    return found


def is_needed(ctx: Context) -> bool:
    """Return whether every request needs a token: the store has or had one, or there is an issuer of JWTs."""
    return bool(ctx.settings.jwt_issuer) or tokens.any_token(ctx)


@lru_cache(maxsize=4)
def _issuer(settings: Settings) -> Issuer | None:
    """The issuer of a server's settings: its keys are kept as long as the process lives."""
    return configured(settings)


def challenge(settings: Settings, error: str = "") -> str:
    """The value of WWW-Authenticate: how to ask rightly, and where it is said who gives tokens."""
    fields = ['realm="indelible"']
    if error:
        fields.append(f'error="{error}"')
    if settings.jwt_issuer:
        fields.append(f'scope="{SCOPE}read"')
        address = urlsplit(settings.jwt_audience)
        if address.scheme and address.netloc:
            path = address.path.rstrip("/")
            fields.append(f'resource_metadata="{address.scheme}://{address.netloc}{METADATA}{path}"')
    return f"Bearer {', '.join(fields)}"


def refuse_in_address(query: bytes) -> None:
    """Raise InvalidInput where an address carries a token: addresses are logged and kept on the way."""
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name.lower() in SECRETS or value.startswith(tokens.PREFIX):
            raise InvalidInput(
                f"the URL contains {name!r:.40}; a token belongs in the header `Authorization: Bearer TOKEN`, "
                "and one that was in a URL should be revoked"
            )


def routes(settings: Settings) -> list[Route]:
    """Return the routes of the protected-resource metadata (RFC 9728), where an issuer is set: open to all.

    Raises InvalidInput for settings of JWTs that cannot be.
    """
    if _issuer(settings) is None:
        return []
    fields = {
        "resource": settings.jwt_audience,
        "authorization_servers": [settings.jwt_issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": [SCOPE + scope for scope in SCOPES],
        "resource_name": "Indelible",
    }

    async def metadata(_: Request) -> JSONResponse:
        return JSONResponse(fields, headers={"Cache-Control": "max-age=300"})

    path = urlsplit(settings.jwt_audience).path.rstrip("/")
    return [Route(where, metadata, methods=["GET"]) for where in dict.fromkeys((METADATA, METADATA + path))]
