"""The TOML editor: whatever is not ours stays byte for byte."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indelible.cli.setup import toml
from indelible.cli.setup.formats import Unsure
from user_machine import configuration

ENTRY = {"command": "/opt/in delible/bin/indelible", "args": ["serve", "--data", 'C:\\Users\\"zoë"\\データ\x7f']}
SECTION, KEY = "mcp_servers", "indelible"


def put(text, entry=None):
    return toml.put(text, SECTION, KEY, ENTRY if entry is None else entry)


def drop(text):
    return toml.drop(text, SECTION, KEY, False)


LINES = [
    "# a comment with [a.table] and \"\"\" in it",
    "",
    "",
    "  ",
    'key{n} = "a # b"',
    "key{n} = '''\n[mcp_servers.indelible]\n'quoted'' '''",
    'key{n} = """\\\n  a \\""" b""""" # five',
    "key{n} = [ # list\n  1, [2, 3],\n  # ]\n  { a = ']' },\n]",
    "key{n}.'dotted = key'.\"x\" = 2026-11-22T05:00:00Z",
    "key{n} = { a = { b = \"}\" } }",
    "[table{n}]",
    "[ 'tab le{n}' . \"x\" ]  # header",
    "[[array{n}]]",
    '[mcp_servers.other{n}]\ncommand = "x"',
    '[mcp_servers.other{n}.env]\nA = "1"',
]  # fmt: skip


@pytest.mark.slow
@given(st.lists(st.sampled_from(LINES), max_size=12), st.booleans(), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=300)
def test_an_entry_put_into_any_document_is_there_and_can_be_taken_out_to_the_byte(lines, ended, newline):
    text = "\n".join(line.replace("{n}", str(place)) for place, line in enumerate(lines))
    text = (text + "\n" if ended or text else text).replace("\n", newline)
    before = tomllib.loads(text)
    new = put(text)
    assert tomllib.loads(new) == {**before, SECTION: {**before.get(SECTION, {}), KEY: ENTRY}}
    assert put(new) == new
    assert drop(new) == text


def test_a_new_entry_is_a_table_at_the_end():
    assert toml.put("a = 1", "s", "k", {"c": "x", "l": ["y", "z"]}) == 'a = 1\n\n[s.k]\nc = "x"\nl = ["y", "z"]\n'
    assert toml.put("", "s", "k", {"c": "x"}) == '[s.k]\nc = "x"\n'
    assert toml.put("a = 1\r\n", "s", "k", {"c": "x"}) == 'a = 1\r\n\r\n[s.k]\r\nc = "x"\r\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[s.k]\ncommand = "old" # mine\nenv = { A = "1" }\n', '[s.k]\ncommand = "new" # mine\nenv = { A = "1" }\n'),
        ('[s]\nk = { command = "old", on = true, n = 1.5, l = [[1], {a = "b"}] }\n',
         '[s]\nk = { "command" = "new", "on" = true, "n" = 1.5, "l" = [[1], { "a" = "b" }] }\n'),
        ('s.k.command = "old"\ns.k.env.A = "1"\n', 's.k.command = "new"\ns.k.env.A = "1"\n'),
        ('[s]\n"k".\'command\' = """old"""\n', '[s]\n"k".\'command\' = "new"\n'),
        ('[s.k]\nenv = {}', '[s.k]\ncommand = "new"\nenv = {}'),
        ('[s.k]', '[s.k]\ncommand = "new"\n'),
        ('[s.k.env]\nA = "1"\n[s.k]\nargs = []\n', '[s.k.env]\nA = "1"\n[s.k]\ncommand = "new"\nargs = []\n'),
    ],
)  # fmt: skip
def test_a_change_keeps_what_else_the_user_wrote_into_our_entry(before, after):
    assert toml.put(before, "s", "k", {"command": "new"}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[a]\n\n[s.k]\nc = 1\n\n[s.k.env]\nA = 1\n\n[b]\n', "[a]\n\n\n[b]\n"),
        ('[s.k.env]\nA = 1\n# note\n[b]\nx = 1\n[s.k]\nc = 1\n', "# note\n[b]\nx = 1\n"),
        ('[s]\nk = { c = 1 }\no = { c = 1 }\n', "[s]\no = { c = 1 }\n"),
        ('s.k.c = 1 # ours\ns.o.c = 1', "s.o.c = 1"),
        ('x = "[s.k]"\n', 'x = "[s.k]"\n'),
        ('[s.k]\nc = [\n  1, # [b]\n]\n', ""),
        ('', ""),
    ],
)  # fmt: skip
def test_only_our_key_goes(before, after):
    assert toml.drop(before, "s", "k", False) == after


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a = 1\nb = \n", 2, "Invalid value"),
        ("a = 1\na = 2\n", 2, "overwrite"),
        ('a = "no end\n', 1, "Illegal character|Unterminated|Expected"),
        ("mcp_servers = 1", 1, "is not a table"),
        ("[[mcp_servers]]\na = 1", 1, "is not a table"),
        ('a = 1\nmcp_servers = { other = { command = "x" } }', 2, "one inline table"),
        ("[mcp_servers]\nindelible = 1\n", 2, "is not a table"),
        ('[mcp_servers.indelible.env]\nA = "1"', 1, "in pieces"),
    ],
)
def test_what_cannot_be_edited_without_a_doubt_is_refused_with_its_line(text, line, words):
    with pytest.raises(Unsure, match=words) as caught:
        put(text)
    assert caught.value.line == line


def test_an_entry_in_one_inline_table_is_not_taken_out_by_guessing():
    with pytest.raises(Unsure, match="one inline table"):
        drop('mcp_servers = { indelible = { command = "indelible" }, other = { command = "x" } }')


def test_a_real_configuration_is_scanned_to_its_last_statement():
    text = configuration("codex", "user").decode()
    assert toml.look(text, SECTION, KEY).names == ("inline", "dotted", "context7", "my server")
    assert toml.look(text, SECTION, KEY).entry is None
    assert drop(put(text)) == text


def test_the_line_of_a_fault_is_not_taken_from_a_key_that_the_fault_quotes():
    key = '"k (at line 9, column 2)"'
    with pytest.raises(Unsure) as refused:
        put(f"a = 1\nx = {{ {key} = 1, {key} = 2 }}\n")
    assert refused.value.line == 2
    assert "column 2)" in str(refused.value)
