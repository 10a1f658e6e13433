"""The programs that Indelible registers with: one entry each, data only."""

import ntpath
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from indelible.errors import InvalidInput
from indelible.setup import jsonc, toml
from indelible.setup.formats import Format

NAME = "indelible"  # the name of our entry, everywhere
SCOPES = ("user", "project")


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
    """Where programs of the desktop keep their settings."""
    if around.platform == "win32":
        return around.directory("APPDATA", around.home / "AppData" / "Roaming")
    if around.platform == "darwin":
        return around.home / "Library" / "Application Support"
    return around.directory("XDG_CONFIG_HOME", around.home / ".config")


# The directories that clients' files are given by.
_BASES: Mapping[str, Callable[[Surroundings], Path]] = {
    "home": lambda around: around.home,
    "claude": lambda around: around.directory("CLAUDE_CONFIG_DIR", around.home),
    "codex": lambda around: around.directory("CODEX_HOME", around.home / ".codex"),
    "applications": _applications,
}


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """A client's own command to add and remove a server, for the scopes that it knows; {scope} is filled in."""

    scopes: tuple[str, ...]
    add: tuple[str, ...]  # the server's command follows
    remove: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """A program with a file of servers.

    `user` and `signs` are (base, path) as in `_BASES`; `project` is a path in the project. A client is installed if one
    of `signs` exists or one of `programs` is found. `then` is what the user must do after a change, by scope.
    """

    name: str
    title: str
    section: str
    form: Format
    user: tuple[str, str]
    project: str
    signs: tuple[tuple[str, str], ...]
    programs: tuple[str, ...]
    then: Mapping[str, str]
    typed: bool = True  # does an entry say "type": "stdio"
    own: OwnCommand | None = None

    def file(self, scope: str, around: Surroundings) -> Path:
        """The file of a scope. InvalidInput for the project's where there is no project."""
        if scope == "user":
            base, path = self.user
            return _BASES[base](around) / path
        if around.project is None:
            raise InvalidInput(
                "--scope project: the working directory is no project (the home directory and the root are none); "
                "run it in the project's directory, name it with --project DIR, or use --scope user"
            )
        return around.project / self.project

    def is_installed(self, around: Surroundings) -> bool:
        """Is there a trace of the program: its directory, or its command."""
        return any((_BASES[base](around) / path).exists() for base, path in self.signs) or any(
            around.command(program) for program in self.programs
        )

    def traces(self, around: Surroundings) -> list[str]:
        """What `is_installed` looks for, in words."""
        places = [str(_BASES[base](around) / path) for base, path in self.signs]
        return [*dict.fromkeys(places), *(f"command `{program}`" for program in self.programs)]

    def entry(self, launch: tuple[str, ...]) -> dict[str, object]:
        """Our entry for a command line."""
        typed: dict[str, object] = {"type": "stdio"} if self.typed else {}
        return {**typed, "command": launch[0], "args": list(launch[1:])}


def _form(module: ModuleType) -> Format:
    return cast(Format, module)


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            name="claude-code",
            title="Claude Code",
            section="mcpServers",
            form=_form(jsonc),
            user=("claude", ".claude.json"),
            project=".mcp.json",
            signs=(("home", ".claude"), ("claude", ".claude.json")),
            programs=("claude",),
            then={
                "user": "start a new session of Claude Code; /mcp shows the server",
                "project": "start a new session of Claude Code in the project and approve the server when it asks",
            },
            own=OwnCommand(
                scopes=("user", "project"),
                add=("claude", "mcp", "add", "--scope", "{scope}", NAME, "--"),
                remove=("claude", "mcp", "remove", "--scope", "{scope}", NAME),
            ),
        ),
        Client(
            name="cursor",
            title="Cursor",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".cursor/mcp.json"),
            project=".cursor/mcp.json",
            signs=(("home", ".cursor"),),
            programs=("cursor", "cursor-agent"),
            then={
                "user": "restart Cursor and see that the server is on in its MCP settings",
                "project": "reopen the project in Cursor and turn the server on in its MCP settings",
            },
        ),
        Client(
            name="vscode",
            title="VS Code",
            section="servers",
            form=_form(jsonc),
            user=("applications", "Code/User/mcp.json"),
            project=".vscode/mcp.json",
            signs=(("applications", "Code"),),
            programs=("code",),  # `code --add-mcp` is not used: it can only add, so it could not be taken back
            then={
                "user": "in VS Code, run `MCP: List Servers`, start indelible, and trust it when asked",
                "project": "open the project in VS Code, start indelible in .vscode/mcp.json, and trust it when asked",
            },
        ),
        Client(
            name="codex",
            title="Codex",
            section="mcp_servers",
            form=_form(toml),
            user=("codex", "config.toml"),
            project=".codex/config.toml",
            signs=(("codex", ""),),
            programs=("codex",),
            then={
                "user": "start a new session of Codex; /mcp shows the server",
                "project": "start a new session of Codex in the project; it reads the file only in a trusted project",
            },
            typed=False,
            own=OwnCommand(
                scopes=("user",), add=("codex", "mcp", "add", NAME, "--"), remove=("codex", "mcp", "remove", NAME)
            ),
        ),
    )
}


def find_client(name: str) -> Client:
    """A client by its name. InvalidInput for one that is not known."""
    if name not in CLIENTS:
        raise InvalidInput(f"CLIENT is {name!r}; known are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def installed(around: Surroundings) -> list[Client]:
    """The clients that are found on this machine."""
    return [client for client in CLIENTS.values() if client.is_installed(around)]


def project_around(start: Path, home: Path) -> Path | None:
    """The top of the git worktree around a directory, else the directory; None for the home directory and the root."""
    here, outside = Path(os.path.realpath(start)), Path(os.path.realpath(home))
    for directory in (here, *here.parents):
        if directory in (outside, Path(directory.anchor)):
            break
        if (directory / ".git").exists():
            return directory
    return None if here in (outside, Path(here.anchor)) else here


def is_ours(entry: object) -> bool:
    """Does an entry start Indelible: as a command of that name, as a module, or by a runner such as uvx?"""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    words = [entry["command"], *(arg for arg in _args(entry) if isinstance(arg, str))]
    return any(_program(word) == NAME for word in words[:4])


def behind_serve(entry: object) -> list[object] | None:
    """The words behind `serve` in an entry of ours, None where it does not say `serve`."""
    if not isinstance(entry, dict):
        return None
    words = [entry.get("command"), *_args(entry)]
    program = next((at for at, word in enumerate(words) if isinstance(word, str) and _program(word) == NAME), 0)
    return words[words.index("serve", program) + 1 :] if "serve" in words[program:] else None


def argv_of(entry: object) -> tuple[str, ...]:
    """The command line of an entry that starts a program, () for any other."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return ()
    return (entry["command"], *map(str, _args(entry)))


def _args(entry: dict[str, object]) -> list[object]:
    args = entry.get("args", [])
    return args if isinstance(args, list) else []


def _program(word: str) -> str:
    """The name of a program without directory, version or ending."""
    return ntpath.basename(word).lower().removesuffix(".exe").partition("@")[0].partition("==")[0]
