"""`indelible pause` and `resume`: what hooks record and tell while a project is paused."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from hook_payloads import CLAUDE, STARTS, kept
from indelible.capture import pausing
from indelible.cli.main import main

PROMPT = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Never use npm here, always pnpm."}
DAMAGED = [
    *(b"", b"{", b"[]", b'{"a": 1}', b"\xff", b"[" * 200_000),
    *(b'{"*": {"since": 1000000000000000000000}}', b'{"/a": {"since": true}}', b'{"/a": {"origin": 1}}'),
]
START = {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"}


@pytest.fixture
def place(tmp_path, data, monkeypatch):
    """A home directory with two projects, and a data directory."""
    data.mkdir(mode=0o700)
    for name in ("INDELIBLE_PROJECT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for name in ("shop", "shop/src", "site"):
        (tmp_path / name).mkdir()
    for name in ("shop", "site"):
        made(tmp_path / name)
    return tmp_path


def made(directory):
    """A repository; without git, since the fixture `told` lets no process be started."""
    (directory / ".git").mkdir(parents=True)
    (directory / ".git" / "HEAD").write_text("ref: refs/heads/main")
    return directory


@pytest.fixture
def done(data, capfd):
    """Run a command that must succeed; its output."""

    def run(*arguments: str, code: int = 0) -> str:
        capfd.readouterr()
        assert main([*arguments, "--data", str(data)]) == code
        found = capfd.readouterr()
        return found.err if code else found.out

    return run


def recorded(data, told, *directories) -> list[bool]:
    """Return for each directory whether a prompt in it is recorded."""
    found = []
    for directory in directories:
        before = len(kept(data))
        told(data, {**PROMPT, "session_id": f"s{before}", "prompt_id": f"{before}", "cwd": str(directory)})
        found.append(len(kept(data)) > before)
    return found


def test_a_paused_project_is_not_recorded_and_its_agent_is_given_nothing(data, told, place, done):
    shop, site = place / "shop", place / "site"
    assert recorded(data, told, shop, site) == [True, True]
    assert f"recording is paused for {shop} since" in done("pause", "--project", str(shop))
    assert recorded(data, told, shop, shop / "src", site, place) == [False, False, True, True]
    assert told(data, {**START, "cwd": str(shop)}, "--client", "claude-code") == ("", "")
    assert told(data, {**START, "cwd": str(site)}, "--client", "claude-code")[0] != ""
    assert done("resume", "--project", str(shop)) == "recording is not paused anywhere\n"
    assert recorded(data, told, shop) == [True]


def test_a_pause_says_what_it_leaves_and_how_more_is_paused(data, place, done, capfd):
    done("pause", "--all")
    for_all = capfd.readouterr().err
    assert main(["pause", "--project", str(place / "shop"), "--data", str(data)]) == 0
    said = capfd.readouterr().err
    assert "other projects are still recorded; `indelible pause --all`" in said
    assert "--for-good" in said
    assert "other projects" not in for_all


def test_all_projects_are_paused_and_resumed_together(data, told, place, done):
    done("pause", "--all")
    done("pause", "--project", str(place / "site"), "--for-good")
    assert recorded(data, told, place / "shop", place / "site", place) == [False, False, False]
    shown = json.loads(done("pause", "--project", str(place / "shop"), "--json"))["result"]["paused"]
    assert {each["project"] for each in shown} == {"*", str(place / "shop"), str(place / "site")}
    assert [each["project"] for each in shown if each.get("left_out")] == [str(place / "site")]
    done("resume", "--all")
    assert recorded(data, told, place / "shop", place / "site") == [True, False]
    done("resume", "--project", str(place / "site"))
    assert not (data / pausing.FILE).exists()


def test_resume_ends_the_pause_of_one_project_only(data, told, place, done):
    for project in ("shop", "site"):
        done("pause", "--project", str(place / project))
    left = done("resume", "--project", str(place / "shop" / "src"))
    assert str(place / "site") in left
    assert str(place / "shop") not in left
    assert recorded(data, told, place / "shop", place / "site") == [True, False]


def test_doctor_and_captured_say_what_is_paused(data, place, done, capfd):
    done("remember", "Deploys go out on Tuesdays")
    done("pause", "--project", str(place / "shop"))
    assert f"recording is paused for {place / 'shop'} since" in done("doctor")
    assert main(["captured", "--data", str(data)]) == 0
    assert f"recording is paused for {place / 'shop'} since" in capfd.readouterr().err


@pytest.mark.parametrize("content", DAMAGED)
def test_what_cannot_be_read_counts_as_a_pause_of_everything(data, told, place, done, content, capfd):
    (data / pausing.FILE).write_bytes(content)
    output, error = told(data, {**PROMPT, "cwd": str(place / "shop")})
    assert output == ""
    assert error.startswith("indelible hook: paused.json in the data directory cannot be read, so nothing is recorded")
    assert kept(data) == []
    assert "`indelible resume --all` begins anew" in done("pause", "--project", str(place / "shop"), code=1)
    assert "`indelible resume --all` begins anew" in done("pause", "--status", "--json", code=1)
    assert main(["resume", "--all", "--data", str(data)]) == 0
    assert "leave out again what is to be left out for good" in capfd.readouterr().err
    assert recorded(data, told, place / "shop") == [True]


def test_where_there_is_no_project_it_says_what_to_give(place, done):
    for command in ("pause", "resume"):
        assert "give the project's directory (--project DIR), run it there, or give --all" in done(
            command, "--project", "/", code=1
        )
    assert "--for-good leaves one project out" in done("pause", "--all", "--for-good", code=1)


def test_pauses_at_the_same_time_lose_nothing_and_only_the_owner_reads_them(tmp_path):
    inbox, names = str(tmp_path / "data"), [f"/p{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: pausing.pause(inbox, name, left_out=False), names))
    assert sorted(pausing.paused(inbox)) == sorted(names)
    if os.name != "nt":
        assert (tmp_path / "data" / pausing.FILE).stat().st_mode & 0o077 == 0
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda name: pausing.resume(inbox, name), names))
    assert pausing.paused(inbox) == {}
    assert {entry.name for entry in (tmp_path / "data").iterdir()} == {f"{pausing.FILE}.lock"}


def test_a_second_pause_keeps_the_time_of_the_first(tmp_path):
    inbox = str(tmp_path)
    pausing.pause(inbox, "/a", left_out=False)
    since = pausing.paused(inbox)["/a"]["since"]
    pausing.pause(inbox, "/a", left_out=True)
    assert pausing.paused(inbox)["/a"] == {"since": since, "left_out": True}


def test_a_directory_outside_any_repository_pauses_what_is_below_it_but_no_repository(data, told, place, done):
    notes = place / "notes"
    (notes / "private" / "2026").mkdir(parents=True)
    below = made(notes / "tool")
    done("pause", "--project", str(notes))
    assert recorded(data, told, notes, notes / "private" / "2026", below) == [False, False, True]
    done("resume", "--project", str(notes / "private"))
    assert recorded(data, told, notes / "private") == [False]


def test_a_pause_that_holds_from_above_is_named_by_resume(place, done, capfd, data):
    (place / "notes" / "sub").mkdir(parents=True)
    done("pause", "--project", str(place / "notes"))
    assert main(["resume", "--project", str(place / "notes" / "sub"), "--data", str(data)]) == 0
    assert f"is paused with {place / 'notes'}" in capfd.readouterr().err


def test_a_directory_that_a_repository_grew_around_stays_paused(data, told, place, done):
    inner = place / "plain" / "inner"
    inner.mkdir(parents=True)
    done("pause", "--project", str(inner))
    made(place / "plain")
    assert recorded(data, told, inner, place / "plain") == [False, True]


def test_the_directory_that_the_client_names_decides_as_for_what_is_recorded(data, told, place, done, monkeypatch):
    done("pause", "--project", str(place / "shop"))
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(place / "shop"))
    assert recorded(data, told, place / "site") == [False]
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(place / "site"))
    assert recorded(data, told, place / "shop") == [True]


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUseFailure", "PreCompact", "Stop", "SessionEnd"])
def test_at_no_event_of_a_running_session_is_anything_recorded_or_started(data, told, place, done, drains, event):
    shop = {**CLAUDE, "cwd": str(place / "shop"), "tool_name": "Bash", "tool_use_id": "t1", "error": "exit code 1"}
    told(data, {**PROMPT, **shop})
    before = {path: path.stat().st_mtime_ns for path in data.rglob("*")}
    done("pause", "--project", str(place / "shop"))
    payload = {**shop, "hook_event_name": event, "tool_input": {"command": "make"}, "reason": "exit"}
    assert told(data, payload, "--client", "claude-code") == ("", "")
    after = {path: path.stat().st_mtime_ns for path in data.rglob("*") if not path.name.startswith(pausing.FILE)}
    assert (after, drains) == ({path: before[path] for path in after}, [])
    assert len(kept(data)) == 1


@pytest.mark.parametrize("client", sorted(STARTS))
def test_every_client_is_paused(data, told, place, done, client):
    done("pause", "--project", str(place / "shop"))
    where = {"cwd": str(place / "shop"), **({"workspace_roots": [str(place / "shop")]} if client == "cursor" else {})}
    assert told(data, {**STARTS[client], **where}, "--client", client) == ("", "")
    assert kept(data) == []


@pytest.mark.parametrize("given", ["nosuch", "./nosuch", "/no/such/directory", "shop"])
def test_an_unknown_project_is_refused(place, done, data, given, monkeypatch):
    monkeypatch.chdir(place)
    words = done("pause", "--project", given, code=1)
    assert words.startswith(f"indelible: --project {given!r} ")
    assert "give the project's directory (--project DIR), run it there, or give --all" in words
    assert ("did you mean ./shop?" in words) == (given == "shop")
    assert not (data / pausing.FILE).exists()


def test_a_name_is_paused_that_the_environment_gives_or_the_store_knows(data, told, place, done, monkeypatch):
    monkeypatch.setenv("INDELIBLE_PROJECT", "by-name")
    done("pause")
    assert recorded(data, told, place / "shop") == [False]
    done("remember", "Deploys go out on Tuesdays")
    done("resume")
    assert recorded(data, told, place / "shop") == [True]
    monkeypatch.delenv("INDELIBLE_PROJECT")
    assert "recording is paused for by-name since" in done("pause", "--project", "by-name")


def test_a_directory_that_was_deleted_is_resumed_by_its_path(place, done):
    (place / "old").mkdir()
    done("pause", "--project", str(place / "old"))
    (place / "old").rmdir()
    assert done("resume", "--project", str(place / "old")) == "recording is not paused anywhere\n"


def test_what_is_left_out_for_good_stays_so_until_it_is_resumed_itself(data, told, place, done):
    shop, site = (str(place / name) for name in ("shop", "site"))
    done("pause", "--project", shop, "--for-good")
    done("pause", "--project", shop)
    done("pause", "--project", site)
    done("pause", "--all")
    left = done("resume", "--all")
    assert left.startswith(f"recording is left out for good for {shop} since ")
    assert left.count("\n") == 1
    assert recorded(data, told, shop, site) == [False, True]
    assert done("resume", "--project", shop) == "recording is not paused anywhere\n"


def test_status_says_what_is_paused_and_changes_nothing(place, done, data):
    assert done("pause", "--status") == "recording is not paused anywhere\n"
    assert json.loads(done("pause", "--status", "--json"))["result"] == {"paused": []}
    assert not (data / pausing.FILE).exists()
    done("pause", "--project", str(place / "shop"))
    done("pause", "--project", str(place / "site"), "--for-good")
    before = (data / pausing.FILE).read_bytes()
    lines = done("pause", "--status").splitlines()
    assert [line.partition(" since ")[0] for line in lines] == [
        f"recording is paused for {place / 'shop'}",
        f"recording is left out for good for {place / 'site'}",
    ]
    shown = json.loads(done("pause", "--status", "--json"))["result"]["paused"]
    assert [(each["project"], each["left_out"]) for each in shown] == [
        (str(place / "shop"), False),
        (str(place / "site"), True),
    ]
    assert all(each["since"].endswith("Z") for each in shown)
    assert (data / pausing.FILE).read_bytes() == before
    for flag in ("--all", "--for-good"):
        assert f"--status changes nothing; leave out {flag}" in done("pause", "--status", flag, code=1)


def test_what_cannot_be_opened_counts_as_a_pause_and_says_what_to_do(data, told, place, done):
    (data / pausing.FILE).symlink_to(place / "nowhere")
    assert "cannot be read" in told(data, {**PROMPT, "cwd": str(place / "shop")})[1]
    assert kept(data) == []
    (data / pausing.FILE).unlink()
    (data / pausing.FILE).mkdir()
    assert "cannot be read" in told(data, {**PROMPT, "cwd": str(place / "shop")})[1]
    for command in ("pause", "resume"):
        words = done(command, "--all", code=1)
        assert f"{data / pausing.FILE} cannot be read or written (Is a directory)" in words
        assert "nothing is recorded until it can" in words
    assert kept(data) == []


def test_what_waits_in_the_spool_is_taken_in_and_tools_store_what_they_are_asked_to(data, told, place, done):
    assert recorded(data, told, place / "shop") == [True]
    done("pause", "--all")
    assert "processed 1 event;" in done("drain")
    done("remember", "Deploys go out on Tuesdays", "--project", str(place / "shop"))
    assert "Deploys go out on Tuesdays" in done("list", "--project", str(place / "shop"))


def test_transcripts_of_a_paused_project_are_not_imported(data, place, done, capfd, tmp_path):
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for name in ("shop", "site"):
        line = {"type": "user", "uuid": name, "sessionId": name, "cwd": str(place / name / "src"), "version": "2.0.0"}
        message = {"role": "user", "content": f"We decided to use Axum in {name}."}
        text = json.dumps({**line, "timestamp": "2026-03-02T09:00:00.000Z", "message": message})
        (folder / f"{name}.jsonl").write_text(text + "\n")
    done("pause", "--project", str(place / "shop"))
    assert main(["import", "--from", "claude-code", str(folder), "--data", str(data)]) == 0
    words = capfd.readouterr().err
    assert "read 1 transcript: 1 new event," in words
    assert "1 transcript of paused projects was left out; `indelible pause --status` lists these" in words
    done("resume", "--project", str(place / "shop"))
    assert main(["import", "--from", "claude-code", str(folder), "--data", str(data)]) == 0
    assert "read 2 transcripts: 1 new event," in capfd.readouterr().err
