"""Links from messages to the chunks that they are about: relations of one name."""

from collections.abc import Iterable

from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Transaction, one
from indelible.store.tables import edges, records

RELATION = "REFERENCES"
MANY = 1_000  # records that wait to be embedded, beyond which none is looked at
# In the metadata of a message whose links were found, or only measured, without its meaning or that of a chunk.
LINKED, BY_WORDS, MEASURED_BY_WORDS = "linked", "by words", "measured by words"


@dataclass(frozen=True, slots=True)
class LinkedChunk:
    """A chunk that a message is about, by its row id, and how much; `session` is that of its document's chunks."""

    id: int
    key: str
    text: str
    session: str
    strength: float


@dataclass(frozen=True, slots=True)
class Referenced:
    """How many messages are about a chunk."""

    key: str
    count: int


def any_chunk(tx: Transaction) -> bool:
    """Whether any chunk exists to link to."""
    return one(tx.rows("context_links.any_chunk")) is not None


def chunks(tx: Transaction, numbers: Iterable[int]) -> dict[int, int]:
    """Return the row ids of the existing chunks by their numbers."""
    rows = tx.rows("context_links.chunks", keys=records.dump([str(number) for number in numbers]))
    return {int(key): int(chunk) for key, chunk in reversed(rows)}


def any_chunk_waits(tx: Transaction) -> bool:
    """Whether a chunk may not be embedded yet: one of the newest waiting records is one, or many wait."""
    kinds = [kind for (kind,) in tx.rows("context_links.newest_waiting", limit=MANY)]
    return "chunk" in kinds or len(kinds) == MANY


def add(tx: Transaction, message: int, chunk: int, strength: float, now: int) -> bool:
    """Link a message to a chunk, both by row id; False, and nothing changed, where it is linked already."""
    return edges.add(tx, Edge(message, chunk, RELATION, RELATION, strength, now))


def put(tx: Transaction, message: int, chunk: int, strength: float, now: int) -> None:
    """Link a message to a chunk; a link that is there takes the new strength."""
    edges.put(tx, Edge(message, chunk, RELATION, RELATION, strength, now))


def of_message(tx: Transaction, message: int) -> list[LinkedChunk]:
    """The chunks of a message (row id), the strongest first, then the newest, then by row id."""
    return [LinkedChunk(*row) for row in tx.rows("context_links.of_message", message=message)]


def of_chunk(tx: Transaction, chunk: int) -> list[Record]:
    """The messages of a chunk (row id), the newest first."""
    return [records.from_row(row) for row in tx.rows("context_links.of_chunk", chunk=chunk)]


def counts(tx: Transaction, limit: int) -> tuple[list[Referenced], int]:
    """The chunks that most messages are about, ties by the newest, then by row id; and the number of all links."""
    rows = tx.rows("context_links.counts", limit=limit)
    return [Referenced(str(key), int(count)) for key, count, _ in rows], int(rows[0][2]) if rows else 0
