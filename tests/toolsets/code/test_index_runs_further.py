"""Further languages: an index that follows changes has the relations of one that is made anew."""

from pathlib import Path

import pytest

from code_tree import Tree, stored
from further_codebases import CODEBASES
from source_code import need_grammar

QUALIFIED = {
    "bash": {"lib.sh": "log::all() { :; }\n", "run.sh": "log::all\n"},
    "ruby": {"lib.rb": "class A\n def ok?; end\nend\n", "run.rb": "a = A.new\na.ok?\n"},
}


def _check(tree: Tree, files: dict[str, str], others: dict[str, str]) -> None:
    tree.write(files)
    followed = tree.open("followed")
    tree.index(followed)
    for number, (path, text) in enumerate(files.items()):
        for step, new in enumerate((None, text, others[path], text)):
            if new is None:
                (tree.root / path).unlink()
            else:
                tree.write({path: new})
            found = stored(followed, tree.index(followed))
            anew = tree.open(f"anew-{number}-{step}")
            assert found == stored(anew, tree.index(anew)), (path, step)


@pytest.fixture
def tree(tmp_path: Path):
    made = Tree(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", CODEBASES)
@pytest.mark.sweep(3)
def test_changes_are_followed_as_if_all_were_new(tree, language):
    need_grammar(language)
    files = CODEBASES[language]
    renamed = {
        path: text.replace("save", "kept").replace("Save", "Kept").replace("other_fn", "else_fn").replace("log", "note")
        for path, text in files.items()
    }
    _check(tree, files, renamed)


@pytest.mark.slow
@pytest.mark.parametrize("language", QUALIFIED)
def test_names_with_other_signs_are_followed_too(tree, language):
    need_grammar(language)
    files = QUALIFIED[language]
    _check(tree, files, {path: text.replace("all", "any").replace("ok", "no") for path, text in files.items()})


def test_a_run_that_reads_few_of_many_ruby_files_ends(tree):
    need_grammar("ruby")
    tree.write({"Gemfile": "source 'https://rubygems.org'\ngem 'rake'\n"})
    tree.write({f"lib/{name}.rb": f"def {name}_all\n  gem_of({name})\nend\n" for name in "abcdefgh"})
    ctx = tree.open()
    tree.index(ctx)
    tree.write({"lib/a.rb": "require 'b'\nb_all\nputs c_all\n"})
    assert tree.index(ctx).files_parsed == 1
