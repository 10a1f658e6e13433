"""The client's log as JSON lines: level, event, key, durationMs, retries. Never a payload, never a secret."""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from indelible.client.retries import Timing
from indelible.sanitize.secret_spans import redact_text

LOGGER = logging.getLogger("indelible.client")
LONGEST = 200  # characters of a value


class Log:
    """Writes one line an event: to `write`, else to the logger `indelible.client`, whose message is the line.

    Of the lines at level INFO a share is written, chosen by chance; warnings and errors always.
    """

    def __init__(self, write: Callable[[str], object] | None, share: float, timing: Timing):
        self._write = write
        self._share = share
        self._timing = timing

    def info(self, event: str, key: str, took: float, retries: int = 0, **more: Any) -> None:
        """Something went as it should. `took` is how long it took, in seconds."""
        if self._timing.chance() < self._share:
            self._line(logging.INFO, event, key, took, retries, more)

    def warning(self, event: str, key: str, took: float = 0.0, retries: int = 0, **more: Any) -> None:
        """Something did not, and the client helped itself."""
        self._line(logging.WARNING, event, key, took, retries, more)

    def error(self, event: str, key: str, took: float = 0.0, retries: int = 0, **more: Any) -> None:
        """Something did not, and somebody must look."""
        self._line(logging.ERROR, event, key, took, retries, more)

    def _line(self, level: int, event: str, key: str, took: float, retries: int, more: dict[str, Any]) -> None:
        if self._write is None and not LOGGER.isEnabledFor(level):
            return
        now = datetime.fromtimestamp(self._timing.now() / 1e9, UTC)
        line = {
            "time": now.isoformat(timespec="milliseconds"),
            "level": logging.getLevelName(level),
            "event": event,
            "key": _short(key),
            "durationMs": round(took * 1000, 3),
            "retries": retries,
            **{name: _short(value) for name, value in more.items()},
        }
        text = json.dumps(line, ensure_ascii=False)
        if self._write is None:
            LOGGER.log(level, "%s", text)
        else:
            self._write(text + "\n")


def _short(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    clean = redact_text(value)[0]
    return clean if len(clean) <= LONGEST else clean[: LONGEST - 1] + "…"
