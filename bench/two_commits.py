"""Steps of bench/speed.py on two commits in turn, and the second's figures beside the first's.

    python bench/two_commits.py 453cc25 . --steps start,recall,cli          `.` is the working tree
    python bench/two_commits.py HEAD~9 HEAD --steps recall_cost --rounds 5 --write docs/benchmarks.md

The scripts are those of the working tree for both: what they start and import is the commit's, which comes first in
PYTHONPATH. So both commits must run with the packages of this environment. Each round runs both, in alternating order;
a figure is the median of its rounds. No verdict: the issue or the reader says what is asked.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import report

HERE = Path(__file__).parent
ROOT = HERE.parent
HEADS = ("what", "unit", "before", "after", "after / before")
SECTION = "two-commits"

Rounds = dict[str, list[float]]  # of each figure, by its name


def main() -> int:
    arguments = _parser().parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/two_commits.py", sys.argv[1:])
    found: tuple[Rounds, Rounds] = ({}, {})
    units: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="indelible-two-") as temporary:
        folder = Path(temporary)
        with _tree(arguments.before, folder / "before") as before, _tree(arguments.after, folder / "after") as after:
            for number in range(arguments.rounds):
                both = [(before, found[0]), (after, found[1])]
                for tree, rounds in both if number % 2 == 0 else reversed(both):
                    _add(rounds, units, _figures(tree, folder / "figures.json", arguments))
    named = f"before: {_name(arguments.before)}; after: {_name(arguments.after)}; rounds: {arguments.rounds}"
    body = f"{run.header([named, report.disk(Path(tempfile.gettempdir()))])}\n\n{_table(*found, units)}"
    print(body)
    if arguments.write:
        report.write_section(arguments.write, SECTION, body)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="a commit")
    parser.add_argument("after", help="a commit, or . for the working tree")
    parser.add_argument("--steps", required=True, help="of bench/speed.py, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="how often each commit is measured; default: 3")
    parser.add_argument("--scale", type=float, default=1.0, help="as bench/speed.py takes it; default: 1")
    parser.add_argument("--write", type=Path, metavar="FILE", help=f"also write between <!-- {SECTION} --> and its end")
    return parser


@contextmanager
def _tree(commit: str, place: Path) -> Iterator[Path]:
    """The files of a commit, in a working tree of git that is there for as long."""
    if commit == ".":
        yield ROOT
        return
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(place), commit], check=True)
    try:
        yield place
    finally:
        subprocess.run([*git, "remove", "--force", str(place)], check=True)


def _name(commit: str) -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD" if commit == "." else commit]
    short = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return f"the working tree on {short}" if commit == "." else short


def _figures(tree: Path, path: Path, arguments: argparse.Namespace) -> list[dict[str, object]]:
    """What one run of bench/speed.py measures with the package of a tree."""
    command = [sys.executable, str(HERE / "speed.py"), "--steps", arguments.steps, "--json", str(path)]
    command += ["--scale", str(arguments.scale), "--no-gate"]
    env = {**os.environ, "PYTHONPATH": str(tree / "src")}
    subprocess.run(command, check=True, env=env, cwd=tree, stdout=subprocess.DEVNULL)
    found: list[dict[str, object]] = json.loads(path.read_text())
    return found


def _add(rounds: Rounds, units: dict[str, str], figures: list[dict[str, object]]) -> None:
    """Keep each figure's value, or its ratio where it has no value of its own."""
    for figure in figures:
        value, what = figure["ratio"] if figure["value"] is None else figure["value"], str(figure["what"])
        if isinstance(value, int | float):
            rounds.setdefault(what, []).append(float(value))
            units[what] = "ratio" if figure["value"] is None else str(figure["unit"]).strip()


def _table(before: Rounds, after: Rounds, units: dict[str, str]) -> str:
    """Medians with the least and the most; a figure that only one commit has stands alone."""
    rows = []
    for what, unit in units.items():
        first, second = before.get(what), after.get(what)
        ratio = ""
        if first and second and statistics.median(first):
            ratio = f"{statistics.median(second) / statistics.median(first):.2f}"
        rows.append((what, unit, _spread(first), _spread(second), ratio))
    return report.table(HEADS, rows)


def _spread(values: list[float] | None) -> str:
    if not values:
        return ""
    return f"{statistics.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


if __name__ == "__main__":
    sys.exit(main())
