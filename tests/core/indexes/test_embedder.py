"""Queries that are encoded while their caller does something else, and are remembered."""

import threading

import numpy as np
import pytest

from indelible.core.indexes.embedder import Embedder
from indelible.embed.base import Embedding, SparseVector
from made_up_meaning import MadeUpEncoder

PATIENCE = 30.0


class Elsewhere(MadeUpEncoder):
    """An encoder that answers what it was asked when the test says so, as a process of its own would."""

    def __init__(self) -> None:
        super().__init__()
        self.answering = threading.Event()
        self.there = True
        self.begun: list[str] = []
        self.waited_for: list[str] = []
        self.woken = 0

    def wake(self) -> None:
        self.woken += 1

    def begin(self, text, timeout):
        if not self.there:
            return None
        self.begun.append(text)
        return _Begun(self, text)


class _Begun:
    def __init__(self, encoder: Elsewhere, text: str) -> None:
        self.encoder, self.text = encoder, text

    def ready(self, seconds: float) -> bool:
        return self.encoder.answering.wait(seconds)

    def result(self) -> Embedding | None:
        self.encoder.waited_for.append(self.text)
        return self.encoder.query(self.text, 0) if self.encoder.answering.is_set() else None


@pytest.fixture
def encoder() -> Elsewhere:
    return Elsewhere()


def test_a_question_is_begun_at_once_and_waited_for_when_its_embedding_is_asked_for(encoder):
    with Embedder(encoder).asking("where?") as question:
        assert encoder.begun == ["where?"]
        assert question.possible
        assert not question.ready(0)
        encoder.answering.set()
        assert question.ready(PATIENCE)
        assert encoder.waited_for == []
        np.testing.assert_array_equal(question.embedding().dense, encoder.query("where?", 0).dense)
        assert question.embedding() is question.embedding()
    assert encoder.waited_for == ["where?"]


def test_an_answered_question_is_remembered(encoder):
    embedder = Embedder(encoder)
    encoder.answering.set()
    first = embedder.question("where?")
    with embedder.asking("where?") as again:
        assert again.possible
        assert again.ready(0)
        assert again.embedding() is first
    assert encoder.begun == ["where?"]
    assert embedder.cache == {"size": 1, "hits": 1, "misses": 1}


def test_one_that_nobody_waited_for_is_still_received_also_after_an_error(encoder):
    embedder = Embedder(encoder)
    encoder.answering.set()
    with pytest.raises(KeyError), embedder.asking("where?"):
        raise KeyError
    assert encoder.waited_for == ["where?"]
    assert embedder.cache["size"] == 1


def test_one_without_an_answer_is_none_is_asked_again_and_wakes_the_encoder(encoder):
    embedder = Embedder(encoder)
    with embedder.asking("where?") as question:
        assert question.embedding() is None
        assert question.embedding() is None
        assert not question.possible
    assert encoder.waited_for == ["where?"]
    assert encoder.woken == 1
    encoder.answering.set()
    assert embedder.question("where?") is not None


def test_where_no_encoder_can_be_reached_nothing_is_possible_and_it_is_woken(encoder):
    encoder.there = False
    with Embedder(encoder).asking("where?") as question:
        assert not question.possible
        assert question.ready(0)
        assert question.embedding() is None
    assert encoder.woken == 1


def test_without_an_encoder_nothing_is_possible():
    with Embedder(None).asking("where?") as question:
        assert not question.possible
        assert question.embedding() is None


def test_an_encoder_of_its_callers_thread_encodes_when_it_is_waited_for():
    encoder = MadeUpEncoder()
    with Embedder(encoder).asking("where?") as question:
        assert question.ready(0)
        found = question.embedding()
    assert isinstance(found.sparse, SparseVector)
    np.testing.assert_array_equal(found.dense, encoder.query("where?", 0).dense)
