"""`indelible import --from`: the files of other tools into the one store, on the command line."""

import json
from pathlib import Path

import pytest
from existing_files import BAD, GOOD, many, write_lines, write_matrix

from command_line import done, indelible, refused


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


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
    assert (code, said[-1]) == (1, f"imported {len(GOOD)}, skipped 0 that were known, {len(BAD)} problems")
    assert all(any(line.startswith(words) for line in said) for words in BAD.values())


def test_solutions_and_failures_of_matrix_are_taken_once(tmp_path, data):
    file = write_matrix(tmp_path / "matrix.db")
    assert imported("matrix", file, data) == (0, ["imported 3, skipped 0 that were known, 0 problems"])
    assert imported("matrix", file, data) == (0, ["imported 0, skipped 3 that were known, 0 problems"])
    assert [kind for kind in kinds(data) if kind in ("solution", "failure")] == ["failure", "solution", "solution"]


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
    words = refused("import", "--from", form, data=data)
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
    assert ran.returncode == 1
    assert f"`indelible import --from {form}` reads it" in ran.stderr.decode()
