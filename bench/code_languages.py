"""What is found in real packages of each language, how much of it resolves, how fast, in how much memory.

    python bench/code_languages.py --corpora DIR [--write docs/benchmarks.md] [--kept DIR] [NAME ...]

Every package is parsed and resolved in a process of its own, without a store; times are processor time of one core.
`resolved` is the share of calls, constructions, decorators, bases and macros that lead to a symbol of the package: what
calls the standard library or another package cannot. Memory is the most that the process had, interpreter and grammars
with it. `--kept` keeps the figures of each package, so that a run that was ended goes on.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from code_corpora import CORPORA, DEFAULT, Corpus
from report import Run, check_sections, table, write_section

SECTION = "code languages"
HEADS = ("language", "package", "files", "MB", "symbols", "references", "resolved", "edges of it calls", "imports")
HEADS += ("parse MB/s", "with resolving MB/s", "RSS MB")


def measured(corpus: Corpus, into: Path) -> dict[str, float]:
    """The figures of one package; it must run in a process of its own."""
    from corpus_tree import BESIDE, parsed_tree

    from indelible.source.resolve.resolution import CALLS, IMPORTS, Resolution

    tree = parsed_tree(corpus, into, dialects=frozenset(BESIDE.get(corpus.language, ())))
    resolution = Resolution(tree.definitions)
    began = time.process_time()
    edges = [edge for path in tree.parsed for edge in resolution.edges(path)]
    resolving = time.process_time() - began
    return {
        "files": len(tree.parsed),
        "bytes": tree.bytes,
        "symbols": sum(len(file.symbols) for file in tree.parsed.values()),
        "references": sum(len(file.references) for file in tree.parsed.values()),
        "calls": sum(edge.relation == CALLS for edge in edges),
        "imports": sum(edge.relation == IMPORTS for edge in edges),
        "edges": len(edges),
        "parsing": tree.seconds,
        "resolving": resolving,
        "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _row(corpus: Corpus, of: dict[str, float]) -> tuple[str, ...]:
    megabytes = of["bytes"] / 1e6
    resolved = of["edges"] - of["imports"]
    return (
        *(corpus.language, f"{corpus.package} {corpus.version}{' (held out)' if corpus.held_out else ''}"),
        *(f"{of['files']:,.0f}", f"{megabytes:.1f}", f"{of['symbols']:,.0f}", f"{of['references']:,.0f}"),
        *(f"{resolved / max(1, of['references']):.2f}", f"{of['calls']:,.0f}", f"{of['imports']:,.0f}"),
        *(f"{megabytes / of['parsing']:.1f}", f"{megabytes / (of['parsing'] + of['resolving']):.1f}"),
        f"{of['rss']:.0f}",
    )


def _figures(corpus: Corpus, given: argparse.Namespace) -> dict[str, float]:
    kept = given.kept / f"{corpus.name}.json" if given.kept else None
    if kept is not None and kept.exists():
        return json.loads(kept.read_text())
    command = [sys.executable, __file__, "--corpora", str(given.corpora), "--one", corpus.package]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(told)
    return json.loads(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=DEFAULT)
    parser.add_argument("--write", type=Path, metavar="FILE")
    parser.add_argument("--kept", type=Path, metavar="DIR")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help="packages or languages; none means all")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measured(next(c for c in CORPORA if c.package == given.one), given.corpora.resolve())))
        return
    if given.write:
        check_sections(given.write, [SECTION])
    run = Run("bench/code_languages.py", ["DIR" if each == str(given.corpora) else each for each in sys.argv[1:]])
    wanted = [c for c in CORPORA if not given.names or {c.package, c.language} & set(given.names)]
    wanted.sort(key=lambda corpus: corpus.language)
    rows = []
    for corpus in wanted:
        print(corpus.name, file=sys.stderr, flush=True)
        rows.append(_row(corpus, _figures(corpus, given)))
    body = f"{run.header()}\n\n{table(HEADS, rows)}"
    print(body)
    if given.write:
        write_section(given.write, SECTION, body)


if __name__ == "__main__":
    main()
