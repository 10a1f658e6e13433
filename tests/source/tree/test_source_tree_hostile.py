"""Directories that somebody made to hurt: a scan ends, takes what can be stored, and opens nothing that waits."""

import os
import sys

import pytest

from indelible.source import source

POSIX = pytest.mark.skipif(os.name != "posix", reason="names and pipes of POSIX")


@POSIX
def test_links_pipes_and_rings_are_neither_followed_nor_waited_for(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.py").write_text("def secret(): pass\n")
    (inside / "own.py").write_text("def own(): pass\n")
    os.mkfifo(inside / "pipe.py")
    (inside / "ring.py").symlink_to("ring.py")
    (inside / "out.py").symlink_to(outside / "secret.py")
    (inside / "again.py").symlink_to("own.py")
    (inside / "sub" / "up").symlink_to("..")
    (inside / "zero.py").symlink_to("/dev/zero")
    assert set(source.scan(inside).files) == {"own.py"}
    for name in ("pipe.py", "ring.py", "out.py", "again.py", "zero.py"):
        assert isinstance(source.read(inside, name), str)
    assert source.read(inside, "own.py") == b"def own(): pass\n"


@POSIX
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes no such names")
def test_names_of_any_bytes_are_taken_or_left_out_and_break_nothing(tmp_path):
    names = [b"a\nb.py", b"\xff\xfe.py", "größe.py".encode(), b"a\tb'\".py", b" .py", b"-rf.py", b"x" * 240 + b".py"]
    for name in names:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"def f(): pass\n")
    scan = source.scan(tmp_path)
    found = scan.files
    assert set(found) == {os.fsdecode(name) for name in names if name != b"\xff\xfe.py"}
    assert scan.skipped == {source.NOT_TEXT: 1}
    assert all(source.read(tmp_path, path) == b"def f(): pass\n" for path in found)


@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "Cargo.toml", "go.mod"])
@pytest.mark.parametrize(
    "body", [b"", b"\0", b"{" * 200_000, b"[" * 200_000, b"\xff" * 100, b'{"name": 3}', b"name = ["]
)
def test_a_broken_manifest_hides_no_source(tmp_path, name, body):
    (tmp_path / name).write_bytes(body)
    (tmp_path / "a.py").write_text("def f(): pass\n")
    assert set(source.scan(tmp_path).files) == {"a.py"}
