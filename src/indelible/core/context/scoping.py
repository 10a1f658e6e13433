"""The project of a caller, and the namespaces that are one project: what a call resolves before anything else.

It imports nothing heavy: the hook that prints a brief resolves projects with it too.
"""

import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import NamedTuple

from indelible.errors import InvalidInput
from indelible.project import DIRECTORY, NAME, REPOSITORY, Location, is_path, is_repository, repository_at, upwards
from indelible.sanitize.secret_spans import redact_path, redact_text
from indelible.store.database import Transaction
from indelible.store.tables import projects
from indelible.store.tables.projects import Noted


@lru_cache(maxsize=256)
def without_secrets(location: Location) -> Location:
    """Return a project as it is stored: one whose path holds a secret is named by the path without it."""
    clean, found = redact_text(location.path)
    return Location(redact_path(location.path) or clean, location.origin, location.here) if found else location


class Aliases:
    """The namespaces that are one project: read in the transaction of each call, a few rows.

    Noted aliases decide; where there are none and the paths are of this machine, its files do. A repository belongs
    neither to a directory above it nor to another repository around it. See docs/design/projects.md.
    """

    def __init__(self, noted: Mapping[str, Noted], is_local: bool = False):
        self._noted = noted
        self._is_local = is_local
        self._checked: dict[str, str | None] = {}

    def canonical(self, namespace: str, *, exactly: bool = False) -> str:
        """Return the stable namespace of the project of a path or alias; other names are returned unchanged.

        `exactly`: a directory that is not noted is returned unchanged too, unless it is in a repository.
        """
        if namespace in self._noted:
            return self.project(namespace) or namespace
        if not is_path(namespace):
            return namespace
        around = next((at for at in upwards(namespace) if at in self._noted), None)
        inside = self._repository_between(namespace, around)
        if around is None:  # a worktree, or another clone, of what is noted elsewhere
            return (self._project_of_repository(inside) if inside is not None else None) or namespace
        if inside is not None:
            return self._project_of_repository(inside) or inside.path
        is_same = around == namespace.rstrip("/\\")
        if not is_same and (not self._takes_in(around, namespace) or (exactly and self.kind(around) == DIRECTORY)):
            return namespace
        return self.project(around) or around

    def project(self, alias: str) -> str | None:
        """Return the namespace noted for an alias; None where there is none, or one that cannot be its project."""
        if alias not in self._checked:
            noted = self._noted.get(alias)
            self._checked[alias] = None if noted is None or self._is_refuted(alias, noted) else noted.namespace
        return self._checked[alias]

    def repository_to_note(self, namespace: str) -> Location | None:
        """Return the repository around a path that only this machine's files tell of, below a directory that is noted.

        Once noted it stays a project of its own, even when its files are deleted.
        """
        if namespace in self._noted or not is_path(namespace):
            return None
        around = next((at for at in upwards(namespace) if at in self._noted), None)
        return None if around is None else self._repository_between(namespace, around)

    def kind(self, alias: str) -> str:
        """Return the kind of a noted alias, looked at anew: a directory may be a repository by now. "" if unknown."""
        noted = self._noted.get(alias)
        kind = "" if noted is None else noted.kind
        if kind in (REPOSITORY, NAME) or not self._sees(alias):
            return kind
        if is_repository(alias):
            return REPOSITORY
        return DIRECTORY if kind or os.path.isdir(alias) else ""

    def _is_refuted(self, alias: str, noted: Noted) -> bool:
        """Whether an alias was noted as part of a project that it cannot belong to.

        Earlier versions took each repository below a known directory for a part of it, with its origin and so with all
        its clones. A directory may also have become a repository since it was noted.
        """
        if noted.namespace == alias:
            return False
        if not is_path(alias):  # an origin: no plain directory has one
            return self.kind(noted.namespace) == DIRECTORY
        if noted.kind == REPOSITORY:
            return self.kind(noted.namespace) == DIRECTORY
        if not self._is_in_another(alias, noted.namespace):
            return self.kind(alias) == REPOSITORY and self.kind(noted.namespace) == DIRECTORY
        kind = self.kind(alias)
        return not kind or (kind == REPOSITORY and not self._is_checkout_of(alias, noted.namespace))

    def _is_in_another(self, alias: str, namespace: str) -> bool:
        """Whether a path lies below another alias of the same namespace."""
        above = (self._noted.get(at) for at in upwards(alias) if at != alias)
        return any(each is not None and each.namespace == namespace for each in above)

    def _is_checkout_of(self, alias: str, namespace: str) -> bool:
        """Whether a repository of this machine is a worktree or a clone of what is known as a project."""
        found = repository_at(alias)
        if found is None or self.kind(namespace) == DIRECTORY:
            return False
        own = repository_at(namespace) if self._sees(namespace) else None
        is_clone = own is not None and own.origin is not None and found.origin == own.origin
        return is_clone or found.path == namespace

    def _repository_between(self, path: str, around: str | None) -> Location | None:
        """Return the repository around a path that begins below a noted directory `around`, None if there is none."""
        if not self._sees(path):
            return None
        between = takewhile(lambda at: at != around, upwards(path))
        return next((found for at in between if (found := repository_at(at)) is not None), None)

    def _project_of_repository(self, found: Location) -> str | None:
        """Return the project noted for a repository's path, or for its origin."""
        return self.project(found.path) or (self.project(found.origin) if found.origin else None)

    def _takes_in(self, around: str, path: str) -> bool:
        """Whether a path in no repository below a noted directory belongs to the project of that directory."""
        kind, noted = self.kind(around), self._noted[around]
        if kind == DIRECTORY:
            return self._sees(path) and os.path.isdir(path)
        # Of an alias of another name only a clone's files can be known: only repositories are joined.
        return kind == REPOSITORY or (not kind and noted.namespace != around)

    def _sees(self, path: str) -> bool:
        return self._is_local and os.path.isabs(path)


