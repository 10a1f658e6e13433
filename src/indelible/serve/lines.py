"""JSON lines in, as the import command reads them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any


def json_lines(file: Iterable[bytes], bad: list[str]) -> Iterator[Any]:
    """The JSON values of a file, one a line; lines that are none are reported in `bad` with their number."""
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append(f"line {number} is no JSON: {error}")
