"""What a person sees at a terminal of some width: whole ids and times, to be copied."""

import io
import itertools
import os
import re
import struct
import subprocess
import sys

import pytest

from command_line import done
from indelible.cli import main
from mcp_client import environment

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")]

LONG = "Team decided to use Axum over Actix: 連接池 and tower were worth more to all of us than the compile times " * 2
STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("terminal") / "data"


@pytest.fixture(scope="module")
def stored(data):
    """The id of the long memory, which was changed twice; there is a short one too."""
    done("remember", "axum is short", data=data)
    id_ = done("remember", "axum before", "--type", "decision", data=data).split()[1]
    for content in ("axum afterwards", LONG):
        done("call", "update_memory", "--id", id_, "--content", content, data=data)
    return id_


def seen(*arguments, data, columns):
    """The lines that a command writes to a terminal of that many columns, without colours."""
    import fcntl
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {name: value for name, value in environment({"TERM": "xterm"}).items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "indelible", *arguments, "--data", str(data)]
    process = subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, cwd=data.parent)
    os.close(theirs)
    printed = b""
    try:
        while part := _read(ours):
            printed += part
        _, said = process.communicate(timeout=50)
    finally:
        process.kill()
        os.close(ours)
    assert (process.returncode, said) == (0, b"")
    return STYLES.sub("", printed.decode()).replace("\r\n", "\n").splitlines()


def _read(terminal):
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # what Linux says at the end
        return b""


def cells(line):
    from rich.cells import cell_len

    return cell_len(line)


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 120, 126, 160, 250])
def test_ids_and_dates_are_whole_at_every_width(data, stored, columns):
    lines = seen("recall", "axum", data=data, columns=columns)
    assert sum(stored in line for line in lines) == 1
    assert all(cells(line) <= columns for line in lines)
    assert "…" not in "".join(lines)
    assert len(re.findall(r"\b20\d\d-\d\d-\d\d\b", "\n".join(lines))) == 2
    assert " ".join(lines).count("compile") == 2


def test_a_wide_terminal_has_a_table_and_a_narrow_one_blocks(data, stored):
    assert any(line.startswith("│") and stored in line for line in seen("recall", "axum", data=data, columns=160))
    lines = seen("recall", "axum", data=data, columns=80)
    assert lines[:2] == ["score  kind    type      date        id", "    content"]
    at = next(place for place, line in enumerate(lines) if stored in line)
    assert re.fullmatch(rf"0\.\d+  memory  decision  20\d\d-\d\d-\d\d  {stored}", lines[at])
    beneath = list(itertools.takewhile(lambda line: line.startswith("    "), lines[at + 1 :]))
    assert " ".join(beneath).split() == LONG.split()


def test_where_heads_cannot_stand_above_their_columns_each_value_has_a_line(data, stored):
    lines = seen("recall", "axum", data=data, columns=40)
    blocks = [list(block) for full, block in itertools.groupby(lines, key=bool) if full]
    assert len(blocks) == 2
    for block in blocks:
        names = [line.partition(":")[0] for line in block if not line.startswith(" ")]
        assert names == ["score", "kind", "type", "date", "id", "content"]
        assert {len(re.match(r"\S+: +| +", line).group()) for line in block} == {len("content:  ")}
    assert f"id:       {stored}" in lines


def test_of_two_columns_both_stand_on_one_line_where_they_fit(data, stored):
    heads, *lines = seen("stats", data=data, columns=40)
    assert heads == "what           value"
    assert "memory         2" in lines
    assert lines[:2] == ["store", f"    {data}"]


def test_what_is_narrow_is_a_table_on_a_narrow_terminal_too(data, stored):
    lines = seen("tools", "--toolsets", "memory", "--tools", "recall_memory", data=data, columns=160)
    assert any(line.startswith("│ recall_memory") for line in lines)
    assert lines[0].startswith("┏")


@pytest.mark.parametrize("columns", [40, 80, 120, 200])
def test_operations_and_times_of_the_history_are_whole(data, stored, columns):
    operations = [line.split()[:2] for line in done("history", data=data).splitlines()[1:]]
    assert len(operations) == 2
    for command in (["history"], ["history", stored]):
        lines = seen(*command, data=data, columns=columns)
        for operation, time in operations:
            assert sum(operation in line for line in lines) == 1
            assert any(time in line for line in lines)
        assert all(cells(line) <= columns for line in lines)


def test_a_value_that_is_wider_than_the_terminal_is_left_whole(data, stored):
    lines = seen("recall", "axum", data=data, columns=20)
    assert stored in "".join(lines)


class Terminal(io.StringIO):
    """A standard error that somebody sees."""

    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_the_doctor_says_what_it_looks_at_to_somebody_who_waits_and_to_nobody_else(
    data, stored, monkeypatch, stream, json
):
    said = stream()
    monkeypatch.setattr(sys, "stderr", said)
    assert main.main(["doctor", "--data", str(data), *json]) == 0
    assert said.getvalue() == ("examining the store\n" if said.isatty() and not json else "")
