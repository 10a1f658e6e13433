"""The caches that recall searches, one a space: which rows each is built of, and how its blocks are sealed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import embeddings, terms
from indelible.store.tables.embeddings import Model
from indelible.store.tables.terms import CODE_DENSE, CODE_SPARSE, CODE_WORDS, DENSE, EXPERIENCE, SPARSE, WORDS
from indelible.store.views import solutions

if TYPE_CHECKING:
    from indelible.search.index.experience import Experience
    from indelible.search.index.postings import Postings
    from indelible.search.index.vector_index import VectorIndex

    Cache = Postings | VectorIndex | Experience

BLOCK_LAYOUT = 1  # of sealed blocks of words: those of before (0) could hold records of the next block too


@dataclass(frozen=True, slots=True)
class Space:
    """One of words, sparse terms, dense vectors, experience. `version` is the tokenizer's or the model's number.

    Its count is of all records in a range, whatever they are: a block is sealed too where few of many are its own, so
    that a start need not look for these among the others.
    """

    number: int
    version: int
    empty: "Callable[[], Cache]"
    of_records: Callable[[Transaction, int, Sequence[int]], list[Any]]  # entries, by ascending record
    in_range: Callable[[Transaction, int, int, int], list[Any]]
    count_in_range: Callable[[Transaction, int, int, int], int]
    pack: Callable[[Sequence[Any]], bytes]

    @property
    def embeds(self) -> bool:
        """Whether its entries come with a record's embedding, not with the record."""
        return self.number not in (WORDS, CODE_WORDS)

    def follows(self, operation: str) -> bool:
        """Whether a change can change its entries. A put may move a record to another group, or its text away."""
        return operation in ("put", "delete") or (self.embeds and operation == "embed")


def words(*, code: bool = False) -> Space:
    """The words of every record: of symbols and files, or of all others."""
    from indelible.search.index.postings import Postings, pack_block

    number = CODE_WORDS if code else WORDS
    return Space(
        number,
        100 * BLOCK_LAYOUT + tokens.VERSION,
        Postings,
        partial(terms.of_records, space=number),
        partial(terms.in_range, space=number),
        terms.count_in_range,
        pack_block,
    )


def of_model(model: Model, *, code: bool = False) -> "tuple[Space, Space]":
    """The two spaces of a model's embeddings: of symbols, or of all others."""
    return sparse(model, code=code), dense(model, code=code)


def sparse(model: Model, *, code: bool = False) -> Space:
    """The sparse terms that a model gave."""
    from indelible.search.index.postings import Postings, pack_block

    space = CODE_SPARSE if code else SPARSE
    return Space(
        space,
        model.number,
        Postings,
        lambda tx, tenant, ids: terms.sparse_of_records(tx, tenant, model.number, ids, space),
        lambda tx, tenant, low, high: terms.sparse_in_range(tx, tenant, model.number, low, high, space),
        lambda tx, tenant, low, high: embeddings.count_in_range(tx, tenant, model.number, low, high),
        pack_block,
    )


def dense(model: Model, *, code: bool = False) -> Space:
    """The codes of a model's vectors."""
    from indelible.search.index.vector_index import VectorIndex, pack_codes_block

    return Space(
        CODE_DENSE if code else DENSE,
        model.number,
        partial(VectorIndex, model.dimensions),
        lambda tx, tenant, ids: embeddings.codes_of(tx, tenant, model.number, ids, code=code),
        lambda tx, tenant, low, high: embeddings.codes_in_range(tx, tenant, model.number, low, high, code=code),
        lambda tx, tenant, low, high: embeddings.count_in_range(tx, tenant, model.number, low, high),
        pack_codes_block,
    )


def experience(model: Model | None) -> "Space":
    """What solutions and failures are found by, with the vectors of a model or without any; it is never sealed."""
    from indelible.search.index.experience import Experience

    number, dimensions = (0, 0) if model is None else (model.number, model.dimensions)
    return Space(
        EXPERIENCE,
        number,
        partial(Experience, dimensions),
        lambda tx, tenant, ids: solutions.experience_of(tx, tenant, number, ids),
        lambda tx, tenant, low, high: solutions.experience_in_range(tx, tenant, number, low, high),
        lambda tx, tenant, low, high: 0,
        lambda entries: b"",
    )
