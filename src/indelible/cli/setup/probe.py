"""Does what is registered work: each command is started as its client would, and asked for its tools."""

import json
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from indelible.cli.setup import files, hook_edits, plugin_file, process
from indelible.cli.setup.clients import CLIENTS, SCOPES, Client, installed
from indelible.cli.setup.entries import NAME, argv_of, behind_serve, environment_of, is_ours, value_of
from indelible.cli.setup.formats import Unsure
from indelible.cli.setup.shells import words_of
from indelible.cli.setup.surroundings import Surroundings
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.version import __version__

PATIENCE = 20.0  # seconds for initialize and tools/list, the start included: agents may keep the machine busy
LEAVING = 2.0  # seconds to leave once the input is closed
PROTOCOL = "2025-11-25"
LONGEST = 16 * 2**20  # bytes of a line


class Broken(Exception):
    """A command that does not answer as an MCP server does; says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's name and version, its number of tools, and the milliseconds until it had listed them."""

    name: str
    version: str
    tools: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A client's entry and how it fared; `answer` is None where it was not started or failed."""

    client: Client
    scope: str
    path: Path
    sound: bool
    words: str
    answer: Answer | None = None

    @property
    def line(self) -> str:
        """One sentence for a person."""
        where = f"{self.client.title} ({self.scope}, {self.path}): {self.words}"
        return where if self.sound else f"fault: {where}"


def _tell_nobody(step: str) -> None:
    pass


def registered_lines(
    around: Surroundings, patience: float = PATIENCE, tell: Callable[[str], None] = _tell_nobody
) -> tuple[list[str], bool]:
    """A line for every entry in the clients' files, those of the user and of the project, and are all sound.

    Then one for the hooks of each client that has them, and one for each client that is found on this machine and has
    no entry, which is no fault.
    """
    checked = list(check_registered(around, patience, tell))
    without = [client for client in installed(around) if all(client != one.client for one in checked)]
    checked += [*check_hooks(around), *check_plugins(around)]
    lines = [one.line for one in checked]
    lines += [f"{client.title}: not set up; `indelible setup {client.name}`" for client in without]
    return lines, all(one.sound for one in checked)


def check_registered(
    around: Surroundings, patience: float = PATIENCE, tell: Callable[[str], None] = _tell_nobody
) -> Iterator[Checked]:
    """Start what is registered and ask it for its tools; equal commands are started once. `tell` hears of each."""
    answers: dict[str, Answer | Broken] = {}
    for client in CLIENTS.values():
        for scope in scopes_of(client, around):
            path = client.file(scope, around)
            setup = f"`indelible setup {client.name}{' --scope project' if scope == 'project' else ''}`"
            try:
                seen = files.read(path)
                entry = client.form.look(seen.text, client.section, NAME).entry
            except Unsure as doubt:
                yield Checked(client, scope, path, False, f"line {doubt.line}: {doubt.what}; nothing can be read there")
                continue
            except InvalidInput as error:
                yield Checked(client, scope, path, False, str(error))
                continue
            if entry is not None:
                tell(f"asking the server of {client.title} for its tools")
                checked = _check(client, scope, path, entry, around, _remedy(setup, entry), answers, patience)
                more = _shown(client, entry, setup) if checked.sound and is_ours(entry) else ""
                yield replace(checked, words=checked.words + more)


def _shown(client: Client, entry: object, setup: str) -> str:
    """Return by what the server of an entry knows its project, and what is to be said of its answers."""
    words = argv_of(entry)
    named = value_of(words, "--project")
    project = named if named and "${" not in named else client.project_by
    chosen = ("--profile", "--answers", "--toolsets", "--tools")
    is_old = all(value_of(words, name) is None for name in chosen)
    advice = f"; every tool is listed, with long answers: {setup} registers a few, with lean ones" if is_old else ""
    return f"; project: {project}{advice}"


