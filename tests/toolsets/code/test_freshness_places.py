"""Where what a text names is now, when it was renamed, moved and written anew at once."""

import pytest

from indelible.toolsets.code import index
from indelible.toolsets.code import links as linking

REPORTS = """
class Reports:
    def write_totals(self, some):
        found = {}
        for each in some:
            found[each.name] = each.total * 17
        return sorted(found.items())


def parse_report(path, strict):
    lines = path.read_text().splitlines()
    heads = [line for line in lines if line.startswith("#")]
    if strict and not heads:
        raise ValueError(path)
    return heads, lines[1:]
"""
ANEW = """
def parse_report(path, *, mode="strict"):
    lines = path.read_text().splitlines()
    heads = [line for line in lines if line.startswith("#")]
    if mode == "strict" and not heads:
        raise ValueError(f"{path} has no head")
    return Report(heads, lines)
"""
OTHER = """
def parse_report(number):
    return [each ** 2 for each in range(number) if each % 3 == 0]
"""


class App:
    """A small codebase on disk, indexed, and what is remembered of it."""

    def __init__(self, open_store, path):
        self.path = path / "app"
        self.write("pkg/__init__.py", "")
        self.write("pkg/reports.py", REPORTS)
        self.memory = open_store(start=self.path)
        self.index()

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def without(self, name):
        """The reports without what begins with a name."""
        return "\n\n".join(part for part in REPORTS.split("\n\n\n") if f"{name}(" not in part) + "\n"

    def index(self):
        index.index(self.memory.context, self.path)

    def remember(self, content):
        self.memory.store_memory(content=content)
        linking.catch_up(self.memory.context)

    def state(self, query):
        """The state of the one name in the one hit, where that is now, and whether it changed too."""
        (hit,) = self.memory.recall_memory(query=query)
        (found,) = hit["freshness"]["code"]
        return found["state"], found.get("to", ""), found.get("changed", False)


@pytest.fixture
def app(open_store, tmp_path):
    return App(open_store, tmp_path)


def test_of_two_new_ones_of_its_name_a_symbol_is_the_one_with_its_lines(app):
    app.remember("`parse_report` reads the whole file")
    app.write("pkg/reports.py", app.without("parse_report"))
    app.write("pkg/anew.py", ANEW)
    app.write("pkg/other.py", OTHER)
    app.index()
    assert app.state("reads the whole file") == ("moved", "pkg/anew.py", True)


def test_what_is_copied_first_and_deleted_later_moved_too(app):
    app.remember("`parse_report` reads the whole file")
    app.write("pkg/anew.py", ANEW)
    app.write("pkg/other.py", OTHER)
    app.index()
    assert app.state("reads the whole file") == ("fresh", "", False)
    app.write("pkg/reports.py", app.without("parse_report"))
    app.index()
    assert app.state("reads the whole file") == ("moved", "pkg/anew.py", True)


def test_of_two_new_ones_of_its_name_without_its_lines_it_is_the_one_in_a_file_called_as_its_own(app):
    app.write("pkg/shells/fish.py", "def quoted(text):\n    return text\n")
    app.index()
    app.remember("`quoted` keeps what is in quotes")
    (app.path / "pkg" / "shells" / "fish.py").unlink()
    app.write("generators/fish.py", "def quoted(app, name):\n    return app.find(name).in_quotes\n")
    app.write("generators/bash.py", OTHER.replace("parse_report", "quoted"))
    app.index()
    assert app.state("keeps what") == ("moved", "generators/fish.py", True)


def test_a_method_that_became_a_function_moved(app):
    app.remember("`Reports.write_totals` sorts by name")
    app.write("pkg/reports.py", app.without("write_totals"))
    app.write("pkg/totals.py", "def write_totals(reports, target):\n    target.write(reports.totals())\n")
    app.index()
    assert app.state("sorts by name") == ("moved", "pkg/totals.py", True)


def test_a_new_one_of_a_name_that_several_had_is_not_what_each_of_them_is_now(app):
    kinds = "class {}Screen:\n    def clear_all(self):\n        return {}\n\n\n"
    app.write("pkg/screens.py", kinds.format("Null", "None") + kinds.format("Full", "self.rows.clear()"))
    app.index()
    app.remember("`NullScreen.clear_all` does nothing")
    app.write("pkg/screens.py", "class NullScreen:\n    rows = ()\n")
    app.write("pkg/terminal.py", "def clear_all(terminal, at):\n    terminal.write(at, CLEAR)\n")
    app.index()
    (hit,) = app.memory.recall_memory(query="does nothing")
    states = {each["name"]: each["state"] for each in hit["freshness"]["code"]}
    assert states["NullScreen.clear_all"] == "gone"


def test_what_is_renamed_in_a_file_that_moved_is_found_there(app):
    app.remember("`parse_report` reads the whole file")
    (app.path / "pkg" / "reports.py").unlink()
    app.write("pkg/tables.py", REPORTS.replace("parse_report(path, strict)", "read_table(path)"))
    app.index()
    assert app.state("reads the whole file") == ("moved", "pkg/tables.py", True)


def test_lines_that_its_like_had_too_are_no_sign_of_what_a_symbol_is_now(app):
    kinds = "class {0}Flag:\n    set_by_environment: FlagSet\n    category_of_flag: str\n    value: {0}\n\n\n"
    app.write("pkg/flags.py", "".join(kinds.format(name) for name in ("Bool", "Text", "Duration")))
    app.index()
    app.remember("`TextFlag` is never empty")
    app.write("pkg/flags.py", "".join(kinds.format(name) for name in ("Bool", "Duration", "Path")))
    app.index()
    assert app.state("never empty") == ("gone", "", False)


def test_short_lines_are_no_sign_of_what_a_symbol_is_now(app):
    app.write("pkg/locks.py", "def lock(it):\n    x = 0\n    y = 1\n    return wait_for_the_others(it, x, y)\n")
    app.index()
    app.remember("`lock` waits for others")
    app.write("pkg/locks.py", "def sums(up):\n    x = 0\n    y = 1\n    return total_of_numbers(up, x, y)\n")
    app.index()
    assert app.state("waits for others") == ("gone", "", False)


def test_another_of_its_name_that_was_there_before_is_not_what_it_is_now(app):
    app.write("pkg/other.py", OTHER)
    app.index()
    app.remember("`parse_report` in pkg/reports.py reads the whole file")
    app.write("pkg/reports.py", app.without("parse_report"))
    app.index()
    (hit,) = app.memory.recall_memory(query="reads the whole file")
    states = {each["name"]: each["state"] for each in hit["freshness"]["code"]}
    assert states["parse_report"] == "gone"


def test_a_method_of_one_word_of_another_type_is_not_what_it_is_now(app):
    session = (
        "class Session:\n    def __repr__(self):\n        return 'a session'\n\n    def send(self):\n        ...\n"
    )
    app.write("pkg/sessions.py", session)
    app.index()
    app.remember("`Session.__repr__` names no secret")
    app.write("pkg/sessions.py", "class Session:\n    def send(self):\n        ...\n")
    app.write("pkg/answers.py", "class Answer:\n    def __repr__(self):\n        return f'{self.status} {self.body}'\n")
    app.index()
    assert app.state("names no secret") == ("gone", "", False)


def test_a_run_looks_at_a_text_once(app):
    app.memory.store_memory(content="`parse_report` reads the whole file")
    assert linking.after_index(app.memory.context, forgotten=["parse_report"]) == 1
