import math

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from indelible.embed import splade
from indelible.embed.base import SparseVector
from indelible.embed.pinned import DATA
from indelible.embed.splade import Splade, united
from indelible.embed.wordpiece import MARKERS, WordPiece

WORDS = WordPiece.load()
NAMES = (DATA / "vocab.txt").read_text(encoding="utf-8").split("\n")
ALL = 30_522


@pytest.fixture(scope="module")
def model():
    return Splade.load()


def vector(model, text, limit=64):
    return model.vectors(WORDS.windows(text)[:1], limit)[0]


def terms(model, text, limit=64):
    return {NAMES[term] for term in vector(model, text, limit).terms}


TEXTS = {
    "nothing": "",
    "one piece": "car",
    "English": "My automobile broke down: the motorway's closed!",
    "German": "Warum läuft die Migration der Datenbank nach dem Neustart des Servers nicht?",
    "Russian": "Где хранится пароль базы данных?",
    "Japanese": "猫がソファで寝ている。",
    "Arabic": "أين كلمة المرور؟",
    "no known piece": "🙂🙂",
    "code": "def retry(self, *, times: int = 3) -> None: raise TimeoutError(f'{times} x')",
    "over-long": pytest.param(
        "The build broke since the compiler on the server was older than the code needs. " * 30, marks=pytest.mark.slow
    ),
}


@pytest.fixture(scope="module")
def stored_weights():
    graph = onnx.load(splade.WEIGHTS).graph
    return {each.name.removesuffix(".half"): numpy_helper.to_array(each).astype(float) for each in graph.initializer}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_weights_are_those_of_a_literal_computation(text, model, stored_weights):
    """SPLADE as the papers write it: piece by piece, head by head, in float64, with the error function of `math`."""
    pieces = WORDS.windows(text)[0]
    expected = literal(stored_weights, list(pieces))
    expected[:MARKERS] = 0
    found = model.vectors([pieces], ALL)[0]
    given = np.zeros(ALL)
    given[found.terms] = found.weights
    assert np.abs(given - expected).max() < 1e-5
    assert np.count_nonzero(expected > 1e-4) > 3


def literal(weights, pieces):
    def norm(name, x):
        spread = math.sqrt(((x - x.mean()) ** 2).mean() + 1e-12)
        return (x - x.mean()) / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def dense(name, x):
        return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def gelu(x):
        return np.array([value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in x])

    states = [norm("states.0", weights["words"][piece] + weights["places"][at]) for at, piece in enumerate(pieces)]
    for number in (0, 1):
        query, key, value = zip(*(np.split(dense(f"{number}.attend", x), 3) for x in states), strict=True)
        after = []
        for at, x in enumerate(states):
            heard = []
            for head in (slice(0, 64), slice(64, 128)):
                shares = np.exp([query[at][head] @ other[head] / 8 for other in key])
                heard.append(sum(s * other[head] for s, other in zip(shares / shares.sum(), value, strict=True)))
            middle = norm(f"{number}.middle", x + dense(f"{number}.near", np.concatenate(heard)))
            wide = gelu(dense(f"{number}.wide", middle))
            after.append(norm(f"states.{number + 1}", middle + dense(f"{number}.out", wide)))
        states = after
    states = [norm("voters", gelu(dense("told", x))) for x in states]
    votes = np.stack(states) @ weights["words"].T + weights["bias"]
    return np.log1p(np.maximum(votes.max(axis=0), 0))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("car", "My automobile broke down on the motorway."),
        ("doctor", "She is a physician at the hospital."),
        ("buy house", "purchasing a new home"),
    ],
)
def test_a_question_shares_terms_with_a_text_that_says_it_in_other_words(model, question, text):
    words = set(question.split())
    assert not words & set(text.lower().strip(".").split())
    assert words & terms(model, question, 24) & terms(model, text)


def test_terms_ascend_and_weigh_and_are_no_markers(model):
    found = vector(model, "[CLS] [SEP] what does the [MASK] token do?")
    assert found.terms.dtype == np.uint32
    assert found.weights.dtype == np.float32
    assert (np.diff(found.terms.astype(int)) > 0).all()
    assert (found.weights > 0).all()
    assert found.terms.min() >= MARKERS


def test_a_limit_keeps_the_heaviest(model):
    text = "The server could not reach PostgreSQL within 30 seconds, so we raised the limit of the pool."
    everything, kept = vector(model, text, ALL), vector(model, text, 24)
    assert len(everything.terms) > 24 == len(kept.terms)
    assert np.sort(kept.weights) == pytest.approx(np.sort(everything.weights)[-24:])


@pytest.mark.slow
def test_what_a_text_becomes_does_not_depend_on_its_batch(model):
    texts = ["retry with jitter", "", "word " * 250, "The flaky test was fixed by waiting for the socket.", "x"]
    together = model.vectors([WORDS.windows(text)[0] for text in texts], 64)
    for text, found in zip(texts, together, strict=True):
        alone = vector(model, text)
        assert found.terms.tolist() == alone.terms.tolist()
        assert found.weights == pytest.approx(alone.weights, abs=1e-5)


def sparse(**weights):
    return SparseVector(
        np.array([int(name[1:]) for name in weights], np.uint32), np.array(list(weights.values()), np.float32)
    )


@pytest.mark.parametrize(
    ("parts", "limit", "expected"),
    [
        ([sparse(t5=1.0, t9=2.0)], 9, sparse(t5=1.0, t9=2.0)),
        ([sparse(t5=1.0, t9=2.0), sparse(t2=3.0, t9=0.5)], 9, sparse(t2=3.0, t5=1.0, t9=2.0)),
        ([sparse(t5=1.0, t9=2.0), sparse(t2=3.0, t9=0.5)], 2, sparse(t2=3.0, t9=2.0)),
        ([sparse(t5=1.0, t9=1.0), sparse(t2=1.0)], 2, sparse(t2=1.0, t5=1.0)),
        ([sparse(), sparse()], 4, sparse()),
    ],
)
def test_windows_unite_by_the_greater_weight_and_of_equals_the_first_stays(parts, limit, expected):
    found = united(parts, limit)
    assert found.terms.tolist() == expected.terms.tolist()
    assert found.weights.tolist() == expected.weights.tolist()
    assert (found.terms.dtype, found.weights.dtype) == (np.uint32, np.float32)
