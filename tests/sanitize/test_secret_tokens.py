"""The anchors by which tokens of services are looked for, and what the search for them takes for granted."""

import random
import re
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from indelible.sanitize import secret_rules, secret_spans, secrets_in_pieces
from indelible.sanitize.secret_shapes import INFIXES, TOKENS
from indelible.sanitize.secret_tokens import _ACROSS, _LONG_WORD, _NOT_IN_TOKENS, _SHORT, _SHORTEST_INFIX, anchors_in


@pytest.mark.parametrize("before", ["", "x", "é-", "xyz "])
def test_the_anchors_of_a_text_are_found_wherever_they_stand(before: str) -> None:
    for anchor in TOKENS:
        words = f"{before}{anchor}q"
        assert anchors_in(words) == [each for each in TOKENS if each in words]
    assert anchors_in(" ".join(before + anchor for anchor in TOKENS)) == list(TOKENS)


@pytest.mark.parametrize("text", ["", "x", "an ordinary sentence", "größer"])
def test_a_text_without_one_has_none(text: str) -> None:
    assert anchors_in(text) == []


_SET = r"\[\^?(?:[^\]\\]|\\.)+\]"


def test_no_token_with_a_short_anchor_has_a_space_in_it() -> None:
    for anchor, shapes in TOKENS.items():
        for rule, tail, _ in shapes if len(anchor) <= _SHORT else ():
            assert not any(re.search(set_, " \t\n\r\v\f") for set_ in re.findall(_SET, tail)), (rule, tail)
            assert not re.search(r"[ .]|\\[sSDWntrvf]", re.sub(_SET, "", tail).replace(r"\.", "")), (rule, tail)


def test_no_token_with_a_mark_in_its_middle_is_shorter_than_the_words_that_are_looked_through() -> None:
    for rule, _, _, least, _, tail in INFIXES:
        assert least + parser.parse(tail).getwidth()[0] >= _SHORTEST_INFIX, rule


def test_what_parts_words_is_in_no_token_but_those_that_are_looked_for_in_whole_words() -> None:
    for anchor, shapes in TOKENS.items():
        across = anchor.startswith(_ACROSS)
        assert across or not set(anchor) & set(_NOT_IN_TOKENS), anchor
        for rule, tail, _ in shapes if not across and len(anchor) < _LONG_WORD else ():
            assert not _passed(parser.parse(tail)), (rule, tail)
    for rule, mark, left, _, _, tail in INFIXES:
        assert not {*mark, *left} & set(_NOT_IN_TOKENS), rule
        assert not _passed(parser.parse(tail)), rule


def _passed(pattern: Any) -> set[str]:
    """Which of the characters between words a parsed pattern may pass; what it says of a text around is left out."""
    found = set[str]()
    for operation, value in pattern:
        match str(operation):
            case "LITERAL":
                found |= {chr(value)}
            case "IN" | "NOT_LITERAL" | "ANY":
                one = re.compile(_written(str(operation), value))
                found |= set(filter(one.fullmatch, _NOT_IN_TOKENS))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found |= _passed(value[2])
            case "SUBPATTERN":
                found |= _passed(value[3])
            case "ATOMIC_GROUP":
                found |= _passed(value)
            case "BRANCH":
                found |= set().union(*map(_passed, value[1]))
            case "ASSERT" | "ASSERT_NOT" | "AT":
                continue
            case other:
                raise AssertionError(other)
    return found & set(_NOT_IN_TOKENS)


def _written(operation: str, value: Any) -> str:
    """A set of characters as it is written."""
    if operation == "ANY":
        return "."
    if operation == "NOT_LITERAL":
        return f"[^{re.escape(chr(value))}]"
    pieces = []
    for kind, of in value:
        match str(kind):
            case "NEGATE":
                pieces.append("^")
            case "LITERAL":
                pieces.append(re.escape(chr(of)))
            case "RANGE":
                pieces.append(f"{re.escape(chr(of[0]))}-{re.escape(chr(of[1]))}")
            case "CATEGORY":
                letter = {"SPACE": "s", "DIGIT": "d", "WORD": "w"}[str(of).rpartition("_")[2]]
                pieces.append("\\" + (letter.upper() if "_NOT_" in str(of) else letter))
            case other:
                raise AssertionError(other)
    return f"[{''.join(pieces)}]"


def test_keywords_are_found_as_their_pattern_finds_them() -> None:
    dice = random.Random(3)
    parts = [*secret_rules.KEYWORD.replace("(?:or)?", "or").replace("?", "").split("|"), "s", "_", " ", "passw", "to"]
    for _ in range(2_000):
        text = "".join(dice.choices(parts, k=dice.randrange(6)))
        found = [match.span() for match in secret_spans._keywords(text)]
        assert found == [match.span() for match in re.finditer(secret_rules.KEYWORD, text)], text


@pytest.mark.parametrize("end", ["\n", "\\n"])
def test_a_line_end_counts_as_a_seam_wherever_what_stands_before_it_may_be_a_part(end: str) -> None:
    pattern = secret_rules.compiled(secrets_in_pieces._SEAMS[end != "\n"])
    for before in map(chr, range(256)):
        text = f"Ab3dE6gH9{before}{end}Kl3mN6oP9"
        assert secrets_in_pieces._line_end(text, 10) == 0 or pattern.search(text), repr(before)
