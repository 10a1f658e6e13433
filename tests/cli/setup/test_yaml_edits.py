"""The YAML editor: whatever is not ours stays byte for byte."""

import pytest
import yaml as reader
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.cli.setup import yaml
from indelible.cli.setup.formats import Unsure
from user_machine import configuration

ENTRY = {"type": "stdio", "enabled": True, "cmd": "/opt/in delible/x", "args": ["--data", 'C:\\Users\\"zoë"\x7f ☕']}
SECTION, KEY = "extensions", "indelible"


def put(text, entry=None):
    return yaml.put(text, SECTION, KEY, ENTRY if entry is None else entry)


def drop(text, prune=False):
    return yaml.drop(text, SECTION, KEY, prune)


TOP = [
    "# a comment: with {braces} and - lists",
    "",
    "  ",
    "key{n}: a # b",
    "key{n}: 'it''s: # x'",
    'key{n}: "\\n # y" # five',
    "key{n}: |\n  text: # no comment\n\n    more\n",
    "key{n}: >+\n  folded\n\n",
    "key{n}: [1, {a: ']'}, # list\n  2]",
    "key{n}:\n- a\n- b: 1\n  c: 2",
    "key{n}:\n  a: {b: '}'}\n  # inside\n  c: &anchor{n} 1",
    "key{n}: plain\n  that goes on",
    "? key{n}\n: x",
    "key{n}:",
]
INNER = [
    "# about a server",
    "",
    "x{n}: {cmd: y, args: []}",
    "x{n}:\n  cmd: y # mine\n  args:\n  - a\n  - |\n    b\n",
    "x{n}: &a{n}\n  cmd: y\n'y {n}': *a{n}",
    'x{n}:\n  description: >-\n    a\n    b',
    "x{n}:",
]  # fmt: skip


def numbered(lines):
    return [line.replace("{n}", str(place)) for place, line in enumerate(lines)]


@st.composite
def documents(draw):
    before, behind = (numbered(draw(st.lists(st.sampled_from(TOP), max_size=4))) for _ in range(2))
    inner = draw(st.none() | st.lists(st.sampled_from(INNER), max_size=5))
    indent = " " * draw(st.integers(1, 4))
    behind = [line.replace("key", "later").replace("anchor", "later_anchor") for line in behind]
    section = []
    if inner is not None:
        lines = "\n".join(numbered(inner)).split("\n")
        section = [f"{SECTION}:", *(indent + line if line else "" for line in lines)]
    text = "\n".join([*before, *section, *behind])
    return (text + "\n").replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@pytest.mark.slow
@given(documents())
@settings(max_examples=150)
def test_an_entry_put_into_any_document_is_there_and_can_be_taken_out_to_the_byte(text):
    before = reader.safe_load(text) or {}
    new = put(text)
    assert reader.safe_load(new) == {**before, SECTION: {**(before.get(SECTION) or {}), KEY: ENTRY}}
    assert put(new) == new
    changed = put(new, {**ENTRY, "cmd": "other", "args": ["x"]})
    assert reader.safe_load(changed)[SECTION][KEY]["cmd"] == "other"
    assert put(changed) == new
    assert drop(new, prune=SECTION not in before) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "extensions:\n  indelible:\n    cmd: \"x\"\n"),
        ("a:\n    b: 1", "a:\n    b: 1\nextensions:\n    indelible:\n        cmd: \"x\"\n"),
        ("extensions:\n  # mine\n  y: 1 # one\n\nz: 1\n",
         "extensions:\n  # mine\n  y: 1 # one\n  indelible:\n    cmd: \"x\"\n\nz: 1\n"),
        ("extensions: {y: 1}\n", 'extensions: {y: 1, "indelible": {"cmd": "x"}}\n'),
        ("extensions: {y: 1, }\n", 'extensions: {y: 1, "indelible": {"cmd": "x"}, }\n'),
        ("{}\n", '{"extensions": {"indelible": {"cmd": "x"}}}\n'),
    ],
)  # fmt: skip
def test_a_new_entry_stands_last_in_its_section(before, after):
    assert put(before, {"cmd": "x"}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  indelible:\n    cmd: old # my\n    a: {A: 1}\n", "  indelible:\n    cmd: \"new\" # my\n    a: {A: 1}\n"),
        ("  indelible: {cmd: old, timeout: 5}\n", "  indelible: {cmd: \"new\", timeout: 5}\n"),
        ("  indelible:\n    cmd: >-\n      old\n    # c\n    a: 1\n",
         "  indelible:\n    cmd: \"new\"\n    # c\n    a: 1\n"),
        ("  indelible:\n    cmd:\n    a: 1\n", "  indelible:\n    cmd: \"new\"\n    a: 1\n"),
        ("  indelible:\n    a: 1\n", "  indelible:\n    a: 1\n    cmd: \"new\"\n"),
    ],
)  # fmt: skip
def test_a_change_keeps_what_else_the_user_wrote_into_our_entry(before, after):
    assert put("extensions:\n" + before, {"cmd": "new"}) == "extensions:\n" + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("extensions:\n  indelible:\n    cmd: x\n  # theirs\n  y: 1\n", "extensions:\n  # theirs\n  y: 1\n"),
        ("extensions:\n  y: 1\n  indelible:\n    args:\n    - x # ours\n\n# end\n", "extensions:\n  y: 1\n\n# end\n"),
        ("extensions: {indelible: {cmd: x}, y: 1}\n", "extensions: {y: 1}\n"),
        ("extensions: {y: 1, indelible: {cmd: x}}\n", "extensions: {y: 1}\n"),
        ("a: indelible\n", "a: indelible\n"),
    ],
)  # fmt: skip
def test_only_our_key_goes(before, after):
    assert drop(before) == after


REFUSED = {
    "- a\n": (1, "not a mapping"),
    "a: 1\na: 2\n": (2, '"a" stands there twice'),
    "a: [\n": (2, ""),
    "\ta: 1\n": (1, ""),
    "a: 1\n---\nb: 1\n": (2, "another document"),
    "extensions: [a]\n": (1, "not a mapping"),
    "x: &s {}\nextensions: *s\n": (2, "an alias"),
    "extensions:\n  indelible: x\n": (2, "not a mapping"),
    "x: &s {indelible: {cmd: y}}\nextensions:\n  <<: *s\n": (3, "a merge"),
    "x: &s {cmd: y}\nextensions:\n  indelible: *s\n": (3, "an alias"),
    "a: !!python/object:os.system x\n": (1, "could not determine a constructor"),
    "null\n": (1, "not a mapping"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_edited_without_a_doubt_is_refused_with_its_line(text):
    line, words = REFUSED[text]
    with pytest.raises(Unsure) as refused:
        put(text)
    assert (refused.value.line, words in refused.value.what) == (line, True), refused.value.what


def test_aliases_that_make_a_small_text_large_are_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    with pytest.raises(Unsure, match="too large"):
        put("\n".join(lines) + "\n")
    with pytest.raises(Unsure, match="too large"):
        put("a: &a\n  b: *a\n")


def test_a_real_configuration_keeps_comments_and_anchors():
    text = configuration("goose", "user").decode()
    new = put(text)
    assert drop(new) == text
    assert new.replace(new[new.index("  indelible:") : new.index("\n# commands")], "") == text
