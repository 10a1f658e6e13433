"""A machine of a user: a home, a project in git, and a PATH with nothing of the clients in it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import yaml

import command_line
import forked
import indelible
from indelible.cli.main import main
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.surroundings import Surroundings
from mcp_client import environment

FILES = {
    ("claude-code", "user"): "home/.claude.json",
    ("claude-code", "project"): "work/.mcp.json",
    ("claude-desktop", "user"): "home/.config/Claude/claude_desktop_config.json",
    ("cursor", "user"): "home/.cursor/mcp.json",
    ("cursor", "project"): "work/.cursor/mcp.json",
    ("vscode", "user"): "home/.config/Code/User/mcp.json",
    ("vscode", "project"): "work/.vscode/mcp.json",
    ("codex", "user"): "home/.codex/config.toml",
    ("codex", "project"): "work/.codex/config.toml",
    ("gemini-cli", "user"): "home/.gemini/settings.json",
    ("gemini-cli", "project"): "work/.gemini/settings.json",
    ("opencode", "user"): "home/.config/opencode/opencode.jsonc",
    ("opencode", "project"): "work/opencode.json",
    ("windsurf", "user"): "home/.codeium/windsurf/mcp_config.json",
    ("zed", "user"): "home/.config/zed/settings.json",
    ("zed", "project"): "work/.zed/settings.json",
    ("copilot-cli", "user"): "home/.copilot/mcp-config.json",
    ("copilot-cli", "project"): "work/.github/mcp.json",
    ("antigravity", "user"): "home/.gemini/config/mcp_config.json",
    ("antigravity", "project"): "work/.agents/mcp_config.json",
    ("goose", "user"): "home/.config/goose/config.yaml",
    ("cline", "user"): "home/.cline/data/settings/cline_mcp_settings.json",
    ("roo", "user"): "home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    ("roo", "project"): "work/.roo/mcp.json",
    ("kiro", "user"): "home/.kiro/settings/mcp.json",
    ("kiro", "project"): "work/.kiro/settings/mcp.json",
    ("amp", "user"): "home/.config/amp/settings.json",
    ("amp", "project"): "work/.amp/settings.json",
    ("continue", "user"): "home/.continue/mcpServers/mcp.json",
    ("continue", "project"): "work/.continue/mcpServers/mcp.json",
    ("kimi", "user"): "home/.kimi-code/mcp.json",
    ("kimi", "project"): "work/.kimi-code/mcp.json",
}
HOOK_FILES = {
    ("claude-code", "user"): "home/.claude/settings.json",
    ("claude-code", "project"): "work/.claude/settings.json",
    ("codex", "user"): "home/.codex/hooks.json",
    ("codex", "project"): "work/.codex/hooks.json",
    ("cursor", "user"): "home/.cursor/hooks.json",
    ("cursor", "project"): "work/.cursor/hooks.json",
    ("gemini-cli", "user"): "home/.gemini/settings.json",
    ("gemini-cli", "project"): "work/.gemini/settings.json",
    ("copilot-cli", "user"): "home/.copilot/hooks/indelible.json",
    ("copilot-cli", "project"): "work/.github/hooks/indelible.json",
    ("vscode", "user"): "home/.copilot/hooks/indelible.json",
    ("vscode", "project"): "work/.github/hooks/indelible.json",
    ("antigravity", "user"): "home/.gemini/config/hooks.json",
    ("antigravity", "project"): "work/.agents/hooks.json",
    ("goose", "user"): "home/.agents/plugins/indelible/hooks/hooks.json",
    ("kimi", "user"): "home/.kimi-code/config.toml",
    ("windsurf", "user"): "home/.codeium/windsurf/hooks.json",
}
SECTIONS = {
    **{"vscode": "servers", "opencode": "mcp", "zed": "context_servers", "codex": "mcp_servers"},
    **{"amp": "amp.mcpServers", "goose": "extensions"},
}
STARTED = str(Path(indelible.__file__).with_name("__main__.py"))  # so `python -P -m indelible` is registered
BASE = [sys.executable, "-P", "-m", "indelible", "serve"]
CONFIGURATIONS = Path(__file__).parents[1] / "cli" / "setup" / "configurations"


@dataclass
class Machine:
    """`run` does a command of `indelible` in the project, in this process; `process` starts one.

    The data directory is of no interest, and not in `tree`.
    """

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
            "COPILOT_HOME": "",
            "KIMI_CODE_HOME": "",
            **self.env,
            **more,
        }

    @property
    def launch(self) -> list[str]:
        """What set-up registers."""
        return [*BASE, "--data", str(self.data)]

    def around(self, **environ: str) -> Surroundings:
        """Where set-up looks, on Linux and without the environment of this process."""
        return Surroundings(self.home, environ, "linux", self.work)

    def run(self, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
        said, complained, typed = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
        words = [*map(str, arguments), "--data", str(self.data)]
        with (
            mock.patch.dict(os.environ, environment(self.environ(**more)), clear=True),
            mock.patch.object(sys, "argv", [STARTED]),
            mock.patch.object(sys, "stdin", typed),
            contextlib.chdir(self.work),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(complained),
        ):
            code = main(words)
        for stream in (said, complained):
            stream.flush()
        buffers = [stream.buffer.getvalue() for stream in (said, complained)]  # type: ignore[attr-defined]
        return subprocess.CompletedProcess(words, code, *buffers)

    def process(self, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[bytes]:
        return command_line.indelible(*arguments, data=self.data, env=self.environ(**more))

    def done(self, *arguments: str | Path, **more: str) -> str:
        ran = self.run(*arguments, **more)
        assert ran.returncode == 0, (arguments, ran.stderr.decode())
        return ran.stdout.decode()

    def refused(self, *arguments: str | Path, **more: str) -> str:
        """The words of a refusal: one sentence on stderr, exit code 1."""
        ran = self.run(*arguments, **more)
        words = ran.stderr.decode()
        assert ran.returncode == 1, (arguments, ran.stdout.decode(), words)
        assert words.startswith("indelible: "), words
        return words

    def refused_by_modes(self, *arguments: str | Path) -> str:
        """The words of a refusal to a process that the modes of files bind, as they do not bind root."""
        python = command_line.BOUND_BY_MODES
        ran = command_line.indelible(*arguments, data=self.data, env=self.environ(), python=python)
        assert ran.returncode == 1, ran.stderr
        return ran.stderr.decode()

    def report(self, *arguments: str | Path) -> dict[str, object]:
        """What a command says of its one client as JSON."""
        [told] = json.loads(self.done(*arguments, "--json"))["result"]["clients"]
        return told

    def file(self, client: str, scope: str) -> Path:
        return self.root / FILES[client, scope]

    def hook_file(self, client: str, scope: str) -> Path:
        return self.root / HOOK_FILES[client, scope]

    def write(self, client: str, scope: str, content: bytes, hooks: bool = False) -> Path:
        path = self.hook_file(client, scope) if hooks else self.file(client, scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def entry(self, client: str, scope: str) -> Any:
        """Our entry, read by somebody else's parser where there are no comments."""
        text = CLIENTS[client].file(scope, self.around()).read_text(encoding="utf-8-sig")
        read = {"codex": tomllib.loads, "goose": yaml.safe_load}.get(client, json.loads)
        return read(text)[SECTIONS.get(client, "mcpServers")]["indelible"]

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
    return next(CONFIGURATIONS.glob(f"{client}-{scope}.*")).read_bytes()


def hook_configuration(client: str, scope: str) -> bytes:
    """A file with hooks of others."""
    return next((CONFIGURATIONS / "hooks").glob(f"{client}-{scope}.*")).read_bytes()


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def at_terminal(machine, answer, *words, code=0):
    """Run a command at a pseudo-terminal where somebody has typed an answer."""
    ours, theirs = os.openpty()
    os.write(ours, answer)
    command = [*words, "--data", str(machine.data)]
    ran = forked.run(command, stdin=theirs, env=environment(machine.environ()), cwd=machine.work)
    os.close(ours)
    os.close(theirs)
    assert ran.returncode == code, ran.stderr
    return ran.stdout.decode(), ran.stderr.decode()
