"""Do two commits rank alike? The same stores and questions for both: the shared sets, and made-up records.

    python bench/golden.py 6345c40 .                        two commits; `.` is the working tree
    python bench/golden.py 6345c40 . --keep DIR             stores and the first commit's answers stay for the next run
    python bench/golden.py 6345c40 . --sets docstring --records 2000 --asked 200

The stores are made once, by the first commit, through its own tools: items of the sets, some with tags, types,
namespaces and relations between them. Each commit then asks a copy of its own, at one fixed time and with the same
embeddings of the questions, so that only the ranking is compared. Two answers are alike where all scores are within
1e-5 and only records whose scores are so near stand in another order. Exit code 1 where others differ. The sets are
those of ../shared/bench, which must be beside this repository.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sets import SETS, load

HERE = Path(__file__).parent
CHILD = HERE / "golden_child.py"
TIE = 1e-5  # of a score
SHOWN = 5  # differing answers that are printed

Hit = tuple[str, float]
Answers = dict[str, list[Hit]]  # the hits of each question, best first


def main() -> int:
    arguments = _parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="indelible-golden-") as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with _tree(arguments.before, folder) as before, _tree(arguments.after, folder) as after:
            stores = _stores(before, folder, arguments)
            differing = sum(_compared(store, before, after) for store in stores)
    return 1 if differing else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="a commit")
    parser.add_argument("after", help="a commit, or . for the working tree")
    parser.add_argument("--sets", default=",".join(SETS), help="separated by commas; default: %(default)s")
    parser.add_argument("--records", type=int, default=100_000, help="made-up records, 0 for none")
    parser.add_argument("--asked", type=int, default=1_000, help="questions about these")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where stores stay")
    return parser


@contextmanager
def _tree(commit: str, folder: Path) -> Iterator[Path]:
    """The files of a commit, for as long as they are needed; those of the working tree as they are."""
    if commit == ".":
        yield HERE.parent
        return
    name = subprocess.run(
        ["git", "rev-parse", "--short", f"{commit}^{{commit}}"],
        cwd=HERE,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    place = folder / f"tree-{name}"
    if not place.exists():
        place.mkdir()
        archive = subprocess.run(["git", "archive", name], cwd=HERE.parent, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", str(place)], input=archive, check=True)
    yield place


def _stores(tree: Path, folder: Path, arguments: argparse.Namespace) -> list[Path]:
    """A folder for each corpus: `data`, `questions.json`, `embeddings.pickle`. Made by the first commit."""
    made = []
    for corpus in load(arguments.sets.split(",") if arguments.sets else [], None):
        place = folder / f"{corpus.set}-{corpus.name}"
        made.append(place)
        if not (place / "done").exists():
            place.mkdir(exist_ok=True)
            (place / "items.json").write_text(json.dumps([text for _, text in corpus.items]))
            (place / "questions.json").write_text(json.dumps([question.text for question in corpus.questions]))
            _child(tree, "fill", place)
    if arguments.records:
        place = folder / f"made-{arguments.records}-{arguments.asked}"
        made.append(place)
        if not (place / "done").exists():
            place.mkdir(exist_ok=True)
            _child(tree, "make", place, str(arguments.records), str(arguments.asked))
    return made


def _child(tree: Path, work: str, place: Path, *more: str) -> None:
    """Run a part of this with the code of a commit."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INDELIBLE_")}
    environment |= {"PYTHONPATH": f"{tree / 'src'}{os.pathsep}{HERE}", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, str(CHILD), work, str(place), *more], check=True, env=environment)


def _compared(store: Path, before: Path, after: Path) -> int:
    """Ask both, print what came of it, and return how many answers differ by more than ties."""
    with ThreadPoolExecutor(2) as both:
        some, others = both.map(lambda tree: _answers(tree, store), (before, after))
    ties = [question for question in some if some[question] != others[question]]
    worse = [question for question in ties if not alike(some[question], others[question])]
    hits = sum(map(len, some.values()))
    print(f"{store.name}: {len(some)} questions, {hits} hits, {len(ties)} not identical, {len(worse)} beyond ties")
    for question in worse[:SHOWN]:
        print(f"  {question}\n    {_shown(some[question])}\n    {_shown(others[question])}")
    sys.stdout.flush()
    return len(worse)


def _answers(tree: Path, store: Path) -> Answers:
    """The answers of a commit; those of a commit that were kept are taken from there."""
    kept = store / f"answers-{tree.name}.json"
    if not kept.exists() or tree == HERE.parent:
        _child(tree, "ask", store, str(kept))
    found: dict[str, list[list[Any]]] = json.loads(kept.read_text())
    return {question: [(str(id_), float(score)) for id_, score in hits] for question, hits in found.items()}


def alike(some: Sequence[Hit], others: Sequence[Hit]) -> bool:
    """Whether two answers differ by nothing but the order of ties, and by scores that are as near as these."""
    if len(some) != len(others) or any(abs(a[1] - b[1]) > TIE for a, b in zip(some, others, strict=True)):
        return False
    ours, theirs = dict(some), dict(others)
    for id_ in {*ours, *theirs}:
        if id_ in ours and id_ in theirs:
            if abs(ours[id_] - theirs[id_]) > TIE:
                return False
        elif {**ours, **theirs}[id_] - some[-1][1] > TIE:  # only of the last ones may another be taken
            return False
    return True


def _shown(hits: Sequence[Hit]) -> str:
    return ", ".join(f"{id_[:8]} {score:.6f}" for id_, score in itertools.islice(hits, 12))


if __name__ == "__main__":
    sys.exit(main())
