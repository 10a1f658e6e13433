"""`indelible solutions` and `indelible failures`: lists for a person, and all that is kept of one."""

import pytest

from command_line import done, indelible, opened, refused, result
from indelible.toolsets import registry

pytestmark = pytest.mark.process


def filled(data):
    """The ids of a solution with an outcome and of a failure that came twice."""
    failure = {
        "errorType": "build",
        "errorMessage": "no such file a.h",
        "rootCause": "moved",
        "fixApplied": "include b.h",
    }
    with opened(data) as ctx:

        def call(tool, **arguments):
            return registry.call(ctx, registry.find_tool(tool), arguments).value

        solution = call(
            "matrix_store",
            problem="队列 hangs",
            solution="first\nthen",
            scope="global",
            tags=["queue"],
            filesAffected=["src/q.rs"],
        )["id"]
        call("matrix_recall", query="hangs")
        call("matrix_reward", solutionId=solution, outcome="partial", notes="only\x1b[31m half")
        call("matrix_failure", **failure, filesInvolved=["a.h"])
        return solution, call("matrix_failure", **failure, stackTrace="line 1\nline 2")["id"]


@pytest.mark.parametrize("command", ["solutions", "failures"])
def test_an_empty_store_has_none(command, data):
    done("call", "list_namespaces", data=data)
    ran = indelible(command, data=data)
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert ran.stderr.decode() == f"no {command.removesuffix('s')} is stored\n"
    assert result(command, data=data) == {command: []}


def test_the_newest_solutions_are_listed(data):
    solution, _ = filled(data)
    (row,) = result("solutions", data=data)["solutions"]
    assert row == result("solutions", solution, data=data)["solutions"][0], "all of each, not what a table has room for"
    assert {name: row[name] for name in ("id", "scope", "score", "uses", "partials", "tags", "problem")} == {
        "id": solution,
        "scope": "global",
        "score": 0.53,
        "uses": 1,
        "partials": 1,
        "tags": ["queue"],
        "problem": "队列 hangs",
    }
    heads, line = done("solutions", data=data).splitlines()
    assert heads.split() == ["id", "date", "scope", "score", "uses", "outcomes", "tags", "problem"]
    assert line.split()[:1] + line.split()[2:7] == [solution, "global", "0.530", "1", "0+", "1~"]


def test_the_newest_failures_are_listed(data):
    _, failure = filled(data)
    (row,) = result("failures", data=data)["failures"]
    assert row == result("failures", failure, data=data)["failures"][0]
    assert (row["errorType"], row["occurrences"], row["errorMessage"]) == ("build", 2, "no such file a.h")
    assert done("failures", data=data).splitlines()[1].split()[2:4] == ["build", "2"]


def test_all_of_a_solution_is_shown(data):
    solution, _ = filled(data)
    (whole,) = result("solutions", solution, data=data)["solutions"]
    assert (whole["problem"], whole["solution"], whole["files"]) == ("队列 hangs", "first\nthen", ["src/q.rs"])
    assert (whole["score"], whole["successes"], whole["partials"], whole["failures"]) == (0.53, 0, 1, 0)
    assert [(note["outcome"], note["notes"]) for note in whole["notes"]] == [("partial", "only\x1b[31m half")]
    text = done("solutions", solution, data=data)
    assert "solution:\nfirst\nthen\n" in text
    assert "partial: only half\n" in text


def test_all_of_a_failure_is_shown(data):
    _, failure = filled(data)
    (whole,) = result("failures", failure, data=data)["failures"]
    assert (whole["occurrences"], whole["files"], whole["stackTrace"]) == (2, ["a.h"], "line 1\nline 2")
    assert whole["entities"][0] == "err#no such file a.h"
    assert "fixApplied: include b.h\n" in done("failures", failure, data=data)


def test_what_cannot_be_shown_is_refused(data):
    solution, failure = filled(data)
    assert "is unknown" in refused("solutions", "sol_ffffffff", data=data)
    assert "is a failure, not a solution" in refused("solutions", failure, data=data)
    assert "is a solution, not a failure" in refused("failures", solution, data=data)
    assert "--limit must be at least 1, got 0" in refused("failures", "--limit", "0", data=data)
