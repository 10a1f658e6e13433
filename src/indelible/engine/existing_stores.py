"""Files of other memory servers: a server that was told of one takes it in, once.

The store is beside the file where nothing else says where it is (see `settings.py`). A file that was taken in is noted
in the store and not looked at again, so that what is deleted here stays deleted. An import that was broken off goes on
with the next start: what is known is skipped.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from indelible.engine import transfer
from indelible.engine.context import Call, Caller, Context
from indelible.errors import Cancelled, IndelibleError
from indelible.redact import redact_text
from indelible.store import settings

log = logging.getLogger("indelible")

PATIENCE = 5.0  # seconds that a start waits for an import; the rest of a large one comes while the server answers
MOST_TOLD = 50  # problems of a file that are told one by one; all are counted


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a file: how many things were new and how many known, and a line for each that is bad."""

    imported: int
    skipped: int
    problems: list[str]


def import_existing(ctx: Context) -> dict[Path, Taken]:
    """Take in every file that the settings name, that exists and was not taken in before; by file.

    Raises Cancelled between two batches where the context's caller is gone.
    """
    found = {}
    for variable, path in ctx.settings.existing:
        if path.is_file() and not _is_noted(ctx, variable, path):
            taken = _READERS[variable](ctx, path)
            _note(ctx, variable, path)
            found[path] = taken
    return found


def _is_noted(ctx: Context, variable: str, path: Path) -> bool:
    with ctx.store.read() as tx:
        return settings.find(tx, ctx.tenant, _name(variable, path)) is not None


def _note(ctx: Context, variable: str, path: Path) -> None:
    ctx.store.write(lambda tx: settings.put(tx, ctx.tenant, _name(variable, path), str(ctx.now())))


def _name(variable: str, path: Path) -> str:
    return f"imported {variable} {path}"


# --- Each kind of file ---


def _graph(ctx: Context, path: Path) -> Taken:
    from indelible.engine import memory_jsonl

    done = memory_jsonl.import_file(ctx, path)
    return Taken(done.imported, done.skipped, done.problems)


def _vectors(ctx: Context, path: Path) -> Taken:
    from indelible.engine import vecfs_file

    places: list[str] = []
    problems: list[str] = []
    done = transfer.import_items(ctx, vecfs_file.items(path, places, problems), transfer.breathe)
    return Taken(len(done.ids), done.skipped, problems + _placed(done, places))


def _solutions(ctx: Context, path: Path) -> Taken:
    from indelible.engine import matrix_file

    places: list[str] = []
    problems: list[str] = []
    done = transfer.import_items(ctx, matrix_file.items(path, places, problems), transfer.breathe)
    return Taken(len(done.ids), done.skipped, problems + _placed(done, places))


def _placed(done: transfer.Imported, places: list[str]) -> list[str]:
    return [f"{places[error['index']]}: {error['error']}" for error in done.errors]


_READERS: dict[str, Callable[[Context, Path], Taken]] = {
    "MEMORY_FILE_PATH": _graph,
    "VECFS_FILE": _vectors,
    "MATRIX_DB": _solutions,
}


# --- Beside a server that starts ---


class Importer:
    """A thread that takes the files in, from `start` to `stop`; a server without any has none."""

    def __init__(self, ctx: Context):
        self._stop = threading.Event()
        self._ctx = ctx.for_call(Call(tool="import", caller=Caller(gone=self._stop.is_set)))
        self._thread = threading.Thread(target=self._run, name="indelible-importer", daemon=True)

    def start(self) -> None:
        """Begin, and wait for the end of all but a large import: the first call is to see what is there."""
        if self._ctx.settings.existing and not self._ctx.settings.read_only:
            self._thread.start()
            self._thread.join(PATIENCE)

    def stop(self) -> None:
        """Break off after the batch that runs; the next start goes on."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            for path, taken in import_existing(self._ctx).items():
                _tell(path, taken)
        except Cancelled:
            log.warning("import", extra={"message_text": "broken off; it goes on with the next start"})
        except (IndelibleError, OSError) as error:  # the server serves what it has
            log.error("import", extra={"message_text": redact_text(str(error))[0]})


def _tell(path: Path, taken: Taken) -> None:
    for problem in taken.problems[:MOST_TOLD]:
        log.warning("import", extra={"key": str(path), "message_text": redact_text(problem)[0]})
    log.warning(
        "import",
        extra={
            "key": str(path),
            "message_text": f"imported {taken.imported}, skipped {taken.skipped} that were known, "
            f"{len(taken.problems)} problems",
        },
    )
