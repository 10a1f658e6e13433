"""What a function returns, by its signature: the path of the type, "" where it says none."""

import re

_ARROW = re.compile(r"->\s*[\"']?([\w.]+)[\"']?\s*$")
_RUST = re.compile(r"->\s*(?:&(?:'\w+\s+)?(?:mut\s+)?)?(?:(?:\w+::)*(?:Result|Option|Box|Arc|Rc)<\s*&?)*([\w:]+)")
_GO = re.compile(r"\)\s*\(?\s*(?:\w+\s+)?\*?([A-Za-z_][\w.]*)(?:\[[^\]]*\])?(?:,[^()]*)?\)?\s*$")
_TYPESCRIPT = re.compile(r"\)\s*:\s*(?:Promise<\s*)?([\w.$]+)>?\s*$")


def return_type(family: str, signature: str, name: str) -> str:
    """The type that a function of the name returns; what wraps it (Result, Option, Promise) is left out."""
    if family in ("java", "c"):
        found = re.search(rf"([\w:.]+)(?:<.*>)?[\s*&]+(?:[\w:]+::)?{re.escape(name)}\s*\(", signature)
    else:
        found = _BY_FAMILY[family].search(signature) if family not in _ARROWS or "->" in signature else None
    return found[1] if found else ""


_ARROWS = frozenset(("python", "rust"))
_BY_FAMILY = {"python": _ARROW, "rust": _RUST, "go": _GO, "ecmascript": _TYPESCRIPT}
