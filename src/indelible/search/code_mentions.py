"""Mentions of source code in texts: paths of files, qualified names, and identifiers that are no words of prose.

`core/recall` looks mentions up in a codebase. Precision counts more than recall: a word like `run` or `open` counts
only where it is called, `open()`, or stands alone between backticks.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from indelible.search import file_paths

LONGEST_SCANNED = 200_000  # characters of a text; its subject is named before
MOST_NAMES = 600  # different names and
MOST_PATHS = 200  # paths of a text that are looked up, the first ones
LONGEST_NAME = 200  # characters

# How sure a mention is, 0..1: the weight of the relation that it makes.
EXACT = 1.0  # the whole qualified name, the whole path
QUOTED = 0.9  # a name alone between backticks
QUALIFIED = 0.9  # a path with a directory, a name of two or more segments
FILE_NAME = 0.8  # a file without its directory
IDENTIFIER = 0.7  # a name that looks like code
CALLED = 0.6  # a plain word with brackets

_OUTSIDE = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-๿"  # scripts written without spaces: beside a name they are no part of it
_LETTER = rf"[^\W{_OUTSIDE}]"
_IDENTIFIER = rf"(?:[^\W\d{_OUTSIDE}]|\$)(?:{_LETTER}++|\$)*"
_CHAIN = rf"{_IDENTIFIER}(?:(?:\.|::|->|\?\.|#){_IDENTIFIER})*"
_NAMES = re.compile(rf"(?<![^\W{_OUTSIDE}])(?<!\$)({_CHAIN})(!?\((?!(?:e?s|ies)\)))?")
_SEGMENTS = re.compile(r"\.|::|->|\?\.|#|/")
# One name alone between backticks, however it is announced: `run`, `async def run(x)`, `&Store`, `Vec<T>`.
_QUOTED = re.compile(r"(?<!`)(`{1,2})([^`\n]{1,200})\1(?!`)")
_ANNOUNCED = (
    r"(?:(?:pub(?:\([a-z]+\))?|async|await|new|static|export|default|def|fn|func|function|class|struct|enum|trait|interface|"
    r"impl|type|const|let|var|mod|namespace|macro)\s+)*"
)
_ANY = r"(?:[^\W\d]|\$)[\w$]*"  # of whatever script: between backticks nothing stands beside it
_ALONE = re.compile(
    rf"{_ANNOUNCED}[&*@.]*(?:::)?({_ANY}(?:(?:\.|::|->|\?\.|#){_ANY})*)!?(?:<[^<>]*>)?(?:\([^()]*\))?[;:]?"
)
_PATHS = re.compile(r"[-\w@+~./\\]+")
_BESIDE = re.compile(f"[{_OUTSIDE}]+")
_FILE = re.compile(r"[-\w@+~.]*\w\.[A-Za-z][A-Za-z0-9_]{0,9}")

_LOOKS_LIKE_CODE = re.compile(
    r"[^\W_]_+[^\W_]"  # retry_count
    r"|^_+[^\W_]{3}"  # _prepare
    r"|[a-z0-9][A-Z]"  # getUser, UserService
    r"|(?<![A-Z])[A-Z]{2,}+[a-z]{2,}+[A-Z]|^[A-Z]{2,}[a-z]{3,}"  # HTTPServer, but not URLs
)
_LOOKS_LIKE_TYPE = re.compile(r"[A-Z]++[a-z0-9]++[A-Z][A-Za-z0-9]*+|[A-Z]{2,}+[a-z]{3,}+[A-Za-z0-9]*+")
_OWN = frozenset(("self", "this", "cls", "crate", "super", "Self", "$this"))  # they name a place, not a container
_SHORTEST = 2  # characters of a name that is called
_SHORTEST_IDENTIFIER = 3


class Name(NamedTuple):
    """A name in a text, its segments from the outermost to the last one, and how sure it is."""

    segments: tuple[str, ...]
    sureness: float

    @property
    def text(self) -> str:
        """The name, its segments joined with full stops."""
        return ".".join(self.segments)


class Path(NamedTuple):
    """A path in a text, in its parts, the last the name of a file; `sureness` is less without a directory."""

    parts: tuple[str, ...]
    sureness: float

    @property
    def text(self) -> str:
        """The path as text, without `./` and the like."""
        return "/".join(self.parts)


class Mentions(NamedTuple):
    """The mentions of a text, in its order; each once, as sure as where it is surest."""

    paths: tuple[Path, ...]
    names: tuple[Name, ...]

    def __bool__(self) -> bool:
        return bool(self.paths or self.names)


def mentions(text: str) -> Mentions:
    """Return the paths and names in a text that may be files and symbols; in time linear in its length."""
    scanned = unicodedata.normalize("NFC", text[:LONGEST_SCANNED])
    paths: dict[tuple[str, ...], float] = {}
    names: dict[tuple[str, ...], float] = {}
    for parts in _paths(scanned):
        if len(paths) < MOST_PATHS:
            _add(paths, parts, QUALIFIED if len(parts) > 1 else FILE_NAME)
    for segments in _quoted(scanned):
        if len(names) < MOST_NAMES:
            _add(names, segments, QUOTED)
    for segments, sureness in _names(scanned):
        if len(names) < MOST_NAMES:
            _add(names, segments, sureness)
    for parts in paths:  # of JavaScript: its qualified names begin with the file's path
        if "." in parts[-1] and len(parts) > 1:
            _add(names, tuple(segment for part in parts for segment in part.split(".") if segment), QUALIFIED)
    return Mentions(
        tuple(Path(*each) for each in paths.items()),
        tuple(Name(segments, sureness) for segments, sureness in names.items()),
    )


def path(whole: str) -> Path | None:
    """Return a path given by itself, with any characters, as a mention; None where it names no file."""
    parsed = file_paths.parse(whole)
    if parsed is None:
        return None
    parts = (*parsed.directories, parsed.name)
    return Path(parts, QUALIFIED if len(parts) > 1 else FILE_NAME)


def parts_of_type(segments: Iterable[str]) -> Iterator[str]:
    """Yield the segments that look like names of types: `UserService` of `UserService.unknown`."""
    return (segment for segment in segments if _LOOKS_LIKE_TYPE.fullmatch(segment))


def _add(found: dict[tuple[str, ...], float], key: tuple[str, ...], sureness: float) -> None:
    found[key] = max(sureness, found.get(key, 0.0))


# --- Names ---


def _quoted(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the names that stand alone between backticks."""
    for match in _QUOTED.finditer(text):
        alone = _ALONE.fullmatch(match[2].strip())
        if alone is not None and (segments := _segments(alone[1])):
            yield segments


