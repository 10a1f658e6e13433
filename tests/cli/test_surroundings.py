"""Every command in every surroundings: at terminals with and without colours, in a pipe, under the C locale.

tests/support/recorded.py writes what all of them print into a file, to be looked at.
"""

import os
import re
import unicodedata

import pytest

import every_command
import terminals
import varied_store
from indelible.cli.main import COMMANDS
from indelible.lines import cells, harmless
from terminals import C_PIPE, C_TERMINAL, DUMB, NARROW, NO_COLOR, PIPE, TERMINAL

pytestmark = [
    pytest.mark.process,
    pytest.mark.sqlite("its file, which is copied for each run"),
    pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix"),
]
STYLE = re.compile(r"\x1b\[[0-9;]*m")
CURSOR = re.compile(r"\x1b\[(?:\?25[lh]|[0-9]*A|2K)|\r")  # of a progress bar
PROGRESS = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h(?:\r?\x1b\[1A\x1b\[2K)?", re.DOTALL)
STEP = re.compile(r"^(?:examining the store|asking the server of .+ for its tools)\n", re.MULTILINE)
QUESTION = re.compile(r"\[[yY]/[nN]\] ")
STEERED = ("31m", "31;1m")  # the colours of the texts that are stored
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\b[0-9a-f]{8,64}\b|(?:ind|tok)_[\w-]+")
TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\d+\s+(?:second|minute|hour|day|month)s?\s+ago|just\s+now|\d+\.\d s\b"
)
BORDERS = re.compile("[┏┳┓┃┡╇┩│└┴┘━─╭╮╰╯├┤┼]")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return varied_store.build(tmp_path_factory.mktemp("ann"))


def test_every_command_has_a_run():
    assert COMMANDS.keys() - {run.command for run in every_command.RUNS} == set()


MAIN = [next(run for run in every_command.RUNS if run.command == command) for command in COMMANDS]


@pytest.mark.parametrize("run", every_command.RUNS, ids=str)
@pytest.mark.sweep(30)
def test_a_command_prints_the_same_text_to_a_pipe_and_a_terminal(run, made):
    piped, seen = (checked(run, made, around) for around in (PIPE, TERMINAL))
    if run.asks or run.verbatim:  # scores depend on the time
        return
    assert bare(piped.errors) == bare(seen.errors)
    in_pipe, at_terminal = without_heads(piped.output, seen.output)
    assert in_pipe == at_terminal


@pytest.mark.parametrize("around", [NO_COLOR, DUMB, NARROW, C_PIPE, C_TERMINAL], ids=str)
@pytest.mark.parametrize("run", MAIN, ids=str)
@pytest.mark.sweep(30)
def test_a_command_is_readable_everywhere(run, around, made):
    checked(run, made, around)


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.sweep(12)
def test_the_help_fits(command, made):
    checked(every_command.Run((command, "--help") if command else ("--help",)), made, TERMINAL)


def checked(run, made, around):
    """A run of a command, held to what is true of all of them."""
    recorded = every_command.record(run, made, around)
    output, errors = (printed.decode().replace("\r\n", "\n") for printed in (recorded.output, recorded.errors))
    where = (run.arguments, around.name, output, errors)
    expected = run.code if not around.columns or run.at_terminal is None else run.at_terminal
    assert recorded.code == expected, where
    assert "Traceback" not in output + errors, where
    assert recorded.modes_kept, where
    for text in (output, errors):
        if around in (PIPE, C_PIPE, DUMB):
            assert "\x1b" not in text, where
        if around is NO_COLOR:
            assert not STYLE.search(text), where
        assert not any(style[2:] in STEERED for style in STYLE.findall(text)), where
        assert text.count("\x1b[?25l") == text.count("\x1b[?25h"), where
        bared = CURSOR.sub("", STYLE.sub("", PROGRESS.sub("", text)))
        bared = QUESTION.sub("\n", bared)  # the end of the line is typed
        assert harmless(bared) == bared, where
        if around.columns and not run.verbatim:
            for line in bared.splitlines():
                assert cells(line.expandtabs()) <= around.columns or is_one_word(line, around.columns), (line, where)
    return recorded


def is_one_word(line, columns):
    """Whether a line is longer than a terminal because of one word, which stands alone: a path, an id, an address."""
    words = line.split()
    return len(words) == 1 or (len(words) == 2 and max(map(cells, words)) > columns - 20)


def bare(printed):
    """A text without what differs from run to run, and without the places where lines are broken and tables drawn."""
    return squeezed(plain(printed))


def squeezed(text):
    return "".join(char for char in text if not char.isspace() and unicodedata.category(char) != "Cc")


def without_heads(piped, seen):
    """Both outputs bare; of a table that is too wide for the terminal, so that a head stands before each value, its
    values.
    """
    first, _, rows = plain(piped).partition("\n")
    heads = re.split(r" {2,}", first)
    if not plain(seen).startswith(f"{heads[0]}:"):
        return bare(piped), bare(seen)
    names = "|".join(map(re.escape, heads))
    return squeezed(rows), squeezed(re.sub(f"^(?:{names}):", "", plain(seen), flags=re.MULTILINE))


def plain(printed):
    """The same with its spaces and lines."""
    text = STEP.sub("", STYLE.sub("", PROGRESS.sub("", printed.decode().replace("\r\n", "\n"))))
    return BORDERS.sub("", TIME.sub("TIME", ID.sub("ID", text)))


def test_the_surroundings_have_names_of_their_own():
    assert len({around.name for around in terminals.EVERY}) == len(terminals.EVERY)
