"""Fields of a manifest beyond the fingerprint: its version, required versions, and excluded members."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from packaging.utils import canonicalize_name

from indelible.dataclass import dataclass
from indelible.sanitize import bounded
from indelible.source.manifests.formats import go_lines, without_major
from indelible.source.manifests.values import clean_name, strings, table
from indelible.source.manifests.xml import texts, xml_root

RUNTIME, DEVELOPMENT, BUILD, OPTIONAL, PEER = "runtime", "development", "build", "optional", "peer"
MOST = 2_000  # requirements of one manifest
PROJECT = "project:"  # before the path of a project of the same Gradle build


@dataclass(frozen=True, slots=True)
class Requirement:
    """A required package, named as the ecosystem compares names; `version` as written, "" for any.

    `path` is the folder, relative to the manifest's, where it is named by that.
    """

    name: str
    version: str = ""
    kind: str = RUNTIME
    path: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """`requirements` by name, then kind. `members` and `excluded` are folders or globs as written."""

    version: str = ""
    requirements: tuple[Requirement, ...] = ()
    members: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


def declared(path: str, body: bytes) -> Declared:
    """Return the declarations of a manifest that `formats.parse` can read; empty for formats not read here."""
    read = _BY_NAME.get(PurePosixPath(path).name)
    return read(body.decode("utf-8-sig")) if read is not None else Declared()


def _sorted(found: Iterable[Requirement]) -> tuple[Requirement, ...]:
    unique = {(each.name, each.kind): each for each in found if each.name}
    return tuple(unique[key] for key in sorted(unique))[:MOST]


def _text(value: Any) -> str:
    return clean_name(value) or ""


# --- JavaScript ---

_NPM = {
    "dependencies": RUNTIME,
    "devDependencies": DEVELOPMENT,
    "peerDependencies": PEER,
    "optionalDependencies": OPTIONAL,
}


def _package_json(text: str) -> Declared:
    package = table(bounded.json_value(text))
    found = [
        Requirement(_text(name), _text(version), kind)
        for key, kind in _NPM.items()
        for name, version in table(package, key).items()
    ]
    workspaces = package.get("workspaces")
    globs = strings(workspaces.get("packages") if isinstance(workspaces, dict) else workspaces)
    return Declared(_text(package.get("version")), _sorted(found), *_split(globs))


def _pnpm(text: str) -> Declared:
    return Declared("", (), *_split(item.strip() for item in strings(table(bounded.yaml_value(text)).get("packages"))))


def _split(globs: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (members, excluded) of npm's globs; those after `!` are excluded."""
    found = list(globs)
    return tuple(glob for glob in found if glob[:1] != "!"), tuple(glob[1:] for glob in found if glob[:1] == "!")


# --- Python ---

