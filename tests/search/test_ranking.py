"""The final order of candidates, over columns."""

import numpy as np
import pytest

from indelible.model import COMPONENTS
from indelible.search import scoring
from indelible.search.ranking import Facts, Query, ranked
from indelible.search.relevance import Relevance, Relevances

NOW = 1_800_000_000_000_000
DAY = 86_400_000_000
ASKED = Query(NOW, None, frozenset({"deploy"}), scoring.DEFAULT_WEIGHTS)


def facts(*rows):
    """Columns of rows that say only what is not usual."""
    usual = {
        "key": "k",
        "created": NOW - DAY,
        "last": 0,
        "importance": 0.5,
        "confidence": 1.0,
        "strength": 0.0,
        "tags": (),
        "own": False,
    }
    return Facts.of([tuple({**usual, **row}.values()) for row in rows])


def near(*each):
    return Relevances.of(dict(enumerate(each, 1)))


def test_a_score_is_the_weighted_sum_of_the_components_that_are_shown():
    given = facts({"strength": 0.7, "tags": ("deploy", "other")}, {"own": True, "last": NOW}, {"key": "b"})
    scored = ranked(near(Relevance(0.5, 0.6), Relevance(0.3, 0.9), Relevance(0.2, 0.0, True)), given, ASKED)
    for place, score in enumerate(scored.scores):
        components = scored.components(place)
        assert tuple(components) == COMPONENTS
        assert score == pytest.approx(sum(scoring.DEFAULT_WEIGHTS[name] * components[name] for name in COMPONENTS))
        assert all(0 <= value <= 1 for value in components.values())
    assert scored.components(0)["tag_matching"] == 0.5
    assert scored.order == sorted(range(3), key=lambda place: -scored.scores[place])


def test_of_equal_scores_the_newest_is_first_then_the_lower_key():
    same = Relevance(0.5, 0.5)
    timeless = Query(NOW, None, frozenset(), None)
    given = facts({"key": "c"}, {"key": "b"}, {"key": "z", "created": NOW})
    assert ranked(near(same, same, same), given, timeless).order == [2, 1, 0]


def test_the_own_project_counts_more_and_never_more_than_all():
    given = facts({"own": True}, {}, {"own": True})
    scored = ranked(near(Relevance(0.4, 0.4), Relevance(0.4, 0.4), Relevance(0.95, 0.95)), given, ASKED)
    own, other, full = (scored.components(place) for place in range(3))
    assert own["vector_similarity"] == pytest.approx(scoring.OWN_PROJECT * other["vector_similarity"])
    assert (full["token_overlap"], full["vector_similarity"]) == (1, 1)


def test_an_access_later_than_the_creation_makes_it_recent_and_one_from_the_future_counts_as_now():
    given = facts({"created": NOW - 70 * DAY}, {"created": NOW - 70 * DAY, "last": NOW}, {"created": NOW + DAY})
    scored = ranked(near(*[Relevance(0.5, 0.5)] * 3), given, ASKED)
    old, used, early = (scored.components(place)["recency"] for place in range(3))
    assert old < 0.01 * used
    assert used == early


def test_without_weights_only_what_looks_at_the_query_counts():
    given = facts({"importance": 1.0, "strength": 1.0}, {"importance": 0.0})
    scored = ranked(near(Relevance(0.4, 0.4), Relevance(0.5, 0.5)), given, Query(NOW, None, frozenset(), None))
    assert scored.scores == pytest.approx([0.4, 0.5])


def test_no_candidates_are_no_hits():
    assert ranked(Relevances.of({}), Facts.of([]), ASKED).order == []
    assert np.asarray(Facts.of([]).created).dtype == np.int64
