"""A cross-encoder of the user's choice: how well each text answers a query, read together with it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from indelible.embed.models.description import Description
from indelible.embed.models.installed import Installed
from indelible.embed.models.network import Network
from indelible.embed.models.tokens import Tokens
from indelible.embed.windows import batches
from indelible.errors import InvalidInput

BATCH_TOKENS = 512  # of a batch with its padding


class CrossEncoder:
    """Scores of texts for a query (Nogueira and Cho, 2019); safe to use from many threads."""

    def __init__(self, description: Description, tokens: Tokens, network: Network) -> None:
        self.description = description
        self._tokens = tokens
        self._network = network

    @classmethod
    def load(cls, model: Installed) -> "CrossEncoder":
        """Load an installed model and run it once; raises as `DenseModel.load` does."""
        described = model.description
        if described.kind != "cross-encoder":
            raise InvalidInput(f"{described.name} is a {described.kind} model; scores are made by a cross-encoder")
        network = Network.load(model)
        loaded = cls(described, Tokens.load(model.folder / described.tokenizer, described.max_tokens), network)
        loaded.scores("a", ["a"])
        return loaded

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(texts,): the model's logits in the order given, higher for what answers better; no unit, no bounds.

        Of a text that does not fit beside the query into a row the beginning counts.
        """
        pairs = [self._tokens.pair(query, text) for text in texts]
        found = np.empty(len(texts), np.float32)
        for batch in batches([len(row) for row, _ in pairs], BATCH_TOKENS):
            output, _ = self._network.run([pairs[at][0] for at in batch], [pairs[at][1] for at in batch])
            if output.size != len(batch):
                raise InvalidInput(
                    f"the output of {self.description.name} has the shape {output.shape} for {len(batch)} texts; a "
                    "cross-encoder that can be used gives one number for each"
                )
            found[batch] = output.reshape(-1)
        return found
