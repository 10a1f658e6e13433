"""The processes that parse and resolve a large codebase beside the one that writes; a small one is done in place."""

import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from indelible.code import worker
from indelible.code.indexing import Project, Read, Relation, Share, Wanted
from indelible.code.symbol_rows import SymbolRow
from indelible.errors import StoreError
from indelible.settings import child_environment

IN_PLACE = 200  # files at most; more are worth the start of processes
MOST_PROCESSES = 8
BATCH_BYTES, BATCH_FILES = 192 << 10, 48  # of source, in one frame
_AHEAD = 2  # batches that a process has to do, so that it never waits for the next one
LAST_SAID = 1_000  # bytes of what a process says on stderr that are looked at when it ended
LAST_LOOK = 0.02  # seconds between two looks whether all that a process said was heard
_WAITING = 64  # frames that were not taken yet

Outline = tuple[str, str, str, bytes]  # path, language, module, packed outline
Edges = tuple[str, list[Relation]]


class Workers(Protocol):
    """Who parses and resolves: first `read` all, then `edges` once."""

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[list[Read]]:
        """Parse files, each given with its size, in no order."""

    def edges(self, others: Iterable[Outline]) -> Iterator[list[Edges]]:
        """The relations that the files state which were parsed; `others` are all further files of the codebase."""


@contextmanager
def workers(project: Project, files: int) -> Iterator[Workers]:
    """Who does a run of so many files. Ends the processes where it is left. Raises StoreError where one dies."""
    if files <= IN_PLACE:
        yield _InPlace(project)
        return
    pool = _Pool(project, min(_processors(), MOST_PROCESSES))
    try:
        yield pool
    finally:
        pool.close()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _InPlace:
    """In this thread."""

    def __init__(self, project: Project) -> None:
        self._share = Share(project)

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[list[Read]]:
        for batch in _batches(wanted):
            yield list(self._share.parse(batch))

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


class _Process:
    """One process, and the thread that reads what it says into the queue of the pool."""

    def __init__(self, number: int, heard: "queue.Queue[_Heard]") -> None:
        self.number = number
        self.parsed: set[str] = set()
        self._heard = heard
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                # -P: a module in the root directory must not hide one of ours
                [sys.executable, "-P", "-m", "indelible.code.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                cwd=os.path.abspath(os.sep),
                env=child_environment(),
            )
        except OSError:
            self._said.close()
            raise
        self._reader = threading.Thread(target=self._read, name="indelible-index-worker", daemon=True)
        self._reader.start()

    def ask(self, kind: str, value: Any) -> None:
        """Send a frame. Raises StoreError where the process is gone."""
        assert self._process.stdin is not None
        try:
            worker.send(self._process.stdin, kind, value)
        except OSError as error:
            raise self.died() from error

    def died(self) -> StoreError:
        """The error of a run whose process went away, with the last that it said."""
        self._process.kill()  # of no use any more, if it is not gone yet
        code = self._process.wait()
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - LAST_SAID))
        said = self._said.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        why = said or (f"signal {-code}: ended by somebody, or out of memory" if code < 0 else f"exit code {code}")
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

    def end(self) -> None:
        """Let it go: it has nothing that is of use any more."""
        self._process.kill()
        self._process.wait()
        while self._reader.is_alive():  # what it still has nobody takes any more
            with suppress(queue.Empty):
                self._heard.get(timeout=LAST_LOOK)
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what waited to be written
                    continue


_Heard = tuple[int, tuple[str, Any] | None]


class _Pool:
    """Several processes; each keeps what it parsed, and gets of the others' files only their outlines."""

    def __init__(self, project: Project, count: int) -> None:
        self._heard: queue.Queue[_Heard] = queue.Queue(_WAITING)
        self._processes: list[_Process] = []
        self._outlines: dict[str, Outline] = {}
        try:
            for number in range(count):
                self._processes.append(_Process(number, self._heard))
                self._processes[-1].ask("project", tuple(project))
        except OSError as error:
            self.close()
            raise StoreError(f"no process could be started to parse source: {error.strerror}") from error
        except StoreError:
            self.close()
            raise

    def read(self, wanted: Sequence[tuple[Wanted, int]]) -> Iterator[list[Read]]:
        batches = _batches(wanted)
        busy = 0
        for _ in range(_AHEAD):
            for process in self._processes:
                busy += self._give(process, batches)
        while busy:
            number, value = self._next(worker.PARSE)
            process = self._processes[number]
            busy += self._give(process, batches) - 1
            found = [Read._make((*each[:-1], tuple([SymbolRow(*row) for row in each[-1]]))) for each in value]
            for read in found:
                if read.names or read.outcome == "again":
                    process.parsed.add(read.path)
            yield found

    def _give(self, process: _Process, batches: Iterator[list[Wanted]]) -> int:
        batch = next(batches, None)
        if batch is None:
            return 0
        process.ask(worker.PARSE, [tuple(each) for each in batch])
        return 1

    def edges(self, others: Iterable[Outline]) -> Iterator[list[Edges]]:
        outlines = list(others)
        for process in self._processes:
            process.ask(worker.TAKE, [each for each in outlines if each[0] not in process.parsed])
            process.ask(worker.EDGES, None)
        busy = len(self._processes)
        while busy:
            _, value = self._next(worker.EDGES, worker.DONE)
            if value is None:
                busy -= 1
            else:
                yield [(path, [Relation(*each) for each in relations]) for path, relations in value]

    def _next(self, *kinds: str) -> tuple[int, Any]:
        number, frame = self._heard.get()
        if frame is None or frame[0] not in kinds:
            raise self._processes[number].died()
        return number, frame[1]

    def close(self) -> None:
        """End all processes, whatever they do."""
        for process in self._processes:
            process.end()
