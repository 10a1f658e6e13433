"""One request of the page: who asks in which context, what the address and the form say, and the answer as HTML.

Texts of records are text: every value that a template shows is escaped, and what is invisible in it left out.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

import jinja2
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from indelible.clock import age_text, time_text
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.context.permissions import Scope
from indelible.core.records import history
from indelible.dataclass import dataclass
from indelible.errors import Forbidden
from indelible.sanitize.prompt_frame import visible
from indelible.server.web.examination import Examination
from indelible.store.tables import records
from indelible.toolsets import registry

UNDO = "indelible_undo"  # the cookie that names the operation that the bar offers to undo
LOOKED = "indelible_looked"  # the cookie that says when the first screen was looked at
YEAR = 365 * 86_400  # seconds
# Where each entry leads, its name, and its key behind `g`.
NAVIGATION = (
    *(("/", "Home", "h"), ("/review", "Review", "r"), ("/timeline", "Timeline", "t")),
    *(("/projects", "Projects", "p"), ("/system", "System", "s")),
)
ASSETS = "/assets/"
_DONE = {"delete": "deleted", "update": "changed", "add": "added"}
# What an address says beside the project that is asked for too where another project is chosen.
KEPT = {"/find": ("q", "kind", "type", "tag", "since", "source", "trust"), "/timeline": ("what",), "/review": ("view",)}
NO_PROJECT = "-"  # in an address, for the memories of no project: an empty parameter is one that was left out


@dataclass(slots=True)
class Page:
    """A request of the page, and what its answer needs."""

    ctx: Context
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str]
    lists: Mapping[str, list[str]]  # the form's values by name, each with all that were given
    form_key: str
    is_local: bool
    undoable: str  # the operation that the bar offers to undo, "" for none
    looked: str  # when the first screen was last looked at, as its cookie says
    served: Sequence[int]  # the other tenants whose stores the server has open
    examination: Examination  # of the server's own store
    here: str  # the address of the request, to come back to
    is_part: bool = False  # asked for by a script, which takes a part of the page
    _cookies: list[str] = field(default_factory=list)

    @property
    def project(self) -> str | None:
        """Return the project that the switcher is at: its namespace, "" for no project, None for all."""
        return project_of(self.query.get("project", self.form.get("project")))

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Return what stays in the address where another project is chosen: the question, the filters, the view."""
        return [(name, self.query.get(name, "")) for name in KEPT.get(self.path, ())]

    def may(self, scope: Scope) -> bool:
        """Return whether the visitor has a scope."""
        return self.ctx.session.grant.allows(scope) and (scope == "read" or not self.ctx.settings.read_only)

    @property
    def may_administer_machine(self) -> bool:
        """Return whether what concerns the machine and the whole store is this visitor's: paths, backups, settings."""
        grant = self.ctx.session.grant
        return grant.allows("admin") and not grant.limited and self.ctx.settings.own_machine

    def require(self, scope: Scope) -> None:
        """Raise Forbidden where the visitor has not a scope."""
        if not self.ctx.session.grant.allows(scope):
            raise Forbidden(f"this needs a token of scope {scope}, this one has {self.ctx.session.grant.scope}")

    def doing(self, tool: str) -> Context:
        """Return the context for an action, which undo and the history know by `tool`."""
        return self.ctx.for_call(Call(tool=tool))

    def call(self, tool: str, **arguments: Any) -> Any:
        """Run a tool and return its value; the bar then offers to undo it if it can be undone."""
        answer = registry.call(self.ctx, registry.find_tool(tool), arguments)
        self.undoable = answer.operation
        return answer.value

    def shown(self, template: str, status: int = 200, /, **values: Any) -> Response:
        """Return a template as the answer."""
        nonce = secrets.token_urlsafe(16)
        projects = self.projects
        whole = {"page": self, "nonce": nonce, "navigation": NAVIGATION, "undoing": self._undoing()}
        whole |= {"projects": projects, "labels": labels(projects), **values}
        body = _templates().get_template(template).render(whole)
        return self._with_cookies(html(body, status, nonce))

    def done(self, where: str, operation: str = "") -> Response:
        """Return the answer to a form: the browser goes on to `where`, and the bar offers to undo an operation."""
        if operation:
            self.undoable = operation
        self._cookies.append(f"{UNDO}={self.undoable}; Path=/; HttpOnly; SameSite=Strict")
        return self._with_cookies(RedirectResponse(where, 303))

    def note_look(self, looked: str) -> None:
        """Have the browser keep when the first screen was looked at."""
        cookie = f"{LOOKED}={looked}; Path=/; HttpOnly; SameSite=Strict; Max-Age={YEAR}"
        self._cookies.append(cookie)

    def _with_cookies(self, answer: Response) -> Response:
        for cookie in self._cookies:
            answer.headers.append("set-cookie", cookie)
        return answer

    def back(self, otherwise: str) -> str:
        """Return the address that a form says to go back to if it is one of this page: a path, not `//another.host`."""
        where = self.form.get("back", "")
        return where if where.startswith("/") and not where.startswith(("//", "/\\")) else otherwise

    @property
    def projects(self) -> list[str]:
        """Return the names of all projects, sorted; "" is that of none."""
        with self.ctx.store.read() as tx:
            known = self.ctx.scope(tx).aliases
            return sorted({known.canonical(each) for each in records.namespaces(tx)})

    def _undoing(self) -> Mapping[str, Any] | None:
        return history.operation_of(self.ctx, self.undoable) if self.undoable else None


