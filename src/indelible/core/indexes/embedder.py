"""Embeddings in one process: of queries, cached; of texts, within a time limit. No call waits for a model to load.

Texts are embedded by a worker after they were stored: `FollowUp` is how calls and worker hear of each other.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from indelible import tracing
from indelible.core.indexes import model_choice
from indelible.core.indexes.model_choice import Named
from indelible.embed.base import Embedding, Encoder, Pending, Scorer, model_of
from indelible.errors import InvalidInput
from indelible.search import tokens
from indelible.settings import Settings

# Imported late (start, cli): indelible.embed.remote
# Imported late (cli): indelible.embed.installed_encoder, indelible.embed.shared

REMEMBERED = 512  # questions; 2 KB each
PATIENCE = 1.0  # seconds for a question; it takes 10 ms, more where the machine is busy
LOOK = 0.02  # seconds between two looks whether the encoder is loaded
SMALLEST = 1 / 256  # of a full batch
MOST_SLOW = 1_000  # records that were waited for in vain and are remembered


class FollowUp:
    """Signals between the calls and the worker of one process: there may be work, and some of it is done."""

    def __init__(self) -> None:
        self._work = threading.Event()
        self._progress = threading.Condition()
        self._workers = 0
        self._slow: OrderedDict[int, None] = OrderedDict()  # guarded by `_progress`

    @property
    def has_worker(self) -> bool:
        """Whether this process embeds what is stored, by itself and at once."""
        return self._workers > 0

    def begin(self) -> None:
        """Note that a worker has started."""
        with self._progress:
            self._workers += 1

    def end(self) -> None:
        """Note that a worker has ended."""
        with self._progress:
            self._workers -= 1

    @property
    def has_work(self) -> bool:
        """Whether this process has stored something since its worker, if it has one, looked last."""
        return self._work.is_set()

    def wake(self) -> None:
        """Let the worker look for work now."""
        self._work.set()

    def wait_for_work(self, seconds: float) -> None:
        """Wait until `wake` is called, or so many seconds; for the worker."""
        self._work.wait(seconds)
        self._work.clear()

    def progressed(self, records: Iterable[int] = ()) -> None:
        """Let those go on that wait for embeddings; for the worker, after each commit, with what it has embedded."""
        with self._progress:
            self._forget(records)
            self._progress.notify_all()

    def wait_for_progress(self, seconds: float) -> None:
        """Wait until the worker has stored embeddings, or so many seconds."""
        with self._progress:
            self._progress.wait(seconds)

    def was_waited_for(self, records: Iterable[int], left: Collection[int]) -> None:
        """Remember those of the records that were waited for in vain (`left`), and that the others were not."""
        with self._progress:
            self._forget(records)
            self._slow.update(dict.fromkeys(left))
            while len(self._slow) > MOST_SLOW:
                self._slow.popitem(last=False)

    def not_slow(self, records: Iterable[int]) -> set[int]:
        """Return those of the records that nobody has waited for in vain: a long text takes many seconds."""
        with self._progress:
            return {record for record in records if record not in self._slow}

    def _forget(self, records: Iterable[int]) -> None:
        for record in records:
            self._slow.pop(record, None)


class Embedder:
    """The embeddings of an encoder, as recall and writes use them. None means "by words only, for now".

    Where `open_model` is given the encoder is that of the model which the store has chosen (`follow`), else it stays.
    `open_reranker` opens the cross-encoder that it has chosen; without it none is used.
    """

    def __init__(
        self,
        encoder: Encoder | None,
        *,
        lent: bool = False,
        open_model: Callable[[Named], Encoder] | None = None,
        open_reranker: Callable[[Named], Scorer] | None = None,
    ) -> None:
        self._encoder = encoder
        self._lent = lent
        self._open_model = open_model
        self._open_reranker = open_reranker
        self._reranker: tuple[Named, Scorer] | None = None
        self._choice: str | None = None
        self._incoming: Embedder | None = None
        self._lock = threading.Lock()
        self._questions: OrderedDict[str, Embedding] = OrderedDict()
        self._asked = self._remembered = 0
        self._share = 1.0
        self.follow_up = FollowUp()

    @property
    def model(self) -> str | None:
        """The model whose embeddings this process searches and makes; None if the settings turn it off."""
        return None if self._encoder is None else self._encoder.model

    @property
    def incoming(self) -> "Embedder | None":
        """The embeddings of the model that takes over once all is embedded by it; None where there is no such."""
        return self._incoming

    @property
    def follows_the_store(self) -> bool:
        """Whether the model is that which the store has chosen, not one that the settings name."""
        return self._open_model is not None

    def follow(self, choice: str | None) -> bool:
        """Take the models that the store has chosen, by its setting; return whether the dense one is another."""
        if choice == self._choice:
            return False
        found = model_choice.parsed(choice)
        self._follow_reranker(found.reranker)
        with self._lock:
            if choice == self._choice:
                return False
            if self._open_model is None:
                self._choice = choice
                return False
            before, incoming = self._encoder, self._incoming
            is_other = before is None or before.model != found.searched.model
            if is_other:
                taken = incoming if incoming is not None and incoming.model == found.searched.model else None
                self._encoder = taken._encoder if taken else self._open_model(found.searched)
                self._questions.clear()
                self._share = taken._share if taken else 1.0
                incoming = None if taken else incoming
            wanted = found.wanted
            self._incoming = None
            if wanted is not None:
                is_same = incoming is not None and incoming.model == wanted.model
                self._incoming = incoming if is_same else Embedder(self._open_model(wanted))
            self._choice = choice
        if incoming is not None and incoming is not self._incoming:
            incoming.close()
        if is_other and before is not None:
            if not self._lent:
                before.close()  # its connections; those who ask it still open new ones
            self._lent = False
        return is_other

    def _follow_reranker(self, named: Named | None) -> None:
        """Open the cross-encoder that the store has chosen, in the place of the one before."""
        if self._open_reranker is None:
            return
        with self._lock:
            before = self._reranker
            if (None if before is None else before[0]) == named:
                return
            self._reranker = None if named is None else (named, self._open_reranker(named))
        if before is not None:
            before[1].close()

    @property
    def reranker(self) -> tuple[Named, Scorer] | None:
        """The cross-encoder that orders the best hits anew, with its name; None where the store has chosen none."""
        return self._reranker

    @property
    def state(self) -> str:
        """`ready`, `loading`, `off`, or why there are no embeddings."""
        return "off" if self._encoder is None else self._encoder.state

    def probe(self) -> str:
        """Return `state`, after asking the encoder if nothing is known yet; the encoder is not started for it."""
        return "off" if self._encoder is None else self._encoder.probe()

    @property
    def cache(self) -> dict[str, int]:
        """Return figures of the cache of query embeddings."""
        with self._lock:
            return {"size": len(self._questions), "hits": self._remembered, "misses": self._asked - self._remembered}

    @property
    def share(self) -> float:
        """Return the fraction of a full batch to ask `texts` for: halved after each failure, then growing to 1 again.

        A fixed batch size would fail for ever on a machine that is too busy for it.
        """
        return self._share

    def wake(self) -> None:
        """Start loading the encoder in the background."""
        if self._encoder is not None:
            self._encoder.wake()

    def is_loaded(self, seconds: float) -> bool:
        """Start loading the encoder, and return whether it is ready; waits `seconds` at most while it loads."""
        until = time.monotonic() + seconds
        self.probe()  # another process may have started it
        self.wake()
        while self.state == "loading" and time.monotonic() < until:
            time.sleep(LOOK)
        return self.state == "ready"

    def question(self, text: str) -> Embedding | None:
        """Return the embedding of a query."""
        with self.asking(text) as question:
            return question.embedding()

    @contextmanager
    def asking(self, text: str) -> Iterator["Question"]:
        """Yield a query that is encoded while the block does other work, such as searching for its words."""
        question = self._question(text)
        try:
            yield question
        finally:
            question.embedding()  # a connection waits for the answer, wanted or not

    def unasked(self, text: str) -> "Question":
        """Return a query that is not encoded, since nothing that it searches has an embedding."""
        return Question(self, text, None, None)

    def _question(self, text: str) -> "Question":
        with self._lock:
            encoder = self._encoder
            self._asked += 1
            found = self._questions.get(text)
            if found is not None:
                self._remembered += 1
                self._questions.move_to_end(text)
        if encoder is None:
            return self.unasked(text)
        if found is not None:
            return Question(self, text, encoder.model, None, found)
        if encoder.languages and tokens.language_of(text) not in encoder.languages:
            return Question(self, text, encoder.model, None, foreign=True)  # its vector would be near everything
        span = tracing.begun("embeddings", _described(encoder, [text]), kind="client")
        pending = encoder.begin(text, PATIENCE)
        if pending is None:
            encoder.wake()
            span.fail("not_ready")
            span.end()
        return Question(self, text, encoder.model, pending, span=span)

    def remember(self, text: str, model: str | None, made: Embedding | None) -> None:
        """Keep the embedding of a query by the model of now for the next time; wake the encoder where it gave none."""
        if made is None:
            self.wake()
            return
        with self._lock:
            if self.model != model:
                return
            self._questions[text] = made
            if len(self._questions) > REMEMBERED:
                self._questions.popitem(last=False)

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """Return the embeddings of texts, in their order; waits `timeout` seconds at most."""
        made = None if self._encoder is None else _texts_made(self._encoder, texts, timeout)
        self._share = max(SMALLEST, self._share / 2) if made is None else min(1.0, self._share * 2)
        return made

    def lent(self) -> "Embedder":
        """Return another that asks the same encoder but does not close it; it caches its own queries."""
        encoder, reranker = self._encoder, self._open_reranker
        if self._open_model is None:
            return Embedder(encoder, lent=True, open_reranker=reranker)
        found = model_choice.parsed(self._choice)
        if found.searched != model_choice.DEFAULT:  # each store has its own choice, and begins with the default
            opened = self._open_model(model_choice.DEFAULT)
            return Embedder(opened, open_model=self._open_model, open_reranker=reranker)
        return Embedder(encoder, lent=True, open_model=self._open_model, open_reranker=reranker)

    def close(self) -> None:
        """Close the connections."""
        if self._encoder is not None and not self._lent:
            self._encoder.close()
        if self._incoming is not None:
            self._incoming.close()
        if self._reranker is not None:
            self._reranker[1].close()


class Question:
    """A query whose embedding is remembered, or is being made; used by one thread."""

    def __init__(
        self,
        embedder: Embedder,
        text: str,
        model: str | None,
        pending: Pending | None,
        found: Embedding | None = None,
        *,
        foreign: bool = False,
        span: tracing.Span = tracing.NONE,
    ) -> None:
        """A `foreign` one is in a language whose texts the model does not compare, and gets no embedding."""
        self._embedder = embedder
        self._text = text
        self.model = model  # whose embedding it is
        self._pending = pending
        self._found = found
        self.foreign = foreign
        self._span = span

    def ask_again(self) -> None:
        """Have it encoded by the model of now, in the place of the one that it was begun with."""
        self._result()
        again = self._embedder._question(self._text)
        self.model, self._pending, self._found = again.model, again._pending, again._found
        self.foreign, self._span = again.foreign, again._span

    @property
    def possible(self) -> bool:
        """Whether there is an embedding or may yet be one."""
        return self._found is not None or self._pending is not None

    def ready(self, seconds: float) -> bool:
        """Whether `embedding` returns at once; waits for that, `seconds` at most."""
        return self._pending is None or self._pending.ready(seconds)

    def embedding(self) -> Embedding | None:
        """Return the embedding, waited for; the same when called again."""
        if self._pending is not None:
            self._found = self._result()
            self._embedder.remember(self._text, self.model, self._found)
        return self._found

    def _result(self) -> Embedding | None:
        """Wait for what is being made; None where nothing is."""
        if self._pending is None:
            return None
        pending, self._pending = self._pending, None
        if self._span.is_recorded:
            self._span.note("indelible.encoder.waited", not pending.ready(0))
        made = pending.result()
        _note_made(self._span, None if made is None else [made])
        self._span.end()
        return made


def _texts_made(encoder: Encoder, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
    with tracing.part("embeddings", _described(encoder, texts), kind="client") as span:
        made = encoder.texts(texts, timeout)
        _note_made(span, made)
        return made


def _described(encoder: Encoder, texts: Sequence[str]) -> dict[str, tracing.Value]:
    """Return the attributes of the span in which texts are encoded: none of the texts."""
    return {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.request.model": encoder.model,
        "indelible.encoder.texts": len(texts),
        "indelible.encoder.characters": sum(map(len, texts)),
    }


def _note_made(span: tracing.Span, made: Sequence[Embedding] | None) -> None:
    if made is None:
        span.fail("not_in_time")
    elif span.is_recorded:
        span.note("indelible.encoder.windows", sum(len(each.dense) for each in made))


def open_embedder(settings: Settings) -> Embedder:
    """Return the embedder of the settings: the shared encoder, a remote one, or none. Raises InvalidInput."""
    if settings.encoder == "off":
        return Embedder(None)
    reranker = partial(opened_reranker, settings)
    if settings.encoder == "shared":
        if settings.encoder_model:
            return Embedder(_named_encoder(settings, settings.encoder_model), open_reranker=reranker)
        opened = partial(_opened, settings)
        return Embedder(opened(model_choice.DEFAULT), open_model=opened, open_reranker=reranker)
    if not settings.encoder.startswith(("http://", "https://")):
        raise InvalidInput(
            f"INDELIBLE_ENCODER must be `shared`, `off` or the URL of an OpenAI-compatible server such as "
            f"http://localhost:11434/v1, got {settings.encoder!r}"
        )
    if not settings.encoder_model:
        raise InvalidInput("INDELIBLE_ENCODER is a URL: name its model in INDELIBLE_ENCODER_MODEL")
    from indelible.embed.remote import RemoteEncoder

    encoder = RemoteEncoder(settings.encoder, settings.encoder_model, settings.encoder_key)
    return Embedder(encoder, open_reranker=reranker)


def of_model(settings: Settings, named: Named) -> Embedder:
    """Return an embedder of one model, whatever a store has chosen."""
    return Embedder(_opened(settings, named))


def _opened(settings: Settings, named: Named) -> Encoder:
    """Return the encoder of a model that a store has chosen, installed or not."""
    if named.name == model_choice.DEFAULT.name:
        from indelible.embed.shared import SharedEncoder

        return SharedEncoder()
    from indelible.embed.installed_encoder import InstalledEncoder

    return InstalledEncoder(settings.data, named.name, named.model)


def _named_encoder(settings: Settings, name: str) -> Encoder:
    """Return the encoder of the model that the settings name. Raises NotFound where it is not installed."""
    if name == model_choice.DEFAULT.name:
        return _opened(settings, model_choice.DEFAULT)
    from indelible.embed.installed_encoder import find

    return _opened(settings, Named(name, model_of(find(settings.data, name))))


def opened_reranker(settings: Settings, named: Named) -> Scorer:
    """Return the cross-encoder that a store has chosen, installed or not."""
    from indelible.embed.installed_encoder import InstalledReranker

    return InstalledReranker(settings.data, named.name, named.model)
