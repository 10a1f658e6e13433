"""The dialogue of `indelible review`: one captured memory after the other, a key for each, an editor for its text."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.capture import promotion
from indelible.capture.project_brief import person_of
from indelible.capture.review import Decided, Review, surroundings
from indelible.cli import record_lines
from indelible.cli.opening import tell_redacted
from indelible.cli.terminal import counted, flush, out, printable, shown
from indelible.clock import time_text
from indelible.errors import IndelibleError, InvalidInput
from indelible.lines import for_people
from indelible.sanitize.prompt_frame import visible
from indelible.settings import editor
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.model import Record

# Imported late (platform): termios, tty

PROMPT = "[y] keep [n] reject [e] edit [s] skip [u] undo [?] help [q] quit: "
HELP = (
    "y keeps it: briefs and recalls trust it from now on\nn rejects it: it is deleted and not captured again\n"
    "e opens it in your editor and keeps it\ns leaves it waiting\nu takes the last decision back\nq ends the review"
)
AFTER_LAST = "nothing else waits  [u] undo  [q] quit: "
ENDS = ("", "q", "\x03", "\x04")  # end of input, and Ctrl-C and Ctrl-D where they come as keys
NAMES = {"y": "keep", "n": "reject", "e": "edit", "s": "skip", "u": "undo", "q": "quit"}
LONGEST_ERROR = 400

ReadKey = Callable[[str], str]  # prints a prompt and returns the key that was pressed, "" at the end of the input
Edit = Callable[[str], str]  # returns a text as it was edited


def review(ctx: "Context", read_key: ReadKey, edit: Edit, *, of_project: bool = False) -> None:
    """Ask for a decision on each memory that waits, until all are decided on, and print how many were kept.

    With `of_project` those of the project that the caller works in.
    Ends early at "q" and at the end of the input; at Ctrl-C it raises KeyboardInterrupt then.
    """
    dialogue = _Dialogue(ctx, edit, of_project=of_project)
    if dialogue.is_over:
        out("no captured memory waits for review")
        return
    try:
        while dialogue.step(read_key):
            pass
    except KeyboardInterrupt:
        out("")
        out(dialogue.summary())
        raise
    out(dialogue.summary())


class _Dialogue:
    """A review, the memory on the screen, and the answers to keys."""

    def __init__(self, ctx: "Context", edit: Edit, *, of_project: bool):
        self._ctx = ctx
        self._edit = edit
        self._review = Review(ctx, of_project=of_project)
        self._shown: Record | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing waits, and nothing was decided on that could be undone."""
        return self._review.current() is None and not self._review.decided

    def step(self, read_key: ReadKey) -> bool:
        """Show the current memory if it is not shown yet, read a key and do what it asks; whether to go on."""
        if self.is_over:
            return False
        record = self._review.current()
        if record is not None and record != self._shown:
            self._show(record)
        self._shown = record
        key = read_key(PROMPT if record is not None else AFTER_LAST).lower()
        out(NAMES.get(key, ""))
        if key in ENDS:
            return False
        try:
            self._answer(key, record)
        except IndelibleError as error:
            say(printable(shown(str(error), LONGEST_ERROR)))
        return True

    def _answer(self, key: str, record: "Record | None") -> None:
        if key == "u":
            undone = self._review.undo()
            self._shown = None
            out("there is no decision to undo" if undone is None else f"undone: it was {_decision(undone)}")
        elif key not in NAMES:
            out(HELP)
        elif record is None:
            return
        elif key == "y":
            self._review.keep(record)
        elif key == "n":
            self._review.reject(record)
        elif key == "s":
            self._review.skip(record)
        elif key == "e":
            self._shown = None
            tell_redacted(self._review.keep(record, self._edit(record.text)))

    def _show(self, record: "Record") -> None:
        out(f"\n{counted(self._review.left, 'memory')} to review")
        ctx = self._ctx
        out(record_lines.heading(record, record.key[:8], ctx.now(), person_of(ctx), with_project=True))
        first, *others = promotion.quotable_parts(record, sys.maxsize)
        for line in visible(first).splitlines():
            out(f"    {line}")
        for part in others:
            out(f"    also: {printable(part)}")
        around = surroundings(ctx, record)
        session = printable(record.session)
        out(f"  around it: {around}" if around else f"  session {session}, {time_text(record.created)}")

    def summary(self) -> str:
        """Return one sentence: how many memories were kept and rejected, and how many still wait."""
        decided = self._review.decided
        kept = [each for each in decided if each.decision == "kept"]
        edited = sum(each.edited for each in kept)
        also = f" ({edited} edited)" if edited else ""
        waiting = self._review.waiting()
        rest = f"{counted(waiting, 'memory')} still {'waits' if waiting == 1 else 'wait'}"
        return f"kept {len(kept)}{also}, rejected {len(decided) - len(kept)}; {rest}"


def _decision(decided: Decided) -> str:
    return f"{decided.decision} after an edit" if decided.edited else decided.decision


def read_key_of_terminal(prompt: str) -> str:
    """Print a prompt and return the next key pressed, "" at the end of the input.

    Keys that were pressed before the prompt are dropped: they were meant for another memory. Where the system has no
    such mode, a line is read and its first character returned.
    """
    try:
        import termios
        import tty
    except ImportError:
        return _read_line(prompt)
    place = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(place)
        try:
            tty.setcbreak(place, termios.TCSAFLUSH)
            sys.stdout.write(_fitting(prompt))
            flush()
            return os.read(place, 1).decode("utf-8", "replace")
        finally:
            termios.tcsetattr(place, termios.TCSADRAIN, before)
    except (OSError, termios.error):  # the terminal was closed
        return ""


def _fitting(prompt: str) -> str:
    return f"{for_people(prompt.rstrip(), sys.stdout)} "


def _read_line(prompt: str) -> str:
    sys.stdout.write(_fitting(prompt))
    flush()
    line = sys.stdin.readline()
    return line.strip()[:1] or line[:1]


def edit_in_editor(text: str) -> str:
    """Let the user edit a text in their editor; return it. Raises InvalidInput where that fails."""
    with tempfile.TemporaryDirectory(prefix="indelible-") as folder:
        file = Path(folder) / "memory.md"
        file.write_text(text, encoding="utf-8", newline="")
        command = editor()
        try:
            ended = subprocess.run([*shlex.split(command, posix=os.name != "nt"), str(file)], check=False)
            edited = file.read_bytes().decode("utf-8")
        except (OSError, ValueError) as error:
            raise InvalidInput(
                f"EDITOR is {command!r}, which cannot edit the text: {error}; set EDITOR to the command of an editor"
            ) from error
    if ended.returncode:
        raise InvalidInput(f"the editor {command!r} ended with exit code {ended.returncode}; nothing was changed")
    return edited if text.endswith("\n") else edited.removesuffix("\n").removesuffix("\r")
