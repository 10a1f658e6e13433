"""The summary of a session in a few lines: its prompt, edits, runs and searches."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from indelible.extraction import own_words, shell
from indelible.extraction.programs import is_looking

LONGEST = 1_000  # characters of the record
LONGEST_ASKED = 240
LONGEST_PATH = 80
MOST_FILES = 10
MOST_COMMANDS = 5
MOST_SEARCHES = 4
MOST_DIRECTORIES = 8
FEWEST_LOOKS = 3  # reads, searches and fetches of a session that only answers one prompt, to be remembered
_NUMBER = {"read": "reads", "search": "searches", "fetch": "fetches"}


class Session:
    """Counts and names of one session, fed with its events in order."""

    def __init__(self) -> None:
        self.asked = ""  # the first prompt that is more than a greeting
        self.first = ""  # the same as it was typed
        self.prompts = self.turns = self.edits = self.commands = self.failed = self.searches = self.reads = (
            self.fetches
        ) = 0
        self.started = self.last = 0  # microseconds
        self.ended = False
        self.edited: Counter[str] = Counter()
        self._runs: dict[str, list[tuple[bool, str]]] = {}  # whether it failed, and where it ran
        self._searched: list[str] = []
        self._directories: dict[str, None] = {}
        self._prompts: set[int] = set()

    @property
    def directories(self) -> list[str]:
        """The directories that the session worked in, those inside others first."""
        return sorted(self._directories, key=len, reverse=True)

    def note(self, event: Mapping[str, Any]) -> None:
        """Note an event of any kind."""
        time, cwd, what = int(event.get("time") or 0), str(event.get("cwd") or "").rstrip("/\\"), event.get("what")
        if time:
            self.started = min(self.started or time, time)
            self.last = max(self.last, time)
        if len(cwd) > 1 and len(self._directories) < MOST_DIRECTORIES:
            self._directories[cwd] = None
        self.ended |= what == "session_ended"  # once: what was left then is still left where it is resumed
        self.turns += what == "turn_ended"
        if what == "prompt":
            self._prompt(str(event.get("text") or ""))
        elif what == "tool":
            self._tool(event)

    def ran(self, line: shell.Line, *, failed: bool) -> None:
        """Note how a shell line ended."""
        self.failed += failed
        for command in line.commands:
            if not is_looking(command):
                self._runs.setdefault(command.name, []).append((failed, command.place))

    def text(self, plain: Callable[[str], str], fixed: int, left: int) -> str:
        """Return the record, at most 1,000 characters; "" for a session that did nothing but answer one prompt."""
        talked = self.asked and (self.turns > 1 or self.searches + self.reads + self.fetches >= FEWEST_LOOKS)
        if not (self.edits or self.edited or self._runs or talked):
            return ""
        parts = [self._when(), self._what_was_asked(), self._what_was_edited(plain), self._what_was_run()]
        if self._searched:
            times = "once" if self.searches == 1 else f"{self.searches} times"
            parts.append(f"Searched {times}: {', '.join(plain(text) for text in self._searched)}.")
        if self.reads:
            parts.append(f"Read {self.reads} file{'s' if self.reads > 1 else ''}.")
        if fixed or left:
            parts.append(f"Failures fixed: {fixed}, left: {left}.")
        text = "\n".join(part for part in parts if part)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

    def _prompt(self, text: str) -> None:
        words = " ".join(text[:4_000].split())
        if not words or hash(words) in self._prompts:
            return
        self._prompts.add(hash(words))
        self.prompts += 1
        if words.startswith("/"):
            return
        if not self.asked or (own_words.is_greeting(self.first) and not own_words.is_greeting(text)):
            self.first = text
            self.asked = words if len(words) <= LONGEST_ASKED else words[: LONGEST_ASKED - 1] + "…"

    def _tool(self, event: Mapping[str, Any]) -> None:
        action, subject = event.get("action"), " ".join(str(event.get("subject") or "")[:300].split())
        if action == "edit" and event.get("outcome") != "failed":
            self.edits += 1
            edits = event.get("edits")
            paths = [edit.get("path") for edit in edits if isinstance(edit, Mapping)] if isinstance(edits, list) else []
            self.edited.update({str(path) for path in paths if path} or ({subject} if subject else set()))
        elif action == "command":
            self.commands += 1
        elif action in _NUMBER:
            setattr(self, _NUMBER[action], getattr(self, _NUMBER[action]) + 1)
            if action == "search" and subject and subject not in self._searched and len(self._searched) < MOST_SEARCHES:
                self._searched.append(subject[:60])

    def _when(self) -> str:
        if not self.started:
            return ""
        first, last = (datetime.fromtimestamp(time / 1_000_000, UTC) for time in (self.started, self.last))
        until = f"{last:%H:%M}" if first.date() == last.date() else f"{last:%Y-%m-%d %H:%M}"
        return f"Session of {first:%Y-%m-%d %H:%M} to {until} UTC."

    def _what_was_asked(self) -> str:
        if not self.asked:
            return ""
        more = f" (and {self.prompts - 1} more)" if self.prompts > 1 else ""
        return f"Asked: {self.asked}{more}"

    def _what_was_edited(self, plain: Callable[[str], str]) -> str:
        if not self.edited:
            return ""
        names = [_end_of(plain(path)) for path, _ in self.edited.most_common(MOST_FILES)]
        more = len(self.edited) - len(names)
        return f"Edited {', '.join(names)}{f' and {more} more' if more > 0 else ''}."

    def _what_was_run(self) -> str:
        ran = []
        for name, runs in sorted(self._runs.items(), key=lambda run: -len(run[1]))[:MOST_COMMANDS]:
            failed = [failed for failed, _ in runs]
            times = (
                f"{len(failed)} times, {sum(failed)} failed"
                if len(failed) > 1
                else ("failed" if failed[0] else "passed")
            )
            last = ", passed in the end" if _passed_in_the_end(runs) else ""
            ran.append(f"{name} ({times}{last})")
        return f"Ran {', '.join(ran)}." if ran else ""


def _passed_in_the_end(runs: Sequence[tuple[bool, str]]) -> bool:
    """Whether a command failed, and its last run passed in that directory or one around it."""
    failed_in = [place for failed, place in runs if failed]
    last_failed, last_in = runs[-1]
    return bool(failed_in) and not last_failed and shell.way_down(last_in, failed_in[-1]) is not None


def _end_of(path: str) -> str:
    """Return a path, or of a long one the last folders and its name."""
    if len(path) <= LONGEST_PATH:
        return path
    folder, slash, rest = path[-LONGEST_PATH:].partition("/")
    return f"…/{rest}" if slash else folder
