"""The rows of a file's symbols as they are stored."""

from collections import Counter
from typing import NamedTuple

from indelible.search import tokens
from indelible.source.parse.deadline import Deadline
from indelible.source.parse.symbols import ParsedFile, Symbol
from indelible.source.parse.texts import described


class SymbolRow(NamedTuple):
    """A symbol to store: one for each qualified name of a file; `places` are its other definitions there.

    `text` is embedded, `terms` with their total `size` are searched (see `search.tokens`).
    """

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    visibility: str
    line: int
    start_line: int
    end_line: int
    parent: str
    is_test: bool
    body_hash: str
    places: tuple[tuple[str, int, int], ...]
    text: str
    size: int
    terms: bytes


def rows_of(path: str, parsed: ParsedFile, source: bytes, late: Deadline) -> tuple[SymbolRow, ...]:
    """Return the rows of a file, one a qualified name, in the order of the text. `source` is the text that was parsed.

    Raises NotSource where `late` passes.
    """
    groups: dict[str, list[Symbol]] = {}
    for symbol in parsed.symbols:
        groups.setdefault(symbol.qualified_name, []).append(symbol)
    rows = []
    for group in groups.values():
        late.tick()
        shown = group[0] if len(group) == 1 else next((each for each in group if not each.declared), group[0])
        others = [each for each in group if each is not shown] if len(group) > 1 else []
        text, terms = described(shown, path, source, others)
        places = tuple([(each.signature, each.start_line, each.end_line) for each in others])
        own = (*shown[:9], shown.parent, shown.is_test, shown.body_hash)
        rows.append(SymbolRow._make((*own, places, text, len(terms), tokens.pack(Counter(terms)))))
    return tuple(rows)
