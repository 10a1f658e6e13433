"""Calls in the arguments of Rust's macros, which the grammar gives as trees of tokens, not as expressions.

A name right before brackets is a call, as `f(x)` and `a.b(x)` in `println!("{}", f(a.b(x)))` are; with `!` between it
is a macro in a macro. What stands in front of the name is read backwards in the text: tokens of a long tree have no
cheap way to the ones before them. Not calls: what `fn` defines, patterns, attributes, what macros are defined by and
what macros like `quote!` write down as code of others.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from tree_sitter import Node

from indelible.source.parse.names import LONGEST, NO_PATH, callee
from indelible.source.parse.symbols import CALL, MACRO_CALL, Reference

Captures = dict[str, list[Node]]

_ATTRIBUTE = re.compile(rb"#!?\[")
_AFTER_PATTERN = re.compile(rb"\s*(?:=>|=(?!=)|\||if\b)")
_NO_NAME = frozenset((b"Fn", b"FnMut", b"FnOnce", b"dyn", b"where", b"derive", b"cfg", b"allow"))
_DEFINES = re.compile(rb"(?:\bfn|\blet|\bstruct|\bmacro_rules!|[$#'])\s*$")
_OPENS = {ord(")"): ord("("), ord("]"): ord("[")}
_SPACES = b" \t\r\n"


def calls(
    text: bytes, macros: Iterable[tuple[Node, Node]], matches: Iterable[Captures], scope: Callable[[int], int]
) -> Iterator[Reference]:
    """Yield the calls in macros: `macros` are their names with their trees, `matches` names with the brackets after."""
    pairs = [(captures["token.call"][0], captures["arguments"][0]) for captures in matches]
    nested = [(name, tree) for name, tree in pairs if text[name.end_byte : tree.start_byte] == b"!"]
    around = _Around(text, [*macros, *nested])
    for name, brackets in sorted(pairs, key=lambda each: each[0].start_byte):
        start, end = name.start_byte, name.end_byte
        between = text[end : brackets.start_byte]
        inside = around.at(start)
        if inside is None or inside == _OTHERS or between not in (b"", b"!") or text[start:end] in _NO_NAME:
            continue
        if not between and not _is_call(text, name, brackets, is_matching=inside == _MATCHING):
            continue
        first = _start_of_path(text, start)
        if first is None:
            called, receiver = text[start:end].decode("utf-8", "replace"), NO_PATH
        elif _DEFINES.search(text, max(0, first - 20), first):
            continue
        else:
            called, receiver = callee(text[first:end].decode("utf-8", "replace"))
        if called:
            yield Reference(MACRO_CALL if between else CALL, called, receiver, name.end_point[0] + 1, scope(start))


class _Around:
    """The macro around a place; places are asked for in the order of the text."""

    def __init__(self, text: bytes, macros: list[tuple[Node, Node]]) -> None:
        spans = ((tree.start_byte, tree.end_byte, text[name.start_byte : name.end_byte]) for name, tree in macros)
        self._waiting = sorted(spans, reverse=True)
        self._open: list[tuple[int, str]] = []  # where each ends, and its kind

    def at(self, place: int) -> str | None:
        """Return the kind of the innermost macro around a place, None where there is none."""
        while self._waiting and self._waiting[-1][0] <= place:
            start, end, name = self._waiting.pop()
            outer = self._closed(start)
            kind = outer if outer == _OTHERS else _KINDS.get(name.rpartition(b":")[2], "")
            self._open.append((end, kind or ""))
        return self._closed(place)

    def _closed(self, place: int) -> str | None:
        while self._open and self._open[-1][0] <= place:
            self._open.pop()
        return self._open[-1][1] if self._open else None


_OTHERS, _MATCHING = "code of others", "patterns"
_KINDS = dict.fromkeys((b"quote", b"quote_spanned", b"parse_quote", b"stringify", b"macro_rules"), _OTHERS)
_KINDS |= dict.fromkeys((b"matches", b"assert_matches", b"debug_assert_matches"), _MATCHING)


def _is_call(text: bytes, name: Node, brackets: Node, *, is_matching: bool) -> bool:
    """Whether a name with brackets is no pattern, no type and no attribute."""
    if text[brackets.start_byte : brackets.start_byte + 1] != b"(":
        return False
    is_variant = text[name.start_byte : name.start_byte + 1].isupper()
    if is_variant and (is_matching or _AFTER_PATTERN.match(text, brackets.end_byte, brackets.end_byte + 40)):
        return False
    attribute = text.rfind(b"#", max(0, name.start_byte - LONGEST), name.start_byte)
    opened = _ATTRIBUTE.match(text, attribute, name.start_byte) if attribute >= 0 else None
    return opened is None or text.find(b"]", attribute, name.start_byte) >= 0


def _start_of_path(text: bytes, start: int) -> int | None:
    """Return where the path begins that ends with the name at `start`: `a::b(c).` in front of it belongs to it.

    None where that is more than LONGEST bytes away, or hangs on something that is no path.
    """
    least = max(0, start - LONGEST)
    at = start
    while True:
        before = _without_space(text, at, least)
        joint = 2 if text[before - 2 : before] == b"::" else 1 if text[before - 1 : before] == b"." else 0
        if not joint or text[before - 2 : before] == b"..":
            return at
        before = _without_space(text, before - joint, least)
        while before > least and text[before - 1 : before] == b"?":
            before -= 1
        while before > least and text[before - 1] in _OPENS:
            before = _opening(text, before, least)
            if before < 0:
                return None
        at = before
        while at > least and (text[at - 1 : at].isalnum() or text[at - 1] in b"_$" or text[at - 1] > 127):
            at -= 1
        if at <= least or at == before:
            return None


def _without_space(text: bytes, end: int, least: int) -> int:
    while end > least and text[end - 1] in _SPACES:
        end -= 1
    return end


def _opening(text: bytes, end: int, least: int) -> int:
    """Return where the bracket opens that closes before `end`, -1 where that is too far away."""
    waiting: list[int] = []
    for at in range(end - 1, least - 1, -1):
        byte = text[at]
        if byte in _OPENS:
            waiting.append(_OPENS[byte])
        elif waiting and byte == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at
    return -1
