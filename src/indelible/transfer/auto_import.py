"""Automatic import of other memory servers' files: a server imports a file named by its environment once.

Without other settings the store is in the directory of the file (see `settings.py`). An imported file is noted in the
store and not read again, so that records deleted here stay deleted. An interrupted import continues at the next start
and skips known records, and so does that of a file that was changed meanwhile. Empty files are ignored: the other tool
has created them and not used them yet.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from indelible import batching
from indelible.core.context.call import Call, Caller
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import Cancelled, IndelibleError, InvalidInput
from indelible.sanitize.secret_spans import redact_text
from indelible.sanitize.validate import merged, redaction_lines
from indelible.store.tables import settings
from indelible.toolsets.memory import importing
from indelible.toolsets.memory.import_report import Counts, summary

# Imported late (start): indelible.transfer.matrix_file, indelible.transfer.memory_jsonl, indelible.transfer.vecfs_file

log = logging.getLogger("indelible")

MOST_TOLD = 50  # problems of a file that are reported one by one; all are counted


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of an import: the numbers of new and known items, a line for each invalid one, and redactions."""

    imported: int
    counts: Counts
    problems: list[str]
    redacted: list[dict[str, Any]]


def take_in(ctx: Context, variable: str, path: Path) -> Taken | None:
    """Import the file that a variable names; return None if it is empty or was imported before.

    Raises InvalidInput where it is not a file or not one of that tool, OSError where it cannot be read, Cancelled
    between two batches where the context's caller is gone.
    """
    if not path.exists():
        return None
    if not path.is_file():
        raise InvalidInput(
            f"{variable} is {path}, which is not a file; give the file of that tool, or one still to be created"
        )
    before = _state(path)
    if before.size == 0 or _is_noted(ctx, variable, path):
        return None
    taken = import_file(ctx, variable, path)
    if _state(path) == before:
        _note(ctx, variable, path)
    return taken


class _State(NamedTuple):
    """The size and time of a file, by which changes of it are detected."""

    size: int
    time: int


def _state(path: Path) -> _State:
    found = path.stat()
    return _State(found.st_size, found.st_mtime_ns)


def _is_noted(ctx: Context, variable: str, path: Path) -> bool:
    with ctx.store.read() as tx:
        return settings.find(tx, _name(ctx, variable, path)) is not None


def _note(ctx: Context, variable: str, path: Path) -> None:
    ctx.store.write(lambda tx: settings.put(tx, _name(ctx, variable, path), str(ctx.now())))


def _name(ctx: Context, variable: str, path: Path) -> str:
    """Return the name under which a file is noted: relative for one beside the store, which may move with it."""
    beside = path.parent == ctx.settings.data.parent
    return f"imported {variable} {path.name if beside else path}"


# --- Each kind of file ---


def import_file(ctx: Context, variable: str, path: Path, pause: Callable[[], None] = batching.breathe) -> Taken:
    """Import a file of the tool with that variable; what is known is skipped. `pause` is called between batches.

    Raises InvalidInput where it is not a file of that tool, OSError where it cannot be read, Cancelled between batches.
    """
    before = len(ctx.call.redacted)
    if variable == "MEMORY_FILE_PATH":
        from indelible.transfer import memory_jsonl

        graph = memory_jsonl.import_file(ctx, path, pause)
        return Taken(graph.imported, graph, graph.problems, merged(ctx.call.redacted[before:]))
    places: list[str] = []
    problems: list[str] = []
    done = importing.import_items(ctx, _items_of(variable)(path, places, problems), pause)
    problems += [f"{places[error['index']]}: {error['error']}" for error in done.errors]
    return Taken(len(done.ids), done, problems, merged(ctx.call.redacted[before:]))


def _items_of(variable: str) -> Callable[[Path, list[str], list[str]], Iterator[Any]]:
    if variable == "VECFS_FILE":
        from indelible.transfer import vecfs_file

        return vecfs_file.items
    from indelible.transfer import matrix_file

    return matrix_file.items


# --- Beside a server that starts ---


class Importer:
    """A thread that takes the files in, from `start` to `stop`; a server without any has none."""

    def __init__(self, ctx: Context):
        self._stop = threading.Event()
        self._ctx = ctx.for_call(Call(tool="import", caller=Caller(cancelled=self._stop.is_set)))
        self._thread = threading.Thread(target=self._run, name="indelible-importer", daemon=True)

    def start(self) -> None:
        """Begin. Calls wait for the end, so that none is answered with a part; who only lists the tools does not."""
        if self._ctx.settings.read_only:
            _tell_read_only(self._ctx)
        elif self._ctx.settings.existing:
            self._ctx.taking_in.begin()
            self._thread.start()

    def stop(self) -> None:
        """Stop after the current batch; the next start continues."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            self._take_in()
        finally:
            self._ctx.taking_in.end()

    def _take_in(self) -> None:
        for variable, path in self._ctx.settings.existing:
            try:
                taken = take_in(self._ctx, variable, path)
            except Cancelled:
                _log(logging.WARNING, path, "broken off; it goes on with the next start")
                return
            except (IndelibleError, OSError) as error:  # the server serves what it has, and the other files
                _log(logging.ERROR, path, str(error))
            else:
                _tell(path, taken)


def _tell_read_only(ctx: Context) -> None:
    """Log for each new file that a read-only server does not import it."""
    for variable, path in ctx.settings.existing:
        if path.is_file() and path.stat().st_size and not _is_noted(ctx, variable, path):
            said = f"was not taken in: {ctx.settings.why_read_only}"
            _log(logging.WARNING, path, said)


def _tell(path: Path, taken: Taken | None) -> None:
    if taken is None:
        return
    for problem in taken.problems[:MOST_TOLD]:
        _log(logging.WARNING, path, problem)
    for line in redaction_lines(taken.redacted):
        _log(logging.WARNING, path, line)
    _log(logging.WARNING, path, summary(str(taken.imported), taken.counts, len(taken.problems)))


def _log(level: int, path: Path, text: str) -> None:
    log.log(level, "import", extra={"key": str(path), "message_text": redact_text(text)[0]})
