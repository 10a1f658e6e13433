"""What hooks capture knows the branch and commit that were checked out, and says so on another branch."""

import json
from pathlib import Path

import pytest

from command_line import done, indelible, opened, result
from empty_store import begin
from git_repository import GitRepository
from indelible.clock import moment_of
from indelible.core.context.context import Context
from ingested import captured, drained
from told import SECOND, Told

pytestmark = pytest.mark.process

CODE = "def till():\n    return [each * 2 for each in range(17)]\n"
RULE = "Never use floats for the coins of the till, always use Decimal."


class Agent:
    """An agent of Claude Code in a checkout, whose hooks are called as the client calls them."""

    def __init__(self, place: Path) -> None:
        self.repository = GitRepository(place / "shop")
        self.data = place / "data"
        begin(self.data)
        self.repository.run("checkout", "-q", "-b", "main")
        self.repository.commit({"till.py": CODE})

    def prompt(self, text: str, session: str = "one") -> None:
        """Let a person type a prompt, and take in what the hook left of it."""
        payload = {
            "session_id": session,
            "transcript_path": "/nowhere.jsonl",
            "cwd": str(self.repository.path),
            "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        }
        ran = indelible("hook", data=self.data, stdin=json.dumps(payload).encode())
        assert (ran.returncode, ran.stderr) == (0, b"")
        done("drain", data=self.data)

    def index(self) -> None:
        done("index", self.repository.path, data=self.data)

    def recall(self, query: str) -> list[dict]:
        return result("recall", query, "--project", self.repository.path, data=self.data)["hits"]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


def test_what_is_captured_on_a_branch_says_so_on_another(agent: Agent):
    agent.repository.run("checkout", "-q", "-b", "feature/till")
    commit = agent.repository.commit({"other.py": "def other():\n    return sum(range(23))\n"})
    agent.prompt(RULE)
    agent.index()
    (hit,) = agent.recall("floats for the coins of the till")
    assert (hit["origin"], hit["trust"]) == ("capture", "untrusted")
    assert "unmerged_branch" not in hit
    lines = done("export", data=agent.data).splitlines()
    (memory,) = [each for each in map(json.loads, lines) if each.get("id") == hit["id"]]
    assert memory["metadata"]["git"] == {"branch": "feature/till", "commit": commit[:12]}

    agent.repository.run("checkout", "-q", "main")
    agent.index()
    (hit,) = agent.recall("floats for the coins of the till")
    assert hit["unmerged_branch"] == "feature/till"
    told = done("recall", "floats for the coins", "--project", agent.repository.path, data=agent.data)
    assert "branch feature/till, not merged" in told

    agent.repository.run("merge", "-q", "--no-ff", "-m", "merged", "feature/till")
    agent.index()
    (hit,) = agent.recall("floats for the coins of the till")
    assert "unmerged_branch" not in hit


def test_what_is_captured_at_a_detached_head_knows_the_commit_alone(agent: Agent):
    commit = agent.repository.commit({"third.py": "def third():\n    return 29\n"})
    agent.repository.run("checkout", "-q", "--detach")
    agent.prompt(RULE)
    (hit,) = agent.recall("floats for the coins of the till")
    lines = done("export", data=agent.data).splitlines()
    (memory,) = [each for each in map(json.loads, lines) if each.get("id") == hit["id"]]
    assert memory["metadata"]["git"] == {"commit": commit[:12]}
    assert "unmerged_branch" not in hit


# --- What is taken in after a switch ---


def switched(place: Path) -> tuple[GitRepository, Told]:
    """A repository on a branch that was made a minute after a session of `main` ended, and the session."""
    repository = GitRepository(place / "shop")
    repository.run("checkout", "-q", "-b", "main")
    repository.commit({"till.py": CODE})
    told = Told(repository.path, began=(repository.now + 10) * SECOND)
    told.prompt(RULE)
    told.edit("till.py", "float", "Decimal")
    told.turn("done")
    repository.pass_(60)
    repository.run("checkout", "-q", "-b", "feature/till")
    repository.pass_(60)
    return repository, told


def branches(ctx: Context) -> dict[str, str]:
    return {each["metadata"]["captured"]: each["metadata"].get("git", {}).get("branch") for each in captured(ctx)}


def test_what_was_said_before_a_switch_is_of_the_branch_of_then(tmp_path: Path):
    repository, told = switched(tmp_path)
    with opened(tmp_path / "data", lambda: moment_of(repository.now * SECOND)) as ctx:
        drained(ctx, told)
        assert branches(ctx) == {"decision": "main", "session": "main"}


def test_what_grows_after_a_switch_knows_its_branch(tmp_path: Path):
    repository, told = switched(tmp_path)
    with opened(tmp_path / "data", lambda: moment_of(repository.now * SECOND)) as ctx:
        drained(ctx, told)
        told.time = repository.now * SECOND
        told.prompt("Now the tests of the till, please.")
        told.edit("test_till.py", "a", "b")
        told.turn("done")
        drained(ctx, told)
        assert branches(ctx) == {"decision": "main", "session": "feature/till"}
        told.time += 3600 * SECOND
        told.turn("and that is all")
        drained(ctx, told)  # too late to be looked up
        assert branches(ctx) == {"decision": "main", "session": "feature/till"}
