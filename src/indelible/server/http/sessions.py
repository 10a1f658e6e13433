"""The page's visitors: one-time links, cookies, the proof that a form is the page's own, and limits to attempts.

A cookie is one of two. That of a one-time link is random, is known to the server that set it and ends with it: whoever
can write a file into the data directory owns the store anyway. That of a token names the token and is signed with a
key that only the store holds (the token's hash), so each server of the store knows it and it ends with the token.
"""

import hmac
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock

from starlette.requests import cookie_parser

from indelible.admin import tenants as of_database
from indelible.admin import tokens
from indelible.core.context.context import Context
from indelible.core.context.permissions import EVERYTHING
from indelible.dataclass import dataclass
from indelible.errors import Unauthorized
from indelible.filesystem import create_private, prepare
from indelible.server.http.tenants import Bearer, Tenants
from indelible.settings import MOST_TENANT
from indelible.store.tables.tokens import Token

LINK_SECONDS = 60  # that a one-time link holds
ATTEMPTS, PER_SECONDS = 10, 60.0  # wrong tokens from one address, and from all together ten times as many
COOKIE_SECONDS = 30 * 86_400  # that a token's cookie holds; the token may end before
LINKS = "page"  # the folder of the data directory with one-time links and the address of the server
SERVER = "server.json"

