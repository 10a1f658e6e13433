"""Definitions of real packages drawn by a fixed seed, with the source beside them, to be judged by reading.

    python bench/code_sampled.py --corpora DIR --language NAME [--count N] [--lines N]

For languages that no other tool at hand knows. `--count` definitions, the same number from each held-out package of the
language, one a line: file and line, kind, qualified name, the line of the source. Then, for what is missed, `--lines`
lines drawn from all that begin a definition by a plain expression (KEYWORDS), with the kind that was found there, `-`
for none: those without one are to be judged too.
"""

import argparse
import random
import re
from pathlib import Path

from code_corpora import CORPORA, DEFAULT
from corpus_tree import Tree, parsed_tree

SEED = 14_142_135
KEYWORDS = {
    "swift": re.compile(
        r"^\s*(?:(?:@\w+(?:\([^()]*\))?|public|open|private|fileprivate|internal|static|final|override|indirect|mutating|"
        r"class|nonisolated|convenience|required|lazy|weak|private\(set\)|dynamic|optional)\s+)*"
        r"(?:func|class|struct|enum|protocol|actor|typealias|associatedtype|init|subscript|deinit)\b(?!\.|\s*:)"
    ),
    "scala": re.compile(
        r"^\s*(?:(?:@\w+(?:\([^()]*\))?|private(?:\[\w+\])?|protected(?:\[\w+\])?|final|implicit|override|lazy|sealed|"
        r"abstract|case|inline|open|transparent|package)\s+)*(?:def|class|object|trait|enum|type)\s+[\w`*+<>=!?:~&|^%/-]"
    ),
}


def sampled(tree: Tree, count: int, draw: random.Random) -> list[str]:
    every = [(path, symbol) for path in sorted(tree.parsed) for symbol in tree.parsed[path].symbols]
    return [
        f"{path}:{symbol.line} {symbol.kind} {symbol.qualified_name} | {tree.line(path, symbol.line)[:110]}"
        for path, symbol in draw.sample(every, min(count, len(every)))
    ]


def lines_of(tree: Tree, language: str, count: int, draw: random.Random) -> tuple[list[str], int, int]:
    """`count` of the lines that begin a definition, how many such there are, and how many of all have none here."""
    found = []
    for path in sorted(tree.parsed):
        kinds = {symbol.line: symbol.kind for symbol in tree.parsed[path].symbols}
        text = (tree.top / path).read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
        text = re.sub(r'"""(?:[^"]|"(?!""))*"""', lambda quoted: "\n" * quoted[0].count("\n"), text)
        for number, line in enumerate(text.split("\n"), 1):
            if KEYWORDS[language].match(line):
                kind = kinds.get(number) or kinds.get(number + 1) or "-"
                found.append((path, number, kind, line.strip()[:110]))
    missed = sum(each[2] == "-" for each in found)
    drawn = draw.sample(found, min(count, len(found)))
    return [f"{path}:{number} {kind} | {line}" for path, number, kind, line in drawn], len(found), missed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=DEFAULT)
    parser.add_argument("--language", required=True, choices=sorted(KEYWORDS))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--lines", type=int, default=100)
    given = parser.parse_args()
    corpora = [corpus for corpus in CORPORA if corpus.held_out and corpus.language == given.language]
    for corpus in corpora:
        draw = random.Random(f"{SEED} {corpus.package}")
        tree = parsed_tree(corpus, given.corpora.resolve())
        print(f"== {corpus.package}: definitions")
        print(*sampled(tree, given.count // len(corpora), draw), sep="\n")
        lines, count, missed = lines_of(tree, given.language, given.lines // len(corpora), draw)
        print(f"== {corpus.package}: lines that begin a definition: {count}, without one here: {missed}")
        print(*lines, sep="\n")


if __name__ == "__main__":
    main()
