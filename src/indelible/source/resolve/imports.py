"""The meaning of import statements: a module, or a name in one; one function a language."""

from collections.abc import Callable

from indelible.source.parse.symbols import MODULE_LEVEL, PRIVATE, Import
from indelible.source.resolve import c_linkage, module_paths
from indelible.source.resolve.evaluator import Evaluator
from indelible.source.resolve.meaning import EXACT, FIELD, Meaning
from indelible.source.resolve.scopes import SEPARATORS, FileScopes


def imported(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return the meaning of an import, None if it is outside. `whole`: the module of `import a.b`, not a."""
    return _BY_FAMILY[file.family](of, file, each, whole)


def _python(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return a module or a member of one."""
    if not each.name and not each.alias and not whole:
        top = each.module.partition(".")[0]
        return of.module(top) if of.definitions.is_module("python", top) else None
    module = module_paths.python(of.definitions, file, each.module)
    if module is None:
        return None
    found = of.module(module)
    return of.member("python", found, each.name) if each.name not in ("", "*") else found


def _ecmascript(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return a module, a member or the default export."""
    if not each.module:
        return of.value(file, MODULE_LEVEL, each.name)
    module = module_paths.ecmascript(of.definitions, file, each.module)
    if module is None:
        return None
    found = of.module(module)
    if each.name in ("", "*"):
        return found
    return of.member("ecmascript", found, each.name) or (
        default_export(of, module, each.alias) if each.name == "default" else None
    )


def default_export(of: "Evaluator", module: str, alias: str) -> Meaning | None:
    """Return a module's default export; if unnamed, by the importer's name, the file's, or the only export."""
    default = of.member("ecmascript", of.module(module), "default")
    if default is not None:
        return default if default.kind == "symbol" else None
    names = of.definitions.members.get(("ecmascript", module), {})
    stem = module.removesuffix("/index").rpartition("/")[2]
    public = [
        name
        for name, places in names.items()
        if any(of.definitions.files[at.path].symbols[at.at].visibility != PRIVATE for at in places)
    ]
    for name in (alias, stem, *(public if len(public) == 1 else ())):
        if names.get(name):
            found = of.of_container("ecmascript", module, name, "")
            return found.at_most(FIELD) if found is not None else None
    return None


def _rust(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return a path from the crate, this module, the one above, another crate, or names in scope."""
    path = "::".join(filter(None, (each.module, "" if each.name == "*" else each.name)))
    head, _, rest = path.partition("::")
    namespace = file.namespace(each.scope)
    found: Meaning | None
    if head in ("crate", "super", "self"):
        top = {"crate": namespace.partition("::")[0], "super": namespace.rpartition("::")[0], "self": namespace}[head]
        found = of.module(top)
    elif of.definitions.is_module("rust", f"{namespace}::{head}"):
        found = of.module(f"{namespace}::{head}")
    elif of.definitions.is_module("rust", head):
        found = of.module(head)
    else:
        found = of.of_container("rust", namespace, head, file.path) if rest else None
    for part in filter(None, rest.split("::")):
        found = of.member("rust", found, part) if found is not None else None
    return found


def _go(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return the package in a folder."""
    folder = module_paths.go(of.definitions, each.module)
    identity = module_paths.go_identity(of.definitions, folder) if folder is not None else None
    return of.module(identity) if identity is not None else None


def _java(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return a type of a package, or a member of a type."""
    if of.definitions.is_module("java", each.module):
        found: Meaning | None = of.module(each.module)
    else:
        places = of.definitions.named.get(("java", each.module))
        found = Meaning("symbol", each.module, tuple(places), EXACT) if places else None
    if found is None or each.name in ("", "*"):
        return found
    return of.member("java", found, each.name)


def _c(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return the name of a `using`; an #include has none."""
    if each.module[:1] in ('"', "<"):
        return None
    if each.name in ("", "*"):
        return of.module(each.module)
    return c_linkage.linked(of, file, MODULE_LEVEL, each.name, (each.module,))


def _packaged(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return a package or namespace, a type of one, or a member of a type."""
    family, separator = file.family, SEPARATORS.get(file.family, ".")
    path = separator.join(filter(None, (each.module, "" if each.name == "*" else each.name)))
    for identity in _read_from(file, path, separator):
        if places := of.definitions.named.get((family, identity)):
            return Meaning("symbol", identity, tuple(places), EXACT)
        if of.definitions.is_module(family, identity):
            return of.module(identity)
        module, _, name = identity.rpartition(separator)
        places = of.definitions.named.get((family, module)) if name else None
        if places:  # a member of a type
            return of.member(family, Meaning("symbol", module, tuple(places), EXACT), name)
    return None


def _read_from(file: FileScopes, path: str, separator: str) -> list[str]:
    """Return the full names that a path may mean: those of Scala begin in any package around."""
    if file.family != "scala":
        return [path]
    parts = file.module.split(separator)
    return [path, *(separator.join([*parts[:count], path]) for count in range(len(parts), 0, -1))]


def _by_path(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return the names of a file that is read in (shells); elsewhere a path names no module."""
    if file.family != "bash":
        return _packaged(of, file, each, whole) if each.module[:1] not in ('"', "<") else None
    path = module_paths.included(of.definitions, file, each.module)
    return of.module(of.definitions.files[path].module) if path is not None else None


def _outside(of: "Evaluator", file: FileScopes, each: Import, whole: bool) -> Meaning | None:
    """Return None: it is outside of the codebase."""
    return None


_BY_FAMILY: dict[str, Callable[["Evaluator", FileScopes, Import, bool], Meaning | None]] = {
    "python": _python,
    "ecmascript": _ecmascript,
    "rust": _rust,
    "go": _go,
    "java": _java,
    "c": _c,
    **dict.fromkeys(("csharp", "kotlin", "scala"), _packaged),
    **dict.fromkeys(("php", "bash"), _by_path),
    **dict.fromkeys(("ruby", "swift", "markdown", "sql"), _outside),
}
