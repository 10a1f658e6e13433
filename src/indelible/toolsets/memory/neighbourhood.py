"""The part of the graph around one record: what is related to it and what to that, never more than can be looked at.

However many relations a record has, only so many are read.
"""

from collections.abc import Collection, Iterable

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records

MOST = 300  # records, the one in the middle included
RELATIONS = 1_200  # that are read around one record, and around its neighbours
HOPS = 2


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The records around one by their depth, the heaviest relations first, and the relations among them.

    `names` are the canonical names of relations that were read around the middle, by name; `related` is how many
    relations of any name it has, whether they are here or not.
    """

    middle: Record
    depths: dict[int, int]
    records: dict[int, Record]
    relations: list[Edge]
    names: list[str]
    related: int


def around(ctx: Context, given: str, relation: str = "") -> Neighbourhood:
    """Return what is at most two relations from the record of an id, or two of one name. Raises NotFound, Conflict."""
    with ctx.store.read() as tx:
        middle = ids.find(ctx, tx, "id", given)
        names = sorted({edge.canonical for edge in edges.heaviest(tx, [middle.id], RELATIONS)})
        depths, known, found = {middle.id: 0}, {middle.id: middle}, dict[int, Edge]()
        layer: Collection[int] = [middle.id]
        for depth in range(1, HOPS + 1):
            read = edges.heaviest(tx, layer, RELATIONS, relation)
            found.update({edge.id: edge for edge in read})
            new = _ends(read, depths)[: MOST - len(depths)]
            there = _visible(ctx, tx, new)
            layer = [each for each in new if each in there]
            known.update(there)
            depths.update(dict.fromkeys(layer, depth))
            if not layer or len(depths) >= MOST:
                break
        inside = [edge for edge in found.values() if edge.source in depths and edge.target in depths]
        return Neighbourhood(middle, depths, known, inside, names, edges.degrees(tx, [middle.id])[middle.id])


def _ends(read: Iterable[Edge], known: Collection[int]) -> list[int]:
    """Return the ends of relations that are not known yet, each once, in the order of the relations."""
    ends = (end for edge in read for end in (edge.source, edge.target))
    return [end for end in dict.fromkeys(ends) if end not in known]


def _visible(ctx: Context, tx: Transaction, ends: Collection[int]) -> dict[int, Record]:
    return records.by_ids(tx, sorted(set(ends) - visibility.hidden(ctx, tx, ends)))
