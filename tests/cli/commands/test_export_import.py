"""`indelible export` and `indelible import`: a store goes through a pipe; a bad line costs no good one."""

import json

import pytest

from command_line import call, contents, done, indelible, refused

pytestmark = pytest.mark.process


def test_an_export_goes_through_a_pipe_into_another_store_and_out_again_the_same(data, tmp_path):
    first = done("remember", "Axum, naïve and 連接池 🚀\nsecond line", "--tags", "a,b", data=data).split()[1]
    second = done("remember", "Tower goes in front", "--namespace", "/dev/app", data=data).split()[1]
    call("associate_memories", "--source-id", first, "--target_id", second, "--relationship", "leads_to", data=data)
    exported = done("export", data=data)
    assert len(exported.splitlines()) == 2
    copy = tmp_path / "copy"
    ran = indelible("import", data=copy, stdin=exported.encode())
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert ran.stderr == b"imported 2, skipped 0 that were known, 0 problems\n"
    assert done("export", data=copy) == exported
    (tmp_path / "all.jsonl").write_text(exported, encoding="utf-8")
    ran = indelible("import", tmp_path / "all.jsonl", data=copy)
    assert ran.stderr == b"imported 0, skipped 2 that were known, 0 problems\n"


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_an_export_is_utf_8_in_every_locale(data, tmp_path, env):
    done("remember", "-", data=data, stdin="naïve 連接池 🚀".encode())
    ran = indelible("export", data=data, env=env)
    assert ran.returncode == 0
    assert json.loads(ran.stdout.decode("utf-8"))["content"] == "naïve 連接池 🚀"
    assert indelible("import", data=tmp_path / "copy", stdin=ran.stdout, env=env).returncode == 0
    assert contents(tmp_path / "copy") == {"naïve 連接池 🚀"}
    assert "連接池" in indelible("recall", "naive", data=data, env=env).stdout.decode("utf-8")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_an_export_that_a_shell_saved_in_another_encoding_is_taken(data, tmp_path, encoding):
    done("remember", "naïve 連接池 🚀", data=data)
    done("remember", "Ċ, in whose first byte no line ends", data=data)
    mark = "" if encoding != "utf-16-be" else "\ufeff"
    saved = (mark + done("export", data=data).replace("\n", "\r\n")).encode(encoding)
    (tmp_path / "all.jsonl").write_bytes(saved)
    ran = indelible("import", tmp_path / "all.jsonl", data=tmp_path / "copy")
    assert (ran.returncode, ran.stderr) == (0, b"imported 2, skipped 0 that were known, 0 problems\n")
    assert contents(tmp_path / "copy") == {"naïve 連接池 🚀", "Ċ, in whose first byte no line ends"}
    graph = '{"type": "entity", "name": "Bé", "entityType": "person", "observations": ["x"]}\r\n'
    (tmp_path / "memory.jsonl").write_bytes((mark + graph).encode(encoding))
    done("import", "--from", "memory-jsonl", tmp_path / "memory.jsonl", data=tmp_path / "graph")
    assert contents(tmp_path / "graph") == {"Bé\nx"}


def test_bad_lines_are_counted_by_number_and_the_good_ones_taken(data):
    lines = [
        b'{"content": "good one"}',
        b"not json",
        b"",
        b'{"content": ""}',
        b"\xff\xfe",
        b'"text"',
        b"[" * 100_000,
        b'{"content": "good two"}',
    ]
    ran = indelible("import", data=data, stdin=b"\n".join(lines))
    assert ran.returncode == 3
    said = ran.stderr.decode().splitlines()
    assert [line.split(":")[0] for line in said[:-1]] == [
        "line 2 is not JSON",
        "line 4",
        "line 5 is not JSON",
        "line 6",
        "line 7 is not JSON",
    ]
    assert said[-1] == "imported 2, skipped 0 that were known, 5 problems"
    assert contents(data) == {"good one", "good two"}


def test_a_bad_item_is_named_by_its_line_below_lines_without_one(data):
    lines = b'\n\n{"content": "good"}\n\nno json\n3\n{"content": "good too"}\n4\n'
    ran = indelible("import", data=data, stdin=lines)
    assert [line.split(":")[0] for line in ran.stderr.decode().splitlines()[:-1]] == [
        "line 5 is not JSON",
        "line 6",
        "line 8",
    ]


def test_of_many_problems_the_first_ten_are_named(data):
    ran = indelible("import", data=data, stdin=b'{"content": "good"}\n' + b"bad\n" * 25)
    said = ran.stderr.decode().splitlines()
    assert [line.split(":")[0] for line in said[:10]] == [f"line {number} is not JSON" for number in range(2, 12)]
    assert said[10:] == ["and 15 more", "imported 1, skipped 0 that were known, 25 problems"]


def test_what_export_memories_answered_is_taken(data, tmp_path):
    done("remember", "Axum, naïve 連接池", "--tags", "a", "--type", "decision", data=data)
    done("remember", "Tower goes in front", data=data)
    array = done("call", "export_memories", data=data)
    for form in (array, "\n \n" + array, "\ufeff" + array, json.dumps(json.loads(array))):
        ran = indelible("import", data=tmp_path / "copy", stdin=form.encode())
        assert ran.returncode == 0, ran.stderr
    assert call("export_memories", data=tmp_path / "copy") == json.loads(array)


@pytest.mark.parametrize(
    ("array", "code", "said"),
    [
        (b"[]", 0, ["imported 0, skipped 0 that were known, 0 problems"]),
        (
            b'[{"content": "good"}, {"content": "good"}, 3]',
            3,
            [
                "item 3: each item must be an object with at least `content`, got int",
                "imported 1, skipped 0 that were known and 1 that came twice, 1 problem",
            ],
        ),
        (
            b'[{"content": "good"},\n{"content": ',
            3,
            ["the file begins with [ and is not a JSON array: ", "imported 0, skipped 0 that were known, 1 problem"],
        ),
    ],
    ids=["empty", "with a bad item", "cut off"],
)
def test_of_an_array_the_good_items_are_taken(data, array, code, said):
    ran = indelible("import", data=data, stdin=array)
    assert ran.returncode == code
    for line, begins in zip(ran.stderr.decode().splitlines(), said, strict=True):
        assert line.startswith(begins)


def test_a_file_that_cannot_be_read_is_refused_by_its_name(data, tmp_path):
    assert "no-such.jsonl cannot be read: No such file" in refused("import", tmp_path / "no-such.jsonl", data=data)
    assert "cannot be read: Is a directory" in refused("import", tmp_path, data=data)
