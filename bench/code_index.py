"""What indexing source code costs, beside its grammars alone, and how look-ups grow with the number of symbols.

    python bench/code_index.py /path/to/Django-5.2.19                      all figures; exit code 1 where one is missed
    python bench/code_index.py TREE --runs 1 --symbols 20000 --no-gate
    python bench/code_index.py TREE --write docs/benchmarks.md             also into the document, between its markers

Everything runs without models: the time until symbols have their embeddings is that of the encoder. The program is
compiled before, as an installed one is: three processes that compile it take a third of a second. The grammars parse
every file that is indexed, one after another in one process, as tree-sitter's own `Parser.parse` does, before and after
each run; the index is that of a new store. Of several runs the median counts, also of their ratios. Run it on a machine
with nothing else to do.
"""

import argparse
import compileall
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import report
from report import Figure, ms, percentile

os.environ["INDELIBLE_ENCODER"] = "off"

MOST_TIMES = 4.0  # the grammars alone
MOST_EDIT = 0.05  # of the whole
MOST_MEMORY = 700  # MiB, all processes together
MOST_GROWTH = 2.0  # a look-up with a hundred times as many symbols
EDITS = 7
FEW, PER_FILE, LOOKUPS = 1_000, 50, 200
SEED = 8
SECTION = "code index"
PAGE = os.sysconf("SC_PAGE_SIZE")
SOURCE = Path(__file__).resolve().parent.parent / "src" / "indelible"


def main() -> int:
    arguments = _parser().parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/code_index.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-bench-", dir=arguments.work))
    compileall.compile_dir(SOURCE, quiet=2)
    try:
        disk = report.disk(folder)
        tree = folder / "tree"
        shutil.copytree(arguments.tree, tree, symlinks=True)
        figures = [*_whole(tree, folder, arguments.runs), *_lookups(folder, arguments.symbols)]
    finally:
        shutil.rmtree(folder)
    body = f"{run.header([disk])}\n\n{report.table(report.HEADS, [f.row() for f in figures])}"
    print(body)
    if arguments.write:
        report.write_section(arguments.write, SECTION, body)
    missed = [figure for figure in figures if figure.missed]
    for figure in missed:
        print(f"missed: {figure.what}", file=sys.stderr)
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, help="a directory of source code; it is copied, and the copy is edited")
    parser.add_argument("--runs", type=int, default=3, help="of the grammars and of the index; default: %(default)s")
    parser.add_argument("--symbols", type=int, default=100_000, help="of the larger store; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- code index --> and its end")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where trees and stores are made; default: temporary")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


# --- The whole and an edit ---


def _whole(tree: Path, folder: Path, runs: int) -> Iterator[Figure]:
    grammars = _Grammars(tree)
    alone = [grammars.seconds()]
    walls, cpus, peaks, ratios, said = [], [], [], [], ""
    for number in range(runs):
        data = folder / f"store{number}"
        wall, used, peak, said = _indexed(tree, data)
        walls.append(wall)
        cpus.append(used)
        peaks.append(peak)
        alone.append(grammars.seconds())
        ratios.append(wall / statistics.mean(alone[-2:]))  # before and after: a machine has slow minutes
    wall = statistics.median(walls)
    rate = grammars.size / wall / 1e6
    yield Figure("tree-sitter alone parses every file, one process", None, f"{statistics.median(alone):.2f} s")
    yield Figure(
        "`indelible index` of a new store",
        statistics.median(ratios),
        f"{wall:.2f} s ({statistics.median(cpus):.2f} s of processor; the runs' ratios {min(ratios):.2f} to "
        f"{max(ratios):.2f}), {rate:.1f} MB/s; {said}",
        most=MOST_TIMES,
    )
    yield Figure(
        "its memory, all processes at one moment", None, f"{max(peaks):.0f} MiB", MOST_MEMORY, None, max(peaks), " MiB"
    )
    yield from _edits(tree, data, wall)


class _Grammars:
    """The grammars alone, each file with that of its language; `size` is the bytes of all files that have one."""

    def __init__(self, tree: Path) -> None:
        from tree_sitter import Parser

        from indelible.source import source
        from indelible.source.parse.languages import language_of
        from indelible.source.parse.parsing import grammar_of

        self._bodies = []
        for path in source.scan(tree.resolve()).files:
            body = (tree / path).read_bytes()
            language = language_of(path, body[:4096])
            if language is not None and language.read is None:  # Markdown and SQL have no grammar
                self._bodies.append((Parser(grammar_of(language).language), body))
        self.size = sum(len(body) for _, body in self._bodies)

    def seconds(self) -> float:
        """Parse every file, and return how long that took."""
        began = time.perf_counter()
        for parser, body in self._bodies:
            parser.parse(body)
        return time.perf_counter() - began


