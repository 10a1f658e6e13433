"""Logs are JSON lines, on stderr or in a file: level, event, key, durationMs ... Never secrets, never payloads."""

import json
import logging
import logging.handlers
import os
import sys
from datetime import UTC, datetime
from io import FileIO, TextIOWrapper
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.server.error_ids import REQUEST

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}


class JsonLines(logging.Formatter):
    """One JSON object a record; what was given as `extra` stands beside level and event."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "event": record.getMessage(),
        }
        if request := REQUEST.get():
            line["requestId"] = request
        line.update({name: value for name, value in record.__dict__.items() if name not in _STANDARD})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = self.formatException(record.exc_info).rsplit("\n", 1)[0]
        return json.dumps(line, ensure_ascii=False, default=str)


class _OwnFile(logging.handlers.WatchedFileHandler):
    """A file for its owner alone, opened again when it was moved away."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(FileIO(self.baseFilename, "a", opener=_for_owner), self.encoding, write_through=True)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def start(level: int = logging.WARNING, file: Path | None = None) -> None:
    """Send the logs of this process to a file, else to stderr; what libraries say only from warnings on.

    Raises InvalidInput for a file that cannot be written.
    """
    try:
        handler = logging.StreamHandler(sys.stderr) if file is None else _OwnFile(file, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"--log-file {file} cannot be written: {error.strerror}; give a file in a directory of yours"
        ) from None
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)
    logging.getLogger("indelible").setLevel(level)
