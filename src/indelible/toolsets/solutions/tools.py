"""Toolset `solutions`: what solved a problem before, how well it did, and the errors to avoid."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.records import solution_fields
from indelible.core.records.lifetimes import Lifetime
from indelible.core.records.solution_fields import ErrorType, Scope
from indelible.sanitize.prompt_frame import visible
from indelible.search.rewards import ContextBoost, Outcome, reward_message, shown_score, shown_similarity
from indelible.toolsets import moments
from indelible.toolsets.hit_shapes import Standing
from indelible.toolsets.registry import VISIBLE, WHOLE, tool
from indelible.toolsets.solutions import failures, matching, solutions
from indelible.toolsets.solutions.matching import Match

LONGEST_HEAD = 100  # characters of a problem that is only mentioned

Text = Annotated[str, Field(min_length=1), VISIBLE]
File = Annotated[str, Field(min_length=1, max_length=1_000), VISIBLE]


class SolutionHit(Standing):
    """One solution of matrix_recall."""

    id: str
    problem: str
    solution: str
    scope: Scope
    tags: list[str]
    similarity: float
    score: float
    uses: int
    successRate: float
    contextBoost: NotRequired[ContextBoost]


class FailureHit(TypedDict):
    """An error that is near to what was asked."""

    id: str
    errorType: str
    errorMessage: str
    rootCause: str
    fixApplied: str
    similarity: float


class RecallResult(TypedDict):
    """The answer of matrix_recall."""

    query: str
    solutions: list[SolutionHit]
    totalFound: int
    relatedFailures: NotRequired[list[FailureHit]]


class StoreResult(TypedDict):
    """The answer of matrix_store; `warning` says that too many are pinned."""

    id: str
    status: Literal["stored"]
    problem: str
    scope: Scope
    tags: list[str]
    warning: NotRequired[str]


class RewardResult(TypedDict):
    """The answer of matrix_reward."""

    solutionId: str
    outcome: Outcome
    previousScore: float
    newScore: float
    message: str


class FailureResult(TypedDict):
    """The answer of matrix_failure."""

    id: str
    status: Literal["recorded", "updated"]
    errorType: ErrorType
    occurrences: int
    message: str


class CurrentRepo(TypedDict):
    """The repository of the server; its name is empty where the server belongs to none."""

    name: str
    languages: list[str]
    frameworks: list[str]
    patterns: list[str]


class Totals(TypedDict):
    """How many there are in the whole store."""

    solutions: int
    failures: int
    repos: int


class RecentSolution(TypedDict):
    """One of the newest solutions."""

    id: str
    problem: str
    scope: Scope
    score: float
    created_at: str


class StatusResult(TypedDict):
    """The answer of matrix_status."""

    status: Literal["operational"]
    database: Literal["connected"]
    currentRepo: CurrentRepo
    stats: Totals
    topTags: list[str]
    recentSolutions: list[RecentSolution]


def _head(problem: str) -> str:
    """The beginning of a problem, `...` behind it if it goes on."""
    return visible(problem if len(problem) <= LONGEST_HEAD else problem[:LONGEST_HEAD] + "...")


@tool("solutions", "Recall solutions")
def matrix_recall(
    ctx: Context,
    query: Annotated[Text, Field(description="The problem, in a sentence")],
    limit: Annotated[int, Field(ge=0, le=matching.MOST, description="Maximum solutions"), WHOLE] = 5,
    minScore: Annotated[float, Field(ge=0, le=1, description="Minimum similarity")] = 0.3,
    scopeFilter: Annotated[Literal["all", "global", "stack", "repo"], Field(description="Only this scope")] = "all",
) -> RecallResult:
    """Find what solved a problem like this before. Call it first in every non-trivial task.

    Best first, with score and success rate; relatedFailures are errors to avoid. After using one, report the outcome:
    matrix_reward.
    """
    found = matching.recall(ctx, query, limit, minScore, None if scopeFilter == "all" else scopeFilter)
    result: RecallResult = {
        "query": visible(query),
        "solutions": [_solution(match) for match in found.solutions],
        "totalFound": found.total,
    }
    if found.failures:
        result["relatedFailures"] = [_failure(match) for match in found.failures]
    return result


def _solution(match: Match) -> SolutionHit:
    record, earned = match.record, solution_fields.rewards_of(match.record)
    hit: SolutionHit = {
        "id": record.key,
        "problem": visible(solution_fields.problem_of(record)),
        "solution": visible(solution_fields.solution_of(record)),
        "scope": solution_fields.scope_of(record),
        "tags": [visible(tag) for tag in record.tags],
        "similarity": shown_similarity(match.similarity),
        "score": shown_score(earned.score),
        "uses": match.uses,
        "successRate": earned.success_rate,
    }
    if match.boost is not None:
        hit["contextBoost"] = match.boost
    return {**hit, **match.stands}  # type: ignore[typeddict-item]


def _failure(match: Match) -> FailureHit:
    record = match.record
    return {
        "id": record.key,
        "errorType": record.type,
        "errorMessage": visible(solution_fields.text_of(record, "errorMessage") or record.text),
        "rootCause": visible(solution_fields.text_of(record, "rootCause")),
        "fixApplied": visible(solution_fields.text_of(record, "fixApplied")),
        "similarity": shown_similarity(match.similarity),
    }


@tool("solutions", "Store a solution", writes=True, idempotent=True, in_project=True)
def matrix_store(
    ctx: Context,
    problem: Annotated[Text, Field(description="What was solved, with its technologies")],
    solution: Annotated[Text, Field(description="Code, steps, explanation")],
    scope: Annotated[Scope, Field(description="Where it applies")],
    tags: Annotated[list[Text], Field(description="Hierarchical: auth:oauth:google")] = [],  # noqa: B006
    filesAffected: Annotated[list[File], Field(description="Modified files")] = [],  # noqa: B006
    expires_at: moments.ExpiresAt = None,
    pinned: moments.PinIt = None,
) -> StoreResult:
    """Store the solution of a problem that may come again.

    scope: `global` any project (git, algorithms), `stack` the same technologies, `repo` this repository only. Good
    problem: "OAuth with Google in TypeScript, refresh tokens"; bad: "OAuth". Known texts are not stored twice.
    """
    lifetime = Lifetime(expires_at=expires_at, pinned=pinned)
    stored = solutions.store(ctx, solutions.NewSolution(problem, solution, scope, tags, filesAffected, lifetime))
    result: StoreResult = {
        "id": stored["id"],
        "status": "stored",
        "problem": _head(problem),
        "scope": scope,
        "tags": [visible(tag) for tag in stored["tags"]],
    }
    return {**result, "warning": stored["warning"]} if "warning" in stored else result


@tool("solutions", "Reward a solution", writes=True)
def matrix_reward(
    ctx: Context,
    solutionId: Annotated[Text, Field(description="From matrix_recall")],
    outcome: Annotated[Outcome, Field(description="How it went")],
    notes: Annotated[Text | None, Field(description="What worked, what had to change")] = None,
) -> RewardResult:
    """Report how a recalled solution did: success (a tenth closer to 1), partial (+0.03), failure (-0.15, minimum 0.1).

    Call it after each use: the score ranks later recalls.
    """
    done = solutions.reward(ctx, solutionId, outcome, notes)
    return {
        "solutionId": done["id"],
        "outcome": outcome,
        "previousScore": shown_score(done["previous"]),
        "newScore": shown_score(done["new"]),
        "message": reward_message(done["previous"], done["new"]),
    }


@tool("solutions", "Record a failure", writes=True, in_project=True)
def matrix_failure(
    ctx: Context,
    errorType: Annotated[ErrorType, Field(description="Where it occurred")],
    errorMessage: Annotated[Text, Field(description="As printed")],
    rootCause: Annotated[Text, Field(description="What caused it")],
    fixApplied: Annotated[Text, Field(description="What fixed it")],
    stackTrace: Annotated[Text | None, Field(description="If available")] = None,
    prevention: Annotated[Text | None, Field(description="How to avoid it")] = None,
    filesInvolved: Annotated[list[File] | None, Field(description="Related files")] = None,
) -> FailureResult:
    """Record a non-trivial error with its cause and fix, once it is fixed.

    Messages that differ only in numbers, strings, paths and addresses count as occurrences of one. matrix_recall warns
    of it.
    """
    new = failures.NewFailure(errorType, errorMessage, rootCause, fixApplied, stackTrace, prevention, filesInvolved)
    done = failures.record(ctx, new)
    again = done["occurrences"] > 1
    message = (
        f"Updated existing failure record (seen {done['occurrences']} times)"
        if again
        else "New failure pattern recorded for future prevention"
    )
    return {
        "id": done["id"],
        "status": "updated" if again else "recorded",
        "errorType": errorType,
        "occurrences": done["occurrences"],
        "message": message,
    }


@tool("solutions", "Status of solutions")
def matrix_status(ctx: Context) -> StatusResult:
    """Show what is stored: totals, most used tags, newest solutions, and the technologies of the current repository."""
    now = solutions.status(ctx)
    return {
        "status": "operational",
        "database": "connected",
        "currentRepo": {
            "name": visible(now.fingerprint.name) if now.fingerprint else "",
            "languages": list(now.fingerprint.languages) if now.fingerprint else [],
            "frameworks": list(now.fingerprint.frameworks) if now.fingerprint else [],
            "patterns": list(now.fingerprint.patterns) if now.fingerprint else [],
        },
        "stats": {"solutions": now.solutions, "failures": now.failures, "repos": now.repositories},
        "topTags": [visible(tag) for tag in now.tags],
        "recentSolutions": [
            {
                "id": record.key,
                "problem": visible(solution_fields.problem_of(record)),
                "scope": solution_fields.scope_of(record),
                "score": shown_score(solution_fields.rewards_of(record).score),
                "created_at": time_text(record.created),
            }
            for record in now.recent
        ],
    }
