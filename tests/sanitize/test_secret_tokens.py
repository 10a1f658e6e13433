"""The anchors by which tokens of services are looked for."""

import pytest

from indelible.sanitize.secret_shapes import TOKENS
from indelible.sanitize.secret_tokens import anchors_in


@pytest.mark.parametrize("before", ["", "x", "é-", "xyz "])
def test_the_anchors_of_a_text_are_found_wherever_they_stand(before: str) -> None:
    for anchor in TOKENS:
        words = f"{before}{anchor}q"
        assert anchors_in(words) == [each for each in TOKENS if each in words]
    assert anchors_in(" ".join(before + anchor for anchor in TOKENS)) == list(TOKENS)


@pytest.mark.parametrize("text", ["", "x", "an ordinary sentence", "größer"])
def test_a_text_without_one_has_none(text: str) -> None:
    assert anchors_in(text) == []
