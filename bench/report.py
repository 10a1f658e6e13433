"""What the benchmarks say: figures with their targets, the machine beside them, Markdown tables between markers."""

import math
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

FLAGS = ("popcnt", "avx2", "avx512f", "avx512_vpopcntdq")
ARM_FLAGS = ("asimd", "sve")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing: a ratio within one run and the absolute figures beside it.

    `most` is the target's upper bound (`least` the lower) on `value`, which is the ratio unless the target is itself
    absolute. Neither bound: no verdict.
    """

    what: str
    ratio: float | None
    absolute: str
    most: float | None = None
    least: float | None = None
    value: float | None = None
    unit: str = ""

    @property
    def missed(self) -> bool:
        """Whether there is a target and it is missed."""
        measured = self.ratio if self.value is None else self.value
        if measured is None:
            return False
        return (self.most is not None and measured > self.most) or (self.least is not None and measured < self.least)

    def row(self) -> tuple[str, ...]:
        """The cells of the table."""
        target, verdict = "", ""
        if self.most is not None or self.least is not None:
            bound = f"at most {self.most:g}" if self.most is not None else f"at least {self.least:g}"
            target = f"{bound}{self.unit}"
            verdict = "FAIL" if self.missed else "PASS"
        return self.what, "" if self.ratio is None else f"{self.ratio:.2f}", target, verdict, self.absolute


HEADS = ("what", "ratio", "target", "", "absolute")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows])


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` of the values do not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def ms(seconds: float) -> str:
    """Milliseconds with three figures that mean something."""
    value = seconds * 1e3
    return f"{value:.0f} ms" if value >= 100 else f"{value:.3g} ms"


def load() -> str:
    """The load average over one minute, five and fifteen."""
    return " ".join(f"{part:.2f}" for part in os.getloadavg())


class Run:
    """When and with what load a run began; `header` is asked for when it ends."""

    def __init__(self, program: str, arguments: Sequence[str]):
        self._command = shlex.join(["python", program, *arguments])
        self._began = datetime.now(UTC)
        self._load = load()

    def header(self, more: Sequence[str] = ()) -> str:
        """Command, machine, Python, date, load."""
        took = (datetime.now(UTC) - self._began).total_seconds()
        lines = [
            f"`{self._command}`, {self._began:%Y-%m-%d %H:%M} UTC, {took:.0f} s; "
            f"load average {self._load} before, {load()} after",
            f"{processor()}, {os.cpu_count()} cores, {flags()}; {platform.system()} {platform.release()}, "
            f"Python {platform.python_version()}",
            *more,
        ]
        return "\n".join(f"- {line}" for line in lines)

    def finish(
        self, figures: Sequence[Figure], section: str, target: Path | None, notes: Sequence[str] = (), parts: str = ""
    ) -> int:
        """Print the figures below `parts`, write both into a section of a file too, if one is given.

        Return the exit code: 1 where a figure missed its bound.
        """
        asked = ["git", "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=Path(__file__).parent).stdout
        rows = table(HEADS, [figure.row() for figure in figures])
        body = "\n\n".join(filter(None, [self.header([f"commit {commit.strip()}", *notes]), parts, rows]))
        print(body)
        if target:
            write_section(target, section, body)
        return int(any(figure.missed for figure in figures))


def processor() -> str:
    """The processor's name."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def flags() -> str:
    """The processor's features that the code can gain from, as far as the system tells."""
    here = set((_cpuinfo("flags") or _cpuinfo("Features")).split())
    wanted = ARM_FLAGS if "asimd" in here else FLAGS
    return ", ".join(f"{flag}" if flag in here else f"no {flag}" for flag in wanted) if here else "flags unknown"


def _cpuinfo(name: str) -> str:
    path = Path("/proc/cpuinfo")
    found = re.search(rf"^{name}\s*: (.*)$", path.read_text(), re.MULTILINE) if path.exists() else None
    return found[1].strip() if found else ""


def disk(directory: Path) -> str:
    """The file system of a directory, and what a write of 4 KiB with fsync takes there (median of 50)."""
    kind, best = "file system unknown", ""
    mounts = Path("/proc/mounts")
    for line in mounts.read_text().splitlines() if mounts.exists() else ():
        _, place, name, *_ = line.split()
        if directory.resolve().is_relative_to(place) and len(place) > len(best):
            kind, best = name, place
    times = []
    with tempfile.TemporaryFile(dir=directory, buffering=0) as file:
        for _ in range(50):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return f"{kind}, write of 4 KiB with fsync {ms(statistics.median(times))}"


def write_section(path: Path, name: str, body: str) -> None:
    """Put `body` between the markers `<!-- name -->` and `<!-- /name -->` of a file."""
    check_sections(path, [name])
    begin, end = _markers(name)
    old = path.read_text(encoding="utf-8")
    head, tail = old.split(begin)[0], old.split(end)[1]
    path.write_text(f"{head}{begin}\n{body}\n{end}{tail}", encoding="utf-8")


def check_sections(path: Path, names: Sequence[str]) -> None:
    """Leave before a long run whose results would have no place."""
    text = path.read_text(encoding="utf-8")
    for name in names:
        if any(text.count(marker) != 1 for marker in _markers(name)):
            sys.exit(f"{path} must hold {' and '.join(_markers(name))} once each; see docs/benchmarks.md")


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- /{name} -->"
