"""Worker processes that parse and resolve a large codebase while this process writes; small ones need none."""

import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.settings import child_environment
from indelible.source import source, worker
from indelible.source.indexing import AGAIN, SKIPPED, Project, Read, Relation, Share, Wanted, hash_of
from indelible.source.parse.deadline import MOST_SECONDS
from indelible.source.parse.symbol_rows import SymbolRow

IN_PLACE = 200  # files at most; more are worth the start of processes
MOST_PROCESSES = 8
CRASHES = "a file that crashes its parser or never leaves it"
HARD_SECONDS = 2 * MOST_SECONDS  # of a file: then the process ends, whatever it is in
MOST_DEATHS = 20  # of processes, until something else must be the matter
BATCH_BYTES, BATCH_FILES = 192 << 10, 48  # of source, in one frame
_AHEAD = 2  # batches that a process has to do, so that it never waits for the next one
LAST_SAID = 1_000  # bytes of what a process says on stderr that are looked at when it ended
LAST_LOOK = 0.02  # seconds between two checks whether all output of a process was read
_WAITING = 64  # frames that were not taken yet
_TAKEN = 16  # frames at once

Outline = tuple[str, str, str, bytes]  # path, language, module, packed outline
Edges = tuple[str, list[Relation]]


# As `_make`, for tuples that are of the right length: there are hundreds of thousands.
_symbol_row: Callable[[tuple[Any, ...]], SymbolRow] = partial(tuple.__new__, SymbolRow)
_relation: Callable[[tuple[Any, ...]], Relation] = partial(tuple.__new__, Relation)


class Workers(Protocol):
    """The interface of parsing and resolving: first `read` for all files, then `edges` once."""

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[tuple[list[Read], bool]]:
        """Parse files, each given with its size, in no order; yield some, and whether they are the last.

        With the last ones `edges` may be asked for, before they are written.
        """

    def edges(self, others: Iterable[Outline]) -> Iterator[list[Edges]]:
        """Begin to resolve, and return the relations that the parsed files state, as they come.

        `others` are all further files of the codebase.
        """


@contextmanager
def workers(project: Project, files: int, ready: "Ready", *, apart: bool = False) -> Iterator[Workers]:
    """Yield the workers for a run of so many files; `apart`: never this process, since a file may crash it.

    The processes are ended on exit. Raises StoreError if one dies for another reason than a file.
    """
    if files <= IN_PLACE and not apart:
        yield _InPlace(project)
        return
    processes, heard = ready.take()
    pool = _Pool(processes, heard)
    try:
        pool.begin(project)
        yield pool
    finally:
        pool.close()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _InPlace:
    """Parses and resolves in this thread."""

    def __init__(self, project: Project) -> None:
        self._share = Share(project)

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[tuple[list[Read], bool]]:
        batches = list(_batches(wanted))
        for number, batch in enumerate(batches, 1):
            yield list(self._share.parse(batch)), number == len(batches)

    def edges(self, others: Iterable[Outline]) -> Iterator[list[Edges]]:
        self._share.take(others)
        for each in self._share.edges():
            yield [each]


