"""A real tree of documentation: added in one command, added again, and its sections found by what they begin with.

The tree is CMake's Help, 2,000 files of reStructuredText out of the wheel on PyPI (BSD-3-Clause). The first sentence of
fifty sections is taken out of the text and asked for: what is left, title and rest, must be found by it.
"""

import random
import re
import subprocess
import sys
import time
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from asking import Lab, Stored, say
from client import INDELIBLE, Server, environment
from report import Figure, table

PACKAGE = "cmake==4.4.4"
FILES = 2000
PAIRS = 50
TOP = 5
SEED = 20261122
WORDS = (8, 40)  # of a first sentence that is asked for
LEFT = 60  # words that a section has without it, at least
MARK = 30  # characters of a line that tell a section

_SECTION = re.compile(r"^(?P<title>\S.*)\n(?P<line>[-=~^\"'*#+.])(?P=line){2,}[ \t]*\n", re.MULTILINE)
_SENTENCE = re.compile(r"^[A-Z`](?:(?!\n\s*\n)[^|])*?[.!?](?=\s)", re.MULTILINE)  # no substitutions

_NAME = re.compile(r"(?::[\w:+-]+:)?`+[!~]?([^`<]*?)(?:\s*<[^`>]*>)?`+(?:_+)?")  # :command:`install`, ``install()``


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and what it is to find: lines of a section of a file."""

    sentence: str
    file: str
    title: str
    lines: tuple[str, ...]


def documents(lab: Lab) -> tuple[str, list[Figure]]:
    """The whole tree through `indelible add`, then retrieve_memory."""
    tree = unpacked(lab.folder, FILES)
    pairs = taken_out(tree, PAIRS)
    data = lab.fresh()
    first, second = (added(tree, data) for _ in range(2))
    with lab.serving(Stored(data, str(tree), {})) as server:
        say(f"{len(pairs)} sentences")
        found = [_place(server, pair) for pair in pairs]
    recall = sum(place is not None for place in found) / len(found)
    figures = [
        Figure(
            f"`indelible add` of {FILES:,} files, again / the first time",
            second / first,
            f"{second:.1f} / {first:.1f} s, {FILES / first:,.0f} files a second",
            most=0.1,
        ),
        Figure(f"sections found by a sentence, recall@{TOP}", None, f"{recall:.2f}", least=0.8, value=recall),
    ]
    said = f"The first sentence of {len(pairs)} sections, taken out of the text, asked through retrieve_memory."
    rows = [[str(place), str(found.count(place))] for place in (*range(1, TOP + 1), None)]
    return f"{said}\n\n{table(['place', 'sections'], rows)}", figures


def unpacked(folder: Path, count: int) -> Path:
    """The first files of the tree, in a directory that is no repository."""
    say(f"downloading {PACKAGE}")
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    ran = subprocess.run([*command, "--dest", str(wheels), PACKAGE], check=False)
    if ran.returncode != 0:
        raise SystemExit(f"{PACKAGE} cannot be downloaded: the documents were NOT measured; --steps leaves them out")
    (wheel,) = wheels.glob("*.whl")
    tree = folder / "Help"
    with zipfile.ZipFile(wheel) as archive:
        names = sorted(name for name in archive.namelist() if "/Help/" in name and name.endswith(".rst"))[:count]
        for name in names:
            path = tree / name.partition("/Help/")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
    wheel.unlink()
    if len(names) < count:
        raise SystemExit(f"{PACKAGE} has {len(names)} files of documentation, {count} are needed")
    return tree


def taken_out(tree: Path, count: int) -> list[Pair]:
    """Sections of as many files, chosen by chance, without their first sentences; the files are changed.

    A sentence that stands in two files, names apart ("This command has been superseded by ..."), asks for none of them.
    """
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(tree.rglob("*.rst"))}
    said = Counter(form for text in texts.values() for form in {_form(each[0]) for each in _SENTENCE.finditer(text)})
    chance, pairs = random.Random(SEED), []
    for file in chance.sample(list(texts), len(texts)):
        sections = [cut for cut in _sections(texts[file], file.relative_to(tree).as_posix()) if said[cut[2]] == 1]
        if sections and len(pairs) < count:
            pair, rest, _ = chance.choice(sections)
            file.write_text(rest, encoding="utf-8")
            pairs.append(pair)
    if len(pairs) < count:
        raise SystemExit(f"only {len(pairs)} of {count} sections have a sentence to ask for")
    return pairs


def _form(sentence: str) -> str:
    """A sentence without its names."""
    return " ".join(_NAME.sub("X", sentence).split())


def _asked(sentence: str) -> str:
    """A sentence as somebody would type it: without markup."""
    return " ".join(_NAME.sub(lambda name: name[1], sentence).replace("*", "").split())


def _sections(text: str, file: str) -> list[tuple[Pair, str, str]]:
    """Each section as a pair, with the text that is left of the file, and the form of the sentence."""
    heads = list(_SECTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found = (_section(text, file, head, end) for head, end in zip(heads, ends, strict=False))  # none without any head
    return [section for section in found if section is not None]


def _section(text: str, file: str, head: re.Match[str], end: int) -> tuple[Pair, str, str] | None:
    body = text[head.end() : end]
    sentence = _SENTENCE.search(body)
    if sentence is None or body[: sentence.start()].strip().count("\n") > 3:
        return None
    rest = body[: sentence.start()] + body[sentence.end() :]
    lines = tuple(line.strip() for line in rest.splitlines() if len(line.strip()) >= MARK)
    asked = _asked(sentence[0])
    if not (WORDS[0] <= len(asked.split()) <= WORDS[1] and len(rest.split()) >= LEFT and lines):
        return None
    return Pair(asked, file, head["title"], lines), text[: head.end()] + rest + text[end:], _form(sentence[0])


def added(tree: Path, data: Path) -> float:
    """Seconds that the command takes for the whole tree."""
    say("adding the tree")
    began = time.perf_counter()
    command = [str(INDELIBLE), "add", "--data", str(data), "."]
    ran = subprocess.run(command, env=environment(), cwd=tree, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if ran.returncode != 0:
        raise SystemExit(f"indelible add failed with exit code {ran.returncode}: {ran.stderr[-500:]}")
    say(ran.stderr.strip().splitlines()[-1])
    return took


def _place(server: Server, pair: Pair) -> int | None:
    """The place of the first result that is of the section."""
    results = server.call("retrieve_memory", query=pair.sentence, top_k=TOP)["results"]
    for place, result in enumerate(results, 1):
        in_file = result["metadata"]["file_name"] == pair.file
        if in_file and any(line in result["content"] for line in pair.lines):
            return place
    return None
