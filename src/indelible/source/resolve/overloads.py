"""Overload resolution: which of several definitions a call means, and when none of them fits."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from indelible.source.parse.symbols import CALLABLE, CONSTANT, Reference, Symbol
from indelible.source.resolve.definition_index import Place
from indelible.source.resolve.evaluation import Evaluation
from indelible.source.resolve.meaning import INHERITED, Meaning
from indelible.source.resolve.scopes import FileScopes

MOST_BASES = 8  # that are asked in turn for a method that takes so many arguments

# Names that JUnit's TestCase has: a base of the codebase may overload one, and only argument types tell which is meant.
_OF_TEST_CASE = frozenset(
    "assertEquals assertArrayEquals assertSame assertNotSame assertTrue assertFalse assertNull assertNotNull "
    "fail".split()
)
_RENAMED = re.compile(r"#\s*define\s+\w+\s+([A-Za-z_]\w*)$")


def callee(of: "Evaluation", file: FileScopes, reference: Reference, found: Meaning) -> Meaning | None:
    """Return the meaning of a call from that of its name, None if it does not fit."""
    if file.family == "c":
        return found if _is_something(of, found) else None
    if file.family == "java":
        if not reference.receiver and reference.name in _OF_TEST_CASE and found.confidence <= INHERITED:
            scope = file.owner(reference.scope)
            return None if of.ancestry.outside("java", scope) else found
        return _taking(of, found, reference)
    return found


def _taking(of: "Evaluation", found: Meaning, reference: Reference) -> Meaning | None:
    """Return the method, or that of a base, with an overload of so many arguments."""
    for _ in range(MOST_BASES):
        symbols = [of.at(place)[0].symbols[place.at] for place in found.places]
        if reference.arguments < 0 or any(_takes(symbol, reference.arguments) for symbol in symbols):
            return found
        owner = symbols[0].parent if symbols else ""
        inherited = of.member("java", Meaning("super", owner, (), INHERITED), reference.name) if owner else None
        if inherited is None or inherited.kind != "symbol" or inherited.identity == found.identity:
            return None
        found = inherited
    return None


def _takes(symbol: Symbol, count: int) -> bool:
    """Whether a method can be called with so many arguments; True for other symbols and cut signatures."""
    if symbol.kind not in CALLABLE:
        return True
    parameters = list(_parameters(symbol))
    if not parameters or parameters[-1] is None:
        return True
    written = [each for each in parameters[:-1] if each]
    varies = bool(written) and "..." in written[-1]
    return count >= len(written) - 1 if varies else count == len(written)


def _parameters(symbol: Symbol) -> Iterator[str | None]:
    """Yield the parameters in a signature as written, then "" if that is all of them, None if it is cut."""
    found = re.search(rf"\b{re.escape(symbol.name)}\s*\(", symbol.signature)
    if found is None:
        return
    depth, part = 1, ""
    for character in symbol.signature[found.end() :]:
        depth += (character in "([{<") - (character in ")]}>")
        if depth == 0:
            yield part.strip()
            yield ""
            return
        if depth == 1 and character == ",":
            yield part.strip()
            part = ""
        else:
            part += character
    yield None


def _is_something(of: "Evaluation", found: Meaning) -> bool:
    """Whether the result is more than another name for something outside (`#define getenv decc_getenv` on VMS)."""
    if not found.places:
        return True
    file, index = of.at(found.places[0])
    symbol = file.symbols[index]
    renamed = _RENAMED.search(symbol.signature) if symbol.kind == CONSTANT else None
    return renamed is None or bool(of.definitions.members.get(("c", ""), {}).get(renamed[1]))


def nearest(of: "Evaluation", file: FileScopes, places: Sequence[Place]) -> Place:
    """Return of several definitions of one name the one that shares most folders with a file, the first of equals.

    Those without a body, and stubs, are taken only where there is nothing else.
    """
    if len(places) == 1 or all(place.path == places[0].path for place in places):
        return places[0]
    rank = (places[0].path.endswith(".pyi"), of.has_body(places[0]))
    equal = [place for place in places if (place.path.endswith(".pyi"), of.has_body(place)) == rank]
    own = file.path.split("/")
    return min(equal, key=lambda place: -_shared(own, place.path.split("/")))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
