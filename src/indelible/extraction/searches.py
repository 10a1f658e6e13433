"""The search patterns in a shell line: agents without a search tool use grep and the like."""

import re
import shlex
from collections.abc import Iterator

LONGEST = 2_000  # characters of a line that are read
_PROGRAMS = frozenset("rg grep egrep fgrep ag ack ugrep".split())
# To look for such a word first is a hundredth of the work, and few lines have one.
_NAMED = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(_PROGRAMS))})(?![\w-])")
# Flags whose value is the next word; `-e` and its like have the pattern itself.
_VALUED = frozenset(
    """-A -B -C -m -g -t -T -d -D -f -j -M --after-context --before-context --context --max-count --glob --iglob --type
    --type-not --include --exclude --exclude-dir --threads --max-depth --encoding --sort --color""".split()
)
_WITH_PATTERN = ("-e", "--regexp")
_BETWEEN = "();<>|&\n"  # what stands between the commands of a line, or of several
_PIPES = ("|", "|&")


def patterns(line: str) -> list[str]:
    """Return the patterns that the commands of a line search files for, in order.

    A filter of another command's output (`make | grep error`) is no search. A line with an unclosed quote has none.
    """
    read = line[:LONGEST].replace("\\\n", " ")
    if _NAMED.search(read) is None:
        return []
    return [pattern for words in _commands(read) if (pattern := _pattern(words))]


def _commands(line: str) -> Iterator[list[str]]:
    """The words of each command that does not read from a pipe."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=_BETWEEN)
    reader.whitespace = " \t\r"
    reader.whitespace_split = True
    reader.commenters = ""
    words: list[str] = []
    piped = False
    try:
        for word in reader:
            if word and set(word) <= set(_BETWEEN):
                if words and not piped:
                    yield words
                words, piped = [], word.rstrip("\n") in _PIPES
            else:
                words.append(word)
    except ValueError:  # a quotation without an end
        return
    if words and not piped:
        yield words


def _pattern(words: list[str]) -> str:
    """Return the pattern that a command searches for, "" if it is no search."""
    if words[:2] == ["git", "grep"]:
        words = words[1:]
    if words[0].rpartition("/")[2] not in _PROGRAMS:
        return ""
    at = 1
    while at < len(words):
        word = words[at]
        if word in _WITH_PATTERN or word == "--":
            return words[at + 1] if at + 1 < len(words) else ""
        if not word.startswith("-") or word == "-":
            return word
        at += 2 if word in _VALUED else 1
    return ""
