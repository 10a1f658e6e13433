"""What the files in which projects declare their dependencies say, one function a format.

Every function here takes text that anybody may have written and reads only what it understands: what has another
shape counts as absent, a file that cannot be parsed raises ValueError. Nothing is executed or resolved. The patterns
take linear time, so that no file can hold up its reader.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

MAX_DEPENDENCIES = 2000  # of one manifest, the first by name
LONGEST_NAME = 214  # npm's limit, the largest that there is


@dataclass(frozen=True, slots=True)
class Manifest:
    """One manifest: `path` relative to the tree's top with `/`; `ecosystem` as in package URLs (npm, pypi, cargo ...).

    `dependencies` are sorted names as the ecosystem compares them, whatever they are needed for (run, test, build).
    `members` are the folders or globs of the packages that belong to a workspace, as written. `commands`: it installs
    commands. `importable`: what it builds is meant to be imported by others.
    """

    path: str
    ecosystem: str
    language: str
    name: str | None = None
    dependencies: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    commands: bool = False
    importable: bool = False


_Reader = Callable[[str, str], Manifest]  # of a path and a text


def parse(path: str, body: bytes) -> Manifest | None:
    """The manifest in a file, None if its name is none of a manifest; ValueError or RecursionError if it is broken."""
    name = PurePosixPath(path).name
    read = _BY_NAME.get(name) or _BY_SUFFIX.get(PurePosixPath(name).suffix) or _requirements_reader(name)
    if read is None:
        return None
    return read(path, body.decode("utf-8-sig"))


def is_manifest(name: str) -> bool:
    """Whether `parse` reads files of this name."""
    return name in _BY_NAME or PurePosixPath(name).suffix in _BY_SUFFIX or _requirements_reader(name) is not None


# --- What may stand anywhere ---


def table(value: Any, *keys: str) -> dict[str, Any]:
    """The object at the end of the keys, {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def strings(value: Any) -> list[str]:
    """The texts of a list, none of anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def clean_name(value: Any) -> str | None:
    """A name that can be shown and stored: printable, trimmed, at most 214 characters; None if nothing is left."""
    if not isinstance(value, str):
        return None
    printable = "".join(c for c in value[: 2 * LONGEST_NAME] if c.isprintable())
    return printable.strip()[:LONGEST_NAME].strip() or None


def _names(names: Iterable[str]) -> tuple[str, ...]:
    good = {n for n in (name.strip() for name in names) if 0 < len(n) <= LONGEST_NAME and n.isprintable()}
    return tuple(sorted(good)[:MAX_DEPENDENCIES])


# --- JavaScript and TypeScript ---

_NPM_NEEDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def _package_json(path: str, text: str) -> Manifest:
    package = table(json.loads(text))
    workspaces = package.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    exports = any(package.get(key) for key in ("main", "module", "exports", "types", "typings"))
    needs = _names(name for kind in _NPM_NEEDS for name in table(package, kind))
    return Manifest(
        path,
        "npm",
        "typescript" if "typescript" in needs else "javascript",
        clean_name(package.get("name")),
        needs,
        _names(strings(workspaces)),
        commands=bool(package.get("bin")),
        importable=bool(exports) and package.get("private") is not True,
    )


_YAML_ITEM = re.compile(r"\s*-\s*(?:\"([^\"]*)\"|'([^']*)'|([^#\s\"']+))")


def _pnpm_workspace(path: str, text: str) -> Manifest:
    items = filter(None, map(_YAML_ITEM.match, _yaml_block(text, "packages")))
    return Manifest(path, "npm", "javascript", members=_names("".join(item.groups("")) for item in items))


def _yaml_block(text: str, key: str) -> Iterator[str]:
    """The lines of a top-level key's block: enough of YAML for the two files of it that are read here."""
    inside = False
    for line in text.splitlines():
        if re.match(r"[^\s#-]", line):
            inside = line.rstrip().startswith(f"{key}:")
        elif inside:
            yield line


# --- Python ---

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?=\s*(?:[\[<>=!~;@,#(]|$|\s))")


def _pypi(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()  # PEP 503


def _requirements(lines: Iterable[str]) -> tuple[str, ...]:
    found = (_REQUIREMENT.match(line) for line in lines)
    return _names(_pypi(match[1]) for match in found if match)


def _requirements_txt(path: str, text: str) -> Manifest:
    return Manifest(path, "pypi", "python", dependencies=_requirements(text.splitlines()))


def _requirements_reader(name: str) -> _Reader | None:
    return _requirements_txt if re.fullmatch(r"(?:[\w-]+[-_])?requirements(?:[-_.][\w-]+)?\.(?:txt|in)", name) else None


def _pyproject(path: str, text: str) -> Manifest:
    document = tomllib.loads(text)
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
        _names(strings(table(document, "tool", "uv", "workspace").get("members"))),
        commands=bool(table(project, "scripts") or table(poetry, "scripts")),
        importable=name is not None and bool(table(document, "build-system")),
    )


def _setup_cfg(path: str, text: str) -> Manifest:
    import configparser

    reader = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        reader.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    lines = reader.get("options", "install_requires", fallback="").splitlines()
    if reader.has_section("options.extras_require"):
        lines += [line for _, extra in reader.items("options.extras_require") for line in (extra or "").splitlines()]
    name = clean_name(reader.get("metadata", "name", fallback=None))
    scripts = reader.get("options.entry_points", "console_scripts", fallback="")
    return Manifest(path, "pypi", "python", name, _requirements(lines), (), bool(scripts), name is not None)


def _setup_py(path: str, text: str) -> Manifest:
    """Only that it is there: what a program would declare is known to those who run it."""
    return Manifest(path, "pypi", "python")


def _pipfile(path: str, text: str) -> Manifest:
    document = tomllib.loads(text)
    return Manifest(
        path,
        "pypi",
        "python",
        dependencies=_requirements([*table(document, "packages"), *table(document, "dev-packages")]),
    )


# --- Rust and Go ---


def _cargo(path: str, text: str) -> Manifest:
    document = tomllib.loads(text)
    tables = [document, table(document, "workspace"), *map(table, table(document, "target").values())]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    needs = [item for part in tables for kind in kinds for item in table(part, kind).items()]
    renamed = (clean_name(table(wanted).get("package")) or name for name, wanted in needs)
    return Manifest(
        path,
        "cargo",
        "rust",
        clean_name(table(document, "package").get("name")),
        _names(renamed),
        _names(strings(table(document, "workspace").get("members"))),
        commands=bool(document.get("bin")),
        importable="lib" in document,
    )


def go_lines(text: str, directive: str) -> Iterator[str]:
    """What stands after a directive, on its line or one a line between its parentheses."""
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
    """A Go module's path without the major version at its end: example.com/x/v2 -> example.com/x."""
    return re.sub(r"/v\d+$", "", module)


def _go_mod(path: str, text: str) -> Manifest:
    module = next(filter(None, map(_first_word, go_lines(text, "module"))), "")
    needs = (_first_word(line) for line in go_lines(text, "require") if "// indirect" not in line)
    return Manifest(path, "golang", "go", clean_name(module), _names(map(without_major, needs)))


def _go_work(path: str, text: str) -> Manifest:
    return Manifest(path, "golang", "go", members=_names(map(_first_word, go_lines(text, "use"))))


# --- Java and Kotlin ---


def xml_root(text: str) -> Any:
    """The root of a document; ValueError if it is none, or has a document type."""
    from xml.etree import ElementTree

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("it has a document type, which may hold entities without end")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"not XML: {error}") from error


def texts(node: Any, *path: str) -> list[str]:
    """The texts at the end of a path of tags, of whatever namespace."""
    return [found.text.strip() for found in node.iterfind("/".join(f"{{*}}{tag}" for tag in path)) if found.text]


def _coordinates(node: Any) -> str:
    return ":".join([*texts(node, "groupId")[:1], *texts(node, "artifactId")[:1]])


def _pom(path: str, text: str) -> Manifest:
    project = xml_root(text)
    nodes = [node for tag in ("dependency", "parent", "plugin") for node in project.iter() if _tag(node) == tag]
    needs = _names(map(_coordinates, nodes))
    return Manifest(
        path,
        "maven",
        "kotlin" if any(need.startswith("org.jetbrains.kotlin:") for need in needs) else "java",
        clean_name(next(iter(texts(project, "artifactId")), None)),
        needs,
        _names(texts(project, "modules", "module")),
    )


def _tag(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""  # a comment's is a function


_GRADLE_NEED = re.compile(
    r"\b(?:implementation|api|compileOnly|runtimeOnly|classpath|annotationProcessor|kapt|ksp|developmentOnly"
    r"|test\w*|androidTest\w*|debug\w*)[ \t]*+\(?[ \t]*+(?:platform\()?[ \t]*+[\"']([\w.-]++:[\w.-]++)[^\"'\n]*+[\"']"
)
_GRADLE_PLUGIN = re.compile(r"\bid[ \t]*+\(?[ \t]*+[\"']([\w.-]++)[\"']|\bkotlin\([\"']([\w.-]+)[\"']\)")


def _gradle(path: str, text: str) -> Manifest:
    plugins = [found[1] or f"org.jetbrains.kotlin.{found[2]}" for found in _GRADLE_PLUGIN.finditer(text)]
    kotlin = any(plugin.startswith("org.jetbrains.kotlin") for plugin in plugins)
    needs = (found[1] for found in _GRADLE_NEED.finditer(text))
    return Manifest(
        path,
        "maven",
        "kotlin" if kotlin else "java",
        dependencies=_names([*plugins, *needs]),
        commands="application" in plugins or bool(re.search(r"^[ \t]*application\s*$", text, re.MULTILINE)),
        importable="java-library" in plugins or "`java-library`" in text,
    )


def _gradle_settings(path: str, text: str) -> Manifest:
    name = re.search(r"rootProject\.name\s*=\s*[\"']([^\"'\n]+)[\"']", text)
    members = (member.strip(":").replace(":", "/") for member in gradle_members(text))
    return Manifest(path, "maven", "java", clean_name(name[1] if name else None), members=_names(members))


def gradle_members(text: str) -> Iterator[str]:
    """The projects that a settings file includes, as written."""
    goes_on = False  # a list ends with the first line that does not end in a comma
    for line in text.splitlines():
        if goes_on or re.match(r"[ \t]*include\b", line):
            yield from re.findall(r"[\"']([^\"']+)[\"']", line)
            goes_on = line.rstrip().endswith((",", "("))


# --- Ruby, PHP, .NET, C and C++, Elixir, Dart ---


def _gemfile(path: str, text: str) -> Manifest:
    needs = re.findall(r"^[ \t]*gem[ \t(]+[\"']([\w.-]+)[\"']", text, re.MULTILINE)
    return Manifest(path, "gem", "ruby", dependencies=_names(needs))


def _gemspec(path: str, text: str) -> Manifest:
    name = re.search(r"\.name\s*=\s*[\"']([\w.-]+)[\"']", text)
    needs = re.findall(r"\.add_(?:runtime_|development_)?dependency[ \t(]+[\"']([\w.-]+)[\"']", text)
    commands = re.search(r"\.executables\b", text) is not None
    return Manifest(path, "gem", "ruby", clean_name(name[1] if name else None), _names(needs), (), commands, True)


def _composer(path: str, text: str) -> Manifest:
    package = table(json.loads(text))
    needs = [name.lower() for kind in ("require", "require-dev") for name in table(package, kind)]
    return Manifest(
        path,
        "composer",
        "php",
        clean_name(package.get("name")),
        _names(name for name in needs if "/" in name),  # php and ext-* are no packages
        commands=bool(package.get("bin")),
        importable=package.get("type") == "library",
    )


_DOTNET = {".csproj": "csharp", ".fsproj": "fsharp", ".vbproj": "visual-basic"}


def _xml_project(path: str, text: str) -> Manifest:
    project = xml_root(text)
    file = PurePosixPath(path)
    references = [n.get("Include") for n in project.iter() if _tag(n) in ("PackageReference", "FrameworkReference")]
    needs = [name.lower() for name in [project.get("Sdk"), *references] if name]
    output = texts(project, "PropertyGroup", "OutputType")
    return Manifest(
        path,
        "nuget",
        _DOTNET[file.suffix],
        clean_name(next(iter(texts(project, "PropertyGroup", "AssemblyName")), file.stem)),
        _names(needs),
        commands=output == ["Exe"] and "microsoft.net.sdk.web" not in needs,
        importable=not output,
    )


_CMAKE_PROJECT = re.compile(r"^[ \t]*project\s*\(\s*([\w.+-]+)([^)]{0,500})\)", re.MULTILINE | re.IGNORECASE)


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
        _names(need.lower() for need in needs),
        importable=re.search(r"^[ \t]*install\s*\(\s*TARGETS", text, re.MULTILINE | re.IGNORECASE) is not None
        and re.search(r"^[ \t]*add_library\s*\(", text, re.MULTILINE | re.IGNORECASE) is not None,
    )


def _mix(path: str, text: str) -> Manifest:
    name = re.search(r"\bapp:\s*:(\w+)", text)
    needs = re.findall(r"\{\s*:(\w+)\s*,\s*[\"'~\w]", text)
    return Manifest(path, "hex", "elixir", clean_name(name[1] if name else None), _names(needs))


def _pubspec(path: str, text: str) -> Manifest:
    name = re.search(r"^name:\s*([\w-]+)", text, re.MULTILINE)
    lines = [*_yaml_block(text, "dependencies"), *_yaml_block(text, "dev_dependencies")]
    keys = (re.match(r" {2}([\w-]+):", line) for line in lines)
    return Manifest(path, "pub", "dart", clean_name(name[1] if name else None), _names(k[1] for k in keys if k))


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
    "pom.xml": _pom,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
    "settings.gradle": _gradle_settings,
    "settings.gradle.kts": _gradle_settings,
    "Gemfile": _gemfile,
    "composer.json": _composer,
    "CMakeLists.txt": _cmake,
    "mix.exs": _mix,
    "pubspec.yaml": _pubspec,
}
_BY_SUFFIX: dict[str, _Reader] = {
    ".gemspec": _gemspec,
    **dict.fromkeys(_DOTNET, _xml_project),
}
