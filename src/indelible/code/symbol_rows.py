"""The rows of a file's symbols as they are stored, without the secrets that stand in the source."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from indelible.code.deadline import Deadline
from indelible.code.symbols import Import, ParsedFile, Symbol
from indelible.code.texts import MOST_TOLD, described
from indelible.redact import redact_text
from indelible.search import tokens

T = TypeVar("T")
Counts = tuple[tuple[str, int], ...]  # secrets that were taken out, by rule


class SymbolRow(NamedTuple):
    """A symbol to store: one for each qualified name of a file; `places` are its other definitions there.

    `text` is what it is embedded by, `size` and `terms` what it is found by (see `search.tokens`).
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
    """The rows of a file, with the secrets that stand in it. `source` is its text as it was parsed.

    Raises NotSource where `late` passes.
    """
    return tuple(_rows(path, parsed.symbols, source, late))


def has_secret(texts: Iterable[str]) -> bool:
    """Whether there may be a secret in one of them. They are looked through as one text, which is fast."""
    return bool(redact_text("\n".join(texts))[1])


def without_secrets(
    path: str, parsed: ParsedFile, source: bytes, rows: tuple[SymbolRow, ...], late: Deadline
) -> tuple[ParsedFile, tuple[SymbolRow, ...], Counts]:
    """A file and its rows as they may be stored, and how many secrets were taken out of what they tell.

    Where there is a secret, each part is looked at alone. Raises NotSource where `late` passes.
    """
    if not has_secret(told(path, rows, parsed.imports)):
        return parsed, rows, ()
    counts: Counter[str] = Counter()
    clean = _redacted(parsed, counts, late)
    return clean, tuple(_rows(path, clean.symbols, source, late, hidden=True)), tuple(sorted(counts.items()))


def told(path: str, rows: Sequence[SymbolRow], imports: Sequence[Import]) -> Iterator[str]:
    """What is stored of a file; the signature and the beginning of the doc stand in a row's text.

    The first line of that is made of the words of names: what is no word in a name (a test's title) is looked at apart.
    """
    yield path
    for row in rows:
        yield row.text.partition("\n")[2]
        if len(row.doc) > MOST_TOLD:
            yield row.doc
        if not row.name.isidentifier():
            yield row.name
        for signature, _, _ in row.places:
            yield signature
    for each in imports:
        yield each.module


def _redacted(parsed: ParsedFile, counts: Counter[str], late: Deadline) -> ParsedFile:
    """A file without secrets; those of a name stand in the signature too, and are counted there."""
    symbols = (
        each._replace(
            name=_clean(each.name),
            qualified_name=_clean(each.qualified_name),
            parent=_clean(each.parent),
            signature=_clean(each.signature, counts),
            doc=_clean(each.doc, counts),
        )
        for each in _in_time(parsed.symbols, late)
    )
    imports = (each._replace(module=_clean(each.module, counts)) for each in _in_time(parsed.imports, late))
    return replace(parsed, symbols=tuple(symbols), imports=tuple(imports))


def _in_time(things: Iterable[T], late: Deadline) -> Iterator[T]:
    """The things, as long as there is time. Raises NotSource."""
    for each in things:
        late.check()
        yield each


def _clean(text: str, counts: Counter[str] | None = None) -> str:
    clean, found = redact_text(text) if text else (text, {})
    if counts is not None:
        counts.update(found)
    return clean


def _rows(
    path: str, symbols: Iterable[Symbol], source: bytes, late: Deadline, *, hidden: bool = False
) -> Iterator[SymbolRow]:
    """The symbols of a file, one a qualified name, in the order of the text; `hidden`: secrets in bodies are too."""
    groups: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        groups.setdefault(symbol.qualified_name, []).append(symbol)
    for group in _in_time(groups.values(), late):
        shown = group[0] if len(group) == 1 else next((each for each in group if not each.declared), group[0])
        others = [each for each in group if each is not shown] if len(group) > 1 else []
        symbol, body = _apart(shown, source) if hidden else (shown, source)
        text, terms = described(symbol, path, body, others)
        places = tuple([(each.signature, each.start_line, each.end_line) for each in others])
        own = (*shown[:9], shown.parent, shown.is_test, shown.body_hash)
        yield SymbolRow._make((*own, places, text, sum(terms.values()), tokens.pack(terms)))


def _apart(symbol: Symbol, source: bytes) -> tuple[Symbol, bytes]:
    """A symbol with its own part of the source alone, without the secrets in that."""
    own = _clean(source[symbol.start_byte : symbol.end_byte].decode("utf-8", "ignore")).encode()
    return symbol._replace(start_byte=0, end_byte=len(own)), own
