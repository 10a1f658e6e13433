"""Questions in people's own words over real texts: commit messages and documentation of this repository, as they were
at the commit that added them. The questions were written before anything was asked. In history.json `beyond` lists
those that do not find their text among the first three, with the reason; one that begins to pass moves up.
"""

import json
import time
from pathlib import Path

import pytest

import encoders
from indelible.api import open_memory
from indelible.core.records import embedding_queue

HERE = Path(__file__).parent
TEXTS = [json.loads(line)["content"] for line in (HERE / "history.jsonl").read_text(encoding="utf-8").splitlines()]
QUESTIONS = json.loads((HERE / "history.json").read_text(encoding="utf-8"))
FIRST = 3
ASKED = [pytest.param(case["query"], case["expected"], id=case["query"]) for case in QUESTIONS["found"]]
ASKED += [
    pytest.param(
        case["query"],
        case["expected"],
        id=case["query"],
        marks=pytest.mark.xfail(strict=False, reason=case["reason"]),
    )
    for case in QUESTIONS["beyond"]
]


@pytest.fixture(scope="module")
def recall(tmp_path_factory):
    """Ask what is known of the texts, by meaning too."""
    data = tmp_path_factory.mktemp("history") / "data"
    with pytest.MonkeyPatch.context() as patch, encoders.running() as encoder:
        patch.setenv("INDELIBLE_ENCODER", "shared")
        memory = open_memory(data)
        for text in TEXTS:
            memory.store_memory(content=text)
        until = time.monotonic() + encoders.PATIENCE
        while embedding_queue.waiting(memory.context):
            embedding_queue.work_off(memory.context)
            assert time.monotonic() < until

        def ask(query):
            embedder = memory.context.embedder  # a recall waits only a moment for an encoder that is busy
            embedder.remember(query, embedder.model, encoder.query(query, encoders.PATIENCE))
            return [hit["content"] for hit in memory.recall_memory(query=query)]

        yield ask
        memory.close()


@pytest.mark.process
@pytest.mark.parametrize(("query", "expected"), ASKED)
def test_a_question_brings_its_text_among_the_first_three(recall, query, expected):
    first = recall(query)[:FIRST]
    assert any(text.startswith(expected) for text in first), first


def test_each_question_names_one_text():
    every = QUESTIONS["found"] + QUESTIONS["beyond"]
    assert (len(TEXTS), len(every), len({case["query"] for case in every})) == (72, 62, 62)
    for case in every:
        assert sum(text.startswith(case["expected"]) for text in TEXTS) == 1, case["expected"]
        assert case["query"].lower() not in " ".join(TEXTS).lower()
