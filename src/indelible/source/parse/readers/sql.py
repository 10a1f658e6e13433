"""The definitions of SQL: tables, views, functions, procedures, triggers and types of any dialect.

A grammar of one dialect makes errors of the others; a definition begins alike in all.
"""

import re
from collections.abc import Iterator

from indelible.source.parse import comments
from indelible.source.parse.comments import CommentStyle
from indelible.source.parse.readers.section import Section
from indelible.source.parse.symbols import FUNCTION, STRUCT, TYPE

MOST_SIGNATURE = 400

_STYLE = CommentStyle((b"--",), (b"/*",))
_QUIET = re.compile(  # what is no statement: comments, texts, the bodies of functions of PostgreSQL
    rb"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^'\\]|''|\\(?:.|\Z))*+(?:'|\Z)|(\$\w*\$).*?(?:\1|\Z)", re.DOTALL
)
_PART = rb"(?:\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`|\[[^\]\n]{1,200}\]|[\w$#@]+|[^\x00-\x7f]+)"
_CREATE = re.compile(
    rb"\bCREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?"
    rb"(?:DEFINER\s*=\s*\S+\s+|(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|VIRTUAL|FOREIGN|EXTERNAL|MATERIALIZED|RECURSIVE|"
    rb"CONSTRAINT|AGGREGATE|EDITIONABLE|NONEDITIONABLE|SQL\s+SECURITY\s+\w+|ALGORITHM\s*=\s*\w+)\s+){0,6}"
    rb"(TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|TYPE|DOMAIN)\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    rb"((?:" + _PART + rb"\s*\.\s*){0,3})(" + _PART + rb")",
    re.IGNORECASE,
)
_KINDS = {b"TABLE": STRUCT, b"VIEW": STRUCT, b"TYPE": TYPE, b"DOMAIN": TYPE}


def definitions(text: bytes) -> Iterator[Section]:
    """Yield the definitions of a text, each up to the end of its statement."""
    bare = _QUIET.sub(_blank, text)
    for found in _CREATE.finditer(bare):
        start = found.start()
        end = bare.find(b";", found.end())
        end = len(text) if end < 0 else end + 1
        name = text[found.start(3) : found.end(3)].strip(b'"`[]').decode("utf-8", "replace")
        qualifier = b".".join(each.strip(b' \t\r\n"`[]') for each in found[2].split(b".")[:-1])
        kind = _KINDS.get(found[1].upper(), FUNCTION)
        signature = " ".join(text[start : min(end, start + MOST_SIGNATURE)].decode("utf-8", "replace").split())
        doc, _ = comments.above(text, text.rfind(b"\n", 0, start) + 1, _STYLE)
        yield Section(kind, name, start, end, found.start(3), qualifier.decode("utf-8", "replace"), signature, doc)


def _blank(found: re.Match[bytes]) -> bytes:
    """Return spaces for a text, with its line ends."""
    return re.sub(rb"[^\n]", b" ", found.group())
