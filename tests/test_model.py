"""Records as values: equal by what they say, changed by nobody."""

from dataclasses import replace

import pytest
from mypy import api

from indelible.model import Record

RECORD = Record(key="a", kind="memory", text="text", created=1, updated=2)

CHANGE = """
from indelible.model import Record
def change(record: Record) -> None:
    record.text = ""
"""


def test_records_are_equal_by_what_they_say():
    other = replace(RECORD, text="other")
    assert other != RECORD
    assert replace(other, text="text") == RECORD
    assert repr(RECORD) == repr(replace(other, text="text"))


@pytest.mark.slow
def test_the_type_checker_lets_nobody_change_one(tmp_path):
    script = tmp_path / "change.py"
    script.write_text(CHANGE)
    said, _, _ = api.run(["--cache-dir", str(tmp_path), str(script)])
    assert 'Property "text" defined in "Record" is read-only' in said
