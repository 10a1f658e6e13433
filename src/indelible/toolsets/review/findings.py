"""Findings of a review, the worst first, within a number of tokens: as values, as JSON and as text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from indelible.dataclass import dataclass
from indelible.sanitize.prompt_frame import json_text, one_line, visible
from indelible.sanitize.secret_spans import redact_text
from indelible.search.model_tokens import token_bound
from indelible.search.model_tokens.o200k import count
from indelible.toolsets.review.shapes import MOST_FILES, ReviewShape

TOKENS = 1_500  # of a whole answer
MOST_TEXTS, MOST_FAILURES, MOST_TESTS, MOST_SYMBOLS = 6, 4, 8, 15
LONGEST, LONGEST_NAME = 200, 120  # characters of a text, and of a name or a reason

FILE, DECISION, PITFALL, FAILURE, TEST, STALE = "file", "decision", "pitfall", "failure", "test", "stale"
SYMBOL = "symbol"
_MOST = {FILE: MOST_FILES, TEST: MOST_TESTS, FAILURE: MOST_FAILURES, STALE: MOST_FAILURES}
_SAID = {
    FILE: "may have to change too",
    DECISION: "decision at stake",
    PITFALL: "known pitfall",
    FAILURE: "failed here before",
    TEST: "test that reaches it",
    STALE: "memory that becomes stale",
}


class Finding(NamedTuple):
    """Something that the change concerns: `subject` is a path or an id; `severity`, 0..1, orders findings."""

    kind: str
    subject: str
    why: str
    severity: float


@dataclass(frozen=True, slots=True)
class Review:
    """A review: how many files change, the changed symbols, and the findings, the worst first.

    `left_out` counts, by kind, what there was no room for; `lacks` says what could not be looked at.
    """

    files: int
    symbols: tuple[str, ...]
    findings: tuple[Finding, ...]
    left_out: dict[str, int]
    lacks: tuple[str, ...]


def fitting(files: int, names: Sequence[str], findings: Iterable[Finding], lacks: Sequence[str]) -> Review:
    """Return the review of what there is room for: the worst first, ties by kind and subject."""
    ordered = sorted(map(_clean, findings), key=lambda each: (-each.severity, each.kind, each.subject))
    left_out: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    chosen: list[Finding] = []
    for each in ordered:
        if taken[each.kind] < _MOST.get(each.kind, MOST_TEXTS):
            taken[each.kind] += 1
            chosen.append(each)
        else:
            left_out[each.kind] += 1
    shown = [short(name) for name in names[:MOST_SYMBOLS]]
    if len(names) > MOST_SYMBOLS:
        left_out[SYMBOL] = len(names) - MOST_SYMBOLS
    said = tuple(dict.fromkeys(map(short, lacks)))
    while True:
        found = Review(files, tuple(shown), tuple(chosen), dict(sorted(left_out.items())), said)
        if fits(text_of(shape(found))) and fits(json_text(shape(found))):
            return found
        if chosen:
            left_out[chosen.pop().kind] += 1
        elif shown:
            shown.pop()
            left_out[SYMBOL] += 1
        else:
            return found


def fits(form: str) -> bool:
    """Return whether a text has at most TOKENS o200k tokens; it is counted only where a bound does not tell."""
    return token_bound.at_most(form) <= TOKENS or count(form) <= TOKENS


def shape(found: Review) -> ReviewShape:
    """Return a review as an answer has it."""
    return {
        "files": found.files,
        "symbols": list(found.symbols),
        "findings": [{"kind": each.kind, "subject": each.subject, "why": each.why} for each in found.findings],
        "left_out": found.left_out,
        "lacks": list(found.lacks),
    }


def text_of(found: ReviewShape) -> str:
    """Return an answer as lines."""
    if not found["files"]:
        return "there is no change to review"
    files = "1 file" if found["files"] == 1 else f"{found['files']:,} files"
    changed = f": {', '.join(found['symbols'])}" if found["symbols"] else ""
    lines = [f"change of {files}{changed}"]
    lines += [f"- {_SAID[each['kind']]}: {each['subject']} ({each['why']})" for each in found["findings"]]
    if not found["findings"]:
        lines.append("nothing is known that it concerns")
    if found["left_out"]:
        counts = (f"{number} {kind}{'' if number == 1 else 's'}" for kind, number in found["left_out"].items())
        lines.append(f"left out: {', '.join(counts)}")
    lines += [f"not looked at: {each}" for each in found["lacks"]]
    return "\n".join(lines)


def _clean(finding: Finding) -> Finding:
    """Return a finding without secrets, in short."""
    return finding._replace(subject=short(finding.subject), why=short(finding.why, LONGEST + LONGEST_NAME))


def short(given: str, longest: int = LONGEST_NAME) -> str:
    """Return a text in one line without secrets, cut to so many characters."""
    clean = one_line(visible(redact_text(given)[0]))
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