def _batches(wanted: Iterable[tuple[Wanted, int]]) -> Iterator[list[Wanted]]:
    batch: list[Wanted] = []
    size = 0
    for each, length in wanted:
        batch.append(each)
        size += length
        if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Batches:
    """The remaining files: each process has a contiguous part of them, so that neighbours meet in one process; one that
    has finished its part takes from the end of the longest part.
    """

    def __init__(self, batches: Sequence[list[Wanted]], processes: int) -> None:
        each = -(-len(batches) // processes)
        self._parts = [deque(batches[at * each : (at + 1) * each]) for at in range(processes)]

    def next(self, process: int) -> list[Wanted] | None:
        """Return the next batch for a process, None if none is left."""
        if own := self._parts[process]:
            return own.popleft()
        longest = max(self._parts, key=len)
        return longest.pop() if longest else None


@dataclass(frozen=True, slots=True)
class _Task:
    """Files to parse together; `known`: their contents were returned already, they are parsed again for their edges."""

    wanted: Sequence[Wanted]
    known: bool = False


class _Process:
    """One process, and the thread that reads its output into the queue of the pool."""

    def __init__(self, number: int, heard: "queue.Queue[_Heard]") -> None:
        self.number = number
        self.parsed: dict[str, str] = {}  # path, hash
        self.asked: deque[_Task] = deque()  # what it did not answer yet, in this order
        self.todo: deque[_Task] = deque()  # what it is asked before all else
        self._heard = heard
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NO_WINDOW
        try:
            self._process = subprocess.Popen(
                # -P: a module in the root directory must not hide one of ours
                [sys.executable, "-P", "-m", "indelible.source.worker", str(HARD_SECONDS)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=os.path.abspath(os.sep),
                env=child_environment(),
                creationflags=flags,
            )
        except OSError:
            self._errors.close()
            raise
        self._reader = threading.Thread(target=self._read, name="indelible-index-worker", daemon=True)
        self._reader.start()

    def ask(self, kind: str, value: Any) -> None:
        """Send a frame. Raises StoreError if the process has ended."""
        assert self._process.stdin is not None
        try:
            worker.send(self._process.stdin, kind, value)
        except OSError as error:
            raise self.died() from error

    def died(self) -> StoreError:
        """Return the error for a process that ended, with the last line of its error output."""
        self._process.kill()  # of no use any more, if it has not ended yet
        code = self._process.wait()
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - LAST_SAID))
        last_line = self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        why = last_line or (f"signal {-code}: ended by somebody, or out of memory" if code < 0 else f"exit code {code}")
        return StoreError(
            f"a process that parsed source ended before its work ({why}); what was stored is sound, and the same "
            "command goes on with the rest"
        )

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while (frame := worker.receive(self._process.stdout)) is not None:
                self._heard.put((self.number, frame))
        except (OSError, ValueError):  # closed while it was read
            pass
        self._heard.put((self.number, None))

    def retire(self) -> None:
        """Release the resources of a process that has died."""
        self._reader.join()
        self.end()

    def end(self) -> None:
        """End the process, whose results are not needed any more."""
        self._process.kill()
        self._process.wait()
        while self._reader.is_alive():  # nothing reads its remaining output
            with suppress(queue.Empty):
                self._heard.get(timeout=LAST_LOOK)
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what waited to be written
                    continue


_Heard = tuple[int, tuple[str, Any] | None]


class Ready:
    """The processes of a run, which can be started before their work is known, as each takes a while to load."""

    def __init__(self) -> None:
        self._processes: list[_Process] = []
        self._heard: queue.Queue[_Heard] = queue.Queue(_WAITING)

    def start(self) -> None:
        """Start as many processes as there are cores, if not started yet. Raises StoreError."""
        if self._processes:
            return
        try:
            for number in range(min(_processors(), MOST_PROCESSES)):
                self._processes.append(_Process(number, self._heard))
        except OSError as error:
            self.close()
            raise StoreError(f"no process could be started to parse source: {error.strerror}") from error

    def take(self) -> "tuple[list[_Process], queue.Queue[_Heard]]":
        """Return the processes and the queue of their output; the caller must end them. Raises StoreError."""
        self.start()
        taken = self._processes, self._heard
        self._processes, self._heard = [], queue.Queue(_WAITING)
        return taken

    def close(self) -> None:
        """End the processes that were not taken."""
        for process in self._processes:
            process.end()
        self._processes = []


