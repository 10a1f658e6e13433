"""The protocol between encoder and clients: frames of a JSON header and raw little-endian arrays.

A frame holds text and numbers and nothing that could be run (no pickle)::

    4 bytes   length of the header, little-endian
    header    a JSON object in ASCII, padded with spaces so that what follows is aligned to 8 bytes
    body      dense rows (float32), terms (uint32), weights (float32): all of the first kind, then all of the next

A request is `{"op", "texts", "timeout"}`; an answer `{"state"}`, to `status` with `model` and `pid`, where embeddings
follow with `dimensions` and the numbers of `windows` and `terms` of each text, where scores follow with their number.

A request for a model of the user's choice has `chosen`, its folder and identity, and its answer `model`, the identity.
An encoder of an earlier version reads no `chosen`: an answer without `model` is of another model.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from indelible.dataclass import dataclass
from indelible.embed.base import Chosen, Embedding, SparseVector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Imported late (start, cli, memory): numpy

PROTOCOL = 1  # part of the socket's name: encoders of two protocols stand side by side
LARGEST = 64 << 20  # bytes of a frame
LONGEST_WAIT = 3600.0  # seconds that a request may ask for
OPERATIONS = ("status", "query", "texts", "scores")
_URGENT_CHARACTERS = 1_000
_PORTION = 256 << 10  # characters of the texts of a request: other clients get their turn in between


class Malformed(ValueError):
    """A frame that is not of this protocol: its connection is of no more use."""


@dataclass(frozen=True, slots=True)
class Request:
    """A client's request: `status` waits for the models up to `timeout` seconds, `query` has one text.

    `scores` is for a cross-encoder: a query, then the texts that may answer it, of which the first are scored as far as
    the time goes. `chosen` is the model that is asked;
    None stands for the built-in one.
    """

    op: str
    texts: tuple[str, ...]
    timeout: float
    chosen: Chosen | None = None


def pack(header: Mapping[str, Any], *arrays: bytes) -> bytes:
    """Return a frame. Malformed where it would be larger than the other side takes."""
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    head += b" " * (-(4 + len(head)) % 8)
    frame = b"".join((len(head).to_bytes(4, "little"), head, *arrays))
    if len(frame) > LARGEST:
        raise Malformed(f"a frame of {len(frame)} bytes; at most {LARGEST} are taken")
    return frame


def unpack(frame: bytearray) -> tuple[dict[str, Any], memoryview]:
    """Return header and body of a frame. Malformed where it is invalid."""
    size = int.from_bytes(frame[:4], "little")
    if len(frame) < 4 + size:
        raise Malformed(f"a frame of {len(frame)} bytes with a header of {size}")
    try:
        header = json.loads(frame[4 : 4 + size])
    except (ValueError, RecursionError) as error:
        raise Malformed("a header that is not JSON") from error
    if not isinstance(header, dict):
        raise Malformed("a header that is not a JSON object")
    return header, memoryview(frame)[4 + size :]


def pack_request(request: Request) -> bytes:
    """Return the frame of a request."""
    header = {"op": request.op, "texts": request.texts, "timeout": request.timeout}
    if request.chosen is not None:
        header["chosen"] = [request.chosen.folder, request.chosen.identity]
    return pack(header)


def unpack_request(frame: bytearray) -> Request:
    """Return the request in a frame. Malformed where any part of it is wrong or there is more."""
    header, body = unpack(frame)
    op, texts, timeout = (header.get(name) for name in ("op", "texts", "timeout"))
    if body or op not in OPERATIONS:
        raise Malformed("a request that is none of " + ", ".join(OPERATIONS))
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Malformed("texts that are no list of texts")
    if op == "query" and len(texts) != 1:
        raise Malformed(f"a query of {len(texts)} texts")
    if not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_WAIT:  # NaN compares false
        raise Malformed(f"a timeout that is no number from 0 to {LONGEST_WAIT:.0f}")
    chosen = header.get("chosen")
    if chosen is not None and not (
        isinstance(chosen, list) and len(chosen) == 2 and all(isinstance(part, str) for part in chosen)
    ):
        raise Malformed("a chosen model that is no folder and identity")
    if op == "scores" and (chosen is None or len(texts) < 2):
        raise Malformed("scores are of a chosen model, for a query and one text at least")
    return Request(str(op), tuple(texts), float(timeout), None if chosen is None else Chosen(*chosen))


def pack_scores(scores: "NDArray[np.float32]", model: str) -> bytes:
    """Return the frame of an answer with a cross-encoder's scores of the first texts, in their order."""
    return pack({"state": "ready", "model": model, "scores": len(scores)}, scores.astype("<f4", copy=False).tobytes())