def html(body: str, status: int, nonce: str) -> Response:
    """Return HTML that may load nothing but the page's own files, and scripts only by this answer's nonce."""
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "same-origin",  # with none at all a browser says of its own form that it is of nowhere
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    return Response(body, status, headers, "text/html")


def plain(template: str, status: int, /, **values: Any) -> Response:
    """Return a template that needs no visitor: the log-in, an error of somebody who is not let in."""
    nonce = secrets.token_urlsafe(16)
    return html(_templates().get_template(template).render({"nonce": nonce, "page": None, **values}), status, nonce)


def part(template: str, **values: Any) -> str:
    """Return a template that is a part of a page."""
    return _templates().get_template(template).render(**values)


def address(path: str, given: Mapping[str, Any] | None = None, /, **changes: Any) -> str:
    """Return an address with the parameters `given`, changed; None and "" leave one out."""
    values = {**(given or {}), **changes}
    said = urlencode({name: value for name, value in values.items() if value not in (None, "")})
    return f"{path}?{said}" if said else path


@cache
def _templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("indelible.server.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(address=address, asset=asset)
    found.filters.update(age=age_text, time=time_text, name=project_name, parameter=parameter)
    found.filters.update(done=_done, plural=_plural)
    return found


def _shown(value: Any) -> Any:
    """Leave out what is invisible in a text: marks that turn the direction of writing, spaces of no width."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return "" if value is None else value


def _done(actions: str) -> str:
    """Return what was done, of the actions of an operation as the history names them."""
    said = ", ".join(_DONE.get(each, each) for each in actions.split(", "))
    return said[:1].upper() + said[1:]


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"


def project_of(given: str | None) -> str | None:
    """Return the namespace that a parameter names: "" for that of no project, None for all."""
    return {None: None, "": None, NO_PROJECT: ""}.get(given, given)


def parameter(namespace: str | None) -> str | None:
    """Return what an address says of a project, so that `project_of` finds it again; None for all."""
    return NO_PROJECT if namespace == "" else namespace


def project_name(namespace: str) -> str:
    """Return the short name of a project: the last part of its path."""
    return namespace.replace("\\", "/").rstrip("/").rpartition("/")[2] or namespace or "no project"


def labels(namespaces: Iterable[str]) -> dict[str, str]:
    """Return a short name of each project: the last part of its path, of those that share it so many as differ."""
    found: dict[str, str] = {}
    left, parts = sorted(set(namespaces)), 1
    while left:
        short = {name: _last_parts(name, parts) for name in left}
        counts = Counter(short.values())
        found |= {name: label for name, label in short.items() if counts[label] == 1 or parts > name.count("/")}
        left, parts = [name for name in left if name not in found], parts + 1
    return found


def _last_parts(namespace: str, count: int) -> str:
    whole = namespace.replace("\\", "/").rstrip("/").split("/")
    return "/".join(whole[-count:]) if count < len(whole) else namespace or project_name("")


@cache
def assets() -> dict[str, bytes]:
    """Return the files of the page by name."""
    folders = [files("indelible.server.web") / name for name in ("assets", "vendored")]
    kept = [each for folder in folders for each in folder.iterdir() if each.name.endswith((".js", ".css", ".svg"))]
    return {each.name: each.read_bytes() for each in kept}


@cache
def asset(name: str) -> str:
    """Return the address of a file, which changes with its content."""
    return f"{ASSETS}{name}?v={hashlib.sha256(assets()[name]).hexdigest()[:12]}"