class _Pool:
    """Several processes; each keeps the files that it parsed, and gets only the outlines of the others'."""

    def __init__(self, processes: list[_Process], heard: "queue.Queue[_Heard]") -> None:
        self._processes, self._heard = processes, heard
        self._project = Project("", frozenset(), {}, {}, {})
        self._deaths = 0

    def begin(self, project: Project) -> None:
        """Send the codebase to all processes. Raises StoreError."""
        self._project = project
        for process in self._processes:
            process.ask("project", tuple(project))

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[tuple[list[Read], bool]]:
        batches = _Batches(list(_batches(wanted)), len(self._processes))
        for _ in range(_AHEAD):
            for process in self._processes:
                self._give(process, batches)
        while self._is_asked():
            heard = [self._heard.get()]
            with suppress(queue.Empty):
                while len(heard) < _TAKEN:
                    heard.append(self._heard.get_nowait())
            found = [read for number, frame in heard for read in self._answered(number, frame, batches)]
            yield found, not self._is_asked()

    def _is_asked(self) -> bool:
        return any(process.asked for process in self._processes)

    def _answered(self, number: int, frame: tuple[str, Any] | None, batches: "_Batches") -> list[Read]:
        """Give a process its next work, and return what it has read."""
        process = self._processes[number]
        if frame is None:
            return self._replace(process, batches)
        task = process.asked.popleft()
        self._give(process, batches)
        found = [Read._make((*each[:-1], tuple(map(_symbol_row, each[-1])))) for each in frame[1]]
        for read in found:
            if read.names or read.outcome == AGAIN:
                process.parsed[read.path] = read.hash
        return [] if task.known else found

    def _give(self, process: _Process, batches: "_Batches") -> None:
        if process.todo:
            task = process.todo.popleft()
        else:
            batch = batches.next(process.number)
            if batch is None:
                return
            task = _Task(batch)
        process.asked.append(task)
        with suppress(StoreError):  # it has ended, which the queue reports: then another process gets its files
            process.ask(worker.PARSE, [tuple(each) for each in task.wanted])

    def _replace(self, dead: _Process, batches: "_Batches") -> list[Read]:
        """Replace a process that died; the file that it crashed on is left out of the codebase.

        The file is found by parsing those of its batch one by one; files that it parsed before are parsed once more.
        Raises StoreError if processes keep dying, or if one dies without any work.
        """
        self._deaths += 1
        if self._deaths > MOST_DEATHS or not dead.asked:
            raise dead.died()
        process = _Process(dead.number, self._heard)
        self._processes[dead.number] = process
        dead.retire()
        process.ask("project", tuple(self._project))
        again = [(Wanted(path, hash_, True), 0) for path, hash_ in dead.parsed.items()]
        process.todo.extend(_Task(batch, known=True) for batch in _batches(again))
        first, *others = dead.asked
        alone = len(first.wanted) == 1
        if not alone:
            process.todo.extend(_Task([each], first.known) for each in first.wanted)
        process.todo.extend([*others, *dead.todo])
        for _ in range(_AHEAD):
            self._give(process, batches)
        return [self._crashed(first.wanted[0].path)] if alone else []

    def _crashed(self, path: str) -> Read:
        body = source.read(Path(self._project.root), path)
        return Read(SKIPPED, path, CRASHES, hash=hash_of(body) if isinstance(body, bytes) else "")

    def edges(self, others: Iterable[Outline]) -> Iterator[list[Edges]]:
        outlines = list(others)
        for process in self._processes:
            process.ask(worker.TAKE, [each for each in outlines if each[0] not in process.parsed])
            process.ask(worker.EDGES, None)
        return self._resolved()

    def _resolved(self) -> Iterator[list[Edges]]:
        busy = len(self._processes)
        while busy:
            _, value = self._next(worker.EDGES, worker.DONE)
            if value is None:
                busy -= 1
            else:
                yield [(path, list(map(_relation, relations))) for path, relations in value]

    def _next(self, *kinds: str) -> tuple[int, Any]:
        number, frame = self._heard.get()
        if frame is None or frame[0] not in kinds:
            raise self._processes[number].died()
        return number, frame[1]

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.end()
