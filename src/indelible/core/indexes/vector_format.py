"""The forms of a caller's vector: as an argument, as stored, as shown in an answer."""

import base64
import binascii
import json
import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from indelible.errors import InvalidInput
from indelible.sanitize.validate import LONGEST

Vector = dict[int, float]  # weights by index, ascending, none of them 0

HIGHEST_INDEX = (1 << 63) - 1
MOST_WEIGHTS = 1 << 19  # not 0; a text of 1 MiB holds no more

_FORMS = 'an object of weights by index such as {"3": 0.42, "17": -0.31}, an array of numbers, or either as a JSON text'
_INDEX = re.compile(r"0|[1-9][0-9]*", re.ASCII)


def parse(value: Any, argument: str = "vector") -> Vector:
    """Return the vector of an argument in any of its forms; zeros are dropped, weights are double precision.

    Raises InvalidInput by the name of the argument for other values, an index that is invalid or too high, a weight
    that is not finite, and over 524,288 weights.
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
    """Return a vector as answers show it: a sparse object, by ascending index."""
    return {str(index): weight for index, weight in vector.items()}


def packed(vector: Vector) -> dict[str, Any]:
    """Return a vector as stored: indices (4 or 8 bytes each) and weights (8 bytes), little-endian, in base64.

    That takes a third of the time of parsing numbers, which a start does for each vector of the store. A vector longer
    than a text may be is a list of texts, so that an export can be imported again.
    """
    width = "I" if not vector or max(vector) < 1 << 32 else "q"
    return {
        "indices": _base64(struct.pack(f"<{len(vector)}{width}", *vector)),
        "weights": _base64(struct.pack(f"<{len(vector)}d", *vector.values())),
    }


def raw(stored: Any) -> tuple[bytes, bytes]:
    """Return the indices and weights of a stored vector as bytes; the width of an index follows from their lengths.

    An import may bring the other forms. An unreadable value is a vector of zeros: a damaged record stays in its place.
    The numbers themselves are not checked.
    """
    try:
        if not isinstance(stored, dict) or not stored.keys() >= {"indices", "weights"}:
            stored = packed(parse(stored))
        indices, weights = _bytes(stored["indices"]), _bytes(stored["weights"])
    except (InvalidInput, TypeError, ValueError):
        return b"", b""
    count = len(weights) // 8
    sound = len(weights) == 8 * count and len(indices) in (4 * count, 8 * count)
    return (indices, weights) if sound else (b"", b"")


def unpacked(stored: Any) -> Vector:
    """Return the vector that `packed` stored; an invalid one is all zeros."""
    indices, weights = raw(stored)
    count = len(weights) // 8
    width = "q" if len(indices) > 4 * count else "I"
    places, numbers = struct.unpack(f"<{count}{width}", indices), struct.unpack(f"<{count}d", weights)
    return dict(zip(places, numbers, strict=True)) if _is_vector(places, numbers) else {}


def _is_vector(indices: Sequence[int], weights: Sequence[float]) -> bool:
    """Whether the numbers are those of a vector; `vector_index` checks the same of arrays."""
    ascending = all(low < high for low, high in pairwise((-1, *indices)))
    return ascending and all(weight != 0 and math.isfinite(weight) for weight in weights)


def _base64(data: bytes) -> str | list[str]:
    text = base64.b64encode(data).decode()
    return text if len(text) <= LONGEST else [text[at : at + LONGEST] for at in range(0, len(text), LONGEST)]


def _bytes(text: str | list[str]) -> bytes:
    return binascii.a2b_base64("".join(text) if isinstance(text, list) else text)


def _of_text(text: str, argument: str) -> Any:
    try:
        return json.loads(text, parse_int=float, object_pairs_hook=partial(_object, argument))
    except (ValueError, RecursionError):
        raise InvalidInput(f"{argument} is a text that is not JSON: {_shown(text)}; give {_FORMS}") from None


def _object(argument: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a text. Raises InvalidInput for a repeated index: which weight is meant cannot be known."""
    found: dict[str, Any] = {}
    for index, weight in pairs:
        if index in found:
            raise InvalidInput(f"{argument} has the index {_shown(index)} twice; give each index one weight")
        found[index] = weight
    return found


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
        number = finite(weight)
        if number is None:
            raise InvalidInput(f"{argument} has {_shown(weight)} at index {index}; a weight must be a finite number")
        if number != 0:
            yield index, number


def finite(value: Any) -> float | None:
    """Return a number in double precision, None if it is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _shown(value: Any) -> str:
    """Return the beginning of a wrong value."""
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
