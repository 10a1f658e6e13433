"""`indelible pause` and the hooks that it stops, each a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import BOUND_BY_MODES, done, indelible, killed_at, refused
from hook_payloads import CLAUDE, COMMAND, PROMPT, SLOW, kept
from indelible import hook_settings
from indelible.capture import pausing
from mcp_client import environment
from repositories import ORIGIN, repository, worktree

pytestmark = pytest.mark.process


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(0o700)
    return directory


def records(data: Path, *directories: Path) -> list[bool]:
    """Return for each directory whether the hook of an agent in it records a prompt; it says nothing."""
    found = []
    for directory in directories:
        before = len(kept(data))
        payload = {**PROMPT, "session_id": f"s{before}", "prompt_id": f"{before}", "cwd": str(directory)}
        ran = indelible("hook", "--client", "codex", data=data, stdin=json.dumps(payload).encode())
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
        found.append(len(kept(data)) > before)
    return found


def test_worktrees_clones_and_directories_of_a_repository_are_one_project(data, tmp_path):
    main_tree = repository(tmp_path / "code" / "app", ORIGIN)
    inside = [worktree(main_tree, tmp_path / "app-fix"), worktree(main_tree, main_tree / ".worktrees" / "x")]
    (inside[0] / "src").mkdir()
    inside += [main_tree, inside[0] / "src", repository(tmp_path / "again", "https://github.com/Team/App")]
    outside = [repository(main_tree / "vendored", "git@github.com:team/other.git"), repository(tmp_path / "alone")]
    assert f"recording is paused for {main_tree} since" in done("pause", "--project", str(inside[3]), data=data)
    assert records(data, *inside, *outside) == [False] * 5 + [True] * 2
    assert done("resume", "--project", str(inside[4]), data=data) == "recording is not paused anywhere\n"
    assert records(data, *inside) == [True] * 5


def test_a_killed_pause_or_resume_leaves_the_state_before_it_and_the_next_one_works(data, tmp_path):
    one, two = (repository(tmp_path / name) for name in ("one", "two"))
    done("pause", "--project", str(one), data=data)
    killed_at("filesystem.sync_directory", "pause", "--project", str(two), data=data)
    assert records(data, one, two) == [False, False]
    (data / f"{pausing.FILE}.new").write_bytes(b"half of")  # what a process left that was killed before the rename
    assert records(data, one, two) == [False, False]
    killed_at("capture.pausing._replace", "resume", "--project", str(two), data=data)
    assert records(data, one, two) == [False, False]
    done("resume", "--project", str(two), data=data)
    assert records(data, one, two) == [False, True]
    assert {path.name for path in data.glob(f"{pausing.FILE}*")} == {pausing.FILE, f"{pausing.FILE}.lock"}
    assert (data / pausing.FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.sqlite("words about the directory of a file")
def test_a_data_directory_that_cannot_be_written_is_refused_with_words(data, tmp_path):
    shop = repository(tmp_path / "shop")
    data.chmod(0o500)
    try:
        for command in ("pause", "resume"):
            ran = indelible(command, "--project", shop, data=data, python=BOUND_BY_MODES)
            assert (ran.returncode, ran.stdout) == (1, b"")
            words = ran.stderr.decode()
            assert words.startswith(f"indelible: {command} writes, and the store {data} ")
            assert words.count("\n") == 1
    finally:
        data.chmod(0o700)
    assert "INDELIBLE_READ_ONLY is set" in refused(
        "pause", "--project", str(shop), data=data, env={"INDELIBLE_READ_ONLY": "1"}
    )


@pytest.mark.sqlite("names a database of its own")
def test_the_pauses_of_a_database_are_kept_on_this_machine_for_its_owner_only(tmp_path):
    data, shop = tmp_path / "new" / "data", repository(tmp_path / "shop")
    url, other = "postgresql://ann:secret@127.0.0.1:1/memory", "postgresql://ann:secret@127.0.0.1:1/more"
    data.parent.mkdir()
    env = {"INDELIBLE_DATABASE": url}
    shown = done("pause", "--project", str(shop), data=data, env=env)
    assert shown.startswith(f"recording is paused for {shop} since ")
    inbox = Path(hook_settings.inbox(str(data), url, 1))
    assert (inbox / pausing.FILE).is_file()
    assert data.stat().st_mode & 0o777 == 0o700
    assert "secret" not in (inbox / pausing.FILE).read_text()
    payload = json.dumps({**COMMAND, "cwd": str(shop)}).encode()
    for database, count in ((url, 0), (other, 1)):
        ran = indelible("hook", data=data, stdin=payload, env={"INDELIBLE_DATABASE": database})
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
        assert len(kept(Path(hook_settings.inbox(str(data), database, 1)))) == count


def test_many_pauses_at_once_lose_nothing(data, tmp_path):
    shops = [repository(tmp_path / f"shop{number}") for number in range(6)]
    command = [sys.executable, "-m", "indelible", "pause", "--data", str(data), "--project"]
    running = [subprocess.Popen([*command, shop], env=environment(), stdout=subprocess.DEVNULL) for shop in shops]
    assert [process.wait(50) for process in running] == [0] * 6
    assert sorted(pausing.paused(str(data))) == sorted(map(str, shops))


@pytest.mark.parametrize("where", ["plain", "repository"])
@pytest.mark.sqlite("what a process loads for a file")
def test_with_a_pause_of_another_project_a_hook_loads_next_to_nothing(data, tmp_path, where):
    done("pause", "--project", str(repository(tmp_path / "shop", ORIGIN)), data=data)
    site = tmp_path / "site"
    if where == "plain":
        site.mkdir()
    else:
        repository(site, "git@github.com:team/site.git")
    report = "import sys; from indelible.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", report, "hook", "--data", str(data)],
        input=json.dumps({**CLAUDE, "hook_event_name": "Stop", "cwd": str(site)}).encode(),
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert set(ran.stdout.decode().split()) & (SLOW | {"indelible.project"}) == set()
    assert len(kept(data)) == 1
