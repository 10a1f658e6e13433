"""Vectors as they are kept: float16 values and a code of two bits each, a pair of blobs a window of a text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.search.vector_index import Coded, codes_of


def pack(dense: NDArray[np.float32]) -> list[tuple[bytes, bytes]]:
    """(values, code) of each row of (windows, dimensions)."""
    halves, codes = dense.astype("<f2"), codes_of(dense)
    return [(half.tobytes(), code.tobytes()) for half, code in zip(halves, codes, strict=True)]


def unpack(bodies: Sequence[bytes]) -> NDArray[np.float32]:
    """The rows (n, dimensions) of n packed vectors, as near as float16 is; (0, 0) for none."""
    if not bodies:
        return np.zeros((0, 0), np.float32)
    return np.frombuffer(b"".join(bodies), "<f2").reshape(len(bodies), -1).astype(np.float32)


def coded(record: int, group: tuple[str, str, str], codes: Sequence[bytes]) -> Coded:
    """What the vector index keeps of a record: its (namespace, kind, type) and the codes of its windows in order."""
    return Coded(record, *group, np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1))
