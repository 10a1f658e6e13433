"""Resolved call edges of real Python held against jedi: 100 of each package, drawn by a fixed seed.

    python bench/code_calls.py [--corpora DIR] [--edges N] [--calls N] [--show] [--write docs/benchmarks.md] [NAME ...]

Needs jedi beside our own packages. The rule: an edge is right if a definition of the symbol that it leads to (file and
line; overloads are one symbol) is among those that jedi's goto or infer name at the call; open if jedi names no line
that defines the name in the package (nothing, something outside, an import that it cannot follow); else wrong.
Precision = right / (right + wrong). Recall: of calls drawn by the same seed that jedi's goto leads to a function or
class in the package, the share that has an edge to it.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from code_corpora import CORPORA, DEFAULT, Corpus, files
from report import Run, check_sections, table, write_section

from indelible.source.parse.deadline import NotSource
from indelible.source.parse.languages import PYTHON
from indelible.source.parse.parsing import parse
from indelible.source.parse.symbols import CALL, Reference
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name
from indelible.source.resolve.resolution import Resolution

SEED = 20251122  # of the packages that the rules were written on
SEED_HELD_OUT = 31_415_926  # drawn with the names of the packages
SECTION = "code calls"
LISTED = 100
HEADS = ("package", "calls", "edges", "share", "s", "right", "open", "wrong", "precision", "recall")
RIGHT, OPEN, WRONG = "right", "open", "wrong"


@dataclass
class Result:
    corpus: Corpus
    calls: int
    edges: int
    seconds: float
    answers: dict[str, int] = field(default_factory=lambda: {RIGHT: 0, OPEN: 0, WRONG: 0})
    known: int = 0
    found: int = 0
    lines: list[str] = field(default_factory=list)

    def row(self) -> list[str]:
        right, wrong = self.answers[RIGHT], self.answers[WRONG]
        return [
            f"{self.corpus.package} {self.corpus.version}{' (held out)' if self.corpus.held_out else ''}",
            *(f"{self.calls:,}", f"{self.edges:,}", f"{self.edges / self.calls:.2f}"),
            *(f"{self.seconds:.1f}", str(right), str(self.answers[OPEN]), str(wrong)),
            *(f"{right / max(1, right + wrong):.2f}", f"{self.found}/{self.known}"),
        ]


class Package:
    """One package: its definitions, and what jedi says of it."""

    def __init__(self, corpus: Corpus, into: Path) -> None:
        import jedi

        self.top = into / corpus.name
        self.definitions = Definitions()
        paths = [path.relative_to(self.top).as_posix() for path in files(corpus, into)]
        packages = frozenset(path.rpartition("/")[0] for path in paths if path.endswith("__init__.py"))
        layout = Layout(packages)
        for path in paths:
            try:
                parsed = parse((self.top / path).read_bytes(), PYTHON, path, module_name(PYTHON, path, layout))
            except NotSource:
                continue
            self.definitions.put(path, parsed)
        # without what is installed here, so that a package's own names do not lead to another version of it
        standard = [each for each in sys.path if each.endswith((".zip", "lib-dynload")) or Path(each, "os.py").exists()]
        self._project = jedi.Project(self.top, sys_path=[*map(str, self._tops()), *standard])

    def _tops(self) -> list[Path]:
        return [self.top / "src", self.top / "lib", self.top]  # where packages stand in source distributions

    def lines(self, path: str, at: int) -> set[int]:
        """The lines of a symbol: overloads, getter and setter in one file are one."""
        symbols = self.definitions.files[path].symbols
        return {each.line for each in symbols if each.qualified_name == symbols[at].qualified_name}

    def answers(self, path: str, reference: Reference, *, inferred: bool) -> Iterator[tuple[str, int, str]]:
        """The definitions that jedi names at a call, as (file, line, kind); "" for a file outside of the package."""
        import jedi

        column = self.column(path, reference)
        if column is None:
            return
        script = jedi.Script(path=self.top / path, project=self._project)  # a kept one loses its tree after ten minutes
        named = script.goto(reference.line, column, follow_imports=True)
        named += script.infer(reference.line, column) if inferred else []
        for name in named:
            where = name.module_path
            inside = where is not None and where.is_relative_to(self.top) and self._defines(where, name.line, name.name)
            yield (where.relative_to(self.top).as_posix() if inside else "", name.line or 0, name.type)

    def _defines(self, path: Path, line: int | None, name: str) -> bool:
        """Whether a line defines a name, and does not import it."""
        text = path.read_text(encoding="utf-8", errors="replace").split("\n")[line - 1] if line else ""
        return (
            re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b|\b{re.escape(name)}\b\s*(?::[^=]*)?=", text) is not None
        )

    def column(self, path: str, reference: Reference) -> int | None:
        """Where the name stands on its line, if it stands there once as what is called."""
        line = (self.top / path).read_text(encoding="utf-8", errors="replace").split("\n")[reference.line - 1]
        found = [each.start() for each in re.finditer(rf"(?<!\w){re.escape(reference.name)}(?=\s*\()", line)]
        return found[0] if len(found) == 1 else None


def measured(corpus: Corpus, into: Path, edges: int, calls: int) -> Result:
    package = Package(corpus, into)
    began = time.process_time()
    resolution = Resolution(package.definitions)
    every: list[tuple[str, Reference, tuple[str, int] | None]] = []
    for path in sorted(package.definitions.files):
        # an edge stands at its call: by line, scope and the name of what is called
        targets = {}
        parsed = package.definitions.files[path].parsed
        for reference, edge in resolution.calls(path):
            targets[reference] = edge
        for reference in parsed.references:
            if reference.kind == CALL:
                edge = targets.get(reference)
                every.append((path, reference, (edge.target_path, edge.target_index) if edge else None))
    resolved = [each for each in every if each[2] is not None]
    result = Result(corpus, len(every), len(resolved), time.process_time() - began)
    draw = random.Random(SEED_HELD_OUT if corpus.held_out else SEED)
    _precision(package, draw.sample(resolved, len(resolved)), edges, result)
    _recall(package, draw.sample(every, len(every)), calls, result)
    return result


def _precision(package: Package, drawn: list[Any], wanted: int, result: Result) -> None:
    for path, reference, target in drawn:
        if sum(result.answers.values()) == wanted:
            return
        if package.column(path, reference) is None:
            continue
        symbol = package.definitions.files[target[0]].symbols[target[1]]
        named = set(package.answers(path, reference, inferred=True))
        inside = {(file, line) for file, line, _ in named if file}
        ours = {(target[0], line) for line in package.lines(*target)}
        answer = RIGHT if ours & inside else WRONG if inside else OPEN
        result.answers[answer] += 1
        written = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
        result.lines.append(f"{answer} {path}:{reference.line} `{written}` -> {symbol.qualified_name}")
        if answer == WRONG:
            result.lines[-1] += f" (jedi: {', '.join(f'{file}:{line}' for file, line in sorted(inside))})"


def _recall(package: Package, drawn: list[Any], wanted: int, result: Result) -> None:
    for path, reference, target in drawn:
        if result.known == wanted:
            return
        named = {
            (file, line)
            for file, line, kind in package.answers(path, reference, inferred=False)
            if file and kind in ("function", "class")
        }
        if not named:
            continue
        result.known += 1
        ours = {(target[0], line) for line in package.lines(*target)} if target else set()
        result.found += bool(ours & named)
        if not ours & named:
            written = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
            result.lines.append(f"missed {path}:{reference.line} `{written}` (jedi: {sorted(named)[0]})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=DEFAULT)
    parser.add_argument("--edges", type=int, default=100)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between the markers of a document")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    if given.write:
        check_sections(given.write, [SECTION])
    run = Run("bench/code_calls.py", ["DIR" if each == str(given.corpora) else each for each in sys.argv[1:]])
    python = [corpus for corpus in CORPORA if corpus.language == "python"]
    wanted = [corpus for corpus in python if not given.names or corpus.package in given.names]
    wanted.sort(key=lambda corpus: not corpus.held_out)
    results = [measured(corpus, given.corpora.resolve(), given.edges, given.calls) for corpus in wanted]
    body = f"{run.header([_seeds()])}\n\n{table(HEADS, [result.row() for result in results])}"
    print(body)
    if given.write:
        write_section(given.write, SECTION, f"{body}\n\n{_listed(results)}")
    for result in results if given.show else ():
        print(f"\n{result.corpus.name}", *result.lines, sep="\n")


def _seeds() -> str:
    import jedi

    return f"jedi {jedi.__version__}; seed {SEED_HELD_OUT} for the packages that were held out, {SEED} for the others"


def _listed(results: list[Result]) -> str:
    """LISTED edges, the first that were drawn of each package that was held out, with all that are wrong."""
    held_out = [result for result in results if result.corpus.held_out]
    lines = []
    for index, result in enumerate(held_out):
        share = LISTED // len(held_out) + (index < LISTED % len(held_out))
        edges = [line for line in result.lines if not line.startswith("missed")]
        lines += [f"- {result.corpus.package}: {line}" for line in edges[:share]]
        lines += [f"- {result.corpus.package}: {line}" for line in edges[share:] if line.startswith(WRONG)]
    return "\n".join([f"The first {LISTED} of the edges drawn from what was held out, and all wrong ones:", "", *lines])


if __name__ == "__main__":
    main()
