"""The sentences of prose keep what stands in them, names of code above all, and lose what only marks them."""

import pytest

from indelible.extraction import prose, topics


def said(text):
    return [sentence for paragraph in prose.paragraphs(text) for sentence in paragraph]


NAMES = (
    "edit __init__.py and __main__ only where the package needs it",
    "keep _private and its_own_name as they are in the module",
    "`__init__.py`, `_foo` and `specstory-cli/v*` are matched by the workflow",
    "only src/**/*.py and *.md files start the linter",
    "the branch is release/v* and the tag v*.*.*",
    "2 * 3 and a*b stay",
)


@pytest.mark.parametrize("text", NAMES)
def test_names_of_code_stay_as_they_are(text):
    assert said(text) == [text]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "**Never** log customer *emails*, __not even in debug__ builds",
            "Never log customer emails, not even in debug builds",
        ),
        ("use _only_ the `_cache` of _this module_", "use only the `_cache` of this module"),
        ("**Important:** the *tests* run first.", "Important: the tests run first."),
    ],
)
def test_emphasis_goes(text, plain):
    assert said(text) == [plain]


def test_a_sentence_keeps_the_quotation_mark_and_the_bracket_that_close_it():
    assert said('CLAUDE.md calls for "consistent logging." Do that here (in all of cmd.) and there.') == [
        'CLAUDE.md calls for "consistent logging."',
        "Do that here (in all of cmd.)",
        "and there.",
    ]


def test_what_a_program_says_behind_a_symbol_is_no_prose():
    output = "\N{EYES} Watching for activity in the project\n\N{INFORMATION SOURCE}\ufe0f Use `specstory login` to sync"
    assert said(f"{output}\n\nWe never sync by default.") == ["We never sync by default."]


def test_with_in_short_is_no_directory():
    assert list(topics.files("replace the regex w/ the new library in lib/ and b/c of cmd/list.go")) == [
        "lib/",
        "cmd/list.go",
    ]
