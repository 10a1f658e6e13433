"""One query over the arrays of an index, without a store: ranked candidates and what each is measured to be.

What a query needs beside the arrays comes through two functions of the `Snapshot`: the nearest vectors, since a
database may have an index of its own for them, and the vectors themselves, which stay in the store.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.search import confidence, evidence, rules, scoring, situations, window
from indelible.search.confidence import Measures
from indelible.search.index.kept_vectors import Windows
from indelible.search.index.null_cosines import Scale
from indelible.search.index.postings import Bm25, Postings
from indelible.search.index.slots import Group, Ints, Mask, Slots, best_of, distinct, places_in
from indelible.search.relevance import Floats, Measured, Relevances, Vectors
from indelible.search.situations import Fitting, Rules
from indelible.search.trace import Borrowed, Place
from indelible.search.window import Pairs

TELLING = 10  # best candidates that tell how sure an answer is
RESCORED = 200  # nearest by their codes whose vectors are read

Passing = Callable[[Slots | Postings], Mask]  # the slots of an index that pass the filters


@dataclass(frozen=True, slots=True)
class Asked:
    """A query: its text, and the text without its time expression.

    `only_time` tells that it names nothing else, `bare` that its text has but the words of that time: then a record
    of the time is what is asked for, and one that mentions it counts for less.
    """

    text: str
    subject: str
    only_time: bool = False
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a query: kinds, a type, namespaces (None: all), no group of `without`, only some records.

    Of these none of `excluded`.
    """

    kinds: Sequence[str] | None = None
    type: str | None = None
    namespaces: Collection[str] | None = None
    without: Collection[Group] = ()
    among: Sequence[int] | None = None
    excluded: Sequence[int] = ()

    def mask(self, slots: Slots | Postings) -> Mask:
        """Return a mask of the living slots that pass."""
        mask = slots.mask(self.kinds, self.type, self.namespaces, self.without)
        if self.among is not None:
            mask = mask & np.isin(slots.records.values, self.among)
        if self.excluded:
            mask = mask & ~np.isin(slots.records.values, self.excluded)
        return mask

    def refusing(self, slots: Slots | Postings, record: int) -> list[str]:
        """Return the names of those fields that one record does not pass, none where it passes or is not indexed."""
        at = slots.slots_of(np.array([record], np.int64))
        if at[0] < 0:
            return []
        alone = {each.name: Filters(**{each.name: getattr(self, each.name)}) for each in fields(self)}
        return [name for name, filters in alone.items() if not filters.mask(slots)[at[0]]]


Nearest = Callable[[Vectors, Passing], Callable[[int], tuple[Ints, bool]]]


