"""The file or folder of a codebase that an import names, by the rules of its language."""

import posixpath

from indelible.source.resolve import path_aliases
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.scopes import FileScopes

_ECMASCRIPT = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_INDEX = ("", "/index", "/src/index", "/lib/index", "/src/main", "/main")
PACKAGE_FILES = ("__init__.py", "__init__.pyi")


def python(definitions: Definitions, file: FileScopes, module: str) -> str | None:
    """Return the full name of a module; a relative one is below the file's package, others may be beside the file."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    package = file.module if file.path.rpartition("/")[2] in PACKAGE_FILES else file.module.rpartition(".")[0]
    if not level:
        beside = f"{package}.{name}" if package else name
        return next((each for each in (name, beside) if definitions.is_module("python", each)), None)
    parts = package.split(".") if package else []
    if level - 1 > len(parts):
        return None
    found = ".".join([*parts[: len(parts) - level + 1], *([name] if name else [])])
    return found if definitions.is_module("python", found) else None


def ecmascript(definitions: Definitions, file: FileScopes, module: str) -> str | None:
    """Return the path of a module without its extension: relative to the file, or in a package of the codebase."""
    if module.startswith("."):
        return _ecmascript(definitions, posixpath.normpath(posixpath.join(file.folder, module)))
    for path in path_aliases.targets(definitions.aliases, file.folder, module):
        if (found := _ecmascript(definitions, path)) is not None:
            return found
    parts = module.split("/")
    length = 2 if module.startswith("@") else 1
    folder = definitions.npm_packages.get("/".join(parts[:length]))
    if folder is None:
        return None
    inner = "/".join(parts[length:])
    roots = (posixpath.join(folder, inner), posixpath.join(folder, "src", inner)) if inner else (folder or ".",)
    return next(filter(None, (_ecmascript(definitions, root) for root in roots)), None)


def _ecmascript(definitions: Definitions, path: str) -> str | None:
    stems = [path, *(path.removesuffix(end) for end in _ECMASCRIPT if path.endswith(end))]
    for stem in stems:
        for inner in _INDEX:
            found = posixpath.normpath(stem + inner)
            if definitions.modules.get(("ecmascript", found)):
                return found
    return None


def go(definitions: Definitions, module: str) -> str | None:
    """Return the folder of a package: below the module that go.mod names, else the only one that the path ends with."""
    for folder, name in definitions.go_modules.items():
        if module == name or module.startswith(f"{name}/"):
            found = posixpath.normpath(posixpath.join(folder, module[len(name) + 1 :]))
            return "" if found == "." else found
    parts = module.split("/")
    if "." not in parts[0]:
        return None  # of the standard library
    ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
    return next((end for end in ends if definitions.folders.get(("go", end))), None)


def go_identity(definitions: Definitions, folder: str) -> str | None:
    """Return the identity of the package in a folder, its tests left out."""
    for path in definitions.folders.get(("go", folder), ()):
        if not path.endswith("_test.go"):
            return definitions.files[path].module
    return None


def included(definitions: Definitions, file: FileScopes, written: str) -> str | None:
    """Return the file of an #include: beside the includer, else the nearest of those whose path ends so."""
    path = written.strip('<>"')
    beside = posixpath.normpath(posixpath.join(file.folder, path))
    if not written.startswith("<") and beside in definitions.files:
        return beside
    path = posixpath.normpath(path).lstrip("./")
    ends = [each for each in definitions.by_file_name.get(path.rpartition("/")[2], ()) if _ends_with(each, path)]
    return min(ends, key=lambda each: (-len(posixpath.commonprefix((each, file.path))), len(each), each), default=None)


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith(f"/{end}")
