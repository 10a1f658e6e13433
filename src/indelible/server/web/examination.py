"""The examination of a server's store: in a thread of its own, since it takes minutes where the store is large."""

import threading
import time
from collections.abc import Callable

from indelible.admin.doctor import Report
from indelible.dataclass import dataclass
from indelible.server.error_ids import logged_message


@dataclass(frozen=True, slots=True)
class State:
    """The state of an examination: whether it runs, for how long or how long ago in seconds, and its findings."""

    runs: bool = False
    seconds: float = 0.0
    report: Report | None = None


class Examination:
    """The look at one store, one at a time whoever asks: each holds a connection that recalls would read by."""

    def __init__(self, look: Callable[[], Report], clock: Callable[[], float] = time.monotonic) -> None:
        self._look, self._clock = look, clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._since = 0.0
        self._report: Report | None = None

    def begin(self) -> None:
        """Start it, unless it runs."""
        with self._lock:
            if self._thread is None:
                self._since = self._clock()
                self._thread = threading.Thread(target=self._run, name="indelible-examination", daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait for its end, so many seconds at most."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(seconds)

    @property
    def state(self) -> State:
        """Return the state of now; while one runs, without the findings of an earlier one."""
        with self._lock:
            runs = self._thread is not None
            return State(runs, self._clock() - self._since, None if runs else self._report)

    def _run(self) -> None:
        try:
            report = self._look()
        except Exception as error:  # noqa: BLE001 - the boundary of this thread: an id out, the rest to the log
            report = Report()
            report.fault(logged_message("/system/doctor", error))
        with self._lock:
            self._report, self._since, self._thread = report, self._clock(), None
