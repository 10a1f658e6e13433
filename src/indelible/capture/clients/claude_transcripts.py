"""Transcripts of Claude Code as the common events that its hooks would have given.

`~/.claude/projects/<path with dashes>/<session>.jsonl`, since 2026 also `<session>/subagents/agent-<id>.jsonl`: a JSON
object a line, written as it happens. Lines are made into payloads of hooks, so that whatever the two have in common is
redacted, cut and named in the same way: a session that hooks captured and that is imported later is stored once. The
format is not documented by its makers; what is read here is what several independent readers of it agree on
(github.com/choplin/cclog claude-projects-jsonl-specification.md, github.com/oneryalcin/agent-schemas claude-code/,
github.com/DRMacIver/claude-reliability notes/transcript-format.md), seen in versions 1.0.3 to 2.1.226.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from indelible.capture import clients
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

CLIENT = "claude-code"
LONGEST_LINE = 32 << 20  # bytes; a longer line holds pictures
NAMED = 10  # lines that could not be read
MOST_WAITING = 10_000  # calls without a result yet

# What stands in a user's line and was not written by the user: wrappers of commands, of the shell, of the harness.
_NOT_WRITTEN = re.compile(
    r"\s*(?:<(?:command-|local-command-|bash-|system-reminder|task-notification|user-memory-input|ide_|cross-session|"
    r"teammate-message|post-tool-use-hook|user-prompt-submit-hook)|Caveat: The messages below|"
    r"\[Request interrupted by user|"
    r"This session is being continued from a previous conversation)"
)
_COMMAND = re.compile(r"<command-name>(?P<name>/?[^<]{1,200})</command-name>")
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_DENIED = re.compile(
    r"(?:Error: )?(?:The user doesn't want to|User rejected tool use|Permission to use \S+ (?:with|has been))"
)
_STOPPED = re.compile(r"(?:Error: )?\[?Request interrupted by user")
_INSTEAD = "the user said:\n"  # in the result of a call that the user refused: what is to be done instead


@dataclass(slots=True)
class Tally:
    """Counts of lines read: all, those that are not JSON objects or too long, and those that an earlier file had.

    `places` are the first of the bad ones, by file and number.
    """

    lines: int = 0
    bad: int = 0
    repeated: int = 0
    places: list[str] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)  # hashes of the lines' own ids: resumed sessions repeat earlier lines


def files(path: Path) -> list[Path]:
    """The transcripts at a path: itself, or all below a directory, the oldest first. Raises InvalidInput for none."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InvalidInput(
            f"{path} does not exist; give a transcript (.jsonl) or a directory, such as ~/.claude/projects"
        )
    found = [(file.stat().st_mtime, file) for file in path.rglob("*.jsonl") if file.is_file()]
    return [file for _, file in sorted(found)]


def events(file: BinaryIO, tally: Tally, *, over: bool = False) -> Iterator[dict[str, object]]:
    """The events of one transcript in its order, read line by line; what cannot be read is counted.

    These are prompts, calls with their results, and the ends of turns; of subagents only the calls, since no user
    prompts them. Compactions and the ends of sessions are left to hooks, which know their reasons; but where the
    session is `over`, its end is the last event, so that what was still failing then is known.
    """
    reader = _Reader()
    last: dict[str, Any] = {}
    for line in _lines(file, tally):
        name = line.get("uuid")
        if isinstance(name, str) and name:
            if hash(name) in tally.seen:
                tally.repeated += 1
                continue
            tally.seen.add(hash(name))
        yield from reader.read(line)
        last = line if line.get("timestamp") and not line.get("isSidechain") else last
    yield from reader.end_turn()
    if over:
        yield from _events(last, "session_ended", reason="transcript")


