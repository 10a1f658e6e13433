"""A machine of a user: a home, a project in git, and a PATH with nothing of the clients in it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import command_line

FILES = {
    ("claude-code", "user"): "home/.claude.json",
    ("claude-code", "project"): "work/.mcp.json",
    ("cursor", "user"): "home/.cursor/mcp.json",
    ("cursor", "project"): "work/.cursor/mcp.json",
    ("vscode", "user"): "home/.config/Code/User/mcp.json",
    ("vscode", "project"): "work/.vscode/mcp.json",
    ("codex", "user"): "home/.codex/config.toml",
    ("codex", "project"): "work/.codex/config.toml",
}
CONFIGURATIONS = Path(__file__).parent / "setup" / "configurations"


@dataclass
class Machine:
    """`run` starts `indelible` in the project; the data directory is of no interest, and not in `tree`."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def data(self) -> Path:
        return self.work / "store"

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    def environ(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": str(self.bin),
            "XDG_CONFIG_HOME": "",
            "CODEX_HOME": "",
            **self.env,
            **more,
        }

    def run(self, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
        return command_line.indelible(*arguments, data=self.data, env=self.environ(**more))

    def done(self, *arguments: str | Path, **more: str) -> str:
        return command_line.done(*arguments, data=self.data, env=self.environ(**more))

    def refused(self, *arguments: str | Path, **more: str) -> str:
        return command_line.refused(*arguments, data=self.data, env=self.environ(**more))

    def refused_by_modes(self, *arguments: str | Path) -> str:
        """The words of a refusal to a process that the modes of files bind, as they do not bind root."""
        python = command_line.BOUND_BY_MODES
        ran = command_line.indelible(*arguments, data=self.data, env=self.environ(), python=python)
        assert ran.returncode == 1, ran.stderr
        return ran.stderr.decode()

    def report(self, *arguments: str | Path) -> dict[str, object]:
        """What a command says of its one client as JSON."""
        [told] = json.loads(self.done(*arguments, "--json"))["clients"]
        return told

    def file(self, client: str, scope: str) -> Path:
        return self.root / FILES[client, scope]

    def write(self, client: str, scope: str, content: bytes) -> Path:
        path = self.file(client, scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def tree(self) -> dict[str, bytes | None]:
        """Every file and directory of the user's, without backups and our data."""
        found: dict[str, bytes | None] = {}
        for place in (self.home, self.work):
            for path in sorted(place.rglob("*")):
                if path.suffix != ".bak" and self.data not in (path, *path.parents):
                    found[str(path.relative_to(self.root))] = path.read_bytes() if path.is_file() else None
        return found

    def backups(self) -> list[Path]:
        return sorted(path for place in (self.home, self.work) for path in place.rglob("*.bak"))

    def program(self, name: str, text: str) -> Path:
        """A program in Python on the PATH."""
        path = self.bin / name
        path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        path.chmod(0o755)
        return path


def configuration(client: str, scope: str) -> bytes:
    """A real configuration of a client, with comments."""
    suffix = "toml" if client == "codex" else "json"
    return (CONFIGURATIONS / f"{client}-{scope}.{suffix}").read_bytes()


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)