@dataclass(frozen=True, slots=True)
class Meant:
    """The indexes of one model's embeddings, whose vectors have so many dimensions.

    `nearest` gets a unit vector and the filters, and gives what takes a count: the records of that many nearest
    vectors, nearest first, once for each vector, and whether there are no others. `vectors_of` takes ascending ids.
    `scale` maps its cosines to those of the built-in model, which all figures are made for; None leaves them.
    """

    dimensions: int
    sparse: Postings
    nearest: Nearest
    vectors_of: Callable[[Ints], Windows]
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The indexes of one moment: of words, and of embeddings if there are any."""

    words: Postings
    meant: Meant | None = None


class Retrieval:
    """One query over a snapshot. What it has found stays: asked for more it goes on from there."""

    def __init__(
        self, asked: Asked, snapshot: Snapshot, filters: Filters, own: Filters | None = None, wanted: int = 0
    ) -> None:
        """`own` passes what belongs to the server's project, None where that is of no account; `wanted`: see `best`."""
        words = snapshot.words
        self._asked, self._snapshot, self._filters = asked, snapshot, filters
        self._mask = filters.mask(words)
        self._own = None if own is None else own.mask(words)
        self._passing = int(np.count_nonzero(self._mask))
        self._passing_own = 0 if self._own is None else int(np.count_nonzero(self._own))
        self._question = evidence.question(asked.text, asked.subject, words)
        self._words = Bm25(words, self._question.terms, self._mask)
        self._scores = self._words.of_best(wanted)
        self._meaning: _Meaning | None = None
        self._rules = Rules(words, self._mask, self._question.words)
        self._near_rules: Callable[[], Ints] | None = None
        self._measured: Measured | None = None  # what was measured first since the best were asked for

    def ask(self, dense: Vectors, terms: NDArray[np.uint32], weights: NDArray[np.float32]) -> None:
        """Search by meaning too: by a unit vector, and by terms of the sparse model with their weights.

        A vector of other dimensions is another model's, and nothing was searched for it.
        """
        meant = self._snapshot.meant
        if meant is not None and len(dense) == meant.dimensions:
            read = meant.sparse.read(terms.tolist())
            known = np.array([term.frequency > 0 for term in read], np.bool_)
            telling, own = scoring.telling(weights, np.array([term.idf for term in read]), known)
            dots = meant.sparse.dot(read, telling.tolist(), self._filters.mask(meant.sparse))
            nearest = cache(meant.nearest(dense, self._filters.mask))  # rules ask for as many as the best do
            self._meaning, self._measured = _Meaning(meant, dense, nearest, dots, own), None
            if self._rules:
                self._near_rules = situations.nearest(self._rules, meant.nearest, dense, nearest)

    @property
    def by_meaning(self) -> bool:
        """Whether meaning is searched too."""
        return self._meaning is not None

    @property
    def passing(self) -> int:
        """How many records pass the filters."""
        return self._passing

    @property
    def weight(self) -> float:
        """The sum of the weights of the query's words as evidence: the rarer in the store, the more."""
        return sum(self._question.weights)

    @property
    def only_time(self) -> bool:
        """Whether the query names a time and nothing else."""
        return self._asked.only_time

    @property
    def namespaces(self) -> set[str]:
        """The namespaces of the searched records, present or past."""
        return self._snapshot.words.namespaces

    @property
    def kinds(self) -> Sequence[str] | None:
        """The kinds that pass."""
        return self._filters.kinds

    def best(self, wanted: int, beside: Sequence[int] = ()) -> tuple[Ints, bool]:
        """Return the best `wanted` by words, by sparse terms and by vectors, with some others; whether these are all.

        Ids ascend. Of equal ones by words or terms those with the lower slots are taken.
        """
        self._scores, self._measured = self._words.of_best(wanted), None
        slots = best_of(self._scores, wanted)
        found = [self._snapshot.words.records.values[slots], np.array(beside, np.int64)]
        complete = len(slots) < wanted
        meaning = self._meaning
        if meaning is not None:
            slots = best_of(meaning.dots, wanted)
            near, all_of_them = meaning.nearest(max(wanted, RESCORED))
            found += [meaning.of.sparse.records.values[slots], near]
            if self._near_rules is not None:
                found.append(self._near_rules())
            complete = complete and len(slots) < wanted and all_of_them
        return distinct(np.concatenate(found)), complete

    @staticmethod
    def ids(given: Collection[int]) -> Ints:
        """Return row ids as the other methods take them: ascending, each once."""
        return distinct(np.array(list(given), np.int64))

    def measured(self, ids: Ints) -> Measured:
        """Measure these records (ascending, no repeats) against the query; those measured first are not again."""
        if self._measured is None:
            self._measured = self._new_measured(ids)
            return self._measured
        places = places_in(self._measured.ids, ids)
        return self._new_measured(ids) if (places < 0).any() else self._measured.take(places)

    def _new_measured(self, ids: Ints) -> Measured:
        slots = self._snapshot.words.slots_of(ids)
        here = slots >= 0
        slots = np.maximum(slots, 0)
        relevance = self._relevance(ids, slots, here)
        shares, worded, own = np.zeros(len(ids)), np.zeros(len(ids), np.bool_), np.zeros(len(ids), np.bool_)
        if len(self._scores):
            found = evidence.worded(self._question, slots)
            worded, shares = found.enough & here, np.where(here, found.shares, 0.0)
            if self._own is not None:
                own = here & self._own[slots]
        if self._meaning is None:
            return Measured(relevance, np.full(len(ids), -1.0), shares, worded, np.zeros(len(ids), np.bool_), own)
        cosines, embedded = self._meaning.cosines_of(ids)
        return Measured(relevance, cosines, shares, worded, embedded, own)

    def _relevance(self, ids: Ints, slots: Ints, here: Mask) -> Relevances:
        """Return the relevance of records; `slots` are those of words, any where one is not `here`."""
        scores = (
            np.where(here, self._scores[slots], 0.0).astype(np.float64) if len(self._scores) else np.zeros(len(ids))
        )
        overlaps = scoring.overlap(scores, self._question.total)
        if self._question.marks:
            overlaps = np.where(evidence.in_english(self._question, slots), scoring.FOREIGN * overlaps, overlaps)
        if self._asked.bare:
            overlaps = overlaps * scoring.MENTIONED
        meaning = self._meaning
        if meaning is None:
            return Relevances(ids, overlaps, np.zeros(len(ids)), np.ones(len(ids), np.bool_))
        cosines, embedded = meaning.cosines_of(ids)
        similarities = scoring.similarity(cosines, meaning.products(ids), meaning.own)
        return Relevances(ids, overlaps, similarities, ~embedded)

    def from_neighbours(self, measured: Measured, answers: Relevances, pairs: Pairs) -> Borrowed:
        """Return the records that their session changes, as they are then: raised by an answer stored beside them, or
        lowered since they say little themselves.

        The pairs are by row ids, their lenders answers; `answers` are some of those measured. What does not pass the
        filters gets nothing.
        """
        none = Borrowed(answers.take(np.zeros(0, np.int64)), Pairs.of([]), np.zeros(0))
        if self._meaning is None:
            return none
        known = places_in(measured.ids, pairs.borrowers) >= 0
        others = self.allowed(distinct(pairs.borrowers[~known]))
        pairs = pairs.take(known | (places_in(others, pairs.borrowers) >= 0))
        trust, shares = self._meaning.lent(answers, pairs)
        if not trust:
            return none
        lenders, asking = distinct(pairs.lenders), distinct(pairs.lenders[pairs.answering])
        pairs, shares = pairs.take(shares > 0), shares[shares > 0]
        changed = distinct(np.concatenate([lenders, pairs.borrowers]))
        slots, new = self._snapshot.words.slots_of(changed), places_in(measured.ids, changed) < 0
        own = measured.relevance.replaced_by(self._relevance(changed[new], slots[new], slots[new] >= 0))
        own = own.take(own.places_of(changed))
        to, by = np.searchsorted(changed, pairs.borrowers), answers.places_of(pairs.lenders)
        overlaps, similarities = own.overlaps.astype(np.float64), own.similarities.astype(np.float64)
        np.add.at(overlaps, to, answers.overlaps[by] * shares)
        np.add.at(similarities, to, answers.similarities[by] * shares)
        sizes = self._snapshot.words.sizes_of(slots)  # each has a slot: it passes the filters
        said = window.said(trust, sizes, places_in(asking, changed) >= 0)
        overlaps, similarities = said * np.minimum(1.0, overlaps), said * np.minimum(1.0, similarities)
        return Borrowed(Relevances(changed, overlaps, similarities, own.by_words), pairs, answers.values[by] * shares)

    def measures(self, near: Relevances) -> Measures:
        """Return what tells whether the best of candidates, of which there is one, are about the query."""
        best = self.measured(np.sort(near.ids[near.best(TELLING)]))
        return Measures(
            float(max(near.values.max(), best.relevance.values.max())),
            float(best.relevance.overlaps.max()),
            float(best.shares.max()),
            float(best.cosines.max()) if best.embedded.any() else None,
            self._question.unknown,
            self._passing,
            float(best.shares.max()) * self.weight,
            self._question.foreign,
        )

    # --- Evidence ---

    def with_evidence(self, measured: Measured, timely: Sequence[int]) -> Mask:
        """Return which can be an answer: by meaning and words, or by words alone where there is no vector.

        Records of the own project are judged among themselves: records of other projects take no answer away. A record
        in the time span that the query names (`timely`) needs little more evidence. Where the query names nothing else
        such records are the answer, and no other is while there is one.
        """
        if self._asked.only_time and len(timely):
            return np.isin(measured.ids, timely)
        relevance = measured.relevance
        return self.answering(measured, scoring.fused(relevance.overlaps, relevance.similarities), timely)

    def answering(self, measured: Measured, relevances: Floats, timely: Sequence[int] = ()) -> Mask:
        """Return the same where the relevance of each record is known."""
        kept = measured.worded & ~measured.embedded
        for some, among in ((~measured.own, self._passing), (measured.own, self._passing_own)):
            known = np.flatnonzero(measured.embedded & some)
            kept[known] = evidence.answering(relevances[known], measured.shares[known], measured.cosines[known], among)
        if len(timely):
            least = 0.0 if self._question.only_time else evidence.TIMELY * evidence.floor(self._passing)
            kept |= np.isin(measured.ids, timely) & (relevances >= least)
        return kept

    def place(self, measured: Measured, record: int, wanted: int) -> Place:
        """Return where a record that passes the filters stands beside those measured, of which it may be one.

        `wanted` is how many were asked for, see `best`.
        """
        its = self.measured(np.array([record], np.int64))
        own = bool(its.own[0])
        among = self._passing_own if own else self._passing
        beside = np.flatnonzero(measured.embedded & (measured.own == own))
        relevances = scoring.fused(measured.relevance.overlaps, measured.relevance.similarities)[beside]
        clear = (measured.shares[beside] >= evidence.LITERAL) | evidence.near(measured.cosines[beside], among)
        slot = self._snapshot.words.slots_of(its.ids)[0]
        score, last = 0.0, 0.0
        if len(self._scores):
            score = float(self._scores[slot]) if slot >= 0 else 0.0
            found = best_of(self._scores, wanted)
            last = float(self._scores[found].min()) if len(found) == wanted else 0.0
        last_cosine = None
        if self._meaning is not None:
            near, _ = self._meaning.nearest(max(wanted, RESCORED))
            cosines, _ = self._meaning.cosines_of(distinct(near))
            last_cosine = float(cosines.min()) if len(cosines) else None
        return Place(
            float(its.relevance.values[0]),
            float(its.relevance.overlaps[0]),
            float(its.relevance.similarities[0]),
            float(its.cosines[0]) if its.embedded[0] else None,
            float(its.shares[0]),
            int(np.count_nonzero(self._scores > score)) + 1 if score > 0 else 0,
            evidence.least(relevances, clear, among),
            evidence.nearest_unrelated(among),
            evidence.LITERAL,
            float(scoring.overlap(last, self._question.total)),
            last_cosine,
            bool(its.embedded[0]),
        )

    def refusing(self, record: int) -> list[str] | None:
        """Return the names of the filters that a record does not pass, see `Filters`; None where it is not indexed."""
        words = self._snapshot.words
        if words.slots_of(np.array([record], np.int64))[0] < 0:
            return None
        return self._filters.refusing(words, record)

    def about(self, measured: Measured) -> Mask:
        """Return which of the records the query, a message, is about."""
        relevances = scoring.fused(measured.relevance.overlaps, measured.relevance.similarities)
        shares = measured.shares if evidence.says_something(self._asked.text) else measured.shares * 0
        return evidence.about(relevances, shares, measured.cosines, measured.embedded, self._passing)

    def nearest_raised(self, measured: Measured, answers: Relevances) -> Relevances:
        """Return the nearest by its dense vector, if it is near, among the best: it may mean the same in other words.

        None where it is no answer, or stands there already.
        """
        none = answers.take(np.zeros(0, np.int64))
        if not len(measured.ids) or not len(answers):
            return none
        best = int(np.argmax(measured.cosines))
        among = self._passing_own if measured.own[best] else self._passing
        (place,) = answers.places_of(measured.ids[best : best + 1]).tolist()
        if place < 0 or not evidence.near(measured.cosines[best : best + 1], among)[0]:
            return none
        own = answers.take(np.array([place]))
        least = scoring.of_nearest(float(own.values[0]), answers.values)
        if own.values[0] >= least:
            return none
        similarity = scoring.similarity_for(least, float(own.overlaps[0]))
        return Relevances(own.ids, own.overlaps, np.maximum(own.similarities, similarity), own.by_words)

    def newer_rules(self, near: Relevances, created: Ints, order: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of an older text and a newer rule among candidates, where the rule comes first.

        The pairs are by row ids. `created` are the times of the candidates, `order` is theirs, best first: see
        `situations.newer_rules`. None without vectors.
        """
        if not self._rules or self._meaning is None:
            return []
        best = np.sort(np.array(order[: situations.REORDERED], np.int64))  # of ascending ids
        ids = near.ids[best]
        found = self._rules.mask(ids)
        if not found.any():
            return []
        place = np.argsort(np.array(order, np.int64))[best]
        old, new = situations.newer_rules(place, near.values[best], created[best], found)
        if not len(old):
            return []
        same = self._meaning.alike(ids[old], ids[new]) >= situations.SAME_MATTER
        return list(zip(ids[old][same].tolist(), ids[new][same].tolist(), strict=True))

    def rules(self, measured: Measured, answers: Relevances) -> Fitting:
        """Return the standing rules that fit the query, best first: by their vectors, so none without these.

        `answers` are those of the candidates that answer it. Where there are none a question stays without any, as
        nothing is known of it; work to be done, and a question with weak answers, has those that are clearly for it.
        """
        if self._near_rules is None or self._meaning is None:
            return Fitting.none()
        if not len(answers) and rules.is_question(self._asked.text):
            return Fitting.none()
        alone = not len(answers) or confidence.is_weak(self.measures(answers))
        ids = distinct(self._near_rules())
        best = ids[situations.fitting(self._rules, ids, *self._meaning.cosines_of(ids), measured.cosines, alone=alone)]
        return Fitting(best.tolist(), self.measured(np.sort(best)).relevance)

    def allowed(self, ids: Collection[int] | Ints) -> Ints:
        """Return those that pass the filters, ascending; an array of ids must be."""
        ordered = ids if isinstance(ids, np.ndarray) else self.ids(ids)
        slots = self._snapshot.words.slots_of(ordered)
        if not len(self._mask):
            return ordered[:0]
        passing = (slots >= 0) & self._mask[np.maximum(slots, 0)]
        return np.asarray(ordered[passing], np.int64)


class _Meaning:
    """A query by meaning: its sparse products, and the cosines with it of the records that were asked for so far."""

    def __init__(
        self, of: Meant, dense: Vectors, nearest: Callable[[int], tuple[Ints, bool]], dots: Floats, own: float
    ) -> None:
        """`dots` are by slot, `own` is the product of the query's terms with themselves."""
        self.of, self.dense, self.nearest, self.dots, self.own = of, dense, nearest, dots, own
        self._ids = np.zeros(0, np.int64)
        self._rows = np.zeros(0, np.int64)  # of each id, ascending, in the arrays below
        self._cosines: Floats = np.zeros(0)  # of each text's nearest window with the query, -1 for texts without
        self._embedded: Mask = np.zeros(0, np.bool_)

    def products(self, ids: Ints) -> Floats:
        """Return the dot product of each record's sparse terms with the query's."""
        if not len(self.dots):
            return np.zeros(len(ids))
        slots = self.of.sparse.slots_of(ids)
        return np.where(slots >= 0, self.dots[np.maximum(slots, 0)], 0.0)

    def cosines_of(self, ids: Ints) -> tuple[Floats, Mask]:
        """Return the cosine of each (ascending), -1 for texts without a vector, and which have one."""
        rows = self._rows_of(ids)
        return self._cosines[rows], self._embedded[rows]

    def alike(self, some: Ints, others: Ints) -> Floats:
        """Return the cosine of each record with the other in the same place; what has no vector is like nothing."""
        ids = distinct(np.concatenate([some, others]))
        directions = self._directions(ids)
        products = window.alike(directions[np.searchsorted(ids, some)], directions[np.searchsorted(ids, others)])
        return products if self.of.scale is None else self.of.scale.of(products)

    def lent(self, answers: Relevances, pairs: Pairs) -> tuple[float, Floats]:
        """Return how far the order of the pairs, which are by row ids, is trusted, and the shares of `window.lent`."""
        shares = np.zeros(len(pairs))
        values = answers.values[answers.places_of(pairs.lenders)]
        trust = window.trust(*self._placed(window.judged(values, pairs)), self.of.scale)
        if trust:
            best = float(answers.values.max())
            some = window.lending(values, best)
            shares[some] = window.lent(values[some], best, *self._placed(pairs.take(some)), trust, self.of.scale)
        return trust, shares

    def _placed(self, pairs: Pairs) -> tuple[Vectors, Pairs]:
        """Return the directions of the records of pairs by row ids, and the pairs by places in them."""
        ids = distinct(np.concatenate([pairs.lenders, pairs.borrowers]))
        return self._directions(ids), pairs.among(ids)

    def _directions(self, ids: Ints) -> Vectors:
        """Return the unit vector of each record (ascending), zeros for texts without: read again, as none is kept."""
        return self.of.vectors_of(ids).directions(len(ids), len(self.dense))

    def _rows_of(self, ids: Ints) -> Ints:
        self._read(ids)
        return self._rows[np.searchsorted(self._ids, ids)]

    def _read(self, ids: Ints) -> None:
        """Read what was not read before of records, which ascend where any was not."""
        ids = ids[places_in(self._ids, ids) < 0]
        if not len(ids):
            return
        read = self.of.vectors_of(ids)
        products = np.zeros(0, np.float32)
        if len(read.places):
            # einsum: with `@` numpy's BLAS waits for threads on other cores, which may be busy
            products = np.einsum("ij,j->i", read.vectors, self.dense)
            if self.of.scale is not None:
                products = self.of.scale.of(products)
        cosines, embedded = read.highest(len(ids), products)
        rows = np.arange(len(self._ids), len(self._ids) + len(ids))
        if len(self._ids):
            cosines = np.concatenate([self._cosines, cosines])
            embedded = np.concatenate([self._embedded, embedded])
            ids, rows = np.concatenate([self._ids, ids]), np.concatenate([self._rows, rows])
            order = np.argsort(ids)
            ids, rows = ids[order], rows[order]
        self._ids, self._rows = ids, rows
        self._cosines, self._embedded = cosines, embedded
