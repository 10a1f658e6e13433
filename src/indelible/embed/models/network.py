"""An ONNX file of a model that a user chose, run on rows of tokens."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from indelible.embed.models.installed import Installed
from indelible.embed.pinned import verified
from indelible.embed.session import open_session, padded
from indelible.errors import InvalidInput

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_TAKEN = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


class Network:
    """One output of a model for rows of tokens; safe to use from many threads."""

    def __init__(self, session: "InferenceSession", output: str) -> None:
        """Raise InvalidInput where the model takes what no tokenizer gives, or has no output of this name ('': any)."""
        self._session = session
        self._inputs = {
            each.name: np.int32 if each.type == "tensor(int32)" else np.int64 for each in session.get_inputs()
        }
        if strange := sorted(self._inputs.keys() - set(_TAKEN)):
            raise InvalidInput(f"the model takes {', '.join(strange)}; only {', '.join(_TAKEN)} can be given to it")
        names = [each.name for each in session.get_outputs()]
        if output and output not in names:
            raise InvalidInput(f"the model has no output {output!r}; it has {', '.join(names)}")
        self._output = output or names[0]

    @classmethod
    def load(cls, model: Installed) -> "Network":
        """Load the verified files. Raises StoreError where one is another, InvalidInput where it is no such model."""
        described = model.description
        remedy = f"install it again with `indelible model install {described.name}`"
        for path, file in described.files.items():
            verified(model.folder / path, file.sha256, remedy)
        return cls(open_session(model.folder / described.model), described.output)

    def run(
        self, rows: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the output, its first axis the rows, and the mask (rows, longest) of where a token stands.

        `types` are the numbers of the part that each token is of; all are of the first where it is None.
        """
        tokens, mask = padded(rows)
        given: dict[str, Any] = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens) if types is None else padded(types)[0],
            "position_ids": np.broadcast_to(np.arange(tokens.shape[1]), tokens.shape),
        }
        feeds = {name: np.ascontiguousarray(given[name], kind) for name, kind in self._inputs.items()}
        (output,) = self._session.run([self._output], feeds)
        return np.asarray(output, np.float32), mask
