"""`indelible pause` and `resume`: what hooks record and tell while a project is paused."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from hook_payloads import CLAUDE, kept
from indelible.capture import pausing
from indelible.cli.main import main

PROMPT = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Never use npm here, always pnpm."}
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
        (tmp_path / name / ".git").mkdir()
        (tmp_path / name / ".git" / "HEAD").write_text("ref: refs/heads/main")
    return tmp_path


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


def test_all_projects_are_paused_and_resumed_together(data, told, place, done):
    done("pause", "--all")
    done("pause", "--project", str(place / "site"), "--for-good")
    assert recorded(data, told, place / "shop", place / "site", place) == [False, False, False]
    shown = json.loads(done("pause", "--project", str(place / "shop"), "--json"))["paused"]
    assert {each["project"] for each in shown} == {"*", str(place / "shop"), str(place / "site")}
    assert [each["project"] for each in shown if each.get("left_out")] == [str(place / "site")]
    done("resume", "--all")
    assert recorded(data, told, place / "shop", place / "site") == [True, True]
    assert not (data / pausing.FILE).exists()


def test_resume_ends_the_pause_of_one_project_only(data, told, place, done):
    for project in ("shop", "site"):
        done("pause", "--project", str(place / project))
    left = done("resume", "--project", str(place / "shop" / "src"))
    assert str(place / "site") in left
    assert str(place / "shop") not in left
    assert recorded(data, told, place / "shop", place / "site") == [True, False]


def test_doctor_says_what_is_paused(place, done):
    done("remember", "Deploys go out on Tuesdays")
    done("pause", "--project", str(place / "shop"))
    assert f"recording is paused for {place / 'shop'} since" in done("doctor")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"a": 1}', b"\xff"])
def test_what_cannot_be_read_counts_as_a_pause_of_everything(data, told, place, done, content):
    (data / pausing.FILE).write_bytes(content)
    output, error = told(data, {**PROMPT, "cwd": str(place / "shop")})
    assert output == ""
    assert error.startswith("indelible hook: paused.json in the data directory cannot be read, so nothing is recorded")
    assert kept(data) == []
    assert "`indelible resume --all` begins anew" in done("pause", "--project", str(place / "shop"), code=1)
    done("resume", "--all")
    assert recorded(data, told, place / "shop") == [True]


def test_where_there_is_no_project_it_says_what_to_give(place, done):
    for command in ("pause", "resume"):
        assert "name it with --project DIR, or give --all" in done(command, "--project", "/", code=1)
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