def _indexed(tree: Path, data: Path) -> tuple[float, float, float, str]:
    """Seconds of the wall and the processor, MiB at most at one moment, and what the command says of its index."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [sys.executable, "-m", "indelible", "index", str(tree), "--data", str(data)]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    peak = 0.0
    while running.poll() is None:
        peak = max(peak, _memory(running.pid))
        time.sleep(0.05)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert running.stderr is not None
    said = running.stderr.read().strip()
    if running.returncode:
        sys.exit(f"indelible index failed: {said}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, peak, said.partition(" s: ")[2]


def _memory(process: int) -> float:
    """MiB that a process and those that it started have in memory now; what they share counts for each."""
    total = 0
    for each in (process, *_started_by(process)):
        try:
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * PAGE
        except OSError:  # it has just ended
            continue
    return total / (1 << 20)


def _started_by(process: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{process}/task").iterdir()
        found = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [*found, *(inner for each in found for inner in _started_by(each))]


def _edits(tree: Path, data: Path, whole: float) -> Iterator[Figure]:
    """What a server does after one edit: by the engine, in a process that is there already."""
    from indelible.core.context.context import open_context
    from indelible.settings import Settings
    from indelible.source import source
    from indelible.toolsets.code import index

    ctx = open_context(Settings(data=data, start=tree, home=tree.parent / "home"))
    try:
        index.index(ctx, tree.resolve())
        files = [tree / path for path in sorted(source.scan(tree.resolve()).files) if path.endswith(".py")]
        chosen = [files[len(files) * (2 * number + 1) // (2 * EDITS)] for number in range(EDITS)]
        kinds: list[tuple[str, Callable[[Path, int], str]]] = [
            ("the body of a function", lambda file, number: f"{file.read_text()}\n\n# {number}\n"),
            ("a function is new", lambda file, number: f"{file.read_text()}\n\ndef bench_{number}():\n    pass\n"),
        ]
        for what, changed in kinds:
            walls = []
            for number, file in enumerate(chosen):
                file.write_text(changed(file, number))
                began = time.perf_counter()
                index.index(ctx, tree.resolve())
                walls.append(time.perf_counter() - began)
            wall = statistics.median(walls)
            figures = f"{ms(wall)} (the slowest {ms(max(walls))})"
            yield Figure(f"index again after one edit: {what}", wall / whole, figures, most=MOST_EDIT)
        began = time.perf_counter()
        index.index(ctx, tree.resolve())
        yield Figure("index again, nothing changed", (time.perf_counter() - began) / whole, "", most=MOST_EDIT)
    finally:
        ctx.close()


# --- Look-ups ---


def _lookups(folder: Path, many: int) -> Iterator[Figure]:
    """The same look-ups in a codebase of a thousand symbols and in one of many."""
    few, large = _measured(folder / "few", FEW), _measured(folder / "many", many)
    for what, (before, after) in {name: (few[name], large[name]) for name in few}.items():
        small, big = percentile(before, 50), percentile(after, 50)
        figures = f"p50 {ms(small)} of {FEW:,}, {ms(big)} of {many:,} symbols (p95 {ms(percentile(after, 95))})"
        yield Figure(f"{what}, {many // FEW} times the symbols", big / small, figures, most=MOST_GROWTH)


def _measured(folder: Path, count: int) -> dict[str, list[float]]:
    from indelible.core.context.context import open_context
    from indelible.settings import Settings
    from indelible.toolsets.code import index, lookup

    tree = folder / "tree"
    names = _made_up(tree, count)
    asked = names[: FEW : FEW // LOOKUPS]
    ctx = open_context(Settings(data=folder / "data", start=tree, home=folder))
    try:
        index.index(ctx, tree)
        return {
            "search_symbols": _timed(lambda name: lookup.search_symbols(ctx, _last(name), None, 20), asked),
            "search_symbols by a part of a name": _timed(
                lambda name: lookup.search_symbols(ctx, _last(name)[2:-2], None, 20), asked
            ),
            "get_symbol_info by the qualified name": _timed(lambda name: lookup.symbol_info(ctx, name), asked),
            "get_symbol_info by its end": _timed(lambda name: lookup.symbol_info(ctx, _last(name)), asked),
        }
    finally:
        ctx.close()


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _made_up(tree: Path, count: int) -> list[str]:
    """Modules of functions, each with a name of its own, of three words out of 4,096; their qualified names."""
    tree.mkdir(parents=True)
    dice = random.Random(SEED)
    sounds = [f"{first}{second}" for first in "bcdfghklmnprstvz" for second in "aeio"]
    words = [one + two for one in sounds for two in sounds]
    names = []
    for first in range(0, count, PER_FILE):
        functions = [f"{'_'.join(dice.choices(words, k=3))}_{n:x}" for n in range(first, first + PER_FILE)]
        body = "\n\n".join(f"def {name}(given):\n    return given\n" for name in functions)
        (tree / f"m{first // PER_FILE}.py").write_text(body)
        names += [f"m{first // PER_FILE}.{name}" for name in functions]
    return names


def _timed(ask: Callable[[str], object], names: Sequence[str]) -> list[float]:
    found = []
    for name in [*names[:10], *names]:
        began = time.perf_counter()
        ask(name)
        found.append(time.perf_counter() - began)
    return found[10:]


if __name__ == "__main__":
    sys.exit(main())
