"""The models of users' choice in an encoder process: loaded when first asked for, a few at a time, let go when idle."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.dataclass import dataclass
from indelible.embed.base import LANGUAGES, Chosen, Embedding, SparseVector, model_of
from indelible.embed.local import LocalEncoder, Models
from indelible.embed.models import description
from indelible.embed.models.installed import Installed
from indelible.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.embed.models.cross import CrossEncoder

# Imported late (memory): indelible.embed.models.cross, indelible.embed.models.dense,
#   indelible.search.tokens, numpy

MOST = 3  # models that are loaded at once, beside the built-in ones; a large one takes 2 GB
IDLE = 600.0  # seconds without a request, after which a model is let go
_TOGETHER = 4  # texts that a cross-encoder reads between two looks whether the time goes on


def described(chosen: Chosen) -> Installed:
    """Return the installed model that a client means; raises InvalidInput where its folder has another one by now."""
    found = Installed(Path(chosen.folder), description.read(Path(chosen.folder)))
    if found.description.identity != chosen.identity:
        raise InvalidInput(
            f"{chosen.folder} has the model {found.description.identity} and not {chosen.identity}, which was asked "
            "for: choose it again with `indelible model use`"
        )
    return found


class Cross:
    """A cross-encoder that loads in the background."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._lock = threading.Lock()
        self._loading: Future[CrossEncoder] | None = None

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why there are no scores."""
        with self._lock:
            loading = self._loading
        if loading is None or not loading.done():
            return "loading"
        problem = loading.exception()
        return "ready" if problem is None else str(problem)

    def wake(self) -> None:
        """Start loading, also after a failure."""
        with self._lock:
            if self._loading is None or (self._loading.done() and self._loading.exception()):
                thread = ThreadPoolExecutor(1, "indelible-cross")
                self._loading = thread.submit(self._load)
                thread.shutdown(wait=False)

    def _load(self) -> "CrossEncoder":
        from indelible.embed.models.cross import CrossEncoder

        return CrossEncoder.load(described(self._chosen))

    def wait(self, seconds: float) -> None:
        """Wait for the end of loading, `seconds` at most."""
        with self._lock:
            loading = self._loading
        if loading is not None:
            wait([loading], seconds)

    def scores(self, query: str, texts: Sequence[str], until: float) -> "NDArray[np.float32] | None":
        """Return the scores of the first texts in order, as many as the time goes for: some more, if they take no
        longer than those before. None where the model is not loaded, or there is no time for any.
        """
        import numpy as np

        with self._lock:
            loading = self._loading
        if loading is None or not loading.done() or loading.exception():
            return None
        model, found, longest = loading.result(), [], 0.0
        for at in range(0, len(texts), _TOGETHER):
            started = time.monotonic()
            if started + longest > until:
                break
            found.append(model.scores(query, texts[at : at + _TOGETHER]))
            longest = max(longest, time.monotonic() - started)
        return np.concatenate(found) if found else None

    def close(self) -> None:
        """Free its memory; it loads again when it is woken."""
        with self._lock:
            self._loading = None


class Dense(LocalEncoder):
    """A dense model of choice beside the built-in sparse one, which knows English only."""

    def query(self, text: str, timeout: float) -> Embedding | None:
        """Return the embedding, see `Encoder`; a question in another language is not shown to the sparse model, whose
        terms would be noise.
        """
        import numpy as np

        from indelible.search import tokens

        if tokens.language_of(text) in LANGUAGES:
            return super().query(text, timeout)
        models = self.loaded(timeout)
        if models is None:
            return None
        windows = models.dense.windows(text, query=True)
        with self._question():
            return Embedding(models.dense.run(windows), SparseVector(np.zeros(0, np.uint32), np.zeros(0, np.float32)))

    def wait(self, seconds: float) -> None:
        """Wait for the end of loading, `seconds` at most."""
        self.loaded(seconds)


@dataclass
class _Kept:
    model: Dense | Cross
    used: float = field(default_factory=time.monotonic)


class ChosenModels:
    """Those that clients asked for last, by what they sent. Safe to use from many threads."""

    def __init__(self, built_in: LocalEncoder, idle: float = IDLE) -> None:
        """`built_in` lends its sparse model and its threads; models without a request for `idle` seconds are let go."""
        self._built_in = built_in
        self._idle = idle
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, Chosen], _Kept] = OrderedDict()  # the one used last stands last

    def dense(self, chosen: Chosen) -> Dense:
        """Return a dense model, which may not be loaded."""
        found = self._find("dense", chosen)
        assert isinstance(found, Dense)
        return found

    def cross(self, chosen: Chosen) -> Cross:
        """Return a cross-encoder, which may not be loaded."""
        found = self._find("cross-encoder", chosen)
        assert isinstance(found, Cross)
        return found

    def of_kind(self, chosen: Chosen) -> Dense | Cross:
        """Return a model of either kind. Raises StoreError or InvalidInput where its description cannot be read."""
        kind = described(chosen).description.kind
        return self._find(kind, chosen)

    def let_go(self) -> float:
        """Free the memory of idle models; return in how many seconds to look again."""
        now = time.monotonic()
        with self._lock:
            idle = [key for key, kept in self._kept.items() if kept.used + self._idle <= now]
            gone = [self._kept.pop(key) for key in idle]
            left = min((kept.used + self._idle - now for kept in self._kept.values()), default=self._idle)
        for kept in gone:
            kept.model.close()
        return left

    def _find(self, kind: str, chosen: Chosen) -> Dense | Cross:
        gone: list[_Kept] = []
        with self._lock:
            kept = self._kept.pop((kind, chosen), None)
            if kept is None:
                dense = partial(self._load, chosen)
                kept = _Kept(Cross(chosen) if kind == "cross-encoder" else Dense(dense, model_of(chosen)))
            kept.used = time.monotonic()
            self._kept[kind, chosen] = kept
            while len(self._kept) > MOST:
                gone.append(self._kept.popitem(last=False)[1])
        for each in gone:
            each.model.close()  # whoever is using it keeps it until he is done
        return kept.model

    def _load(self, chosen: Chosen) -> Models:
        from indelible.embed.models.dense import DenseModel

        dense = DenseModel.load(described(chosen))
        self._built_in.load()
        shared = self._built_in.loaded(0)
        if shared is None:
            raise StoreError(f"the sparse model is not there: {self._built_in.state}")
        return replace(shared, dense=dense)
