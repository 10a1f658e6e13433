"""Writing answers over HTTP: as JSON, piece by piece, up to a size.

One piece is written while all other threads wait (the encoder is C and keeps the interpreter), so pieces are small.
"""

from collections.abc import Iterator
from typing import Any

from indelible.errors import InvalidInput
from indelible.sanitize.prompt_frame import json_text

LARGEST = 32 << 20  # bytes of an answer, and of all answers of a batch
LARGEST_MCP = 8 << 20  # of one of MCP, which the SDK writes a second time, in one piece, in the event loop
RUN = 100  # items of a piece


class TooLarge(InvalidInput):
    """An answer is larger than what is sent at once; it was made, and nothing was written for it."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"the answer has more than {most:,} bytes, which is more than is sent at once; ask for less (a smaller "
            "limit or k, one namespace), or run `indelible export` on the machine of the store"
        )


def written(value: Any, most: int) -> str:
    """JSON of a value, as `json_text` writes it. Raises TooLarge where it has more bytes than `most`."""
    parts: list[str] = []
    left = most
    for part in _pieces(value):
        left -= size_of(part)
        if left < 0:
            raise TooLarge(most)
        parts.append(part)
    return "".join(parts)


def refuse_large(text: str, most: int) -> None:
    """Raise TooLarge for a text of more bytes than `most`."""
    if size_of(text) > most:
        raise TooLarge(most)


def size_of(text: str) -> int:
    """Bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and any(_is_long(inner) for inner in value.values()):
        between = "{"
        for name, inner in value.items():
            yield f"{between}{json_text(name)}:"
            yield from _runs(inner)
            between = ","
        yield "}"
    else:
        yield from _runs(value)


def _runs(value: Any) -> Iterator[str]:
    if not _is_long(value):
        yield json_text(value)
        return
    between = "["
    for at in range(0, len(value), RUN):
        yield between + json_text(value[at : at + RUN])[1:-1]
        between = ","
    yield "]"


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > RUN
