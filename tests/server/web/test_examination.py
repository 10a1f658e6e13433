"""The examination that a page asks for: one at a time, whose findings stay until the next."""

import threading

from http_server import PATIENCE
from indelible.admin.doctor import Report
from indelible.server.web.examination import Examination


def test_one_runs_at_a_time_and_its_findings_stay():
    may_end, looks = threading.Event(), []

    def look():
        looks.append(1)
        assert may_end.wait(PATIENCE)
        return Report(["records: 1"])

    examination = Examination(look)
    assert (examination.state.runs, examination.state.report) == (False, None)
    for _ in range(2):
        examination.begin()
        examination.wait(0)
        assert (examination.state.runs, examination.state.report) == (True, None)
    may_end.set()
    examination.wait(PATIENCE)
    assert (examination.state.runs, examination.state.report) == (False, Report(["records: 1"]))
    assert looks == [1]
    may_end.clear()
    examination.begin()
    assert examination.state.report is None, "what an earlier one found may not be so any more"
    may_end.set()
    examination.wait(PATIENCE)
    assert looks == [1, 1]


def test_an_accident_is_a_fault_without_its_message_and_the_next_one_runs():
    def look():
        raise RuntimeError("a secret")

    examination = Examination(look)
    for _ in range(2):
        examination.begin()
        examination.wait(PATIENCE)
        report = examination.state.report
        assert not report.sound
        assert report.lines[0].startswith("fault: internal error ")
        assert "secret" not in report.lines[0]
