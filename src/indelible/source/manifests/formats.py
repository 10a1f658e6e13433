"""Readers of the manifest formats in which projects declare their dependencies, one function a format.

Every function takes untrusted text and reads only what it understands: a value of another shape counts as absent, a
file that cannot be parsed raises ValueError. Nothing is executed or resolved. The patterns take linear time, so that no
file can hold up its reader.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from packaging.utils import canonicalize_name

from indelible.sanitize import bounded
from indelible.source.manifests.values import Manifest, clean_name, names_of, strings, table
from indelible.source.manifests.xml import DOTNET, gradle, gradle_settings, pom, xml_project

_Reader = Callable[[str, str], Manifest]  # of a path and a text


def parse(path: str, body: bytes) -> Manifest | None:
    """Return the manifest in a file, None if its name is none's; ValueError or RecursionError if it is broken."""
    name = PurePosixPath(path).name
    read = _BY_NAME.get(name) or _BY_SUFFIX.get(PurePosixPath(name).suffix) or _requirements_reader(name)
    if read is None:
        return None
    return read(path, body.decode("utf-8-sig"))


def is_manifest(name: str) -> bool:
    """Whether `parse` reads files of this name."""
    return name in _BY_NAME or PurePosixPath(name).suffix in _BY_SUFFIX or _requirements_reader(name) is not None


# --- JavaScript and TypeScript ---

_NPM_NEEDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def _package_json(path: str, text: str) -> Manifest:
    package = table(bounded.json_value(text))
    workspaces = package.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    exports = any(package.get(key) for key in ("main", "module", "exports", "types", "typings"))
    needs = names_of(name for kind in _NPM_NEEDS for name in table(package, kind))
    return Manifest(
        path,
        "npm",
        "typescript" if "typescript" in needs else "javascript",
        clean_name(package.get("name")),
        needs,
        names_of(strings(workspaces)),
        commands=bool(package.get("bin")),
        importable=bool(exports) and package.get("private") is not True,
    )


def _pnpm_workspace(path: str, text: str) -> Manifest:
    members = strings(table(bounded.yaml_value(text)).get("packages"))
    return Manifest(path, "npm", "javascript", members=names_of(members))


