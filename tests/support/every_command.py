"""Runs of every command of the command line on the store of varied_store.py, which cover what each can print.

A command without a run fails the tests that use them (tests/cli/test_surroundings.py).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import terminals
from every_tool import OLD_PROJECT
from terminals import END, Recorded, Surroundings
from varied_store import ATTACK, ATTACKS, BUILD, DEEP, ERROR, FIRST, LONG, MARK, SOLUTION, Made

HELP = ("--help",)


@dataclass(frozen=True)
class Run:
    """A run of a command: its arguments, its exit codes, and what is typed or piped in.

    In an argument `{data}`, `{root}`, `{failure}`, `{captured}` and `{operation}` are replaced. `at_terminal` is the
    code at a terminal where it differs; `dialogue` has what is typed there as soon as some words stand there.
    """

    arguments: tuple[str, ...]
    code: int = 0
    at_terminal: int | None = None
    typed: bytes = b""
    dialogue: tuple[tuple[bytes, bytes], ...] = ()
    piped: bytes = b""
    env: dict[str, str] = field(default_factory=dict)

    @property
    def asks(self) -> bool:
        """Return whether it prints other words at a terminal, where it asks."""
        return bool(self.typed or self.dialogue)

    @property
    def verbatim(self) -> bool:
        """Return whether programs read what it prints, in which no line is broken."""
        programs = {"--json", "--print", "--dry-run", "export", "call", "hook"}  # or a diff of a file
        return not programs.isdisjoint(self.arguments)

    def __str__(self) -> str:
        return " ".join(self.arguments)[:60].encode("ascii", "backslashreplace").decode()

    @property
    def command(self) -> str:
        return self.arguments[0]

    def of(self, made: Made) -> list[str]:
        """Return its arguments for a store."""
        named = {
            "{data}": str(made.root / "data"),
            "{root}": str(made.root),
            "{failure}": made.failure,
            "{captured}": made.captured,
            "{operation}": made.operation,
        }
        return [re.sub(r"\{\w+\}", lambda name: named[name[0]], argument) for argument in self.arguments]


def _run(line: str, *more: str, **given: object) -> Run:
    return Run((*line.split(), *more), **given)  # type: ignore[arg-type]


_EVENT = json.dumps(
    {
        **{"session_id": "s9", "cwd": "/srv/x", "hook_event_name": "UserPromptSubmit", "prompt": ATTACKS[0]},
        **{"prompt_id": "p1", "transcript_path": "/home/ann/.claude/x.jsonl"},
    }
).encode()
_LINES = b'{"content": "imported \\u001b[31m", "id": "one"}\nno JSON \x1b[31m\n{"content": 5}\n'
_GRAPH = b'{"type":"entity","name":"Ann \\u001b[31m","entityType":"person","observations":["speaks"]}\n'

RUNS: tuple[Run, ...] = (
    _run("setup", dialogue=((b"[Y/n] ", b"n\n"),), code=1, at_terminal=0),
    _run("setup claude-code --dry-run --hooks"),
    _run("setup --all"),
    _run("setup claude-code --no-hooks", dialogue=((b"[Y/n] ", b"\n"),)),
    _run("setup codex --print"),
    _run("setup nonsense", code=1),
    _run("unsetup"),
    _run("unsetup claude-code"),
    _run("remember", f"Remembered: 記憶 {ATTACKS[0]}"),
    _run("remember -", piped="aus der Röhre: ghp_".encode() + b"A1b2C3d4" * 4 + b"E5f6", typed=b"typed\n" + END),
    _run("remember", " ", code=1),
    _run("add", "{root}/shop/docs"),
    _run("add", "{root}/nowhere \x1b[31m", code=1),
    _run("index", "{root}/shop"),
    _run("index --full", "{root}/shop"),
    _run("recall", MARK),
    _run("recall -k 3 データベース"),
    _run("recall zymurgy quux"),
    _run("recall pnpm --json"),
    _run("recall -k -1 pnpm", code=1),
    _run("why", MARK),
    _run("why", f"{MARK} \x1b[31m", ATTACK),
    _run("why pnpm nothing"),
    _run("why -k 0 pnpm", FIRST, code=1),
    _run("why pnpm", FIRST, "--json"),
    _run("list --project", "{root}/shop"),
    _run("list --all-projects -k 100"),
    _run("list --type habit"),
    _run("list -k 2 --json --all-projects"),
    _run("show", FIRST),
    _run("show", LONG),
    _run("show", ATTACK),
    _run("show", f"solution:{SOLUTION}"),
    _run("show", ATTACK, "--json"),
    _run("show nothing", code=1),
    _run("brief --project", "{root}/shop"),
    _run("brief --at prompt", "why does the queue hang", code=1),
    _run("map", "{root}/shop"),
    _run("map --tokens 64 --project", "{root}/shop", code=1),
    _run("stale", "--project", "{root}/shop"),
    _run("review-diff", "--project", "{root}/shop", code=1),
    _run("what-changed", "2026-01-01", "--project", "{root}/shop"),
    _run("stats"),
    _run("stats --json"),
    _run("fixes", ERROR),
    _run("fixes nothing"),
    _run("fixes fix#nothing", code=1),
    _run("breaks", BUILD),
    _run("breaks nothing"),
    _run("key error", f"{ERROR} \x1b[31m"),
    _run("key command --exit-code 1", BUILD),
    _run("solutions"),
    _run("solutions", SOLUTION),
    _run("failures"),
    _run("failures {failure}"),
    _run("failures nothing", code=1),
    _run("export"),
    _run("export --to memory-jsonl"),
    _run("export --to markdown {root}/tree"),
    _run("import -", piped=_LINES, typed=_LINES.replace(b"\x1b", b"") + END, code=3),
    _run("import {root}/nowhere", code=1),
    _run("import --from memory-jsonl -", piped=_GRAPH, typed=_GRAPH + END),
    _run("import --from claude-code {root}/home/.claude"),
    _run("import --from markdown {root}/nowhere", code=1),
    _run("import --from markdown {root}/notes"),
    _run("backup {root}/copy.db"),
    _run("backup {root}/nowhere/copy.db", code=1),
    _run("restore {root}/nowhere.db", code=1),
    _run("sync {root}"),
    _run("sync --show-key", code=1),
    _run("sync {root}/nowhere", code=1),
    _run("sync", code=1),
    _run("purge --expired --dry-run"),
    _run("pin", FIRST),
    _run("pin nothing", code=1),
    _run("unpin", FIRST),
    _run("delete", FIRST, ATTACK),
    _run("delete nothing", code=1),
    _run("undo"),
    _run("undo --operation nothing", code=1),
    _run("history"),
    _run("history", FIRST),
    _run("history nothing", code=1),
    _run("history --json -k 1"),
    _run("captured"),
    _run("captured -k 1"),
    _run("captured --json -k 1"),
    _run("promote {captured}"),
    _run("promote", code=2),
    _run("promote --all", dialogue=((b"[y/N] ", b"n\n"),), code=1, at_terminal=0),
    _run("promote --all --said-by user"),
    _run("review", code=1, at_terminal=0, dialogue=((b"quit: ", b"y"), (b"quit: ", b"q"))),
    _run("pause --project {root}/shop"),
    _run("pause --all"),
    _run("pause --status"),
    _run("resume --all"),
    _run("resume --project {root}/shop"),
    _run("drain"),
    _run("purge", ATTACK, dialogue=((b"[y/N] ", b"n\n"),), code=1),
    _run("purge --dry-run --namespace", DEEP),
    _run("purge --yes", ATTACK),
    _run("purge", code=2),
    _run("project", code=2),
    _run("project move {root}/shop --to /srv/other --dry-run"),
    _run("project split {root}/shop"),
    _run("project split {root}/shop --to /srv/other --ids", FIRST),
    _run("project keep", OLD_PROJECT, code=1),
    _run("redact --stored"),
    _run("redact", code=2),
    _run("consolidate --dry-run"),
    _run("consolidate"),
    _run("consolidate --importance-threshold 0.9 forget --dry-run"),
    _run("patterns"),
    _run("patterns --json"),
    _run("doctor"),
    _run("reembed", code=1),
    _run("model", code=2),
    _run("model list"),
    _run("model install {root}/nowhere --from-hub", code=1, env={"HF_ENDPOINT": "http://127.0.0.1:9"}),
    _run("model install nonsense", code=1, dialogue=((b"[y/N] ", b"n\n"),)),
    _run("model use nothing", code=1),
    _run("model remove nothing", code=1),
    _run("database", code=2),
    _run("database upgrade", code=1),
    _run("database distribute", code=1),
    _run("tenant", code=2),
    _run("tenant quota 1", code=1),
    _run("tenant usage", code=1),
    _run("tenant recover 1 --rehearse --base-backup {root} --wal-archive {root}", code=1),
    _run("tenant delete 1 --yes", code=1),
    _run("migrate --from {data} --to {root}/other"),
    _run("migrate --from {root}/nowhere --to {root}/other", code=1),
    _run("token", code=2),
    _run("token list"),
    _run("token create --scope read", f"CI {MARK} 构建"),
    _run("token rotate nothing", code=1),
    _run("token revoke nothing", code=1),
    _run("hook --client claude-code", piped=_EVENT, typed=_EVENT + b"\n" + END),
    _run("tools"),
    _run("tools --tokens --profile daily"),
    _run("call recall_memory --help"),
    _run("call recall_memory --query", MARK),
    _run("call pattern_insights"),
    _run("call nonsense", code=1),
    _run("call recall_memory --nonsense 1", code=1),
    _run("schema"),
    _run("completion bash"),
    _run("serve", typed=END),
    _run("serve --http nonsense", code=1),
    _run("ui --http nonsense", code=1),
    _run("encoder --idle 0", code=1),
    _run("--version"),
    _run("--help"),
    _run("statz", code=2),
    _run("recall", code=2),
    _run("recall --nonsense 1", code=2),
)


def environment_of(made: Made) -> dict[str, str]:
    """Return what the environment of its user has beside ours."""
    return {
        "HOME": str(made.root / "home"),
        "XDG_CONFIG_HOME": "",
        "XDG_RUNTIME_DIR": str(made.root),
        "CODEX_HOME": "",
        "PATH": "/usr/bin:/bin",
        "INDELIBLE_DATA": str(made.root / "data"),
    }


def record(run: Run, made: Made, around: Surroundings, *, one: bool = False) -> Recorded:
    """Run a command on the store as it was at first, as its user, in the project."""
    made.renew()
    env = {**environment_of(made), **run.env}
    cwd = made.root / "shop"
    if not around.columns:
        return terminals.run(run.of(made), around, env=env, cwd=cwd, typed=run.piped)
    typing = terminals.Typing(run.of(made), around, env=env, cwd=cwd, one=one)
    if run.typed:
        typing.type(run.typed)
    for words, keys in run.dialogue:
        typing.until(words)
        typing.type(keys)
    return typing.recorded()
