"""Files whose grammar is not installed: left out with what installs it, read once it is there, kept where it was."""

import subprocess
import sys
from pathlib import Path

import pytest

from code_tree import Tree, stored
from indelible.admin import doctor
from source_code import need_grammar

FILES = {"a.py": "def f(): pass\n", "b.rb": "class B\n def m; end\nend\n", "Rakefile": "def t; end\n"}
WHY = "of Ruby, which needs pip install 'indelible[languages]'"


@pytest.fixture
def tree(tmp_path: Path):
    made = Tree(tmp_path)
    yield made
    made.close()


def test_such_files_are_counted_and_read_by_the_first_run_with_the_grammar(tree, monkeypatch):
    need_grammar("ruby")
    tree.write(FILES)
    ctx = tree.open()
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "tree_sitter_ruby", None)  # as import sees a module that is not there
        first = tree.index(ctx)
        assert (first.languages, first.skipped, first.files_skipped) == ({"python": 1}, {WHY: 2}, 2)
        report = doctor.examine(ctx.settings)
        assert [line for line in report.lines if "Ruby" in line] == [f"code that is not indexed: 2 files {WHY}"]
        assert report.sound
    second = tree.index(ctx)
    assert (second.languages, second.skipped, second.files_parsed) == ({"ruby": 2, "python": 1}, {}, 2)
    assert {"b.rb method B::m", "Rakefile function t"} <= {
        " ".join(line.split(" ")[:3]) for line in stored(ctx, second)[0]
    }
    assert not [line for line in doctor.examine(ctx.settings).lines if "Ruby" in line]


def test_what_is_known_of_such_files_stays_where_the_grammar_is_missing_later(tree, monkeypatch):
    need_grammar("ruby")
    tree.write(FILES)
    ctx = tree.open()
    before = tree.index(ctx)
    monkeypatch.setitem(sys.modules, "tree_sitter_ruby", None)
    tree.write({"a.py": "def g(): pass\n"})
    after = tree.index(ctx)
    assert (after.files_removed, after.symbols) == (0, before.symbols)
    (tree.root / "b.rb").unlink()
    assert tree.index(ctx).files_removed == 1


def test_a_script_without_an_extension_is_left_out_too(tree, monkeypatch):
    need_grammar("ruby")
    monkeypatch.setitem(sys.modules, "tree_sitter_ruby", None)
    tree.write({"run": "#!/usr/bin/env ruby\ndef f; end\n"})
    assert tree.index(tree.open()).skipped == {WHY: 1}


@pytest.mark.process
def test_nothing_of_a_grammar_is_loaded_to_see_whether_it_is_there(tmp_path):
    (tmp_path / "a.rb").write_text("def f; end\n")
    code = f"""
import pathlib, sys
from indelible.source import source
source.scan(pathlib.Path({str(tmp_path)!r}))
print([name for name in sys.modules if name.startswith("tree_sitter_")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
