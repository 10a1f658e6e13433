"""What a codebase defines, by the place where a name is looked for."""

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple

from indelible.code.scopes import BASES, FileScopes
from indelible.code.symbols import ParsedFile


class Place(NamedTuple):
    """A symbol: its file, and its index in `ParsedFile.symbols`."""

    path: str
    at: int


class Definitions:
    """The files of a codebase with all that they define; files come, change and go one by one.

    `go_modules`: the path of each module of Go by the folder of its go.mod. `npm_packages`: the folder of each package
    of the codebase by its name. What they do not tell is found by the ends of paths.
    """

    def __init__(self, go_modules: dict[str, str] | None = None, npm_packages: dict[str, str] | None = None) -> None:
        self.go_modules, self.npm_packages = go_modules or {}, npm_packages or {}
        self.files: dict[str, FileScopes] = {}
        self.members: dict[tuple[str, str], dict[str, list[Place]]] = {}
        self.named: dict[tuple[str, str], list[Place]] = {}
        self.modules: dict[tuple[str, str], list[str]] = {}
        self.by_file_name: dict[str, list[str]] = defaultdict(list)
        self.folders: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._inside: dict[tuple[str, str], int] = defaultdict(int)  # modules in each package of Python, each folder

    def put(self, path: str, parsed: ParsedFile) -> None:
        """Take a file, in the place of what it was before."""
        if path in self.files:
            self.drop(path)
        file = self.files[path] = FileScopes(path, parsed)
        family = file.family
        self.modules.setdefault((family, file.module), []).append(path)
        self.by_file_name[path.rpartition("/")[2]].append(path)
        self.folders[family, file.folder].append(path)
        for package in _packages(file):
            self._inside[family, package] += 1
        for index, symbol in enumerate(parsed.symbols):
            place = Place(path, index)
            self.members.setdefault((family, file.container(index)), {}).setdefault(symbol.name, []).append(place)
            self.named.setdefault((family, file.own_identity(index)), []).append(place)

    def drop(self, path: str) -> None:
        """Forget a file."""
        file = self.files.pop(path)
        family = file.family
        self.modules[family, file.module].remove(path)
        self.by_file_name[path.rpartition("/")[2]].remove(path)
        self.folders[family, file.folder].remove(path)
        for package in _packages(file):
            self._inside[family, package] -= 1
        for index, symbol in enumerate(file.symbols):
            self.members[family, file.container(index)][symbol.name].remove(Place(path, index))
            self.named[family, file.own_identity(index)].remove(Place(path, index))

    def is_module(self, family: str, module: str) -> bool:
        """Whether there is a module of the name, or one in it."""
        return bool(self.modules.get((family, module))) or self._inside.get((family, module), 0) > 0

    def looked_up(self, path: str) -> frozenset[str]:
        """The plain names that a file looks up: it is to be resolved again when what has one of them changes."""
        parsed = self.files[path].parsed
        written = [each.name for each in parsed.references]
        written += [name for each in parsed.imports for name in (each.name, each.module)]
        written += [binding.type for binding in parsed.bindings]
        return frozenset(part for name in written for part in name.replace("::", ".").replace("/", ".").split("."))


def outline(parsed: ParsedFile) -> ParsedFile:
    """What of a file others need to resolve theirs: all but what it refers to, and the insides of its symbols' texts.

    A codebase of which most files did not change is put together of outlines; only the files whose edges are asked
    for are needed whole.
    """
    return replace(
        parsed,
        references=tuple(each for each in parsed.references if each.kind in BASES),
        symbols=tuple(each._replace(doc="", body_hash="") for each in parsed.symbols),
    )


def _packages(file: FileScopes) -> list[str]:
    """The modules that contain a file's module."""
    separator = {"python": ".", "rust": "::"}.get(file.family)
    if separator is None:
        return []
    parts = file.module.split(separator)
    return [separator.join(parts[:count]) for count in range(1, len(parts))]
