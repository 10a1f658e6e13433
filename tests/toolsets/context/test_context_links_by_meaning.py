"""Links of messages: by words at once, by meaning when the message is embedded, and nobody waits for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from zlib import crc32

import numpy as np
import pytest

import encoders
from foreign import take_in
from indelible.admin import embedding_worker
from indelible.api import Memory
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue
from indelible.embed.base import Deferred, Embedding, SparseVector
from indelible.search import tokens
from indelible.store.tables import pending, records, settings
from indelible.toolsets.context.chats import chunk_links
from park import exported, of_kind
from repositories import repository
from talk import document, links

# Words of one meaning: what an encoder knows and an index of words does not.
MEANINGS = {"vehicle": "car", "automobile": "car", "mend": "repair", "fix": "repair", "garage": "workshop"}
GUIDE = "Every car goes to the workshop once a year, where two people repair it."
OTHER = "The choir sings in the old church on Sundays."
PARAPHRASE = "who will mend my automobile in the garage"
WINDOW = 300  # characters


class Meanings:
    """An encoder that knows synonyms: a direction for each meaning; it can be told to be cold."""

    model = "meanings"
    languages = frozenset()

    def __init__(self) -> None:
        self.state = "ready"
        self.asked = 0

    def probe(self) -> str:
        return self.state

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass

    def query(self, text: str, timeout: float) -> Embedding | None:
        return self._embedding(text) if self.state == "ready" else None

    def begin(self, text: str, timeout: float) -> Deferred:
        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        self.asked += 1
        return [self._embedding(text) for text in texts] if self.state == "ready" else None

    def _embedding(self, text: str) -> Embedding:
        starts = range(0, max(1, len(text)), WINDOW)
        dense = np.stack([self._direction(text[at : at + WINDOW]) for at in starts])
        terms = sorted({crc32(word.encode()) for word in self._words(text)})
        return Embedding(dense, SparseVector(np.array(terms, np.uint32), np.ones(len(terms), np.float32)))

    def _words(self, text: str) -> list[str]:
        said = [word for word in tokens.words(text) if tokens.is_telling(word)]
        known = {form: meaning for word, meaning in MEANINGS.items() for form in tokens.words(word)}
        return [known.get(word, word) for word in said]

    def _direction(self, text: str) -> np.ndarray:
        vector = np.full(64, 1e-6, np.float32)
        for word in set(self._words(text)):
            vector += np.random.default_rng(crc32(word.encode())).standard_normal(64).astype(np.float32)
        return vector / np.linalg.norm(vector)


@pytest.fixture
def encoder():
    return Meanings()


@pytest.fixture
def memory(memory, encoder):
    """A store whose embeddings are made when a test says so: no worker."""
    return _WithMeanings(replace(memory.context, embedder=Embedder(encoder)))


class _WithMeanings(Memory):
    def __init__(self, ctx):
        self.context = ctx


def work_off(memory):
    """What the worker does until nothing waits."""
    while embedding_queue.work_off(memory.context):
        pass
    chunk_links.catch_up(memory.context)


def log(memory, content, **more):
    return memory.log_chat(content=content, conversation_id="talk", **more)


def linked(memory, text):
    """The links of a new message when it is embedded, each with its strength."""
    message = log(memory, text)["message_id"]
    work_off(memory)
    while marked(memory):  # a store that was opened with real models has a worker, which may have claimed it
        work_off(memory)
    return links(memory, message)


def marked(memory):
    return [m["id"] for m in of_kind(memory, "message") if "linked" in m["metadata"]]


def test_no_answer_waits_for_a_model_and_what_shares_no_word_is_linked_soon(memory, encoder):
    chunk, _ = document(memory, GUIDE, "a.md"), document(memory, OTHER, "b.md")
    work_off(memory)
    asked = encoder.asked
    logged = log(memory, PARAPHRASE)
    assert encoder.asked == asked
    assert logged["context_links"] == []
    assert marked(memory) == [logged["message_id"]]
    work_off(memory)
    assert 0.3 < links(memory, logged["message_id"])[chunk] <= 1
    assert marked(memory) == []


def test_a_cold_model_is_not_waited_for_and_the_link_comes_later(memory, encoder):
    chunk, _ = document(memory, GUIDE, "a.md"), document(memory, OTHER, "b.md")
    work_off(memory)
    encoder.state = "loading"
    logged = log(memory, PARAPHRASE)
    assert logged["context_links"] == []
    assert marked(memory) == [logged["message_id"]]
    work_off(memory)
    assert links(memory, logged["message_id"]) == {}
    encoder.state = "ready"
    work_off(memory)
    assert links(memory, logged["message_id"]).keys() == {chunk}
    assert marked(memory) == []


def test_without_a_model_words_link_at_once_and_another_server_adds_the_meaning(memory, encoder):
    off = _WithMeanings(replace(memory.context, embedder=Embedder(None)))
    by_words = document(off, "Sixteen people count the votes.", "a.md")
    by_meaning = document(off, "They repair the car; votes count.", "b.md")
    logged = log(off, "sixteen people count votes in an automobile")
    assert logged["context_links"] == [by_words]
    before = links(off, logged["message_id"])
    work_off(off)
    assert links(off, logged["message_id"]) == before
    work_off(memory)
    after = links(memory, logged["message_id"])
    assert after.keys() == {by_words, by_meaning}
    assert after[by_words] != before[by_words]
    assert marked(memory) == []


def test_a_message_that_comes_before_its_chunks_are_embedded_is_linked_again(memory, encoder):
    chunk = document(memory, GUIDE, "a.md")
    logged = log(memory, PARAPHRASE)
    assert logged["context_links"] == []
    work_off(memory)
    assert links(memory, logged["message_id"]).keys() == {chunk}
    assert marked(memory) == []


def test_a_long_message_is_linked_by_what_any_of_its_first_windows_is_about(memory):
    chunk, other = document(memory, GUIDE, "a.md"), document(memory, OTHER, "b.md")
    work_off(memory)
    filler = "Well, well. " * 25
    long = f"{filler}{PARAPHRASE}. {filler}{OTHER} {filler * 2}"
    logged = log(memory, long)
    assert logged["context_links"] == []
    work_off(memory)
    assert links(memory, logged["message_id"]).keys() == {chunk, other}


def test_what_was_linked_by_hand_or_by_words_stays_and_gets_its_similarity(memory, encoder):
    chunk, other = document(memory, GUIDE, "a.md"), document(memory, OTHER, "b.md")
    work_off(memory)
    encoder.state = "loading"
    message = log(memory, PARAPHRASE)["message_id"]
    memory.store_context_links(message_id=message, chunk_ids=[other])
    encoder.state = "ready"
    work_off(memory)
    strengths = links(memory, message)
    assert list(strengths) == [chunk, other]
    assert strengths[other] < 0.2 < strengths[chunk]


def test_a_link_by_hand_to_an_embedded_message_has_the_similarity_of_the_embeddings(memory):
    chunk, other = document(memory, GUIDE, "a.md"), document(memory, OTHER, "b.md")
    message = log(memory, PARAPHRASE)["message_id"]
    work_off(memory)
    found = links(memory, message)
    memory.store_context_links(message_id=message, chunk_ids=[chunk, other])
    assert links(memory, message)[chunk] == found[chunk]
    assert links(memory, message)[other] < 0.2


def test_a_link_by_hand_to_a_chunk_that_is_not_embedded_yet_gets_the_similarity_of_the_embeddings_later(memory):
    message = log(memory, PARAPHRASE)["message_id"]
    work_off(memory)
    chunk, other = document(memory, GUIDE, "a.md"), document(memory, f"{GUIDE} So it is.", "b.md")
    memory.store_context_links(message_id=message, chunk_ids=[chunk])
    assert marked(memory) == [message]
    work_off(memory)
    later = linked(memory, PARAPHRASE)  # when all was embedded
    assert other in later
    assert links(memory, message) == {
        chunk: pytest.approx(later[chunk], abs=0.001)
    }  # and nothing that nobody asked for
    assert marked(memory) == []


def test_another_document_later_links_no_old_message(memory):
    document(memory, OTHER, "b.md")
    message = log(memory, PARAPHRASE)["message_id"]
    work_off(memory)
    document(memory, GUIDE, "a.md")
    work_off(memory)
    assert links(memory, message) == {}


def test_catching_up_twice_changes_nothing(memory):
    document(memory, GUIDE, "a.md")
    log(memory, PARAPHRASE)
    work_off(memory)
    before = exported(memory)
    assert chunk_links.catch_up(memory.context) == 0
    assert exported(memory) == before


def test_what_is_linked_is_not_looked_at_again_but_a_message_that_is_filled_is(memory, encoder):
    chunk = document(memory, GUIDE, "a.md")
    memory.store_context_links(message_id="early", chunk_ids=[document(memory, OTHER, "b.md")])
    work_off(memory)
    encoder.state = "loading"
    waiting = log(memory, PARAPHRASE)["message_id"]
    work_off(memory)  # one that is not embedded yet waits on
    log(memory, PARAPHRASE, message_id="early")
    encoder.state = "ready"
    work_off(memory)
    assert chunk in links(memory, waiting)
    assert chunk in links(memory, "early")
    assert marked(memory) == []
    assert to_link(memory) == []


@pytest.mark.process
def test_a_message_is_linked_inside_its_project_whichever_server_links_it_again(open_store, encoder, tmp_path):
    one, two = (
        _WithMeanings(
            replace(open_store("shared", start=repository(tmp_path / name)).context, embedder=Embedder(encoder))
        )
        for name in ("one", "two")
    )
    ours, theirs = document(one, GUIDE, "a.md"), document(two, f"{GUIDE} So it is.", "a.md")
    encoder.state = "loading"
    message = log(one, PARAPHRASE)["message_id"]
    encoder.state = "ready"
    work_off(two)
    assert links(one, message).keys() == {ours}
    assert linked(two, PARAPHRASE).keys() == {theirs}


def test_a_known_message_is_not_embedded_again(memory, encoder):
    document(memory, GUIDE, "a.md")
    work_off(memory)
    log(memory, PARAPHRASE, message_id="m")
    work_off(memory)
    before = encoder.asked
    assert log(memory, PARAPHRASE, message_id="m")["context_links"] != []
    work_off(memory)
    assert encoder.asked == before


def test_a_message_that_was_exported_before_it_was_linked_is_linked_where_it_arrives(memory, encoder, open_store):
    chunk = document(memory, GUIDE, "a.md")
    encoder.state = "loading"
    message = log(memory, PARAPHRASE)["message_id"]
    encoder.state = "ready"
    other = _WithMeanings(replace(open_store("other").context, embedder=Embedder(encoder)))
    take_in(other, *exported(memory))
    work_off(other)
    assert links(other, message).keys() == {chunk}


def test_the_worker_of_a_process_links_what_waits_by_itself(memory, encoder, monkeypatch):
    monkeypatch.setattr(embedding_worker, "EVERY", 0.01)
    chunk = document(memory, GUIDE, "a.md")
    encoder.state = "loading"
    message = log(memory, PARAPHRASE)["message_id"]
    encoder.state = "ready"
    working = Memory(memory.context)
    until = time.monotonic() + encoders.PATIENCE
    while marked(memory):
        assert time.monotonic() < until
    working._worker.stop()
    assert links(memory, message).keys() == {chunk}


def to_link(memory):
    """The messages that are on the list to be linked again."""
    with memory.context.store.read() as tx:
        found = [each.record for each in pending.newest(tx, 100, work=pending.LINK)]
        return [key for _, key in records.keys_of(tx, found).values()]


def test_a_message_goes_on_to_be_linked_when_it_is_embedded(memory, encoder):
    chunk = document(memory, GUIDE, "a.md")
    encoder.state = "loading"
    message = log(memory, PARAPHRASE)["message_id"]
    assert to_link(memory) == []
    encoder.state = "ready"
    while embedding_queue.work_off(memory.context):
        pass
    assert to_link(memory) == [message]
    assert embedding_queue.waiting(memory.context) == 0
    assert memory.codemem_health()["embeddings"].startswith("ok: ")
    chunk_links.catch_up(memory.context)
    assert to_link(memory) == []
    assert links(memory, message).keys() == {chunk}


def test_what_another_process_has_claimed_is_linked_by_it(memory):
    document(memory, GUIDE, "a.md")
    message = log(memory, PARAPHRASE)["message_id"]
    while embedding_queue.work_off(memory.context):
        pass
    ctx = memory.context
    held = ctx.store.write(lambda tx: embedding_queue.claim(ctx, tx, 10, pending.LINK))
    assert chunk_links.catch_up(ctx) == 0
    assert len(held.ids) == 1
    ctx.store.write(lambda tx: pending.release(tx, held.owner, held.ids))
    assert chunk_links.catch_up(ctx) == 1
    assert marked(memory) == []
    assert to_link(memory) == []
    assert message


def test_what_an_earlier_version_marked_is_queued_once(memory):
    chunk = document(memory, GUIDE, "a.md")
    message = log(memory, PARAPHRASE)["message_id"]
    while embedding_queue.work_off(memory.context):
        pass
    ctx = memory.context
    with ctx.store.read() as tx:
        (row,) = [each.record for each in pending.newest(tx, 100, work=pending.LINK)]

    def earlier(tx):
        pending.link_next(tx, row, "")
        assert pending.done(tx, row, "")
        settings.put(tx, "messages linked up to", "7")

    ctx.store.write(earlier)
    chunk_links.queue_earlier(ctx)
    chunk_links.queue_earlier(ctx)
    assert to_link(memory) == [message]
    with ctx.store.read() as tx:
        assert settings.find(tx, "messages linked up to") is None
    chunk_links.catch_up(ctx)
    assert links(memory, message).keys() == {chunk}


def test_a_message_that_another_model_embedded_is_embedded_again_and_then_linked(memory):
    chunk = document(memory, GUIDE, "a.md")
    message = log(memory, PARAPHRASE)["message_id"]
    while embedding_queue.work_off(memory.context):
        pass
    assert to_link(memory) == [message]
    newer = Meanings()
    newer.model = "meanings 2"
    ctx = replace(memory.context, embedder=Embedder(newer))
    assert chunk_links.catch_up(ctx) == 0  # it cannot compare with what another model made
    later = replace(ctx, clock=lambda: memory.context.clock() + timedelta(minutes=1))
    embedding_worker.renew(later, lambda done, all_: None)
    assert to_link(memory) == []
    assert links(memory, message).keys() == {chunk}


def test_a_process_that_starts_links_what_another_left(memory, encoder, monkeypatch):
    monkeypatch.setattr(embedding_worker, "EVERY", 0.01)
    chunk = document(memory, GUIDE, "a.md")
    message = log(memory, PARAPHRASE)["message_id"]
    while embedding_queue.work_off(memory.context):
        pass  # and it died before it linked
    assert links(memory, message) == {}
    working = Memory(memory.context)
    until = time.monotonic() + encoders.PATIENCE
    while marked(memory):
        assert time.monotonic() < until
    working._worker.stop()
    assert links(memory, message).keys() == {chunk}


# --- With the real models ---


def test_a_message_is_linked_anew_when_a_chunk_that_another_process_embeds_is_embedded(memory):
    ctx = memory.context
    chunk = document(memory, GUIDE, "a.md")
    other = ctx.store.write(lambda tx: embedding_queue.claim(ctx, tx))
    assert len(other.ids) == 1
    message = log(memory, PARAPHRASE)["message_id"]
    work_off(memory)
    assert links(memory, message) == {}
    assert marked(memory) == [message]
    later = _WithMeanings(replace(ctx, clock=lambda: ctx.clock() + timedelta(seconds=2 * embedding_queue.LEASE)))
    work_off(later)
    assert links(memory, message).keys() == {chunk}
    assert marked(memory) == []


@pytest.fixture
def running():
    if sys.platform == "win32":
        pytest.skip("the encoder of a test is ended by a signal")
    with encoders.running():
        yield


@pytest.mark.process
def test_the_models_of_the_house_link_a_paraphrase_and_no_small_talk(running, open_store):
    real = open_store(encoder="shared")
    tokens_ = document(real, "# Tokens\n\nJWT access tokens are signed with RS256 and expire after one hour.", "a.md")
    pool = document(real, "# Pool\n\nThe database pool holds twenty connections at most.", "b.md")
    for number, subject in enumerate(["roses", "trains", "violins", "cheese", "rivers"]):
        document(real, f"# {subject}\n\nAbout {subject} there is little to say in this place.", f"{number}.md")
    embedding_worker.renew(real.context, lambda done, total: None, other_models=False)
    said = {
        "how long is a login valid before the user has to sign in again with a new JWT?": [tokens_],
        "we run out of postgres connections, how many may we open?": [pool],
        "ok thanks": [],
        "yes do that": [],
        "Can you please continue?": [],
    }
    assert {text: list(linked(real, text)) for text in said} == said
