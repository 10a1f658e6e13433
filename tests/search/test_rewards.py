"""What feedback and repositories make of a solution's figures."""

import pytest

from indelible.search import rewards
from indelible.search.rewards import boost, rewarded, shown_similarity, success_rate

S, P, F = "success", "partial", "failure"


@pytest.mark.parametrize(
    ("start", "outcomes", "end"),
    [
        (0.5, [], 0.5),
        (0.5, [S], 0.55),
        (0.5, [P], 0.53),
        (0.5, [F], 0.35),
        (0.5, [S, S], 0.595),
        (0.5, [S, F, P], 0.43),
        (0.5, [F, F, F], 0.1),
        (0.5, [F, F, F, F, F], 0.1),
        (0.5, [F, F, F, S], 0.19),
        (0.2, [F], 0.1),
        (0.98, [P], 1.0),
        (1.0, [P], 1.0),
        (1.0, [S], 1.0),
        (1.0, [F], 0.85),
        (0.5, [P] * 17, 1.0),
        (0.5, [S] * 100, 1 - 0.5 * 0.9**100),
    ],
)
def test_a_chain_of_outcomes_ends_in_its_score(start, outcomes, end):
    score = start
    for outcome in outcomes:
        score = rewarded(score, outcome)
    assert score == pytest.approx(end, abs=1e-12)


def test_no_chain_leaves_its_bounds_and_success_never_quite_reaches_the_top():
    score = rewards.FIRST_SCORE
    for step in range(300):
        score = rewarded(score, (S, P, F)[step * 7 % 5 % 3])
        assert rewards.LEAST_SCORE <= score <= 1.0
    assert rewarded(rewarded(0.9, S), S) < 1.0


@pytest.mark.parametrize(
    ("successes", "failures", "rate"),
    [(0, 0, 0.5), (1, 0, 1.0), (0, 1, 0.0), (1, 1, 0.5), (1, 2, 0.33), (2, 1, 0.67), (999, 1, 1.0)],
)
def test_a_success_rate_is_the_share_of_successes_among_what_was_judged(successes, failures, rate):
    assert success_rate(successes, failures) == rate


@pytest.mark.parametrize(
    ("previous", "new", "message"),
    [
        (0.5, 0.55, "Score updated: 0.50 → 0.55"),
        (0.25, 0.1, "Score updated: 0.25 → 0.10"),
        (0.97, 1.0, "Score updated: 0.97 → 1.00"),
    ],
)
def test_a_reward_is_told_with_both_scores(previous, new, message):
    assert rewards.reward_message(previous, new) == message


@pytest.mark.parametrize(
    ("same_repository", "stack_similarity", "factor", "label"),
    [
        (True, 0.0, 1.15, "same_repo"),
        (True, 1.0, 1.15, "same_repo"),
        (False, 1.0, 1.08, "similar_stack"),
        (False, 0.7001, 1.08, "similar_stack"),
        (False, 0.7, 1.0, None),
        (False, 0.0, 1.0, None),
    ],
)
def test_a_repository_lifts_its_own_solutions_and_those_of_a_similar_stack(
    same_repository, stack_similarity, factor, label
):
    assert boost(same_repository, stack_similarity) == (factor, label)


def test_figures_are_shown_with_three_decimals_and_a_boosted_similarity_as_one_at_most():
    assert shown_similarity(0.95 * rewards.SAME_REPOSITORY) == 1.0
    assert shown_similarity(0.65432) == 0.654
    assert rewards.shown_score(0.59549) == 0.595
