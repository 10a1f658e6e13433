"""Standing rules beside the answers: which of those that fit the query hold, and which hits they became."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from indelible.core.recall.candidates import Query
from indelible.core.records.trust import is_confirmed
from indelible.model import Record

if TYPE_CHECKING:
    from indelible.search.relevance import Relevances
    from indelible.search.situations import Fitting

# Imported late (start, cli): indelible.search.situations


def beside(query: Query, near: "Relevances", fitting: "Fitting") -> "tuple[Relevances, set[int]]":
    """Return the candidates with the rules that fit, and those of them that were no candidates before.

    Nothing is added to what is scored by relevance only.
    """
    if query.relevance_only or not fitting.ids:
        return near, set()
    added = fitting.relevance.take(near.places_of(fitting.relevance.ids) < 0)
    return near.replaced_by(added), set(added.ids.tolist())


def holding(fitting: "Fitting", known: Mapping[int, Record]) -> list[int]:
    """Return the row ids of the rules to bring, best first: what is replaced or unconfirmed is no standing rule."""
    from indelible.search.situations import PLACES

    rules = [known[rule] for rule in fitting.ids if rule in known]
    return [rule.id for rule in rules if not rule.replaced and is_confirmed(rule)][: len(PLACES)]


def newer(known: Mapping[int, Record], pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs (older text, newer rule) of one project whose rule holds beside that text, by row ids.

    It does not where it is replaced, or unconfirmed while the text is not.
    """
    found = []
    for old, new in pairs:
        text, rule = known[old], known[new]
        holds = not rule.replaced and (is_confirmed(rule) or not is_confirmed(text))
        if holds and text.namespace == rule.namespace:
            found.append((old, new))
    return found
