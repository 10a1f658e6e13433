"""JWTs of an issuer that somebody else runs: what they grant here, and the keys that they are checked with.

The server is a resource server of OAuth 2 (RFC 6750, RFC 8725, RFC 9068): it makes no such tokens and hands none on.
"""

import hashlib
import json
import logging
import math
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from indelible.core.context.permissions import SCOPES, Grant, Scope
from indelible.dataclass import dataclass
from indelible.errors import Forbidden, InvalidInput, StoreError, Unauthorized
from indelible.settings import MOST_TENANT, Settings

log = logging.getLogger("indelible")

# Of keys in pairs only: with a shared secret, whoever can check a token could make one.
RSA = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
ALGORITHMS = (*RSA, "ES256", "ES384", "ES512", "EdDSA")
KINDS = ("RSA", "EC", "OKP")
TYPES = ("jwt", "at+jwt", "application/at+jwt")
SCOPE = "indelible:"  # before read, write and admin in the claim `scope` (or `scp`)
NAMESPACES = "indelible_namespaces"  # the claim that lists them
EVERY_NAMESPACE = "*"  # in that list
WHO = "jwt:"  # before the subject: no token's id begins like that; behind it # and digits of the namespaces, if any
DIGITS = 16

LONGEST = 16 << 10  # characters of a JWT
LONGEST_SUBJECT = 200
MOST_NAMESPACES = 100
LEEWAY = 30  # seconds that clocks may differ
FRESH = 3_600.0  # seconds after which keys are asked for again
OLDEST = 86_400.0  # seconds for which old keys are good where no new ones can be had
REST, SHORT_REST = 30.0, 5.0  # seconds between two requests for keys at least; the short one where there are none yet
PATIENCE = 5.0  # seconds for the answer
LARGEST = 1 << 20  # bytes of it

Clock = Callable[[], float]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Keys come from the address that was configured, and from no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow nowhere."""
        return


@dataclass(frozen=True, slots=True)
class Key:
    """A public key, and the algorithms that it may be used with."""

    public: Any
    algorithms: tuple[str, ...]


class KeysMissing(StoreError):
    """The keys of an issuer cannot be had now; the words say nothing of this machine."""

    private = False


class Keys:
    """The public keys of an issuer by their ids, from a file or a URL, read again when an unknown one is named.

    Safe to share between threads. Who names a known key waits for nobody, who names an unknown one for no other's
    reading: only as long as there are no keys at all is that waited for.
    """

    def __init__(self, source: str, clock: Clock = time.monotonic) -> None:
        _refuse_unsafe(source)
        self._source = source
        self._clock = clock
        self._renewing = threading.Lock()
        self._keys: dict[str, Key] = {}
        self._asked: float | None = None
        self._loaded: float | None = None

    def get(self, name: str | None) -> Key | None:
        """The key of an id, None for an unknown one; without an id the only key.

        Raises KeysMissing where the keys cannot be had, or are being read and may turn out to hold that one.
        """
        if self._find(name) is None or self._age() > FRESH:
            self._read_again()
        if self._age() > OLDEST:
            raise KeysMissing("the keys of INDELIBLE_JWT_JWKS cannot be read, so that no JWT can be checked now")
        found = self._find(name)
        if found is None and self._renewing.locked():
            raise KeysMissing("the keys of INDELIBLE_JWT_JWKS are being read again; try again in a moment")
        return found

    def _read_again(self) -> None:
        """Read the keys, unless that was done a moment ago or another thread does it."""
        patience = PATIENCE if self._loaded is None else 0.0
        if (self._loaded is not None and self._rests()) or not self._renewing.acquire(timeout=patience):
            return
        try:
            if not self._rests():
                self._renew()
        finally:
            self._renewing.release()

    def _find(self, name: str | None) -> Key | None:
        keys = self._keys
        if name is None:
            return next(iter(keys.values())) if len(keys) == 1 else None
        return keys.get(name)

    def _age(self) -> float:
        return math.inf if self._loaded is None else self._clock() - self._loaded

    def _rests(self) -> bool:
        """Return whether the keys were fetched a moment ago: an unknown key does not fetch them again."""
        return self._asked is not None and self._clock() - self._asked < (REST if self._keys else SHORT_REST)

    def _renew(self) -> None:
        """Read the keys; where that fails those of before stay for a while."""
        self._asked = self._clock()
        try:
            self._keys = _parsed(_read(self._source))
            self._loaded = self._asked
        except (OSError, ValueError, RecursionError) as error:
            why = getattr(error, "reason", None) or getattr(error, "strerror", None) or error  # of a certificate, too
            said = f"the keys of {self._source.partition('?')[0]} cannot be read: {why}"
            log.warning("jwks", extra={"key": type(error).__name__, "message_text": said[:500]})


def _refuse_unsafe(source: str) -> None:
    parts = urlsplit(source)
    local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme == "http" and not local:
        raise InvalidInput(f"INDELIBLE_JWT_JWKS must be an https address or a file, got {source!r:.80}")


def _read(source: str) -> bytes:
    if not source.startswith(("https://", "http://")):
        return Path(source.removeprefix("file://")).read_bytes()[: LARGEST + 1]
    opener = urllib.request.build_opener(_NoRedirect)
    request = urllib.request.Request(source, headers={"Accept": "application/json", "User-Agent": "indelible"})
    with opener.open(request, timeout=PATIENCE) as answer:
        body: bytes = answer.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise ValueError("too large")
    return body


def _parsed(body: bytes) -> dict[str, Key]:
    """The keys that may sign, by id. Raises ValueError."""
    found = json.loads(body)
    listed = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no key set")
    keys = {}
    for place, given in enumerate(listed):
        if not isinstance(given, dict) or not _may_sign(given):
            continue
        try:
            key = PyJWK.from_dict(given)
        except (PyJWTError, UnsupportedAlgorithm, ValueError, TypeError):
            continue  # broken, or of a kind that is not known: the others count
        any_of_its_kind = given["kty"] == "RSA" and "alg" not in given
        algorithms = RSA if any_of_its_kind else (str(key.algorithm_name),)
        keys[str(given.get("kid", f"#{place}"))] = Key(key.key, algorithms)
    return keys


def _may_sign(given: Mapping[str, Any]) -> bool:
    known = given.get("kty") in KINDS and given.get("alg", RSA[0]) in ALGORITHMS
    return known and given.get("use", "sig") == "sig"


class Issuer:
    """One issuer and what it says of callers; `tenant_claim` is where it says of which tenant, "" for nowhere."""

    def __init__(self, name: str, audience: str, keys: Keys, tenant_claim: str = "") -> None:
        self._name = name
        self._audience = audience
        self._keys = keys
        self._tenant_claim = tenant_claim

    def grant(self, token: str) -> tuple[Grant, int | None]:
        """Return the grant of a JWT and its tenant, None for the server's own.

        Raises Unauthorized, Forbidden and KeysMissing.
        """
        claims = self._claims(token)
        return granted(claims), tenant_in(claims, self._tenant_claim)

    def _claims(self, token: str) -> Mapping[str, Any]:
        if len(token) > LONGEST:
            raise _invalid()
        try:
            header = jwt.get_unverified_header(token)
            key = self._keys.get(_key_id(header))
            if key is None or header["alg"] not in key.algorithms:
                raise _invalid()
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key.public,
                algorithms=[header["alg"]],
                audience=self._audience,
                issuer=self._name,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
            return claims
        except (PyJWTError, ValueError, TypeError, RecursionError, OverflowError) as error:
            raise _invalid() from error


def _key_id(header: Mapping[str, Any]) -> str | None:
    """The id of the key that a header names. Raises ValueError for a header that asks for what is not done here."""
    kind = header.get("typ", "JWT")
    if (
        header.get("alg") not in ALGORITHMS
        or "crit" in header
        or not isinstance(kind, str)
        or kind.lower() not in TYPES
    ):
        raise ValueError("header")
    name = header.get("kid")
    if name is not None and not isinstance(name, str):
        raise ValueError("kid")
    return name


def granted(claims: Mapping[str, Any]) -> Grant:
    """Return the grant of checked claims. Raises Unauthorized for an invalid subject, Forbidden for no grant."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT or not subject.isprintable():
        raise _invalid()
    scope, namespaces = _scope(claims), _namespaces(claims)
    return Grant(_who(subject, namespaces), scope, namespaces)


