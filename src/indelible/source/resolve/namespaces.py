"""Names that need no import: of the namespace that a file states, of those around it, and of a language's files."""

from collections.abc import Iterator

from indelible.source.parse.symbols import CALLABLE, MODULE_LEVEL
from indelible.source.resolve.evaluator import Evaluator
from indelible.source.resolve.meaning import ALONE, EXACT, Meaning
from indelible.source.resolve.scopes import SEPARATORS, FileScopes

FAMILIES = frozenset(("csharp", "kotlin", "scala", "swift", "ruby", "php", "bash"))
_ENCLOSING = frozenset(("csharp", "scala", "ruby"))  # names of the namespaces around are known too
_NESTED = frozenset(("python", "rust", "csharp", "kotlin", "scala", "php"))  # a module has modules as members


def below(family: str, module: str, name: str) -> str | None:
    """Return the name of a module in a module, None where the language has none."""
    return f"{module}{SEPARATORS.get(family, '.')}{name}" if family in _NESTED else None


def around(of: Evaluator, file: FileScopes, scope: int, name: str) -> Meaning | None:
    """Return a name of the types and namespaces around a scope, innermost first, then of a module of that name."""
    for container in _containers(file, scope):
        found = of.of_container(file.family, container, name, file.path)
        if found is not None:
            return found
    if file.family == "bash":
        return _alone(of, file, name)
    if of.definitions.is_module(file.family, name):
        return Meaning("module", name, (), EXACT)
    return None


def _containers(file: FileScopes, scope: int) -> Iterator[str]:
    family = file.family
    if family not in _ENCLOSING:
        yield file.module
        return
    separator = SEPARATORS.get(family, ".")
    name = file.symbols[scope].qualified_name if scope != MODULE_LEVEL else file.module
    while name:
        yield name
        name = name.rpartition(separator)[0]
    if family != "scala" or not file.module:
        yield ""


def _alone(of: Evaluator, file: FileScopes, name: str) -> Meaning | None:
    """Return the only function of the name in the scripts of a codebase, for those that are sourced by a computed path.

    Only where the name is hardly that of a program.
    """
    if not any(mark in name.strip("_-") for mark in "_-:"):
        return None
    if not of.scripts:
        for members in of.definitions.members_of("bash"):
            for known, places in members.items():
                of.scripts.setdefault(known, []).extend(places)
    places = of.scripts.get(name, [])
    if len(places) != 1:
        return None
    found, index = of.at(places[0])
    if found.symbols[index].kind not in CALLABLE:
        return None
    return Meaning("symbol", found.own_identity(index), (places[0],), ALONE)
