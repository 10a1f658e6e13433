"""The command line, as a person and a script use it."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import encoders
import forked
from command_line import call, contents, done, indelible, refused, result, settings
from indelible.cli.main import COMMANDS, GROUPS
from indelible.sanitize.prompt_frame import visible
from indelible.version import __version__
from mcp_client import environment

pytestmark = pytest.mark.process

SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"


def start(*arguments, data, **options):
    """A process on the data directory by the environment, for what `--data` at the end would disturb."""
    env = environment({"INDELIBLE_DATA": str(data), **options.pop("env", {})})
    return forked.run(arguments, env=env, cwd=data.parent, **options)


# --- remember and recall ---


def test_what_was_remembered_is_recalled_as_a_table(data):
    said = done(
        "remember", "Team decided to use Axum over Actix", "--type", "decision", "--tags", "api, axum,", data=data
    )
    status, stored = said.split()
    assert status == "stored"
    head, row = done("recall", "axum or actix", data=data).splitlines()
    assert head.split() == ["score", "kind", "type", "date", "id", "content"]
    score, kind, type_, _, shown, content = row.split(maxsplit=5)
    assert (kind, type_, shown, content) == ("memory", "decision", stored, "Team decided to use Axum over Actix")
    assert 0 < float(score) <= 1
    assert done("remember", "Team decided to use Axum over Actix", data=data) == f"duplicate {stored}\n"


def test_a_recall_says_what_was_replaced_or_speaks_of_other_code(data, tmp_path):
    old, new = (done("remember", text, data=data).split()[1] for text in ("CI runs on Jenkins", "CI runs on Actions"))
    done(
        "call", "associate_memories", "--source_id", new, "--target_id", old, "--relationship", "SUPERSEDES", data=data
    )
    _, first, second = done("recall", "CI runs", data=data).splitlines()
    assert first.endswith("  CI runs on Actions")
    assert second.endswith(f"  (replaced by {new[:8]}) CI runs on Jenkins")
    project = tmp_path / "shop"
    project.mkdir()
    (project / "pay.py").write_text("def charge(order):\n    total = order.total\n    return total\n")
    done("index", "--project", str(project), str(project), data=data)
    done("remember", "charge() of pay.py rounds up", "--project", str(project), data=data)
    (project / "pay.py").write_text("def refund(order):\n    return order.paid - 1\n")
    done("index", "--project", str(project), str(project), data=data)
    (row,) = done("recall", "rounds up", "--project", str(project), data=data).splitlines()[1:]
    assert "(stale: charge gone" in row


def test_a_recall_outside_of_a_project_says_so_and_of_which_each_hit_is(data, tmp_path):
    project = tmp_path / "shop"
    project.mkdir()
    done("remember", "Deploys", "go", "out", "daily", "--project", str(project), data=data)
    home = {"env": {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}}
    ran = start("recall", "deploys", data=data, text=True, **home)  # beside the data, so in the home directory
    assert ran.stdout.splitlines()[1].endswith("  (project shop) Deploys go out daily")
    assert ran.stderr == "no project here: memories of all projects are searched; --project DIR is one of them\n"
    ran = start("recall", "deploys", "--project", str(project), data=data, text=True, **home)
    assert ran.stdout.splitlines()[1].endswith("  Deploys go out daily")
    assert ran.stderr == ""


def test_a_text_to_remember_needs_no_quotes(data):
    done("remember", "--type", "decision", "We", "deploy", "on  Tuesdays", data=data)
    assert contents(data) == {"We deploy on  Tuesdays"}


def test_a_question_needs_no_quotes(data):
    done("remember", "We deploy on Tuesdays from the bastion", data=data)
    overlaps = [
        result("recall", *words, data=data)["hits"][0]["score_breakdown"]["token_overlap"]
        for words in (
            ["deploy", "elephants", "bastion"],
            ["deploy elephants", "bastion", "-k", "3"],
            ["-k", "3", "deploy", "elephants", "bastion"],
            ["deploy elephants bastion"],
        )
    ]
    assert len(set(overlaps)) == 1
    assert 0 < overlaps[0] < 1


def test_scripts_get_what_the_tool_answers(data):
    done("remember", "Axum, with 日本語", "--tags", "api", "--importance", "0.8", "--namespace", "/dev/app", data=data)
    hits = result("recall", "axum", data=data)["hits"]
    assert hits == [
        {**hits[0], "content": "Axum, with 日本語", "tags": ["api"], "importance": 0.8, "namespace": "/dev/app"}
    ]
    assert set(hits[0]) == set(call("recall_memory", "--query", "axum", data=data)[0])
    assert result("recall", "axum", "--type", "decision", data=data)["hits"] == []
    assert result("recall", "axum", "--namespace", "/other", data=data)["hits"] == []


def test_nothing_relevant_is_said_on_stderr(data):
    done("remember", "Use axum", data=data)
    ran = indelible("recall", "xyzzy", data=data)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"nothing relevant is known\n")


def test_a_text_may_come_on_standard_input(data):
    text = "first line\n  second line, naïve 🚀\n"
    done("remember", "-", data=data, stdin=text.encode())
    assert contents(data) == {text}


@pytest.mark.parametrize(
    ("stdin", "words"),
    [(b"", "content must have at least 1 character"), (b"latin \xe9", "content is not UTF-8: byte 0xe9 after 6")],
)
def test_a_standard_input_that_is_no_text_is_refused(data, stdin, words):
    ran = indelible("remember", "-", data=data, stdin=stdin)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode().startswith(f"indelible: {words}")


def test_a_text_that_begins_with_a_dash_stands_behind_two(data):
    ran = start("remember", "--", "--not-an-option", data=data)
    assert ran.returncode == 0
    assert contents(data) == {"--not-an-option"}


def test_stored_text_does_not_steer_a_terminal(data):
    evil = "axum \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J\x08\x08 \r over\n new\tline \u202ecba \u2066x\u2069 \u200b"
    done("remember", evil, data=data)
    for command in (["recall", "axum"], ["recall", "axum", "--type", "context"]):
        printed = done(*command, data=data)
        assert len(printed.splitlines()) == 2
        assert all(c.isprintable() or c == "\n" for c in printed)
    assert result("recall", "axum", data=data)["hits"][0]["content"] == visible(evil)


def test_on_a_terminal_the_table_is_drawn_and_stored_text_still_does_not_steer_it(data):
    done("remember", "axum \x1b[31mred \x1b]0;title\x07 [bold]markup[/bold]", data=data)
    ours, theirs = pytest.importorskip("pty").openpty()
    try:
        ran = start("recall", "axum", data=data, stdout=theirs, env={"TERM": "xterm", "COLUMNS": "120"})
        os.set_blocking(ours, False)
        printed = os.read(ours, 1 << 20).decode()
    finally:
        os.close(theirs)
        os.close(ours)
    assert ran.returncode == 0
    assert "[bold]markup[/bold]" in printed
    assert "\x1b[31m" not in printed
    assert "\x1b]" not in printed


def test_what_was_redacted_is_said_without_the_secret(data):
    ran = indelible("remember", f"the token is {SECRET}", "--tags", SECRET, data=data)
    assert ran.returncode == 0
    said = ran.stderr.decode()
    assert "redacted in content: " in said
    assert "redacted in tags: " in said
    assert SECRET not in said
    ran = indelible("recall", f"what was {SECRET} for", data=data)
    assert "redacted in query: " in ran.stderr.decode()
    assert SECRET not in ran.stderr.decode()


# --- call ---


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["--content", "plain words"], {"content": "plain words"}),
        (["--content", "5"], {"content": "5"}),
        (["--content", '{"a": 1}'], {"content": '{"a": 1}'}),
        (["--content", "null"], {"content": "null"}),
        (["--content", "-x"], {"content": "-x"}),
        (["--content", "x", "--importance", "1"], {"importance": 1.0}),
        (["--content", "x", "--importance", "0.25"], {"importance": 0.25}),
        (["--content", "x", "--tags", "a, b,,c d"], {"tags": ["a", "b", "c d"]}),
        (["--content", "x", "--tags", '["a,b", "c"]'], {"tags": ["a,b", "c"]}),
        (["--content", "x", "--memory-type", "habit"], {"memory_type": "habit"}),
        (["--content", "x", "--memory_type", "habit", "--namespace", "7"], {"memory_type": "habit", "namespace": "7"}),
    ],
)
def test_every_tool_takes_its_arguments_as_words(data, arguments, kept):
    assert call("store_memory", *arguments, data=data)["status"] == "stored"
    (item,) = call("export_memories", data=data)
    assert {name: item[name] for name in kept} == kept


def test_a_call_takes_whole_numbers_and_json(data):
    items = json.dumps([{"content": f"axum {i}"} for i in range(5)])
    assert call("import_memories", "--memories", items, data=data)["imported"] == 5
    assert len(call("recall_memory", "--query", "axum", "--k", "3", data=data)) == 3
    assert len(call("export_memories", "--limit", "2.0", data=data)) == 2
    assert call("codemem_stats", data=data)["storage"]["memories"] == 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["forget_everything"], "unknown tool 'forget_everything'; there are store_memory, recall_memory"),
        (
            ["store_memorie"],
            "unknown tool 'store_memorie'; did you mean 'store_memory'? there are store_memory, recall",
        ),
        (["recall_memory"], "query is required"),
        (["recall_memory", "axum"], "arguments come as --name value pairs, got 'axum"),
        (["recall_memory", "--query"], "arguments come as --name value pairs"),
        (["recall_memory", "query", "axum"], "arguments come as --name value pairs"),
        (["recall_memory", "--query", "x", "--limit", "3"], "unknown argument --limit; allowed are --query, --k"),
        (["recall_memory", "--query", "x", "--k", "three"], "--k takes a JSON integer, got 'three'"),
        (["recall_memory", "--query", "x", "--k", "-1"], "k must be between 0 and 10000, got -1"),
        (["recall_memory", "--query", "x", "--k", "true"], "k must be a whole number, got True"),
        (["recall_memory", "--query", "x", "--k", "NaN"], "k must be a finite number, got nan"),
        (["recall_memory", "--query", "x", "--memory-type", "memo"], "memory_type must be one of"),
        (["store_memory", "--content", "x", "--importance", "1e400"], "importance must be a finite number, got inf"),
        (["store_memory", "--content", "x", "--tags", "[" * 100_000], "--tags takes a JSON array, got '[[["),
        (["store_memory", "--content", "x", "--tags", '["a"'], "--tags takes a JSON array, got '[\"a\"'"),
        (["import_memories", "--memories", "{}"], "memories must be a list, got {}"),
        (["delete_memory", "--id", "nobody"], "id 'nobody' is unknown: there is no memory with that id"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_bad_call_is_refused_in_words_with_exit_code_1(data, arguments, words):
    assert refused("call", *arguments, data=data).startswith(f"indelible: {words}")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["forget"],
        ["remember"],
        ["remember", "x", "--importance", "high"],
        ["recall", "x", "-k", "three"],
        ["recall", "x", "--count", "3"],
        ["backup"],
        ["call"],
        ["serve", "--port", "80"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2_with_the_usage(data, arguments):
    ran = start(*arguments, data=data, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("usage: indelible")
    assert not data.exists()


@pytest.mark.sqlite("a store that is not there yet, as a named database is")
def test_without_a_command_the_help_is_shown_and_where_to_begin(data):
    shown = done("--help", data=data)
    ran = start(data=data, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"{shown}\nbegin with `indelible setup`\n"
    assert start("help", data=data, text=True).stdout == shown
    assert start("help", "recall", data=data, text=True).stdout == done("recall", "--help", data=data)
    listed = [line.split()[0] for line in shown.splitlines() if line[:2] == "  " and line[2] != " "]
    assert listed == list(COMMANDS)
    assert set(GROUPS) <= {line.rstrip(":") for line in shown.splitlines()}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("recal", "unknown command 'recal'; did you mean 'recall'?"),
        ("remeber", "unknown command 'remeber'; did you mean 'remember'?"),
        ("lsit", "unknown command 'lsit'; did you mean 'list'?"),
        ("forget", "unknown command 'forget'; did you mean 'delete'?"),
        ("xyzzy", "unknown command 'xyzzy'; `indelible --help` lists all"),
        (SECRET, "unknown command '[REDACTED:github-token]'; `indelible --help` lists all"),
        ("\x1b[31mrecall", "unknown command 'recall'; did you mean 'recall'?"),
    ],
    ids=["recal", "remeber", "lsit", "another program's", "nothing near", "secret", "escape sequence"],
)
def test_a_mistyped_command_is_answered_with_the_nearest_one(data, given, words):
    ran = start(given, "some", "words", data=data, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.splitlines()[-1] == f"indelible: error: {words}"
    assert ran.stderr.count("\n") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["remember", "x", "--importance", "1.5"], "importance must be between 0 and 1, got 1.5"),
        (["remember", "x", "--importance", "nan"], "importance must be a finite number, got nan"),
        (["remember", ""], "content must have at least 1 character"),
        (["remember", "x", "--namespace", ""], "namespace must have at least 1 character"),
        (["remember", " \n "], "content must have at least one visible character, got ' \\n '"),
        (["recall", ""], "query must have at least one visible character, got ''"),
        (["recall", " \n "], "query must have at least one visible character, got ' \\n '"),
        (["recall", "x", "-k", "0"], "--limit (-k) must be from 1 to 10000, got 0"),
        (["recall", "x", "-k", "10001"], "--limit (-k) must be from 1 to 10000, got 10001"),
        (["recall", "x", "--namespace", ""], "--namespace must not be empty"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_bad_value_is_refused_in_words_with_exit_code_1(data, arguments, words):
    assert refused(*arguments, data=data).startswith(f"indelible: {words}")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["remember", "caf\udce9"], "content"),
        (["remember", "x", "--tags", "caf\udce9"], "--tags"),
        (["remember", "x", "--namespace", "caf\udce9"], "--namespace"),
        (["recall", "caf\udce9"], "query"),
        (["recall", "x", "--namespace", "caf\udce9"], "--namespace"),
        (["call", "store_memory", "--content", "caf\udce9"], "--content"),
    ],
    ids=lambda value: ascii(" ".join(value)) if isinstance(value, list) else "",
)
@pytest.mark.skipif(os.name == "nt", reason="arguments are text there")
def test_an_argument_in_latin_1_is_refused_as_what_it_is(data, arguments, name):
    words = refused(*arguments, data=data)
    assert words.startswith(f"indelible: {name} is not UTF-8: byte 0xe9 after 3 characters; convert it first"), words


# --- The rest ---


def test_the_version_is_said_and_nothing_is_made(data):
    for arguments in (["--version"], ["--help"], ["remember", "--help"], ["call", "--help"]):
        ran = start(*arguments, data=data, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout
    assert start("--version", data=data, text=True).stdout == f"indelible {__version__}\n"
    assert not data.exists()


def test_the_statistics_are_a_table_or_json(data):
    done("remember", "axum chosen", data=data)
    stats = result("stats", data=data)["statistics"]
    assert stats["storage"]["memories"] == 1
    rows = dict(line.split(maxsplit=1) for line in done("stats", data=data).splitlines())
    assert (rows["what"], rows["memory"], rows["store"]) == ("value", "1", settings(data).place)


def test_a_read_only_process_recalls_and_refuses_to_write(data):
    done("remember", "axum chosen", data=data)
    env = {"INDELIBLE_READ_ONLY": "1"}
    assert "axum chosen" in done("recall", "axum", data=data, env=env)
    assert "axum chosen" in done("export", data=data, env=env)
    assert "this server is read-only" in refused("remember", "another", data=data, env=env)
    assert "import writes, and INDELIBLE_READ_ONLY is set" in refused("import", data=data, env=env)
    assert result("recall", "axum", data=data)["hits"][0]["access_count"] == 0


@pytest.mark.parametrize(
    "arguments",
    [["export"], ["recall", "axum", "-k", "1000"], ["recall", "axum", "--json"], ["stats"], ["call", "codemem_stats"]],
    ids=" ".join,
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_accident(data, arguments, unbuffered):
    done("import", data=data, stdin=b'{"content": "axum"}\n{"content": "axum again"}\n')
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        ran = start(*arguments, data=data, stdout=theirs, env={"PYTHONUNBUFFERED": unbuffered})
    finally:
        os.close(theirs)
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_a_deleted_memory_comes_back_with_undo_and_its_history_is_shown(data):
    stored = done("remember", "axum chosen", data=data).split()[1]
    before = done("export", data=data)
    call("delete_memory", "--id", stored, data=data)
    assert done("export", data=data) == ""
    (past,) = result("history", stored, data=data)["states"]
    assert (past["tool"], past["action"], past["content"]) == ("delete_memory", "delete", "axum chosen")
    undone = f"undone delete_memory ({past['operation']})"
    assert done("undo", data=data) == f"{undone}\nback: memory {stored}: axum chosen\n"
    assert done("export", data=data) == before
    assert "there is nothing to undo" in refused("undo", data=data)


def test_the_history_lists_calls_however_much_each_took_away(data):
    done("remember", "the only one of that project", "--namespace", "/small", data=data)
    small = call("delete_namespace", "--namespace", "/small", "--confirm", "true", data=data)
    items = [{"content": f"axum {number:02}", "namespace": "/large"} for number in range(40)]
    done("import", data=data, stdin="\n".join(json.dumps(item) for item in items).encode())
    large = call("delete_namespace", "--namespace", "/large", "--confirm", "true", data=data)
    assert (small["deleted"], large["deleted"]) == (1, 40)
    newest, imported, older = result("history", data=data)["operations"]
    assert imported["tool"] == "import"
    assert {*newest} == {*"operation time tool who action undone count ids projects content".split()}
    assert (newest["tool"], newest["action"], newest["undone"], newest["count"]) == (
        "delete_namespace",
        "delete",
        False,
        40,
    )
    assert (len(newest["ids"]), newest["content"]) == (10, "axum 00")
    assert (older["count"], older["content"]) == (1, "the only one of that project")
    head, first, _, second = done("history", data=data).splitlines()
    assert head.split() == ["operation", "time", "tool", "undone", "count", "project", "content", "before"]
    assert first.split() == [newest["operation"], newest["time"], "delete_namespace", "40", "large", "axum", "00"]
    assert second.startswith(older["operation"])
    assert result("history", "--limit", "1", data=data)["operations"] == [newest]
    done("undo", "--operation", newest["operation"], data=data)
    assert [past["undone"] for past in result("history", data=data)["operations"]] == [False, True, False, False]
    states = result("history", newest["ids"][0], data=data)["states"]
    assert [state["tool"] for state in states] == ["undo", "delete_namespace", "import"]


def test_the_history_of_an_id_that_nothing_has_is_refused(data):
    stored = done("remember", "axum chosen", data=data).split()[1]
    for id_ in ("nobody", ""):
        assert refused("history", id_, data=data).startswith(
            f"indelible: id {id_!r} is unknown: no memory or earlier state has it"
        )
    ran = indelible("history", stored, data=data)
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert ran.stderr == b"it was not changed or deleted in the last 30 days\n"
    assert indelible("history", data=data).stderr == b"nothing was changed or deleted in the last 30 days\n"
    assert "--limit must be at least 1, got 0" in refused("history", "--limit", "0", data=data)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is of Linux")
@pytest.mark.parametrize(
    "arguments",
    [["export"], ["recall", "axum"], ["recall", "axum", "--json"], ["history"], ["stats"], ["--help"]],
    ids=" ".join,
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_cannot_be_written_is_said_in_a_line(data, arguments, unbuffered):
    call("update_memory", "--id", done("remember", "axum", data=data).split()[1], "--content", "axum again", data=data)
    with open("/dev/full", "wb") as full:
        ran = start(*arguments, data=data, stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
    assert ran.returncode == 1
    assert ran.stderr == b"indelible: standard output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix closes it")
def test_an_output_that_is_closed_is_said_in_a_line(data):
    done("remember", "axum", data=data)
    command = ["sh", "-c", '"$0" -m indelible export >&-', sys.executable]
    env = environment({"INDELIBLE_DATA": str(data)})
    ran = subprocess.run(command, env=env, cwd=data.parent, check=False, timeout=50, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stderr) == (1, b"indelible: standard output cannot be written: it is closed\n")


@pytest.mark.parametrize("content", [b"# Indelible\n" * 99, b"x", b""])
@pytest.mark.sqlite("copies of the file")
def test_a_file_that_is_no_backup_is_not_called_a_damaged_store(data, tmp_path, content):
    done("remember", "axum chosen", data=data)
    (tmp_path / "README.md").write_bytes(content)
    words = refused("restore", tmp_path / "README.md", data=data)
    assert words == (
        f"indelible: {tmp_path / 'README.md'} is not a backup of an Indelible store; nothing was changed\n"
    )
    assert contents(data) == {"axum chosen"}


def test_a_tool_tells_what_it_takes_without_a_store(data):
    lines = start("call", "store_memory", "--help", data=data, text=True).stdout.splitlines()
    assert lines[0].startswith("store_memory: Remember what the code does not say")
    assert lines[2].split() == ["argument", "type", "default", "meaning"]
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[3:]}
    assert rows["--content"].startswith("string            (required)  The text")
    assert rows["--importance"].startswith("number            0.5         ")
    assert "one of decision, pattern, preference" in rows["--memory-type"]
    assert rows["--tags"].startswith("array of strings  []")
    ran = start("call", "codemem_stats", "-h", data=data, text=True)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "It takes no arguments.")
    assert not data.exists()
    assert call("store_memory", "--content", "--help", data=data)["status"] == "stored"


def test_health_and_statistics_know_an_encoder_that_another_process_started(data):
    with encoders.runtime():
        embeddings = call("codemem_health", data=data, env=encoders.SHARED)["embeddings"]
        assert embeddings == "not running; it starts when it is needed"
        assert call("codemem_stats", data=data, env=encoders.SHARED)["embeddings"]["available"] is False
        encoders.woken().close()
        assert call("codemem_health", data=data, env=encoders.SHARED)["embeddings"] == "ok: 0 records embedded"
        assert call("codemem_stats", data=data, env=encoders.SHARED)["embeddings"]["available"] is True


def test_health_says_why_a_remote_encoder_gives_nothing(data):
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
    env = {"INDELIBLE_ENCODER": url, "INDELIBLE_ENCODER_MODEL": "small"}
    assert call("codemem_health", data=data, env=env)["embeddings"].startswith(f"unreachable: {url}: ")
