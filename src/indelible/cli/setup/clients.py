"""The programs that Indelible registers with: one entry each, data only."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from indelible.cli.setup import files, hook_forms, jsonc, toml, yaml
from indelible.cli.setup.entries import NAME, with_defaults
from indelible.cli.setup.formats import Format
from indelible.cli.setup.surroundings import BASES, Surroundings, project_of
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

SCOPES = ("user", "project")


@dataclass(frozen=True, slots=True)
class OwnCommand:
    """A client's own command to add and remove a server, for the scopes that it knows; {scope} is filled in."""

    scopes: tuple[str, ...]
    add: tuple[str, ...]  # the server's command follows
    remove: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """A program with a file of servers.

    `user` and `signs` are (base, path) as in BASES; `project` is a path in the project, None where the client has no
    file there. `also` are other names of the file, as good: the one that names us is taken, else one that is there. A
    client is installed if one of `signs` exists or one of `programs` is found. `then` is what the user must do after a
    change, by scope. `typed` is what an entry says as its type, with `listed` its command is one list, `program_key` is
    the key of the program. `beside` is what a new entry says besides its command, which is the user's to change.
    `folder` is its variable for the open folder in a server's arguments, by the scopes in which it is known;
    `project_by` says in words by what its servers know the project. Of a client that is not `confirmed`, neither
    documentation nor source says which file it reads: set-up prints what probably belongs there, and writes nothing.
    """

    name: str
    title: str
    section: str
    form: Format
    user: tuple[str, str]
    project: str | None
    signs: tuple[tuple[str, str], ...]
    programs: tuple[str, ...]
    then: Mapping[str, str]
    also: tuple[str, ...] = ()
    typed: str | None = None
    listed: bool = False
    program_key: str = "command"
    beside: Mapping[str, Any] = field(default_factory=dict)
    own: OwnCommand | None = None
    hooks: hook_forms.HookForm | None = None
    plugin: hook_forms.PluginForm | None = None  # instead of hooks
    skills: tuple[tuple[str, str], str] | None = None  # where it looks for skills: the user's, a project's
    old_skills: tuple[tuple[str, str], str] | None = None  # and where earlier versions of set-up put ours
    folder: Mapping[str, str] = field(default_factory=dict)
    project_by: str = "the directory that it is started in"
    confirmed: bool = True

    def file(self, scope: str, around: Surroundings) -> Path:
        """The file of a scope. InvalidInput for the project's where there is no project, or no file for one."""
        if scope == "user":
            base, path = self.user
            return self._named(BASES[base](around) / path)
        if self.project is None:
            raise InvalidInput(f"--scope project: {self.title} has no project file for servers; use --scope user")
        return self._named(project_of(around) / self.project)

    def _named(self, path: Path) -> Path:
        """Of the names that a file may have, the one that holds our entry, else one that is there."""
        there = [place for place in (path, *map(path.with_name, self.also)) if place.is_file()]
        if len(there) < 2:
            return there[0] if there else path
        quoted = f'"{NAME}"'.encode()
        return next((place for place in there if quoted in (files.read(place).content or b"")), there[0])

    def has_scope(self, scope: str) -> bool:
        """Has the client a file of this scope."""
        return scope == "user" or self.project is not None

    def is_installed(self, around: Surroundings) -> bool:
        """Is there a trace of the program: its directory, or its command."""
        return any((BASES[base](around) / path).exists() for base, path in self.signs) or any(
            around.command(program) for program in self.programs
        )

    def traces(self, around: Surroundings) -> list[str]:
        """Return the places where `is_installed` looks, in words."""
        places = [str(BASES[base](around) / path) for base, path in self.signs]
        return [*dict.fromkeys(places), *(f"command `{program}`" for program in self.programs)]

    def defaults(self, scope: str) -> dict[str, str]:
        """The flags of `serve` that set-up chooses: a few tools with lean answers, and the folder that is open."""
        folder = {"--workspace": self.folder[scope]} if scope in self.folder else {}
        return {"--profile": "daily", **folder}

    def with_defaults(self, launch: Sequence[str], scope: str) -> list[Any]:
        """Return a command line with the flags that set-up chooses."""
        place = list(launch).index("serve") + 1
        return [*launch[:place], *with_defaults(launch[place:], self.defaults(scope))]

    def entry(self, launch: Sequence[Any]) -> dict[str, Any]:
        """Our entry for a command line."""
        typed = {"type": self.typed} if self.typed else {}
        if self.listed:
            return {**typed, "command": list(launch)}
        return {**typed, **self.beside, self.program_key: launch[0], "args": list(launch[1:])}


def _form(module: ModuleType) -> Format:
    return cast(Format, module)


_WHEREVER = "the directory in which it starts servers, which is not known (--project names one)"


