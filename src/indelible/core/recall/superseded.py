"""The place of replaced hits in a ranking: just below the hit that replaces them."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from indelible.model import Edge, Hit
from indelible.store.tables import edges


def below_replacements(hits: Sequence[Hit], relations: Iterable[Edge]) -> list[Hit]:
    """Return the hits in their order, each replaced one moved just below the last of its replacements among the hits.

    A hit that moves down gets the score of the hit above it. Records that replace each other in a circle are a chain.
    """
    waits = _without_circles(_replacements(hits, relations))
    ordered: list[Hit] = []
    placed: set[int] = set()
    waiting: dict[int, list[Hit]] = {}
    for hit in hits:
        due = deque([hit])
        while due:
            first = due.popleft()
            missing = waits.get(first.record.id, set()) - placed
            if missing:
                waiting.setdefault(min(missing), []).append(first)
                continue
            ordered.append(_at_most(first, ordered[-1].score) if ordered else first)
            placed.add(first.record.id)
            due.extendleft(reversed(waiting.pop(first.record.id, [])))
    return ordered


def _replacements(hits: Sequence[Hit], relations: Iterable[Edge]) -> dict[int, set[int]]:
    """Return for each replaced hit the hits that replace it."""
    known = {hit.record.id for hit in hits}
    pairs = [pair for edge in relations if (pair := edges.replaces(edge)) and known.issuperset(pair)]
    found: dict[int, set[int]] = {}
    for old, new in pairs:
        found.setdefault(old, set()).add(new)
    return found


def _without_circles(waits: dict[int, set[int]]) -> dict[int, set[int]]:
    """Return the same without the relations that close a circle, as a search in depth meets them."""
    done: set[int] = set()
    for start, replacements in waits.items():
        path = {} if start in done else {start: iter(sorted(replacements))}
        while path:
            node, rest = next(reversed(path.items()))
            following = next(rest, None)
            if following is None:
                del path[node]
                done.add(node)
            elif following in path:
                waits[node].discard(following)
            elif following in waits and following not in done:
                path[following] = iter(sorted(waits[following]))
    return waits


def _at_most(hit: Hit, score: float) -> Hit:
    """Return the hit with at most this score, all components scaled alike: the score stays their weighted sum."""
    if hit.score <= score:
        return hit
    share = score / hit.score
    return replace(hit, score=score, components={name: value * share for name, value in hit.components.items()})
