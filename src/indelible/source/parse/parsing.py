"""From the bytes of one file to its symbols and references: `parse`.

Grammars load at first use, each once a process. A file with syntax errors is read as far as it can be; a file that is
no source (binary, too large, without end) raises NotSource with the reason.
"""

import codecs
import functools
import importlib
import re
from importlib import resources
from typing import Any

import tree_sitter
from tree_sitter import Parser, Query, QueryCursor, Tree

from indelible.dataclass import dataclass
from indelible.source.parse import plain_files
from indelible.source.parse.deadline import Deadline, NotSource
from indelible.source.parse.extraction import Captured, Role, extract
from indelible.source.parse.languages import Language
from indelible.source.parse.symbols import ParsedFile

MOST_BYTES = 1 << 20
WATCHED_FROM = 64 << 10  # bytes; a smaller file is parsed without a watch on its time, which costs a fifth
# Grammars that recover from errors in more than the square of a text's length: 2 kB of `/*` take Swift's 3 s, 100 MB.
SLOW_TO_RECOVER = frozenset(("bash", "kotlin", "scala", "swift"))
SLOW_FROM = 500  # bytes from which these are watched
MOST_MATCHES = 1_024  # that a query has begun at once and captured something for
DEEP_BRACKETS = 200  # in one another are looked through
MOST_OPEN = 20_000  # brackets that may be left over: a hundred megabytes in C, the worst
LONG_ROW = 5_000  # children of a node
MOST_ROWS = 20_000**2  # the sum of the squares of long rows of tokens without a name: half a second
DEEPEST = 500  # nodes above the start of a match: each may wait for its end, so this bounds the work for a node

_CAPTURE = re.compile(r"@([\w.]+)")
_QUERY_COMMENT = re.compile(r"(?m)^[ \t]*;.*$")
_PUNCTUATION = b" " * 5_000  # in a row, such as the commas of an array of holes: what is none is translated to `x`
_TO_PUNCTUATION = bytes(120 if re.match(rb"[\w\"'`]", bytes((byte,))) else 32 for byte in range(256))
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, slots=True)
class Grammar:
    """A loaded grammar, and the queries compiled for it; `roles` by the index of the query's patterns."""

    language: Any  # tree_sitter.Language
    query: "Query"
    errors: "Query"
    roles: tuple[Role, ...]


def parse(body: bytes, language: Language, path: str, module: str = "", late: Deadline | None = None) -> ParsedFile:
    """Parse a file of a language. `path` is relative to the codebase, `module` the prefix of its qualified names.

    `module` is what `module_names.module_name` gives for the path; where a language has its package in the file (Go,
    Java) that is taken instead. Raises NotSource, also where `late` passes, which is made here if none is given.
    """
    late = late or Deadline()
    text, encoding = decoded(body)
    if language.read is not None:
        return plain_files.read(text, language, path, module, encoding, late)
    tree = _best_tree(text, language, late)
    late.check()
    grammar = grammar_of(language)
    if tree.root_node.has_error or _PUNCTUATION in text.translate(_TO_PUNCTUATION):
        _check_queryable(tree)
    matches, cut = _matches(tree, grammar)
    late.check()
    captured = Captured(matches, grammar.roles, cut, tree.root_node.has_error)
    return extract(text, captured, language, path, module, encoding, late)


def decoded(body: bytes) -> tuple[bytes, str]:
    """Return a file's text as UTF-8 without its mark, and its encoding; raises NotSource if it is not text.

    Bytes that are not UTF-8 are read in the encoding that Python's cookie names, else as Latin-1.
    """
    if len(body) > MOST_BYTES:
        raise NotSource(f"over {MOST_BYTES:,} bytes")
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _recoded(body, encoding if encoding == "utf-16" else "utf-8-sig")
    if b"\0" in body:
        raise NotSource("binary")
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return _recoded(body, _declared(body) or "latin-1")
    return body, "utf-8"


def _recoded(body: bytes, encoding: str) -> tuple[bytes, str]:
    text = body.decode(encoding, "replace")
    if "\0" in text:
        raise NotSource("binary")
    return text.encode("utf-8", "replace"), encoding.removesuffix("-sig")


