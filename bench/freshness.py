"""What memories say of the code that they name, 200 commits later, against git's own truth.

    python bench/freshness.py /path/to/repositories                        all figures; exit code 1 where one is missed
    python bench/freshness.py DIR --only psf/requests --no-gate
    python bench/freshness.py DIR --write docs/benchmarks.md               also into the document, between its markers

DIR holds a repository (bare, or with a work tree) of each project as `owner+name/repo` or `owner+name`.

The three repositories below were named before anything was run on them; everything was written and tried on those of
`DEVELOPED_ON`. `BEFORE` are those held out before, whose runs showed faults of the truth and of what is said. Of each,
windows of 200 commits of the first-parent history are replayed, the last ending at HEAD: each tenth commit is
checked out and indexed. At the first commit of a window a memory is written of each of some symbols, drawn by a seed
from those that git tells apart: the line that defines the name is the only one of its kind in its file. Half of the
memories name the file too, and all where another symbol has the name.

Truth is what `freshness_truth.py` says, from git's blame and diff and the lines that define names. A memory whose
link was never made, since its name was ambiguous, counts as saying nothing.
"""

import argparse
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import report
from freshness_truth import Chosen, Repository
from report import Figure

os.environ["INDELIBLE_ENCODER"] = "off"

REPOSITORIES = ("pallets/jinja", "junegunn/fzf", "eza-community/eza")  # named 2026-11-28 22:24 UTC, after 2c0994e
BEFORE = (
    *(("encode/httpx", "go-chi/chi", "sharkdp/bat"), ("pallets/werkzeug", "labstack/echo", "sharkdp/fd")),
    ("encode/starlette", "charmbracelet/bubbletea", "dandavison/delta"),  # named 2026-11-28 21:54 UTC, in 890ed07
)
DEVELOPED_ON = (
    *("psf/requests", "pallets/click", "Textualize/rich", "spf13/afero", "urfave/cli", "gin-gonic/gin"),
    *("sharkdp/hyperfine", "BurntSushi/ripgrep", "clap-rs/clap"),
)
WINDOW, STEP, WINDOWS = 200, 10, 3  # commits, commits between two runs of the index, windows of a repository
MEMORIES = 200  # of a window
SEED = 27
LEAST_PRECISION, LEAST_RECALL = 0.95, 0.9
MOST_LABEL, MOST_RUN = 1.0, 1.2  # milliseconds a hit; times a run without links
SECTION = "freshness"
CLASSES = ("changed", "moved", "gone")

DEFINES = {  # the line that defines a name
    ".py": r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{name}\b",
    ".go": r"^(?:func (?:\([^)]*\) )?|type |\t){name}(?:\(|\[| struct\b| interface\b| func\b)",
    ".rs": r"^[ \t]*(?:pub(?:\([a-z]+\))? )?(?:async |const |unsafe )*(?:fn|struct|enum|trait|type|mod) {name}\b",
}
TEMPLATES = (
    "`{name}` must not be called twice, the second call waits for the first",
    "we decided to keep `{name}` as it is, since callers outside depend on it",
    "`{name}` in {path} is where the time goes when many requests come at once",
    "see {path}: `{name}` returns early where nothing is configured",
)


# --- One window ---


