"""The encoder in this process: a dense and the sparse model, loaded when they are first needed."""

import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from indelible import heap
from indelible.dataclass import dataclass
from indelible.embed.base import LANGUAGES, MODEL, Deferred, Embedding, SparseVector
from indelible.embed.second_thread import SecondThread
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

_QUERY_CHARACTERS = 20_000  # of a question that is longer the rest is not even cut into pieces; a window holds less
_QUERY_TERMS = 24
_WINDOW_TERMS = 64
_TEXT_TERMS = 256
_BATCH_PIECES = 128  # 20 ms of one core: four short texts together take a tenth less than alone, more gain nothing
_PATIENCE = 0.25  # seconds that a batch of texts lets questions go first: many questions must not stop it for good


class Dense(Protocol):
    """A dense model with its own way to cut texts."""

    def windows(self, text: str, *, query: bool = False) -> "list[Window]":
        """Return a text in rows of tokens, at least one; of a query exactly one."""
        ...

    def run(self, windows: "Sequence[Window]") -> "NDArray[np.float32]":
        """Return (windows, dimensions) unit rows in order, all computed at once."""
        ...


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """The built-in dense model, as `Dense`: it reads the word pieces that the sparse model reads."""

    words: WordPiece
    minilm: "MiniLM"

    def windows(self, text: str, *, query: bool = False) -> "list[Window]":
        """See `Dense`."""
        return [self.words.first_window(text[:_QUERY_CHARACTERS])] if query else self.words.windows(text)

    def run(self, windows: "Sequence[Window]") -> "NDArray[np.float32]":
        """See `Dense`."""
        return self.minilm.rows(windows)


@dataclass(frozen=True, slots=True)
class Cut:
    """A text in the windows of each model; the same list where both read the same pieces."""

    dense: "list[Window]"
    sparse: "list[Window]"

    @property
    def is_short(self) -> bool:
        """Whether the text is one window that takes no longer than a question."""
        return all(len(windows) == 1 and len(windows[0]) <= _BATCH_PIECES for windows in (self.dense, self.sparse))


@dataclass(frozen=True, slots=True)
class Models:
    """A dense model, the sparse one, and the threads that run them."""

    words: WordPiece
    dense: Dense
    sparse: "Splade"
    worker: ThreadPoolExecutor  # one thread: batches in the order of their coming, with one batch's memory
    beside: SecondThread  # the sparse model of a question, while its caller runs the dense one

    @classmethod
    def load(cls) -> "Models":
        """Load all and run it once; raises StoreError or MissingExtra where the models are not what they should be."""
        from indelible.embed.minilm import MiniLM
        from indelible.embed.splade import Splade

        worker, beside = ThreadPoolExecutor(1, thread_name_prefix="indelible-texts"), SecondThread("indelible-sparse")
        words = WordPiece.load()
        models = cls(words, BuiltIn(words, MiniLM.load()), Splade.load(), worker, beside)
        # Now, since memory is taken by the first run, and a thread has the priority of the one that starts it.
        models.embedding(models.cut("", query=True), _QUERY_TERMS)
        heap.trim()  # the files, and the numbers as they were before they were packed
        return models

    def cut(self, text: str, *, query: bool = False) -> Cut:
        """Return a text in windows; a query, whose rest is not read, in one."""
        windows = self.dense.windows(text, query=query)
        if isinstance(self.dense, BuiltIn):
            return Cut(windows, windows)
        words = self.words
        return Cut(windows, [words.first_window(text[:_QUERY_CHARACTERS])] if query else words.windows(text))

    def embedding(self, cut: Cut, terms: int) -> Embedding:
        """Return the embedding of a text of one window, by both models at the same time.

        Where no thread has begun on the sparse part when the dense one is ready (the cores are busy, other questions
        came first), it is computed by the caller, after it.
        """
        beside = self.beside.submit(self.sparse.vectors, cut.sparse, terms)
        rows = self.dense.run(cut.dense)
        if beside is None or beside.cancel():
            return Embedding(rows, self.sparse.vectors(cut.sparse, terms)[0])
        return Embedding(rows, beside.result()[0])


