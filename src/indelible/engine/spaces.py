"""The caches that recall searches, one a space: which rows each is built of, and how its blocks are sealed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from indelible.search import tokens
from indelible.store import embeddings, solutions, terms
from indelible.store.database import Transaction
from indelible.store.embeddings import Model
from indelible.store.terms import DENSE, EXPERIENCE, SPARSE, WORDS

if TYPE_CHECKING:
    from indelible.search.experience import Experience
    from indelible.search.postings import Postings
    from indelible.search.vector_index import VectorIndex

    Cache = Postings | VectorIndex | Experience

BLOCK_LAYOUT = 1  # of sealed blocks of words: those of before (0) could hold records of the next block too


@dataclass(frozen=True, slots=True)
class Space:
    """One of words, sparse terms, dense vectors, experience. `version` is the tokenizer's or the model's number."""

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
        return self.number != WORDS

    def follows(self, operation: str) -> bool:
        """Whether a change can change its entries. A put may move a record to another group, or its text away."""
        return operation in ("put", "delete") or (self.embeds and operation == "embed")


def words() -> Space:
    """The words of every record."""
    from indelible.search.postings import Postings, pack_block

    return Space(
        WORDS,
        100 * BLOCK_LAYOUT + tokens.VERSION,
        Postings,
        terms.of_records,
        terms.in_range,
        terms.count_in_range,
        pack_block,
    )


def of_model(model: Model) -> "tuple[Space, Space]":
    """The two spaces of a model's embeddings."""
    return sparse(model), dense(model)


def sparse(model: Model) -> Space:
    """The sparse terms that a model gave."""
    from indelible.search.postings import Postings, pack_block

    return Space(
        SPARSE,
        model.number,
        Postings,
        lambda tx, tenant, ids: terms.sparse_of_records(tx, tenant, model.number, ids),
        lambda tx, tenant, low, high: terms.sparse_in_range(tx, tenant, model.number, low, high),
        lambda tx, tenant, low, high: embeddings.count_in_range(tx, tenant, model.number, low, high),
        pack_block,
    )


def dense(model: Model) -> Space:
    """The codes of a model's vectors."""
    from indelible.search.vector_index import VectorIndex, pack_codes_block

    return Space(
        DENSE,
        model.number,
        partial(VectorIndex, model.dimensions),
        lambda tx, tenant, ids: embeddings.codes_of(tx, tenant, model.number, ids),
        lambda tx, tenant, low, high: embeddings.codes_in_range(tx, tenant, model.number, low, high),
        lambda tx, tenant, low, high: embeddings.count_in_range(tx, tenant, model.number, low, high),
        pack_codes_block,
    )


def experience(model: Model | None) -> "Space":
    """What solutions and failures are found by, with the vectors of a model or without any; it is never sealed."""
    from indelible.search.experience import Experience

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
