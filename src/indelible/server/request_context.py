"""The context of a request over HTTP: its caller, its project, and the context in which it is answered.

Nothing of a client's project is looked at on this machine: a path is a name under which the store knows a project.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import field, replace

from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.context.session import Conversations, Session
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.git import Head
from indelible.project import Location
from indelible.sanitize.prompt_frame import visible
from indelible.sanitize.validate import admit
from indelible.settings import DAY

PROJECT = "X-Indelible-Project"
BRANCH = "X-Indelible-Branch"  # that the client has checked out, for what it stores and recalls
IN_PATH = "/p/PROJECT/mcp"  # the same in the address, percent-encoded
KEY = "Idempotency-Key"
PROXIES = ("forwarded", "x-forwarded-for", "via")  # headers of a request that came through one
SCOPE_KEY = "indelible.client"  # of the request's ASGI scope
LONGEST = 1_024  # characters of a project's name
LONGEST_BRANCH = 250
_ROOT = re.compile(r"[/\\]+|[A-Za-z]:[/\\]*")
_RELATIVE = re.compile(r"(?:~|\.{1,2})(?:[/\\].*)?", re.DOTALL)


@dataclass(slots=True)
class Connection:
    """The state of one connection: the conversations of each caller on it, by `who`, of any tenant.

    It is `known` from the first request on it that was let in.
    """

    conversations: dict[str, Conversations] = field(default_factory=dict)
    known: bool = False

    def of(self, who: str) -> Conversations:
        """Those of one caller."""
        return self.conversations.setdefault(who, Conversations())


@dataclass(frozen=True, slots=True)
class Client:
    """The caller of one request: the context that answers it, and the request key that its header gave."""

    ctx: Context
    key: str | None = None

    @property
    def names_project(self) -> bool:
        """Return whether it named its project itself."""
        return self.ctx.session.location is not None and not self.ctx.session.location.here


def client(
    ctx: Context, grant: Grant, connection: Connection, headers: Mapping[str, str], in_path: str | None
) -> Client:
    """Whom a request comes from. Without a project it has the server's own, if one was chosen, else none.

    Requests of one caller, program and project are one session for a day (UTC), whatever connections they come over and
    whichever servers of the store they reach: an agent's are minutes apart, and recall lends between what was stored
    one after another in a session. A proxy's connection is nobody's: what one call on it names says nothing of the
    next, which may come from anybody, or over another connection. Raises InvalidInput.
    """
    location = _location(headers.get(PROJECT), in_path)
    program = headers.get("user-agent", "")
    named = "" if location is None else location.path
    day = str(ctx.now() // DAY)
    digest = hashlib.sha256("\n".join((day, grant.who, program, named)).encode()).hexdigest()
    proxied = any(name in headers for name in PROXIES)
    session = Session(
        location=location or ctx.session.location,
        grant=grant,
        is_local=False,
        head=_head(headers.get(BRANCH)),
        id=f"session_{digest[:12]}",
        conversations=Conversations() if proxied else connection.of(f"{ctx.store.tenant} {grant.who}"),
    )
    return Client(replace(ctx.granted(grant), session=session), headers.get(KEY))


def _head(header: str | None) -> Head | None:
    """Return the branch that a request names. Raises InvalidInput for what is none."""
    if header is None:
        return None
    name = _text(header).strip()
    if not name or len(name) > LONGEST_BRANCH or visible(name) != name or " " in name:
        raise InvalidInput(
            f"{BRANCH} must be the name of a branch, 1 to {LONGEST_BRANCH} visible characters without a space, got "
            f"{visible(name)!r:.80}; leave it out where none is checked out"
        )
    _, secrets = admit(name, BRANCH)
    if secrets:
        raise InvalidInput(f"{BRANCH} looks as if it contained a secret ({secrets[0].rule}); leave it out")
    return Head(name, "")


def _location(header: str | None, in_path: str | None) -> Location | None:
    """The project that a request names, in its header or in its address."""
    given = (None if header is None else _text(header), in_path)
    named = [_checked(name) for name in given if name is not None]
    if len(set(named)) > 1:
        raise InvalidInput(
            f"two projects are named: {PROJECT} says {named[0]!r:.80}, the address says {named[1]!r:.80}; name one"
        )
    if not named or _ROOT.fullmatch(named[0]):  # a client that works in the root works in no project
        return None
    path = named[0]
    return Location(path.rstrip("/\\") if path[0] == "/" or path[1:3] in (":\\", ":/") else path, None, here=False)


def _text(header: str) -> str:
    """A header's value, which HTTP carries as bytes: UTF-8 as clients write it, else Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _checked(name: str) -> str:
    if not name.strip() or len(name) > LONGEST or visible(name) != name or "\n" in name or "\ufffd" in name:
        raise InvalidInput(
            f"the project must be a name or an absolute path of 1 to {LONGEST:,} visible characters in UTF-8 "
            f"({PROJECT}, or percent-encoded in {IN_PATH}), got {visible(name)!r:.80}"
        )
    if _RELATIVE.fullmatch(name):
        raise InvalidInput(
            f"the project {name!r:.80} is a place in a client's machine that this server does not know; "
            "give an absolute path or a name"
        )
    _, secrets = admit(name, PROJECT)
    if secrets:
        raise InvalidInput(
            f"the project's name looks as if it contained a secret ({secrets[0].rule}), and names are kept; "
            "leave that part of it out, and revoke the secret"
        )
    return name.strip()
