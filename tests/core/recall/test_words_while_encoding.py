"""Words are searched while the query is encoded, and nobody waits for another's slow encoder."""

import threading
from dataclasses import replace

import pytest

from indelible.core.indexes.embedder import Embedder
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from made_up_meaning import MadeUpEncoder, embed_all

PATIENCE = 30.0


class Watched(MadeUpEncoder):
    """Calls a function of the test when a query begins, when it is looked for, and when it is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.at = {"begin": lambda: None, "ready": lambda: True, "result": lambda: None}

    def begin(self, text, timeout):
        self.at["begin"]()
        return _Begun(self, text)


class _Begun:
    def __init__(self, encoder: Watched, text: str) -> None:
        self.encoder, self.text = encoder, text

    def ready(self, seconds):
        return self.encoder.at["ready"]()

    def result(self):
        self.encoder.at["result"]()
        return self.encoder.query(self.text, 0)


@pytest.fixture
def encoder():
    return Watched()


@pytest.fixture
def ctx(memory, encoder):
    ctx = replace(memory.context, embedder=Embedder(encoder))
    for text in ("axum chosen over actix", "the backup runs at night", "tabs, not spaces"):
        memory.store_memory(content=text)
    embed_all(ctx)
    return ctx


def found(ctx, text):
    return [(hit.record.text, hit.components["vector_similarity"]) for hit in recall(ctx, Query(text, 3))]


def test_words_are_searched_before_the_embedding_is_waited_for(ctx, encoder):
    loaded = {}
    for moment in ("begin", "ready"):
        encoder.at[moment] = lambda moment=moment: loaded.setdefault(moment, ctx.indexes.records.loaded) or True
    (first, *_) = found(ctx, "axum chosen")
    assert first[0] == "axum chosen over actix"
    assert first[1] > 0
    assert loaded == {"begin": False, "ready": True}


def test_another_recall_goes_on_while_one_waits_for_its_encoder(ctx, encoder):
    quick = Embedder(MadeUpEncoder())
    known = found(replace(ctx, embedder=quick), "axum chosen")
    others = []

    def other_recall():
        asking = threading.Thread(target=lambda: others.append(found(replace(ctx, embedder=quick), "axum chosen")))
        asking.start()
        asking.join(PATIENCE)

    encoder.at["ready"] = lambda: False
    encoder.at["result"] = other_recall
    assert found(ctx, "axum chosen") == known
    assert others == [known], "it held what the other needed"


def test_an_encoder_that_fails_after_it_began_leaves_the_words(ctx, encoder):
    encoder.query = lambda text, timeout: None
    (first, *_) = found(ctx, "axum chosen")
    assert first == ("axum chosen over actix", 0)


def test_what_is_stored_while_the_encoder_works_changes_no_search_that_waits_for_it(memory, ctx, encoder):
    """Others bring the caches to a later moment meanwhile: then the words are searched again."""
    quick = replace(ctx, embedder=Embedder(MadeUpEncoder()))
    known, stored = found(quick, "axum chosen"), []

    def others_store():
        encoder.at["result"] = lambda: None
        for number in range(3):
            stored.append(memory.store_memory(content=f"axum was chosen by hand {number}")["id"])
        embed_all(quick)
        assert found(quick, "axum was chosen by hand 1")[0][0] == "axum was chosen by hand 1"

    encoder.at["ready"] = lambda: bool(stored)
    encoder.at["result"] = others_store
    assert [text for text, _ in found(ctx, "axum chosen")] == [text for text, _ in known]
    assert len(stored) == 3