class Window:
    """The replay of one window: a store, a checkout, and the memories of its first commit."""

    def __init__(self, repository: Repository, commits: list[str], folder: Path) -> None:
        from indelible.core.context.context import open_context
        from indelible.settings import Settings

        self.repository, self.commits = repository, commits
        self.tree = folder / "tree"
        (self.tree / ".git").mkdir(parents=True)
        self._index = folder / "index"
        self.checkout(commits[0])
        self.ctx = open_context(Settings(data=folder / "data", start=self.tree, home=folder / "home"))
        self.run()

    def checkout(self, commit: str) -> None:
        """Make the files those of a commit, as git does: only what differs is written."""
        more = {"env": {**os.environ, "GIT_INDEX_FILE": str(self._index)}}
        self.repository.git(f"--work-tree={self.tree}", "read-tree", "-u", "--reset", commit, **more)

    def run(self) -> float:
        from indelible.toolsets.code import index

        began = time.perf_counter()
        index.index(self.ctx, self.tree.resolve())
        return time.perf_counter() - began

    def choose(self) -> list[Chosen]:
        """The symbols that memories are written of."""
        from indelible.store.tables import records, repositories, source_files, symbols

        commit = self.commits[0]
        with self.ctx.store.read() as tx:
            (codebase,) = repositories.everything(tx)
            files = [file.record for file in source_files.of_repository(tx, codebase.id)]
            found = symbols.of_files(tx, files)
            assert records
        fitting = []
        count = Counter(each.row.name for each in found)
        for each in found:
            row, path = each.row, each.path
            if row.is_test or "test" in path.lower() or Path(path).suffix not in DEFINES or each.kind == "module":
                continue
            if path in self.repository.files(commit) and self._defining(path, row.name) == 1:
                pattern = re.compile(DEFINES[Path(path).suffix].format(name=re.escape(row.name)), re.MULTILINE)
                lines = self.repository.lines(commit, path)[row.start_line - 1 : row.end_line]
                if any(pattern.match(line) for line in lines[:20]):
                    parts = symbols.segments(row.qualified_name)
                    inner = row.parent and each.kind == "method"
                    name = ".".join(parts[-2:]) if inner else row.name
                    fitting.append(Chosen(name, row.name, path, row.start_line, row.end_line, count[row.name] == 1))
        fitting.sort(key=lambda chosen: (chosen.path, chosen.first_line, chosen.name))
        return random.Random(SEED).sample(fitting, min(MEMORIES, len(fitting)))

    def _defining(self, path: str, name: str) -> int:
        """How many lines of a file at the first commit define a name."""
        pattern = re.compile(DEFINES[Path(path).suffix].format(name=re.escape(name)))
        return sum(pattern.match(line) is not None for line in self.repository.lines(self.commits[0], path))

    def remember(self, chosen: list[Chosen]) -> list[int]:
        """Write a memory of each; their records in that order."""
        from indelible.store.tables import records
        from indelible.toolsets import registry
        from indelible.toolsets.code import links

        keys = []
        tool = registry.find_tool("store_memory")
        for number, each in enumerate(chosen):
            among = TEMPLATES if each.is_alone else TEMPLATES[2:]
            text = among[number % len(among)].format(name=each.name, path=each.path)
            stored = registry.call(self.ctx, tool, {"content": f"{text} (note {number})"})
            keys.append(stored.value["id"])
        links.catch_up(self.ctx)
        with self.ctx.store.read() as tx:
            return [records.by_key(tx, key)[0].id for key in keys]

    def said(self, ids: list[int], chosen: list[Chosen]) -> Iterator[tuple[str, bool]]:
        """What each memory says of its symbol: the state, "" for nothing, and whether it changed."""
        from indelible.store.views import freshness

        with self.ctx.store.read() as tx:
            states = freshness.of_records(tx, ids)
        for record, each in zip(ids, chosen, strict=True):
            own = [state for state in states.get(record, ()) if state.name in (each.name, each.last)]
            yield (own[0].state, own[0].changed or own[0].state == "changed") if own else ("", False)


def replayed(repository: Repository, commits: list[str], folder: Path, counts: Counter[str], verbose: bool) -> None:
    """Replay one window, and count what memories say against what git says."""
    window = Window(repository, commits, folder)
    try:
        chosen = window.choose()
        ids = window.remember(chosen)
        for at in range(STEP, len(commits), STEP):
            window.checkout(commits[at])
            window.run()
        for each, (state, differs) in zip(chosen, window.said(ids, chosen), strict=True):
            true, changed, place = repository.became(each, commits[0], commits[-1])
            real = {true, *(["changed"] if changed else [])}
            told = {state, *(["changed"] if differs else [])}
            counts["memories"] += 1
            counts["said nothing"] += not state
            for name in CLASSES:
                counts[f"{name} hit"] += name in real & told
                counts[f"{name} told"] += name in told
                counts[f"{name} true"] += name in real
            if verbose and real - {"fresh"} != told - {"fresh", ""}:
                print(f"  {each.path}:{each.first_line} {each.name}: git {sorted(real)} {place}, told {sorted(told)}")
    finally:
        window.ctx.close()


# --- What it costs ---


