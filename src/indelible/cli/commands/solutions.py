"""Solutions and failures for a person: the newest, and all that is kept of one."""

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, open_existing
from indelible.cli.terminal import out, shortened, table
from indelible.errors import InvalidInput
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.model import Record

SHOWN = 20


def add(command: Adding) -> None:
    """Declare the commands."""
    for name, run, kind in (
        ("solutions", _solutions, "solution"),
        ("failures", _failures, "failure"),
    ):
        made = command(name, run, f"list the newest {name}, or show one in full")
        made.add_argument("id", nargs="?", help=f"id of a {kind}")
        made.add_argument("-k", "--limit", type=int, default=SHOWN, help="maximum number to list; default: %(default)s")


def _solutions(arguments: argparse.Namespace) -> int:
    from indelible.toolsets.solutions import solutions

    def newest(ctx: "Context", limit: int) -> "list[tuple[Record, int]]":
        return [(record, uses) for record, _, uses in solutions.newest(ctx, limit)]

    return _shown(arguments, "solution", newest, _solution, _row_of_solution)


def _failures(arguments: argparse.Namespace) -> int:
    from indelible.toolsets.solutions import failures

    return _shown(arguments, "failure", failures.newest, _failure, _row_of_failure)


def _shown(
    arguments: argparse.Namespace,
    kind: str,
    newest: "Callable[[Context, int], list[tuple[Record, int]]]",
    whole: "Callable[[Record, int], dict[str, Any]]",
    row_of: Callable[[dict[str, Any]], dict[str, str]],
) -> int:
    """Print all of one, or the newest as a table; a script gets all of each."""
    from indelible.capture import promotion
    from indelible.toolsets.solutions import solutions

    if arguments.limit < 1:
        raise InvalidInput(f"--limit must be at least 1, got {arguments.limit}")
    ctx = open_existing(arguments)
    try:
        one = None if arguments.id is None else solutions.one(ctx, arguments.id, kind)
        found = [whole(*each) for each in (newest(ctx, arguments.limit) if one is None else [one])]
        waiting = len(promotion.waiting_failures(ctx)) if one is None and kind == "failure" else 0
    finally:
        ctx.close()
    answers.give({f"{kind}s": found})
    if one is not None:
        _lines(found[0])
    elif found:
        rows = [row_of(each) for each in found]
        table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        say(f"no {kind} is stored")
    if waiting:
        wait = "captured failure waits" if waiting == 1 else "captured failures wait"
        say(f"{waiting:,} {wait} for review: `indelible review` keeps or rejects, `indelible fixes ERROR` finds them")
    return 0


def _row_of_solution(whole: dict[str, Any]) -> dict[str, str]:
    from indelible.sanitize.prompt_frame import visible

    return {
        "id": whole["id"],
        "date": whole["created"][:10],
        "scope": whole["scope"],
        "score": f"{whole['score']:.3f}",
        "uses": str(whole["uses"]),
        "outcomes": f"{whole['successes']}+ {whole['partials']}~ {whole['failures']}-",
        "tags": shortened(visible(", ".join(whole["tags"]))),
        "problem": visible(whole["problem"]),
    }


def _row_of_failure(whole: dict[str, Any]) -> dict[str, str]:
    from indelible.sanitize.prompt_frame import visible

    return {
        "id": whole["id"],
        "last seen": whole["updated"][:10],
        "type": visible(whole["errorType"]),
        "seen": str(whole["occurrences"]),
        "error": shortened(visible(whole["errorMessage"])),
        "fix": visible(whole.get("fixApplied", "")),
    }


def _solution(record: "Record", uses: int) -> dict[str, Any]:
    from indelible.clock import time_text
    from indelible.core.records import solution_fields
    from indelible.toolsets.solutions import solutions

    earned = solution_fields.rewards_of(record)
    return {
        **_head(record),
        "scope": solution_fields.scope_of(record),
        "tags": list(record.tags),
        "files": solution_fields.files_of(record),
        "score": earned.score,
        "uses": uses,
        "successes": earned.successes,
        "partials": earned.partials,
        "failures": earned.failures,
        "problem": solution_fields.problem_of(record),
        "solution": solution_fields.solution_of(record),
        "notes": [
            {**note, "time": time_text(note["time"]) if isinstance(note.get("time"), int) else None}
            for note in solutions.notes_of(record)
        ],
    }


def _failure(record: "Record", uses: int) -> dict[str, Any]:
    from indelible.core.records import solution_fields

    texts = ("rootCause", "fixApplied", "prevention", "stackTrace")
    return {
        **_head(record),
        "errorType": record.type,
        "occurrences": solution_fields.occurrences_of(record),
        "uses": uses,
        "files": solution_fields.files_of(record),
        "errorMessage": solution_fields.text_of(record, "errorMessage") or record.text,
        **{name: text for name in texts if (text := solution_fields.text_of(record, name))},
        "earlier": solution_fields.earlier_of(record),
        "entities": solution_fields.entity_names_of(record),
    }


def _head(record: "Record") -> dict[str, Any]:
    from indelible.clock import time_text

    times = {"created": time_text(record.created), "updated": time_text(record.updated)}
    return {"id": record.key, "repository": record.namespace, **times}


def _lines(whole: dict[str, Any]) -> None:
    """One field after the other, texts of several lines below their name."""
    from indelible.sanitize.prompt_frame import visible

    for name, value in whole.items():
        if isinstance(value, list):
            _list(name, value)
            continue
        text = visible(str(value))
        out(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")


def _list(name: str, values: Sequence[Any]) -> None:
    from indelible.sanitize.prompt_frame import visible

    if values:
        out(f"{name}:")
    for value in values:
        out(f"  {visible(_line(value))}")


def _line(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    if "outcome" in value:
        return f"{value['time']} {value['outcome']}: {value.get('notes')}"
    return "; ".join(f"{name}: {text}" for name, text in value.items())
