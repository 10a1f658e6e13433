"""The evidence of every case of `review_cases`, gathered once: what depends on what the diff changes, by its code as it
was before, and where the names of its lines stand.

    python bench/review_evidence.py --mirror DIR --into DIR --set fit|report [--every 2 --from 0] [REPOSITORY ...]

A line of JSON a case, a file a repository. Files are parsed and relations resolved by what the index of code does that
with (`indelible.source`), without a store, and only of those files in which a name of what changed stands: a relation
that leads through others (a name exported again, a base in a third file) may be missing here, and is in an index.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import review_cases
from review_cases import Case

from indelible.model import DEPENDING
from indelible.source import source
from indelible.source.history import diff as diffs
from indelible.source.history import mentions, messages
from indelible.source.history.cochange import CoChanges
from indelible.source.history.diff import Diff
from indelible.source.history.git import Git
from indelible.source.history.log import Commit
from indelible.source.history.mentions import Name
from indelible.source.history.missing import Evidence, Use
from indelible.source.parse.deadline import NotSource
from indelible.source.parse.languages import language_of
from indelible.source.parse.parsing import decoded, parse
from indelible.source.parse.symbols import MODULE_LEVEL, ParsedFile
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name
from indelible.source.resolve.outlines import file_names, hashed, names
from indelible.source.resolve.resolution import WHOLE_FILE, Resolution

MOST_COMMITS = 10_000  # of the history that counts


class Tree:
    """A work tree that goes from one commit to another, and the definitions in it."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.parsed: dict[str, ParsedFile] = {}
        self._seen: dict[str, tuple[int, int, str]] = {}
        self._looked_up: dict[str, frozenset[int]] = {}
        self._definitions: Definitions | None = None
        self._facts: object = None

    def at(self, commit: str, git: Git, diff: Diff) -> int:
        """Check out a commit, read what may matter for a diff, and return how many files were parsed."""
        subprocess.run(["git", "-C", str(self.top), "checkout", "-q", "-f", commit], check=True)
        scan = source.scan(self.top.resolve())
        facts = (scan.manifests, scan.layout_digest)
        if self._definitions is None or facts != self._facts:
            self._definitions, self._facts = Definitions(dict(scan.go_modules), dict(scan.npm_packages)), facts
            for path, parsed in self.parsed.items():
                self._definitions.put(path, parsed)
        for path in self.parsed.keys() - scan.files.keys():
            self._drop(path)
        own = {each.old_path for each in diff.files}
        count = self._update(scan, own)
        _, wanted = self._changed(diff)
        return count + self._update(scan, _files_with(git, wanted, commit) - own)

    def _update(self, scan: source.Scan, paths: set[str]) -> int:
        count = 0
        for path in sorted(paths & scan.files.keys()):
            module = self._module(path, scan.layout)
            seen = (scan.files[path].size, scan.files[path].modified, module)
            if self._seen.get(path) != seen:
                self._seen[path] = seen
                count += 1
                self._read(path, module)
        return count

    def _changed(self, diff: Diff) -> tuple[dict[tuple[str, str], str], set[str]]:
        """Return the changed symbols and files by (path, qualified name), and the names by which others name them."""
        changed: dict[tuple[str, str], str] = {}
        wanted: set[str] = set()
        for file in diff.files:
            parsed = self.parsed.get(file.old_path)
            if parsed is None:
                continue
            changed[file.old_path, ""] = file.old_path
            wanted |= file_names(file.old_path, parsed.module)
            met = [each for each in parsed.symbols if any(r.meets(each.start_line, each.end_line) for r in file.old)]
            around = {each.parent for each in met}
            for symbol in met:
                if symbol.qualified_name not in around:
                    changed[file.old_path, symbol.qualified_name] = f"{file.old_path}:{symbol.qualified_name}"
                    wanted.add(symbol.name)
        return changed, wanted

    def _module(self, path: str, layout: Layout) -> str:
        language = language_of(path, b"")
        return "" if language is None else module_name(language, path, layout)

    def _read(self, path: str, module: str) -> None:
        assert self._definitions is not None
        body = source.read(self.top, path)
        language = language_of(path, body[:4096]) if isinstance(body, bytes) else None
        if language is None or not isinstance(body, bytes):
            self._drop(path)
            return
        try:
            text, _ = decoded(body)
            parsed = parse(text, language, path, module)
        except NotSource:
            self._drop(path)
            return
        self.parsed[path] = parsed
        self._looked_up[path] = names(path, parsed).looked_up
        self._definitions.put(path, parsed)

    def _drop(self, path: str) -> None:
        assert self._definitions is not None
        if path in self.parsed:
            del self.parsed[path], self._looked_up[path]
            self._definitions.drop(path)

    def uses(self, diff: Diff) -> Iterator[tuple[str, str, str, str, float]]:
        """Yield (path, user, of, relation, confidence) of what depends on what a diff changes, outside of it."""
        assert self._definitions is not None
        changed, names_ = self._changed(diff)
        wanted = set(map(hashed, names_))
        resolution = Resolution(self._definitions)
        for path in sorted(self.parsed):
            if path in diff.paths or self._looked_up[path].isdisjoint(wanted):
                continue
            symbols = self.parsed[path].symbols
            for edge in resolution.edges(path):
                whole = edge.target_index == WHOLE_FILE
                name = "" if whole else self.parsed[edge.target_path].symbols[edge.target_index].qualified_name
                of = changed.get((edge.target_path, name))
                if of is not None and edge.relation in DEPENDING:
                    user = "" if edge.scope == MODULE_LEVEL else symbols[edge.scope].qualified_name
                    yield path, user, of, edge.relation, edge.confidence


