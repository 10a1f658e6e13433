"""Sessions of agents as their hooks tell them: common events, as they stand in the spool."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from indelible.capture import spool

BEGAN = 1_770_000_000_000_000  # 2026-02-02 02:40 UTC
SECOND = 1_000_000
FAILED = "FAILED tests/test_cart.py::test_total - AssertionError: assert 3 == 4\n1 failed in 0.12s"


class Told:
    """The events of one session, a second after each other."""

    def __init__(self, cwd: Path | str, session: str = "s1", client: str = "claude-code", began: int = BEGAN) -> None:
        self.cwd, self.session, self.client = str(cwd), session, client
        self.time = began
        self.events: list[dict[str, Any]] = []

    def tell(self, what: str, **fields: Any) -> dict[str, Any]:
        """One more event."""
        self.time += SECOND
        event = {
            **{"v": 1, "id": f"{what}:{len(self.events)}", "client": self.client, "session": self.session},
            **{"time": self.time, "cwd": self.cwd, "what": what, **fields},
        }
        self.events.append(event)
        return event

    def start(self) -> dict[str, Any]:
        return self.tell("session_started", source="startup")

    def prompt(self, text: str) -> dict[str, Any]:
        return self.tell("prompt", text=text)

    def command(self, line: str, output: str = "", *, failed: bool = False) -> dict[str, Any]:
        outcome = "failed" if failed else "ok"
        return self._tool("Bash", "command", line, outcome, output, [])

    def edit(self, path: str, old: str, new: str) -> dict[str, Any]:
        full = f"{self.cwd}/{path}"
        return self._tool("Edit", "edit", full, "ok", "", [{"path": full, "old": old, "new": new}])

    def read(self, path: str) -> dict[str, Any]:
        return self._tool("Read", "read", f"{self.cwd}/{path}", "ok", "", [])

    def turn(self, text: str = "") -> dict[str, Any]:
        return self.tell("turn_ended", text=text)

    def end(self) -> dict[str, Any]:
        return self.tell("session_ended", reason="exit")

    def _tool(
        self, tool: str, action: str, subject: str, outcome: str, output: str, edits: list[dict[str, str]]
    ) -> dict[str, Any]:
        said = {"tool": tool, "action": action, "subject": subject, "outcome": outcome, "output": output}
        return self.tell("tool", **said, edits=edits)


def whole_session(cwd: Path | str, session: str = "s1", **more: Any) -> Told:
    """A session with a decision of the user, a failure that an edit fixed, a decision of the agent, and its end."""
    told = Told(cwd, session, **more)
    told.start()
    told.prompt("Let's use SQLite instead of Redis for the cart cache. Please fix the failing test.")
    told.read("cart.py")
    told.command("pytest tests/test_cart.py", FAILED, failed=True)
    told.edit("cart.py", "total = 3", "total = 4")
    told.command("pytest tests/test_cart.py", "1 passed in 0.1s")
    told.turn("Done. I decided to keep the total as an integer number of cents because floats drift.")
    told.end()
    return told


def spooled(data: Path, events: Iterable[dict[str, Any]]) -> list[str]:
    """Put events into the spool of a data directory; the names of the files."""
    data.mkdir(0o700, exist_ok=True)
    return [spool.put(str(data), event) for event in events]


def repository(place: Path) -> Path:
    """A directory that git would take for a repository."""
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return place