# Sources: the clients' documentation (code.claude.com/docs/en/mcp, modelcontextprotocol.io/quickstart/user for Claude
# Desktop, cursor.com/docs/mcp, code.visualstudio.com/docs/copilot/customization/mcp-servers, developers.openai.com/
# codex/mcp, geminicli.com/docs/tools/mcp-server, opencode.ai/docs/mcp-servers, docs.windsurf.com/windsurf/cascade/mcp,
# zed.dev/docs/ai/mcp); of all, with dates, docs/clients.md.
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
            typed="stdio",
            own=OwnCommand(
                scopes=("user", "project"),
                add=("claude", "mcp", "add", "--scope", "{scope}", NAME, "--"),
                remove=("claude", "mcp", "remove", "--scope", "{scope}", NAME),
            ),
            hooks=hook_forms.CLAUDE_CODE,
            project_by="that of the session (CLAUDE_PROJECT_DIR)",
            skills=(("claude directory", "skills"), ".claude/skills"),
        ),
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            section="mcpServers",
            form=_form(jsonc),
            user=("applications", "Claude/claude_desktop_config.json"),
            project=None,
            signs=(("applications", "Claude"),),
            programs=(),
            then={"user": "quit Claude Desktop and start it again; the server is in its list of connectors"},
            project_by="none, since it starts servers outside of projects (--project names one)",
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
            typed="stdio",
            hooks=hook_forms.CURSOR,
            folder=dict.fromkeys(SCOPES, "${workspaceFolder}"),
            project_by="the folder that is open in the window that started it (${workspaceFolder}, else roots)",
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
            typed="stdio",
            hooks=hook_forms.COPILOT,
            folder={
                "project": "${workspaceFolder}"
            },  # a user's server with it is not started (microsoft/vscode#245905)
            project_by="the folder that is open (roots)",
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
            own=OwnCommand(
                scopes=("user",), add=("codex", "mcp", "add", NAME, "--"), remove=("codex", "mcp", "remove", NAME)
            ),
            hooks=hook_forms.CODEX,
            skills=(("home", ".agents/skills"), ".agents/skills"),
            old_skills=(("codex", "skills"), ".codex/skills"),
        ),
        Client(
            name="gemini-cli",
            title="Gemini CLI",
            section="mcpServers",
            form=_form(jsonc),
            user=("gemini", "settings.json"),
            project=".gemini/settings.json",
            signs=(("gemini", ""),),
            programs=("gemini",),  # `gemini mcp add` is not used: it writes all settings anew
            then={
                "user": "start a new session of Gemini CLI; /mcp shows the server",
                "project": "start a new session of Gemini CLI in the project, in a folder that it trusts",
            },
            hooks=hook_forms.GEMINI_CLI,
        ),
        Client(
            name="opencode",
            title="OpenCode",
            section="mcp",
            form=_form(jsonc),
            user=("xdg", "opencode/opencode.json"),
            project="opencode.json",
            signs=(("xdg", "opencode"),),
            programs=("opencode",),
            then={
                "user": "start a new session of OpenCode; `opencode mcp list` shows the server",
                "project": "start a new session of OpenCode in the project",
            },
            also=("opencode.jsonc",),
            plugin=hook_forms.OPENCODE,
            typed="local",
            listed=True,
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".codeium/windsurf/mcp_config.json"),
            project=None,
            signs=(("home", ".codeium/windsurf"),),
            programs=("windsurf",),
            then={"user": "in Windsurf, refresh the servers in the settings of Cascade, or restart it"},
            hooks=hook_forms.WINDSURF,
            project_by="not known, since it starts servers in a directory of its own (--project names one)",
        ),
        Client(
            name="zed",
            title="Zed",
            section="context_servers",
            form=_form(jsonc),
            user=("zed", "settings.json"),
            project=".zed/settings.json",
            signs=(("zed", ""),),
            programs=("zed", "zeditor"),
            project_by="the one that is open",
            then={
                "user": "in Zed's agent settings the server's dot is green; it needs no restart",
                "project": "open the project in Zed and trust it; in the agent settings the server's dot is green",
            },
        ),
        Client(
            name="copilot-cli",
            title="GitHub Copilot CLI",
            section="mcpServers",
            form=_form(jsonc),
            user=("copilot", "mcp-config.json"),
            project=".github/mcp.json",
            signs=(("copilot", ""),),
            programs=("copilot",),  # `copilot mcp add` is not used: it writes the whole file anew
            then={
                "user": "start a new session of GitHub Copilot CLI; /mcp shows the server",
                "project": "start a new session of GitHub Copilot CLI in the project, in a folder that it trusts",
            },
            typed="local",
            hooks=hook_forms.COPILOT,
            beside={"tools": ["*"]},
            project_by=_WHEREVER,
            skills=(("copilot", "skills"), ".github/skills"),
        ),
        Client(
            name="antigravity",
            title="Antigravity",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".gemini/config/mcp_config.json"),
            project=".agents/mcp_config.json",
            signs=(("home", ".gemini/antigravity"), ("home", ".gemini/antigravity-cli"), ("home", ".gemini/config")),
            programs=("agy", "antigravity"),
            then={
                "user": "restart Antigravity; /mcp shows the server",
                "project": "restart Antigravity in the project; /mcp shows the server",
            },
            hooks=hook_forms.ANTIGRAVITY,
            project_by=_WHEREVER,
            skills=(("home", ".gemini/antigravity-cli/skills"), ".agents/skills"),
        ),
        Client(
            name="goose",
            title="Goose",
            section="extensions",
            form=_form(yaml),
            user=("goose", "config.yaml"),
            project=None,
            signs=(("goose", ""),),
            programs=("goose",),
            then={"user": "start a new session of Goose; `goose info -v` shows the extension"},
            typed="stdio",
            program_key="cmd",
            beside={"name": NAME, "enabled": True, "timeout": 300},
            hooks=hook_forms.GOOSE,
            project_by=_WHEREVER,
        ),
        Client(
            name="cline",
            title="Cline",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".cline/data/settings/cline_mcp_settings.json"),
            project=None,
            signs=(("home", ".cline"),),
            programs=("cline",),
            then={"user": "open MCP Servers in Cline, or start a new session of its CLI; the server is in the list"},
            plugin=hook_forms.CLINE,
            project_by=_WHEREVER,
            skills=(("home", ".cline/skills"), ".cline/skills"),
        ),
        Client(
            name="roo",
            title="Roo Code",
            section="mcpServers",
            form=_form(jsonc),
            user=(
                "applications",
                "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
            ),
            project=".roo/mcp.json",
            signs=(("applications", "Code/User/globalStorage/rooveterinaryinc.roo-cline"),),
            programs=(),
            then={
                "user": "open the MCP servers of Roo Code; the server is in the list",
                "project": "open the project; the server is in the list of MCP servers of Roo Code",
            },
            project_by="the folder that is open",
            skills=(("home", ".roo/skills"), ".roo/skills"),
        ),
        Client(
            name="kiro",
            title="Kiro",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".kiro/settings/mcp.json"),
            project=".kiro/settings/mcp.json",
            signs=(("home", ".kiro"),),
            programs=("kiro", "kiro-cli"),
            then={
                "user": "in Kiro the server is in the list of MCP servers; its CLI shows it with /mcp in a new session",
                "project": "open the project in Kiro; the server is in the list of MCP servers",
            },
            plugin=hook_forms.KIRO,
            project_by=_WHEREVER,
            skills=(("home", ".kiro/skills"), ".kiro/skills"),
        ),
        Client(
            name="amp",
            title="Amp",
            section="amp.mcpServers",
            form=_form(jsonc),
            user=("xdg", "amp/settings.json"),
            project=".amp/settings.json",
            signs=(("xdg", "amp"),),
            programs=("amp",),
            then={
                "user": "start a new session of Amp; `amp mcp list` shows the server",
                "project": "in the project run `amp mcp approve indelible`, then start a new session of Amp",
            },
            also=("settings.jsonc",),
            project_by=_WHEREVER,
        ),
        Client(
            name="junie",
            title="Junie",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".junie/mcp/mcp.json"),
            project=".junie/mcp/mcp.json",
            signs=(("home", ".junie"),),
            programs=("junie",),
            then=dict.fromkeys(SCOPES, "start a new session of Junie"),
            confirmed=False,
            project_by=_WHEREVER,
        ),
        Client(
            name="continue",
            title="Continue",
            section="mcpServers",
            form=_form(jsonc),
            user=("home", ".continue/mcpServers/mcp.json"),
            project=".continue/mcpServers/mcp.json",
            signs=(("home", ".continue"),),
            programs=("cn",),
            then={
                "user": "reload the window of the editor; Continue lists the server under Tools, for its agent",
                "project": "open the project; Continue lists the server under Tools, for its agent",
            },
            project_by=_WHEREVER,
            skills=(("home", ".continue/skills"), ".continue/skills"),
        ),
        Client(
            name="kimi",
            title="Kimi Code",
            section="mcpServers",
            form=_form(jsonc),
            user=("kimi", "mcp.json"),
            project=".kimi-code/mcp.json",
            signs=(("kimi", ""),),
            programs=("kimi",),
            then={
                "user": "start a new session of Kimi Code; /mcp shows the server",
                "project": "start a new session of Kimi Code in the project; /mcp shows the server",
            },
            hooks=hook_forms.KIMI,
            project_by=_WHEREVER,
            skills=(("kimi", "skills"), ".kimi-code/skills"),
        ),
    )
}


def find_client(name: str) -> Client:
    """A client by its name. InvalidInput for one that is not known."""
    if name not in CLIENTS:
        near = difflib.get_close_matches(name, CLIENTS, 1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise InvalidInput(f"CLIENT is {name!r}; {meant}known are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def installed(around: Surroundings) -> list[Client]:
    """The clients that are found on this machine."""
    return [client for client in CLIENTS.values() if client.confirmed and client.is_installed(around)]