def check_hooks(around: Surroundings) -> Iterator[Checked]:
    """Is what our hooks run there; they are not started, since that would write an event down."""
    for client in CLIENTS.values():
        for scope in scopes_of(client, around) if client.hooks else ():
            assert client.hooks is not None
            if not client.hooks.has_scope(scope):
                continue
            path = client.hooks.file(scope, around)
            again = f"`indelible setup {client.name} --hooks{' --scope project' if scope == 'project' else ''}`"
            try:
                commands = hook_edits.look(files.read(path).text, client.hooks).commands
            except (Unsure, InvalidInput) as fault:
                if path != client.file(scope, around):  # else it is said already
                    where = f"line {fault.line}: {fault.what}" if isinstance(fault, Unsure) else str(fault)
                    yield Checked(client, scope, path, False, f"{where}; no hook can be read there")
                continue
            missing = [line for lines in commands.values() for line in lines if not _is_there(line, around)]
            if missing:
                yield Checked(
                    client, scope, path, False, f"what a hook runs is not there: {missing[0]}; {again} repairs it"
                )
            elif commands:
                trust = f"; {client.hooks.trust}" if client.hooks.trust else ""
                yield Checked(client, scope, path, True, f"hooks for {', '.join(commands)}{trust}")


def check_plugins(around: Surroundings) -> Iterator[Checked]:
    """Is what our plugins start there."""
    for client in CLIENTS.values():
        for scope in scopes_of(client, around) if client.plugin else ():
            assert client.plugin is not None
            parts = plugin_file.there(client, scope, around)
            if not parts:
                continue
            path = client.plugin.file(scope, around)
            again = f"`indelible setup {client.name} --hooks{' --scope project' if scope == 'project' else ''}`"
            try:
                programs = [plugin_file.program_in(files.read(one.path).text, one) for one in parts]
            except InvalidInput as error:
                yield Checked(client, scope, path, False, str(error))
                continue
            gone = next((program for program in programs if not _is_program(program, around)), None)
            what = plugin_file.name_of(client.plugin)
            events = ", ".join(one.event for one in parts) if client.plugin.scripts else ", ".join(client.plugin.events)
            lacks = f"what the {what} starts is not there: {gone}; {again} repairs it"
            yield Checked(client, scope, path, gone is None, f"a {what} for {events}" if gone is None else lacks)


def _is_program(name: str, around: Surroundings) -> bool:
    return Path(name).is_file() if Path(name).is_absolute() else bool(around.command(name))


def _is_there(line: str, around: Surroundings) -> bool:
    """Is the program of a command line there, in any way that the line can be read."""
    programs = [words[0] for words in words_of(line) if words]
    return any(_is_program(word, around) for word in programs)


def scopes_of(client: Client, around: Surroundings) -> list[str]:
    """The scopes that a client has a file of here."""
    return [scope for scope in SCOPES if client.has_scope(scope) and (scope == "user" or around.project is not None)]


def _remedy(setup: str, entry: object) -> str:
    if behind_serve(entry):
        return f"{setup} repairs the command and keeps the words behind `serve`"
    return f"{setup} repairs it"


def _check(
    client: Client,
    scope: str,
    path: Path,
    entry: Any,
    around: Surroundings,
    remedy: str,
    answers: dict[str, Answer | Broken],
    patience: float,
) -> Checked:
    if not is_ours(entry):
        return Checked(client, scope, path, True, f"the server named {NAME} is not Indelible's; not started")
    argv, extra = argv_of(entry), environment_of(entry)
    if any("${" in word for word in (*_without_folder(argv), *extra.values())):
        return Checked(client, scope, path, True, "not started: it has variables that only the client fills in")
    same = json.dumps([argv, extra])
    if same not in answers:
        try:
            answers[same] = _ask(argv, {**around.environ, **extra}, around, patience)
        except Broken as broken:
            answers[same] = broken
    answer = answers[same]
    if isinstance(answer, Broken):
        # An error of ours says what to do: the command runs, so that writing it anew mends nothing.
        words = str(answer) if ": indelible: " in str(answer) else f"{answer}; {remedy}"
        return Checked(client, scope, path, False, words)
    other = "" if answer.version == __version__ else f" (this is {__version__})"
    words = f"{answer.name} {answer.version}{other}, {answer.tools} tools, {answer.milliseconds} ms"
    return Checked(client, scope, path, True, words, answer)


