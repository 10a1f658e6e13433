"""A caller's vector in its forms: as an argument, as the store keeps it, as an answer shows it."""

import base64
import binascii
import json
import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from indelible.errors import InvalidInput

Vector = dict[int, float]  # weights by index, ascending, none of them 0

HIGHEST_INDEX = (1 << 63) - 1
MOST_WEIGHTS = 1 << 19  # not 0; a text of 1 MiB holds no more

_FORMS = 'an object of weights by index such as {"3": 0.42, "17": -0.31}, an array of numbers, or either as a JSON text'
_INDEX = re.compile(r"0|[1-9][0-9]*", re.ASCII)


def parse(value: Any, argument: str = "vector") -> Vector:
    """The vector of an argument in any of its forms; zeros are dropped, weights are double precision.

    Raises InvalidInput by the name of the argument for other things, an index that is none or is too high, a weight
    that is no finite number, and over 524,288 weights.
    """
    if isinstance(value, str):
        value = _of_text(value, argument)
    pairs: Iterable[tuple[int, Any]]
    if isinstance(value, dict):
        pairs = ((_index(key, argument), weight) for key, weight in value.items())
    elif isinstance(value, list):
        pairs = enumerate(value)
    else:
        raise InvalidInput(f"{argument} must be {_FORMS}; got {_shown(value)}")
    found = dict(sorted(_weighed(pairs, argument)))
    if len(found) > MOST_WEIGHTS:
        raise InvalidInput(
            f"{argument} may have at most {MOST_WEIGHTS:,} weights other than 0, got {len(found):,}; keep the heaviest"
        )
    return found


def shown(vector: Mapping[int, float]) -> dict[str, float]:
    """A vector as answers show it: the sparse object, by ascending index."""
    return {str(index): weight for index, weight in vector.items()}


def packed(vector: Vector) -> dict[str, str]:
    """A vector as the store keeps it: indices (4 or 8 bytes each) and weights (8 bytes), little-endian, in base64.

    That is a third of the work of reading numbers, which a start does for each vector of the store.
    """
    width = "I" if not vector or max(vector) < 1 << 32 else "q"
    indices = struct.pack(f"<{len(vector)}{width}", *vector)
    weights = struct.pack(f"<{len(vector)}d", *vector.values())
    return {"indices": base64.b64encode(indices).decode(), "weights": base64.b64encode(weights).decode()}


def raw(stored: Any) -> tuple[bytes, bytes]:
    """Indices and weights of a stored vector as bytes; the width of an index is what their lengths say.

    An import may bring the other forms. What is no vector is one of zeros: a damaged one stays in its place.
    """
    try:
        if not isinstance(stored, dict) or not stored.keys() >= {"indices", "weights"}:
            stored = packed(parse(stored))
        indices, weights = binascii.a2b_base64(stored["indices"]), binascii.a2b_base64(stored["weights"])
    except (InvalidInput, TypeError, ValueError):
        return b"", b""
    count = len(weights) // 8
    sound = len(weights) == 8 * count and len(indices) in (4 * count, 8 * count)
    return (indices, weights) if sound else (b"", b"")


def unpacked(stored: Any) -> Vector:
    """The inverse of `packed`; what is no vector is one of zeros."""
    indices, weights = raw(stored)
    count = len(weights) // 8
    width = "q" if len(indices) > 4 * count else "I"
    return dict(zip(struct.unpack(f"<{count}{width}", indices), struct.unpack(f"<{count}d", weights), strict=True))


def _of_text(text: str, argument: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput(f"{argument} is a text that is no JSON: {_shown(text)}; give {_FORMS}") from None


def _index(key: Any, argument: str) -> int:
    if not isinstance(key, str) or not _INDEX.fullmatch(key):
        raise InvalidInput(
            f"{argument} has the index {_shown(key)}; an index is a whole number from 0 on, in digits without leading "
            'zeros: {"3": 0.42}'
        )
    if len(key) > 19 or int(key) > HIGHEST_INDEX:
        raise InvalidInput(f"{argument} has the index {_shown(key)}; the highest that is allowed is {HIGHEST_INDEX}")
    return int(key)


def _weighed(pairs: Iterable[tuple[int, Any]], argument: str) -> Iterator[tuple[int, float]]:
    for index, weight in pairs:
        number = _number(weight)
        if number is None:
            raise InvalidInput(f"{argument} has {_shown(weight)} at index {index}; a weight must be a finite number")
        if number != 0:
            yield index, number


def _number(weight: Any) -> float | None:
    """A weight in double precision, None for what is no finite number."""
    if isinstance(weight, bool) or not isinstance(weight, (int, float)):
        return None
    try:
        number = float(weight)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _shown(value: Any) -> str:
    """The head of a wrong value."""
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
