"""A file has one amount of processor time, and all that is done for it counts: each part of the work asks."""

import pytest

from indelible.source.indexing import SKIPPED, Project, Share, Wanted, without_secrets
from indelible.source.parse import deadline
from indelible.source.parse.deadline import Deadline, NotSource
from indelible.source.parse.extraction import Captured, extract
from indelible.source.parse.languages import BY_NAME
from indelible.source.parse.parsing import parse
from indelible.source.parse.symbol_rows import rows_of

SOURCE = b'"""What it is."""\nimport os\n\n\ndef first():\n    return os.getcwd()\n'
PYTHON = BY_NAME["python"]


def over() -> Deadline:
    return Deadline(-1.0)


def test_each_part_of_the_work_ends_when_the_time_is_over() -> None:
    parsed = parse(SOURCE, PYTHON, "a.py", "a")
    rows = rows_of("a.py", parsed, SOURCE, Deadline())
    assert [row.name for row in rows] == ["first"]
    nothing = Captured([], (), False, False)
    for work in (
        lambda: parse(SOURCE, PYTHON, "a.py", "a", over()),
        lambda: extract(SOURCE, nothing, PYTHON, "a.py", "a", "utf-8", over()),
        lambda: rows_of("a.py", parsed, SOURCE, over()),
        lambda: without_secrets(SOURCE, over()),
    ):
        with pytest.raises(NotSource, match="of work"):
            work()


def test_a_file_that_takes_too_long_is_skipped_and_the_others_are_read(tmp_path, monkeypatch) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    project = Project(str(tmp_path), frozenset(), {}, {}, {})
    (read,) = Share(project).parse([Wanted("a.py", "", False)])
    assert [row.name for row in read.rows] == ["first"]
    monkeypatch.setattr(Deadline.__init__, "__defaults__", (-1.0,))
    (read,) = Share(project).parse([Wanted("a.py", "", False)])
    assert (read.outcome, read.why) == (SKIPPED, "over -1 s of work")
    assert deadline.MOST_SECONDS == 5.0
