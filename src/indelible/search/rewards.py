"""The reward of feedback to a solution's score, and the boost of a solution from a similar repository."""

from typing import Literal, assert_never

Outcome = Literal["success", "partial", "failure"]
ContextBoost = Literal["same_repo", "similar_stack"]

FIRST_SCORE = 0.5
LEAST_SCORE = 0.1  # that failures leave
SAME_REPOSITORY = 1.15
SIMILAR_STACK = 1.08
ALIKE = 0.7  # cosine of two fingerprints above which their stacks are similar


def rewarded(score: float, outcome: Outcome) -> float:
    """Return the score after one outcome, unrounded: it is stored so, and a chain of rewards loses nothing."""
    match outcome:
        case "success":
            return score + 0.1 * (1 - score)
        case "partial":
            return min(1.0, score + 0.03)
        case "failure":
            return max(LEAST_SCORE, score - 0.15)
    assert_never(outcome)


def success_rate(successes: int, failures: int) -> float:
    """Return successes among successes and failures, 2 decimals, 0.5 with neither; partial outcomes do not count."""
    counted = successes + failures
    return round(successes / counted, 2) if counted else 0.5


def reward_message(previous: float, new: float) -> str:
    """Return `Score updated: 0.50 → 0.55`."""
    return f"Score updated: {previous:.2f} → {new:.2f}"


def boost(same_repository: bool, stack_similarity: float) -> tuple[float, ContextBoost | None]:
    """Return the factor of a solution's similarity for its repository, and the factor's name.

    `stack_similarity` is that of the two repositories' fingerprints (0 where there are none). One factor holds for all
    solutions of a repository.
    """
    if same_repository:
        return SAME_REPOSITORY, "same_repo"
    if stack_similarity > ALIKE:
        return SIMILAR_STACK, "similar_stack"
    return 1.0, None


def shown_similarity(similarity: float) -> float:
    """Return a boosted similarity as it is shown: at most 1, 3 decimals."""
    return round(min(1.0, similarity), 3)


def shown_score(score: float) -> float:
    """Return a score as it is shown: 3 decimals."""
    return round(score, 3)