def costs(repository: Repository, commits: list[str], folder: Path, runs: int) -> tuple[float, float, float]:
    """Milliseconds of a label a hit; seconds of a run over all 200 commits with links, and without any memory."""
    label, linked, plain = [], [], []
    for number in range(runs):
        for times, with_links in ((linked, True), (plain, False)):
            window = Window(repository, commits, folder / f"{number}{with_links}")
            try:
                ids = window.remember(window.choose()) if with_links else []
                window.checkout(commits[-1])
                times.append(window.run())
                if with_links:
                    label.append(_label(window, ids))
            finally:
                window.ctx.close()
            shutil.rmtree(folder / f"{number}{with_links}")
    return statistics.median(label), statistics.median(linked), statistics.median(plain)


def _label(window: Window, ids: list[int]) -> float:
    """Milliseconds that the code of ten hits costs beside their newer versions, a hit."""
    from indelible.store.tables import edges
    from indelible.store.views import freshness

    took: dict[bool, list[float]] = {True: [], False: []}
    drawing = random.Random(SEED)
    for number in range(400):
        ten = drawing.sample(ids, min(10, len(ids)))
        with_code = bool(number % 2)
        with window.ctx.store.read() as tx:
            tx.rows("code_links.any_repository")
            began = time.perf_counter()
            if with_code:
                freshness.with_newer(tx, ten)
            else:
                edges.newer(tx, ten)
            took[with_code].append((time.perf_counter() - began) * 1_000 / len(ten))
    return statistics.median(took[True]) - statistics.median(took[False])


# --- All ---


def main() -> int:
    arguments = _parser().parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    given = ["MIRROR" if each == str(arguments.directory) else each for each in sys.argv[1:]]  # no path of a machine
    run = report.Run("bench/freshness.py", given)
    folder = Path(tempfile.mkdtemp(prefix="indelible-bench-", dir=arguments.work))
    names = tuple(arguments.only or REPOSITORIES)
    figures: list[Figure] = []
    pooled: Counter[str] = Counter()
    try:
        disk = report.disk(folder)
        for name in names:
            repository = Repository(arguments.directory / name.replace("/", "+"))
            counts: Counter[str] = Counter()
            every = repository.commits()
            for number in range(WINDOWS):
                end = len(every) - 1 - number * WINDOW
                if end < WINDOW:
                    break
                place = folder / f"{name.replace('/', '-')}-{number}"
                replayed(repository, every[end - WINDOW : end + 1], place, counts, arguments.verbose)
                shutil.rmtree(place)
            pooled.update(counts)
            figures += _quality(f"{name}, HEAD {every[-1][:10]}", counts, gate=False)
            last = every[-1 - WINDOW :]
            if arguments.runs:
                label, linked, plain = costs(repository, last, folder / "costs", arguments.runs)
                figures.append(
                    Figure(f"{name}: a label costs, a hit", None, f"{label:.3f} ms", MOST_LABEL, None, label, " ms")
                )
                figures.append(
                    Figure(
                        f"{name}: a run of the index over 200 commits, with {MEMORIES} linked memories and without",
                        linked / plain,
                        f"{linked:.2f} s and {plain:.2f} s",
                        most=MOST_RUN,
                    )
                )
        figures = [*_quality("all", pooled, gate=True), *figures]
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


def _quality(what: str, counts: Counter[str], *, gate: bool) -> Iterator[Figure]:
    nothing = f"{counts['said nothing']} of {counts['memories']} said nothing"
    for name in CLASSES:
        hits, told, true = (counts[f"{name} {each}"] for each in ("hit", "told", "true"))
        for figure, of, least in (("precision", told, LEAST_PRECISION), ("recall", true, LEAST_RECALL)):
            value = hits / of if of else 1.0
            yield Figure(
                *(f"{what}: {figure} of {name}", None, f"{value:.3f} ({hits} of {of}; {nothing})"),
                **({"least": least, "value": value} if gate else {}),
            )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="where the repositories are")
    parser.add_argument("--only", nargs="+", metavar="OWNER/NAME", help="these, in place of those held out")
    parser.add_argument("--runs", type=int, default=3, help="of what is timed, 0 for none; default: %(default)s")
    parser.add_argument("--verbose", action="store_true", help="print each symbol of which git says otherwise")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- freshness --> and its end")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where trees and stores are made; default: temporary")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