def _declared(body: bytes) -> str | None:
    """Return the encoding of a cookie in the first two lines (PEP 263), None without a known one."""
    for line in body.split(b"\n", 2)[:2]:
        if found := _CODING.match(line):
            try:
                return codecs.lookup(found.group(1).decode("ascii")).name
            except LookupError:
                return None
    return None


def _best_tree(text: bytes, language: Language, late: Deadline) -> "Tree":
    """Return the tree of a text, or of a repaired text if that has fewer errors: the first repair that leaves none,
    else the best.
    """
    text = language.prepare(text) if language.prepare is not None else text
    best = _tree(text, language, late)
    for repaired in language.repair(text) if language.repair is not None and best.root_node.has_error else ():
        if repaired != text:
            late.check()
            best = min(best, _tree(repaired, language, late), key=lambda each: _errors(each, language))
        if not best.root_node.has_error:
            break
    return best


def _errors(tree: "Tree", language: Language) -> int:
    if not tree.root_node.has_error:
        return 0
    _check_queryable(tree)
    return 1 + len(QueryCursor(grammar_of(language).errors).matches(tree.root_node))  # some stand in no node


def _tree(text: bytes, language: Language, late: Deadline) -> "Tree":
    parser = Parser(grammar_of(language).language)
    if len(text) < (SLOW_FROM if language.name in SLOW_TO_RECOVER else WATCHED_FROM):
        return parser.parse(text)
    _check_brackets(text)
    try:
        return parser.parse(
            lambda at, _: text[at : at + WATCHED_FROM], progress_callback=lambda at, errors: late.passed()
        )
    except ValueError as error:
        late.check()
        raise NotSource("its parser gave up") from error


def _matches(tree: "Tree", grammar: Grammar) -> tuple[list[tuple[int, dict[str, list[Any]]]], bool]:
    """Return the matches of the query, and whether some are missing."""
    cursor = QueryCursor(grammar.query, match_limit=MOST_MATCHES)
    cursor.set_max_start_depth(DEEPEST)
    return cursor.matches(tree.root_node), cursor.did_exceed_match_limit  # its progress callback crashes (0.26.1)


def _check_brackets(text: bytes) -> None:
    """Raise NotSource if so many brackets are open in one another that the parser would take gigabytes for them.

    Those in strings and comments are counted too; in real source hardly any are left over.
    """
    left = text.translate(None, _NO_BRACKETS)
    for _ in range(DEEP_BRACKETS):
        before = len(left)
        left = left.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
        if len(left) in (0, before):
            break
    if len(left) > MOST_OPEN:
        raise NotSource("brackets without end")


_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")


def _check_queryable(tree: "Tree") -> None:
    """Raise NotSource if a query would take forever: at each child it looks for the next that has a name.

    Tokens without one in a row, such as a megabyte of `(` makes, take the square of their number.
    """
    waiting = [tree.root_node] if tree.root_node.descendant_count > LONG_ROW else []
    work = 0
    while waiting:
        node = waiting.pop()
        if node.child_count > LONG_ROW and node.child_count > 20 * node.named_child_count:
            work += node.child_count**2
        if work > MOST_ROWS:
            raise NotSource("nothing but punctuation")
        waiting += [child for child in node.children if child.descendant_count > LONG_ROW]


@functools.cache
def grammar_of(language: Language) -> Grammar:
    """Return a language's grammar and its compiled query."""
    module, function = language.grammar
    loaded = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    texts = (resources.files("indelible.source.parse") / "queries" / f"{name}.scm" for name in language.queries)
    source = "\n".join(text.read_text(encoding="utf-8") for text in texts)
    query = tree_sitter.Query(loaded, source)
    spans = ((query.start_byte_for_pattern(i), query.end_byte_for_pattern(i)) for i in range(query.pattern_count))
    errors = tree_sitter.Query(loaded, "(ERROR) @error (MISSING) @error")
    return Grammar(loaded, query, errors, tuple(_role(source.encode()[start:end].decode()) for start, end in spans))


def _role(pattern: str) -> Role:
    """Return the role of a pattern by its captures."""
    names = _CAPTURE.findall(_QUERY_COMMENT.sub("", pattern))
    leading = sorted({name for name in names if "." in name or name in Role.LEADING})
    if len(leading) != 1:
        raise ValueError(f"a pattern must have one role, this has {leading}: {pattern}")
    group, _, kind = leading[0].partition(".")
    return Role(group, kind, leading[0])
