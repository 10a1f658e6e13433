"""Tokens of services, known by how they begin or by a mark in their middle, in base64 too; and web tokens."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise

from indelible.sanitize import secret_rules as rules
from indelible.sanitize.secret_rules import compiled
from indelible.sanitize.secret_shapes import ALNUM, INFIXES, TOKENS, TokenShape

# Imported late (redact): binascii, indelible.sanitize.secrets_in_pieces, json

Span = tuple[int, int, str]  # start, end, rule

SHORTEST = 11  # characters of a token
_NEAR = 300
_LONG_WORD = 20
_NO_DIGITS = "".join(char for char in map(chr, range(33, 127)) if not char.isdigit())
_MASKED = r"[xX*.]{8}"  # `ghp_xxxxxxxx...`: of a document
_SHORT = 5  # characters of an anchor that comes up often; none of these has a token with a space in it
_SHORTEST_INFIX = 36  # characters of a token that is known by a mark in its middle
# The first are in no anchor, and in no token but those of the anchors that begin with one of the second, and of anchors
# that are a long word by themselves.
_NOT_IN_TOKENS, _ACROSS = "()[]{}<>\"',^`", (":_", ".azconfig.")
_APART = "".join(" " if char in _NOT_IN_TOKENS else char for char in map(chr, range(128)))
_DATA, _MOST_SLASHES = 60, 4  # characters in front of a place within base64, and slashes among them


def decoded_base64(encoded: str) -> bytes:
    """Decode base64 of either alphabet, padded or not; empty when it is not base64."""
    import binascii

    plain = encoded.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return binascii.a2b_base64(plain + "=" * (-len(plain) % 4), strict_mode=True)
    except ValueError:
        return b""


def _starts_token(text: str, at: int) -> bool:
    """Say whether a token can start here: after no letter or digit, or after an escape such as `%3D`."""
    if not at or text[at - 1] not in ALNUM:
        return True
    return compiled(rules.ESCAPE_BEFORE).search(text[max(0, at - 16) : at]) is not None


def _words(text: str) -> list[str]:
    """The words that may hold a token: long, with a digit, or without any small letter.

    Code has many long ones, of which brackets, quotes and commas make short ones: half as much is looked at.
    """
    if text.isascii() and not any(anchor in text for anchor in _ACROSS):
        text = text.translate(_APART)
    words = [word for word in set(text.split()) if len(word) >= SHORTEST]
    return [word for word in words if len(word) >= _LONG_WORD or word.strip(_NO_DIGITS) or word.isupper()]


def tokens(text: str) -> Iterator[Span]:
    """The tokens of services, also those in base64 or hexadecimal."""
    words = _words(text)
    if not words:
        return
    joined = " ".join(words)
    yield from _known_tokens(text, joined)
    long = [word for word in words if len(word) >= _LONG_WORD]
    yield from _infixes(text, " ".join([word for word in long if len(word) >= _SHORTEST_INFIX]))
    if long:
        from indelible.sanitize.secrets_in_pieces import encoded

        yield from encoded(text, " ".join(long), _rule_of_token)


def _known_tokens(text: str, words: str) -> Iterator[Span]:
    for anchor in anchors_in(words):
        tried = TOKENS[anchor]
        if len(anchor) <= _SHORT:  # a look at each place in the text would take long
            tried = [shape for shape in tried if compiled(re.escape(anchor) + shape[1]).search(words)]
        if tried:
            yield from _token_spans(text, anchor, tried)


def anchors_in(words: str) -> list[str]:
    """The anchors of tokens that stand in a text, in the order of the table.

    They are looked for by one pair of their characters, among all pairs of the text: their number hardly counts.
    """
    places, by_pair = _anchors()
    pairs = _pairs(words)
    rare = pairs & by_pair.keys()
    found = [anchor for pair in rare for anchor, own in by_pair[pair] if own <= pairs and anchor in words]
    return sorted(found, key=places.__getitem__)


def _pairs(text: str) -> set[int]:
    """All pairs of neighbouring characters, as numbers: made in a third of the time that pieces of text take."""
    plain = text.encode("ascii", "replace")
    halves = (memoryview(half[: len(half) & ~1]).cast("H") for half in (plain, plain[1:]))
    return set(chain.from_iterable(halves))


@cache
def _anchors() -> tuple[dict[str, int], dict[int, list[tuple[str, set[int]]]]]:
    """The place of each anchor in the table; by one pair of theirs, a rare one, the anchors with all their pairs."""
    places = {anchor: place for place, anchor in enumerate(TOKENS)}
    by_pair: dict[int, list[tuple[str, set[int]]]] = {}
    for anchor in TOKENS:
        (rare,) = _pairs(min(map("".join, pairwise(anchor)), key=_small_letters))
        by_pair.setdefault(rare, []).append((anchor, _pairs(anchor)))
    return places, by_pair


def _small_letters(pair: str) -> int:
    return sum(map(str.islower, pair))


def _rule_of_token(plain: str) -> str:
    """By which rule a text that was encoded is, or has, a token; '' for none."""
    for found in (_known_tokens(plain, plain), _infixes(plain, plain), jwts(plain)):
        for _, _, rule in found:
            return rule
    return ""


def _token_spans(text: str, anchor: str, shapes: list[TokenShape]) -> Iterator[Span]:
    tails = [(rule, compiled(source), bounded) for rule, source, bounded in shapes]
    at = text.find(anchor)
    while at != -1:
        done = after = at + len(anchor)
        free = _starts_token(text, at)
        for rule, tail, bounded in tails:
            if bounded and not free:
                continue
            match = tail.match(text, after)
            if match and not compiled(_MASKED).search(match[0]) and not _is_in_data(text, at):
                done = max(match.end(), done)
                yield match.start(1) if tail.groups else at, match.end(), rule
                if rule == "aws-access-key":
                    yield from _aws_secrets(text, match.end())
        at = text.find(anchor, done)


def _is_in_data(text: str, at: int) -> bool:
    """Say whether a place is within data in base64, such as a vector or a picture: any anchor comes up in enough of it.

    A path is told from it by its separators.
    """
    before = text[max(0, at - _DATA) : at]
    if len(before) < _DATA or before.count("/") > _MOST_SLASHES or before in (before.lower(), before.upper()):
        return False
    return compiled(r"(?=\D*\d)[A-Za-z0-9+/]+").fullmatch(before) is not None


def _aws_secrets(text: str, start: int) -> Iterator[Span]:
    """The secret key that stands beside its access key id, as in `credentials.csv`: mixed, not a commit id."""
    for match in compiled(rules.AWS_SECRET).finditer(text, start, start + _NEAR):
        value, cut = match[0], match.end() == start + _NEAR
        if not (cut or value.isalpha() or value in (value.lower(), value.upper())):
            yield match.start(), match.end(), "aws-secret-key"


def _infixes(text: str, words: str) -> Iterator[Span]:
    for rule, anchor, left, least, most, tail in INFIXES:
        is_there = anchor in words and compiled(tail).search(words) is not None
        for match in compiled(tail).finditer(text) if is_there else ():
            middle = match.start()
            before = text[max(0, middle - most) : middle]
            longest = len(before) - len(before.rstrip(left))
            for start in range(middle - longest, middle - least + 1):
                if not _starts_token(text, start) or _is_in_data(text, start):
                    continue
                if rules.is_infix_token(rule, text[start : match.end()]):
                    yield start, match.end(), rule
                    break


def jwts(text: str) -> Iterator[Span]:
    """The JSON web tokens."""
    at = text.find("eyJ")
    while at != -1:
        after = at + 3
        if _starts_token(text, at):
            match = compiled(rules.JWT).match(text, after)
            if match and _is_jwt(text[at : match.end()].split(".")):
                yield at, match.end(), "jwt"
            # What follows in the same run is no other token's start; trying it again would be quadratic.
            run = match or compiled(r"[A-Za-z0-9_-]*+").match(text, after)
            after = run.end() if run else after
        at = text.find("eyJ", after)


def _is_jwt(parts: list[str]) -> bool:
    header = _json_object(parts[0])
    return header is not None and (len(parts) > 2 or "alg" in header or _json_object(parts[1]) is not None)


def _json_object(encoded: str) -> dict[str, object] | None:
    import json

    try:
        value = json.loads(decoded_base64(encoded))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
