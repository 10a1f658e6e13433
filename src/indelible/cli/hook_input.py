"""The payload of a hook, as it comes on standard input: one JSON object, bounded in size and in time."""

import json
import os
import select
import sys
import time

from indelible.errors import InvalidInput

TYPE_CHECKING = False  # as typing's, which would cost a hook more than its work
if TYPE_CHECKING:
    from typing import Any

LARGEST = 32 << 20  # bytes of a payload: with the whole output of a build; a second of work, mostly for its secrets
PATIENCE = 5.0  # seconds until a payload must be there: an agent waits for us, nobody sends for longer


def payload(usage: str) -> "dict[str, Any]":
    """Return the JSON object on standard input. Raises InvalidInput, of whose message nothing is the payload's."""
    try:
        value = _value(_input(usage))
    except RecursionError:
        raise InvalidInput("the payload is nested too deep") from None
    except ValueError as error:
        where = f" at character {error.pos:,}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"the payload is not JSON{where}") from None
    if not isinstance(value, dict):
        raise InvalidInput("the payload is not a JSON object")
    return value


def _value(given: bytes) -> object:
    """Return the value of JSON text; where that is UTF-8 with bytes that are none, of the rest of it."""
    try:
        return json.loads(given)
    except UnicodeDecodeError:
        return json.loads(given.decode("utf-8", "replace"))


def _input(usage: str) -> bytes:
    """All of standard input, but not for ever. One that is too large is read to its end: its writer must not fail."""
    if os.isatty(0):
        raise InvalidInput(usage)
    deadline = time.monotonic() + PATIENCE
    parts: list[bytes] = []
    size = 0
    while part := _part(deadline):
        size += len(part)
        parts = [*parts, part] if size <= LARGEST else []
    if size > LARGEST:
        raise InvalidInput(f"the payload has more than {LARGEST >> 20} MiB")
    return b"".join(parts)


def _part(deadline: float) -> bytes:
    if sys.platform == "win32":
        return os.read(0, 1 << 20)  # Windows waits for sockets only; a client there closes the pipe or stops us
    left = deadline - time.monotonic()  # also where there is always more to read
    if left <= 0 or not select.select([0], [], [], left)[0]:
        raise InvalidInput(f"the payload did not end within {PATIENCE:g} seconds")
    return os.read(0, 1 << 20)
