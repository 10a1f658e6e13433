"""onnxruntime as every model here uses it: one thread, errors only, on the processor."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from indelible.errors import InvalidInput, MissingExtra
from indelible.settings import send_nothing

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# Imported late (memory): onnxruntime


def open_session(path: Path) -> "InferenceSession":
    """Load an ONNX file; raises MissingExtra without onnxruntime, InvalidInput where it is no model that this reads."""
    send_nothing()  # it begins with its import
    try:
        import onnxruntime
    except ImportError as problem:
        raise MissingExtra(f"onnxruntime does not load ({problem}): `pip install onnxruntime`") from problem
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the machine is the developer's, not ours
    options.log_severity_level = 3  # errors only: standard error may be an agent's
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # the errors of onnxruntime have no class in common
        raise InvalidInput(f"onnxruntime {onnxruntime.__version__} cannot load {path}: {problem}") from problem


def padded(windows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(windows, longest) tokens, zeros at the end of the shorter, and where a token stands."""
    lengths = np.array([len(window) for window in windows])
    mask: NDArray[np.bool_] = np.arange(lengths.max()) < lengths[:, None]
    tokens = np.zeros(mask.shape, np.int64)
    for row, window in zip(tokens, windows, strict=True):
        row[: len(window)] = window
    return tokens, mask


def sums(states: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(windows, dimensions): the sums of the vectors of each window's tokens, which point where their means do."""
    rows: NDArray[np.float32] = np.einsum("wpd,wp->wd", states, mask.astype(np.float32))
    return rows
