"""The one door through which text comes in: checked and redacted before it is hashed, compared, stored or logged."""

import math
from collections.abc import Iterable
from typing import Any

from indelible.errors import InvalidInput
from indelible.sanitize.prompt_frame import visible
from indelible.sanitize.redact import Finding, redact

LONGEST = 1 << 20  # bytes of one text
DEEPEST = 64  # levels of nested JSON


def admit(value: Any, argument: str) -> tuple[Any, list[Finding]]:
    """A JSON value with every secret in it replaced, and what was replaced.

    Raises InvalidInput for text that cannot be stored (over 1 MiB, NUL, half a surrogate pair), for NaN and
    infinity, for nesting deeper than 64, and for what is not JSON.
    """
    check(value, argument)
    clean, findings = redact(value, argument)
    return clean, list(findings)


def check(value: Any, argument: str, depth: int = 0) -> None:
    """Raise InvalidInput for what `admit` refuses, and change nothing."""
    if depth > DEEPEST:
        raise InvalidInput(f"{argument} is nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        _check_text(value, argument)
    elif isinstance(value, (int, float)):
        _check_number(value, argument)
    elif isinstance(value, dict):
        _check_object(value, argument, depth)
    elif isinstance(value, list):
        for inner in value:
            check(inner, argument, depth + 1)
    elif value is not None:  # a tuple, bytes ...: redaction would not look into it
        raise InvalidInput(f"{argument} holds a {type(value).__name__}, which is not JSON; give text, numbers or lists")


def _check_object(value: dict[Any, Any], argument: str, depth: int) -> None:
    for name, inner in value.items():
        if not isinstance(name, str):
            raise InvalidInput(f"{argument} holds an object with the key {name!r:.80}; keys must be text")
        _check_text(name, argument)
        check(inner, argument, depth + 1)


def _check_number(value: float, argument: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"{argument} must be a finite number, got {value}")
    if isinstance(value, int) and abs(value) >= 1 << 63:
        raise InvalidInput(f"{argument} must be a number below 2^63, got one of {value.bit_length()} bits")


def _check_text(text: str, argument: str) -> None:
    if "\0" in text:
        raise InvalidInput(f"{argument} contains a NUL character at position {text.index(chr(0))}; remove it")
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{argument} contains half of a surrogate pair at position {error.start}; send valid Unicode"
        ) from None
    if size > LONGEST:
        raise InvalidInput(f"{argument} has {size:,} bytes, at most {LONGEST:,} are allowed; split it into parts")


def is_blank(text: str) -> bool:
    """Say whether a text shows nothing: it is empty, or has white space and invisible characters alone."""
    return not visible(text).strip()


def refuse_blank(text: str, argument: str) -> None:
    """Raise InvalidInput for a text that shows nothing: nobody could find it, or it asks for nothing."""
    if is_blank(text):
        raise InvalidInput(f"{argument} must have at least one visible character, got {text[:80]!r}")


def merged(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as answers show them, those of one rule and argument counted together, in a fixed order."""
    counts: dict[tuple[str, str], int] = {}
    for finding in findings:
        at = (finding.rule, finding.argument)
        counts[at] = counts.get(at, 0) + finding.count
    return [{"rule": rule, "argument": argument, "count": n} for (rule, argument), n in sorted(counts.items())]


def redaction_lines(redacted: Iterable[dict[str, Any]]) -> list[str]:
    """Return a line in words for each finding of `merged`, without the secret."""
    return [f"redacted in {each['argument']}: {each['rule']} ({each['count']})" for each in redacted]