class Project(NamedTuple):
    """The server's project as the store and the server's location give it together, before anything is written.

    `stored` are the notes of the store, `known` those and the location's names. `joined` is the namespace that turns
    out to be the same project as `namespace`, None where the location connects no two.
    """

    namespace: str
    stored: Mapping[str, Noted]
    known: Mapping[str, Noted]
    joined: str | None = None


def _project_of(tx: Transaction, location: Location | None, *, is_local: bool) -> Project:
    stored = projects.noted(tx)
    if location is None:
        return Project("", stored, stored)
    namespace, joined = _own(tx, location, stored, is_local=is_local)
    if not location.here:  # a name for what the store knows: a client cannot join projects by naming one
        return Project(namespace, stored, stored)
    known = dict(stored)
    if joined is not None:
        known.update({a: Noted(namespace, n.kind) for a, n in stored.items() if n.namespace == joined})
    for alias, noted in notes_of(location, namespace, known).items():
        # A directory in which nothing was stored yet takes in nothing.
        known[alias] = noted if alias in stored or noted.kind != DIRECTORY else Noted(namespace, NAME)
    return Project(namespace, stored, known, joined)


def notes_of(location: Location, namespace: str, noted: Mapping[str, Noted]) -> dict[str, Noted]:
    """Return the notes to store for a location of a project: of its path, and of its origin if it has one.

    What was a repository stays noted as one. An alias keeps its namespace, unless it cannot be that (`Aliases`).
    """
    known = Aliases(_with_kind(location, noted), is_local=True)
    found = {location.path: location.kind}
    if location.origin is not None:
        found[location.origin] = NAME
    was = {alias: noted[alias].kind if alias in noted else "" for alias in found}
    return {
        alias: Noted(known.project(alias) or namespace, REPOSITORY if was[alias] == REPOSITORY else kind)
        for alias, kind in found.items()
    }


def _with_kind(location: Location, stored: Mapping[str, Noted]) -> Mapping[str, Noted]:
    """Return the notes with the kind that a location has now."""
    there = stored.get(location.path)
    if there is None or not location.here or there.kind in (location.kind, REPOSITORY):
        return stored
    if location.kind == REPOSITORY and there.namespace != location.path:
        return stored  # which is a reason to doubt the namespace: see `Aliases`
    return {**stored, location.path: Noted(there.namespace, location.kind)}


def _own(tx: Transaction, location: Location, stored: Mapping[str, Noted], *, is_local: bool) -> tuple[str, str | None]:
    """Return the project of a location, and a later project that it turns out to be too (that of its path or origin).

    A path whose project has another origin is a directory that holds another repository now: the origin decides alone.
    """
    known = Aliases(_with_kind(location, stored), is_local or location.here)
    by_path, by_origin = known.project(location.path), known.project(location.origin or "")
    if by_origin is None:
        alone = location.here and location.kind != DIRECTORY
        return by_path or (location.path if alone else known.canonical(location.path)), None
    if by_path is None or by_path == by_origin or _has_origin(by_path, stored):
        return by_origin, None
    since = projects.since(tx)
    first, later = sorted((by_path, by_origin), key=lambda name: (since[name], name))
    return first, later


