"""The fields of solutions and failures: among a record's text, type and metadata.

A solution's text is its problem, a blank line, and the solution; its type is its scope. A failure's type is that of the
error. All other fields are in metadata, so that trash, export and import need to know nothing of them. An import may
have brought records without these fields: missing ones are read as empty.
"""

from typing import Any, Literal, cast, get_args

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.search import rewards
from indelible.search.rewards import Outcome

# Imported late (start, cli): indelible.search.failures

Scope = Literal["global", "stack", "repo"]
ErrorType = Literal["runtime", "build", "test", "type", "other"]
LONGEST = 1 << 20  # bytes of a record's text: an export's texts must fit an import
ERROR, FIX = "Error", "Fix"  # types of the entities that a failure writes
COMMAND = "Command"  # the type of that of the command which failed, where a capture says it
RECORDED = "failure_id"  # in the metadata of a promoted memory: the failure that was recorded with it
FAILED = "failed in a captured session"  # observation of a command that a failure wrote: data, as every store has it
DETECTOR = "matrix_failure"  # of the captures that a failure writes into its error: data, as every store has it
EARLIER = "earlier"  # in a failure's metadata: the causes and fixes that newer ones replaced
BETWEEN = "\n\n"  # a problem and its solution
COUNTS = {"success": "successes", "partial": "partials", "failure": "failures"}


@dataclass(frozen=True, slots=True)
class Rewards:
    """The score of a solution and its outcomes so far."""

    score: float
    successes: int
    partials: int
    failures: int

    @property
    def success_rate(self) -> float:
        """The share of successes, 2 decimals; partial outcomes count for neither side."""
        return rewards.success_rate(self.successes, self.failures)


# --- Solutions ---


def solution_text(problem: str, solution: str) -> str:
    """Return the text of a solution. Raises InvalidInput where it would be too long."""
    text = f"{problem}{BETWEEN}{solution}"
    _refuse_long(text, "problem and solution")
    return text


def problem_of(record: Record) -> str:
    """Return the problem of a solution; where no field says, its first paragraph."""
    problem = record.metadata.get("problem")
    if isinstance(problem, str) and problem and record.text.startswith(problem):
        return problem
    return record.text.split(BETWEEN, 1)[0]


def solution_of(record: Record) -> str:
    """Return the solution without its problem; the whole text where there is nothing else."""
    return record.text[len(problem_of(record)) :].removeprefix(BETWEEN) or record.text


def solution_parts(record: Record) -> list[str]:
    """Return the texts embedded of a solution."""
    problem = problem_of(record)
    rest = record.text[len(problem) :].removeprefix(BETWEEN)
    return [problem, rest] if rest else [problem]


def scope_of(record: Record) -> Scope:
    """Return the scope of a solution, `global` where it has none."""
    return cast("Scope", record.type) if record.type in get_args(Scope) else "global"


def rewards_of(record: Record) -> Rewards:
    """Return the score and outcomes in a solution's metadata."""
    found = record.metadata
    given = found.get("score")
    is_score = isinstance(given, (int, float)) and not isinstance(given, bool)
    score = min(1.0, max(0.0, float(cast("float", given)))) if is_score else rewards.FIRST_SCORE
    counts = [_count(found.get(name)) for name in COUNTS.values()]
    return Rewards(score, *counts)


def rewarded(metadata: dict[str, Any], had: Rewards, outcome: Outcome) -> dict[str, Any]:
    """Return a solution's metadata after one more outcome."""
    counts = dict(zip(COUNTS.values(), (had.successes, had.partials, had.failures), strict=True))
    counts[COUNTS[outcome]] += 1
    return {**metadata, "score": rewards.rewarded(had.score, outcome), **counts}


# --- Failures ---


def failure_text(error_type: str, message: str, cause: str, fix: str, prevention: str) -> str:
    """Return the text of a failure. Raises InvalidInput where it would be too long."""
    lines = [f"{error_type}: {message}", f"Cause: {cause}", f"Fix: {fix}"]
    text = "\n".join([*lines, f"Prevention: {prevention}"] if prevention else lines)
    _refuse_long(text, "errorMessage, rootCause, fixApplied and prevention")
    return text


def failure_parts(record: Record) -> list[str]:
    """Return the texts embedded of a failure: error and cause, then the fix."""
    message, cause, fix, prevention = (
        text_of(record, name) for name in ("errorMessage", "rootCause", "fixApplied", "prevention")
    )
    if not message:
        return [record.text]
    rest = "\n".join(filter(None, (fix, prevention)))
    about = f"{record.type}: {message} {cause}"
    return [about, rest] if rest else [about]


def text_of(record: Record, name: str) -> str:
    """Return a text in a record's metadata, "" where there is none."""
    found = record.metadata.get(name)
    return found if isinstance(found, str) else ""


def files_of(record: Record) -> list[str]:
    """Return the files that a record names, as they were given."""
    return _texts(record.metadata.get("files"))


def entity_names_of(record: Record) -> list[str]:
    """Return the names of a failure's entities: its error and its fixes."""
    return _texts(record.metadata.get("entities"))


def command_names_of(record: Record) -> list[str]:
    """Return the names of the entities of the commands that failed with a failure."""
    return _texts(record.metadata.get("commands"))


def captured_cause(command: str) -> str:
    """Return the cause of a failure that was captured when a command failed: it is not known."""
    return f"not told; captured when `{command}` failed" if command else "not told; captured when a command failed"


def earlier_of(record: Record) -> list[dict[str, str]]:
    """Return the causes and fixes replaced by newer ones when failures were merged, oldest first, by field."""
    found = record.metadata.get(EARLIER)
    listed = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    return [{name: text for name, text in each.items() if isinstance(text, str)} for each in listed]


def occurrences_of(record: Record) -> int:
    """Return how often a failure was recorded."""
    return max(1, _count(record.metadata.get("occurrences")))


def signature_of(error_type: str, metadata: dict[str, Any]) -> str:
    """Return the signature of a failure by its metadata, "" where that has no message."""
    from indelible.search import failures  # its expressions take longer to make than a recall

    message = metadata.get("errorMessage")
    return failures.signature(error_type, message) if isinstance(message, str) and message else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _refuse_long(text: str, what: str) -> None:
    size = len(text.encode())
    if size > LONGEST:
        raise InvalidInput(f"{what} have {size:,} bytes together, at most {LONGEST:,} are allowed; shorten them")