def _names(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    for match in _NAMES.finditer(text):
        chain, called = match[1], match[2] is not None
        if len(chain) > LONGEST_NAME or (not called and chain.isalpha() and chain.islower()):
            continue  # most words of prose
        file, _, within = chain.partition("::")
        if within and _FILE.fullmatch(file):  # tests/test_store.py::test_it
            yield _segments(within), QUALIFIED
            continue
        segments = _segments(chain)
        if len(segments) > 1:
            yield segments, QUALIFIED
        elif segments and (sureness := _sureness(segments[0], called)):
            yield segments, sureness


def _segments(chain: str) -> tuple[str, ...]:
    """Return the segments of a chain without `self` and the like: `self.store` is `store`."""
    parts = [part for part in _SEGMENTS.split(chain) if part]
    while parts and parts[0] in _OWN:
        del parts[0]
    return tuple(parts) if len(chain) <= LONGEST_NAME else ()


def _sureness(name: str, called: bool) -> float:
    """Return how sure it is that one identifier is a name of code, 0 for a word."""
    if len(name) >= _SHORTEST_IDENTIFIER and _LOOKS_LIKE_CODE.search(name):
        return IDENTIFIER
    return CALLED if called and len(name) >= _SHORTEST else 0.0


# --- Paths ---


def _paths(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each path that ends with a file's name: directories (no `.`, `..` and `~`), and the name."""
    for match in _PATHS.finditer(text):
        run = match[0]
        if "." not in run or len(run) > file_paths.LONGEST or _is_address(text, match.start(), run):
            continue
        for each in dict.fromkeys((run, *_BESIDE.split(run))):  # such letters may be of the path, or of the sentence
            parts = file_paths.normal(each).rstrip(".-+~@/").split("/")
            if _FILE.fullmatch(parts[-1]):
                yield tuple(part for part in parts if part not in ("", ".", "..", "~"))


def _is_address(text: str, at: int, run: str) -> bool:
    """Whether a run is the rest of a URL, which names no file of the codebase; one of `file://` is none."""
    return run.startswith("//") and text.endswith(":", 0, at) and not text.endswith("file:", 0, at)
