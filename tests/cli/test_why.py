"""`indelible why`: why a question finds what it finds, or at which stage the record of an id fell out."""

import pytest

from command_line import done, refused, result

pytestmark = pytest.mark.process

CHOSEN = "Bananas are yellow. We chose the axum router."


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def remembered(data, text, *options):
    return done("remember", text, *options, data=data).split()[-1]


def test_each_hit_has_one_line_with_its_reasons_and_the_sentence_that_matched(data):
    id_ = remembered(data, CHOSEN)
    header, line = done("why", "which axum router?", data=data).splitlines()
    assert header.split() == ["rank", "score", "why", "id", "content"]
    assert line.split()[0] == "1"
    assert "words" in line
    assert id_ in line
    assert line.endswith("We chose the axum router.")


def test_a_memory_of_one_sentence_is_shown_whole_and_not_by_its_clause_with_the_word(data):
    sentence = "We use Axum, not Actix: the service shares its middleware"
    remembered(data, sentence)
    assert done("why", "why not actix", data=data).splitlines()[1].endswith(sentence)


def test_with_an_id_the_first_line_says_how_far_it_came(data):
    chosen = remembered(data, CHOSEN)
    other = remembered(data, "the ledger is kept by hand", "--type", "decision")
    first = done("why", "which axum router?", chosen[:8], data=data).splitlines()[0]
    assert first.startswith(f"memory {chosen} is returned as number 1 with a score of 0.")
    first, *figures = done("why", "which axum router?", other, data=data).splitlines()
    assert first.startswith(f"memory {other} was")
    assert len(figures) > 8
    filtered = done("why", "which axum router?", chosen, "--type", "decision", data=data)
    assert filtered.startswith(
        f"memory {chosen} is outside of the filters: its type is context, asked for is decision."
    )
    assert done("why", "axum", "no-such-id", data=data).startswith("id 'no-such-id' is unknown")


def test_json_has_the_stage_and_the_components(data):
    chosen = remembered(data, CHOSEN)
    (hit,) = result("why", "which axum router?", data=data)["hits"]
    start, end = hit["passage"]
    assert (hit["id"][:8], hit["rank"], hit["content"][start:end]) == (chosen, 1, "We chose the axum router.")
    assert "words" in [each["by"] for each in hit["reasons"]]
    trace = result("why", "which axum router?", chosen, data=data)["trace"]
    assert (trace["stage"], trace["rank"], trace["score"]) == ("returned", 1, pytest.approx(hit["score"]))
    assert len(trace["score_breakdown"]) == 8
    between = result("why", "which axum router?", "-k", "5", chosen, data=data)["trace"]
    assert between["stage"] == "returned"


def test_what_cannot_be_traced_is_refused_in_words(data):
    chosen = remembered(data, CHOSEN)
    assert "--limit (-k) must be from 1 to 10000, got 0" in refused("why", "axum", chosen, "-k", "0", data=data)
    assert "--kinds names 'colour'" in refused("why", "axum", "--kinds", "colour", data=data)
    assert "query" in refused("why", " ", data=data)
