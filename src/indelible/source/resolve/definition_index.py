"""The index of a codebase's definitions, by the container in which a name is looked up."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, ItemsView, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from indelible.source.parse.symbols import ParsedFile
from indelible.source.resolve import path_aliases
from indelible.source.resolve.scopes import FAMILIES, SEPARATORS, FileScopes

T = TypeVar("T")

# No name tells which files of these define something: every question needs all of them.
_ANYWHERE = frozenset(("c", "rust", "bash"))
_PACKAGES_BY = {"python": ".", "rust": "::", "csharp": ".", "kotlin": ".", "scala": ".", "php": "\\"}


class Place(NamedTuple):
    """A symbol: its file, and its index in `ParsedFile.symbols`."""

    path: str
    at: int


class Definitions:
    """The files of a codebase with all their definitions; files are added, changed and dropped one by one.

    `go_modules`: the path of each module of Go by the folder of its go.mod. `npm_packages`: the folder of each package
    of the codebase by its name, and the aliases of a tsconfig.json (`path_aliases`). Other imports are resolved by the
    ends of paths.

    A file may be `expect`ed instead of `put`: `load` gives its outline when it may answer a question. The answers are
    the same in whatever order files come: places and paths are sorted.
    """

    def __init__(
        self,
        go_modules: Mapping[str, str] | None = None,
        npm_packages: Mapping[str, str] | None = None,
        load: "Callable[[list[str]], Iterable[tuple[str, ParsedFile]]] | None" = None,
    ) -> None:
        self.go_modules, self.npm_packages = go_modules or {}, npm_packages or {}
        self.aliases = path_aliases.by_folder(self.npm_packages)
        self.files: dict[str, FileScopes] = {}
        self.members: dict[tuple[str, str], dict[str, list[Place]]] = {}
        self.named: dict[tuple[str, str], list[Place]] = {}
        if load is not None:
            self.files, self.members, self.named = _Files(self), _Asked(self), _Asked(self)
        self.modules: dict[tuple[str, str], list[str]] = {}
        self.by_file_name: dict[str, list[str]] = defaultdict(list)
        self.folders: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._inside: dict[tuple[str, str], int] = defaultdict(int)  # modules in each package of Python, each folder
        self._load = load
        self._expected: dict[str, tuple[str, str]] = {}  # path: family, identity of the module
        self._ready: set[tuple[str, str]] = set()  # containers and symbols all of whose files are loaded

    def put(self, path: str, parsed: ParsedFile) -> None:
        """Add a file, replacing its earlier content."""
        if path in self.files:
            self.drop(path)
        file = FileScopes(path, parsed)
        self._register(path, file.family, file.module)
        self._fill(file)

    def expect(self, path: str, language: str, module: str) -> None:
        """Add a file that `load` will give; `module` is the prefix of its qualified names."""
        family = FAMILIES.get(language, language)
        identity = f"{path.rpartition('/')[0]}:{module}" if family == "go" else module
        self._expected[path] = (family, identity)
        self._register(path, family, identity)

    def drop(self, path: str) -> None:
        """Remove a file."""
        file = self.files[path]
        del self.files[path]
        family = file.family
        self.modules[family, file.module].remove(path)
        self.by_file_name[path.rpartition("/")[2]].remove(path)
        self.folders[family, file.folder].remove(path)
        for package in _packages(family, file.module):
            self._inside[family, package] -= 1
        for index, symbol in enumerate(file.symbols):
            self.members[family, file.container(index)][symbol.name].remove(Place(path, index))
            self.named[family, file.own_identity(index)].remove(Place(path, index))

    def is_module(self, family: str, module: str) -> bool:
        """Whether there is a module of the name, or one in it."""
        return bool(self.modules.get((family, module))) or self._inside.get((family, module), 0) > 0

    def _register(self, path: str, family: str, module: str) -> None:
        _insert(self.modules.setdefault((family, module), []), path)
        _insert(self.by_file_name[path.rpartition("/")[2]], path)
        _insert(self.folders[family, path.rpartition("/")[0]], path)
        for package in _packages(family, module):
            self._inside[family, package] += 1

    def _fill(self, file: FileScopes) -> None:
        dict.__setitem__(self.files, file.path, file)
        family = file.family
        members, named = self.members, self.named
        for index, symbol in enumerate(file.symbols):
            place = Place(file.path, index)
            inside = dict.setdefault(members, (family, file.container(index)), {})
            _insert(inside.setdefault(symbol.name, []), place)
            _insert(dict.setdefault(named, (family, file.own_identity(index)), []), place)

    # --- Files that are expected ---

    def fetch(self, paths: Iterable[str]) -> None:
        """Load those of the files that are expected."""
        wanted = sorted({path for path in paths if path in self._expected})
        if not wanted or self._load is None:
            return
        for path, parsed in self._load(wanted):
            del self._expected[path]
            self._fill(FileScopes(path, parsed))

    def is_expected(self, path: str) -> bool:
        """Whether a file is not loaded yet."""
        return path in self._expected

    def fetch_family(self, families: Iterable[str]) -> None:
        """Load all files of some families."""
        wanted = frozenset(families)
        self.fetch([path for path, (family, _) in self._expected.items() if family in wanted])

    def members_of(self, family: str) -> list[dict[str, list[Place]]]:
        """Return the members of all containers of a family, by their names."""
        self.fetch_family((family,))
        return [members for (of, _), members in dict.items(self.members) if of == family]

    def fetch_for(self, family: str, identity: str) -> None:
        """Load the files that may define an identity, or a member of it."""
        if (family, identity) in self._ready or not self._expected:
            return
        self._ready.add((family, identity))
        if family in _ANYWHERE:
            self.fetch_family((family,))
        elif family == "go":
            self.fetch(self.folders.get((family, identity.partition(":")[0]), ()))
        else:
            self.fetch([path for top in _tops(family, identity) for path in self.modules.get((family, top), ())])


class _Files(dict[str, FileScopes]):
    """Files by path; one that is expected is loaded when it is asked for."""

    def __init__(self, of: Definitions) -> None:
        super().__init__()
        self._of = of

    def __missing__(self, path: str) -> FileScopes:
        self._of.fetch((path,))
        return dict.__getitem__(self, path) if dict.__contains__(self, path) else _no_file(path)

    def __contains__(self, path: object) -> bool:
        return dict.__contains__(self, path) or (isinstance(path, str) and self._of.is_expected(path))


def _no_file(path: str) -> FileScopes:
    raise KeyError(path)


class _Asked(dict[tuple[str, str], T]):
    """Values by family and identity; the files that may define one are loaded when it is asked for."""

    def __init__(self, of: Definitions) -> None:
        super().__init__()
        self._of = of

    def get(self, key: tuple[str, str], default: Any = None) -> Any:
        self._of.fetch_for(*key)
        return dict.get(self, key, default)

    def __missing__(self, key: tuple[str, str]) -> T:
        self._of.fetch_for(*key)
        if not dict.__contains__(self, key):
            raise KeyError(key)
        return dict.__getitem__(self, key)

    def items(self) -> ItemsView[tuple[str, str], T]:  # type: ignore[override]
        """Return all values of the families in which no name tells where something is defined."""
        self._of.fetch_family(_ANYWHERE)
        return dict.items(self)


def _insert(into: list[T], item: T) -> None:
    """Add to a sorted list; most come in order."""
    if not into or into[-1] < item:  # type: ignore[operator]
        into.append(item)
    else:
        insort(into, item)  # type: ignore[call-overload]


def _tops(family: str, identity: str) -> list[str]:
    """Return the modules that may define an identity."""
    separator = SEPARATORS.get(family, ".")
    parts = identity.split(separator)
    return ["", *(separator.join(parts[:count]) for count in range(1, len(parts) + 1))]


def _packages(family: str, module: str) -> list[str]:
    """Return the modules that contain a file's module."""
    separator = _PACKAGES_BY.get(family)
    if separator is None:
        return []
    parts = module.split(separator)
    return [separator.join(parts[:count]) for count in range(1, len(parts))]
