"""The environment in which clients are searched, and the directories of their files."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where clients are looked for: the environment, the home directory, the platform, and the project worked in.

    `platform` is as in sys.platform; `project` is None where the working directory belongs to none.
    """

    home: Path
    environ: Mapping[str, str]
    platform: str
    project: Path | None = None

    def command(self, name: str) -> str | None:
        """The absolute path of a command, None where there is none; the working directory is not searched."""
        path = os.pathsep.join(p for p in self.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(p))
        found = shutil.which(name, path=path)
        return found if found and os.path.isabs(found) else None

    def directory(self, variable: str, default: Path) -> Path:
        """The directory that an environment variable names, or the default."""
        named = self.environ.get(variable, "").strip()
        return Path(named) if named and os.path.isabs(named) else default


def _applications(around: Surroundings) -> Path:
    """Return where programs of the desktop keep their settings."""
    if around.platform == "win32":
        return around.directory("APPDATA", around.home / "AppData" / "Roaming")
    if around.platform == "darwin":
        return around.home / "Library" / "Application Support"
    return around.directory("XDG_CONFIG_HOME", around.home / ".config")


def _xdg(around: Surroundings) -> Path:
    """Return where programs of the terminal keep their settings, on macOS and Windows too."""
    return around.directory("XDG_CONFIG_HOME", around.home / ".config")


def _zed(around: Surroundings) -> Path:
    """zed.dev/docs/configuring-zed: beside other programs of Windows, else in ~/.config, on macOS too."""
    if around.platform == "win32":
        return _applications(around) / "Zed"
    return (around.home / ".config" if around.platform == "darwin" else _xdg(around)) / "zed"


def _goose(around: Surroundings) -> Path:
    """Return where Goose keeps its settings: docs/guides/config-files.md of aaif-goose/goose."""
    return _applications(around) / "Block/goose/config" if around.platform == "win32" else _xdg(around) / "goose"


# The directories that clients' files are given by.
BASES: Mapping[str, Callable[[Surroundings], Path]] = {
    "home": lambda around: around.home,
    "claude": lambda around: around.directory("CLAUDE_CONFIG_DIR", around.home),
    "claude directory": lambda around: around.directory("CLAUDE_CONFIG_DIR", around.home / ".claude"),
    "codex": lambda around: around.directory("CODEX_HOME", around.home / ".codex"),
    "copilot": lambda around: around.directory("COPILOT_HOME", around.home / ".copilot"),
    "kimi": lambda around: around.directory("KIMI_CODE_HOME", around.home / ".kimi-code"),
    "gemini": lambda around: around.directory("GEMINI_CLI_HOME", around.home) / ".gemini",
    "xdg": _xdg,
    "zed": _zed,
    "goose": _goose,
    "applications": _applications,
}


def project_of(around: Surroundings) -> Path:
    """The project that is worked in. InvalidInput where there is none."""
    if around.project is None:
        raise InvalidInput(
            "--scope project: the working directory is not a project (nor are the home directory and the root); "
            "run it in the project's directory, name it with --project DIR, or use --scope user"
        )
    return around.project


def project_around(start: Path, home: Path) -> Path | None:
    """The top of the git worktree around a directory, else the directory; None for the home directory and the root."""
    here, outside = Path(os.path.realpath(start)), Path(os.path.realpath(home))
    for directory in (here, *here.parents):
        if directory in (outside, Path(directory.anchor)):
            break
        if (directory / ".git").exists():
            return directory
    return None if here in (outside, Path(here.anchor)) else here
