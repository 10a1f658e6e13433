import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from indelible.embed import minilm
from indelible.embed.base import MODEL
from indelible.embed.local import LocalEncoder
from indelible.errors import StoreError

SENTENCE = "The build broke since the compiler on the server was older than the one that the code needs. "


@pytest.fixture(scope="module")
def encoder():
    encoder = LocalEncoder()
    encoder.load()
    return encoder


@pytest.fixture
def broken_weights(tmp_path, monkeypatch):
    (tmp_path / "model.onnx").write_bytes(b"not the model")
    monkeypatch.setattr(minilm, "WEIGHTS", tmp_path / "model.onnx")
    return monkeypatch


def same(one, other):
    """Equal up to what the order of additions makes of float32."""
    return (
        one.dense.shape == other.dense.shape
        and np.abs(one.dense - other.dense).max() < 1e-5
        and one.sparse.terms.tolist() == other.sparse.terms.tolist()
        and np.abs(one.sparse.weights - other.sparse.weights).max(initial=0) < 1e-4
    )


@pytest.mark.process
def test_importing_the_encoder_loads_neither_numpy_nor_onnxruntime():
    code = "import sys, indelible.embed.local; sys.exit('numpy' in sys.modules or 'onnxruntime' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_a_model_that_nobody_woke_is_loaded_by_the_first_question_and_let_go_by_close():
    encoder = LocalEncoder()
    assert encoder.model == MODEL
    assert encoder.state.startswith("not loaded")
    assert encoder.query("hello", 0) is None, "it does not wait when it is told not to"
    assert encoder.state == "loading"
    assert encoder.query("hello", 60) is not None
    assert encoder.state == "ready"
    encoder.close()
    assert encoder.state.startswith("not loaded")
    assert encoder.texts(["hello"], 60) is not None


def test_waking_it_from_many_threads_loads_it_once_for_all():
    encoder = LocalEncoder()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: encoder.wake(), range(8)))
        loading = [thread for thread in threading.enumerate() if thread.name == "indelible-models"]
        assert len(loading) == 1
        answers = list(pool.map(lambda _: encoder.query("the same", 60), range(8)))
    encoder.load()
    assert all(same(answer, answers[0]) for answer in answers)


@pytest.mark.slow
def test_a_text_has_a_unit_row_a_window_and_at_most_64_terms_a_window(encoder):
    (short,) = encoder.texts(["We use tabs."], 60)
    assert short.dense.shape == (1, 384)
    assert short.dense.dtype == np.float32
    assert 0 < len(short.sparse.terms) <= 64
    (long,) = encoder.texts([SENTENCE * 60], 60)
    assert len(long.dense) == len(long.dense[:, 0]) > 3
    assert np.linalg.norm(long.dense, axis=1) == pytest.approx(np.ones(len(long.dense)), abs=1e-6)


@pytest.mark.slow
def test_a_text_of_many_subjects_keeps_256_terms(encoder):
    subjects = (
        "the violin concerto", "a volcano in Iceland", "tax law and courts", "a recipe for soup", "the football league",
        "quantum physics", "medieval kings", "sailing ships", "kidney disease", "railway bridges", "opera singers",
    )  # fmt: skip
    (found,) = encoder.texts([" ".join(f"{subject} " * 60 for subject in subjects)], 60)
    assert len(found.sparse.terms) == 256
    assert (np.diff(found.sparse.terms.astype(int)) > 0).all()


@pytest.mark.slow
def test_the_end_of_a_long_text_is_found(encoder):
    (long,) = encoder.texts([SENTENCE * 40 + "The cat Minka sleeps on the violin."], 60)
    question = encoder.query("Where does the cat sleep?", 60)
    nearness = long.dense @ question.dense[0]
    assert nearness.argmax() == len(nearness) - 1
    assert set(question.sparse.terms.tolist()) & set(long.sparse.terms.tolist())


@pytest.mark.slow
def test_a_question_is_one_window_with_24_terms_however_long(encoder):
    for text in ("where do we log?", SENTENCE * 5, SENTENCE * 5000):
        found = encoder.query(text, 60)
        assert found.dense.shape == (1, 384)
        assert 0 < len(found.sparse.terms) <= 24
    assert same(encoder.query(SENTENCE * 50, 60), encoder.query(SENTENCE * 5000, 60)), "the rest is cut off"


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\u200b", "\ud800", "🙂", "x" * 5000])
def test_a_text_without_words_still_has_an_embedding(encoder, text):
    for found in (encoder.query(text, 60), *encoder.texts([text], 60)):
        assert found.dense.shape == (1, 384)
        assert np.isfinite(found.dense).all()


@pytest.mark.slow
def test_texts_of_all_lengths_come_in_the_order_given_and_as_they_would_alone(encoder):
    texts = [SENTENCE * 8, "tabs", "", SENTENCE, "spaces and tabs, mixed", "a", SENTENCE * 2, "tabs"]
    together = encoder.texts(texts, 60)
    for text, found in zip(texts, together, strict=True):
        assert same(found, encoder.texts([text], 60)[0])
    assert encoder.texts([], 60) == []


def test_texts_that_are_not_ready_in_time_are_none_and_a_batch_that_was_begun_is_finished(encoder):
    assert encoder.texts([SENTENCE * 100], 0) is None
    assert len(encoder.texts(["one", "two"], 0)) == 2
    assert encoder.query("still there?", 0) is not None


@pytest.mark.slow
def test_questions_beside_texts_and_each_other_give_what_they_give_alone(encoder):
    questions = [f"question {number} about the build" for number in range(6)]
    expected = [encoder.query(question, 60) for question in questions]
    texts = [f"{SENTENCE} {number}" for number in range(24)]
    alone = encoder.texts(texts, 60)
    with ThreadPoolExecutor(4) as pool:
        behind = [pool.submit(encoder.texts, texts, 60) for _ in range(2)]
        answers = list(pool.map(lambda question: encoder.query(question, 60), questions))
        assert all(same(*pair) for pair in zip(answers, expected, strict=True))
        for texts_found in behind:
            assert all(same(*pair) for pair in zip(texts_found.result(), alone, strict=True))


def test_a_question_waits_for_no_thread_that_has_other_work(encoder):
    expected = encoder.query("where do we log?", 60)
    gate = threading.Event()
    busy = encoder._models.beside.submit(gate.wait, 60)  # as a question does whose sparse part takes its time
    try:
        assert same(encoder.query("where do we log?", 60), expected)
        assert same(encoder.begin("where do we log?", 60).result(), expected)
        assert not busy.done()
    finally:
        gate.set()


@pytest.mark.slow
def test_models_that_do_not_load_say_why_and_are_tried_again_when_woken(broken_weights):
    encoder = LocalEncoder()
    with pytest.raises(StoreError, match="reinstall Indelible"):
        encoder.load()
    assert "reinstall Indelible" in encoder.state
    assert encoder.query("hello", 60) is None
    assert encoder.texts(["hello"], 60) is None
    broken_weights.undo()
    encoder.wake()
    assert encoder.query("hello", 60) is not None


def test_a_failure_in_the_background_raises_nowhere_and_is_told_by_the_state(broken_weights):
    encoder = LocalEncoder()
    encoder.wake()
    assert encoder.query("hello", 60) is None
    assert "SHA-256" in encoder.state
