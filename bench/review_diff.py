"""How often the file that a follow-up fix changed is among the first ten that `review_diff` names.

    python bench/review_diff.py --mirror DIR --evidence DIR [--write docs/benchmarks.md]

The cases, and the rule that picks them, are those of bench/review_cases.py; the evidence is gathered by
bench/review_evidence.py first. Compared in the same run, on the same cases: files that usually change together alone
(the same statistics), dependents alone (as `get_impact` knows them: by the sum of the confidence of their relations to
what changed), and all evidence together, each repository by weights that are fitted on all others (bench/fit_review.py,
which fits those of the product on all of them). The history of a case ends before its first commit.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import report
import review_cases
from fit_review import Case, fitted, prepared
from review_evidence import judged

from indelible.source.history.missing import Evidence

FIRST = 10
BETTER_BY = 0.08
SECTION = "review of a change"
ALL = "all evidence"

Found = dict[str, dict[str, list[float]]]  # by way and repository: of each case how many left-out files were named


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


ALONE: dict[str, Callable[[Evidence], list[str]]] = {
    "files that change together, alone": by_history,
    "dependents, alone": by_dependents,
}


def by_all(cases: Sequence[Case]) -> dict[str, list[float]]:
    """Return what `ALL` finds, each repository by the weights of all others."""
    found: dict[str, list[float]] = {}
    for name in dict.fromkeys(case.repository for case in cases):
        weights = fitted([case for case in cases if case.repository != name])
        own = [case for case in cases if case.repository == name]
        found[name] = [float(case.hit[case.order(weights)[:FIRST]].sum()) / case.left_out for case in own]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, required=True)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--no-gate", action="store_true")
    given = parser.parse_args()
    run = report.Run("bench/review_diff.py", sys.argv[1:])
    alone: Found = {way: defaultdict(list) for way in ALONE}
    cases = []
    for each in judged(given.mirror, given.evidence, (*review_cases.REPORT, *review_cases.FIT)):
        cases.append(prepared(each))
        for way, order in ALONE.items():
            named = set(order(each.evidence)[:FIRST])
            alone[way][each.repository].append(len(named & each.left_out) / len(each.left_out))
    found: Found = {ALL: by_all(cases), **alone}
    body = f"{run.header([])}\n\n{_table(found)}"
    print(body)
    if given.write:
        report.write_section(given.write, SECTION, body)
    best, *others = (_hits(of, list(of)) for of in found.values())
    return 0 if given.no_gate or all(best >= other + BETTER_BY for other in others) else 1


def _hits(of: dict[str, list[float]], names: Sequence[str]) -> float:
    return float(np.mean([share > 0 for name in names for share in of.get(name, ())]))


def _table(found: Found) -> str:
    names = list(found[ALL])
    rows = [
        (name, str(len(found[ALL][name])), *(f"{_hits(of, [name]):.2f}" for of in found.values())) for name in names
    ]
    for said, some in (
        ("**pooled**", names),
        ("of these, on which no feature was chosen", review_cases.REPORT),
        ("the others", review_cases.FIT),
    ):
        count = sum(len(found[ALL].get(name, ())) for name in some)
        rows.append((said, str(count), *(f"**{_hits(of, some):.3f}**" for of in found.values())))
    every = (np.mean([share for own in of.values() for share in own]) for of in found.values())
    rows.append(("share of all left-out files", "", *(f"{share:.3f}" for share in every)))
    return report.table(("", "cases", *found), rows)


if __name__ == "__main__":
    sys.exit(main())
