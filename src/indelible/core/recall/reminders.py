"""Memories that are certainly about the matter of a message that asks nothing: few of its project, or none."""

from typing import NamedTuple

from indelible.core.context.context import Context
from indelible.core.recall.candidates import Query, searching
from indelible.core.recall.unembedded import settled
from indelible.model import Record
from indelible.search import confidence
from indelible.store.tables import records

LOOKED_AT = 40  # best of each ranking, and of all


class Reminder(NamedTuple):
    """A memory and how sure it is that it belongs to the message: from 1 on sure enough to tell it unasked."""

    record: Record
    certainty: float


def about(ctx: Context, message: str, namespace: str) -> list[Reminder]:
    """Return the LOOKED_AT memories of a project that a message is most surely about, the surest first.

    What is replaced is left out. Nothing where the message was not compared by meaning (no model is loaded yet, or none
    knows its language), or is about nothing by itself. Writes nothing, and counts no access. Raises NotFound for a
    namespace that holds nothing, unless it is the own.
    """
    query = Query(message, LOOKED_AT, namespace=namespace, kinds=("memory",))
    with settled(ctx, message, query.searched(), namespace) as (tx, asked):
        with searching(ctx, tx, query, message, LOOKED_AT, asked) as search:
            if not search.by_meaning or not confidence.is_about_something(search.weight, search.passing):
                return []
            measured = search.measured(search.best(LOOKED_AT)[0])
        columns = (measured.ids, measured.cosines, measured.relevance.values, measured.embedded)
        sure = {
            record: confidence.certainty(cosine, relevance, search.passing)
            for record, cosine, relevance, is_embedded in zip(*(column.tolist() for column in columns), strict=True)
            if is_embedded
        }
        surest = sorted(sure, key=lambda record: (-sure[record], -record))[:LOOKED_AT]
        known = records.by_ids(tx, surest)
    return [Reminder(known[each], sure[each]) for each in surest if each in known and not known[each].replaced]
