"""matrix_store: what is kept of a solution, and what the same call again does."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from indelible.core.context.call import Call
from indelible.core.records import exporting
from indelible.core.records import undo as records_undo
from indelible.errors import InvalidInput
from indelible.toolsets import registry
from indelible.toolsets.memory import importing
from mcp_client import McpClient

OAUTH = {
    "problem": "Implementing OAuth with Google in TypeScript with refresh token handling",
    "solution": "1. bun add googleapis\n\n2. Store the refresh token",
    "scope": "stack",
    "tags": ["oauth", "auth:oauth:google"],
    "filesAffected": ["src/auth/google.ts", "src/config/oauth.ts"],
}


def everything(memory):
    return list(exporting.export_all(memory.context))


def of_kind(memory, kind):
    return [item for item in everything(memory) if item["kind"] == kind]


def undo(memory):
    return records_undo.undo(memory.context.for_call(Call(tool="undo")))


def test_the_answer_names_the_new_solution(memory):
    stored = memory.matrix_store(**OAUTH)
    assert re.fullmatch("sol_[0-9a-f]{8}", stored.pop("id"))
    assert stored == {"status": "stored", "problem": OAUTH["problem"], "scope": "stack", "tags": OAUTH["tags"]}


@pytest.mark.parametrize(
    ("problem", "shown"),
    [("p" * 100, "p" * 100), ("p" * 101, "p" * 100 + "..."), ("問" * 101, "問" * 100 + "...")],
)
def test_a_problem_is_echoed_by_its_first_hundred_characters(memory, problem, shown):
    assert memory.matrix_store(problem=problem, solution="s", scope="global")["problem"] == shown


def test_all_that_was_given_is_kept(memory):
    key = memory.matrix_store(**OAUTH)["id"]
    (kept,) = of_kind(memory, "solution")
    assert (kept["id"], kept["memory_type"], kept["tags"]) == (key, "stack", OAUTH["tags"])
    assert kept["content"] == f"{OAUTH['problem']}\n\n{OAUTH['solution']}"
    metadata = kept["metadata"]
    assert metadata["files"] == OAUTH["filesAffected"]
    assert (metadata["score"], metadata["successes"], metadata["partials"], metadata["failures"]) == (0.5, 0, 0, 0)
    found = memory.matrix_recall(query=OAUTH["problem"])["solutions"][0]
    assert (found["problem"], found["solution"], found["scope"]) == (OAUTH["problem"], OAUTH["solution"], "stack")


@pytest.mark.parametrize(
    ("problem", "solution"),
    [
        ("a\n\nb", "c\n\nd"),
        ("\n\na", "b\n\n"),
        (" a", " b "),
        ("p", "p"),
        ("問題", "解決\n\n策"),
        ("e\u0301", "\u0301"),
    ],
)
def test_problem_and_solution_come_back_as_they_were_whatever_blank_lines_are_in_them(memory, problem, solution):
    memory.matrix_store(problem=problem, solution=solution, scope="global")
    (found,) = memory.matrix_recall(query="x", minScore=0)["solutions"]
    assert (found["problem"], found["solution"]) == (problem, solution)


def test_the_same_call_again_stores_nothing(memory):
    first = memory.matrix_store(**OAUTH)
    before = everything(memory)
    assert memory.matrix_store(**OAUTH) == first
    assert everything(memory) == before


@pytest.mark.parametrize(
    "change",
    [{"problem": "Another problem"}, {"solution": "another way"}, {"scope": "global"}],
    ids=lambda change: next(iter(change)),
)
def test_another_problem_solution_or_scope_is_another_solution(memory, change):
    assert memory.matrix_store(**OAUTH)["id"] != memory.matrix_store(**{**OAUTH, **change})["id"]
    assert memory.matrix_status()["stats"]["solutions"] == 2


def test_texts_that_are_cut_at_another_place_are_another_solution(memory):
    one = memory.matrix_store(problem="a\n\nb", solution="c", scope="global")
    assert one["id"] != memory.matrix_store(problem="a", solution="b\n\nc", scope="global")["id"]


def test_new_tags_and_files_of_a_known_solution_are_added_and_can_be_undone(memory):
    memory.matrix_store(**OAUTH)
    before = of_kind(memory, "solution")
    again = memory.matrix_store(**{**OAUTH, "tags": ["new", "oauth"], "filesAffected": ["b.ts"]})
    assert again["tags"] == [*OAUTH["tags"], "new"]
    (kept,) = of_kind(memory, "solution")
    assert kept["metadata"]["files"] == [*OAUTH["filesAffected"], "b.ts"]
    undo(memory)
    (restored,) = of_kind(memory, "solution")
    assert restored["tags"] == before[0]["tags"]
    assert restored["metadata"] == before[0]["metadata"]


def test_a_repeated_tag_or_file_counts_once(memory):
    stored = memory.matrix_store(
        problem="p", solution="s", scope="global", tags=["a", "b", "a"], filesAffected=["x"] * 3
    )
    assert stored["tags"] == ["a", "b"]
    assert of_kind(memory, "solution")[0]["metadata"]["files"] == ["x"]


def test_files_are_records_that_lead_to_the_solution_and_back(memory):
    key = memory.matrix_store(**OAUTH)["id"]
    walked = memory.graph_traverse(start_id=key)
    assert [(node["id"], node["kind"], node["label"]) for node in walked[1:]] == [
        ("file:src/auth/google.ts", "file", "src/auth/google.ts"),
        ("file:src/config/oauth.ts", "file", "src/config/oauth.ts"),
    ]
    back = memory.graph_traverse(start_id="file:src/auth/google.ts", max_depth=1)
    assert [node["id"] for node in back] == ["file:src/auth/google.ts", key]


def test_solutions_of_one_file_meet_in_one_record(memory):
    for way in ("one", "two"):
        memory.matrix_store(problem="p", solution=way, scope="global", filesAffected=["./src/a.ts", "src/a.ts"])
    assert [file["id"] for file in of_kind(memory, "file")] == ["file:src/a.ts"]


def test_a_file_of_the_project_is_named_from_its_top(open_store, tmp_path):
    top = tmp_path / "work"
    top.mkdir()
    memory = open_store(start=top)
    memory.matrix_store(
        problem="p", solution="s", scope="repo", filesAffected=[f"{top}/src/a.ts", "src/b.ts", "/etc/hosts"]
    )
    assert [file["id"] for file in of_kind(memory, "file")] == ["file:src/a.ts", "file:src/b.ts", "file:/etc/hosts"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"problem": ""}, "problem must have at least 1 character"),
        ({"solution": ""}, "solution must have at least 1 character"),
        ({"problem": " \n"}, "problem must have at least one visible character"),
        ({"solution": "\u200b"}, "solution must have at least one visible character"),
        ({"tags": ["a", " "]}, "tags.1 must have at least one visible character"),
        ({"filesAffected": ["\t"]}, "filesAffected.0 must have at least one visible character"),
        ({"scope": "team"}, "scope must be one of 'global', 'stack' or 'repo', got 'team'"),
        ({"scope": None}, "scope must be one of"),
        ({"tags": "oauth"}, "tags must be a list|tags must be"),
        ({"tags": [""]}, "tags.0 must have at least 1 character"),
        ({"filesAffected": [3]}, "filesAffected.0 must be a text, got 3"),
        ({"filesAffected": ["a" * 1_001]}, "filesAffected.0 must have at most 1,000 characters"),
        (
            {"problem": "p" * (1 << 19), "solution": "s" * (1 << 19)},
            "problem and solution have 1,048,578 bytes together",
        ),
        ({"files": []}, "unknown argument 'files'"),
    ],
)
def test_what_cannot_be_stored_is_refused_by_its_name_and_nothing_is_written(memory, wrong, message):
    with pytest.raises(InvalidInput, match=message):
        memory.matrix_store(**{**OAUTH, **wrong})
    assert everything(memory) == []


def test_the_longest_solution_survives_export_and_import(memory, open_store):
    problem = "p" * 1_000
    solution = "s" * ((1 << 20) - len(problem) - 2)
    memory.matrix_store(problem=problem, solution=solution, scope="global")
    other = open_store("other")
    assert importing.import_items(other.context, everything(memory)).errors == []
    assert everything(other) == everything(memory)


def secret(number):
    return "ghp_" + "A1b2C3d4E5" * 3 + f"f6G7{number:02}"


def test_a_secret_is_kept_out_of_every_text_of_a_solution_and_said(memory):
    ctx, tool = memory.context, registry.find_tool("matrix_store")
    given = {
        "problem": f"push with {secret(1)} fails",
        "solution": f"export TOKEN={secret(2)}",
        "scope": "global",
        "tags": ["git", secret(3)],
        "filesAffected": [f"src/{secret(4)}.ts"],
    }
    answer = registry.call(ctx, tool, given)
    assert [finding["argument"] for finding in answer.redacted] == ["filesAffected", "problem", "solution", "tags"]
    noted = {"solutionId": answer.value["id"], "outcome": "partial", "notes": f"it was {secret(5)}"}
    (finding,) = registry.call(ctx, registry.find_tool("matrix_reward"), noted).redacted
    assert finding["argument"] == "notes"
    assert "A1b2C3d4E5" not in json.dumps([answer.value, everything(memory)])


def test_solutions_that_differ_in_their_secrets_only_are_one(memory):
    keys = {
        memory.matrix_store(problem=f"push with {secret(n)} fails", solution=f"not {secret(n)}", scope="global")["id"]
        for n in (1, 2)
    }
    assert len(keys) == 1


@pytest.mark.process
def test_two_servers_that_store_at_once_keep_every_solution_and_the_same_one_once(tmp_path):
    data = tmp_path / "data"
    same = {"problem": "queue hangs", "solution": "drain it", "scope": "global"}
    with McpClient(data) as one, McpClient(data) as other:

        def store(client, name):
            own = {"solution": f"of {name}", "scope": "stack", "filesAffected": ["src/queue.ts"]}
            calls = [("matrix_store", {**own, "problem": f"problem {n}"}) for n in range(50)]
            return client.pipeline([*calls[:25], ("matrix_store", {**same, "tags": [name]}), *calls[25:]])

        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(store, (one, other), ("one", "other")))
        keys = [answer["structuredContent"]["id"] for each in answers for answer in each]
        assert len(set(keys)) == 101
        assert one.call("matrix_status")["stats"]["solutions"] == 101
        (found,) = other.call("matrix_recall", {"query": "queue hangs", "scopeFilter": "global"})["solutions"]
        assert set(found["tags"]) == {"one", "other"}
        walked = other.call("graph_traverse", {"start_id": "file:src/queue.ts", "max_depth": 1, "limit": 200})
        assert len(walked) == 1 + 100  # one record of the file, whoever made it


def test_export_and_import_keep_all_of_a_solution(memory, open_store):
    key = memory.matrix_store(**OAUTH)["id"]
    memory.matrix_reward(solutionId=key, outcome="success", notes="worked ✓")
    memory.matrix_recall(query=OAUTH["problem"])
    other = open_store("other")
    done = importing.import_items(other.context, everything(memory))
    assert (done.errors, done.skipped) == ([], 0)
    assert everything(other) == everything(memory)
    assert other.matrix_recall(query=OAUTH["problem"]) == memory.matrix_recall(query=OAUTH["problem"])
    assert importing.import_items(other.context, everything(memory)).ids == []
    assert other.matrix_store(**OAUTH)["id"] == key


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"problem": 3, "score": "much", "successes": -1, "files": "a", "notes": 7, "fingerprint": [1]},
        {
            "problem": "another",
            "score": 5,
            "failures": True,
            "files": [1],
            "notes": [1],
            "fingerprint": {"languages": 3},
        },
    ],
)
def test_a_solution_that_an_import_brought_without_its_fields_is_read_for_what_it_is(memory, metadata):
    thing = {"kind": "solution", "id": "sol_00000001", "content": "Build fails\n\nClean first", "metadata": metadata}
    assert importing.import_items(memory.context, [thing]).errors == []
    (found,) = memory.matrix_recall(query="build fails")["solutions"]
    assert (found["problem"], found["solution"], found["scope"]) == ("Build fails", "Clean first", "global")
    memory.matrix_reward(solutionId="sol_00000001", outcome="success", notes="yes")
    assert memory.matrix_status()["recentSolutions"][0]["id"] == "sol_00000001"
