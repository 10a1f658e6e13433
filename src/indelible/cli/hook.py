"""`indelible hook`: what an agent calls at each event. Fast, and never in the agent's way.

Whatever happens, the exit code is 0, and standard output has only what the agent is to be told: the brief at the start
of a session, what is known about the matter of a prompt, the known fix of a command that failed, the question at the
end of a turn. What went wrong is one line on standard error, without a word of the payload. `cli/main.py` comes here
before it loads anything: what is imported at the top costs every call of the agent its time.
"""

import json
import os
import select
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType

from indelible import hook_settings
from indelible.capture import clients, spool
from indelible.errors import Conflict, IndelibleError, InvalidInput, StoreError
from indelible.sanitize.secret_spans import redact_text

TYPE_CHECKING = False  # as typing's, which would cost more than all of this
if TYPE_CHECKING:
    from typing import Any

    from indelible.capture.brief import Brief
    from indelible.capture.hook_brief import Place
    from indelible.project import Location

# Imported late (hooks): indelible.capture.brief, indelible.capture.hook_brief, indelible.capture.hook_reminders,
#   indelible.capture.known_fixes, indelible.capture.questions, indelible.capture.session_notes, indelible.project,
#   pathlib, subprocess

USAGE = (
    "usage: indelible hook [EVENT] [--client NAME] [--data DIR] [--database URL] [--tenant N]; the event's JSON "
    "comes on standard input"
)
LARGEST = 4 << 20  # bytes of a payload
PATIENCE = 5.0  # seconds until a payload must be there: an agent waits for us, nobody sends for longer
_NOTICED = "noticed"  # the notes of a session: the user was told what it taught
SHOWN, SHOWN_LENGTH = 3, 80  # of what was learned: how many, and characters of each
_OPTIONS = ("--client", "--data", "--database", "--tenant")
# What a step may stumble over in a payload that nobody foresaw: it costs that step only.
_ACCIDENTS = (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError)


def main(argv: Sequence[str]) -> int:
    """Take one event, and return 0: what went wrong was said. `cli/main.py` looks first whether hooks are off."""
    sys.excepthook = _unforeseen
    try:
        _run(argv)
    except (IndelibleError, *_ACCIDENTS) as error:
        _say(_message_of(error))
    return 0


def _run(argv: Sequence[str]) -> None:
    name, options = _arguments(argv)
    payload = _payload()
    client = options.get("--client") or clients.client_of(payload)
    what = _what(client, payload, name)
    if what is None:
        return
    data = hook_settings.data_directory(options.get("--data"))
    writes = not hook_settings.is_read_only()
    database = hook_settings.database(options.get("--database"), data)
    tenant = hook_settings.tenant(options.get("--tenant"), data) if database else 1
    inbox = hook_settings.inbox(data, database, tenant)
    if database and writes:
        os.makedirs(data, mode=0o700, exist_ok=True)  # the store is elsewhere; this may be the first here
        os.makedirs(inbox, mode=0o700, exist_ok=True)
    drains = writes and (_waits(inbox) if what == "session_started" else _was_the_last(client, what))
    captured: list[dict[str, object]] = []
    troubles = [_tried(_capture, inbox, client, what, payload, captured)] if writes else []
    is_there = os.path.isdir(data) or bool(database)
    if what == "session_started" and is_there:
        troubles.append(_tried(_print_brief, data, client, payload, options, inbox if writes else ""))
    if what == "prompt" and writes and os.path.isdir(inbox) and client in clients.AT_PROMPT:
        troubles.append(_tried(_print_reminders, inbox, client, payload))
    if is_there and any(map(_is_failed_command, captured)) and not hook_settings.known_fixes_are_off():
        troubles.append(_tried(_print_fix, data, client, payload, options, captured[0]))
    if writes and client == "claude-code" and _concerns_the_question(what, payload, captured):
        troubles.append(_tried(_count_or_ask, inbox, what, payload, captured))
    if drains and os.path.isdir(data):
        troubles.append(_tried(_start_drain, data, options))
    for trouble in troubles:
        if trouble is not None:
            raise trouble


