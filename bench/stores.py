"""Where a benchmark works: a folder of its own, and stores filled once for all steps that need one of that size."""

import json
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import generate
from client import INDELIBLE, environment, serve

LOG = "import.log"
SETTLING = 60.0  # seconds for the first daily backup of a store


@dataclass(frozen=True, slots=True)
class Filled:
    """A data directory that `indelible import` filled, and how long that took."""

    data: Path
    records: int
    seconds: float

    @property
    def rate(self) -> float:
        """Records a second, the start of the process included."""
        return self.records / self.seconds


@dataclass(slots=True)
class Bench:
    """One run of the benchmarks: `scale` shrinks its sizes for a smoke run."""

    folder: Path
    scale: float = 1.0
    _filled: dict[int, Filled] = field(default_factory=dict)
    _made: int = 0

    def size(self, full: int, least: int) -> int:
        """A size at this scale, at least `least`."""
        return max(least, round(full * self.scale))

    def fresh(self, name: str) -> Path:
        """A data directory that does not exist yet, in a working directory of its own."""
        self._made += 1
        place = self.folder / f"{self._made:02d}-{name}"
        place.mkdir()
        return place / "data"

    def lines(self, n: int, seed: int = 1) -> Path:
        """The first `n` records of a seed as a file of JSON lines."""
        path = self.folder / f"records-{n}-{seed}.jsonl"
        if not path.exists():
            with path.open("w") as file:
                file.writelines(json.dumps({"content": text}) + "\n" for text in generate.records(n, seed))
        return path

    def filled(self, n: int) -> Filled:
        """The store of the first `n` records, with its daily backup made; for reading, since steps share it."""
        if n not in self._filled:
            self._filled[n] = fill(self.fresh(f"filled-{n}"), self.lines(n), n)
            settle(self._filled[n].data)
        return self._filled[n]


def start_import(data: Path, lines: Path) -> "subprocess.Popen[bytes]":
    """`indelible import` of a file of JSON lines, running."""
    command = [str(INDELIBLE), "import", "--data", str(data), str(lines)]
    with (data.parent / LOG).open("wb") as log:
        return subprocess.Popen(command, env=environment(), cwd=data.parent, stderr=log)


def finish_import(data: Path, importing: "subprocess.Popen[bytes]") -> None:
    """Wait for its end. Anything but a clean one ends the run with what it said."""
    if importing.wait() != 0:
        said = (data.parent / LOG).read_text(errors="replace")[-500:]
        raise SystemExit(f"indelible import failed with exit code {importing.returncode}: {said}")


def fill(data: Path, lines: Path, n: int) -> Filled:
    """Fill a store by `indelible import`."""
    began = time.perf_counter()
    finish_import(data, start_import(data, lines))
    return Filled(data, n, time.perf_counter() - began)


def settle(data: Path) -> None:
    """Let a server make the day's backup, so that no figure contains it."""
    with serve(data, data.parent) as server:
        server.initialize()
        until = time.monotonic() + SETTLING
        while not any((data / "backups").glob("daily-*.db")):
            if time.monotonic() > until:
                raise SystemExit(f"{data}: no daily backup after {SETTLING:.0f} s")
            time.sleep(0.1)