# --- Python ---

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?=\s*(?:[\[<>=!~;@,#(]|$|\s))")


def _requirements(lines: Iterable[str]) -> tuple[str, ...]:
    found = (_REQUIREMENT.match(line) for line in lines)
    return names_of(canonicalize_name(match[1]) for match in found if match)


def _requirements_txt(path: str, text: str) -> Manifest:
    return Manifest(path, "pypi", "python", dependencies=_requirements(text.splitlines()))


def _requirements_reader(name: str) -> _Reader | None:
    return _requirements_txt if re.fullmatch(r"(?:[\w-]+[-_])?requirements(?:[-_.][\w-]+)?\.(?:txt|in)", name) else None


def _pyproject(path: str, text: str) -> Manifest:
    document = bounded.toml(text)
    project, poetry = table(document, "project"), table(document, "tool", "poetry")
    groups = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
    groups += [*table(document, "dependency-groups").values(), table(document, "tool", "uv").get("dev-dependencies")]
    lines = [line for group in groups for line in strings(group)]
    lines += [*table(poetry, "dependencies"), *table(poetry, "dev-dependencies")]
    lines += [name for group in table(poetry, "group").values() for name in table(group, "dependencies")]
    name = clean_name(project.get("name")) or clean_name(poetry.get("name"))
    return Manifest(
        path,
        "pypi",
        "python",
        name,
        tuple(need for need in _requirements(lines) if need != "python"),
        names_of(strings(table(document, "tool", "uv", "workspace").get("members"))),
        commands=bool(table(project, "scripts") or table(poetry, "scripts")),
        importable=name is not None and bool(table(document, "build-system")),
    )


def _setup_cfg(path: str, text: str) -> Manifest:
    sections = _sections(text)
    options, scripts = sections.get("options", {}), sections.get("options.entry_points", {}).get("console_scripts", [])
    lines = options.get("install_requires", [])
    lines = [*lines, *(line for extra in sections.get("options.extras_require", {}).values() for line in extra)]
    name = clean_name("\n".join(sections.get("metadata", {}).get("name", [])))
    return Manifest(path, "pypi", "python", name, _requirements(lines), (), bool(scripts), name is not None)


def _sections(text: str) -> dict[str, dict[str, list[str]]]:
    """Return the lines of each option of each section of an INI file; ValueError where it is invalid.

    As configparser, whose expressions take quadratic time in a line and whose errors take it in the number of lines.
    """
    sections: dict[str, dict[str, list[str]]] = {}
    options: dict[str, list[str]] | None = None
    value: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if value is not None and line[0].isspace():
            value.append(stripped)
        elif stripped[0] == "[" and "]" in stripped:
            options, value = sections.setdefault(stripped[1 : stripped.rindex("]")], {}), None
        else:
            ends = [at for at in (stripped.find("="), stripped.find(":")) if at > 0]
            if options is None or not ends:
                raise ValueError(f"line {number} is neither a section nor an option of one")
            first = stripped[min(ends) + 1 :].strip()
            value = options[stripped[: min(ends)].strip().lower()] = [first] if first else []
    return sections


def _setup_py(path: str, text: str) -> Manifest:
    """Return an empty manifest: the dependencies are known only to those who run the program."""
    return Manifest(path, "pypi", "python")


def _pipfile(path: str, text: str) -> Manifest:
    document = bounded.toml(text)
    return Manifest(
        path,
        "pypi",
        "python",
        dependencies=_requirements([*table(document, "packages"), *table(document, "dev-packages")]),
    )


# --- Rust and Go ---


def _cargo(path: str, text: str) -> Manifest:
    document = bounded.toml(text)
    tables = [document, table(document, "workspace"), *map(table, table(document, "target").values())]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    needs = [item for part in tables for kind in kinds for item in table(part, kind).items()]
    renamed = (clean_name(table(wanted).get("package")) or name for name, wanted in needs)
    return Manifest(
        path,
        "cargo",
        "rust",
        clean_name(table(document, "package").get("name")),
        names_of(renamed),
        names_of(strings(table(document, "workspace").get("members"))),
        commands=bool(document.get("bin")),
        importable="lib" in document,
    )


def go_lines(text: str, directive: str) -> Iterator[str]:
    """Yield the rest of a directive's line, or the lines between its parentheses."""
    inside = False
    for line in text.splitlines():
        words = line.split(maxsplit=1)
        if inside:
            inside = not line.lstrip().startswith(")")
            if inside:
                yield line
        elif words and words[0].rstrip("(") == directive:
            inside = line.partition("//")[0].rstrip().endswith("(")
            if not inside and len(words) > 1:
                yield words[1]


def _first_word(line: str) -> str:
    words = line.partition("//")[0].split()
    return words[0].strip('"') if words else ""


def without_major(module: str) -> str:
    """Return a Go module's path without the major version at its end: example.com/x/v2 -> example.com/x."""
    return re.sub(r"/v\d+$", "", module)


def _go_mod(path: str, text: str) -> Manifest:
    module = next(filter(None, map(_first_word, go_lines(text, "module"))), "")
    needs = (_first_word(line) for line in go_lines(text, "require") if "// indirect" not in line)
    return Manifest(path, "golang", "go", clean_name(module), names_of(map(without_major, needs)))


def _go_work(path: str, text: str) -> Manifest:
    return Manifest(path, "golang", "go", members=names_of(map(_first_word, go_lines(text, "use"))))


# --- Ruby, PHP, C and C++, Elixir, Dart ---


def _gemfile(path: str, text: str) -> Manifest:
    needs = re.findall(r"^[ \t]*gem[ \t(]+[\"']([\w.-]+)[\"']", text, re.MULTILINE)
    return Manifest(path, "gem", "ruby", dependencies=names_of(needs))


def _gemspec(path: str, text: str) -> Manifest:
    name = re.search(r"\.name\s*=\s*[\"']([\w.-]+)[\"']", text)
    needs = re.findall(r"\.add_(?:runtime_|development_)?dependency[ \t(]+[\"']([\w.-]+)[\"']", text)
    commands = re.search(r"\.executables\b", text) is not None
    return Manifest(path, "gem", "ruby", clean_name(name[1] if name else None), names_of(needs), (), commands, True)


def _composer(path: str, text: str) -> Manifest:
    package = table(bounded.json_value(text))
    needs = [name.lower() for kind in ("require", "require-dev") for name in table(package, kind)]
    return Manifest(
        path,
        "composer",
        "php",
        clean_name(package.get("name")),
        names_of(name for name in needs if "/" in name),  # php and ext-* are no packages
        commands=bool(package.get("bin")),
        importable=package.get("type") == "library",
    )


_CMAKE_PROJECT = re.compile(r"^[ \t]*project\s*\(\s*([\w.+-]+)([^)]{0,500}+)\)", re.MULTILINE | re.IGNORECASE)


def _cmake(path: str, text: str) -> Manifest:
    project = _CMAKE_PROJECT.search(text)
    languages = re.findall(r"\b(?:C|CXX)\b", project[2]) if project else []
    needs = re.findall(r"^[ \t]*find_package\s*\(\s*([\w.+-]+)", text, re.MULTILINE | re.IGNORECASE)
    needs += re.findall(r"^[ \t]*FetchContent_Declare\s*\(\s*([\w.+-]+)", text, re.MULTILINE | re.IGNORECASE)
    return Manifest(
        path,
        "cmake",
        "c" if languages == ["C"] else "cpp",
        clean_name(project[1] if project else None),
        names_of(need.lower() for need in needs),
        importable=re.search(r"^[ \t]*install\s*\(\s*TARGETS", text, re.MULTILINE | re.IGNORECASE) is not None
        and re.search(r"^[ \t]*add_library\s*\(", text, re.MULTILINE | re.IGNORECASE) is not None,
    )


def _mix(path: str, text: str) -> Manifest:
    name = re.search(r"\bapp:\s*:(\w+)", text)
    needs = re.findall(r"\{\s*:(\w+)\s*,\s*[\"'~\w]", text)
    return Manifest(path, "hex", "elixir", clean_name(name[1] if name else None), names_of(needs))


def _pubspec(path: str, text: str) -> Manifest:
    package = table(bounded.yaml_value(text))
    needs = [name for kind in ("dependencies", "dev_dependencies") for name in table(package, kind)]
    return Manifest(path, "pub", "dart", clean_name(package.get("name")), names_of(needs))


_BY_NAME: dict[str, _Reader] = {
    "package.json": _package_json,
    "pnpm-workspace.yaml": _pnpm_workspace,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Pipfile": _pipfile,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "go.work": _go_work,
    "pom.xml": pom,
    "build.gradle": gradle,
    "build.gradle.kts": gradle,
    "settings.gradle": gradle_settings,
    "settings.gradle.kts": gradle_settings,
    "Gemfile": _gemfile,
    "composer.json": _composer,
    "CMakeLists.txt": _cmake,
    "mix.exs": _mix,
    "pubspec.yaml": _pubspec,
}
_BY_SUFFIX: dict[str, _Reader] = {
    ".gemspec": _gemspec,
    **dict.fromkeys(DOTNET, xml_project),
}
