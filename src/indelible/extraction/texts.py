"""Captured texts: cut to a bounded length, without secrets."""

import re

from indelible.sanitize.entropy import redact_captured
from indelible.sanitize.invisible import CONTROLS, JOINERS, SELECTORS, SEQUENCE, UNSEEN
from indelible.sanitize.secret_rules import compiled

Counts = dict[str, int]  # secrets, by rule

_BETWEEN = rf"(?<=[!-~])[{JOINERS}{SELECTORS}]+(?=[!-~])"  # what these characters are for is other scripts, and emoji
_WHOLE = 200_000  # characters up to which all of a text is redacted, whatever is kept of it
_AROUND = 65_536  # characters redacted beside a kept part: no secret but a marked block is longer
_SPARE = 4_096
_BLOCKS = ("private", "PRIVATE", "PuTTY")  # the words of secrets that have no bounded length


def kept(value: object, head: int, tail: int = 0, counts: Counts | None = None) -> str:
    """Return the first `head` and the last `tail` characters of a text without its secrets; "" for other values.

    Escape sequences and invisible characters are removed first, since they could stand inside a secret; lone surrogates
    become U+FFFD. Where something is left out, a line between the parts says how much. Secrets are added to `counts`.
    """
    if not isinstance(value, str):
        return ""
    text = _plain(value)
    if len(text) <= max(_WHOLE, head + tail + 2 * _AROUND) or any(word in text for word in _BLOCKS):
        return _cut(_redacted(text, counts), head, tail)
    of_first: Counts = {}
    of_last: Counts = {}
    first = _redacted(text[: head + _AROUND], of_first)
    last = _redacted(text[-(tail + _AROUND) :], of_last)
    if min(len(first) - head, len(last) - tail) < _SPARE:  # much was redacted: the borders of the parts may be near
        return _cut(_redacted(text, counts), head, tail)
    for found in (of_first, of_last):
        _add(counts, found)
    return _joined(first[:head], len(text) - head - tail, last[len(last) - tail :])


def _redacted(text: str, counts: Counts | None) -> str:
    clean, found = redact_captured(text)
    _add(counts, found)
    return clean


def _add(counts: Counts | None, found: Counts) -> None:
    if counts is not None:
        for rule, count in found.items():
            counts[rule] = counts.get(rule, 0) + count


def _plain(text: str) -> str:
    if text.isascii():
        if len(text.encode().translate(None, CONTROLS)) == len(text):
            return text
    else:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = compiled(SEQUENCE).sub("", text)
    text = compiled(f"[{UNSEEN}]+").sub("", text)
    return text if text.isascii() else compiled(_BETWEEN).sub("", text)


def _cut(text: str, head: int, tail: int) -> str:
    if len(text) <= head + tail:
        return text
    return _joined(text[:head], len(text) - head - tail, text[len(text) - tail :])


def _joined(first: str, left_out: int, last: str) -> str:
    return f"{first}\n[... {left_out:,} characters left out ...]\n{last}" if last else first


_NAMES = r"\b\w*[a-z][A-Z]\w*|\b\w+(?:[_./-]\w+)+|`([^`\n]{4,80})`"  # compiled where it is used: hooks load this module
SHORTEST_NAME = 4  # characters


def names_in(text: str) -> set[str]:
    """Return the files, paths and names of code in a text, in lower case, paths by their last part too."""
    found = {(quoted.group(1) or quoted.group(0)).strip().casefold() for quoted in re.finditer(_NAMES, text)}
    last = {name.rstrip("/").rpartition("/")[2] for name in found}
    return {name for name in found | last if len(name) >= SHORTEST_NAME}
