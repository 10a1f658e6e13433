"""The JSON editor: whatever is not ours stays byte for byte."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indelible.cli.setup import jsonc
from indelible.cli.setup.formats import Unsure
from indelible.cli.setup.json_nodes import read, value_of
from json_documents import GAPS, SCALARS, arrays, comments, objects

ENTRY = {"type": "stdio", "command": "/opt/in delible/bin/indelible", "args": ["serve", "--data", "/home/zoë/データ"]}
SECTION, KEY = "mcpServers", "indelible"


def value(text):
    root = read(text)
    return None if root is None else value_of(text, root)


def put(text, entry=None):
    return jsonc.put(text, SECTION, KEY, ENTRY if entry is None else entry)


def drop(text, prune=False):
    return jsonc.drop(text, SECTION, KEY, prune)


# --- Any document ---


@st.composite
def documents(draw):
    """An object with other servers beside ours, with none of them, or without the section."""
    keys = draw(st.sampled_from([(), (SECTION,)]))
    inner = objects(draw(st.sampled_from([("other",), ()])), SCALARS | arrays() | objects())
    return draw(GAPS) + draw(objects(keys, inner)) + draw(GAPS)


@given(documents())
@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@pytest.mark.slow
def test_an_entry_put_into_any_document_is_there_and_can_be_taken_out_to_the_byte(text):
    before = value(text)
    new = put(text)
    assert value(new) == {**before, SECTION: {**before.get(SECTION, {}), KEY: ENTRY}}
    assert put(new) == new
    back = drop(new, prune=SECTION not in before)
    if before == {} or before.get(SECTION) == {}:  # only the blanks in an empty object may differ
        assert comments(back) == comments(text)
        assert value(back) == before
    else:
        assert back == text


@pytest.mark.slow
@given(documents())
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
def test_taking_ours_out_from_between_others_leaves_every_other_value_and_comment(text):
    later = jsonc.put(put(text), SECTION, "after ours", {"command": "x"})
    back = drop(later)
    expected = value(later)
    del expected[SECTION][KEY]
    assert value(back) == expected
    assert comments(back) == comments(later)


# --- How it looks ---


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "s": {\n    "k": {\n      "c": 1\n    }\n  }\n}'),
        ("", '{\n  "s": {\n    "k": {\n      "c": 1\n    }\n  }\n}\n'),
        ("// mine\n", '// mine\n{\n  "s": {\n    "k": {\n      "c": 1\n    }\n  }\n}\n'),
        ('{"a":1}', '{"a":1,"s":{"k":{"c":1}}}'),
        ('{"a": 1}', '{"a": 1, "s": {"k": {"c": 1}}}'),
        ('{"s": {}}', '{"s": {"k": {"c": 1}}}'),
        ('{\n\t"s": {}\n}\n', '{\n\t"s": {\n\t\t"k": {\n\t\t\t"c": 1\n\t\t}\n\t}\n}\n'),
        ('{\r\n   "a": 1\r\n}\r\n',
         '{\r\n   "a": 1,\r\n   "s": {\r\n      "k": {\r\n         "c": 1\r\n      }\r\n   }\r\n}\r\n'),
        ('{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "s": {\n    "k": {\n      "c": 1\n    }\n  },\n}'),
        ('{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "s": {\n    "k": {\n      "c": 1\n    }\n  }\n}'),
        ('{\n  "s": {\n    // none yet\n  }\n}',
         '{\n  "s": {\n    // none yet\n    "k": {\n      "c": 1\n    }\n  }\n}'),
        ('{ "a": 1 // one\n}', '{ "a": 1, "s": {"k": {"c": 1}} // one\n}'),
        ('{"s": {"o": 1}, "b": 2}', '{"s": {"o": 1, "k": {"c": 1}}, "b": 2}'),
    ],
)  # fmt: skip
def test_a_new_entry_is_written_as_its_neighbours_are(before, after):
    assert jsonc.put(before, "s", "k", {"c": 1}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"s": {"k": 1, "b": 2}}', '{"s": { "b": 2}}'),
        ('{"s": {"a": 1, "k": 1}}', '{"s": {"a": 1}}'),
        ('{"s": {"a": 1, // one\n "k": 1, "b": 2}}', '{"s": {"a": 1, // one\n  "b": 2}}'),
        (
            '{"s": {"a": 1,\n // ours\n "k": 1 /* x */, // y\n "b": 2}}',
            '{"s": {"a": 1,\n // ours\n  /* x */ // y\n "b": 2}}',
        ),
        ('{"s": {\n  "k": 1\n}}', '{"s": {}}'),
        ('{"s": {\n  // note\n  "k": 1\n}}', '{"s": {\n  // note\n}}'),
        ('{"s": {"K": 1}}', '{"s": {"K": 1}}'),
        ("", ""),
        ("{}", "{}"),
    ],
)
def test_only_our_key_goes(before, after):
    assert jsonc.drop(before, "s", "k", False) == after


def test_a_change_keeps_what_else_the_user_wrote_into_our_entry():
    text = '{"mcpServers": {"indelible": {\n  "command": "old", // was here\n  "timeout": 9, "args": []}}}'
    new = put(text, {"command": "new", "args": ["serve"]})
    assert (
        new == '{"mcpServers": {"indelible": {\n  "command": "new", // was here\n  "timeout": 9, "args": ["serve"]}}}'
    )


# --- What is refused ---


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, '"," or "}" was expected'),
        ('{\n  "a": tru\n}', 2, "a value was expected"),
        ('{"a": 01}', 1, "a value was expected|expected"),
        ("{'a': 1}", 1, "key in double quotes"),
        ("{a: 1}", 1, "key in double quotes"),
        ('{"a": 1', 1, '"}" is missing'),
        ('{"a": [1, 2', 1, '"]" is missing'),
        ('{"a": 1,,}', 1, "key in double quotes"),
        ('{"a" 1}', 1, '":" was expected'),
        ('{"a": "x\ny"}', 1, "a value was expected"),
        ('{"a": 1} x', 1, "something follows"),
        ("{} {}", 1, "something follows"),
        ("/* no end", 1, "a value was expected"),
        ("[1]", 1, "not an object"),
        ('"text"', 1, "not an object"),
        ('{\n"mcpServers": []}', 2, '"mcpServers" is not an object'),
        ('{"mcpServers": null}', 1, '"mcpServers" is not an object'),
        ('{"mcpServers": {},\n"mcpServers": {}}', 2, "twice"),
        ('{"mcpServers": {"indelible": {},\n\n"indelible": {}}}', 3, "twice"),
        ('{"mcpServers": {},\n"mcp\\u0053ervers": {}}', 2, "twice"),
        ("[" * 5000, 1, "deeper than"),
        ('{"a": NaN}', 1, "a value was expected"),
    ],
)
def test_what_is_no_such_document_is_refused_with_its_line(text, line, words):
    with pytest.raises(Unsure) as caught:
        put(text)
    assert re.search(words, caught.value.what)
    assert caught.value.line == line


def test_keys_that_stand_twice_elsewhere_are_none_of_our_business():
    text = '{"a": 1, "a": {"mcpServers": 1, "mcpServers": 2}}'
    assert drop(put(text), prune=True) == text
