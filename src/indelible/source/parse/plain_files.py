"""From a file of a language without a grammar to its symbols."""

from indelible.source.parse.conventions import is_test_file
from indelible.source.parse.deadline import Deadline
from indelible.source.parse.extraction import DEEPEST, MOST_SYMBOLS
from indelible.source.parse.languages import Language
from indelible.source.parse.readers.section import Section
from indelible.source.parse.symbols import PUBLIC, ParsedFile, Symbol


def read(text: bytes, language: Language, path: str, module: str, encoding: str, late: Deadline) -> ParsedFile:
    """Return the symbols of a file by `language.read`. Raises NotSource where `late` passes."""
    symbols: list[Symbol] = []
    around: list[tuple[int, str]] = []  # where each ends, and its qualified name
    cut = False
    row, counted = 1, 0
    for each in language.read(text) if language.read is not None else ():
        late.tick()
        while around and around[-1][0] <= each.start:
            around.pop()
        if len(symbols) >= MOST_SYMBOLS or len(around) >= DEEPEST:
            cut = True
            continue
        row, counted = row + text.count(b"\n", counted, each.start), each.start
        symbols.append(_symbol(text, each, row, language.separator, around[-1][1] if around else "", module))
        around.append((each.end, symbols[-1].qualified_name))
    late.check()
    return ParsedFile(
        *(language.name, module, "", tuple(symbols), (), (), ()),
        lines=text.count(b"\n") + (not text.endswith(b"\n") and bool(text)),
        is_test=is_test_file(language.family, path),
        errors=False,
        cut=cut,
        encoding=encoding,
    )


def _symbol(text: bytes, each: Section, row: int, separator: str, around: str, module: str) -> Symbol:
    parent = separator.join(filter(None, (around, each.qualifier)))
    qualified = separator.join(filter(None, (parent or module, each.name)))
    last = row + text.count(b"\n", each.start, max(each.start, each.end - 1))
    line = row + text.count(b"\n", each.start, each.at)
    return Symbol(
        each.kind,
        each.name,
        qualified,
        each.signature,
        each.doc,
        PUBLIC,
        line=line,
        start_line=row,
        end_line=last,
        start_byte=each.start,
        end_byte=each.end,
        parent=parent,
        is_test=False,
        declared=False,
        body_hash="",
    )
