"""The fingerprint of a repository: a few features, enough to see that two repositories share a stack."""

import math
import os
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from indelible.dataclass import dataclass
from indelible.source.manifests.formats import without_major
from indelible.source.manifests.frameworks import PARSES_COMMANDS, SERVES_HTTP, frameworks_of
from indelible.source.manifests.manifests import Survey, survey
from indelible.source.manifests.values import Manifest, clean_name

MAX_DEPENDENCIES = 1000  # of a fingerprint, the first in order
LEAST_SHARE = 0.2  # of the source files near the top that makes a language without a manifest one of the repository's
# The weight of each group of features in a fingerprint, whatever the number of features in it.
WEIGHTS = {"languages": 0.3, "frameworks": 0.4, "patterns": 0.1, "dependencies": 0.2}

_LANGUAGES = {
    suffix: language
    for language, suffixes in {
        "c": "c",
        "clojure": "clj cljs cljc",
        "cpp": "cc cpp cxx hpp hh",
        "csharp": "cs",
        "dart": "dart",
        "elixir": "ex exs",
        "erlang": "erl",
        "fsharp": "fs",
        "go": "go",
        "haskell": "hs",
        "java": "java",
        "javascript": "js jsx mjs cjs",
        "julia": "jl",
        "kotlin": "kt kts",
        "lua": "lua",
        "nim": "nim",
        "ocaml": "ml mli",
        "perl": "pl pm",
        "php": "php",
        "python": "py pyi",
        "r": "r",
        "ruby": "rb",
        "rust": "rs",
        "scala": "scala",
        "shell": "sh bash",
        "svelte": "svelte",
        "swift": "swift",
        "typescript": "ts tsx mts cts",
        "visual-basic": "vb",
        "vue": "vue",
        "zig": "zig",
    }.items()
    for suffix in suffixes.split()
}
# Programs that build or configure: a repository is not written in them.
_BUILDS = re.compile(
    r".*\.config\.\w+|\..*|setup\.py|conftest\.py|noxfile\.py|gulpfile\.js|build\.rs|.*\.gradle\.kts|mix\.exs"
)
_WORKSPACE_FILES = frozenset({"pnpm-workspace.yaml", "lerna.json", "nx.json", "rush.json", "turbo.json", "go.work"})
_API_DESCRIPTION = re.compile(r"(?:[\w.-]+/)?(?:openapi|swagger)\.(?:ya?ml|json)")
# A repository is named by the first of these at its top.
_NAMING = ("package.json", "Cargo.toml", "pyproject.toml", "go.mod")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The features of a repository; every tuple is sorted. Dependencies are `ecosystem:name`, as in `npm:react`."""

    name: str
    languages: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()


def fingerprint(directory: Path, origin: str | None) -> Fingerprint:
    """Read the fingerprint of the repository in `directory`; `origin` is its remote URL or "host/path", or None.

    Only manifests and the names of files are read, within the limits of `manifests.survey`; nothing is executed.

    - name: of package.json, Cargo.toml, pyproject.toml, go.mod at the top, else of the origin, else of the folder.
    - languages: of the manifests, and those of at least a fifth of the source files near the top. TypeScript with
      npm's manifests where any of them needs it or a tsconfig.json is there, else JavaScript.
    - frameworks: those that the dependencies name (`frameworks.FRAMEWORKS`), wherever in the tree.
    - patterns: `patterns` has the rules.
    """
    seen = survey(directory)
    return Fingerprint(
        _name(directory, origin, seen.manifests),
        _languages(seen),
        tuple(sorted({framework for manifest in seen.manifests for framework in _frameworks(manifest)})),
        patterns(seen),
        _dependencies(seen.manifests),
    )


def similarity(a: Fingerprint, b: Fingerprint) -> float:
    """Return the cosine of the feature vectors of two fingerprints, 0..1; 0 if either has none (the name is none).

    A feature of a group with n features has the value sqrt(weight of the group / n), so that a hundred dependencies
    count no more than three.
    """
    shared = math.fsum(
        weight * len(own & other) / math.sqrt(len(own) * len(other))
        for weight, own, other in _groups(a, b)
        if own and other
    )
    length = math.fsum(weight for weight, own, _ in _groups(a, b) if own)
    other_length = math.fsum(weight for weight, _, other in _groups(a, b) if other)
    return min(1.0, shared / math.sqrt(length * other_length)) if shared else 0.0


def _groups(a: Fingerprint, b: Fingerprint) -> list[tuple[float, frozenset[str], frozenset[str]]]:
    return [(weight, frozenset(getattr(a, group)), frozenset(getattr(b, group))) for group, weight in WEIGHTS.items()]


# --- Name ---


def _name(directory: Path, origin: str | None, manifests: Iterable[Manifest]) -> str:
    at_top = {manifest.path: manifest.name for manifest in manifests}
    for file in _NAMING:
        name = at_top.get(file)
        if name:
            return without_major(name).rpartition("/")[2] if file == "go.mod" else name
    last = re.split(r"[/\\:]", (origin or "").rstrip("/\\"))[-1].removesuffix(".git")
    folder = os.fsencode(os.path.basename(os.path.abspath(directory))).decode("utf-8", "replace")
    return clean_name(last) or clean_name(folder) or "repository"


# --- Languages, frameworks, dependencies ---


def _languages(seen: Survey) -> tuple[str, ...]:
    found = {manifest.language for manifest in seen.manifests}
    if "javascript" in found and (
        "typescript" in found or any(_file_name(file) == "tsconfig.json" for file in seen.files)
    ):
        found = found - {"javascript"} | {"typescript"}
    counts = Counter(filter(None, map(_language_of, seen.files)))
    found |= {language for language, count in counts.items() if count >= LEAST_SHARE * counts.total()}
    return tuple(sorted(found))


def _language_of(path: str) -> str | None:
    name = _file_name(path)
    return None if _BUILDS.fullmatch(name) else _LANGUAGES.get(PurePosixPath(name).suffix.lower().removeprefix("."))


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _frameworks(manifest: Manifest) -> set[str]:
    return frameworks_of(manifest.ecosystem, frozenset(manifest.dependencies))


def _dependencies(manifests: tuple[Manifest, ...]) -> tuple[str, ...]:
    own = {(manifest.ecosystem, manifest.name) for manifest in manifests}  # a workspace's packages need each other
    needed = {(manifest.ecosystem, need) for manifest in manifests for need in manifest.dependencies} - own
    return tuple(sorted(f"{ecosystem}:{name}" for ecosystem, name in needed)[:MAX_DEPENDENCIES])


# --- Patterns ---


def patterns(seen: Survey) -> tuple[str, ...]:
    """Return which of these a repository is, sorted; it may be several or none.

    - `monorepo`: a manifest lists two members or a glob, a workspace's file (`_WORKSPACE_FILES`) is at the top, or two
      or more folders below the top have manifests (CMake's do not count: it has one in every folder).
    - `api`: a dependency serves HTTP or gRPC (`frameworks.SERVES_HTTP`), or an OpenAPI description is near the top.
    - `cli`: a manifest installs a command, or a dependency parses command lines (`frameworks.PARSES_COMMANDS`).
    - `library`: a manifest builds something that others import (`_is_library`), and that package is neither of the two
      before.
    """
    rules = {
        "api": any(map(_serves, seen.manifests)) or any(map(_API_DESCRIPTION.fullmatch, seen.files)),
        "cli": any(map(_commands, seen.manifests)),
        "library": any(_is_library(manifest, seen.files) for manifest in seen.manifests),
        "monorepo": _is_monorepo(seen),
    }
    return tuple(sorted(pattern for pattern, holds in rules.items() if holds))


def _serves(manifest: Manifest) -> bool:
    return not _frameworks(manifest).isdisjoint(SERVES_HTTP)


def _commands(manifest: Manifest) -> bool:
    return manifest.commands or not _frameworks(manifest).isdisjoint(PARSES_COMMANDS)


def _is_monorepo(seen: Survey) -> bool:
    if any(len(m.members) > 1 or "*" in "".join(m.members) for m in seen.manifests) or not _WORKSPACE_FILES.isdisjoint(
        seen.files
    ):
        return True
    folders = {m.path.rpartition("/")[0] for m in seen.manifests if m.ecosystem != "cmake"}
    return len(folders - {""}) >= 2


def _is_library(manifest: Manifest, files: tuple[str, ...]) -> bool:
    """Whether a manifest builds a library; Rust: src/lib.rs, Go: source beside go.mod and no main.go or cmd/."""
    if _serves(manifest) or _commands(manifest):
        return False
    folder, _, file = manifest.path.rpartition("/")
    if file == "Cargo.toml":
        return manifest.importable or "/".join(filter(None, (folder, "src/lib.rs"))) in files
    if file == "go.mod":
        start = f"{folder}/" if folder else ""
        sources = [path.removeprefix(start) for path in files if path.startswith(start) and path.endswith(".go")]
        programs = any(_file_name(source) == "main.go" or source.startswith("cmd/") for source in sources)
        return not programs and any("/" not in source and not source.endswith("_test.go") for source in sources)
    return manifest.importable
