"""Reading the solutions and failures of a claude-matrix database as items for `import_items`.

Its schema as published in its repository (src/db/schema.sql, later schema.ts, December 2024 to 2026): tables `repos`,
`solutions`, `failures`, `usage_log`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from indelible.clock import time_value
from indelible.core.records import solution_fields
from indelible.errors import InvalidInput
from indelible.store.sqlite.foreign_file import ForeignFile

# Columns of later versions, kept under `matrix` in the metadata.
_MORE = (
    "category complexity prerequisites anti_patterns code_blocks recent_changes resolved_at promoted_to_skill".split()
)
_GROUPS = ("languages", "frameworks", "patterns", "dependencies")


def items(path: Path, places: list[str], problems: list[str]) -> Iterator[dict[str, Any]]:
    """Every solution, then every failure, each with its repository as namespace.

    `places` gets a name of each, `problems` a line for each row that gives none. Raises StoreError for a file that is
    no database of claude-matrix.
    """
    with closing(ForeignFile(path, "claude-matrix")) as file:
        repositories = {str(row.get("id")): row for row in file.rows("repos")}
        notes = _notes(file)
        for row in file.rows("solutions"):
            places.append(f"solution {row.get('id')}")
            yield _solution(row, repositories.get(str(row.get("repo_id"))), notes.get(str(row.get("id")), []))
        for row in file.rows("failures"):
            place = f"failure {row.get('id')}"
            try:
                item = _failure(row, repositories.get(str(row.get("repo_id"))))
            except InvalidInput as error:
                problems.append(f"{place}: {error}")
                continue
            places.append(place)
            yield item


def _notes(file: ForeignFile) -> dict[str, list[dict[str, Any]]]:
    """Return the notes on outcomes by solution, oldest first."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in file.rows("usage_log"):
        if row.get("notes"):
            note = {"time": _moment(row.get("created_at")), "outcome": row.get("outcome"), "notes": str(row["notes"])}
            found[str(row.get("solution_id"))].append(note)
    return found


def _solution(row: dict[str, Any], repository: dict[str, Any] | None, notes: list[dict[str, Any]]) -> dict[str, Any]:
    problem, context = str(row.get("problem") or ""), _json(row.get("context"), {})
    metadata = {
        "problem": problem,
        "score": row.get("score"),
        "successes": row.get("successes"),
        "partials": row.get("partial_successes"),
        "failures": row.get("failures"),
        "files": _texts(context.get("filesAffected")) if isinstance(context, dict) else [],
        "notes": notes,
        "fingerprint": _fingerprint(repository),
    }
    return {
        **_common(row, repository, metadata),
        "kind": "solution",
        "content": solution_fields.BETWEEN.join(filter(None, (problem, str(row.get("solution") or "")))),
        "memory_type": row.get("scope"),
        "tags": _texts(_json(row.get("tags"), [])),
        "access_count": row.get("uses") or 0,
        "last_accessed_at": row.get("last_used_at"),
        "edges": _relations(row),
    }


def _failure(row: dict[str, Any], repository: dict[str, Any] | None) -> dict[str, Any]:
    message, cause, fix, prevention = (
        str(row.get(name) or "") for name in ("error_message", "root_cause", "fix_applied", "prevention")
    )
    metadata = {
        "errorMessage": message,
        "rootCause": cause,
        "fixApplied": fix,
        "prevention": prevention,
        "stackTrace": row.get("stack_trace"),
        "files": _texts(_json(row.get("files_involved"), [])),
        "occurrences": row.get("occurrences"),
    }
    error_type = str(row.get("error_type") or "other")
    return {
        **_common(row, repository, metadata),
        "kind": "failure",
        "content": solution_fields.failure_text(error_type, message, cause, fix, prevention),
        "memory_type": error_type,
    }


def _common(row: dict[str, Any], repository: dict[str, Any] | None, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return the fields common to solutions and failures; the namespace is the repository's path, else its name."""
    named = {} if repository is None else repository
    more = {name: value for name in _MORE if (value := _json(row.get(name), None)) not in (None, "", [])}
    filled = {name: value for name, value in metadata.items() if value not in (None, "", [])}
    return {
        "id": row.get("id"),
        "namespace": named.get("path") or named.get("name") or None,
        "metadata": {**filled, **({"matrix": more} if more else {})},
        "created_at": row.get("created_at"),
        "updated_at": row.get("updated_at"),
    }


def _fingerprint(repository: dict[str, Any] | None) -> dict[str, Any] | None:
    if repository is None:
        return None
    groups = {group: _texts(_json(repository.get(group), [])) for group in _GROUPS}
    return {"name": str(repository.get("name") or ""), **groups}


def _relations(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Relations to other solutions of the same file, which may come later."""
    own = f"solution:{row.get('id')}"
    ends = [("SUPERSEDES", row.get("supersedes"))]
    ends += [("RELATES_TO", other) for other in _texts(_json(row.get("related_solutions"), []))]
    return [{"source": own, "target": f"solution:{end}", "relationship": name} for name, end in ends if end]


def _moment(text: Any) -> int | None:
    try:
        return time_value(text, "created_at")
    except InvalidInput:
        return None


def _json(value: Any, otherwise: Any) -> Any:
    """A column that holds JSON; other texts and values are what they are."""
    if value is None:
        return otherwise
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return otherwise


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str) and each] if isinstance(value, list) else []