_PYPI = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*\(?([^;@#)]*)")


def _pypi(line: str, kind: str) -> Iterator[Requirement]:
    found = _PYPI.match(line)
    if found:
        yield Requirement(canonicalize_name(found[1]), " ".join(found[2].split()), kind)


def _pyproject(text: str) -> Declared:
    document = bounded.toml(text)
    project, poetry = table(document, "project"), table(document, "tool", "poetry")
    uv, hatch = table(document, "tool", "uv"), table(document, "tool", "hatch")
    found = [each for line in strings(project.get("dependencies")) for each in _pypi(line, RUNTIME)]
    found += _groups(table(project, "optional-dependencies"), OPTIONAL)
    found += _groups(table(document, "dependency-groups"), DEVELOPMENT)
    found += [each for line in strings(uv.get("dev-dependencies")) for each in _pypi(line, DEVELOPMENT)]
    found += _poetry(table(poetry, "dependencies"), RUNTIME)
    found += _poetry(table(poetry, "dev-dependencies"), DEVELOPMENT)
    for group in table(poetry, "group").values():
        found += _poetry(table(group, "dependencies"), DEVELOPMENT)
    members = strings(table(uv, "workspace").get("members"))
    members += strings(table(hatch, "workspace").get("members"))
    for environment in table(hatch, "envs").values():
        members += strings(table(environment, "workspace").get("members"))
    return Declared(
        _text(project.get("version")) or _text(poetry.get("version")),
        _sorted(each for each in found if each.name != "python"),
        tuple(dict.fromkeys(members)),
        tuple(strings(table(uv, "workspace").get("exclude"))),
    )


def _groups(groups: dict[str, Any], kind: str) -> list[Requirement]:
    return [each for lines in groups.values() for line in strings(lines) for each in _pypi(line, kind)]


def _poetry(wanted: dict[str, Any], kind: str) -> list[Requirement]:
    return [
        Requirement(canonicalize_name(name), *_version_and_kind(value, kind), _text(table(value).get("path")))
        for name, value in wanted.items()
    ]


def _version_and_kind(value: Any, kind: str) -> tuple[str, str]:
    if isinstance(value, dict):
        return _text(value.get("version")), OPTIONAL if value.get("optional") is True else kind
    return _text(value), kind


# --- Rust and Go ---

_CARGO = {"dependencies": RUNTIME, "dev-dependencies": DEVELOPMENT, "build-dependencies": BUILD}


def _cargo(text: str) -> Declared:
    document = bounded.toml(text)
    workspace = table(document, "workspace")
    found = [
        Requirement(
            _text(table(wanted).get("package")) or _text(name),
            *_version_and_kind(wanted, kind),
            _text(table(wanted).get("path")),
        )
        for part in (document, *map(table, table(document, "target").values()))
        for key, kind in _CARGO.items()
        for name, wanted in table(part, key).items()
    ]
    version = _text(table(document, "package").get("version")) or _text(table(workspace, "package").get("version"))
    return Declared(
        version, _sorted(found), tuple(strings(workspace.get("members"))), tuple(strings(workspace.get("exclude")))
    )


def _go_mod(text: str) -> Declared:
    found = []
    for line in go_lines(text, "require"):
        words = line.partition("//")[0].split()
        if len(words) == 2 and "// indirect" not in line:
            found.append(Requirement(without_major(words[0].strip('"')), words[1]))
    return Declared("", _sorted(found))


def _go_work(text: str) -> Declared:
    used = (line.partition("//")[0].strip().strip('"') for line in go_lines(text, "use"))
    return Declared(members=tuple(filter(None, used)))


# --- Java ---

_SCOPES = {"test": DEVELOPMENT, "provided": BUILD, "system": BUILD}


def _pom(text: str) -> Declared:
    project = xml_root(text)
    found = []
    for node in project.iterfind("{*}dependencies/{*}dependency"):
        name = ":".join([*texts(node, "groupId")[:1], *texts(node, "artifactId")[:1]])
        scope, version = (next(iter(texts(node, tag)), "") for tag in ("scope", "version"))
        found.append(Requirement(name, version, _SCOPES.get(scope, RUNTIME)))
    version = next(iter([*texts(project, "version"), *texts(project, "parent", "version")]), "")
    return Declared(version, _sorted(found), tuple(texts(project, "modules", "module")))


_GRADLE = re.compile(
    r"\b(\w*?)(implementation|api|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp)[ \t]*+\(?[ \t]*+"
    r"(?:platform\()?[ \t]*+(?:project\(?[ \t]*+(?:path[ \t]*+[:=][ \t]*+)?[\"']:([\w.:-]++)[\"']"
    r"|[\"']([\w.-]++:[\w.-]++)(?::([^\"'\n]*+))?[\"'])",
    re.IGNORECASE,
)


def _gradle(text: str) -> Declared:
    found = []
    for before, what, project, name, version in _GRADLE.findall(text):
        kind = DEVELOPMENT if "test" in before.lower() else BUILD if what.lower() in ("kapt", "ksp") else RUNTIME
        wanted = f"{PROJECT}{project.replace(':', '/')}" if project else name
        found.append(Requirement(wanted, version, kind))
    return Declared(requirements=_sorted(found))


_BY_NAME: dict[str, Callable[[str], Declared]] = {
    "package.json": _package_json,
    "pnpm-workspace.yaml": _pnpm,
    "pyproject.toml": _pyproject,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "go.work": _go_work,
    "pom.xml": _pom,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
}
