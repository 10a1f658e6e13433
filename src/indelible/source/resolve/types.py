"""The type of a name's value: as written beside it, by its constructor, or by the result of a call."""

import re
from collections.abc import Sequence

from indelible.source.parse.symbols import CALLABLE, MODULE_LEVEL, TYPE, TYPES, Binding
from indelible.source.resolve.evaluator import Evaluator
from indelible.source.resolve.meaning import RETURNED, TYPED, UNKNOWN, Meaning
from indelible.source.resolve.scopes import FileScopes


def typed(of: "Evaluator", file: FileScopes, bindings: Sequence[Binding], confidence: float) -> Meaning:
    """Return an instance of the type that all bindings of a name agree on, else unknown."""
    found: Meaning | None = None
    for binding in bindings:
        one = _instance_of(of, file, binding)
        if one is None or (found is not None and one.identity != found.identity):
            return UNKNOWN
        found = one
    return found.at_most(confidence) if found is not None else UNKNOWN


def _instance_of(of: "Evaluator", file: FileScopes, binding: Binding) -> Meaning | None:
    scope = binding.scope
    path = binding.type
    if scope != MODULE_LEVEL and path.removesuffix("()") == binding.name:
        scope = file.outer[scope]  # `store = store()` calls what it hides
    found = of.value(file, scope, path)
    if found is None or found.kind in ("unknown", "module", "super"):
        return None
    if path.endswith("()"):
        return found if found.kind == "instance" else None
    if found.kind != "symbol" or not found.places:
        return None
    held, index = of.at(found.places[0])
    kind = held.symbols[index].kind
    return found._replace(kind="instance") if kind in TYPES or kind == TYPE else None


def result(of: "Evaluator", found: Meaning) -> Meaning | None:
    """Return the meaning of the result of a call."""
    if found.kind == "super":
        return found
    if found.kind != "symbol" or not found.places:
        return None
    file, index = of.at(found.places[0])
    symbol = file.symbols[index]
    if symbol.kind in TYPES or symbol.kind == TYPE:
        return found._replace(kind="instance").at_most(TYPED)
    return _returned(of, file, index, found.confidence) if symbol.kind in CALLABLE else None


def _returned(of: "Evaluator", file: FileScopes, index: int, confidence: float) -> Meaning | None:
    """Return an instance of the return type in a signature."""
    symbol = file.symbols[index]
    written = return_type(file.family, symbol.signature, symbol.name).replace("\\", ".")
    if written in ("Self", "self", "this", "static"):
        owner = file.owner(index)
        return of.instance(file.family, owner, min(confidence, RETURNED)) if owner else None
    typed = of.value(file, file.outer[index], written) if written else None
    if typed is None or typed.kind != "symbol":
        return None
    return typed._replace(kind="instance").at_most(min(confidence, RETURNED))


_ARROW = re.compile(r"->\s*[\"']?([\w.]+)[\"']?\s*$")


_RUST = re.compile(r"->\s*(?:&(?:'\w+\s+)?(?:mut\s+)?)?(?:(?:\w+::)*(?:Result|Option|Box|Arc|Rc)<\s*&?)*([\w:]+)")


_GO = re.compile(r"\)\s*\(?\s*(?:\w+\s+)?\*?([A-Za-z_][\w.]*)(?:\[[^\]]*\])?(?:,[^()]*)?\)?\s*$")


_TYPESCRIPT = re.compile(r"\)\s*:\s*(?:Promise<\s*)?([\w.$]+)>?\s*$")


def return_type(family: str, signature: str, name: str) -> str:
    """Return the return type of a function of the name; wrappers (Result, Option, Promise) are left out."""
    if family in ("java", "c", "csharp"):
        found = re.search(rf"([\w:.]+)(?:<.*>)?[\s*&]+(?:[\w:]+::)?{re.escape(name)}\s*\(", signature)
    else:
        found = _BY_FAMILY[family].search(signature) if family not in _ARROWS or "->" in signature else None
    return found[1] if found else ""


_ARROWS = frozenset(("python", "rust", "swift"))
_AFTER_COLON = re.compile(r"\)\s*:\s*\??([\w.\\]+)(?:[<\[].*)?\??\s*$")
_SWIFT = re.compile(r"->\s*([\w.]+)(?:<.*>)?[?!]?\s*$")
_NO_TYPE = re.compile(r"(?!)")


_BY_FAMILY = {
    **{"python": _ARROW, "rust": _RUST, "go": _GO, "ecmascript": _TYPESCRIPT, "swift": _SWIFT},
    **dict.fromkeys(("kotlin", "scala", "php"), _AFTER_COLON),
    **dict.fromkeys(("ruby", "bash", "markdown", "sql"), _NO_TYPE),
}
