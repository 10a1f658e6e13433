"""The encoder in this process: both models, loaded when they are first needed."""

import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indelible.embed.base import Deferred, Embedding, SparseVector
from indelible.embed.windows import batches
from indelible.embed.wordpiece import WordPiece
from indelible.errors import IndelibleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.embed.minilm import MiniLM
    from indelible.embed.splade import Splade

    Window = array[int]

# Imported late (start, cli, memory): indelible.embed.minilm, indelible.embed.splade, numpy

MODEL = "minilm-l6-v2-int8+splade-tiny/1"

_QUERY_CHARACTERS = 20_000  # of a question that is longer the rest is not even cut into pieces; a window holds less
_QUERY_TERMS = 24
_WINDOW_TERMS = 64
_TEXT_TERMS = 256
_BATCH_PIECES = 128  # 50 ms of one core: four short texts together take a tenth less than alone, more gain nothing
_PATIENCE = 0.25  # seconds that a batch of texts lets questions go first: many questions must not stop it for good


@dataclass(frozen=True, slots=True)
class Models:
    """The word pieces, both models, and the threads that run them."""

    words: WordPiece
    dense: "MiniLM"
    sparse: "Splade"
    worker: ThreadPoolExecutor  # one thread: batches in the order of their coming, with one batch's memory
    beside: ThreadPoolExecutor  # one thread: the sparse model of a question, while its caller runs the dense one

    @classmethod
    def load(cls) -> "Models":
        """Load all and run it once; raises StoreError or MissingExtra where the models are not what they should be."""
        from indelible.embed.minilm import MiniLM
        from indelible.embed.splade import Splade

        threads = (ThreadPoolExecutor(1, thread_name_prefix=f"indelible-{job}") for job in ("texts", "sparse"))
        models = cls(WordPiece.load(), MiniLM.load(), Splade.load(), *threads)
        # Now, since memory is taken by the first run, and a thread has the priority of the one that starts it.
        models.embedding(models.words.first_window(""), _QUERY_TERMS)
        return models

    def embedding(self, window: "Window", terms: int) -> Embedding:
        """Return the embedding of a text of one window, by both models at the same time.

        Where no thread has begun on the sparse part when the dense one is ready (the cores are busy, other questions
        came first), it is computed by the caller, after it.
        """
        try:
            beside = self.beside.submit(self.sparse.vectors, [window], terms)
        except RuntimeError:  # the interpreter ends, and takes no more work
            beside = None
        rows = self.dense.rows([window])
        if beside is None or beside.cancel():
            return Embedding(rows, self.sparse.vectors([window], terms)[0])
        return Embedding(rows, beside.result()[0])