class LocalEncoder:
    """Makes embeddings in this process; see `Encoder`. Safe to use from many threads.

    A question, or one short text, runs at once, the two models on a core each where two are free. More texts run in
    small batches, one at a time, in one thread for all: callers take turns, and questions go first. What a text becomes
    does not depend on the texts around it (to 1e-6).
    """

    def __init__(self, load: Callable[[], Models] = Models.load, model: str = MODEL) -> None:
        """`load` gives the models whose embeddings are stored as those of `model`: the built-in ones by default."""
        self._load_models = load
        self._model = model
        self._turn = threading.Condition()  # guards all that follows
        self._models: Models | None = None
        self._loading = False
        self._failure = ""
        self._questions = 0

    @property
    def model(self) -> str:
        """See `Encoder`."""
        return self._model

    @property
    def languages(self) -> frozenset[str]:
        """See `Encoder`: both built-in models were trained on English, and nothing is known of others."""
        return LANGUAGES if self._model == MODEL else frozenset()

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

    def loaded(self, timeout: float) -> Models | None:
        """Return the models, waited for; None if not loaded in time, or if loading failed: only wake() tries again."""
        with self._turn:
            if self._failure:
                return None
        self.wake()
        with self._turn:
            self._turn.wait_for(lambda: not self._loading, max(timeout, 0))
            return self._models

    def query(self, text: str, timeout: float) -> Embedding | None:
        """Return the embedding, see `Encoder`. The timeout is for loading: a loaded model always answers."""
        models = self.loaded(timeout)
        if models is None:
            return None
        cut = models.cut(text, query=True)
        with self._question():
            return models.embedding(cut, _QUERY_TERMS)

    def begin(self, text: str, timeout: float) -> Deferred:
        """As Encoder says; the caller's thread is the one that encodes."""
        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """Return the embeddings, see `Encoder`. The timeout is checked before each batch but the first."""
        deadline = time.monotonic() + timeout
        models = self.loaded(timeout)
        if models is None:
            return None
        cut = [models.cut(text) for text in texts]
        if len(cut) == 1 and cut[0].is_short:
            with self._question():
                return [models.embedding(cut[0], _WINDOW_TERMS)]
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
            models = self._load_models()
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

    def _encoded(self, models: Models, cut: Sequence[Cut], deadline: float) -> list[Embedding] | None:
        """Return the windows of each text as its embedding; None if the time is over with batches left to do."""
        import numpy as np

        from indelible.embed.splade import united

        def vectors(windows: "list[Window]") -> list[SparseVector]:
            return models.sparse.vectors(windows, _WINDOW_TERMS)

        rows = self._in_batches(models, models.dense.run, [each.dense for each in cut], deadline)
        terms = None if rows is None else self._in_batches(models, vectors, [each.sparse for each in cut], deadline)
        if rows is None or terms is None:
            return None
        return [Embedding(np.stack(r), united(t, _TEXT_TERMS)) for r, t in zip(rows, terms, strict=True)]

    def _in_batches(
        self, models: Models, run: Callable[["list[Window]"], Any], cut: "Sequence[list[Window]]", deadline: float
    ) -> list[list[Any]] | None:
        """Return what `run` makes of each window of each text, windows of like length together; None as above."""
        found: list[list[Any]] = [[None] * len(windows) for windows in cut]
        places = [(text, window) for text, windows in enumerate(cut) for window in range(len(windows))]
        for number, chosen in enumerate(batches([len(cut[text][window]) for text, window in places], _BATCH_PIECES)):
            batch = [places[place] for place in chosen]
            if number and time.monotonic() > deadline:
                return None
            try:
                job = models.worker.submit(self._batch, run, [cut[text][window] for text, window in batch])
            except RuntimeError:  # the interpreter ends, and takes no more work
                return None
            for (text, window), made in zip(batch, job.result(), strict=True):
                found[text][window] = made
        return found

    def _batch(self, run: Callable[["list[Window]"], Any], windows: "list[Window]") -> Any:
        with self._turn:
            self._turn.wait_for(lambda: not self._questions, _PATIENCE)
        return run(windows)
