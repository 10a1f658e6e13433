"""What a user of Cline wrote, without what Cline puts around it."""

import itertools
import re

import pytest

from indelible.capture.clients import cline

# What is asked for; their work grows with the square of a text.
ADDED = re.compile(r"<(mode_notice|hook_context)\b.*?</\1>", re.DOTALL)
WRITTEN = re.compile(r"<user_input\b[^<>]*>(.*)</user_input>", re.DOTALL)
PIECES = (
    "<mode_notice>",
    "</mode_notice>",
    "<hook_context a>",
    "</hook_context>",
    "a ",
    "<user_input b>",
    "</user_input>",
)


def written(text: str) -> object:
    return cline.in_common_names({"userPromptSubmit": {"prompt": text}})["prompt"]


def test_it_is_what_is_inside_less_what_was_added():
    for many in range(6):
        for text in map("".join, itertools.product(PIECES, repeat=many)):
            left = ADDED.sub("", text)
            inside = WRITTEN.search(left)
            assert written(text) == (inside[1] if inside else left).strip(), text


@pytest.mark.parametrize("piece", ["<mode_notice<", "<hook_context ", "<user_input>", "<user_input ", "</user_input>"])
def test_a_prompt_of_half_elements_takes_no_time_to_speak_of(piece):
    assert written(f"{piece * 100_000}end").endswith("end")
