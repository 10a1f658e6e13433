"""How often the file that a follow-up fix changed is among the first ten that `review_diff` names.

    python bench/review_diff.py --mirror DIR --evidence DIR [--write docs/benchmarks.md] [--set report]

The cases, and the rule that picks them, are those of bench/review_cases.py; the evidence is gathered by
bench/review_evidence.py first. Compared in the same run, on the same cases: files that usually change together alone
(the same statistics), dependents alone (as `get_impact` knows them: by the sum of the confidence of their relations to
what changed), and all evidence together. The history of a case ends before its first commit.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import report
import review_cases

from indelible.source.history.cochange import CoChanges
from indelible.source.history.git import Git
from indelible.source.history.mentions import Name
from indelible.source.history.missing import Evidence, Use, ranked

FIRST = 10
MOST_COMMITS = 10_000  # of the history that counts
BETTER_BY = 0.08
SECTION = "review of a change"


class Judged(NamedTuple):
    """A case as it is judged."""

    repository: str
    evidence: Evidence
    left_out: frozenset[str]


def judged(mirror: Path, folder: Path, names: Sequence[str]) -> Iterator[Judged]:
    """Yield the cases of repositories whose evidence was gathered."""
    for name in names:
        file = folder / f"{name.replace('/', '+')}.jsonl"
        if not file.exists():
            print(f"{name}: no evidence", file=sys.stderr)
            continue
        git = Git(review_cases.directory(mirror, name), bare=True, seconds=300)
        history = review_cases.history_of(git)
        for line in file.read_text().splitlines():
            case = json.loads(line)
            before = history[case["place"] + 1 : case["place"] + 1 + MOST_COMMITS]
            yield Judged(name, _evidence(git, case, CoChanges(before)), frozenset(case["left_out"]))


def _evidence(git: Git, case: dict[str, Any], changes: CoChanges) -> Evidence:
    changed = frozenset(case["changed"])
    uses = [Use(path, user, of, confidence, among) for path, user, of, _, confidence, among in case["uses"]]
    return Evidence(
        changed,
        changes.beside(changed),
        uses,
        [Name(*each) for each in case["names"]],
        case["mentions"],
        changes.activity,
        changes.recency,
        changes.recent(),
        frozenset(review_cases.tree(git, f"{case['first']}^")),
    )


def by_history(evidence: Evidence) -> list[str]:
    """Return the files that usually change together, the likeliest first."""
    found = {path: each for path, each in evidence.together.items() if path in evidence.files}
    return sorted(found, key=lambda path: (-found[path].chance, path))


def by_dependents(evidence: Evidence) -> list[str]:
    """Return the files that depend on what changed, the surest first."""
    sums: dict[str, float] = defaultdict(float)
    for use in evidence.uses:
        sums[use.path] += use.confidence
    return sorted((path for path in sums if path in evidence.files), key=lambda path: (-sums[path], path))


def by_all(evidence: Evidence) -> list[str]:
    """Return what `review_diff` names."""
    return [each.path for each in ranked(evidence)]


WAYS: dict[str, Callable[[Evidence], list[str]]] = {
    "all evidence": by_all,
    "files that change together, alone": by_history,
    "dependents, alone": by_dependents,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, required=True)
    parser.add_argument("--set", choices=("fit", "report"), default="report")
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--no-gate", action="store_true")
    given = parser.parse_args()
    run = report.Run("bench/review_diff.py", sys.argv[1:])
    hits: dict[str, dict[str, list[bool]]] = {way: defaultdict(list) for way in WAYS}
    shares: dict[str, list[float]] = defaultdict(list)
    for case in judged(given.mirror, given.evidence, review_cases.FIT if given.set == "fit" else review_cases.REPORT):
        for way, order in WAYS.items():
            named = set(order(case.evidence)[:FIRST])
            hits[way][case.repository].append(bool(named & case.left_out))
            shares[way].append(len(named & case.left_out) / len(case.left_out))
    body = f"{run.header([])}\n\n{_table(hits, shares)}"
    print(body)
    if given.write:
        report.write_section(given.write, SECTION, body)
    pooled = {way: _share([hit for own in of.values() for hit in own]) for way, of in hits.items()}
    best, *others = pooled.values()
    enough = all(best >= other + BETTER_BY for other in others) and len(shares["all evidence"]) >= 300
    return 0 if enough or given.no_gate else 1


def _share(found: Sequence[bool | float]) -> float:
    return sum(found) / len(found) if found else 0.0


def _table(hits: dict[str, dict[str, list[bool]]], shares: dict[str, list[float]]) -> str:
    heads = ("", "cases", *WAYS)
    rows = [
        (name, str(len(own)), *(f"{_share(hits[way][name]):.2f}" for way in WAYS))
        for name, own in hits["all evidence"].items()
    ]
    every = {way: [hit for own in of.values() for hit in own] for way, of in hits.items()}
    rows.append(("**pooled**", str(len(every["all evidence"])), *(f"**{_share(every[way]):.3f}**" for way in WAYS)))
    rows.append(("share of all left-out files", "", *(f"{_share(shares[way]):.3f}" for way in WAYS)))
    return report.table(heads, rows)


if __name__ == "__main__":
    sys.exit(main())
