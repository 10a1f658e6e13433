"""JSON lines in, or one array, as the import command reads them."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

_BOM = b"\xef\xbb\xbf"


def json_lines(file: Iterable[bytes], bad: list[str]) -> Iterator[Any]:
    """The JSON values of a file, one a line; lines that are none are reported in `bad` with their number.

    A file that begins with `[` is one array, as export_memories gives it: its items.
    """
    lines = iter(file)
    for number, line in enumerate(lines, 1):
        if begun := line.removeprefix(_BOM).strip():
            rest = chain([line], lines)
            yield from _array(b"".join(rest), bad) if begun.startswith(b"[") else _each(rest, number, bad)


def _each(lines: Iterable[bytes], first: int, bad: list[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append(f"line {number} is not JSON: {error}")


def _array(content: bytes, bad: list[str]) -> Iterator[Any]:
    try:
        yield from json.loads(content)
    except (ValueError, RecursionError) as error:
        bad.append(f"the file begins with [ and is not a JSON array: {error}")
