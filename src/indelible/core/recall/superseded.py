"""The place of older hits in a ranking: just below the newer hit that replaces them, or may do so."""

import math
from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from indelible.model import Hit

BELOW = 0.999  # of the score of what replaces it is the most that a replaced hit has


def below_replacements(hits: Sequence[Hit], pairs: Iterable[tuple[int, int]]) -> list[Hit]:
    """Return the hits in their order, each older one moved just below the last of its newer ones among the hits.

    The pairs are (older, newer) by row ids. An older hit scores less than each newer one, and none more than a hit
    above it. Records that replace each other in a circle are a chain.
    """
    by_id = {hit.record.id: hit for hit in hits}
    scores = scores_below({record: hit.score for record, hit in by_id.items()}, pairs)
    return [at_most(by_id[record], score) for record, score in scores.items()]


def scores_below(scores: Mapping[int, float], pairs: Iterable[tuple[int, int]]) -> dict[int, float]:
    """Return records by row id with their scores in the order of `below_replacements`; the scores are in an order."""
    waits = _without_circles(_newer(scores, pairs))
    below: dict[int, float] = {}
    last = math.inf
    for record in _ordered(scores, waits):
        last = min(scores[record], last, *(BELOW * below[newer] for newer in waits.get(record, ())))
        below[record] = last
    return below


def below_newer(hits: Sequence[Hit], pairs: Iterable[tuple[int, int]]) -> list[Hit]:
    """Return the hits in that order with the scores that they have."""
    by_id = {hit.record.id: hit for hit in hits}
    return [by_id[record] for record in _ordered(by_id, _without_circles(_newer(by_id, pairs)))]


def _ordered(records: Iterable[int], waits: Mapping[int, set[int]]) -> list[int]:
    """Return the records, each that waits for others just below the last of these."""
    ordered: list[int] = []
    placed: set[int] = set()
    waiting: dict[int, list[int]] = {}
    for record in records:
        due = deque([record])
        while due:
            first = due.popleft()
            missing = waits[first] - placed if first in waits else None
            if missing:
                waiting.setdefault(min(missing), []).append(first)
                continue
            ordered.append(first)
            placed.add(first)
            due.extendleft(reversed(waiting.pop(first, [])))
    return ordered


def _newer(known: Container[int], pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return for each older record the newer ones among those that are known."""
    found: dict[int, set[int]] = {}
    for old, new in pairs:
        if old in known and new in known:
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


def at_most(hit: Hit, score: float) -> Hit:
    """Return the hit with at most this score, all components scaled alike: the score stays their weighted sum."""
    if hit.score <= score:
        return hit
    share = score / hit.score
    return replace(hit, score=score, components={name: value * share for name, value in hit.components.items()})
