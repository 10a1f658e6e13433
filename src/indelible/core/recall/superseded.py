"""The place of older hits in a ranking: just below the newer hit that replaces them, or may do so."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from indelible.model import Hit

BELOW = 0.999  # of the score of what replaces it is the most that a replaced hit has


def below_replacements(hits: Sequence[Hit], pairs: Iterable[tuple[int, int]]) -> list[Hit]:
    """Return the hits in their order, each older one moved just below the last of its newer ones among the hits.

    The pairs are (older, newer) by row ids. An older hit scores less than each newer one, and none more than a hit
    above it. Records that replace each other in a circle are a chain.
    """
    waits = _without_circles(_newer(hits, pairs))
    scores: dict[int, float] = {}
    scored: list[Hit] = []
    for hit in _ordered(hits, waits):
        newer = [BELOW * scores[record] for record in waits.get(hit.record.id, ())]
        most = min([*newer, *(each.score for each in scored[-1:])], default=hit.score)
        scored.append(_at_most(hit, most))
        scores[hit.record.id] = scored[-1].score
    return scored


def below_newer(hits: Sequence[Hit], pairs: Iterable[tuple[int, int]]) -> list[Hit]:
    """Return the hits in that order with the scores that they have."""
    return _ordered(hits, _without_circles(_newer(hits, pairs)))


def _ordered(hits: Sequence[Hit], waits: Mapping[int, set[int]]) -> list[Hit]:
    """Return the hits, each that waits for others just below the last of these."""
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
            ordered.append(first)
            placed.add(first.record.id)
            due.extendleft(reversed(waiting.pop(first.record.id, [])))
    return ordered


def _newer(hits: Sequence[Hit], pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return for each older hit the newer ones among the hits."""
    known = {hit.record.id for hit in hits}
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


def _at_most(hit: Hit, score: float) -> Hit:
    """Return the hit with at most this score, all components scaled alike: the score stays their weighted sum."""
    if hit.score <= score:
        return hit
    share = score / hit.score
    return replace(hit, score=score, components={name: value * share for name, value in hit.components.items()})
