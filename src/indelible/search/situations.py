"""Standing rules among the answers: which rules fit the situation of a query, and where they stand.

A rule is found by its own channel, as it need not share a word with the work that it is for: nearest by dense vector
among the rules that pass the filters, raised by the kinds of work and the languages that both name. It accompanies
answers and is none: it comes below what clearly answers the query, and at most two are brought.
"""

import math
from collections.abc import Callable, Collection, Sequence
from functools import cache

import numpy as np

from indelible.dataclass import dataclass
from indelible.search import evidence, rules, scoring
from indelible.search.index.postings import Postings, TermPostings
from indelible.search.index.slots import Ints, Mask, Slots
from indelible.search.ranking import Query, Scored
from indelible.search.relevance import Floats, Relevances, Vectors

Passing = Callable[[Slots | Postings], Mask]
Nearest = Callable[[Vectors, Passing], Callable[[int], tuple[Ints, bool]]]

PLACES = (5, 10)  # that brought rules have at best
CLEAR = 0.85  # of the best relevance: no rule is put before a hit that has so much
FITTING = 4  # rules that are given, the first two of which that hold are brought
COMPARED = 32  # nearest rules whose topics are compared
LOOKED_AT = 200  # nearest of all that are looked through for rules
COMMON = 0.05  # share of the records from which on rules are taken from the nearest of all
REORDERED = 30  # best candidates among which newer rules come before older texts
EQUAL = 0.85  # of an older text's relevance that a newer rule has at least to come before it
SAME_MATTER = 0.4  # the cosine of both, at least
# Fitted on one half of bench/situations.json, see docs/design/search.md.
SHARED = 0.2  # of a cosine, for topics that both name, each weighted by how few of the rules are about it ...
MOST_SHARED = 1.0  # ... at most, together: one that a single rule is about weighs 1
BESIDE = 10  # nearest of all, of which a rule must be as near as the last, its topics counting half
OTHER_LANGUAGE = 0.1  # less for a rule about another programming language


@dataclass(frozen=True, slots=True)
class Fitting:
    """Rules that fit a query, best first, by row ids, and the relevance that they have of their own."""

    ids: list[int]
    relevance: Relevances

    @classmethod
    def none(cls) -> "Fitting":
        """Return no rules."""
        return cls([], Relevances.of({}))


class Rules:
    """The rules of an index that pass a mask of its words, for one query."""

    def __init__(self, words: Postings, mask: Mask, query: Collection[str]) -> None:
        """Read what is marked; the index may change afterwards. `query` are the words of a query."""
        (self._marked,) = words.read([rules.MARK])
        self._words, self._mask = words, mask
        self.common = self._marked.frequency > COMMON * words.count
        topics = rules.topics(query) if self._marked.frequency else frozenset()
        self._topics = words.read(map(rules.mark_of, topics))
        languages = topics & rules.LANGUAGES
        self._same, self._other = (
            words.read([rules.mark_of(language) for language in some])
            for some in ((languages, rules.LANGUAGES - languages) if languages else ((), ()))
        )

    def __bool__(self) -> bool:
        """Whether there may be any."""
        return self._marked.frequency > 0

    def ids(self) -> Ints:
        """Return the row ids of all, ascending."""
        slots = self._marked.slots
        return np.sort(self._words.records.values[slots[self._mask[slots]]])

    def among(self, ids: Ints) -> Ints:
        """Return those of some row ids that are rules, in their order."""
        return ids[self.mask(ids)]

    def mask(self, ids: Ints) -> Mask:
        """Return which of some row ids are rules."""
        slots = self._words.slots_of(ids)
        return (slots >= 0) & _has(self._marked, slots)

    def count(self) -> int:
        """Return how many there are, whatever the filters."""
        return self._marked.frequency

    def shared(self, ids: Ints) -> Floats:
        """Return the weight of the query's topics that each of some rules is about: 1 where no other rule is."""
        shared = np.zeros(len(ids))
        topics = [topic for topic in self._topics if topic.frequency]
        if topics:
            slots, most = self._words.slots_of(ids), math.log1p(self._marked.frequency)
            for topic in topics:
                shared += _has(topic, slots) * (math.log1p(self._marked.frequency / topic.frequency) / most)
        return shared

    def fits(self, ids: Ints, cosines: Floats, shared: Floats) -> Floats:
        """Return how well rules fit the query: their cosines, with what topics add to and languages take from these."""
        fits: Floats = cosines + SHARED * np.minimum(shared, MOST_SHARED)
        if self._other:
            slots = self._words.slots_of(ids)
            same, other = (_in_any(some, slots) for some in (self._same, self._other))
            fits -= OTHER_LANGUAGE * (other & ~same)
        return fits


def nearest(
    found: Rules, search: Nearest, dense: Vectors, of_all: Callable[[int], tuple[Ints, bool]]
) -> Callable[[], Ints]:
    """Return what gives the rules nearest to a query, which stay in it; `search` and `of_all` are those of a snapshot.

    Where much of what is stored are rules, they are taken of the nearest of all instead of being scanned once more.
    """
    near = None if found.common else search(dense, only(found.ids()))

    @cache
    def ids() -> Ints:
        if near is None:
            return found.among(of_all(LOOKED_AT)[0])[:COMPARED]
        return near(COMPARED)[0]

    return ids


