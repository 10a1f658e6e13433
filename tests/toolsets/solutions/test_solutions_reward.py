"""matrix_reward: the score of a solution after a chain of outcomes, also of many servers at once."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from indelible.core.context.call import Call
from indelible.core.records import exporting, history, undo
from indelible.errors import Conflict, InvalidInput, NotFound
from mcp_client import McpClient


@pytest.fixture
def solution(memory):
    return memory.matrix_store(problem="Build fails", solution="clean first", scope="global")["id"]


def shown(memory):
    return memory.matrix_recall(query="build fails")["solutions"][0]


def metadata(memory):
    return next(item["metadata"] for item in exporting.export_all(memory.context) if item["kind"] == "solution")


S, P, F = "success", "partial", "failure"


@pytest.mark.parametrize(
    ("outcomes", "scores", "rate"),
    [
        ([S], [0.55], 1.0),
        ([P], [0.53], 0.5),
        ([F], [0.35], 0.0),
        ([S, S, S], [0.55, 0.595, 0.636], 1.0),
        ([F, F, F, F], [0.35, 0.2, 0.1, 0.1], 0.0),
        ([S, F, P], [0.55, 0.4, 0.43], 0.5),
        ([S, S, F], [0.55, 0.595, 0.445], 0.67),
        ([P] * 18, [round(min(1.0, 0.5 + 0.03 * n), 3) for n in range(1, 19)], 0.5),
    ],
)
def test_a_chain_of_outcomes_gives_the_documented_scores(memory, solution, outcomes, scores, rate):
    given = [memory.matrix_reward(solutionId=solution, outcome=outcome) for outcome in outcomes]
    assert [each["newScore"] for each in given] == scores
    assert [each["previousScore"] for each in given] == [0.5, *scores[:-1]]
    assert (shown(memory)["score"], shown(memory)["successRate"]) == (scores[-1], rate)


def test_the_answer_says_what_happened(memory, solution):
    assert memory.matrix_reward(solutionId=solution, outcome="success", notes="fine") == {
        "solutionId": solution,
        "outcome": "success",
        "previousScore": 0.5,
        "newScore": 0.55,
        "message": "Score updated: 0.50 → 0.55",
    }


def test_notes_are_kept_with_their_outcomes_the_newest_hundred(memory, solution):
    for n in range(103):
        memory.matrix_reward(solutionId=solution, outcome="partial", notes=f"note {n} ノート")
    notes = metadata(memory)["notes"]
    assert [note["notes"] for note in notes] == [f"note {n} ノート" for n in range(3, 103)]
    assert {note["outcome"] for note in notes} == {"partial"}


def test_long_notes_push_older_ones_out_and_are_kept_whole(memory, solution):
    for letter in "abc":
        memory.matrix_reward(solutionId=solution, outcome="partial", notes=letter * (200 << 10))
    assert [note["notes"][0] for note in metadata(memory)["notes"]] == ["c"]


def test_a_mistaken_reward_can_be_undone_and_only_the_last_one_first(memory, solution):
    ctx = memory.context
    memory.matrix_reward(solutionId=solution, outcome="success")
    memory.matrix_reward(solutionId=solution, outcome="failure", notes="wrong button")
    first = history.history(ctx, solution)[-1]["operation"]
    with pytest.raises(Conflict, match="a later matrix_reward changed the same"):
        undo.undo(ctx.for_call(Call(tool="undo")), first)
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert (metadata(memory)["score"], metadata(memory)["failures"]) == (0.55, 0)
    assert "notes" not in metadata(memory)


def test_a_retried_reward_counts_once(memory, solution):
    answers = [memory.call("matrix_reward", request_key="k", solutionId=solution, outcome="success") for _ in range(3)]
    assert answers == answers[:1] * 3
    assert metadata(memory)["successes"] == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"solutionId": "sol_ffffffff"}, NotFound, "solutionId 'sol_ffffffff' is unknown"),
        ({"solutionId": ""}, InvalidInput, "solutionId must have at least 1 character"),
        ({"outcome": "great"}, InvalidInput, "outcome must be one of 'success', 'partial' or 'failure', got 'great'"),
        ({"outcome": "SUCCESS"}, InvalidInput, "outcome must be one of"),
        ({"notes": ""}, InvalidInput, "notes must have at least 1 character"),
        ({"notes": "\n"}, InvalidInput, "notes must have at least one visible character"),
        ({"solutionId": " "}, InvalidInput, "solutionId must have at least one visible character"),
        ({"notes": 5}, InvalidInput, "notes must be a text, got 5"),
        ({"score": 1}, InvalidInput, "unknown argument 'score'"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(memory, solution, arguments, error, message):
    before = metadata(memory)
    with pytest.raises(error, match=message):
        memory.matrix_reward(**{"solutionId": solution, "outcome": "success", **arguments})
    assert metadata(memory) == before


def test_a_memory_is_no_solution_to_be_rewarded(memory):
    key = memory.store_memory(content="Axum was chosen")["id"]
    with pytest.raises(NotFound, match="is a memory, not a solution"):
        memory.matrix_reward(solutionId=key, outcome="success")


@pytest.mark.process
def test_of_a_hundred_successes_that_two_servers_tell_at_once_none_is_lost(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as other:
        key = one.call("matrix_store", {"problem": "p", "solution": "s", "scope": "global"})["id"]
        calls = [("matrix_reward", {"solutionId": key, "outcome": "success", "notes": f"n{i}"}) for i in range(50)]
        with ThreadPoolExecutor() as pool:
            answers = [a for part in pool.map(lambda client: client.pipeline(calls), (one, other)) for a in part]
        assert not [answer for answer in answers if answer.get("isError")]
        found = one.call("matrix_recall", {"query": "p", "minScore": 0})["solutions"][0]
    expected = 0.5
    scores = []
    for _ in range(100):
        expected += 0.1 * (1 - expected)
        scores.append(round(expected, 3))
    assert found["score"] == scores[-1]
    assert sorted(json.loads(a["content"][0]["text"])["newScore"] for a in answers) == scores