def _without_folder(argv: tuple[str, ...]) -> list[str]:
    """The words of a command line but the folder that only the client knows, without which the server starts too."""
    return [word for before, word in pairwise(("", *argv)) if before != "--workspace"]


def _ask(argv: tuple[str, ...], environ: Mapping[str, str], around: Surroundings, patience: float) -> Answer:
    if Path(argv[0]).is_absolute() and Path(argv[0]).exists():
        try:
            process.refuse_world_writable(Path(argv[0]))
        except InvalidInput as error:
            raise Broken(str(error)) from error
    return ask(argv, environ, around.project or around.home, patience)


def ask(argv: tuple[str, ...], environ: Mapping[str, str], cwd: Path, patience: float = PATIENCE) -> Answer:
    """Start a server on stdio, initialize it, list its tools, end it. Raises Broken."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        try:
            started = process.start(argv, environ, cwd, errors)
        except OSError as error:
            raise Broken(f"{argv[0]} cannot be started: {error.strerror}") from error
        try:
            talk = _Talk(started, errors, begun + patience, patience)
            hello = talk.ask(
                "initialize",
                {
                    "protocolVersion": PROTOCOL,
                    "capabilities": {},
                    "clientInfo": {"name": "indelible doctor", "version": __version__},
                },
            )
            talk.tell("notifications/initialized")
            tools = talk.count_tools()
            passed = time.monotonic() - begun
        finally:
            process.end(started, LEAVING)
    server = hello.get("serverInfo") or {}
    return Answer(str(server.get("name", "?")), str(server.get("version", "?")), tools, round(passed * 1000))


class _Talk:
    """A conversation with a server, one JSON-RPC message a line, until a point in time. Everything raises Broken."""

    def __init__(self, started: "subprocess.Popen[bytes]", errors: IO[bytes], until: float, patience: float):
        assert started.stdin is not None
        assert started.stdout is not None
        self._process, self._errors, self._until, self._patience = started, errors, until, patience
        self._input, self._output = started.stdin, started.stdout
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with self._output:  # closed here and nowhere else: closing waits for a reader
            while line := self._output.readline(LONGEST):
                self._lines.put(line)
        self._lines.put(b"")

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """A request and its result."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self._message(method)
            if message.get("id") == self._number and "method" not in message:
                break
        if not isinstance(message.get("result"), dict):
            raise Broken(f"it refused {method}: {str(message.get('error'))[:200]}")
        result: dict[str, Any] = message["result"]
        return result

    def tell(self, method: str) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method})

    def count_tools(self) -> int:
        """Return the number of tools, over all pages."""
        count, cursor = 0, None
        while True:
            page = self.ask("tools/list", {"cursor": cursor} if cursor else {})
            tools = page.get("tools")
            count += len(tools) if isinstance(tools, list) else 0
            cursor = page.get("nextCursor")
            if not cursor:
                return count

    def _send(self, message: dict[str, Any]) -> None:
        try:
            self._input.write(json.dumps(message).encode() + b"\n")
            self._input.flush()
        except OSError as error:
            raise Broken(self._left()) from error

    def _message(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(0.0, self._until - time.monotonic()))
        except queue.Empty:
            raise Broken(f"no answer to {method} within {self._patience:g} s") from None
        if not line:
            raise Broken(self._left())
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            output = "".join(c for c in line[:80].decode(errors="replace") if c.isprintable())
            raise Broken(f"it writes something to its output that is not an MCP message: {output!r}")
        return message

    def _left(self) -> str:
        try:
            code = self._process.wait(LEAVING)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        output = process.tail(self._errors)
        return f"it ended with exit code {code}" + (f": {output}" if output else "")
