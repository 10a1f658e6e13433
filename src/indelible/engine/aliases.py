"""Which names are one project, and which project a caller is of: what a call reads before it reads anything else.

It loads nothing heavy: a hook that gives a brief asks the same as a server.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from indelible.engine.grants import Grant
from indelible.engine.project import Location
from indelible.store import projects
from indelible.store.database import Transaction


class Scoped(Protocol):
    """Whose call it is: a `Context`, or the little of one that a hook has (`glance.Glance`)."""

    @property
    def tenant(self) -> int:
        """Whose memory it is, among those of a database."""

    @property
    def location(self) -> Location | None:
        """The project that the caller works in."""

    @property
    def grant(self) -> Grant:
        """What the caller may do, and where."""


class Aliases:
    """Which namespaces are one project: read in the transaction of each call, a few rows."""

    def __init__(self, known: Mapping[str, str]):
        self._known = known

    def canonical(self, namespace: str) -> str:
        """The stable namespace of the project that a path or alias belongs to; other names stand for themselves."""
        at = namespace
        while at:
            if at in self._known:
                return self._known[at]
            if not _is_path(at):
                return namespace
            shorter = at.rstrip("/\\")
            cut = max(shorter.rfind("/"), shorter.rfind("\\"), 0)
            at = shorter if shorter != at else shorter[:cut]
        return namespace


def _is_path(alias: str) -> bool:
    return alias.startswith("/") or alias[1:3] in (":\\", ":/")


class Project(NamedTuple):
    """The server's project as the store and the server's location tell it together, before anything of it is written.

    `stored` are the aliases that the store knows, `known` those and the location's. `joined` is the namespace that
    turns out to be the same project as `namespace`, None where the location connects no two.
    """

    namespace: str
    stored: Mapping[str, str]
    known: Mapping[str, str]
    joined: str | None = None


def project_of(ctx: Scoped, tx: Transaction) -> Project:
    """The project of a caller's location, what the store knows of it included."""
    stored = projects.aliases(tx, ctx.tenant)
    if ctx.location is None:
        return Project("", stored, stored)
    namespace, joined = _own(ctx, tx, ctx.location, stored)
    if not ctx.location.here:  # a name for what the store knows: nothing becomes a part of what a client names
        return Project(namespace, stored, stored)
    known = {alias: namespace if name == joined else name for alias, name in stored.items()}
    for alias in names_of(ctx.location):
        known.setdefault(alias, namespace)
    return Project(namespace, stored, known, joined)


def names_of(location: Location) -> list[str]:
    """The names by which a location is known: its path, and its origin if it has one."""
    return [location.path] if location.origin is None else [location.path, location.origin]


def _own(ctx: Scoped, tx: Transaction, location: Location, stored: Mapping[str, str]) -> tuple[str, str | None]:
    """The project of a location, and the later one that it turns out to be too: that of its path, or of its origin.

    A path whose project has another origin is a directory that holds another repository now: the origin decides alone.
    """
    by_path, by_origin = stored.get(location.path), stored.get(location.origin or "")
    if by_origin is None:
        return Aliases(stored).canonical(location.path), None
    if by_path is None or by_path == by_origin or _has_origin(by_path, stored):
        return by_origin, None
    since = projects.since(tx, ctx.tenant)
    first, later = sorted((by_path, by_origin), key=lambda name: (since[name], name))
    return first, later


def _has_origin(namespace: str, stored: Mapping[str, str]) -> bool:
    """Whether a project has an alias that is neither a path nor a name that the user chose."""
    return any(name == namespace != alias and not _is_path(alias) for alias, name in stored.items())


def aliases(ctx: Scoped, tx: Transaction) -> Aliases:
    """The projects that the store knows, and what the server's location adds to them."""
    return Aliases(project_of(ctx, tx).known)


def own_namespace(ctx: Scoped, tx: Transaction) -> str:
    """The namespace of the project, '' where there is none.

    Who is limited to namespaces has none but these: without a project among them the only one, '' of several.
    """
    own = project_of(ctx, tx).namespace
    granted = ctx.grant.namespaces
    if granted is None:
        return own
    return within(ctx, tx, own, granted) or _only(ctx, tx, granted)


def _only(ctx: Scoped, tx: Transaction, granted: frozenset[str]) -> str:
    """The one project that granted namespaces are, "" where they are several."""
    known = aliases(ctx, tx)
    projects_ = {known.canonical(name) for name in granted}
    if len(projects_) != 1:
        return ""
    (project,) = projects_
    return project if project in granted else min(granted)


def within(ctx: Scoped, tx: Transaction, name: str, granted: frozenset[str]) -> str:
    """The one of the granted namespaces that a name stands for, '' if none: itself, or another of that project.

    A path stands for the project that it is in, and never for one below it: what is granted for a directory holds in
    it, and neither above nor beside it, whatever project the directories above are.
    """
    if name in granted:
        return name
    known = project_of(ctx, tx).known
    held = {each: known.get(each, each) for each in granted}
    project = Aliases({**known, **held}).canonical(name)
    return min((each for each, of in held.items() if of == project), default="")


def namespaces_to_read(ctx: Scoped, tx: Transaction, given: str | None, stored: set[str]) -> set[str] | None:
    """Which of the stored namespaces a filter means: the one given and its aliases; None for all.

    Of a caller that is limited to some: of these only, and all of these where a filter means all.
    """
    if ctx.grant.namespaces is not None:
        stored = stored & ctx.grant.namespaces
    if given is None:
        return None if ctx.grant.namespaces is None else stored
    known = aliases(ctx, tx)
    wanted = known.canonical(given)
    return {name for name in stored if name == given or (name and known.canonical(name) == wanted)}
