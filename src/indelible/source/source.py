"""The source files of a directory: those indexed, those left out and why, and the facts that names depend on."""

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.sanitize.secret_spans import redact_text
from indelible.source.manifests import formats
from indelible.source.parse.languages import LANGUAGES, Language, is_readable, language_of, missing
from indelible.source.parse.parsing import MOST_BYTES
from indelible.source.resolve import path_aliases
from indelible.source.resolve.module_names import Layout
from indelible.source.tree import files
from indelible.source.tree.files import Skipped

VENDORED, BUILT, TOO_LARGE, MINIFIED = "vendored", "build output", f"over {MOST_BYTES:,} bytes", "minified"
NOT_TEXT = "a name that is no UTF-8"
MOST_FILES = 200_000
MOST_MANIFEST = 1 << 20  # bytes

_OTHERS = frozenset(
    "node_modules bower_components jspm_packages vendor vendors third_party third-party thirdparty 3rdparty "
    "site-packages dist-packages .venv venv virtualenv .virtualenv .tox .nox .eggs __pycache__ .mypy_cache .ruff_cache "
    ".pytest_cache .gradle .cargo .bundle .yarn .pnpm-store Pods Carthage .terraform .next .nuxt .svelte-kit "
    ".angular".split()
)
# A directory of the name is build output where one of these is beside it.
_BUILT = {
    "target": ("Cargo.toml", "pom.xml"),
    "build": ("package.json", "setup.py", "pyproject.toml", "build.gradle", "build.gradle.kts", "CMakeLists.txt"),
    "dist": ("package.json", "setup.py", "pyproject.toml"),
    "out": ("package.json", "build.gradle", "build.gradle.kts"),
    "bin": ("build.gradle", "build.gradle.kts", "pom.xml"),
    "coverage": ("package.json",),
    "_build": ("conf.py", "Makefile"),
}
_MINIFIED = (".min.js", ".min.mjs", ".min.cjs", "-min.js", ".bundle.js", ".chunk.js")
_ENDS = frozenset(end for language in LANGUAGES for end in language.extensions)
_NAMES = frozenset(name for language in LANGUAGES for name in language.file_names)
_NEVER = frozenset(
    "LICENSE LICENCE COPYING NOTICE AUTHORS README CHANGELOG INSTALL Makefile Dockerfile TODO VERSION".split()
)
_MANIFESTS = ("Cargo.toml", "go.mod", "package.json", *path_aliases.FILES)
_FIRST = 64  # bytes of a file without an extension that tell whether it runs Python


@dataclass(frozen=True, slots=True)
class Found:
    """A source file as the directory lists it: relative path with `/`, bytes, nanoseconds since 1970."""

    path: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Scan:
    """The source files of a directory by path, and how many others are left out for which reason.

    `skipped` counts directories that are left out as one. `manifests` is a digest of what names depend on beside the
    files themselves (`go_modules`, `npm_packages`, see `Definitions`). `left_out` are those whose grammar is not
    installed: what is known of them stays.
    """

    files: Mapping[str, Found]
    skipped: Mapping[str, int]
    packages: frozenset[str] = frozenset()
    crates: Mapping[str, str] = field(default_factory=dict)
    go_modules: Mapping[str, str] = field(default_factory=dict)
    npm_packages: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()

    @property
    def layout(self) -> Layout:
        """The facts that the names of modules depend on."""
        return Layout(self.packages, self.crates)

    @property
    def manifests(self) -> str:
        """A digest of the names of packages and their folders: where it changes, any import may mean another."""
        return _digest(sorted(self.go_modules.items()), sorted(self.npm_packages.items()))

    @property
    def layout_digest(self) -> str:
        """A digest of `layout`: where it changes, qualified names may begin otherwise."""
        return _digest(sorted(self.packages), sorted(self.crates.items()))


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _no_progress(files: int) -> None:
    """Report no progress."""


def scan(
    root: Path,
    met: Callable[[int], None] = _no_progress,
    is_anothers: Callable[[str], bool] = files.none_is_anothers,
) -> Scan:
    """List the source files of a directory, which must be absolute and without links; only manifests are read.

    `met` is called again and again with how many files there are so far; `is_anothers` is that of `tree.files.entries`.

    Files that `.gitignore` names are ignored. Vendored directories (`_OTHERS`) and build output (`_BUILT`), minified
    files, files over 1 MiB and links are skipped and counted.
    """
    walk = _Walk(len(str(root).rstrip(os.sep)) + 1)
    for each in files.entries(root, _left_out, is_anothers):
        if isinstance(each, Skipped):
            walk.skipped[each.why] += 1
        elif len(walk.files) < MOST_FILES:
            walk.take(each)
            met(len(walk.files))
        else:
            walk.skipped[f"more than {MOST_FILES:,} files"] += 1
    packages = {path.rpartition("/")[0] for path in walk.files if path.endswith(("/__init__.py", "/__init__.pyi"))}
    packages |= {"" for path in walk.files if path in ("__init__.py", "__init__.pyi")}
    crates = dict(walk.named("Cargo.toml"))
    go = dict(walk.named("go.mod"))
    npm = {name: folder for folder, name in walk.named("package.json") if name} | walk.aliases()
    skipped = dict(sorted(walk.skipped.items()))
    return Scan(walk.files, skipped, frozenset(packages), crates, go, npm, frozenset(walk.left_out))


