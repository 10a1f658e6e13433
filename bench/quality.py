"""Does recall find the right memories, and nothing where there are none? The shared sets over MCP, FTS5 beside them.

    python bench/quality.py                                 all steps; exit code 1 where a target is missed
    python bench/quality.py --steps sets,order --sets locomo,docstring --max-items 200 --no-gate
    python bench/quality.py --write docs/benchmarks.md      also into the document, between each step's markers

The sets are those of ../shared/bench, which must be beside this repository. LoCoMo is CC BY-NC 4.0, for measuring
only. A run has an encoder of its own: its servers find their socket in a folder that goes with the run.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import chats
import code_search
import documents
import honesty
import popularity
import projects
import recalling
import report
from asking import Lab
from client import INDELIBLE
from report import Figure
from sets import SETS, STICK, load

Step = Callable[[Lab], tuple[str, list[Figure]]]
STEPS: dict[str, Step] = {
    "sets": recalling.sets,
    "order": recalling.order,
    "honesty": honesty.honesty,
    "popularity": popularity.popularity,
    "projects": projects.projects,
    "chats": chats.chats,
    "documents": documents.documents,
    "code": code_search.code,
}
MARKERS = {
    "sets": "quality",
    "code": "code-search",
}  # the section of a step in the document; another step's has its own name


def main() -> int:
    arguments = _parser().parse_args()
    sets, steps = (_chosen(arguments, name, known) for name, known in (("sets", SETS), ("steps", tuple(STEPS))))
    if not (STICK / "datasets.py").is_file():
        sys.exit("../shared/bench/datasets.py is not beside this repository: the quality was NOT measured")
    if not INDELIBLE.exists():
        sys.exit(f"{INDELIBLE} is missing; install the package for this Python: {sys.executable} -m pip install -e .")
    if arguments.write:
        _check_markers(arguments.write, steps)
    # Short, since a socket's path in it may have a hundred characters only.
    lab = Lab(Path(tempfile.mkdtemp(prefix="ib-")), load(sets, arguments.max_items))
    missed: list[Figure] = []
    try:
        for step in steps:
            missed += _taken(step, lab, arguments.write)
    finally:
        lab.close()
    for figure in missed:
        print(f"missed: {figure.what}", file=sys.stderr)
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default=",".join(STEPS), help="separated by commas; default: %(default)s")
    parser.add_argument("--sets", default=",".join(SETS), help="separated by commas; default: %(default)s")
    parser.add_argument(
        "--max-items", type=int, help="store only so many of a corpus and ask only what these answer, for a smoke run"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- STEP --> and its end")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


def _chosen(arguments: argparse.Namespace, option: str, known: tuple[str, ...]) -> list[str]:
    """The names that an option lists, in their own order."""
    given = getattr(arguments, option).split(",")
    unknown = sorted(set(given) - set(known))
    if unknown:
        sys.exit(f"--{option}: unknown {option[:-1]} {unknown[0]!r}; there are {', '.join(known)}")
    return [name for name in known if name in given]


def _check_markers(path: Path, steps: list[str]) -> None:
    """Leave before a long run whose results would have no place."""
    text = path.read_text(encoding="utf-8")
    for name in (MARKERS.get(step, step) for step in steps):
        if not (text.count(f"<!-- {name} -->") == text.count(f"<!-- /{name} -->") == 1):
            sys.exit(f"{path} must hold <!-- {name} --> and <!-- /{name} --> once each; see docs/benchmarks.md")


def _taken(name: str, lab: Lab, write: Path | None) -> list[Figure]:
    """Take a step, show and write what it says; the figures that miss their target."""
    print(f"{name} (load average {report.load()}) ...", file=sys.stderr, flush=True)
    run = report.Run("bench/quality.py", sys.argv[1:])
    meant, by_words, failed = lab.by_meaning, lab.by_words, len(lab.failed)
    said, figures = STEPS[name](lab)
    failures = lab.failed[failed:]
    if failures:
        shown = f"{len(failures)}: {'; '.join(failures[:3])}"
        figures = [*figures, Figure("recalls that failed", None, shown, most=0, value=len(failures))]
    with_hits = (
        f"embeddings, as codemem_health says: {'; '.join(sorted(lab.encoders))}; recalls with hits: "
        f"{lab.by_meaning - meant:,} with a vector_similarity in one at least, {lab.by_words - by_words:,} with none"
    )
    judged = report.table(report.HEADS, [figure.row() for figure in figures]) if figures else "nothing was measured"
    body = "\n\n".join(part for part in (run.header([with_hits]), said, judged) if part)
    print(f"\n{name}\n\n{body}", flush=True)
    if write:
        report.write_section(write, MARKERS.get(name, name), body)
    return [figure for figure in figures if figure.missed]


if __name__ == "__main__":
    sys.exit(main())
