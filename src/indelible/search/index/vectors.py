"""Vectors as stored: float16 values and a code of two bits each, a pair of blobs a window of a text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.search.index.vector_index import Coded, codes_of


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
    """Return the vector index's entry of a record: its (namespace, kind, type) and its windows' codes in order."""
    return Coded(record, *group, np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), -1))


NEARLY = 2.0**-8  # of the mean magnitude: rounding to float16 may have moved a value over it
TINY = 1e-6  # smaller values may have become 0, or smaller still


def codes_fit(bodies: Sequence[bytes], codes: Sequence[bytes]) -> NDArray[np.bool_]:
    """Return whether each code is that of its vector (n packed ones of one length), up to rounding to float16."""
    dense = unpack(bodies)
    magnitudes = np.abs(dense)
    mean = magnitudes.mean(axis=1, keepdims=True)
    given = np.frombuffer(b"".join(codes), np.uint8).reshape(len(codes), 2, -1)
    bits = np.unpackbits(given, axis=2)
    dimensions = dense.shape[1]
    signs, large = bits[:, 0, :dimensions].astype(bool), bits[:, 1, :dimensions].astype(bool)
    sure_of_sign, sure_of_size = magnitudes > TINY, np.abs(magnitudes - mean) > NEARLY * mean
    wrong = ((signs != (dense > 0)) & sure_of_sign) | ((large != (magnitudes > mean)) & sure_of_size)
    unused = bits[:, :, dimensions:].any(axis=(1, 2))
    return np.asarray(np.isfinite(dense).all(axis=1) & ~wrong.any(axis=1) & ~unused, np.bool_)
