"""Semantic search of indexed functions and types by embeddings, words and names."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from indelible.core.context.context import Context
from indelible.core.recall.candidates import Query, searching
from indelible.core.recall.unembedded import settled
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records, symbols
from indelible.store.tables.symbols import Found, SymbolRow
from indelible.toolsets.code.lookup import refuse_unindexed

if TYPE_CHECKING:
    from indelible.search.relevance import Measured
    from indelible.search.retrieval import Retrieval

# Imported late (start, cli): indelible.search.scoring

MOST = 1_000  # hits of one search
KINDS = ("symbol",)
FEWEST = 40  # candidates beside twice as many as are asked for
WORDS = 0.5  # of what a symbol is judged by, the rest is meaning; chosen on half A of the questions of bench/quality.py
BY_WORDS = 0.7  # of its words that a symbol without a vector is judged by, beside those that have one
NAMED = 0.5  # of what is missing to 1 that a symbol gets whose name the query says
OF_TESTS = (
    0.7  # of its score that a test keeps if the query is not for tests: a test has the words of the code that it tests
)
MOST_NAMES = 8  # names of a query that are looked up
NAMESAKES = 50  # symbols of one name that are looked at

_NAMES = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|/)[^\W\d][\w$]*)*")
_LOOKS_LIKE_NAME = re.compile(r"[^\W_]_+[^\W_]|^_+[^\W_]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w(?:\.|::|/)\w")
_TESTS = re.compile(r"\b(?:unit)?(?:tests?|testing|tested|specs?|fixtures?|mocks?)(?:\b|_)", re.IGNORECASE)
_SYMBOL = "sym:"


class CodeHit(NamedTuple):
    """A symbol, its similarity to the query (0..1), and the score by which hits are ordered (0..1)."""

    symbol: Found
    similarity: float
    score: float


@dataclass(frozen=True, slots=True)
class _Measured:
    """The relevance of a symbol's text: its similarity, its total score, and whether that is enough."""

    similarity: float
    relevance: float
    answers: bool
    own: bool


def search_code(ctx: Context, query: str, k: int) -> list[CodeHit]:
    """Return the best `k` symbols by score, ties by qualified name (the shorter first), path, record.

    One hit for each qualified name of a project; a symbol named by the query is first. Tests rank below the code that
    they test unless the query mentions tests; of equal hits that of the server's project is first. Raises NotFound if
    nothing fits and no codebase, or not the server's project, is indexed.
    """
    if k == 0 or not query.strip():
        return []
    with settled(ctx, query, KINDS) as (tx, asked):
        wanted, before = 2 * k + FEWEST, -1
        with searching(ctx, tx, Query(query, k, kinds=KINDS), query, wanted, asked) as search:
            named = _named(ctx, tx, search, query)
            while True:
                best, complete = search.best(wanted, sorted(named))
                hits = _hits(ctx, tx, query, _measured(ctx, search, search.measured(best)), named)
                if len(hits) >= k or complete or len(hits) <= before:
                    break
                wanted, before = wanted * 4, len(hits)
        if not hits:
            refuse_unindexed(ctx, tx, query)
    ctx.call.touched.extend(hit.symbol.key for hit in hits[:k])
    return hits[:k]


def _named(ctx: Context, tx: Transaction, search: "Retrieval", query: str) -> set[int]:
    """Return the symbols whose qualified names end with a name in the query; single words of prose do not count."""
    words = list(dict.fromkeys(_NAMES.findall(query)))
    names = [word for word in words if _LOOKS_LIKE_NAME.search(word) or word == query.strip().removesuffix("()")]
    namespaces = ctx.scope(tx).to_read(None, search.namespaces)
    allowed = search.namespaces if namespaces is None else namespaces
    found: set[int] = set()
    for name in names[:MOST_NAMES]:
        same, _ = symbols.by_tail(tx, name, allowed, NAMESAKES)
        found.update(each.row.record for each in same)
    return set(search.allowed(found).tolist())


def _measured(ctx: Context, search: "Retrieval", measured: "Measured") -> dict[int, _Measured]:
    """Return what of the measured symbols is relevant to the query at all."""
    relevance = measured.relevance
    relevances = measured.weighed(WORDS, BY_WORDS)
    kept = search.answering(measured, relevances) | (not ctx.settings.floor)
    columns = (relevance.ids, relevance.similarities, relevances, kept, measured.own)
    return {
        record: _Measured(similarity, value, answers, own)
        for record, similarity, value, answers, own in zip(*(each.tolist() for each in columns), strict=True)
        if value > 0
    }


def _hits(ctx: Context, tx: Transaction, query: str, measured: dict[int, _Measured], named: set[int]) -> list[CodeHit]:
    """Return the hits in their final order."""
    wanted = [record for record, each in measured.items() if each.answers or record in named]
    of_tests = 1.0 if _TESTS.search(query) else OF_TESTS
    hits = []
    for symbol in _symbols(ctx, tx, wanted):
        each = measured[symbol.row.record]
        score = _score(each, symbol.row.record in named) * (of_tests if symbol.row.is_test else 1.0)
        hits.append(CodeHit(symbol, each.similarity, score))
    hits.sort(key=_order)
    return list(_one_a_name(hits))


def _score(measured: _Measured, named: bool) -> float:
    from indelible.search.scoring import OWN_PROJECT

    score = min(1.0, measured.relevance * (OWN_PROJECT if measured.own else 1.0))
    return score + NAMED * (1 - score) if named else score


def _order(hit: CodeHit) -> tuple[float, int, str, str, int]:
    name = hit.symbol.row.qualified_name
    return -hit.score, len(name), name, hit.symbol.path, hit.symbol.row.record


def _one_a_name(hits: Iterable[CodeHit]) -> Iterator[CodeHit]:
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        own = hit.symbol.namespace, hit.symbol.row.qualified_name
        if own not in seen:
            seen.add(own)
            yield hit


def _symbols(ctx: Context, tx: Transaction, ids: list[int]) -> list[Found]:
    """Return the records that are symbols of the current source, or were imported as symbols."""
    known = symbols.by_records(tx, ids)
    others = records.by_ids(tx, [record for record in ids if record not in known])
    return [found for found in known.values() if not found.row.gone] + [_imported(each) for each in others.values()]


def _imported(record: Record) -> Found:
    """Return an imported symbol, described by its record's metadata."""
    name = record.key.removeprefix(_SYMBOL)
    path = record.metadata.get("file_path")
    first_line = record.text.partition("\n")[0]
    row = SymbolRow(record.id, 0, record.label or name, name, signature=first_line)
    return Found(row, record.type, record.key, record.namespace, path if isinstance(path, str) else "", "", 0)