class LocalEncoder:
    """Makes embeddings in this process; see `Encoder`. Safe to use from many threads.

    A question, or one short text, runs at once, the two models on a core each where two are free. More texts run in
    small batches, one at a time, in one thread for all: callers take turns, and questions go first. What a text becomes
    does not depend on the texts around it (to 1e-6).

    The process should be started with OPENBLAS_NUM_THREADS=1 in its environment: numpy's BLAS on several cores waits
    for all of them at every step; measured with one of two cores busy, a question's sparse part took 280 ms, not 4.
    """

    def __init__(self) -> None:
        self._turn = threading.Condition()  # guards all that follows
        self._models: Models | None = None
        self._loading = False
        self._failure = ""
        self._questions = 0

    @property
    def model(self) -> str:
        """See `Encoder`; the number at the end is of the code around the weights: windows, pooling, cuts."""
        return MODEL

    @property
    def state(self) -> str:
        """`ready`, `loading`, or why there are no embeddings."""
        with self._turn:
            if self._models:
                return "ready"
            return "loading" if self._loading else self._failure or "not loaded: wake() or the first question does it"

    def probe(self) -> str:
        """Return `state`, as Encoder says: the models are in this process."""
        return self.state

    def wake(self) -> None:
        """Start loading in a thread of its own, also after a failure; an error is shown in `state`."""
        if self._begins():
            # Not a daemon: an interpreter that ends must not cut off onnxruntime, but wait for it, half a second.
            thread = threading.Thread(target=self._load_in_background, name="indelible-models")
            try:
                thread.start()
            except RuntimeError as problem:  # no more threads, or the interpreter ends
                self._end_loading(None, f"no thread to load the models in: {problem}")

    def load(self) -> None:
        """Load now and wait; raises StoreError or MissingExtra where the models are not what they should be."""
        while not self._begins():
            with self._turn:
                self._turn.wait_for(lambda: not self._loading)
                if self._models:
                    return
        self._load()

    def query(self, text: str, timeout: float) -> Embedding | None:
        """Return the embedding, see `Encoder`. The timeout is for loading: a loaded model always answers."""
        models = self._ready(timeout)
        if models is None:
            return None
        window = models.words.first_window(text[:_QUERY_CHARACTERS])
        with self._question():
            return models.embedding(window, _QUERY_TERMS)

    def begin(self, text: str, timeout: float) -> Deferred:
        """As Encoder says; the caller's thread is the one that encodes."""
        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """Return the embeddings, see `Encoder`. The timeout is checked before each batch but the first."""
        deadline = time.monotonic() + timeout
        models = self._ready(timeout)
        if models is None:
            return None
        cut = [models.words.windows(text) for text in texts]
        if len(cut) == 1 and len(cut[0]) == 1 and len(cut[0][0]) <= _BATCH_PIECES:
            with self._question():
                return [models.embedding(cut[0][0], _WINDOW_TERMS)]
        return self._encoded(models, cut, deadline)

    def close(self) -> None:
        """Free the models' memory; the next use loads them again, also after a failure."""
        with self._turn:
            self._models, self._failure = None, ""

    def _begins(self) -> bool:
        """Whether the caller is the one to load, which it then must."""
        with self._turn:
            if self._models or self._loading:
                return False
            self._loading, self._failure = True, ""
            return True

    def _load_in_background(self) -> None:
        try:
            self._load()
        except IndelibleError:
            return  # `state` shows it

    def _load(self) -> None:
        models, failure = None, "the models failed to load: the error log tells how"
        try:
            models = Models.load()
            failure = ""
        except IndelibleError as refused:
            failure = str(refused)
            raise
        finally:
            self._end_loading(models, failure)

    def _end_loading(self, models: Models | None, failure: str) -> None:
        with self._turn:
            self._models, self._failure, self._loading = models, failure, False
            self._turn.notify_all()

    def _ready(self, timeout: float) -> Models | None:
        """Return the models, waited for; None if not loaded in time, or if loading failed: only wake() tries again."""
        with self._turn:
            if self._failure:
                return None
        self.wake()
        with self._turn:
            self._turn.wait_for(lambda: not self._loading, max(timeout, 0))
            return self._models

    @contextmanager
    def _question(self) -> Iterator[None]:
        with self._turn:
            self._questions += 1
        try:
            yield
        finally:
            with self._turn:
                self._questions -= 1
                self._turn.notify_all()

    def _batch(self, models: Models, windows: "list[Window]") -> "list[tuple[NDArray[np.float32], SparseVector]]":
        with self._turn:
            self._turn.wait_for(lambda: not self._questions, _PATIENCE)
        return list(zip(models.dense.rows(windows), models.sparse.vectors(windows, _WINDOW_TERMS), strict=True))

    def _encoded(self, models: Models, cut: "list[list[Window]]", deadline: float) -> list[Embedding] | None:
        """Return the windows of each text as its embedding; None if the time is over with batches left to do."""
        import numpy as np

        from indelible.embed.splade import united

        rows: list[list[Any]] = [[None] * len(windows) for windows in cut]
        terms: list[list[Any]] = [[None] * len(windows) for windows in cut]
        places = [(text, window) for text, windows in enumerate(cut) for window in range(len(windows))]
        lengths = [len(cut[text][window]) for text, window in places]
        for number, chosen in enumerate(batches(lengths, _BATCH_PIECES)):
            batch = [places[place] for place in chosen]
            if number and time.monotonic() > deadline:
                return None
            try:
                job = models.worker.submit(self._batch, models, [cut[text][window] for text, window in batch])
            except RuntimeError:  # the interpreter ends, and takes no more work
                return None
            for (text, window), (row, vector) in zip(batch, job.result(), strict=True):
                rows[text][window], terms[text][window] = row, vector
        return [Embedding(np.stack(r), united(t, _TEXT_TERMS)) for r, t in zip(rows, terms, strict=True)]