def unpack_scores(header: Mapping[str, Any], body: memoryview, count: int) -> list[float]:
    """Return the scores of the first of `count` texts from an answer. Malformed where they are no finite numbers."""
    import numpy as np

    scored = header.get("scores")
    if type(scored) is not int or not 0 < scored <= count or len(body) != 4 * scored:
        raise Malformed(f"an answer that is not to {count} texts")
    scores = np.frombuffer(body, "<f4")
    if not np.isfinite(scores).all():
        raise Malformed("scores that are no finite numbers")
    return [float(score) for score in scores]


def pack_embeddings(embeddings: Sequence[Embedding], model: str | None = None) -> bytes:
    """Return the frame of an answer with embeddings, in the order of the texts; `model` is that of a chosen one."""
    header = {
        **({} if model is None else {"model": model}),
        "state": "ready",
        "dimensions": embeddings[0].dense.shape[1] if embeddings else 0,
        "windows": [len(each.dense) for each in embeddings],
        "terms": [len(each.sparse.terms) for each in embeddings],
    }
    return pack(
        header,
        *(each.dense.astype("<f4", copy=False).tobytes() for each in embeddings),
        *(each.sparse.terms.astype("<u4", copy=False).tobytes() for each in embeddings),
        *(each.sparse.weights.astype("<f4", copy=False).tobytes() for each in embeddings),
    )


def unpack_embeddings(header: Mapping[str, Any], body: memoryview, count: int) -> list[Embedding]:
    """Return the embeddings of `count` texts from an answer. Malformed where sizes and body do not fit together."""
    import numpy as np

    dimensions = header.get("dimensions")
    windows, terms = (_counts(header.get(name), count) for name in ("windows", "terms"))
    if type(dimensions) is not int or dimensions < 0:
        raise Malformed("dimensions that are no number")
    if len(body) != 4 * (dimensions * sum(windows) + 2 * sum(terms)):
        raise Malformed(f"a body of {len(body)} bytes that the header does not describe")
    dense_end = 4 * dimensions * sum(windows)
    terms_end = dense_end + 4 * sum(terms)
    dense = np.frombuffer(body[:dense_end], "<f4").reshape(sum(windows), dimensions)
    numbers = np.frombuffer(body[dense_end:terms_end], "<u4")
    weights = np.frombuffer(body[terms_end:], "<f4")
    return [
        Embedding(dense[row : row + height], SparseVector(numbers[at : at + size], weights[at : at + size]))
        for row, height, at, size in zip(_starts(windows), windows, _starts(terms), terms, strict=True)
    ]


def is_urgent(texts: Sequence[str]) -> bool:
    """Whether a recall may be waiting: one short text, as was just stored. It goes before other texts."""
    return len(texts) == 1 and len(texts[0]) <= _URGENT_CHARACTERS


def portions(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield texts in order, cut into portions for one request: none over the limit unless a single text is."""
    taken: list[str] = []
    size = 0
    for text in texts:
        if taken and size + len(text) > _PORTION:
            yield tuple(taken)
            taken, size = [], 0
        taken.append(text)
        size += len(text)
    if taken:
        yield tuple(taken)


def bounded(seconds: float) -> float:
    """Return a time to wait within the limits of a request."""
    return 0.0 if math.isnan(seconds) else min(max(seconds, 0.0), LONGEST_WAIT)


def _counts(given: Any, count: int) -> list[int]:
    if not isinstance(given, list) or len(given) != count:
        raise Malformed(f"an answer that is not to {count} texts")
    if not all(type(number) is int and number >= 0 for number in given):
        raise Malformed("sizes that are no numbers")
    return given


def _starts(sizes: Sequence[int]) -> Iterator[int]:
    at = 0
    for size in sizes:
        yield at
        at += size