def _tried(step: Callable[..., None], *given: object) -> Exception | None:
    """Take a step; what went wrong with it, after which the next one is still taken."""
    try:
        step(*given)
    except (IndelibleError, *_ACCIDENTS) as error:
        return error
    return None


def _arguments(argv: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The name of the event, "" if it is left to the payload, and the options."""
    rest = list(argv)
    options: dict[str, str] = {}
    names: list[str] = []
    while rest:
        given, equals, value = rest.pop(0).partition("=")
        if given not in _OPTIONS:
            names.append(given)
        elif equals or rest:
            options[given] = value if equals else rest.pop(0)
    if len(names) > 1 or any(name.startswith("-") for name in names):
        raise InvalidInput(USAGE)
    return (names[0] if names else ""), options


def _what(client: str, payload: "dict[str, Any]", name: str) -> str | None:
    """Return the event's kind: by the name in the payload, which has its shape, else by the argument."""
    own = payload.get("hook_event_name")
    return clients.what_of(client, own if isinstance(own, str) and own else name)


def _capture(data: str, client: str, what: str, payload: "dict[str, Any]", captured: "list[dict[str, object]]") -> None:
    """Write the event to the spool, and add it to what was `captured`."""
    named, directory = hook_settings.project()
    event = clients.event_of(payload, client, what, time.time_ns() // 1000, named or directory or "")
    if event is not None:
        captured.append(event)
        spool.put(data, event)


def _waits(data: str) -> bool:
    return not spool.is_empty(data)


def _was_the_last(client: str, what: str) -> bool:
    return what == "session_ended" or (what == "turn_ended" and client not in clients.TELL_THE_END)


# --- Standard input ---


def _payload() -> "dict[str, Any]":
    """The JSON object on standard input. Raises InvalidInput, of whose message nothing is the payload's."""
    try:
        value = json.loads(_input())
    except RecursionError:
        raise InvalidInput("the payload is nested too deep") from None
    except ValueError as error:
        where = f" at character {error.pos:,}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"the payload is not JSON{where}") from None
    if not isinstance(value, dict):
        raise InvalidInput("the payload is not a JSON object")
    return value


def _input() -> bytes:
    """All of standard input, but not for ever. One that is too large is read to its end: its writer must not fail."""
    if os.isatty(0):
        raise InvalidInput(USAGE)
    deadline = time.monotonic() + PATIENCE
    parts: list[bytes] = []
    size = 0
    while part := _part(deadline):
        size += len(part)
        parts = [*parts, part] if size <= LARGEST else []
    if size > LARGEST:
        raise InvalidInput(f"the payload has more than {LARGEST >> 20} MiB")
    return b"".join(parts)


def _part(deadline: float) -> bytes:
    if sys.platform == "win32":
        return os.read(0, 1 << 20)  # Windows waits for sockets only; a client there closes the pipe or stops us
    left = deadline - time.monotonic()  # also where there is always more to read
    if left <= 0 or not select.select([0], [], [], left)[0]:
        raise InvalidInput(f"the payload did not end within {PATIENCE:g} seconds")
    return os.read(0, 1 << 20)


# --- The brief ---


def _print_brief(data: str, client: str, payload: "dict[str, Any]", options: dict[str, str], inbox: str) -> None:
    brief = _brief(data, str(clients.directory_of(payload) or os.getcwd()), client, options)
    if os.path.isdir(inbox):
        _note_brief(inbox, payload, brief.names)
    if brief.text:
        _put(1, json.dumps({**_as_context(client, brief.text), **_notice(client, brief, inbox)}) + "\n")


def _brief(data: str, cwd: str, client: str, options: dict[str, str]) -> "Brief":
    return for_hook(_place(data, options), cwd, client)


def _place(data: str, options: dict[str, str]) -> "Place":
    from indelible.capture.hook_brief import Place

    database = hook_settings.database(options.get("--database"), data)
    hook_settings.check_clear(database)
    tenant = hook_settings.tenant(options.get("--tenant"), data) if database else 1
    return Place(data, database, tenant)


def _as_context(client: str, text: str, event: str = "SessionStart") -> "dict[str, Any]":
    """A text where a client looks for what to tell its model. No other key: Codex refuses what it does not know."""
    if client == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _notice(client: str, brief: "Brief", inbox: str) -> "dict[str, Any]":
    """One line for the user about what a session taught, once; only Claude Code shows one.

    That it was shown is noted in the `inbox` ("": nowhere); where it cannot be noted it is not shown.
    """
    learned = brief.learned
    if client != "claude-code" or not learned or not os.path.isdir(inbox) or hook_settings.notices_are_off():
        return {}
    from indelible.capture import session_notes

    try:
        if session_notes.lines(inbox, brief.session, _NOTICED):
            return {}
        session_notes.add(inbox, brief.session, _NOTICED, "")
    except OSError:  # the brief is worth more than the notice
        return {}
    rules = "1 rule" if len(learned) == 1 else f"{len(learned)} rules"
    quoted = ", ".join(f'"{_shortened(each)}"' for each in learned[:SHOWN])
    more = f" and {len(learned) - SHOWN} more" if len(learned) > SHOWN else ""
    return {"systemMessage": f"Indelible learned {rules} from you: {quoted}{more}. Wrong? indelible captured"}


def _note_brief(inbox: str, payload: "dict[str, Any]", names: "Sequence[str]") -> None:
    """Note what a brief tells, so that no prompt brings it again; after a compaction it is told anew."""
    session, source = payload.get("session_id"), payload.get("source")
    if not isinstance(session, str) or not session:
        return
    from indelible.capture import hook_reminders

    try:
        hook_reminders.begin(inbox, session, names, anew=source in ("compact", "clear"))
    except OSError:  # the brief is worth more than that nothing is said twice
        return


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 3].rstrip() + "..."


# --- What is known about the matter of a prompt ---


def _print_reminders(inbox: str, client: str, payload: "dict[str, Any]") -> None:
    session, prompt = payload.get("session_id"), payload.get("prompt")
    if not isinstance(session, str) or not session or not isinstance(prompt, str):
        return
    if hook_settings.reminders_are_off():
        return
    from indelible.capture import hook_reminders

    directory = str(clients.directory_of(payload) or os.getcwd())
    text = hook_reminders.of_prompt(inbox, session, prompt, hook_settings.project(), directory)
    if text:
        _put(1, json.dumps(_as_context(client, text, clients.AT_PROMPT[client])) + "\n")


# --- The known fix of a failed command ---


def _is_failed_command(event: "dict[str, object]") -> bool:
    return event.get("action") == "command" and event.get("outcome") == "failed"


def _print_fix(
    data: str, client: str, payload: "dict[str, Any]", options: dict[str, str], event: "dict[str, object]"
) -> None:
    if client not in clients.AFTER_FAILURE:
        return
    from indelible.capture import hook_brief, known_fixes

    place = _place(data, options)
    if not hook_brief.is_there(place):
        return
    try:
        text = known_fixes.known_fix(place, _located(str(clients.directory_of(payload) or os.getcwd())), event)
    except Conflict:  # as for a brief
        return
    if text:
        _put(1, json.dumps(_as_context(client, text, clients.AFTER_FAILURE[client])) + "\n")


# --- The question at the end of a turn ---


def _concerns_the_question(what: str, payload: "dict[str, Any]", captured: "list[dict[str, object]]") -> bool:
    """Whether an event counts for the question, or may bring it: most do not, and load nothing for it."""
    if hook_settings.questions_are_off():
        return False
    stores = str(payload.get("tool_name")).endswith("store_memory")
    return what == "turn_ended" or stores or any(event.get("action") == "edit" for event in captured)


def _count_or_ask(inbox: str, what: str, payload: "dict[str, Any]", captured: "list[dict[str, object]]") -> None:
    """Count an edit, or a memory that the agent stored; at the end of a turn ask it, where it is time to."""
    from indelible.capture import questions, session_notes

    session = payload.get("session_id")
    if not isinstance(session, str) or not session or not os.path.isdir(inbox):
        return
    if what == "tool":
        if questions.stores(str(payload.get("tool_name"))) and "error" not in payload:
            session_notes.add(inbox, session, questions.STORED, "")
        elif any(event.get("action") == "edit" and event.get("outcome") == "ok" for event in captured):
            session_notes.add(inbox, session, questions.EDITS, "")
    elif what == "turn_ended":
        text = questions.question(inbox, session, payload, _settings_of_claude(payload))
        if text:
            _put(1, json.dumps(_as_context("claude-code", text, "Stop")) + "\n")


def _settings_of_claude(payload: "dict[str, Any]") -> list[str]:
    """The files in which Claude Code keeps permissions: the user's, and the project's two."""
    own = hook_settings.claude_directory()
    project = hook_settings.project()[1] or str(clients.directory_of(payload) or os.getcwd())
    places = [(own, "settings.json"), (project, ".claude/settings.json"), (project, ".claude/settings.local.json")]
    return [os.path.join(*place) for place in places]


# --- The drain ---


def _start_drain(data: str, options: dict[str, str]) -> None:
    """Start the drain as a process of its own, which nobody waits for and which holds none of the agent's pipes.

    It takes in nothing where there is no store, or one of another schema: an agent's hook makes and upgrades none.
    In the data directory and without the working directory in its path: a project must not bring modules of its own.
    """
    import subprocess

    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    none = subprocess.DEVNULL
    command = [sys.executable, "-P", "-m", "indelible", "drain", "--existing", "--data", data]
    env = hook_settings.for_child(options.get("--database"), options.get("--tenant"))
    process = subprocess.Popen(command, cwd=data, env=env, stdin=none, stdout=none, stderr=none, **apart)
    process.returncode = 0  # so that Python does not complain, on our standard error, that nobody waited for it


# --- What is said ---


def _message_of(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}"
    return str(error) if isinstance(error, IndelibleError) else _placed(type(error), error.__traceback__)


def _placed(kind: type[BaseException], trace: TracebackType | None) -> str:
    """An accident of ours: what and where, without its words, which may be the payload's."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return f"{kind.__name__}{where}"


def _unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An accident of ours is one line too, and no failure of the agent's: Python itself would exit with 1."""
    _say(_placed(kind, trace))
    os._exit(0)


def _say(text: str) -> None:
    """The one line on standard error."""
    line = " ".join(redact_text(text)[0].split())
    _put(2, f"indelible hook: {line}\n")


def _put(stream: int, text: str) -> None:
    """Write to a stream as it is, whatever the locale; nobody may be there to read it."""
    rest = text.encode("utf-8", "backslashreplace")
    try:
        while rest:
            rest = rest[os.write(stream, rest) :]
    except OSError:
        return


def for_hook(place: "Place", cwd: str, client: str) -> "Brief":
    """The brief of the project around a working directory, as the command tells it; empty where there is none to tell.

    Nothing is made, upgraded or changed: a store that is not there, or of another version's schema, gives none too.
    Raises StoreError for one that is busy, damaged or away, or a wrong setting.
    """
    from indelible.capture import hook_brief
    from indelible.capture.brief import Brief

    try:
        return hook_brief.brief(place, _located(cwd))
    except Conflict:
        return Brief("")  # a server of this version brings an older store up to date
    except (InvalidInput, StoreError) as error:
        raise StoreError(f"no brief for {client}: {error}") from error


def _located(cwd: str) -> "Location | None":
    """Return the project of a working directory, as a server finds it."""
    from pathlib import Path

    from indelible.project import locate

    named, hint = hook_settings.project()
    return locate(named, {"CLAUDE_PROJECT_DIR": hint} if hint else {}, Path(cwd), Path.home())
