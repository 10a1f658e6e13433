"""The line that a user sees at the start of a session."""

import pytest

from indelible.capture.brief import Brief
from indelible.capture.hook_notices import counted


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((), ""),
        ((("rule", 1), ("session", 0)), "1 rule"),
        ((("pinned", 2), ("rule", 2), ("open todo", 1)), "2 pinned, 2 rules, 1 open todo"),
    ],
)
def test_what_a_brief_shows_is_counted_in_words(counts, said):
    assert counted(Brief("a brief", counts=counts)) == said
