"""Resolved call edges of real packages, drawn by a fixed seed, to be judged by reading the source.

    python bench/code_edges.py --corpora DIR [--each N] [--language NAME]   prints the sample as JSON lines

Of every language `--each` edges, the same number from each of its held-out packages.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from code_corpora import CORPORA, DEFAULT, Corpus
from corpus_tree import BESIDE, parsed_tree

from indelible.source.resolve.resolution import Resolution

SEED = 27_182_818
FAMILY = {"tsx": "typescript"}


def sample(corpus: Corpus, into: Path, count: int) -> Iterator[dict[str, object]]:
    """Edges of one package, as what is needed to judge them."""
    tree = parsed_tree(corpus, into, dialects=frozenset(BESIDE.get(corpus.language, ())))
    resolution = Resolution(tree.definitions)
    every = [(path, *each) for path in sorted(tree.parsed) for each in resolution.calls(path)]
    draw = random.Random(f"{SEED} {corpus.package}")
    for path, reference, edge in draw.sample(every, min(count, len(every))):
        target = tree.parsed[edge.target_path].symbols[edge.target_index]
        written = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
        yield {
            "package": corpus.package,
            "at": f"{path}:{reference.line}",
            "line": tree.line(path, reference.line),
            "written": written,
            "target": target.qualified_name,
            "kind": target.kind,
            "where": f"{edge.target_path}:{target.line}",
            "signature": target.signature[:160],
            "confidence": edge.confidence,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=DEFAULT)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--language", default="")
    given = parser.parse_args()
    packages: dict[str, list[Corpus]] = defaultdict(list)
    for corpus in CORPORA:
        if corpus.held_out and corpus.language != "python":
            packages[FAMILY.get(corpus.language, corpus.language)].append(corpus)
    for language, corpora in packages.items():
        for corpus in corpora if given.language in ("", language) else ():
            for edge in sample(corpus, given.corpora.resolve(), given.each // len(corpora)):
                print(json.dumps({"language": language, **edge}), flush=True)


if __name__ == "__main__":
    main()
