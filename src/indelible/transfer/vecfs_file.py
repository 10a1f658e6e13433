"""Entries of a file of VecFS as things to import: what `transfer.import_items` takes.

VecFS keeps one JSON object a line: `{"id", "vector": {"3": 0.42}, "metadata": {"text", ...}, "score", "timestamp"}`,
the time in milliseconds since 1970. A file that is one JSON array of such objects is read too. Servers of VecFS that
wrote to one file at once left several lines of one id: the newest of them counts.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.clock import moment_of
from indelible.core.indexes import vector_format
from indelible.errors import InvalidInput
from indelible.toolsets.vectors import vectors


def items(path: Path, places: list[str], problems: list[str]) -> Iterator[dict[str, Any]]:
    """Every entry, those of which there are several last; `places` gets the place of each.

    `problems` gets a line for each thing that is no entry, or that a newer one replaces. Raises InvalidInput for an
    array that is not valid JSON, OSError for a file that cannot be read.
    """
    repeated = _repeated(path)
    newest: dict[str, tuple[float, str, dict[str, Any]]] = {}
    for place, thing in _things(path, problems):
        try:
            item = _item(thing)
        except InvalidInput as error:
            problems.append(f"{place}: {error}")
            continue
        if item["id"] not in repeated:
            places.append(place)
            yield item
            continue
        there = newest.get(item["id"])
        time = _milliseconds(thing) or 0.0
        if there is None or there[0] <= time:
            newest[item["id"]] = time, place, item
        if there is not None:
            older, newer = (there[1], place) if there[0] <= time else (place, there[1])
            problems.append(f"{older}: {newer} is newer and has the same id")
    for _, place, item in newest.values():
        places.append(place)
        yield item


def _repeated(path: Path) -> set[str]:
    """The ids that stand in a file more than once."""
    seen: set[str] = set()
    repeated: set[str] = set()
    for _, thing in _things(path, []):
        key = thing.get("id") if isinstance(thing, dict) else None
        if isinstance(key, str):
            (repeated if key in seen else seen).add(key)
    return repeated


def _things(path: Path, problems: list[str]) -> Iterator[tuple[str, Any]]:
    with path.open("rb") as file:
        head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        file.seek(0)
        if head.startswith(b"["):
            yield from ((f"entry {number}", thing) for number, thing in enumerate(_array(path, file.read()), 1))
            return
        for number, line in enumerate(file, 1):
            text = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not text:
                continue
            try:
                yield f"line {number}", json.loads(text)
            except (ValueError, RecursionError) as error:
                problems.append(f"line {number} is not JSON: {error}")


def _array(path: Path, text: bytes) -> list[Any]:
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} begins like an array and is not JSON: {error}") from None
    return found if isinstance(found, list) else []


def _item(thing: Any) -> dict[str, Any]:
    if not isinstance(thing, dict):
        raise InvalidInput(f"an entry must be an object with id and vector, got {type(thing).__name__}")
    metadata = {} if thing.get("metadata") is None else thing["metadata"]
    if not isinstance(metadata, dict):
        raise InvalidInput(f"metadata must be an object, got {type(metadata).__name__}")
    key = thing.get("id")
    if not isinstance(key, str) or not key:
        raise InvalidInput(f"id must be a non-empty string, got {json.dumps(key)[:80]}")
    vectors.refuse_long(key)
    text, own = vectors.parts_of(vectors.NewEntry(key, vector_format.parse(thing.get("vector")), None, metadata))
    return {
        "id": key,
        "kind": vectors.KIND,
        "content": text,
        "namespace": None,
        "metadata": {**own, "score": _score(thing)},
        **_times(thing),
    }


def _times(thing: dict[str, Any]) -> dict[str, str]:
    """When an entry was memorized; now, where it does not say so in a way that can be meant."""
    milliseconds = _milliseconds(thing)
    if milliseconds is None:
        return {}
    when = moment_of(int(milliseconds * 1000)).isoformat()
    return {"created_at": when, "updated_at": when}


def _milliseconds(thing: dict[str, Any]) -> float | None:
    value = vector_format.finite(thing.get("timestamp"))
    return value if value is not None and 0 < value < 1 << 47 else None


def _score(thing: dict[str, Any]) -> float:
    """The feedback that an entry has got; JSON of JavaScript has null for what is no number."""
    value = thing.get("score")
    score = 0.0 if value is None else vector_format.finite(value)
    if score is None:
        raise InvalidInput(f"score must be a finite number, got {json.dumps(value)[:80]}")
    return score
