"""TOML and JSON that anybody may have written: what would cost more than its size is refused before it is parsed."""

import json
import re
import tomllib
from itertools import accumulate
from typing import Any

MOST_PARTS = 16  # of a dotted key: tomllib keeps every beginning of one, so that memory grows with the square of them
DEEPEST = 100  # levels of nesting

# What is not closed ends where the text (or the line) does: no part of a text is looked through twice.
_TOML_TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+(?:"|\\?(?=\n|\Z))'
    r"|'[^'\n]*+(?:'|(?=\n|\Z))"
    r"|#[^\n]*+",
    re.DOTALL,
)
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BETWEEN_KEYS = re.compile(r"[=\n,{}\[\]]")
_BRACKET = re.compile(r"[{}\[\]]")


def toml(text: str) -> dict[str, Any]:
    """The values of a TOML document. Raises ValueError for one that is none, or whose keys or nesting are too deep."""
    bare = _TOML_TEXT.sub("s", text)
    if max(key.count(".") for key in _BETWEEN_KEYS.split(bare)) >= MOST_PARTS:
        raise ValueError(f"a key has more than {MOST_PARTS} parts")
    _check_depth(bare)
    return tomllib.loads(text)


def json_value(text: str) -> Any:
    """The value of a JSON document. Raises ValueError for one that is none, or is nested too deeply."""
    _check_depth(_JSON_TEXT.sub("", text))
    return json.loads(text)


def _check_depth(bare: str) -> None:
    """`bare` is a document without its texts."""
    steps = (1 if each in "{[" else -1 for each in _BRACKET.findall(bare))
    if max(accumulate(steps), default=0) > DEEPEST:
        raise ValueError(f"it is nested deeper than {DEEPEST} levels")
