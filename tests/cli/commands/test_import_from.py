"""`indelible import --from`: the files of other tools into the one store, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import done, indelible, refused, result
from existing_files import BAD, GOOD, add_failure, many, write_lines, write_matrix

pytestmark = pytest.mark.process


def imported(form: str, file: Path, data: Path) -> tuple[int, list[str]]:
    """The exit code, and what was said."""
    ran = indelible("import", "--from", form, file, data=data)
    assert ran.stdout == b""
    return ran.returncode, ran.stderr.decode().splitlines()


def kinds(data: Path) -> list[str]:
    return sorted(json.loads(line)["kind"] for line in done("export", data=data).splitlines())


def test_entries_of_vecfs_are_taken_once(tmp_path, data):
    file = write_lines(tmp_path / "vecfs-data.jsonl")
    assert imported("vecfs", file, data) == (0, ["imported 3, skipped 0 that were known, 0 problems"])
    assert imported("vecfs", file, data) == (0, ["imported 0, skipped 3 that were known, 0 problems"])
    (first, *_) = json.loads(done("call", "search", "--vector", '{"3": 1}', data=data))
    assert first["id"] == "日本語"
    assert file.read_bytes() == write_lines(tmp_path / "again").read_bytes()


def test_bad_lines_are_named_and_the_rest_is_taken(tmp_path, data):
    file = write_lines(tmp_path / "vecfs-data.jsonl", *BAD)
    code, said = imported("vecfs", file, data)
    assert (code, said[-1]) == (3, f"imported {len(GOOD)}, skipped 0 that were known, {len(BAD)} problems")
    assert all(any(line.startswith(words) for line in said) for words in BAD.values())


def test_solutions_and_failures_of_matrix_are_taken_once(tmp_path, data):
    file = write_matrix(tmp_path / "matrix.db")
    assert imported("matrix", file, data) == (0, ["imported 3, skipped 0 that were known, 0 problems"])
    assert imported("matrix", file, data) == (0, ["imported 0, skipped 3 that were known, 0 problems"])
    assert [kind for kind in kinds(data) if kind in ("solution", "failure")] == ["failure", "solution", "solution"]


def failure_of(data: Path, key: str) -> dict[str, Any]:
    return next(r for r in map(json.loads, done("export", data=data).splitlines()) if r["id"] == key)


@pytest.mark.parametrize(("first", "second"), [("2025-02-01", "2025-03-01"), ("2025-03-01", "2025-02-01")])
def test_failures_of_matrix_that_are_one_here_are_added_up_and_none_of_their_fixes_is_lost(
    tmp_path, data, first, second
):
    file = write_matrix(tmp_path / "matrix.db")
    add_failure(file, "fail_0000000b", "timeout after 30 ms", 3, "B's", first, files_involved='["b.ts"]')
    add_failure(file, "fail_0000000c", "timeout after 45 ms", 4, "C's", second, files_involved='["c.ts"]')
    said = "imported 4, added 1 to a failure with the same signature, skipped 0 that were known, 0 problems"
    assert imported("matrix", file, data) == (0, [said])
    newest, other = ("B's", "C's") if first > second else ("C's", "B's")
    for _ in range(2):  # what was added up is known when it comes again
        kept = failure_of(data, "fail_0000000b")
        told = kept["metadata"]
        assert told["occurrences"] == 7
        assert [told[name] for name in ("rootCause", "fixApplied", "prevention")] == [
            f"{newest} {name}" for name in ("root_cause", "fix_applied", "prevention")
        ]
        assert kept["updated_at"] == max(first, second) + "T00:00:00Z"
        assert told["files"] == (["c.ts", "b.ts"] if newest == "B's" else ["b.ts", "c.ts"])
        assert f"{other} root_cause" in done("failures", "fail_0000000b", data=data)
        fixes = result("fixes", "timeout after 9 ms", data=data)["fixes"]
        assert [fix["strategy"] for fix in fixes] == [f"{newest} fix_applied", f"{other} fix_applied"]
        assert imported("matrix", file, data) == (0, ["imported 0, skipped 5 that were known, 0 problems"])


def test_what_comes_twice_in_one_file_is_told_from_what_was_known(tmp_path, data):
    file = tmp_path / "given.jsonl"
    twice, once = {"content": "Deploys go out on Tuesdays"}, {"content": "Ada owns the deploy script"}
    file.write_text("\n".join(json.dumps(each) for each in [twice] * 3 + [once]))
    for said in (
        "imported 2, skipped 0 that were known and 2 that came twice, 0 problems",
        "imported 0, skipped 4 that were known, 0 problems",
    ):
        ran = indelible("import", file, data=data)
        assert (ran.returncode, ran.stderr.decode()) == (0, said + "\n")


def test_entities_and_relations_that_come_twice_in_one_file_are_told_from_what_was_known(tmp_path, data):
    file = tmp_path / "memory.jsonl"
    ada = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["first"]}
    bob = {"type": "entity", "name": "Bob", "entityType": "person", "observations": []}
    knows = {"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"}
    file.write_text("\n".join(map(json.dumps, [ada, bob, {**ada, "observations": ["second"]}, knows, knows])))
    for said in (
        "imported 2 entities and 1 relation, skipped 0 that were known and 2 that came twice, 0 problems",
        "imported 0 entities and 0 relations, skipped 5 that were known, 0 problems",
    ):
        assert imported("memory-jsonl", file, data) == (0, [said])
    (found,) = json.loads(done("call", "open_nodes", "--names", "Ada", data=data))["entities"]
    assert found["observations"] == ["first", "second"]


def test_all_of_a_large_file_is_taken(tmp_path, data):
    file = tmp_path / "vecfs-data.jsonl"
    file.write_text(many(2_000))
    assert imported("vecfs", file, data) == (0, ["imported 2000, skipped 0 that were known, 0 problems"])


@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("matrix", b"no database " * 100),
        ("vecfs", b'[{"id": '),
        ("matrix", write_lines),
        ("vecfs", None),
        ("matrix", None),
    ],
    ids=["no database", "half an array", "lines as a database", "no lines", "no file"],
)
def test_what_is_no_file_of_that_tool_is_refused_by_its_name(tmp_path, data, form, content):
    file = tmp_path / "given"
    if callable(content):
        content(file)
    elif content is not None:
        file.write_bytes(content)
    assert "given" in refused("import", "--from", form, file, data=data)


@pytest.mark.parametrize("form", ["vecfs", "matrix"])
def test_standard_input_is_no_file_of_another_tool(data, form):
    words = refused("import", "--from", form, "-", data=data)
    assert words == f"indelible: --from {form} reads a file, not standard input; give its path\n"


@pytest.mark.parametrize(
    ("thing", "form"),
    [
        ({"type": "entity", "name": "Ada", "entityType": "person", "observations": []}, "memory-jsonl"),
        ({"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows"}, "memory-jsonl"),
        (GOOD[0], "vecfs"),
    ],
    ids=["entity", "relation", "vector"],
)
def test_a_file_of_another_tool_without_from_is_told_how_to_be_read(tmp_path, data, thing, form):
    file = tmp_path / "given.jsonl"
    file.write_text(json.dumps(thing))
    ran = indelible("import", file, data=data)
    assert ran.returncode == 3
    assert f"`indelible import --from {form}` reads it" in ran.stderr.decode()
