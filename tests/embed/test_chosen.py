"""Models of the user's choice in the one encoder process: several at once, and none that harms the others."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

import tiny_models
from encoder_process import linux
from encoders import PATIENCE, connected, status, wake
from indelible.embed import channel, frames
from indelible.embed.base import MODEL, SPARSE, Chosen
from indelible.embed.chosen import MOST, ChosenModels, Cross, Dense
from indelible.embed.local import LocalEncoder, Models
from indelible.embed.shared import SharedEncoder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the encoders of tests are ended by signals")


def chosen(data, description) -> Chosen:
    return Chosen(str(data / "models" / description.name), description.identity)


@pytest.fixture
def client() -> Iterator[Callable[[Chosen], SharedEncoder]]:
    """Makes clients of a chosen model whose encoder has said what it can say."""
    made: list[SharedEncoder] = []

    def make(asked: Chosen) -> SharedEncoder:
        encoder = SharedEncoder(idle=60, chosen=asked)
        made.append(encoder)
        wake(encoder)
        return encoder

    yield make
    for encoder in made:
        encoder.close()


@pytest.mark.process
def test_two_models_are_asked_beside_the_built_in_ones_in_one_process(running, client, tmp_path):
    first = client(chosen(tmp_path, tiny_models.install_dense(tmp_path, "first", dimensions=32)))
    second = client(chosen(tmp_path, tiny_models.install_dense(tmp_path, "second", dimensions=256, truncate=64)))
    texts = ["die Sicherung der Datenbank", "katze schläft " * 300, ""]
    for encoder, width in ((first, 32), (second, 64), (running, 384)):
        assert encoder.state == "ready"
        found = encoder.texts(texts, PATIENCE)
        assert {each.dense.shape[1] for each in found} == {width}
        query = encoder.query("database backup", PATIENCE)
        assert query.dense.shape == (1, width)
        assert len(query.sparse.terms)
    assert first.model.startswith("first@")
    assert first.model.endswith(f"+{SPARSE}")
    alone = running.query("database backup", PATIENCE).sparse
    np.testing.assert_array_equal(first.query("database backup", PATIENCE).sparse.terms, alone.terms)
    assert not len(first.query("Wo ist die Sicherung der Datenbank?", PATIENCE).sparse.terms)
    german = first.texts(texts, PATIENCE)
    assert float(german[0].dense[0] @ first.query("database backup", PATIENCE).dense[0]) > 0.99
    assert abs(float(german[1].dense[0] @ first.query("database backup", PATIENCE).dense[0])) < 0.8
    assert len(german[1].dense) > 1


@pytest.mark.process
def test_a_model_that_is_damaged_or_missing_is_an_error_of_its_own_clients_only(running, client, tmp_path):
    whole = tiny_models.install_dense(tmp_path, "whole")
    damaged = tiny_models.install_dense(tmp_path, "damaged")
    with (tmp_path / "models" / "damaged" / "model.onnx").open("ab") as file:
        file.write(b"more")
    pid = status()["pid"]
    broken = client(chosen(tmp_path, damaged))
    assert "SHA-256" in broken.state
    assert "indelible model install damaged" in broken.state
    assert broken.query("database", 1) is None
    missing = client(Chosen(str(tmp_path / "models" / "missing"), "missing@000000000000/1"))
    assert "cannot be read" in missing.state
    other = client(Chosen(str(tmp_path / "models" / "whole"), "whole@000000000000/1"))
    assert whole.identity in other.state
    assert "whole@000000000000/1" in other.state
    assert client(chosen(tmp_path, whole)).query("database", PATIENCE) is not None
    assert running.query("database", PATIENCE) is not None
    assert status()["pid"] == pid


@pytest.mark.process
def test_a_cross_encoder_scores_texts_in_their_order(running, client, tmp_path):
    cross = client(chosen(tmp_path, tiny_models.install_cross(tmp_path)))
    assert cross.state == "ready"
    texts = ["katze schläft", "sicherung der datenbank", "test scheitert", "datenbank"] * 5
    found = cross.scores("database backup", texts, PATIENCE)
    assert len(found) == 20
    assert found[:4] == pytest.approx(found[16:], abs=1e-4)
    assert max(range(4), key=lambda at: found[at]) == 1
    assert cross.scores("database backup", texts, 0.0) is None
    assert cross.query("database", 1) is None  # it makes no vectors, and says so
    assert running.query("database", PATIENCE) is not None


@pytest.mark.process
def test_a_client_of_the_version_before_is_answered_as_before(running):
    with connected() as peer:
        given = {"op": "query", "texts": ["database"], "timeout": PATIENCE}
        peer.send(frames.pack(given), time.monotonic() + PATIENCE)
        header, body = frames.unpack(peer.receive(time.monotonic() + PATIENCE))
    assert header.keys() == {"state", "dimensions", "windows", "terms"}
    assert len(frames.unpack_embeddings(header, body, 1)) == 1


@linux
def test_an_encoder_of_the_version_before_is_not_taken_for_the_chosen_model(own_runtime, tmp_path):
    described = tiny_models.install_dense(tmp_path)
    listener = channel.open_listener(channel.find_place(MODEL))
    try:
        encoder = SharedEncoder(idle=60, chosen=chosen(tmp_path, described))
        encoder.wake()
        peer = listener.accept()
        assert json.loads(bytes(peer.receive(time.monotonic() + PATIENCE)[4:]))["op"] == "status"
        # As that version answers, which reads no `chosen`.
        peer.send(frames.pack({"state": "ready", "model": MODEL, "pid": 1}), time.monotonic() + PATIENCE)
        wake(encoder)
        assert "earlier version" in encoder.state
        encoder.close()
        peer.close()
    finally:
        listener.close()


@pytest.mark.parametrize("chosen_value", [["folder"], "folder", ["folder", 3], {"folder": "identity"}])
def test_a_chosen_model_that_is_no_folder_and_identity_is_refused(chosen_value):
    frame = frames.pack({"op": "query", "texts": ["a"], "timeout": 1, "chosen": chosen_value})
    with pytest.raises(frames.Malformed, match="folder and identity"):
        frames.unpack_request(bytearray(frame))


def test_models_are_let_go_when_they_are_idle_or_too_many(tmp_path):
    built_in = LocalEncoder()
    models = ChosenModels(built_in, idle=1000)
    asked = [chosen(tmp_path, tiny_models.install_dense(tmp_path, f"model-{n}", seed=n)) for n in range(MOST + 1)]
    first = models.dense(asked[0])
    assert isinstance(first.loaded(PATIENCE), Models)
    assert models.dense(asked[0]) is first
    for each in asked[1:]:
        models.dense(each)
    assert first.state.startswith("not loaded")
    assert models.dense(asked[0]) is not first
    assert 0 < models.let_go() <= 1000
    idle = ChosenModels(built_in, idle=0.0)
    kept = idle.of_kind(asked[0])
    assert isinstance(kept, Dense)
    cross = idle.of_kind(chosen(tmp_path, tiny_models.install_cross(tmp_path)))
    assert isinstance(cross, Cross)
    cross.wake()
    cross.wait(PATIENCE)
    assert cross.state == "ready"
    idle.let_go()
    assert cross.state == "loading"
    assert idle.of_kind(asked[0]) is not kept


def test_a_cross_encoder_scores_the_first_texts_as_far_as_the_time_goes(tmp_path):
    asked = chosen(tmp_path, tiny_models.install_cross(tmp_path))
    until = time.monotonic() + 0.05

    class Slow(Cross):
        """Its first few texts take all of the time."""

        def _load(self):
            model = super()._load()
            scores = model.scores

            def slow(query, texts):
                while time.monotonic() <= until:
                    pass
                return scores(query, texts)

            model.scores = slow
            return model

    cross, texts = Slow(asked), ["katze schläft", "sicherung der datenbank"] * 5
    cross.wake()
    cross.wait(PATIENCE)
    until = time.monotonic() + 0.05
    found = cross.scores("database backup", texts, until)
    assert found.shape == (4,)
    np.testing.assert_allclose(found, cross.scores("database backup", texts, time.monotonic() + PATIENCE)[:4])
    assert cross.scores("database backup", texts, time.monotonic() - 1) is None


@pytest.mark.parametrize(("count", "size"), [(3, 4), (0, 0), (True, 1), ("2", 2), (None, 2), (2, 1), (-1, 1)])
def test_scores_of_other_texts_than_were_asked_for_are_refused(count, size):
    body = memoryview(np.zeros(size, "<f4").tobytes())
    with pytest.raises(frames.Malformed, match="not to 2 texts"):
        frames.unpack_scores({"scores": count}, body, 2)


def test_scores_of_the_first_texts_are_taken():
    header, body = frames.unpack(bytearray(frames.pack_scores(np.array([1.5, -2.0], np.float32), "cross")))
    assert frames.unpack_scores(header, body, 3) == [1.5, -2.0]


def test_the_sparse_model_is_not_asked_for_a_question_in_another_language(tmp_path):
    built_in = LocalEncoder()
    model = ChosenModels(built_in).dense(chosen(tmp_path, tiny_models.install_dense(tmp_path)))
    loaded = model.loaded(PATIENCE)
    assert isinstance(loaded, Models)
    asked = []

    class Noted:
        """The sparse model, which notes that it is asked."""

        def vectors(self, windows, terms):
            asked.append(len(windows))
            return loaded.sparse.vectors(windows, terms)

    noting = Dense(lambda: replace(loaded, sparse=Noted()), model.model)
    german = noting.query("Wo ist die Sicherung der Datenbank?", PATIENCE)
    assert asked == []
    assert german.dense.shape == (1, 32)
    assert not len(german.sparse.terms)
    assert len(noting.query("Where is the backup of the database?", PATIENCE).sparse.terms)
    assert asked == [1]