def tenant_in(claims: Mapping[str, Any], name: str) -> int | None:
    """The tenant that checked claims name; None where there is no such claim. Raises Forbidden for what is none."""
    if not name or name not in claims:
        return None
    given = claims[name]
    if type(given) is not int or not 1 <= given <= MOST_TENANT:  # True is no number here, "2" and 2.0 are none either
        raise Forbidden(
            f"the token's claim `{name}` must be a whole number from 1 to {MOST_TENANT}, the tenant that it is for; "
            "leave it out for the server's own"
        )
    number: int = given
    return number


def _who(subject: str, namespaces: frozenset[str] | None) -> str:
    """The caller's id: what a user hands on, narrowed to some namespaces, is another caller than the user.

    Callers are told of their own calls, and answered from their own request keys.
    """
    who = WHO + subject.replace("%", "%25").replace("#", "%23")
    if namespaces is None:
        return who
    digest = hashlib.sha256(json.dumps(sorted(namespaces)).encode()).hexdigest()
    return f"{who}#{digest[:DIGITS]}"


def _scope(claims: Mapping[str, Any]) -> Scope:
    given = claims.get("scope", claims.get("scp", ()))
    names = given.split() if isinstance(given, str) else given if isinstance(given, list) else ()
    for scope in reversed(SCOPES):
        if SCOPE + scope in names:
            return scope
    raise Forbidden(
        f"the token grants none of {', '.join(SCOPE + scope for scope in SCOPES)} in its claim `scope`; "
        "ask its issuer for one of them",
        {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{SCOPE}read"'},
    )


def _namespaces(claims: Mapping[str, Any]) -> frozenset[str] | None:
    given = claims.get(NAMESPACES, ())
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, list) else []
    if not 0 < len(names) <= MOST_NAMESPACES or not all(isinstance(name, str) and name.strip() for name in names):
        raise Forbidden(
            f"the token does not say where it is valid: its claim `{NAMESPACES}` must list 1 to {MOST_NAMESPACES} "
            f"namespaces, or be [{EVERY_NAMESPACE!r}] for all"
        )
    return None if EVERY_NAMESPACE in names else frozenset(names)


def _invalid() -> Unauthorized:
    return Unauthorized(INVALID)


INVALID = "the token is not valid: it is malformed, unknown, expired or revoked, or meant for another server"


def configured(settings: Settings) -> Issuer | None:
    """The issuer of the settings, None where there is none. Raises InvalidInput."""
    if not settings.jwt_issuer:
        return None
    keys = Keys(settings.jwt_jwks)
    return Issuer(settings.jwt_issuer, settings.jwt_audience, keys, settings.jwt_tenant_claim)
