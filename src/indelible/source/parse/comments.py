"""Doc comments and docstrings: the text right above or at the top of a definition, as prose."""

import inspect
import re

from indelible.dataclass import dataclass

MOST_LINES = 200  # that are looked at above a definition
LONGEST_BLOCK = 20_000  # bytes of a block comment
LONGEST = 4_000  # characters that are kept


@dataclass(frozen=True, slots=True)
class CommentStyle:
    """The comments above a definition that are its documentation.

    `line` are the marks of line comments that count, `block` those of block comments, `between` matches lines that may
    stand between the comment and the definition (attributes, decorators, template headers).
    """

    line: tuple[bytes, ...] = ()
    block: tuple[bytes, ...] = ()
    between: re.Pattern[bytes] = re.compile(rb"(?!)")
    docstrings: bool = False


ANY_COMMENT = CommentStyle((b"//",), (b"/*",), re.compile(rb"template\s*<.*>$|\[\[.*\]\]$|[A-Z_]{4,}(\(.*\))?$"))
SLASHES = CommentStyle((b"//",), (b"/*",))
JSDOC = CommentStyle((b"//",), (b"/*",), re.compile(rb"@[\w.]+(\(.*\))?$|export\s*(default)?$"))
JAVADOC = CommentStyle(
    (), (b"/**",), re.compile(rb"@[\w.]+(\(.*\))?$|(public|private|protected|static|final|abstract)\b[\w ]*$")
)
RUSTDOC = CommentStyle((b"///", b"/**"), (b"/**",), re.compile(rb"#!?\[.*\]$|//(?!/)"))
KDOC = CommentStyle(
    (),
    (b"/**",),
    re.compile(rb"@[\w.:]+(\(.*\))?$|(public|private|protected|internal|override|abstract|final)\b[\w ]*$"),
)
PHPDOC = CommentStyle((), (b"/**",), re.compile(rb"#\[.*\]$"))
SWIFTDOC = CommentStyle((b"///",), (b"/**",), re.compile(rb"@[\w.]+(\(.*\))?$"))
XMLDOC = CommentStyle((b"///",), (b"/**",), re.compile(rb"\[.*\]$|#(region|endregion|pragma|if|endif|nullable)\b.*"))
HASHES = CommentStyle((b"#",))
DOCSTRINGS = CommentStyle(docstrings=True)

_BEGIN = re.compile(r"[ \t]*+(?:/\*+!?<?|//+!?<?|\*++(?!/))? ?")  # of a line: the marks of the comment
_NO_PROSE = re.compile(  # rulers, and directives to tools
    r"^(?:[^\w\n]+|(?:eslint|prettier|tslint|jshint|jscs|istanbul|c8 |v8 |globals? |exported |@ts-|@flow|webpack|"
    r"go:|\+build|nolint|NOLINT|clang-format|coverage:|#__|sourceMapping|@__|<reference).*)(?:\n|\Z)",
    re.MULTILINE,
)
_DOCSTRING = re.compile(rb'[rRuU]?("""|\'\'\'|"|\')')


def above(text: bytes, start: int, style: CommentStyle) -> tuple[str, bytes]:
    """Return the documentation above the line that starts at `start`, and the lines between the two (attributes).

    "" where a blank line or other code comes first.
    """
    comment: list[bytes] = []
    between: list[bytes] = []
    end = start
    for _ in range(MOST_LINES):
        if end == 0:
            break
        line_start = text.rfind(b"\n", 0, end - 1) + 1
        line = text[line_start:end].strip()
        if line.startswith(style.line) and style.line:
            comment.append(_bare(line) if line[:1] in b"#-" else line)
        elif line.endswith(b"*/") and not comment and style.block:
            opening = text.rfind(b"/*", max(0, end - LONGEST_BLOCK), end)
            if text[opening:].startswith(style.block, 0) and _alone(text, opening):
                comment.append(text[opening:end])
            break
        elif style.between.match(line) and not comment:
            between.append(line)
        else:
            attribute = _attribute(text, line, end) if not comment else -1
            if attribute < 0:
                break
            between.append(text[attribute:end])
            line_start = text.rfind(b"\n", 0, attribute) + 1
        end = line_start
    return prose(comment), b"\n".join(between)


def _bare(line: bytes) -> bytes:
    """Return the text of a comment of Ruby, a shell or SQL, nothing of one that is for a tool."""
    return b"" if _FOR_TOOLS.match(line) else line.lstrip(b"#-").removeprefix(b" ")


_FOR_TOOLS = re.compile(
    rb"#!|#+\s*(?:shellcheck|rubocop|-\*-|vim:|frozen_string_literal|:nodoc:|:stopdoc:)|[#-][-=#*~ ]+$"
)


def _alone(text: bytes, opening: int) -> bool:
    """Whether nothing but space stands before a comment on its line."""
    return opening >= 0 and not text[text.rfind(b"\n", 0, opening) + 1 : opening].strip()


def _attribute(text: bytes, line: bytes, end: int) -> int:
    """Return where the attribute of several lines starts that ends with this line (`)]` of Rust), -1 if it is none."""
    if not line.endswith(b"]"):
        return -1
    opening = text.rfind(b"#[", max(0, end - 2_000), end)
    return opening if opening >= 0 and _alone(text, opening) and text.count(b"\n\n", opening, end) == 0 else -1


def prose(lines_upwards: list[bytes]) -> str:
    """Comment lines, last first, as text: without marks, rulers and directives to tools; at most LONGEST characters."""
    if not lines_upwards:
        return ""
    text = b"\n".join(reversed(lines_upwards))[: 2 * LONGEST].decode("utf-8", "replace")
    return _NO_PROSE.sub("", "\n".join(map(_unmarked, text.split("\n")))).strip()[:LONGEST]


def _unmarked(line: str) -> str:
    """A line without the marks that make it one of a comment."""
    begin = _BEGIN.match(line)
    rest = line[begin.end() if begin else 0 :].rstrip(" \t\r")
    return rest[:-1].rstrip("*").rstrip(" \t") if rest.endswith("*/") else rest


def docstring(text: bytes, start: int, end: int) -> str:
    """The docstring that a Python block from start to end begins with, cleaned as `inspect.cleandoc` does."""
    found = _DOCSTRING.match(text, start, end)
    if found is None:
        return ""
    quotes = found.group(1)
    closing = text.find(quotes, found.end(), end)
    if closing < 0:
        return ""
    return inspect.cleandoc(text[found.end() : closing].decode("utf-8", "replace"))[:LONGEST].strip()
