"""Solutions and failures for a person: the newest, and all that is kept of one."""

import argparse
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

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
        made.add_argument("--json", action="store_true")


def _solutions(arguments: argparse.Namespace) -> int:
    return _shown(arguments, "solution", _listed_solutions, _solution)


def _failures(arguments: argparse.Namespace) -> int:
    return _shown(arguments, "failure", _listed_failures, _failure)


def _shown(
    arguments: argparse.Namespace,
    kind: str,
    listed: "Callable[[Context, int], list[dict[str, Any]]]",
    whole: "Callable[[Record, int], dict[str, Any]]",
) -> int:
    """All of one, or the newest as a table; with --json both as JSON."""
    from indelible.toolsets.solutions import solutions

    if arguments.limit < 0:
        raise InvalidInput(f"--limit must be at least 0, got {arguments.limit}")
    ctx = open_existing(arguments)
    try:
        if arguments.id is not None:
            found: Any = whole(*solutions.one(ctx, arguments.id, kind))
        else:
            found = listed(ctx, arguments.limit)
    finally:
        ctx.close()
    if arguments.json:
        out(json.dumps(found, ensure_ascii=False, indent=2))
    elif arguments.id is not None:
        _lines(found)
    elif found:
        table(tuple(found[0]), [tuple(str(value) for value in row.values()) for row in found])
    else:
        say(f"no {kind} is stored")
    return 0


def _listed_solutions(ctx: "Context", limit: int) -> list[dict[str, Any]]:
    from indelible.clock import time_text
    from indelible.core.records import solution_fields
    from indelible.sanitize.prompt_frame import visible
    from indelible.toolsets.solutions import solutions

    return [
        {
            "id": record.key,
            "date": time_text(record.created)[:10],
            "scope": solution_fields.scope_of(record),
            "score": f"{earned.score:.3f}",
            "uses": uses,
            "outcomes": f"{earned.successes}+ {earned.partials}~ {earned.failures}-",
            "tags": shortened(visible(", ".join(record.tags))),
            "problem": visible(solution_fields.problem_of(record)),
        }
        for record, earned, uses in solutions.newest(ctx, limit)
    ]


def _listed_failures(ctx: "Context", limit: int) -> list[dict[str, Any]]:
    from indelible.clock import time_text
    from indelible.core.records import solution_fields
    from indelible.sanitize.prompt_frame import visible
    from indelible.toolsets.solutions import failures

    return [
        {
            "id": record.key,
            "last seen": time_text(record.updated)[:10],
            "type": visible(record.type),
            "seen": solution_fields.occurrences_of(record),
            "error": shortened(visible(solution_fields.text_of(record, "errorMessage") or record.text)),
            "fix": visible(solution_fields.text_of(record, "fixApplied")),
        }
        for record in failures.newest(ctx, limit)
    ]


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

    texts = ("errorMessage", "rootCause", "fixApplied", "prevention", "stackTrace")
    return {
        **_head(record),
        "errorType": record.type,
        "occurrences": solution_fields.occurrences_of(record),
        "uses": uses,
        "files": solution_fields.files_of(record),
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
