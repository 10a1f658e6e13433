"""The workspaces of a source tree, their packages, and the dependencies between these."""

import glob
import os
import posixpath
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from pathlib import Path

from packaging.utils import canonicalize_name

from indelible.dataclass import dataclass
from indelible.source.manifests.formats import parse, without_major
from indelible.source.manifests.manifests import MAX_BYTES, survey
from indelible.source.manifests.requirements import PROJECT, Declared, Requirement, declared
from indelible.source.manifests.values import Manifest
from indelible.source.tree.gitignore import Rule, bytewise, decided, rules

MOST_PACKAGES = 2_000
MOST_FOLDERS = 20_000  # that the globs of one workspace are matched with
_PASSED_OVER = frozenset(("node_modules", ".git", "target", "__pycache__", ".venv", "venv"))
# Of a folder the first of these is its package's manifest; the others of its ecosystem add to it.
_PACKAGES = ("Cargo.toml", "package.json", "pyproject.toml", "go.mod", "pom.xml", "build.gradle.kts", "build.gradle")
_KINDS = {
    "Cargo.toml": "cargo",
    "package.json": "npm",
    "pnpm-workspace.yaml": "pnpm",
    "pyproject.toml": "python",
    "go.work": "go",
    "pom.xml": "maven",
    "settings.gradle": "gradle",
    "settings.gradle.kts": "gradle",
}
# The files of which one makes a folder a member of a workspace of that kind.
_MEMBERS = {
    "cargo": ("Cargo.toml",),
    "npm": ("package.json",),
    "pnpm": ("package.json",),
    "python": ("pyproject.toml",),
    "go": ("go.mod",),
    "maven": ("pom.xml",),
    "gradle": ("build.gradle.kts", "build.gradle"),
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """`manifest` names its members: `globs` as written, `members` the folders they match, sorted."""

    kind: str
    manifest: str
    globs: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """One package. `path` is its folder, "." for the top; `name` that of its manifest, else of the folder."""

    name: str
    version: str
    ecosystem: str
    path: str
    manifest: str
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class CrossEdge:
    """A package of the tree that requires another of it; both by their folders."""

    source: Package
    target: Package
    requirement: Requirement


@dataclass(frozen=True, slots=True)
class Workspaces:
    """Everything by path. `edges` by source, then target; `notes` a line for what was left out."""

    workspaces: tuple[Workspace, ...]
    packages: tuple[Package, ...]
    edges: tuple[CrossEdge, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Tree:
    top: Path
    read: dict[str, tuple[Manifest, Declared] | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def manifest(self, path: str) -> tuple[Manifest, Declared] | None:
        """A manifest and what it declares, None if it is not there or cannot be read."""
        if path not in self.read:
            self.read[path] = self._parsed(path)
        return self.read[path]

    def _parsed(self, path: str) -> tuple[Manifest, Declared] | None:
        file = self.top / path
        try:
            if not file.is_file() or not file.resolve().is_relative_to(self.top.resolve()):
                return None
            with open(file, "rb") as opened:
                body = opened.read(MAX_BYTES + 1)
            if len(body) > MAX_BYTES:
                raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
            manifest = parse(path, body)
            return (manifest, declared(path, body)) if manifest is not None else None
        except OSError as error:
            reason = error.strerror or "it cannot be read"
        except RecursionError:
            reason = "it is nested too deeply"
        except ValueError as error:
            reason = str(error)
        self.notes.append(f"{path} is ignored: {reason:.200}")
        return None


def workspaces(directory: Path) -> Workspaces:
    """Read the manifests of the tree at `directory`: those near its top, and all that workspaces name as members.

    Globs are expanded as the ecosystems do (`**` reaches any depth, `!` or `exclude` exclude), never out of the tree
    nor into vendored code. Members may be workspaces themselves. Nothing is executed or resolved.
    """
    seen = survey(directory)
    tree = _Tree(directory, notes=list(seen.notes))
    waiting = deque(manifest.path for manifest in seen.manifests)
    found: dict[str, Workspace] = {}
    packages: dict[tuple[str, str], Package] = {}
    met: set[str] = set()
    while waiting and len(packages) < MOST_PACKAGES:
        path = waiting.popleft()
        read = tree.manifest(path) if path not in met else None
        met.add(path)
        if read is None:
            continue
        workspace = _workspace(tree, *read)
        if workspace is not None:
            found[path] = workspace
            waiting.extend(posixpath.join(folder, name) for folder in workspace.members for name in _PACKAGES)
        package = _package(*read)
        if package is not None:
            packages.setdefault((package.path, package.ecosystem), package)
    ordered = tuple(packages[key] for key in sorted(packages))
    edges = sorted(_edges(ordered), key=lambda e: (e.source.path, e.target.path, e.requirement.kind))
    return Workspaces(tuple(found[path] for path in sorted(found)), ordered, tuple(edges), tuple(tree.notes))


def _workspace(tree: _Tree, manifest: Manifest, content: Declared) -> Workspace | None:
    kind = _KINDS.get(posixpath.basename(manifest.path))
    globs = content.members or manifest.members
    if kind is None or not globs:
        return None
    folder = posixpath.dirname(manifest.path)
    rejected = rules(_rule_lines(content.excluded))
    members = {
        member
        for each in globs
        for member in _folders(tree, folder, each, _MEMBERS[kind])
        if not _is_excluded(rejected, folder, member)
    }
    return Workspace(kind, manifest.path, tuple(globs), tuple(sorted(members)))


def _rule_lines(globs: Iterable[str]) -> list[str]:
    """Globs as the lines of a file of rules that hold from its own folder."""
    return [bytewise(f"/{each.strip().removeprefix('./').strip('/')}".encode()) for each in globs]


def _is_excluded(rejected: list[Rule], folder: str, member: str) -> bool:
    relative = posixpath.relpath(member or ".", folder or ".")
    return bool(rejected) and decided(rejected, bytewise(os.fsencode(relative)), True) is True


def _folders(tree: _Tree, folder: str, pattern: str, manifests: Sequence[str]) -> Iterator[str]:
    """The folders that a member names and that have one of the manifests, relative to the top of the tree."""
    pattern = posixpath.normpath(posixpath.join(folder, pattern.strip().rstrip("/") or "."))
    if pattern.startswith(("..", "/")):
        return
    if not glob.has_magic(pattern):
        found: Iterable[str] = [pattern]
    else:
        found = _matches(tree, pattern)
    for path in found:
        full = tree.top / path
        inside = full.is_dir() and not full.is_symlink()
        if inside and any((full / name).is_file() for name in manifests):
            yield "" if path == "." else path


def _matches(tree: _Tree, pattern: str) -> Iterator[str]:
    found = list(islice(glob.iglob(pattern, root_dir=tree.top, recursive=True), MOST_FOLDERS + 1))
    if len(found) > MOST_FOLDERS:
        tree.notes.append(f"{pattern}: more than {MOST_FOLDERS} paths match, the rest was not read")
    for path in sorted(each.replace(os.sep, "/").rstrip("/") for each in found[:MOST_FOLDERS]):
        if _PASSED_OVER.isdisjoint(path.split("/")):
            yield path


def _package(manifest: Manifest, content: Declared) -> Package | None:
    """The package that a manifest declares, None for one that is a workspace only."""
    file, folder = posixpath.basename(manifest.path), posixpath.dirname(manifest.path)
    if file not in _PACKAGES:
        return None
    name = manifest.name
    if name is None:
        if file not in ("build.gradle", "build.gradle.kts") and not content.requirements:
            return None
        name = posixpath.basename(folder)
    return (
        Package(name, content.version, manifest.ecosystem, folder or ".", manifest.path, content.requirements)
        if name
        else None
    )


def _edges(packages: tuple[Package, ...]) -> Iterator[CrossEdge]:
    """Requirements that a package of the tree fulfils: by its folder, or by its name in the same ecosystem."""
    named: dict[tuple[str, str], Package] = {}
    for package in packages:
        named.setdefault((package.ecosystem, _compared(package)), package)
    at = {(package.ecosystem, package.path): package for package in packages}
    for package in packages:
        for requirement in package.requirements:
            target = at.get((package.ecosystem, _required_folder(package, requirement)))
            target = target or named.get((package.ecosystem, _required_name(package, requirement)))
            if target is not None and target.path != package.path:
                yield CrossEdge(package, target, requirement)


def _required_folder(package: Package, requirement: Requirement) -> str:
    """The folder that a requirement names, "" if it names none."""
    if requirement.name.startswith(PROJECT):
        return requirement.name.removeprefix(PROJECT)
    return posixpath.normpath(posixpath.join(package.path, requirement.path)) if requirement.path else ""


def _required_name(package: Package, requirement: Requirement) -> str:
    return requirement.name.rpartition(":")[2] if package.ecosystem == "maven" else requirement.name


def _compared(package: Package) -> str:
    """A package's name as requirements of its ecosystem spell it."""
    if package.ecosystem == "pypi":
        return canonicalize_name(package.name)
    return without_major(package.name) if package.ecosystem == "golang" else package.name