def _lines(file: BinaryIO, tally: Tally) -> Iterator[dict[str, Any]]:
    number = 0
    while raw := file.readline(LONGEST_LINE):
        number += 1
        too_long = len(raw) == LONGEST_LINE and not raw.endswith(b"\n")
        while too_long and (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        if not raw.strip():
            continue
        tally.lines += 1
        try:
            value = None if too_long else json.loads(raw)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield value
        else:
            tally.bad += 1
            if len(tally.places) < NAMED:
                why = "is too long" if too_long else "is no JSON object, or not written whole yet"
                tally.places.append(f"{getattr(file, 'name', 'transcript')}: line {number} {why}")


class _Reader:
    """The state of reading a transcript: the earlier lines that later ones refer to."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[str, Any]] = {}  # without a result yet: the tool and what it was given
        self._prompt = ""  # the id of the prompt that is worked on
        self._message = ""  # the id of the assistant's last message
        self._answer: list[str] = []  # its texts, as long as it called no tool
        self._line: dict[str, Any] = {}  # the line of its last text

    def read(self, line: dict[str, Any]) -> Iterator[dict[str, object]]:
        """The events that a line completes."""
        message = line.get("message")
        kind = line.get("type")
        if kind == "attachment":
            yield from self._queued(line)
        if not isinstance(message, dict) or line.get("isCompactSummary") or line.get("isMeta"):
            return
        content = message.get("content")
        if kind == "assistant":
            self._read_answer(line, message, content)
        elif kind == "user":
            results = [block for block in _blocks(content) if block.get("type") == "tool_result"]
            for block in results:
                yield from self._result(line, block)
            if not results and not line.get("toolUseResult"):
                yield from self._asked(line, _text(content))

    def end_turn(self) -> Iterator[dict[str, object]]:
        """The end of the turn, where the assistant's last message called no tool."""
        if self._answer:
            yield from _events(
                self._line, "turn_ended", last_assistant_message="\n".join(self._answer), prompt_id=self._prompt
            )
        self._answer = []

    def _read_answer(self, line: dict[str, Any], message: dict[str, Any], content: Any) -> None:
        """A message comes as several lines, one a block."""
        name = str(message.get("id") or line.get("uuid") or "")
        if name != self._message:
            self._message, self._answer = name, []
        for block in _blocks(content):
            text = block.get("text")
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._answer = []
                if len(self._calls) < MOST_WAITING:
                    self._calls[block["id"]] = str(block.get("name") or ""), block.get("input")
            elif block.get("type") == "text" and isinstance(text, str) and text and not line.get("isSidechain"):
                self._answer.append(text)
                self._line = line

    def _result(self, line: dict[str, Any], block: dict[str, Any]) -> Iterator[dict[str, object]]:
        name = block.get("tool_use_id")
        called = self._calls.pop(name, None) if isinstance(name, str) else None
        output = _text(block.get("content"))
        if _DENIED.match(output):
            yield from self._asked(line, output.partition(_INSTEAD)[2])
        if called is None or line.get("toolDenialKind") or _DENIED.match(output):
            return  # the call is unknown, or it never ran
        tool, given = called
        payload: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": name}
        if block.get("is_error"):
            payload |= {"error": output, "is_interrupt": _STOPPED.match(output) is not None}
        else:
            result = line.get("toolUseResult")
            payload["tool_response"] = result if isinstance(result, dict) and "stdout" in result else output
        yield from _events(line, "tool", **payload)

    def _queued(self, line: dict[str, Any]) -> Iterator[dict[str, object]]:
        """Yield the event of a prompt that the user wrote while the agent worked."""
        attachment = line.get("attachment")
        if (
            isinstance(attachment, dict)
            and attachment.get("type") == "queued_command"
            and attachment.get("commandMode") == "prompt"
        ):
            yield from self._asked(line, _text(attachment.get("prompt")))

    def _asked(self, line: dict[str, Any], text: str) -> Iterator[dict[str, object]]:
        written = _written(text)
        if line.get("isSidechain") or not written:
            if _STOPPED.match(text):
                self._answer = []  # a turn that was stopped has no end
            return
        yield from self.end_turn()
        self._prompt = str(line.get("promptId") or "")
        yield from _events(line, "prompt", prompt=written, prompt_id=self._prompt)


def _events(line: dict[str, Any], what: str, **payload: Any) -> Iterator[dict[str, object]]:
    """Yield the event of a payload made from a line; none if the line lacks the fields of all events."""
    time = _time(line.get("timestamp"))
    payload = {name: value for name, value in payload.items() if value != ""}
    payload |= {"session_id": line.get("sessionId"), "cwd": line.get("cwd")}
    if time is None:
        return
    try:
        event = clients.event_of(payload, CLIENT, what, time)
    except InvalidInput:
        return
    if event is not None:
        yield event


def _time(given: Any) -> int | None:
    """Microseconds since 1970 of an ISO time; None for what is none."""
    try:
        time = datetime.fromisoformat(given)
        return max(0, round(time.timestamp() * 1_000_000)) if time.tzinfo is not None else None
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _blocks(content: Any) -> Iterator[dict[str, Any]]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _text(content: Any) -> str:
    texts = (block.get("text") for block in _blocks(content) if block.get("type") in ("text", None))
    return "\n".join(text for text in texts if isinstance(text, str))


def _written(text: str) -> str:
    """Return the text of a user's line that the person wrote: a slash command as typed, "" if there is none."""
    if "<command-name>" in text:
        name, behind = _COMMAND.search(text), text.partition("<command-args>")[2]
        arguments, closed, _ = behind.partition("</command-args>")
        if name is None or not closed or not arguments.strip():
            return ""
        return f"/{name['name'].strip().lstrip('/')} {arguments.strip()}"
    text = _REMINDER.sub("", text) if "<system-reminder>" in text else text
    return "" if _NOT_WRITTEN.match(text) else text.strip()
