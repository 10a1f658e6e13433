"""An installed model as the encoder process is asked for it; the process that asks may have started before it was.

A dense model makes embeddings (`InstalledEncoder`), a cross-encoder scores texts (`InstalledReranker`).
"""

import threading
from collections.abc import Sequence
from pathlib import Path

from indelible.embed.base import Chosen, Embedding, Pending, model_of
from indelible.embed.models import installed
from indelible.embed.models.installed import Installed
from indelible.embed.shared import SharedEncoder
from indelible.errors import IndelibleError, InvalidInput


def find(data: Path, name: str) -> Chosen:
    """Return an installed dense model as the encoder process is told of it.

    Raises NotFound where it is not installed, InvalidInput where it is no dense model or its description is none, and
    StoreError where that cannot be read.
    """
    model = installed.find(data, name)
    if model.description.kind != "dense":
        raise InvalidInput(
            f"{name} is a {model.description.kind}, which makes no vectors: records are embedded by a dense model; "
            "`indelible model list` shows which are"
        )
    return _chosen(model)


def find_reranker(data: Path, name: str) -> Chosen:
    """Return an installed cross-encoder likewise; InvalidInput where it is none."""
    model = installed.find(data, name)
    if model.description.kind != "cross-encoder":
        raise InvalidInput(f"{name} is a {model.description.kind} model; answers are ordered anew by a cross-encoder")
    return _chosen(model)


def _chosen(model: Installed) -> Chosen:
    described = model.description
    return Chosen(str(model.folder.resolve()), described.identity, frozenset(described.languages))


class _InstalledModel:
    """The shared encoder with one installed model; without the model it says so in `state`."""

    def __init__(self, data: Path, name: str) -> None:
        self._data = data
        self._name = name
        self._lock = threading.Lock()
        self._encoder: SharedEncoder | None = None
        self._missing = ""
        self._look()

    @property
    def languages(self) -> frozenset[str]:
        """Those of its description; none while there is none."""
        return frozenset() if self._encoder is None else self._encoder.languages

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why it cannot be asked."""
        return self._missing if self._encoder is None else self._encoder.state

    def probe(self) -> str:
        """Return `state`, after asking for it; a model that was installed meanwhile is there."""
        encoder = self._look()
        return self._missing if encoder is None else encoder.probe()

    def wake(self) -> None:
        """Start loading in the background; a model that was installed meanwhile is there."""
        encoder = self._look()
        if encoder is not None:
            encoder.wake()

    def close(self) -> None:
        """Close the connections."""
        if self._encoder is not None:
            self._encoder.close()

    def _look(self) -> SharedEncoder | None:
        with self._lock:
            if self._encoder is None:
                try:
                    self._encoder = SharedEncoder(chosen=self._find())
                except IndelibleError as problem:
                    self._missing = str(problem)
            return self._encoder

    def _find(self) -> Chosen:
        """Return the model; raises IndelibleError where it is not there, or is another by now."""
        raise NotImplementedError

    def _is_another(self, expected: str, found: Chosen) -> InvalidInput:
        return InvalidInput(
            f"{expected}, and {self._name} is {found.identity} here: install the same files, or choose this one with "
            f"`indelible model use {self._name}`"
        )


class InstalledEncoder(_InstalledModel):
    """An installed dense model; see `Encoder`.

    `model` is the name under which a store keeps its vectors: a model that is another by now is not used for it.
    """

    def __init__(self, data: Path, name: str, model: str) -> None:
        self.model = model
        super().__init__(data, name)

    def query(self, text: str, timeout: float) -> Embedding | None:
        """As Encoder says."""
        return None if self._encoder is None else self._encoder.query(text, timeout)

    def begin(self, text: str, timeout: float) -> Pending | None:
        """As Encoder says."""
        return None if self._encoder is None else self._encoder.begin(text, timeout)

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """As Encoder says."""
        return None if self._encoder is None else self._encoder.texts(texts, timeout)

    def _find(self) -> Chosen:
        found = find(self._data, self._name)
        if model_of(found) != self.model:
            raise self._is_another(f"the store was embedded by {self.model}", found)
        return found


class InstalledReranker(_InstalledModel):
    """An installed cross-encoder; see `Scorer`.

    `identity` is that of the model that was chosen: one that is another by now is not asked.
    """

    def __init__(self, data: Path, name: str, identity: str) -> None:
        self._identity = identity
        super().__init__(data, name)

    def scores(self, query: str, texts: Sequence[str], timeout: float) -> list[float] | None:
        """As Scorer says."""
        return None if self._encoder is None else self._encoder.scores(query, texts, timeout)

    def _find(self) -> Chosen:
        found = find_reranker(self._data, self._name)
        if found.identity != self._identity:
            raise self._is_another(f"the store has chosen {self._identity}", found)
        return found
