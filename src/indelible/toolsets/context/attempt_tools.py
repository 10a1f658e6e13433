"""Toolset `context`: code attempts and their results."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from indelible.clock import time_text
from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.core.records import attempt_fields
from indelible.sanitize.prompt_frame import visible
from indelible.toolsets.context import attempts
from indelible.toolsets.context.attempts import Pattern, Share
from indelible.toolsets.registry import VISIBLE, WHOLE, tool

DIGITS = 3  # of rates and similarities


class LogResult(TypedDict):
    """The answer of log_code_attempt."""

    success: Literal[True]
    pattern_id: int
    input_prompt: str
    result: attempts.Result
    tags: list[str]
    logged_at: str


class CodePattern(TypedDict):
    """The attempts at one prompt, shown by the newest that passed, else the newest."""

    pattern_id: int
    input_prompt: str
    generated_code: str
    result: str
    error_message: NotRequired[str]
    execution_time_ms: NotRequired[int]
    tags: list[str]
    logged_at: str
    similarity_score: float
    attempts: int
    success_rate: float


class PatternsResult(TypedDict):
    """The answer of get_code_patterns."""

    success: Literal[True]
    patterns: list[CodePattern]
    total_patterns: int
    average_success_rate: float | None


class TagShare(TypedDict):
    """The success rate of the attempts with a tag."""

    attempts: int
    success_rate: float | None


class CommonError(TypedDict):
    """An error as it last occurred, and how often it occurred."""

    error_message: str
    count: int


class Analysis(TypedDict):
    """Success rates of attempts, in all and by tag, and their most common errors."""

    attempts: int
    success_rate: float | None
    by_tag: dict[str, TagShare]
    common_errors: list[CommonError]


class AnalysisResult(TypedDict):
    """The answer of analyze_code_patterns."""

    success: Literal[True]
    analysis: Analysis


@tool("context", "Log a code attempt", writes=True, in_project=True)
def log_code_attempt(
    ctx: Context,
    input_prompt: Annotated[str, Field(min_length=1, description="What was asked for"), VISIBLE],
    generated_code: Annotated[str, Field(min_length=1, description="What was written")],
    result: Annotated[attempts.Result, Field(description="Result of the run")],
    execution_time_ms: Annotated[int | None, Field(ge=0, description="Run time"), WHOLE] = None,
    error_message: Annotated[str | None, Field(description="As printed")] = None,
    tags: Annotated[list[Annotated[str, Field(min_length=1)]] | None, Field(description="Language, area")] = None,
) -> LogResult:
    """Store code that was run and its result, passed or not, for get_code_patterns to show what works."""
    new = attempts.NewAttempt(input_prompt, generated_code, result, execution_time_ms, error_message or "", tags or ())
    logged = attempts.log(ctx, new)
    return {
        "success": True,
        "pattern_id": logged["number"],
        "input_prompt": visible(input_prompt),
        "result": result,
        "tags": [visible(tag) for tag in logged["tags"]],
        "logged_at": time_text(logged["created"]),
    }


@tool("context", "Find code patterns")
def get_code_patterns(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, description="What you want to write"), VISIBLE],
    limit: Annotated[int, Field(ge=1, le=20, description="Maximum patterns"), WHOLE] = 5,
) -> PatternsResult:
    """Find code that was tried for similar prompts, best match first; call it before you write it again.

    A pattern is all attempts at one prompt, with its success rate and the newest code that passed.
    """
    found = attempts.patterns(ctx, query, limit)
    rates = [pattern.success_rate for pattern in found]
    return {
        "success": True,
        "patterns": [_pattern(pattern) for pattern in found],
        "total_patterns": len(found),
        "average_success_rate": round(sum(rates) / len(rates), DIGITS) if rates else None,
    }


def _pattern(pattern: Pattern) -> CodePattern:
    record = pattern.record
    shown: CodePattern = {
        "pattern_id": number_of(record.key) or 0,
        "input_prompt": visible(attempt_fields.prompt_of(record)),
        "generated_code": visible(attempt_fields.text_in(record.metadata, "code")),
        "result": record.type,
        "tags": [visible(tag) for tag in record.tags],
        "logged_at": time_text(record.created),
        "similarity_score": round(pattern.similarity, DIGITS),
        "attempts": pattern.attempts,
        "success_rate": round(pattern.success_rate, DIGITS),
    }
    error, taken = attempt_fields.error_in(record.metadata), record.metadata.get("execution_time_ms")
    if error:
        shown["error_message"] = visible(error)
    if isinstance(taken, int):
        shown["execution_time_ms"] = taken
    return shown


@tool("context", "Analyze code patterns")
def analyze_code_patterns(
    ctx: Context,
    query: Annotated[str | None, Field(min_length=1, description="Only attempts about this; default: all")] = None,
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum tags and errors"), WHOLE] = 10,
) -> AnalysisResult:
    """Show how code attempts went: the success rate, in all and by tag, and the most frequent errors."""
    found = attempts.analyze(ctx, query, limit)
    return {
        "success": True,
        "analysis": {
            **_share(found.total),
            "by_tag": {visible(tag): _share(share) for tag, share in found.by_tag.items()},
            "common_errors": [{"error_message": visible(error), "count": count} for error, count in found.errors],
        },
    }


def _share(share: Share) -> TagShare:
    rate = share.success_rate
    return {"attempts": share.attempts, "success_rate": None if rate is None else round(rate, DIGITS)}