def _files_with(git: Git, words: set[str], commit: str) -> set[str]:
    """Return the files of a commit in which one of some words stands."""
    named = sorted(word for word in words if word.isidentifier())
    if not named:
        return set()
    asked = ("grep", "-I", "-l", "-w", "-E", "-z", "-e", f"({'|'.join(named)})", commit, "--")
    raw = git.run(*asked, may_be_cut=True, ends=(0, 1)).content
    return {path.decode("utf-8", "replace").partition(":")[2] for path in raw.split(b"\0") if path}


def gather(mirror: Path, name: str, into: Path) -> None:
    """Write the evidence of a repository's cases."""
    git = Git(review_cases.directory(mirror, name), bare=True, seconds=300)
    history = review_cases.history_of(git)
    most = review_cases.MOST_TO_FIT if name in review_cases.FIT else review_cases.MOST_CASES
    cases = review_cases.cases(git, history, most)
    folder = Path(tempfile.mkdtemp(prefix="indelible-review-", dir=into))
    clone = ["git", "clone", "-q", "--shared", "--no-checkout", str(review_cases.directory(mirror, name))]
    subprocess.run([*clone, str(folder / "tree")], check=True)
    # What a snapshot lacks (files of 4 MiB and more) stands in these folders, which hold no code of the repository.
    sparse = ["git", "-C", str(folder / "tree"), "sparse-checkout", "set", "--no-cone", "/*", "!vendor/", "!tst-rsrc/"]
    subprocess.run(sparse, check=True)
    tree = Tree(folder / "tree")
    lines = []
    try:
        for case in sorted(cases, key=lambda case: -case.place):  # the oldest first
            began = time.monotonic()
            diff = diffs.of_range(git, case.first.hash)
            count = tree.at(case.first.parents[0], git, diff)
            lines.append(json.dumps(evidence(tree, git, case, diff)))
            print(name, case.first.hash[:10], f"{time.monotonic() - began:.1f} s", count, flush=True)
    finally:
        shutil.rmtree(folder)
    (into / f"{name.replace('/', '+')}.jsonl").write_text("\n".join(lines) + "\n")


def evidence(tree: Tree, git: Git, case: Case, diff: Diff) -> dict[str, object]:
    """Return the evidence of one case."""
    merged: dict[tuple[str, str, str], tuple[str, float]] = {}
    for path, user, of, relation, confidence in tree.uses(diff):
        known = merged.get((path, user, of))
        if known is None or confidence > known[1]:
            merged[path, user, of] = (relation, confidence)
    among = Counter(of for _, _, of in merged)
    asked = mentions.names_in(diff)
    return {
        "first": case.first.hash,
        "fix": case.fix.hash,
        "place": case.place,
        "left_out": sorted(case.left_out),
        "changed": sorted(diff.paths),
        "status": {each.path: each.status for each in diff.files},
        "uses": [(*key, *value, among[key[2]]) for key, value in merged.items()],
        "names": [tuple(each) for each in asked],
        "mentions": mentions.files_with(git, asked, case.first.parents[0]),
    }


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
            yield Judged(name, _evidence(git, case, history[case["place"]], before), frozenset(case["left_out"]))


def _evidence(git: Git, case: dict[str, Any], first: Commit, before: list[Commit]) -> Evidence:
    changed, changes = frozenset(case["changed"]), CoChanges(before)
    names = [Name(*each) for each in case["names"]]
    uses = [Use(path, user, of, confidence, among) for path, user, of, _, confidence, among in case["uses"]]
    return Evidence(
        changed,
        changes.beside(changed),
        changes.in_series(changed),
        messages.files_of_alike(before, messages.about(changed, names, [first])),
        uses,
        names,
        case["mentions"],
        changes.recency,
        changes.recent(),
        frozenset(review_cases.tree(git, f"{case['first']}^")),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--set", choices=("fit", "report"), default="report")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    given.into.mkdir(parents=True, exist_ok=True)
    chosen = given.names or (review_cases.FIT if given.set == "fit" else review_cases.REPORT)
    for name in chosen[given.start :: given.every]:
        if not (given.into / f"{name.replace('/', '+')}.jsonl").exists():
            try:
                gather(given.mirror, name, given.into)
            except Exception as error:  # noqa: BLE001 (a repository that cannot be read is left out, which is said)
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
