"""Does recall find the right memories? The shared measuring stick over MCP, SQLite's FTS5 in the same run beside it.

    python bench/quality.py                                 all sets; exit code 1 where a floor is missed
    python bench/quality.py --sets locomo,docstring --max-items 200 --no-gate
    python bench/quality.py --write docs/benchmarks.md      also into the document, between its markers

It runs ../shared/bench/quality.py, which must be beside this repository. LoCoMo is CC BY-NC 4.0, for measuring only.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import report
from client import INDELIBLE, environment
from report import Figure

STICK = Path(__file__).resolve().parents[1].parent / "shared" / "bench"
SETS = ("locomo", "commit", "errorfix", "changelog", "docstring")
BASE, OURS = "inproc:fts5", "adapters/indelible.json"
FLOORS = {"locomo": 0.57, "docstring": 0.64}  # recall@10 that words alone must reach
BEHIND = 0.03  # recall@10 that any set may lie below FTS5's

HEADS = ("set", "queries", "by", "recall@10", "MRR", "hit@10", "session recall@5", "recall p50", "recall p95")


def main() -> int:
    arguments = _parser().parse_args()
    sets = arguments.sets.split(",")
    unknown = sorted(set(sets) - set(SETS))
    if unknown:
        sys.exit(f"--sets: unknown set {unknown[0]!r}; there are {', '.join(SETS)}")
    if not (STICK / "quality.py").is_file():
        sys.exit("../shared/bench/quality.py is not beside this repository: the quality was NOT measured")
    if not INDELIBLE.exists():
        sys.exit(f"{INDELIBLE} is missing; install the package for this Python: {sys.executable} -m pip install -e .")
    run = report.Run("bench/quality.py", sys.argv[1:])
    rows, figures = [], []
    for name in sets:
        base, ours = (_measured(target, name, arguments.max_items) for target in (BASE, OURS))
        rows += [_row(name, "SQLite FTS5", base), _row(name, "Indelible", ours)]
        figures += _judged(name, base, ours)
    body = "\n\n".join(
        [run.header(), report.table(HEADS, rows), report.table(report.HEADS, [figure.row() for figure in figures])]
    )
    print(body)
    if arguments.write:
        report.write_section(arguments.write, "quality", body)
    missed = [figure for figure in figures if figure.missed]
    for figure in missed:
        print(f"missed: {figure.what}", file=sys.stderr)
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(SETS), help="separated by commas; default: %(default)s")
    parser.add_argument("--max-items", type=int, help="store only so many of a corpus, for a smoke run")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- quality --> and its end")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a floor is missed")
    return parser


def _measured(target: str, data: str, max_items: int | None) -> dict[str, Any]:
    """What the measuring stick says of one target on one set."""
    print(f"{data}, {target} (load average {report.load()}) ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="indelible-quality-") as folder:
        out = Path(folder) / "out.json"
        command = [sys.executable, "quality.py", target, "--data", data, "--out", str(out)]
        if max_items is not None:
            command += ["--max-items", str(max_items)]
        subprocess.run(command, check=True, cwd=STICK, env=environment(), stdout=subprocess.DEVNULL)
        measured: dict[str, Any] = json.loads(out.read_text())
    return measured


def _row(name: str, by: str, measured: dict[str, Any]) -> tuple[str, ...]:
    item, times = measured["item"]["all"], measured["recall_ms"]
    session = measured.get("session", {}).get("all", {}).get("recall@5")
    return (
        name,
        str(measured["queries"]),
        by,
        *(f"{item[key]:.3f}" for key in ("recall@10", "mrr", "hit@10")),
        "" if session is None else f"{session:.3f}",
        *(f"{times[key]:.1f} ms" for key in ("p50", "p95")),
    )


def _judged(name: str, base: dict[str, Any], ours: dict[str, Any]) -> list[Figure]:
    """The set against its floor and against FTS5; a call that failed is no measurement."""
    words, plain = (measured["item"]["all"]["recall@10"] for measured in (ours, base))
    ratio = words / plain if plain else None
    figures = [
        Figure(
            f"{name}, recall@10 / that of FTS5",
            ratio,
            f"{words:.3f} / {plain:.3f}, difference {words - plain:+.3f}",
            least=-BEHIND,
            value=words - plain,
            unit=" difference",
        )
    ]
    if name in FLOORS:
        figures.append(Figure(f"{name}, recall@10", None, f"{words:.3f}", least=FLOORS[name], value=words))
    for by, measured in (("FTS5", base), ("Indelible", ours)):
        if measured["errors"]:
            said = f"{measured['errors']}: {'; '.join(measured['first_errors'])}"
            figures.append(Figure(f"{name}, calls of {by} that failed", None, said, most=0, value=measured["errors"]))
    return figures


if __name__ == "__main__":
    sys.exit(main())
