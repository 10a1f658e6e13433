"""The hooks of each client: its file of hooks, and the events at which Indelible runs.

A hook is `indelible hook EVENT --client CLIENT`; capture/clients knows the events. One at the start of a session is
waited for, since what it prints is wanted, and so are those at a prompt, before a command, after a failed one and at
the end of a turn; all others only write an event down, so they run beside the agent where the client can do that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from indelible.cli.setup.entries import NAME, program_of
from indelible.cli.setup.shells import CMD, POSIX, POWERSHELL, is_operator, line_of, words_of
from indelible.cli.setup.surroundings import BASES, Surroundings, project_of
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

SECTION = "hooks"


@dataclass(frozen=True, slots=True)
class Moment:
    """When a hook runs: the client's name of it, after how many seconds it is ended, and is it waited for.

    `matcher` is a pattern of the tools at which it runs, in the client's form; "" stands for all. One that is not
    `grouped` stands in its event's list without a group, also in a file that has groups.
    """

    event: str
    seconds: int = 5
    waits: bool = True
    matcher: str = ""
    grouped: bool = True

    @property
    def name(self) -> str:
        """Return the event's name for `indelible hook`: SessionStart as session-start."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", self.event).lower()


@dataclass(frozen=True, slots=True)
class HookForm:
    """A client's file of hooks.

    `user` is (base, path) as in BASES, `project` a path in the project, None where a project has no file. The events
    stand in `section`. In a grouped file a handler stands in a list `hooks` of a group, which may have a `matcher`
    (none: always); a `toml` file is a list of tables `section`, each with an event and its handler. `unit` is of a
    timeout, in one second, 0 where a handler has none; `beside` is what else it has; `version` a number that the file
    must have. `shell` is the one on Windows. Where the file has a list `permissions.allow`, `storing` is its rule by
    which the agent may store a memory without a dialog. A client that `may_ask` asks the agent what it found out only
    where set-up is asked for it. A handler is `typed` where it must say that it is a command. `named` is the client in
    the command line, where two clients run the same file of hooks. `trust` says what the user must do after each change
    before the client runs them.
    """

    user: tuple[str, str]
    project: str | None
    moments: tuple[Moment, ...]
    then: str
    shell: str
    section: str = SECTION
    grouped: bool = True
    toml: bool = False
    unit: int = 1
    version: int | None = None
    storing: str = ""
    may_ask: bool = False
    typed: bool = True
    beside: Mapping[str, Any] = field(default_factory=dict)
    named: str = ""
    trust: str = ""

    def file(self, scope: str, around: Surroundings) -> Path:
        """The file of a scope. InvalidInput for the project's where there is no project, or no file for one."""
        return _file_of(self, scope, around)

    def has_scope(self, scope: str) -> bool:
        """Has the client a file of hooks of this scope."""
        return scope == "user" or self.project is not None

    def has_groups(self, event: str) -> bool:
        """Does a handler of an event stand in a group."""
        return self.grouped and all(moment.grouped for moment in self.moments if moment.event == event)

    def entry(self, event: str, handler: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry of an event's list: the handler, in a group of its own where the file has groups."""
        if not self.has_groups(event):
            return dict(handler)
        matcher = next((moment.matcher for moment in self.moments if moment.event == event), "")
        return {**({"matcher": matcher} if matcher else {}), "hooks": [dict(handler)]}

    def handler(self, moment: Moment, line: str) -> dict[str, Any]:
        """A command line as the client reads it."""
        kind = {"type": "command"} if self.typed else {}
        ends = {"timeout": moment.seconds * self.unit} if self.unit else {}
        beside = {} if moment.waits else {"async": True}
        return {**kind, "command": line, **ends, **beside, **self.beside}


@dataclass(frozen=True, slots=True)
class PluginForm:
    """A client whose hooks stand in files that are ours as a whole, and the client's names of the events.

    `user` is (base, path) as in BASES, `project` a path in the project, None where the client has no servers of one.
    The file is a plugin, a program in the client's own language; or, where there are `moments`, a list of commands, for
    `shell` on Windows; or, where it is a directory of `scripts`, there is one for each moment, named as its event.
    """

    user: tuple[str, str]
    project: str | None
    events: tuple[str, ...]
    then: str
    moments: tuple[Moment, ...] = ()
    shell: str = POSIX
    scripts: bool = False

    def file(self, scope: str, around: Surroundings) -> Path:
        """The file or directory of a scope. InvalidInput for a project's where there is none, or no file for one."""
        return _file_of(self, scope, around)


def _file_of(form: HookForm | PluginForm, scope: str, around: Surroundings) -> Path:
    base, path = form.user
    if scope == "user":
        return BASES[base](around) / path
    if form.project is None:
        raise InvalidInput("--hooks --scope project: this client has hooks for a user only; use --scope user")
    return project_of(around) / form.project


# npm @opencode-ai/plugin 1.18.33, dist/index.d.ts: interface Hooks; opencode.ai/docs/plugins.
OPENCODE = PluginForm(
    user=("xdg", f"opencode/plugins/{NAME}.js"),
    project=f".opencode/plugins/{NAME}.js",
    events=("chat.message", "tool.execute.after", "session.idle", "session.compacted", "session.deleted"),
    then="start a new session of OpenCode",
)
# code.claude.com/docs/en/hooks; `async` there. One at the end of a session is waited for: Claude Code leaves then.
CLAUDE_CODE = HookForm(
    user=("claude directory", "settings.json"),
    project=".claude/settings.json",
    moments=(
        Moment("SessionStart", 10),
        Moment("UserPromptSubmit"),
        Moment("PreToolUse", matcher="Bash|PowerShell"),
        Moment("PostToolUse", waits=False),
        Moment("PostToolUseFailure"),
        Moment("PreCompact", waits=False),
        Moment("Stop"),
        Moment("SessionEnd"),
    ),
    then="start a new session of Claude Code; /hooks shows them",
    shell=POSIX,
    storing=f"mcp__{NAME}__store_memory",
)
# codex-rs/config/src/hook_config.rs and json.schemastore.org/codex-hooks.json: older releases skip what is `async`;
# SessionEnd is newer (others do not look at it) and is ended after 3 s.
CODEX = HookForm(
    user=("codex", "hooks.json"),
    project=".codex/hooks.json",
    moments=(
        Moment("SessionStart", 10),
        Moment("UserPromptSubmit"),
        Moment("PostToolUse"),
        Moment("PreCompact"),
        Moment("Stop"),
        Moment("SessionEnd", 3),
    ),
    may_ask=True,
    then="start Codex, look at the hooks with /hooks and trust them; it runs only trusted ones",
    trust="Codex runs them once you trust them with /hooks, and again after each change",
    shell=CMD,
)
# geminicli.com/docs/hooks/reference: timeouts in milliseconds.
GEMINI_CLI = HookForm(
    user=("gemini", "settings.json"),
    project=".gemini/settings.json",
    moments=(
        Moment("SessionStart", 10),
        Moment("BeforeAgent"),
        Moment("AfterTool"),
        Moment("PreCompress"),
        Moment("AfterAgent"),
        Moment("SessionEnd"),
    ),
    then="start a new session of Gemini CLI; /hooks shows them",
    shell=POWERSHELL,
    unit=1000,
)
# cursor.com/docs/hooks: seconds; its PowerShell on Windows takes some to start. Of a command postToolUse tells as much
# as afterShellExecution, of an edit afterFileEdit more; afterAgentResponse is a turn's end with what was said, which
# `stop` is without.
CURSOR = HookForm(
    user=("home", ".cursor/hooks.json"),
    project=".cursor/hooks.json",
    moments=(
        Moment("sessionStart", 30),
        Moment("beforeSubmitPrompt", 30),
        Moment("postToolUse", 30),
        Moment("postToolUseFailure", 30),
        Moment("afterFileEdit", 30),
        Moment("preCompact", 30),
        Moment("afterAgentResponse", 30),
        Moment("sessionEnd", 30),
    ),
    then="restart Cursor; its settings list them under Hooks",
    shell=POWERSHELL,
    grouped=False,
    typed=False,
    version=1,
)
# github/docs content/copilot/reference/hooks-reference.md: events named so bring payloads like Claude Code's. None
# before a tool: where that crashes, the tool is denied. VS Code reads the same folders
# (microsoft/vscode-docs docs/agent-customization/hooks.md) and leaves out the events that it does not have.
COPILOT = HookForm(
    user=("copilot", f"hooks/{NAME}.json"),
    project=f".github/hooks/{NAME}.json",
    moments=(
        Moment("SessionStart", 10),
        Moment("UserPromptSubmit"),
        Moment("PostToolUse"),
        Moment("PostToolUseFailure"),
        Moment("PreCompact"),
        Moment("Stop"),
        Moment("SessionEnd"),
    ),
    then="start a new session of GitHub Copilot CLI, or reload the window of VS Code: both run these hooks",
    shell=POWERSHELL,
    grouped=False,
    version=1,
    named="copilot-cli",
)


# hooks.md of its built-in skill agy-customizations: seconds, `cmd /c` on Windows; hooks run one after the other.
# `{}` before a tool would deny it, and what ran is not told behind it.
ANTIGRAVITY = HookForm(
    user=("home", ".gemini/config/hooks.json"),
    project=".agents/hooks.json",
    section=NAME,
    moments=(Moment("PreInvocation", 10, grouped=False), Moment("Stop", grouped=False)),
    then="restart Antigravity; /hooks shows them",
    shell=CMD,
)
# block/goose documentation/docs/guides/context-engineering/hooks.md: a plugin is a directory, known by its name;
# `sh -c` on Windows too (crates/goose/src/hooks/mod.rs).
GOOSE = HookForm(
    user=("home", f".agents/plugins/{NAME}/hooks/hooks.json"),
    project=f".agents/plugins/{NAME}/hooks/hooks.json",
    moments=(
        Moment("SessionStart"),
        Moment("UserPromptSubmit"),
        Moment("PostToolUse"),
        Moment("PostToolUseFailure"),
        Moment("Stop"),
        Moment("SessionEnd"),
    ),
    then="start a new session of Goose",
    shell=POSIX,
)
# MoonshotAI/kimi-code docs/en/customization/hooks.md: seconds, no key but these; node's shell, which is cmd.exe on
# Windows.
KIMI = HookForm(
    user=("kimi", "config.toml"),
    project=None,
    toml=True,
    typed=False,
    moments=(
        Moment("SessionStart"),
        Moment("UserPromptSubmit", 10),
        Moment("PostToolUse"),
        Moment("PostToolUseFailure"),
        Moment("PreCompact"),
        Moment("Stop"),
        Moment("SessionEnd"),
    ),
    then="start a new session of Kimi Code",
    shell=CMD,
)
# docs.windsurf.com/windsurf/cascade/hooks: run in the root of the project; none before a tool, since exit code 2 blocks
# it. How a command is run on Windows is not known.
_WINDSURF = ("pre_user_prompt", "post_read_code", "post_write_code", "post_run_command", "post_mcp_tool_use")
WINDSURF = HookForm(
    user=("home", ".codeium/windsurf/hooks.json"),
    project=None,
    moments=tuple(map(Moment, (*_WINDSURF, "post_cascade_response"))),
    then="restart Windsurf",
    shell=POWERSHELL,
    grouped=False,
    typed=False,
    unit=0,
    beside={"show_output": False},
)
# kiro.dev/docs/hooks: CLI 3 and IDE 1 read each file of the directory; seconds. How a command is run on Windows is not
# documented.
KIRO = PluginForm(
    user=("home", f".kiro/hooks/{NAME}.json"),
    project=f".kiro/hooks/{NAME}.json",
    events=("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"),
    moments=(
        Moment("SessionStart"),
        Moment("UserPromptSubmit", 10),
        Moment("PostToolUse"),
        Moment("Stop"),
    ),
    then="start a new session of Kiro; its editor lists them under Agent Hooks",
    shell=POWERSHELL,
)
# cline/cline 21cb8d25, sdk/packages/core/src/hooks/hook-file-config.ts and apps/vscode/src/core/hooks: of the
# directories that its CLI searches the only one that its editor does too. None before a tool: what it says comes with
# the tool's answer, as what is said behind the tool does, and each costs a process. The editor ends one after 30 s.
_CLINE = ("TaskStart", "UserPromptSubmit", "PostToolUse", "TaskComplete", "TaskCancel")
CLINE = PluginForm(
    user=("home", "Documents/Cline/Hooks"),
    project=None,
    events=_CLINE,
    moments=tuple(map(Moment, _CLINE)),
    then="start a new task in Cline; its editor lists them beside its rules, where each can be turned off",
    shell=POWERSHELL,
    scripts=True,
)


def lines_of(form: HookForm | PluginForm, program: tuple[str, ...], platform: str) -> Mapping[str, tuple[Moment, str]]:
    """The moment and the command line of each event of a client; {name} in the program is the moment's."""
    shell = form.shell if platform == "win32" else POSIX
    return {
        moment.event: (moment, line_of(tuple(word.replace("{name}", moment.name) for word in program), shell))
        for moment in form.moments
    }


_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


_PYTHON = re.compile(r"python[\d.]*|pythonw|py")


_OF_PYTHON = frozenset(("-X", "-W"))


_OF_UV = frozenset(
    """--from --with -w --with-editable --with-requirements --python -p --index --default-index --index-url -i
    --extra-index-url --find-links -f --cache-dir --directory --project --config-file --env-file""".split()
)


# Programs that start another one: their options that take a word, and how many words stand before that other program.
_WRAPPERS = {
    "env": (frozenset(("-u", "--unset", "-C", "--chdir")), 0),
    "nice": (frozenset(("-n", "--adjustment")), 0),
    "ionice": (frozenset(("-c", "--class", "-n", "--classdata")), 0),
    "timeout": (frozenset(("-k", "--kill-after", "-s", "--signal")), 1),
    "nohup": (frozenset[str](), 0),
    "command": (frozenset[str](), 0),
    "exec": (frozenset(("-a",)), 0),
    "time": (frozenset(("-f", "--format", "-o", "--output")), 0),
    "uvx": (_OF_UV, 0),
    "uv run": (_OF_UV, 0),
    "uv tool run": (_OF_UV, 0),
    "pipx run": (frozenset(("--spec", "--python")), 0),
}


def runs_hook(words: Sequence[str]) -> bool:
    """Is `indelible hook` all that a command line runs?"""
    return not any(map(is_operator, words)) and _runs_hook(words)


def runs_hook_among_others(words: Sequence[str]) -> bool:
    """Is `indelible hook` one of the commands of a line that has several, or redirects what they say?"""
    return any(map(is_operator, words)) and any(map(_runs_hook, _commands(words)))


def _commands(words: Sequence[str]) -> Iterator[list[str]]:
    command: list[str] = []
    for word in words:
        if is_operator(word):
            yield command
            command = []
        else:
            command.append(word)
    yield command


def _runs_hook(words: Sequence[str]) -> bool:
    while words:
        if _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif program_of(words[0]) == NAME:
            return words[1:2] == ["hook"]
        else:
            words = _started(words)
    return False


def _started(words: Sequence[str]) -> Sequence[str]:
    """Return the command that a program is told to start, nothing for one that starts no other."""
    name = program_of(words[0])
    if _PYTHON.fullmatch(name):
        return _behind_options(words[1:], _OF_PYTHON, 0)
    for size in (3, 2, 1):
        known = _WRAPPERS.get(" ".join((name, *words[1:size])))
        if known:
            return _behind_options(words[size:], *known)
    return ()


def _behind_options(words: Sequence[str], valued: frozenset[str], more: int) -> Sequence[str]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return words[at + more :]


# --- Handlers, whatever the file ---


@dataclass(frozen=True, slots=True)
class Hooked:
    """The hooks in a file: whether it has the section, and our command lines by event, in order.

    `mixed` are lines of others that run ours among other commands.
    """

    section: bool
    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mixed: tuple[str, ...] = ()


def is_ours(handler: Any) -> bool:
    """Does a handler run `indelible hook` and nothing else."""
    return any(map(runs_hook, words_in(handler)))


def words_in(handler: Any) -> list[list[str]]:
    """The words that a handler starts, in each way that it can be read."""
    if not isinstance(handler, dict) or not isinstance(handler.get("command"), str):
        return []
    args = handler.get("args")
    if isinstance(args, list):  # the form of Claude Code that has no shell
        return [[handler["command"], *map(str, args)]]
    return words_of(handler["command"])


def runs_already(handler: Any, command: str) -> bool:
    """Does a handler run a command line, perhaps among other words."""
    wanted = [words for words in words_of(command) if words]
    return any(_within(part, words) for words in words_in(handler) for part in wanted)


def _within(part: list[str], words: list[str]) -> bool:
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))
