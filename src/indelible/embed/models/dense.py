"""A dense model of the user's choice: texts as unit vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from indelible.embed.models.description import Description
from indelible.embed.models.installed import Installed
from indelible.embed.models.network import Network
from indelible.embed.models.tokens import Tokens
from indelible.embed.session import sums
from indelible.embed.windows import batches
from indelible.errors import InvalidInput

if TYPE_CHECKING:
    from array import array

    Window = array[int]

BATCH_TOKENS = 512  # of a batch with its padding: how much is in memory at once depends on them


class DenseModel:
    """Texts as unit vectors; safe to use from many threads, each on one core at a time."""

    def __init__(self, description: Description, tokens: Tokens, network: Network) -> None:
        self.description = description
        self._tokens = tokens
        self._network = network

    @classmethod
    def load(cls, model: Installed) -> "DenseModel":
        """Load an installed model and run it once.

        Raises StoreError for files that are not the described ones, MissingExtra without the package `tokenizers`, and
        InvalidInput where the files are not what the description says.
        """
        described = model.description
        if described.kind != "dense":
            raise InvalidInput(f"{described.name} is a {described.kind}, which makes no vectors; choose a dense model")
        network = Network.load(model)
        loaded = cls(described, Tokens.load(model.folder / described.tokenizer, described.max_tokens), network)
        loaded.rows(["a"])
        return loaded

    def windows(self, text: str, *, query: bool = False) -> "list[Window]":
        """A text in rows of tokens, complete with prefix and markers; a query is always one row, of its beginning."""
        if query:
            return [self._tokens.first_window(text, self.description.query_prefix)]
        return self._tokens.windows(text, self.description.passage_prefix)

    def run(self, windows: "Sequence[Window]") -> NDArray[np.float32]:
        """(windows, width): unit rows in order. All run at once: keep it small."""
        output, mask = self._network.run(windows)
        rows = self._pooled(output, mask)
        if rows.shape != (len(windows), self.description.dimensions):
            raise InvalidInput(
                f"the model {self.description.name} gives vectors of {rows.shape[-1]} values, and its description says "
                f"{self.description.dimensions}"
            )
        rows = rows[:, : self.description.width]
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return rows

    def rows(self, texts: Sequence[str], *, query: bool = False) -> list[NDArray[np.float32]]:
        """(windows, width) unit rows of each text in order, computed in batches of windows of like length."""
        cut = [self.windows(text, query=query) for text in texts]
        found = [np.empty((len(windows), self.description.width), np.float32) for windows in cut]
        places = [(text, window) for text, windows in enumerate(cut) for window in range(len(windows))]
        for batch in batches([len(cut[text][window]) for text, window in places], BATCH_TOKENS):
            chosen = [places[place] for place in batch]
            for (text, window), row in zip(chosen, self.run([cut[t][w] for t, w in chosen]), strict=True):
                found[text][window] = row
        return found

    def _pooled(self, output: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """One vector for each row of tokens, of any size: sums stand for means."""
        pooling = self.description.pooling
        axes = 2 if pooling == "none" else 3
        if output.ndim != axes:
            raise InvalidInput(
                f"the output of {self.description.name} has {output.ndim} axes, and the pooling {pooling!r} is for "
                f"{axes}: mean, cls and last take a vector for each token, none one for each text"
            )
        if pooling == "mean":
            return sums(output, mask)
        rows: NDArray[np.float32] = output
        if pooling == "cls":
            rows = output[:, 0]
        if pooling == "last":
            rows = output[np.arange(len(output)), mask.sum(axis=1) - 1]
        return rows
