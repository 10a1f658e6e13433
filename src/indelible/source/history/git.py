"""Running git: the one place that does, with a deadline, a bounded output and nothing that a repository could run.

A repository's own configuration and attributes name programs: pagers, hooks, drivers of diffs and texts, monitors of
files, transports of what is missing. Each is switched off by a flag or a variable, which win over files. Of the
environment no variable of git is handed on; `safe.directory` is left to git. What a caller gives is resolved to the id
of a commit before anything else is asked for it, and cannot be an option.
"""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.settings import git_environment

SECONDS = 20.0  # that one run may take
LARGEST = 64 << 20  # bytes of an output that are read
LONGEST_REVISION = 200  # characters
_CHUNK = 1 << 16

_SWITCHES = (
    *("--no-pager", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "log.showSignature=false"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "submodule.recurse=false"),
)
# Of every command that compares: no driver is run, and the form does not depend on the user's configuration.
COMPARING = (
    *("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short", "-M", "-l400"),
    *("--no-relative", "--diff-algorithm=myers", "-O/dev/null"),
)
_REVISION = re.compile(r"[\w][\w.+/@{}^~:,# -]*", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class GitFailed(Exception):
    """A run of git that gave no answer: git is missing or refuses, the time is over; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Output:
    """The bytes of an output, and whether it was cut: there were more, or the time was over."""

    content: bytes
    cut: bool = False


class Git:
    """A repository as git sees it, by a directory in it; `bare` for one without a work tree, which is its own.

    `seconds` is what one run may take.
    """

    def __init__(self, directory: Path, *, bare: bool = False, seconds: float = SECONDS) -> None:
        self._directory, self._seconds = directory, seconds
        self._place = (f"--git-dir={directory}",) if bare else ()

    def run(self, *arguments: str, most: int = LARGEST, may_be_cut: bool = False, ends: Sequence[int] = (0,)) -> Output:
        """Return the output of a command, at most `most` bytes of it.

        `ends` are the exit codes of success. Raises GitFailed for another one, where git is missing, and where the
        output is cut unless it `may_be_cut`.
        """
        command = ["git", *self._place, *_SWITCHES, *arguments]
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW
        try:
            process = subprocess.Popen(
                command,
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=git_environment(),
                creationflags=flags,
            )
        except (OSError, ValueError) as error:
            raise GitFailed(f"git could not be run: {error}") from error
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.daemon = True
        said: list[bytes] = []
        reader = threading.Thread(target=_drain, args=(process, said), daemon=True)
        with process:
            timer.start()
            reader.start()
            content = b"".join(_read(process, most))
            cut = len(content) > most
            if cut:
                process.kill()
            code = process.wait()
            timer.cancel()
            reader.join()
        cut = cut or late.is_set()
        if cut and not may_be_cut:
            why = f"took longer than {self._seconds:g} s" if late.is_set() else f"gave more than {most:,} bytes"
            raise GitFailed(f"git {arguments[0]} {why}")
        if not cut and code not in ends:
            words = b"".join(said).decode("utf-8", "replace").strip().splitlines()
            raise GitFailed(f"git {arguments[0]}: {words[0] if words else f'exit code {code}'}")
        return Output(content[:most], cut)

    def commit(self, revision: str) -> str:
        """Return the id of the commit that a revision names. Raises InvalidInput for none, and GitFailed."""
        refuse_option(revision)
        try:
            found = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        except GitFailed as error:
            self.run("rev-parse", "--git-dir")  # what is wrong is the repository, not the revision
            raise InvalidInput(
                f"{revision!r} names no commit here; give a branch, a tag, a hash or HEAD~1, or A..B for a range"
            ) from error
        name = found.content.decode("ascii", "replace").strip()
        if not _HASH.fullmatch(name):
            raise GitFailed(f"git rev-parse gave {name!r:.80}")
        return name

    def head(self) -> str:
        """Return the id of the commit that is checked out, "" in a repository without one. Raises GitFailed."""
        found = self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", ends=(0, 1))
        return found.content.decode("ascii", "replace").strip()

    def shallow(self) -> frozenset[str]:
        """Return the commits at which a shallow clone ends: their parents are not here. Raises GitFailed."""
        named = self.run("rev-parse", "--git-path", "shallow").content.decode("utf-8", "surrogateescape")
        try:
            lines = (self._directory / named.removesuffix("\n")).read_text("ascii", "replace").split()
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise GitFailed(f"git's file of shallow commits could not be read: {error}") from error
        return frozenset(each for each in lines if _HASH.fullmatch(each))

    def top(self) -> Path:
        """Return the top directory of the work tree. Raises GitFailed."""
        found = self.run("rev-parse", "--show-toplevel").content.decode("utf-8", "surrogateescape")
        return Path(found.removesuffix("\n"))


def refuse_option(revision: str) -> None:
    """Raise InvalidInput for what cannot be a revision: empty, too long, an option, with characters of the shell."""
    if not _REVISION.fullmatch(revision) or len(revision) > LONGEST_REVISION or ".." in revision:
        raise InvalidInput(
            f"{revision!r:.100} is no revision; give a branch, a tag, a hash or HEAD~1, at most "
            f"{LONGEST_REVISION} characters, or A..B for a range"
        )


def _read(process: "subprocess.Popen[bytes]", most: int) -> Iterator[bytes]:
    """Yield the output until it ends or has more than `most` bytes."""
    assert process.stdout is not None
    size = 0
    while size <= most and (part := os.read(process.stdout.fileno(), _CHUNK)):
        size += len(part)
        yield part


def _drain(process: "subprocess.Popen[bytes]", said: list[bytes]) -> None:
    """Read what git says on its standard error, and keep its beginning: a full pipe would stop it."""
    assert process.stderr is not None
    while part := os.read(process.stderr.fileno(), _CHUNK):
        if len(said) < 2:
            said.append(part[:2_000])