def only(ids: Ints) -> Passing:
    """Return what gives a mask of the slots of an index that some records have, of each its first."""

    def passing(index: Slots | Postings) -> Mask:
        mask = np.zeros(len(index.records), np.bool_)
        slots = index.slots_of(ids)
        mask[slots[slots >= 0]] = True
        return mask

    return passing


def fitting(found: Rules, ids: Ints, cosines: Floats, embedded: Mask, nearest: Floats, *, alone: bool) -> Ints:
    """Return the places of the rules that fit, best first, ties to the one stored last; `ids` ascend.

    `nearest` are the cosines of what is nearest to the query, rules or not, in any order: a rule fits if it is as
    near as the tenth of these, with half of what its topics add. So one that is about the same field as everything
    else in the store, and about the query no more than that, does not fit.

    Where nothing else clearly answers (`alone`) a rule fits only if it shares a topic with the query, or is as near as
    a paraphrase: nearness by chance must not make an answer where there is none.
    """
    shared = found.shared(ids)
    fits = found.fits(ids, cosines, shared)
    tenth = np.sort(nearest)[-BESIDE] if len(nearest) >= BESIDE else -1.0
    enough = np.flatnonzero(
        embedded
        & evidence.fits(fits, found.count())
        & ((cosines + fits) / 2 >= tenth)
        & ((shared > 0) | evidence.near(cosines, found.count()) | (not alone))
    )
    return enough[np.lexsort((-ids[enough], -fits[enough]))][:FITTING]


def newer_rules(place: Ints, values: Floats, created: Ints, found: Mask) -> tuple[Ints, Ints]:
    """Return the pairs of an older text and a newer rule that comes before it, by their places in what is given.

    Of each candidate `place` is its place in the order and `found` says whether it is a rule. A rule that is about as
    relevant as an older text, and about the same (SAME_MATTER, which the caller compares), is what holds now: the text
    may be an earlier rule, or the talk about one.
    """
    before = (place[:, None] < place) & (created[:, None] < created) & found
    old, new = np.nonzero(before & (values >= EQUAL * values[:, None]))
    return old, new


def placed(scored: Scored, near: Relevances, brought: Sequence[int], query: Query) -> Scored:
    """Return candidates, in the order of `near`, with brought rules raised to the places that these have at best.

    `brought` are the ids of rules, best first. A rule
    stands below every hit before it in the list that is clear, and one that stands there already stays. Raised is its
    vector similarity, and with it what is multiplied by the relevance, so that the score stays the weighted sum.
    """
    if query.weights is None:
        return scored
    values = near.values
    for rule, best in zip(near.places_of(np.array(brought, np.int64)).tolist(), PLACES, strict=False):
        others = [place for place in scored.order if place != rule]
        clear = CLEAR * float(values[others].max()) if others else 0.0
        at = best - 1
        while at < len(others) and values[others[at]] >= clear:
            at += 1
        if at < len(others) and scored.scores[others[at]] > scored.scores[rule]:
            above = scored.scores[others[at - 1]]
            scored = _raised(scored, rule, (above + scored.scores[others[at]]) / 2, query)
    return scored


def _raised(scored: Scored, rule: int, score: float, query: Query) -> Scored:
    """Return candidates with one raised to a score, as far as its vector similarity can raise it."""
    assert query.weights is not None
    weights, own = query.weights, scored.components(rule)
    free = [name for name in scoring.BY_RELEVANCE if name != "temporal" or query.time is None]
    before = float(scoring.relevance(scoring.fused(own["token_overlap"], own["vector_similarity"])))
    if before <= 0:
        return scored
    steady = sum(weights[name] * value for name, value in own.items() if name not in (*free, "vector_similarity"))
    steep = sum(weights[name] * own[name] for name in free) / before

    def with_similarity(similarity: float) -> float:
        near = float(scoring.relevance(scoring.fused(own["token_overlap"], similarity)))
        return steady + weights["vector_similarity"] * similarity + steep * near

    low, high = own["vector_similarity"], 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if with_similarity(middle) < score else (low, middle)
    return scored.with_components(
        rule,
        {
            "vector_similarity": high,
            **{
                name: own[name] * float(scoring.relevance(scoring.fused(own["token_overlap"], high))) / before
                for name in free
            },
        },
        weights,
    )


HALVINGS = 40  # of the range of a similarity: then the score is right to the last digit that is shown


def _has(term: TermPostings, slots: Ints) -> Mask:
    """Return a mask of slots, in any order, that have a term."""
    order = np.argsort(slots, kind="stable")
    found = np.empty(len(slots), np.bool_)
    found[order] = term.has(slots[order])
    return found


def _in_any(terms: Collection[TermPostings], slots: Ints) -> Mask:
    found = np.zeros(len(slots), np.bool_)
    for term in terms:
        found |= _has(term, slots)
    return found
