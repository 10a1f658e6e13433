"""TOML, JSON and YAML that anybody may have written: what would cost more than its size is refused, not read."""

import json
import re
import tomllib
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

# Imported late (cli): yaml

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


def yaml_value(text: str, *, whole: bool = False) -> Any:
    """The value of the first YAML document of a text: dicts, lists and texts, None where there is none.

    A scalar is its text, whatever its tag; `<<` is a key like others; what has no text as its key is left out. An alias
    is the very value that it names, so that aliases of aliases take no more memory than they are long. Raises
    ValueError for what is not YAML or nested too deeply, and with `whole` for all that is not in the value then: a key
    that is no text or stands there twice, a comment, a second document.
    """
    import yaml  # here: only two kinds of manifests need it

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # its C library is missing on few platforms
    try:
        if whole and "#" in text:
            _refuse_comments(text, yaml.scan(text, loader))
        return _first_document(yaml.parse(text, loader), whole=whole)
    except yaml.YAMLError as error:
        raise ValueError(f"it is not YAML: {' '.join(str(error).split())}") from error


def _refuse_comments(text: str, tokens: Iterable[Any]) -> None:
    end = 0
    for token in tokens:
        if "#" in (between := text[end : token.start_mark.index]):
            raise ValueError(f"it has the comment {between[between.index('#') :].strip()[:80]!r}, which is not kept")
        end = token.end_mark.index


def _first_document(events: Iterable[Any], *, whole: bool = False) -> Any:
    document, count = None, 0
    anchors: dict[str, Any] = {}
    around: list[tuple[str | None, list[Any]]] = []  # the anchor of each collection that is open, and its parts so far
    for event in events:
        kind = type(event).__name__
        if kind == "DocumentEndEvent":
            if not whole:
                break
            count += 1
            if count > 1:
                raise ValueError("it has a second document")
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            around.append((event.anchor, []))
            if len(around) > DEEPEST:
                raise ValueError(f"it is nested deeper than {DEEPEST} levels")
        elif kind in ("SequenceEndEvent", "MappingEndEvent", "ScalarEvent", "AliasEvent"):
            anchor, value = (
                _collected(kind, *around.pop(), whole=whole) if kind.endswith("EndEvent") else _leaf(event, anchors)
            )
            if anchor is not None:
                anchors[anchor] = value
            if around:
                around[-1][1].append(value)
            else:
                document = value
    return document


def _collected(kind: str, anchor: str | None, parts: list[Any], *, whole: bool) -> tuple[str | None, Any]:
    if kind == "SequenceEndEvent":
        return anchor, parts
    if whole:
        _refuse_keys(parts[::2])
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return anchor, {key: value for key, value in pairs if isinstance(key, str)}


def _refuse_keys(keys: list[Any]) -> None:
    seen = set()
    for key in keys:
        if not isinstance(key, str):
            raise ValueError("it has a key that is no text")
        if key in seen:
            raise ValueError(f"it has the key {key[:80]!r} twice; keep one of them")
        seen.add(key)


def _leaf(event: Any, anchors: dict[str, Any]) -> tuple[str | None, Any]:
    """The anchor and value of a scalar; an alias has no anchor of its own."""
    if hasattr(event, "value"):
        return event.anchor, event.value
    if event.anchor not in anchors:  # that of a collection is known once that is closed, so that none holds itself
        raise ValueError(f"it is not YAML: *{event.anchor:.40} names nothing before it")
    return None, anchors[event.anchor]


def _check_depth(bare: str) -> None:
    """`bare` is a document without its texts."""
    steps = (1 if each in "{[" else -1 for each in _BRACKET.findall(bare))
    if max(accumulate(steps), default=0) > DEEPEST:
        raise ValueError(f"it is nested deeper than {DEEPEST} levels")
