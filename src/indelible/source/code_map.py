"""A map of a codebase within a number of tokens: its most central symbols, under their files."""

from collections.abc import Callable, Iterable, Sequence

from indelible.dataclass import dataclass
from indelible.source.clusters import words_in

LONGEST_SIGNATURE = 160  # characters; a longer one is cut between two parameters where it can be
INDENT = "  "
CUT = "…"


@dataclass(frozen=True, slots=True)
class Mapped:
    """A symbol as the map shows it. `parent` is the qualified name of the symbol that it stands in, "" for none."""

    qualified_name: str
    path: str
    signature: str
    line: int
    rank: float
    parent: str = ""


@dataclass(frozen=True, slots=True)
class CodeMap:
    """The text, its number of tokens, and how much of the codebase is in it."""

    text: str
    tokens: int
    symbols: int
    files: int
    left_out: int


def code_map(symbols: Sequence[Mapped], count: Callable[[str], int], most: int) -> CodeMap:
    """Return the map of the symbols of highest rank that fit into `most` tokens, as `count` counts them.

    Files stand in the order of the rank of their best symbol, symbols in the order of their lines, members below their
    container, which is shown with them even if its own rank is low. The number of symbols is found by halving, so that
    `count` is called some 20 times; the map is never larger than `most`, and the same for the same symbols.
    """
    ranked = sorted(symbols, key=lambda each: (-each.rank, each.path, each.line, each.qualified_name))
    known = {(each.path, each.qualified_name): each for each in symbols}
    text, tokens, taken = "", 0, 0
    fits, too_many = 0, len(ranked) + 1
    while too_many - fits > 1:
        tried = min((fits + too_many) // 2, max(16, fits * 4))
        written = _written(ranked[:tried], known)
        size = count(written)
        if size <= most:
            fits, text, tokens, taken = tried, written, size, tried
        else:
            too_many = tried
    shown = _with_parents(ranked[:taken], known)
    return CodeMap(text, tokens, len(shown), len({each.path for each in shown}), len(symbols) - len(shown))


def focus(symbols: Sequence[Mapped], paths: Sequence[str] = (), query: str = "") -> list[float]:
    """Return the seeds, 0..2 a symbol, that personalise PageRank for a map by paths and a query.

    A symbol in one of the `paths` counts 1, plus the share of the query's words that are in its name or file.
    """
    folders = tuple(f"{path.rstrip('/')}/" for path in paths)
    asked = frozenset(words_in(query))
    return [
        float(each.path in paths or each.path.startswith(folders))
        + (len(asked.intersection(words_in(each.qualified_name, each.path))) / len(asked) if asked else 0.0)
        for each in symbols
    ]


def _written(chosen: Sequence[Mapped], known: dict[tuple[str, str], Mapped]) -> str:
    """The map of some symbols, in the order of their ranks."""
    order = {path: place for place, path in enumerate(dict.fromkeys(each.path for each in chosen))}
    files: dict[str, list[Mapped]] = {path: [] for path in order}
    for each in _with_parents(chosen, known):
        files[each.path].append(each)
    return "\n".join(f"{path}:\n{_file(inside, known)}" for path, inside in files.items())


def _with_parents(chosen: Iterable[Mapped], known: dict[tuple[str, str], Mapped]) -> list[Mapped]:
    found: dict[tuple[str, int, str], Mapped] = {}
    for each in chosen:
        for one in (each, *_around(each, known)):
            found[one.path, one.line, one.qualified_name] = one
    return list(found.values())


def _around(symbol: Mapped, known: dict[tuple[str, str], Mapped]) -> list[Mapped]:
    """Return the symbols that contain a symbol, innermost first."""
    found: list[Mapped] = []
    while (parent := known.get((symbol.path, symbol.parent))) is not None and parent not in found:
        found.append(parent)
        symbol = parent
    return found


def _file(inside: Iterable[Mapped], known: dict[tuple[str, str], Mapped]) -> str:
    lines = sorted(inside, key=lambda each: (each.line, each.qualified_name))
    return "\n".join(
        f"{INDENT * (1 + len(_around(each, known)))}{each.line}: {shortened(each.signature)}" for each in lines
    )


def shortened(signature: str) -> str:
    """Return a signature on one line of at most 160 characters, cut after the last parameter that fits."""
    line = " ".join(signature.split())
    if len(line) <= LONGEST_SIGNATURE:
        return line
    head = line[: LONGEST_SIGNATURE - 1]
    comma = head.rfind(",")
    bracket = head.find("(")
    if 0 <= bracket < comma:
        return f"{head[: comma + 1]} {CUT}"
    space = head.rfind(" ")
    return f"{head[: space if space > 0 else len(head)]}{CUT}"