def _without_grammar() -> Mapping[str, Language]:
    """Return the languages whose grammar is not installed, by the ends and names of their files."""
    missed = [language for language in LANGUAGES if not is_readable(language)]
    return {end: language for language in missed for end in (*language.extensions, *language.file_names)}


@dataclass(slots=True)
class _Walk:
    """The state of a walk; `top` is the length of the prefix before relative paths."""

    top: int
    files: dict[str, Found] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    manifests: dict[str, str] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    without_grammar: Mapping[str, Language] = field(default_factory=_without_grammar)

    def take(self, entry: "os.DirEntry[str]") -> None:
        name = entry.name
        if name in _MANIFESTS:
            self.manifests[self._relative(entry)] = entry.path
        if not _is_source(entry):
            return
        if name.endswith(_MINIFIED):
            self.skipped[MINIFIED] += 1
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return  # it was deleted while the directory was listed
        if status.st_size > MOST_BYTES:
            self.skipped[TOO_LARGE] += 1
            return
        path = self._relative(entry)
        language = self._missing(name) if self.without_grammar else None
        if not _is_text(path):
            self.skipped[NOT_TEXT] += 1
        elif language is not None:
            self.skipped[missing(language)] += 1
            self.left_out.add(path)
        else:
            self.files[path] = Found(path, status.st_size, status.st_mtime_ns)

    def _missing(self, name: str) -> Language | None:
        """Return the language of a file whose grammar is not installed, None for other files."""
        end = os.path.splitext(name)[1]
        known = self.without_grammar
        return known.get(end) or known.get(end.lower()) or known.get(name)

    def _relative(self, entry: "os.DirEntry[str]") -> str:
        path = entry.path[self.top :]
        return path if os.sep == "/" else path.replace(os.sep, "/")

    def named(self, file: str) -> Iterator[tuple[str, str]]:
        """Yield (folder, name) of the packages in manifests of a file name, by folder; broken ones have none."""
        for path in sorted(self.manifests):
            folder, _, base = path.rpartition("/")
            if base == file:
                name = _name_in(path, self.manifests[path])
                if name is not None or file == "Cargo.toml":
                    yield folder, name or ""

    def aliases(self) -> dict[str, str]:
        """Return the aliases in tsconfig.json and jsconfig.json files."""
        found: dict[str, str] = {}
        for path in sorted(self.manifests):
            folder, _, base = path.rpartition("/")
            if base in path_aliases.FILES:
                found.update(path_aliases.declared(folder, _text(self.manifests[path])))
        return found


def _text(file: str) -> str:
    """Return the text of a manifest, "" if it is too large or cannot be read."""
    try:
        with open(file, "rb") as opened:
            body = opened.read(MOST_MANIFEST + 1)
    except OSError:
        return ""
    return body.decode("utf-8-sig", "replace") if len(body) <= MOST_MANIFEST else ""


def _left_out(name: str, beside: Collection[str]) -> str:
    if name in _OTHERS or name.endswith((".egg-info", ".dist-info")):
        return VENDORED
    if name in _BUILT and any(file in beside for file in _BUILT[name]):
        return BUILT
    return ""


def _is_source(entry: "os.DirEntry[str]") -> bool:
    """Whether a file is source, by its name; without an extension by its first line."""
    name = entry.name
    stem, dot, end = name.rpartition(".")
    if dot and stem:
        return f".{end}" in _ENDS or f".{end.lower()}" in _ENDS
    if name in _NAMES:
        return True
    if dot or name in _NEVER:
        return False
    try:
        with open(entry.path, "rb") as file:
            return language_of(name, file.read(_FIRST)) is not None
    except OSError:
        return False


def _is_text(path: str) -> bool:
    """Whether a path can be stored: names of files may be any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path


def _name_in(path: str, file: str) -> str | None:
    """Return the name that a manifest gives its package, redacted."""
    try:
        with open(file, "rb") as opened:
            body = opened.read(MOST_MANIFEST + 1)
        manifest = formats.parse(path, body) if len(body) <= MOST_MANIFEST else None
    except (OSError, ValueError, RecursionError):
        return None
    if manifest is None or manifest.name is None:
        return None
    return redact_text(manifest.name)[0]  # qualified names begin with it


def read(root: Path, path: str) -> bytes | str:
    """Return the bytes of a source file of a directory, or the reason why it cannot be read, "" if it was deleted.

    A link is not followed, nor a pipe waited for.
    """
    file = root / path
    try:
        opened = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"unreadable: {error.strerror or error}"
    try:
        with os.fdopen(opened, "rb") as stream:
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                return files.NO_FILE
            body = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return f"unreadable: {error.strerror or error}"
    if len(body) > MOST_BYTES:
        return TOO_LARGE
    return MINIFIED if _is_minified(path, body) else body


_BINARY = getattr(os, "O_BINARY", 0)
_LONG_LINES = 1_000  # bytes a line, on average: not written by hand


def _is_minified(path: str, body: bytes) -> bool:
    scripts = path.endswith((".js", ".mjs", ".cjs"))
    return scripts and len(body) > 4 * _LONG_LINES and body.count(b"\n") * _LONG_LINES < len(body)
