"""The editor of hooks: those of others stay byte for byte, whatever the file looks like."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indelible.cli.setup import hook_edits
from indelible.cli.setup.formats import Unsure
from indelible.cli.setup.hook_forms import CLAUDE_CODE, CURSOR
from indelible.cli.setup.json_nodes import read, value_of
from indelible.cli.setup.shells import words_of
from json_documents import GAPS, SCALARS, comments, objects, written_out

OURS = {"type": "command", "command": "'/o p/indelible' hook stop", "timeout": 5}
WANTED = {"Stop": OURS, "SessionStart": {**OURS, "command": "'/o p/indelible' hook session-start"}}
FLAT = {"stop": {"command": "indelible hook stop", "timeout": 30}}


def value(text):
    root = read(text)
    return None if root is None else value_of(text, root)


@st.composite
def lists(draw, inner):
    return written_out(draw, "[", [""] * draw(st.integers(0, 2)), inner, "]")


THEIRS = st.sampled_from(['{"type": "command", "command": "x // y"}', '{ "command":"their hook stop" /* } */ }', "1"])


def documents(form):
    """A document with hooks of others, or without any."""
    group = lists(THEIRS).map(lambda hooks: '{"matcher": "a|b", "hooks": ' + hooks + "}")
    items = lists(group | SCALARS) if form.grouped else lists(THEIRS)

    @st.composite
    def made(draw):
        events = draw(st.sampled_from([(), ("Stop", "stop"), ("Notification", "SessionStart")]))
        section = written_out(draw, "{", list(events), items, "}")
        keys = draw(st.sampled_from([(), ("hooks",)]))
        around = draw(objects())
        if not keys:
            return draw(GAPS) + around + draw(GAPS)
        return (
            draw(GAPS) + '{"hooks":' + draw(GAPS) + section + "," + draw(GAPS) + '"more": ' + around + "}" + draw(GAPS)
        )

    return made()


@pytest.mark.parametrize(("form", "wanted"), [(CLAUDE_CODE, WANTED), (CURSOR, FLAT)], ids=["grouped", "flat"])
@pytest.mark.slow
def test_hooks_put_into_any_document_are_there_once_and_go_without_a_trace_of_what_they_say(form, wanted):
    @given(documents(form))
    @settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
    def holds(text):
        before = value(text)
        new = hook_edits.put(text, form, wanted)
        assert comments(new) == comments(text)
        assert hook_edits.put(new, form, wanted) == new
        found = value(new)
        for event, handler in wanted.items():
            last = found["hooks"][event][-1]
            assert (last["hooks"] if form.grouped else [last]) == [handler]
            assert found["hooks"][event][:-1] == before.get("hooks", {}).get(event, [])
        back = value(hook_edits.drop(new, form, prune="hooks" not in before))
        for event in wanted:
            if before.get("hooks", {}).get(event) == []:  # an empty list says as much as none
                back["hooks"][event] = []
        assert {key: back[key] for key in back if key != "version"} == before

    holds()


ON_LINES = """{
  "hooks": {
    "Stop": [
      { "hooks": [] }, // mine
      {
        "hooks": [
          {
            "command": "indelible hook stop"
          }
        ]
      }
    ]
  }
}"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ON_LINES.partition(",")[0] + " // mine\n    ]\n  }\n}", ON_LINES),
        ("{}", ON_LINES.replace('      { "hooks": [] }, // mine\n', "")),
        ('{"hooks":{"Stop":[]}}', '{"hooks":{"Stop":[{"hooks":[{"command":"indelible hook stop"}]}]}}'),
        ('{"hooks": {"Stop": [1]}}', '{"hooks": {"Stop": [1, {"hooks": [{"command": "indelible hook stop"}]}]}}'),
    ],
)
def test_a_new_hook_is_written_as_its_neighbours_are(before, after):
    assert hook_edits.put(before, CLAUDE_CODE, {"Stop": {"command": "indelible hook stop"}}) == after


@pytest.mark.parametrize("text", ['{"hooks": 1}', '{"hooks": {"Stop": "x"}}', '[{"hooks": {}}]', '{"hooks": {,}}'])
def test_what_is_no_file_of_hooks_is_refused(text):
    with pytest.raises(Unsure):
        hook_edits.put(text, CLAUDE_CODE, WANTED)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("'/a b/indelible' hook stop", ["/a b/indelible", "hook", "stop"]),
        (r'"C:\Program Files\indelible.exe" hook stop', [r"C:\Program Files\indelible.exe", "hook", "stop"]),
        (r"& 'C:\a b\indelible.exe' hook stop", [r"C:\a b\indelible.exe", "hook", "stop"]),
    ],
)
def test_the_words_of_a_line_are_read_for_every_shell(line, words):
    assert words in words_of(line)


def test_a_line_that_no_shell_can_read_is_nobodys():
    assert words_of("echo 'it is") == []