def _has_origin(namespace: str, stored: Mapping[str, Noted]) -> bool:
    """Whether a project has an alias that is neither a path nor a name that the user chose."""
    return any(noted.namespace == namespace != alias and not is_path(alias) for alias, noted in stored.items())


def any_merged(tx: Transaction) -> bool:
    """Whether an earlier version merged projects, and the user has not said since what belongs where."""
    return bool(projects.merged(tx))


class Scope:
    """The namespaces that a caller sees, as one transaction shows them; what is noted of projects is read once, late.

    `location` is the project that the caller works in, `granted` what its token is limited to (None: to nothing),
    `is_local` whether it is on this machine, so that paths that it names are paths of this machine's files.
    """

    def __init__(
        self,
        tx: Transaction,
        location: Location | None,
        granted: frozenset[str] | None = None,
        *,
        is_local: bool = True,
    ):
        self._tx = tx
        self._location = location
        self._granted = granted
        self._is_local = is_local

    @cached_property
    def location(self) -> Location | None:
        """The project that the caller works in; None where that is the server's own and outside its namespaces.

        A project that a client over the network named itself is returned.
        """
        own = self._location
        if self._granted is None or own is None or not own.here:
            return own
        return own if self.within(own.path) else None

    @cached_property
    def project(self) -> Project:
        """The project of the caller's location, including what the store knows of it."""
        return _project_of(self._tx, self._location, is_local=self._is_local)

    @cached_property
    def aliases(self) -> Aliases:
        """The projects that the store knows, with the caller's location added."""
        return Aliases(self.project.known, self._is_local)

    @cached_property
    def own(self) -> str:
        """The namespace of the project, '' where there is none.

        A caller limited to namespaces gets one of these: without a project among them the only one, '' of several.
        """
        if self._granted is None:
            return self.project.namespace
        return self.within(self.project.namespace) or self._only(self._granted)

    def _only(self, granted: frozenset[str]) -> str:
        """Return the one project that granted namespaces are, "" where they are several."""
        named = {self.aliases.canonical(name) for name in granted}
        if len(named) != 1:
            return ""
        (project,) = named
        return project if project in granted else min(granted)

    def within(self, name: str) -> str:
        """Return the granted namespace that a name stands for: itself, or another name of its project; '' if none.

        A path stands for the project that it is in, and never for one below it: a grant for a directory holds inside
        it, and neither above nor beside it, whatever project the directories above are. A caller without limits is
        granted every name.
        """
        granted = self._granted
        if granted is None or name in granted:
            return name
        known = self.project.known
        # what is granted and not noted takes in what is below it, as a repository does
        held = {each: Noted(each, REPOSITORY if is_path(each) else NAME) for each in granted if each not in known}
        names = Aliases({**held, **known}, self._is_local)
        project = names.canonical(name)
        return min((each for each in granted if (names.project(each) or each) == project), default="")

    def of_project(self, name: str, stored: set[str]) -> set[str]:
        """Return the stored namespaces of the project of a name; '' is that of none."""
        if self._granted is not None:
            stored = stored & self._granted
        wanted = self.aliases.canonical(name)
        return {each for each in stored if each == name or (each and self.aliases.canonical(each) == wanted)}

    def own_among(self, stored: set[str]) -> set[str]:
        """Return the stored namespaces that are the caller's own project; '' is that of all who have none."""
        return self.of_project(self.own, stored)

    def to_read(self, given: str | None, stored: set[str]) -> set[str] | None:
        """Return the stored namespaces that a filter matches: those of the project given, or of all; None: no limit."""
        if given is not None:
            return self.of_project(given, stored)
        return None if self._granted is None else stored & self._granted

    def named(self, given: str, stored: set[str]) -> set[str]:
        """Return the stored namespaces that a name given to move or delete means: no more than was named.

        The name of a project means all of its namespaces, as does a path in its repository. A directory outside any
        repository means what was stored under that name only. Raises InvalidInput for a directory whose memories are
        stored under another project, mixed with the rest of it.
        """
        if self._granted is not None:
            stored = stored & self._granted
        known = self.aliases
        wanted = known.canonical(given, exactly=True)
        if given in stored and known.project(given) is None:
            return {given} if wanted != given else {name for name in stored if known.canonical(name) == given}
        is_part = wanted != given and known.project(given) is not None and known.kind(given) == DIRECTORY
        if is_part and is_path(wanted) and given not in stored:
            raise InvalidInput(
                f"namespace {given!r:.200} is a part of the project {wanted!r:.200}, with which it shares its "
                "memories; name that project for all of it, or separate them first: `indelible project split`"
            )
        return {name for name in stored if name == given or (name and known.canonical(name) == wanted)}
