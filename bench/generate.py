"""Made-up memories with the word frequencies of real text, the same ones for the same seed and Python version.

The text is the one that every machine with Python has: the docstrings and whole-line comments of the standard library
(about 400,000 words of prose about code, with its identifiers). A record follows the text's own word pairs for a
stretch, then jumps: each word has its frequency in the text, and neighbours are more often real neighbours than chance
would have it. A text of any size goes on bringing words that nobody wrote before, so a few are new identifiers made
of two words of the text; without them the rare end of the index would be too short.

    python bench/generate.py 1000 > records.jsonl
"""

import argparse
import ast
import functools
import json
import random
import re
import sysconfig
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
SKIPPED = re.compile(r"(^|/)(test|tests|idlelib|lib2to3|site-packages|turtledemo|ensurepip)/")
COMMENT = re.compile(r"^[ \t]*#+[ \t]*(.*)$", re.MULTILINE)
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

WORDS = 40  # a record
LONGEST = 40  # characters of a word; a longer one is a rule or a table
FOLLOWING = 0.5  # chance that a word is one that follows the word before it somewhere in the text
FRESH = 0.03  # chance of a new identifier: in the second half of the text 0.045 of the words are new, later ever fewer
COMMONEST = 200  # words of the text that no question is made of
MOST_ASKED, FEWEST_ASKED = 8, 4


@dataclass(frozen=True, slots=True)
class Text:
    """The text as places: `stream` is the number of the word at each place, `places` where each word stands."""

    words: list[str]
    stream: "array[int]"
    places: list["array[int]"]
    common: frozenset[str]


@functools.cache
def text() -> Text:
    """The standard library's docstrings and comments. Takes a few seconds, once a process."""
    numbers: dict[str, int] = {}
    stream = array("I")
    for word in _library_words():
        stream.append(numbers.setdefault(word, len(numbers)))
    places = [array("I") for _ in numbers]
    for place, number in enumerate(stream):
        places[number].append(place)
    words = list(numbers)
    bare = Counter[str]()
    for word, where in zip(words, places, strict=True):
        bare[_bare(word)] += len(where)
    return Text(words, stream, places, frozenset(word for word, _ in bare.most_common(COMMONEST)))


def _library_words() -> Iterator[str]:
    for path in sorted(LIBRARY.rglob("*.py")):
        if SKIPPED.search(path.relative_to(LIBRARY).as_posix()):
            continue
        try:
            source = path.read_text(encoding="utf-8")
            tree = ast.parse(source)
        except (SyntaxError, UnicodeDecodeError):
            continue
        for prose in (*_docstrings(tree), *COMMENT.findall(source)):
            yield from (word for word in prose.split() if len(word) <= LONGEST and any(map(str.isalnum, word)))


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield ast.get_docstring(node) or ""


def _bare(word: str) -> str:
    """A word without the punctuation around it, in lower case."""
    return re.sub(r"^\W+|\W+$", "", word).lower()


class _Draw(random.Random):
    """Draws by `random()` alone: of the module's methods only that one is promised to stay the same."""

    def below(self, limit: int) -> int:
        return int(self.random() * limit)


def record(number: int, seed: int = 1) -> str:
    """One text of 40 words; it depends on its number and the seed alone."""
    known, draw = text(), _Draw(f"{seed}/{number}")
    place = draw.below(len(known.stream))
    words = []
    for _ in range(WORDS):
        words.append(_fresh(known, draw) if draw.random() < FRESH else known.words[known.stream[place]])
        place = _following(known, draw, place)
    return " ".join(words)


def _following(known: Text, draw: _Draw, place: int) -> int:
    """The place of the next word: after some occurrence of the word at `place`, or anywhere."""
    if draw.random() >= FOLLOWING:
        return draw.below(len(known.stream))
    same = known.places[known.stream[place]]
    return (same[draw.below(len(same))] + 1) % len(known.stream)


def _fresh(known: Text, draw: _Draw) -> str:
    """An identifier that the text does not have: snake_case, CamelCase or module.name of two of its words."""
    first, second = (_identifier(known, draw) for _ in range(2))
    forms = (f"{first}_{second}", first.capitalize() + second.capitalize(), f"{first}.{second}")
    return forms[draw.below(len(forms))]


def _identifier(known: Text, draw: _Draw) -> str:
    while True:
        found = IDENTIFIER.findall(known.words[draw.below(len(known.words))])  # by spelling: the rare words rule
        if found and len(found[0]) > 2:
            return str(found[0][:12])


def records(n: int, seed: int = 1) -> Iterator[str]:
    """The first `n` texts of a seed: those of a smaller `n` are their beginning."""
    return (record(number, seed) for number in range(n))


def telling_words(content: str) -> list[str]:
    """The words of a record that a question can be made of, each once."""
    words = dict.fromkeys(map(_bare, content.split()))
    return [word for word in words if len(word) > 2 and word not in text().common]


def questions(n: int, seed: int = 1, among: int = 1000) -> Iterator[str]:
    """`n` queries of 4 to 8 telling words, each of one record among the first `among` of the seed, in its order.

    A telling word has three letters or more and is none of the text's 200 commonest.
    """
    draw = _Draw(f"questions/{seed}")
    made = 0
    while made < n:
        telling = telling_words(record(draw.below(among), seed))
        wanted = FEWEST_ASKED + draw.below(MOST_ASKED - FEWEST_ASKED + 1)
        if len(telling) < FEWEST_ASKED:
            continue
        while len(telling) > wanted:
            del telling[draw.below(len(telling))]
        yield " ".join(telling)
        made += 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Write made-up memories (or questions) as JSON lines.")
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--questions", action="store_true", help="queries for the first 1,000 records instead")
    arguments = parser.parse_args()
    made = (questions if arguments.questions else records)(arguments.n, arguments.seed)
    for content in made:
        print(json.dumps({"content": content}))


if __name__ == "__main__":
    main()
