"""Entries of a file of VecFS as things to import: what `transfer.import_items` takes.

VecFS keeps one JSON object a line: `{"id", "vector": {"3": 0.42}, "metadata": {"text", ...}, "score", "timestamp"}`,
the time in milliseconds since 1970. A file that is one JSON array of such objects is read too.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.engine import vector_forms, vectors
from indelible.engine.context import moment_of
from indelible.errors import InvalidInput


def items(path: Path, places: list[str], problems: list[str]) -> Iterator[dict[str, Any]]:
    """Every entry in order; `places` gets the place of each, `problems` a line for each thing that is none.

    Raises InvalidInput for an array that is not valid JSON, OSError for a file that cannot be read.
    """
    for place, thing in _things(path, problems):
        try:
            item = _item(thing)
        except InvalidInput as error:
            problems.append(f"{place}: {error}")
            continue
        places.append(place)
        yield item


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
                problems.append(f"line {number} is no JSON: {error}")


def _array(path: Path, text: bytes) -> list[Any]:
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} begins like an array and is no JSON: {error}") from None
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
    text, own = vectors.parts_of(vectors.NewEntry(key, vector_forms.parse(thing.get("vector")), None, metadata))
    return {
        "id": key,
        "kind": vectors.KIND,
        "content": text,
        "namespace": None,
        "metadata": {**own, "score": _number(thing, "score", 0.0)},
        **_times(thing),
    }


def _times(thing: dict[str, Any]) -> dict[str, str]:
    """When an entry was memorized; now, where it does not say so in a way that can be meant."""
    milliseconds = thing.get("timestamp")
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)) or not 0 < milliseconds < 1 << 47:
        return {}
    when = moment_of(int(milliseconds * 1000)).isoformat()
    return {"created_at": when, "updated_at": when}


def _number(thing: dict[str, Any], name: str, default: float) -> float:
    value = thing.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InvalidInput(f"{name} must be a finite number, got {json.dumps(value)[:80]}")
    return float(value)