_LOCAL, _TOKEN = "local", "token"
_SIGNED = re.compile(r"(?P<tenant>[0-9]{1,16})\.(?P<key>[^.]*)\.(?P<made>[0-9]{1,16})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor(Bearer):
    """A visitor of the page: its rights, its cookie, and whether it came by a link of this machine."""

    cookie: str
    is_local: bool

    @property
    def form_key(self) -> str:
        """Return what each form of the page carries: only who can read the cookie can make it."""
        return hmac.new(self.cookie.encode(), b"form", sha256).hexdigest()

    def made(self, given: str) -> bool:
        """Return whether a form carries it."""
        return hmac.compare_digest(self.form_key.encode(), given.encode())


class Sessions:
    """The visitors of one server. Safe to share between threads."""

    def __init__(self, tenants: Tenants, port: int, clock: Callable[[], float] = time.monotonic):
        self._tenants = tenants
        self._port = port
        self._clock = clock
        self._local: set[str] = set()
        self._guessing = Lock()
        self._wrong: list[tuple[float, str]] = []

    @property
    def _links(self) -> Path:
        return self._tenants.own.settings.data / LINKS

    def name(self, kind: str) -> str:
        """Return the name of a cookie: browsers keep those of all ports of a host together."""
        return f"indelible_{self._port}" if kind == _LOCAL else "indelible_token"

    def by_link(self, ticket: str, *, secure: bool) -> str:
        """Return the Set-Cookie header for a one-time link, which then holds no more. Raises Unauthorized."""
        if not take_link(self._links, ticket):
            raise Unauthorized(
                f"this link holds once, for {LINK_SECONDS} seconds, and was used or is older; run `indelible ui` again"
            )
        cookie = secrets.token_urlsafe(32)
        self._local.add(cookie)
        return f"{self.name(_LOCAL)}={cookie}; Path=/; HttpOnly; SameSite=Strict{'; Secure' if secure else ''}"

    def by_token(self, secret: str, address: str, *, secure: bool) -> str:
        """Return the Set-Cookie header for a token. Raises Unauthorized for a wrong one, or after many wrong ones."""
        self._refuse_guessing(address)
        tenant = tokens.tenant_of(secret)
        token = None if tenant is None else self._token(tenant, lambda now, store: tokens.holding(store, secret, now))
        if token is None or tenant is None:
            with self._guessing:
                self._wrong.append((self._clock(), address))
            raise Unauthorized("no token of this store, or one that was revoked or has expired")
        made = int(time.time())
        signed = f"{tenant}.{token.key}.{made}"
        value = f"{signed}.{_signature(token, signed)}"
        attributes = f"Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}{'; Secure' if secure else ''}"
        return f"{self.name(_TOKEN)}={value}; {attributes}"

    def visitor(self, headers: Mapping[str, str]) -> Visitor:
        """Return who a page's request comes from. Raises Unauthorized where it has no cookie that holds."""
        cookies = _cookies(headers)
        local = cookies.get(self.name(_LOCAL), "")
        if local in self._local:
            return Visitor(EVERYTHING, self._tenants.own.store.tenant, cookie=local, is_local=True)
        given = cookies.get(self.name(_TOKEN), "")
        found = self._signed(given) if given else None
        if found is None:
            raise Unauthorized("open this page with `indelible ui`, or log in with a token")
        return found

    def end(self, headers: Mapping[str, str]) -> list[str]:
        """Forget a visitor; return the Set-Cookie headers that delete its cookies."""
        self._local.discard(_cookies(headers).get(self.name(_LOCAL), ""))
        return [f"{self.name(kind)}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" for kind in (_LOCAL, _TOKEN)]

    def _signed(self, given: str) -> Visitor | None:
        signed, _, signature = given.rpartition(".")
        found = _SIGNED.fullmatch(signed)
        if found is None or int(found["made"]) + COOKIE_SECONDS <= time.time():
            return None
        tenant, key = int(found["tenant"]), found["key"]
        if not 1 <= tenant <= MOST_TENANT:
            return None
        token = self._token(tenant, lambda now, store: tokens.holding_key(store, key, now))
        if token is None or not hmac.compare_digest(_signature(token, signed).encode(), signature.encode()):
            return None
        own = tenant == self._tenants.own.store.tenant
        if own:
            tokens.note_use(self._tenants.own, token, self._tenants.own.now())
        grant = tokens.grant_of(token)
        return Visitor(grant, tenant, None if own else token, cookie=given, is_local=False)

    def _token(self, tenant: int, find: of_database.Find) -> Token | None:
        own: Context = self._tenants.own
        return find(own.now(), own.store) if tenant == own.store.tenant else of_database.token_of(own, tenant, find)

    def _refuse_guessing(self, address: str) -> None:
        since = self._clock() - PER_SECONDS
        with self._guessing:
            self._wrong = [each for each in self._wrong if each[0] > since]
            theirs, all_ = sum(each[1] == address for each in self._wrong), len(self._wrong)
        if theirs >= ATTEMPTS or all_ >= 10 * ATTEMPTS:
            raise Unauthorized(f"{ATTEMPTS} wrong tokens within a minute; wait a minute, then try again")


def make_link(data: Path) -> str:
    """Return a new ticket of a one-time link to any server of a data directory. Raises StoreError."""
    folder = data / LINKS
    prepare(folder)
    ticket = secrets.token_urlsafe(32)
    create_private(_link(folder, ticket))
    return ticket


def take_link(folder: Path, ticket: str) -> bool:
    """Return whether a ticket holds, once: of two that take it at the same time one gets it."""
    path = _link(folder, ticket)
    try:
        made = path.stat().st_mtime
        path.unlink()
    except OSError:
        return False
    return 0 <= time.time() - made + 1 <= LINK_SECONDS + 1


def drop_old_links(folder: Path) -> None:
    """Delete one-time links that nobody used in their time."""
    for path in folder.glob("*.link"):
        if time.time() - path.stat().st_mtime > LINK_SECONDS:
            path.unlink(missing_ok=True)


def note_server(data: Path, url: str) -> None:
    """Note at which address the page of a data directory is served by this process."""
    folder = data / LINKS
    prepare(folder)
    drop_old_links(folder)
    path = folder / SERVER
    new = path.with_suffix(f".{os.getpid()}")
    create_private(new)
    new.write_text(json.dumps({"url": url, "process": os.getpid()}))
    new.replace(path)


def noted_server(data: Path) -> str:
    """Return the address that was noted last, "" for none; its server may have ended since."""
    try:
        noted = json.loads((data / LINKS / SERVER).read_text())
    except (OSError, ValueError):
        return ""
    url = noted.get("url") if isinstance(noted, dict) else None
    return url if isinstance(url, str) else ""


def forget_server(data: Path) -> None:
    """Take back the note of this process."""
    path = data / LINKS / SERVER
    try:
        if json.loads(path.read_text()).get("process") == os.getpid():
            path.unlink()
    except (OSError, ValueError, AttributeError):
        return


def _link(folder: Path, ticket: str) -> Path:
    return folder / f"{sha256(ticket.encode()).hexdigest()}.link"


def _signature(token: Token, signed: str) -> str:
    return hmac.new(token.hash.encode(), f"page {signed}".encode(), sha256).hexdigest()


def _cookies(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the cookies of a request as browsers send them: those of every program of this host are among them, and
    may have in them what the standard does not allow.
    """
    return cookie_parser(headers.get("cookie", ""))
