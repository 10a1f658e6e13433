"""Commits as records: the figures of recall with 50,000 of them indexed beside, and what a run of the index costs.

    python bench/commits.py REPOSITORY                                  a clone with its work tree, of 50,000 commits
    python bench/commits.py REPOSITORY --keep DIR                       the stores of the sets stay for the next run
    python bench/commits.py REPOSITORY --write docs/benchmarks.md       also into the document, between its markers

The commits are indexed from the repository, then stored in copies of the stores of the sets (bench/kept.py), in the
tables that a run of the index uses. The relations to symbols stay out there: no recall follows them.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import report
from all_sets import Scores, scored
from kept import MOST, OFF, asked, of_set
from sets import STICK

SETS = ("commit", "errorfix", "devmem")
WANTED = 50_000
SECTION = "commits"


def main() -> int:
    arguments = _parser().parse_args()
    if not (STICK / "datasets.py").is_file():
        sys.exit("../shared/bench/datasets.py is not beside this repository: nothing was measured")
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/commits.py", sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="indelible-commits-") as temporary:
        made, costs = _indexed(arguments.repository.resolve(), Path(temporary) / "data")
        rows = [row for name in SETS for row in _rows(name, arguments.keep or Path(temporary), made)]
    heads = ("set", "questions", "figure", "without", "with", "other answers")
    body = (
        f"{run.header([])}\n\n{report.table(('a run of the index', 'commits', 'seconds'), costs)}\n\n"
        f"{len(made):,} commits beside:\n\n{report.table(heads, rows)}"
    )
    print(body)
    if arguments.write:
        report.write_section(arguments.write, SECTION, body)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores of the sets stay")
    parser.add_argument("--write", type=Path, metavar="FILE", help=f"also write between <!-- {SECTION} --> and its end")
    return parser


def _indexed(repository: Path, data: Path) -> tuple[list[Any], list[list[str]]]:
    """Index the code, then its commits run by run; return their records and what the runs cost."""
    from indelible.core.context.context import open_context
    from indelible.settings import Settings
    from indelible.store.tables import records
    from indelible.toolsets.code import index

    ctx = open_context(Settings.load(str(data), environ=OFF))
    costs: list[list[str]] = []

    def timed(name: str, commits: int) -> Any:
        here = replace(ctx, settings=replace(ctx.settings, commits=commits))
        began = time.perf_counter()
        done = index.index(here, repository)
        costs.append([name, f"{done.commits:,}", f"{time.perf_counter() - began:.1f}"])
        return done

    timed("the code alone", 0)
    timed("nothing has changed, without commits", 0)
    done = timed("the newest commits, and which symbols they changed", WANTED)
    while done.commits_left:
        done = timed("the next ones", WANTED)
    timed("nothing has changed", WANTED)
    made = []
    with ctx.store.read() as tx:
        last = 0
        while page := records.after(tx, last, 2_000):
            made += [each for each in page if each.kind == "commit"]
            last = page[-1].id
    ctx.close()
    return made, costs


def _with(made: Sequence[Any]) -> Callable[[Any], None]:
    """Return what stores the commits in an open store."""
    from indelible.core.records import insert
    from indelible.search import tokens
    from indelible.store.tables import pending, records, terms

    words = [insert.words_of(each) for each in made]

    def prepare(ctx: Any) -> None:
        def work(tx: Any) -> None:
            ids = records.add_many(tx, [replace(each, id=0, uid="") for each in made])
            rows = [(i, sum(each.values()), tokens.pack(each)) for i, each in zip(ids, words, strict=True)]
            terms.put_many(tx, terms.COMMIT_WORDS, rows)
            pending.never(tx, ids)

        ctx.store.write(work)

    return prepare


def _rows(name: str, folder: Path, made: Sequence[Any]) -> list[list[str]]:
    before, after = Scores(), Scores()
    other, most, prepare = 0, MOST.get(name, 10), _with(made)
    for _, store, questions in of_set(folder, name):
        texts = [query.text for query in questions]
        pairs = zip(questions, asked(store, texts, most), asked(store, texts, most, prepare), strict=True)
        for query, one, two in pairs:
            other += one != two
            scored(before, name, query, one)
            scored(after, name, query, two)
    return [
        [name, str(len(before[figure])), figure]
        + [f"{statistics.fmean(each[figure]):.3f}" for each in (before, after)]
        + [str(other)]
        for figure in before
    ]


if __name__ == "__main__":
    sys.exit(main())
