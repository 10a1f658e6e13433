"""The partitions of the recall caches: the rows that each is built from, and how its blocks are sealed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from indelible.dataclass import dataclass
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import embeddings, terms
from indelible.store.tables.embeddings import Model
from indelible.store.tables.terms import (
    CODE_DENSE,
    CODE_SPARSE,
    CODE_WORDS,
    COMMIT_WORDS,
    DENSE,
    EXPERIENCE,
    SPARSE,
    WORDS,
)
from indelible.store.views import solutions

if TYPE_CHECKING:
    from indelible.search.index.experience import Experience
    from indelible.search.index.postings import Postings
    from indelible.search.index.vector_index import VectorIndex

    Cache = Postings | VectorIndex | Experience

# Imported late (start, cli): indelible.search.index.experience, indelible.search.index.postings,
#   indelible.search.index.vector_index

BLOCK_LAYOUT = 1  # of sealed blocks of words: layout 0 could hold records of the next block too


@dataclass(frozen=True, slots=True)
class Partition:
    """One cache: words, sparse terms, dense vectors or experience. `version` is the tokenizer's or the model's number.

    Counts include all records in a range, of whatever kind: a block is sealed too where few of many are its own, so
    that a start need not look for these among the others.
    """

    number: int
    version: int
    empty: "Callable[[], Cache]"
    of_records: Callable[[Transaction, Sequence[int]], list[Any]]  # entries, by ascending record
    in_range: Callable[[Transaction, int, int], list[Any]]
    count_in_range: Callable[[Transaction, int, int], int]
    pack: Callable[[Sequence[Any]], bytes]

    @property
    def embeds(self) -> bool:
        """Whether its entries come with a record's embedding, not with the record."""
        return self.number not in (WORDS, CODE_WORDS, COMMIT_WORDS)

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that can change its entries. A put may move a record to another group, or remove its text."""
        return ("put", "delete", "embed") if self.embeds else ("put", "delete")

    def follows(self, operation: str) -> bool:
        """Whether a change can change its entries."""
        return operation in self.operations


def words(number: int = WORDS) -> Partition:
    """Return a partition of words: of symbols and files (CODE_WORDS), commits (COMMIT_WORDS), or all other records."""
    from indelible.search.index.postings import Postings, pack_block

    return Partition(
        number,
        100 * BLOCK_LAYOUT + tokens.VERSION,
        Postings,
        partial(terms.of_records, partition=number),
        partial(terms.in_range, partition=number),
        terms.count_in_range,
        pack_block,
    )


def of_model(model: Model, *, code: bool = False) -> "tuple[Partition, Partition]":
    """Return the two partitions of a model's embeddings: of symbols (`code`), or of all other records."""
    return sparse(model, code=code), dense(model, code=code)


def sparse(model: Model, *, code: bool = False) -> Partition:
    """Return the partition of a model's sparse terms."""
    from indelible.search.index.postings import Postings, pack_block

    partition = CODE_SPARSE if code else SPARSE
    return Partition(
        partition,
        model.number,
        Postings,
        lambda tx, ids: terms.sparse_of_records(tx, model.number, ids, partition),
        lambda tx, low, high: terms.sparse_in_range(tx, model.number, low, high, partition),
        lambda tx, low, high: embeddings.count_in_range(tx, model.number, low, high),
        pack_block,
    )


def dense(model: Model, *, code: bool = False) -> Partition:
    """Return the partition of a model's vector codes."""
    from indelible.search.index.vector_index import VectorIndex, pack_codes_block

    return Partition(
        CODE_DENSE if code else DENSE,
        model.number,
        partial(VectorIndex, model.dimensions),
        lambda tx, ids: embeddings.codes_of(tx, model.number, ids, code=code),
        lambda tx, low, high: embeddings.codes_in_range(tx, model.number, low, high, code=code),
        lambda tx, low, high: embeddings.count_in_range(tx, model.number, low, high),
        pack_codes_block,
    )


def experience(model: Model | None) -> "Partition":
    """Return the partition of solutions and failures, with the vectors of a model or without; it is never sealed."""
    from indelible.search.index.experience import Experience

    number, dimensions = (0, 0) if model is None else (model.number, model.dimensions)
    return Partition(
        EXPERIENCE,
        number,
        partial(Experience, dimensions),
        lambda tx, ids: solutions.experience_of(tx, number, ids),
        lambda tx, low, high: solutions.experience_in_range(tx, number, low, high),
        lambda tx, low, high: 0,
        lambda entries: b"",
    )
