"""Count the triples of letters that tell languages (`indelible.search.languages`): run once, by a maintainer.

    python scripts/count_letters.py /usr/share/locale FOLDER_OF_PYTHON_SOURCE...

Languages are counted in the translated messages of the catalogues of a system with its language packs, English in their
originals and in the docstrings, comments and descriptions of Python packages. Half of the messages, those whose digest
is odd, are left out, for measuring. Only counts are written, and the same for the same texts, byte for byte.
"""

import gettext
import hashlib
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from indelible.search import languages
from indelible.search.languages import BY_LETTERS, ENGLISH, PER_NAT, function_words, triples_of, unaccented

DATA = Path(languages.__file__).parent / "data" / "letter_triples"
CATALOGUES = """git apt coreutils dpkg wget glib20 tar findutils psql-15 vim gnupg2 systemd gtk20 PackageKit
    software-properties""".split()
FOLDERS = {"pt": "pt_BR", "no": "nb"}  # of languages that are not called by their code
MESSAGES = 8_000  # of a language, drawn among its own
FILES, LINES = 1_500, 400  # of Python source, and of the description of a package
TRIPLES = 2_500  # those that tell most; twice as many would tell 0.7% more of messages of three to six words
EACH = 200_000  # triples of a language, whatever there is of it
OF_FUNCTION_WORDS = 30  # of those each; questions have more of them than messages
NO_TEXT = re.compile(r"%[-\d.$*]*[a-zA-Z]+|<[^>]*>|\\n|[_&](?=\w)")
LETTERS = re.compile(r"[^\W\d_]+")
SEAM = re.compile("(?<=[a-z])(?=[A-Z])")
ENGLISH_IN_SOURCE = re.compile(r"""# +([A-Z][^\n]{20,})|def (\w+)|["']{3}(.{20,100})""")


def is_kept_out(message: str) -> bool:
    """Whether a message is of the half that measures."""
    return hashlib.md5(message.encode()).digest()[0] % 2 == 1


def messages(locale: Path) -> dict[str, set[str]]:
    """Return the messages of each language."""
    found: dict[str, set[str]] = {language: set() for language in BY_LETTERS}
    for language in BY_LETTERS:
        for name in CATALOGUES:
            file = locale / FOLDERS.get(language, language) / "LC_MESSAGES" / f"{name}.mo"
            if not file.exists():
                continue
            try:
                with file.open("rb") as opened:
                    pairs = gettext.GNUTranslations(opened)._catalog.items()
            except UnicodeDecodeError:  # what it says of its encoding is wrong
                continue
            for key, said in pairs:
                original = key[0] if isinstance(key, tuple) else key
                if original and said != original:
                    found[language].add(as_text(said))
                    found[ENGLISH].add(as_text(original))
    return found


def as_text(message: str) -> str:
    """Return a message without formats, tags, accelerators and its context."""
    return NO_TEXT.sub(" ", message).split("\x04")[-1].strip()


def english(folders: Iterable[Path]) -> Iterator[str]:
    """Yield English lines of Python packages."""
    drawn = random.Random(7)
    for folder in folders:
        for described in sorted(folder.glob("*/METADATA")):
            lines = described.read_text(encoding="utf-8", errors="replace").splitlines()
            yield from [line for line in lines if line.isascii() and len(LETTERS.findall(line)) >= 3][:LINES]
        sources = sorted([*folder.glob("*.py"), *folder.glob("*/*.py")])
        for source in drawn.sample(sources, min(FILES, len(sources))):
            for groups in ENGLISH_IN_SOURCE.findall(source.read_text(encoding="utf-8", errors="replace")):
                line = "".join(groups).replace("_", " ")
                if line.isascii():
                    yield line


def counted(texts: Iterable[str]) -> Counter[str]:
    """Return the triples of texts with their counts, each distinct word of a text once, together EACH."""
    counts = Counter[str]()
    for text in texts:
        counts.update(triples_of(sorted(set(LETTERS.findall(SEAM.sub(" ", unaccented(text)).lower())))))
    total = counts.total()
    return Counter({triple: count * EACH / total for triple, count in counts.items()})


def main() -> None:
    """Write the table."""
    said, drawn = messages(Path(sys.argv[1])), random.Random(7)
    counts = {}
    for language, each in said.items():
        kept = sorted(message for message in each if not is_kept_out(message))
        counts[language] = counted(drawn.sample(kept, min(MESSAGES, len(kept))))
        for word in sorted(languages.ENGLISH_WORDS if language == ENGLISH else function_words(language)):
            for triple in triples_of([word]):
                counts[language][triple] += OF_FUNCTION_WORDS
    counts[ENGLISH].update(counted(english(map(Path, sys.argv[2:]))))
    triples = sorted(set().union(*counts.values()))
    totals = {language: each.total() for language, each in counts.items()}

    def shares(triple: str) -> list[float]:
        return [(counts[each][triple] + 0.5) / (totals[each] + 0.5 * len(triples)) for each in BY_LETTERS]

    def tells(triple: str) -> float:
        each = shares(triple)
        mean = sum(each) / len(each)
        return sum(share * math.log(share / mean) for share in each)

    chosen = sorted(sorted(triples, key=lambda triple: (-tells(triple), triple))[:TRIPLES])
    rows = (bytes(min(255, round(-PER_NAT * math.log(share))) for share in shares(triple)) for triple in chosen)
    DATA.write_bytes("".join(chosen).encode() + b"\n" + b"".join(rows))


if __name__ == "__main__":
    main()
