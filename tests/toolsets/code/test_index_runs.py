"""Indexing a tree again and again: what is stored is what is in the files, however it came there."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from code_tree import FILES, Tree, stored
from indelible.errors import InvalidInput
from indelible.store.tables import source_files
from indelible.toolsets.code import index, run


@pytest.fixture
def tree(tmp_path: Path):
    made = Tree(tmp_path)
    yield made
    made.close()


def test_a_tree_of_eight_languages_is_indexed_with_its_relations(tree):
    tree.write(FILES)
    ctx = tree.open()
    found = tree.index(ctx)
    _, related = stored(ctx, found)
    said = {" ".join(edge.split(" ")[:3]) for edge in related}
    assert {
        "shop/use.py:shop.use.go CALLS shop/store.py:shop.store.Store.save",
        "shop/store.py:shop.store.Store INHERITS shop/store.py:shop.store.Base",
        "shop/store.py:shop.store.Store CONTAINS shop/store.py:shop.store.Store.save",
        "web/index.ts:web/index.start CALLS web/cart.ts:web/cart.Cart",
        "src/shape.rs:crate::shape::Square IMPLEMENTS src/lib.rs:crate::Area",
        "pay/more.go:pay.All CALLS pay/pay.go:pay.Card.Charge",
        "c/b.c:twice CALLS c/a.c:count",
        "j/A.java:j.A.run CALLS j/B.java:j.B",
    } <= said
    assert (found.files_scanned, found.files_parsed, found.files_removed) == (15, 15, 0)
    assert found.languages == {"python": 3, "rust": 3, "c": 3, "go": 2, "java": 2, "typescript": 2}
    assert found.symbols == sum(" " in each for each in stored(ctx, found)[0]) - 15
    assert found.edges_resolved == sum(" CONTAINS " not in edge for edge in related)


def test_nothing_is_read_again_that_did_not_change(tree):
    tree.write(FILES)
    ctx = tree.open()
    first = tree.index(ctx)
    again = tree.index(ctx)
    assert (again.files_parsed, again.files_removed) == (0, 0)
    assert (again.symbols, again.references, again.edges_resolved) == (
        *(first.symbols, first.references, first.edges_resolved),
    )


def test_many_files_with_new_times_alone_are_not_parsed_again(tree, monkeypatch):
    """As where a branch is checked out and the one before again, or a fresh clone is indexed at once."""
    monkeypatch.setattr(run, "IN_PLACE", 4)
    parsed, processes = [], run.workers
    monkeypatch.setattr(run, "workers", lambda *given, **how: parsed.append(given[1]) or processes(*given, **how))
    tree.write({f"m{n}.py": f"def f{n}(): g{n}()\n\ndef g{n}(): pass\n" for n in range(9)})
    ctx = tree.open()
    first = stored(ctx, tree.index(ctx))
    for n in range(9):
        os.utime(tree.root / f"m{n}.py", ns=(n * 10**9, n * 10**9))
    again = tree.index(ctx)
    assert (parsed, again.files_parsed, stored(ctx, again)) == ([9], 0, first)
    with ctx.store.read() as tx:
        assert {file.modified for file in source_files.of_repository(tx, again.repository)} == {
            n * 10**9 for n in range(9)
        }
    for n in range(9):
        os.utime(tree.root / f"m{n}.py")
    tree.write({"m3.py": "def f3(): g3()\n\ndef g3(): return f3\n"})
    last = tree.index(ctx)
    assert (parsed, last.files_parsed, last.symbols) == ([9, 1], 1, 18)
    anew = tree.open("anew")
    assert stored(ctx, last) == stored(anew, tree.index(anew))


def test_a_run_that_is_over_does_not_look_as_if_it_went_on(tree, monkeypatch):
    tree.write(FILES)
    ctx = tree.open()
    monkeypatch.setattr(index, "RENEWED", -1.0)  # each pause takes the lease, those after the run too
    held = []

    def pause() -> None:
        with ctx.store.read() as tx:
            held.append(bool(tx.rows("code_links.indexing", now=ctx.now())))

    tree.index(ctx, pause=pause)
    assert held[0]
    assert not held[-1]  # when memories are linked to what came
    pause()
    assert not held[-1]


NAMES = ("load", "save", "read", "total", "add", "Charge", "log", "count", "stop", "side", "area", "Store", "Card")


def rename(tree: Tree, file: Path, dice: random.Random) -> None:
    old, new = dice.choice(NAMES), dice.choice((*NAMES, "fresh"))
    for each in dice.choice([[file], sources(tree)]):
        each.write_text(each.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def add_a_class(tree: Tree, file: Path, dice: random.Random) -> None:
    made = f"\nclass Added{dice.randrange(3)}(Store):\n    def {dice.choice(NAMES)}(self): read()\n"
    if file.suffix == ".py":
        file.write_text(file.read_text(encoding="utf-8") + made, encoding="utf-8")


def change_bodies(tree: Tree, file: Path, dice: random.Random) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("return n", "return total(n)").replace("pass", "go()"), encoding="utf-8")


def remove(tree: Tree, file: Path, dice: random.Random) -> None:
    file.unlink()


def move(tree: Tree, file: Path, dice: random.Random) -> None:
    shutil.move(file, file.with_name(f"m{dice.randrange(4)}{file.suffix}"))


def copy(tree: Tree, file: Path, dice: random.Random) -> None:
    copied = file.with_name(f"copy{dice.randrange(3)}{file.suffix}")
    copied.write_text(file.read_text(encoding="utf-8"), encoding="utf-8")


def change_bases(tree: Tree, file: Path, dice: random.Random) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("(Base)", "").replace("class A ", "class A extends B "), encoding="utf-8")


def move_lines(tree: Tree, file: Path, dice: random.Random) -> None:
    file.write_text("\n" + file.read_text(encoding="utf-8"), encoding="utf-8")


def turn_package(tree: Tree, file: Path, dice: random.Random) -> None:
    init = tree.root / "shop" / "__init__.py"
    if init.exists():
        init.unlink()
    else:
        tree.write({"shop/__init__.py": "from shop.store import *\n"})


def export_again(tree: Tree, file: Path, dice: random.Random) -> None:
    if file.suffix == ".py":
        text = file.read_text(encoding="utf-8")
        file.write_text("from shop.store import Store as Shop, read\n" + text, encoding="utf-8")


EDITS = (
    *(rename, add_a_class, change_bodies, remove, move, copy),
    *(change_bases, move_lines, turn_package, export_again),
)


def sources(tree: Tree) -> list[Path]:
    return sorted(path for path in tree.root.rglob("*") if path.suffix in (".py", ".ts", ".rs", ".go", ".c", ".java"))


def edit(tree: Tree, how: Callable[[Tree, Path, random.Random], None], dice: random.Random) -> None:
    """Change something in a tree."""
    files = sources(tree)
    if files:
        how(tree, dice.choice(files), dice)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return tmp_path_factory.mktemp("many")


@pytest.mark.slow
@settings(
    max_examples=settings.get_profile(settings.get_current_profile_name()).max_examples // 5, phases=[Phase.generate]
)
@given(st.integers(0, 1 << 30), st.lists(st.lists(st.sampled_from(EDITS), min_size=1, max_size=3), max_size=5))
def test_an_index_that_followed_edits_equals_one_that_is_made_at_once(many, seed, rounds):
    dice = random.Random(seed)
    tree = Tree(many / os.urandom(6).hex())
    try:
        tree.write(FILES)
        ctx = tree.open()
        tree.index(ctx)
        for edits in rounds:
            for what in edits:
                edit(tree, what, dice)
            followed = tree.index(ctx)
        if rounds:
            anew = tree.open("anew")
            at_once = tree.index(anew)
            assert stored(ctx, followed) == stored(anew, at_once)
            assert (followed.symbols, followed.references, followed.edges_resolved, followed.languages) == (
                *(at_once.symbols, at_once.references, at_once.edges_resolved, at_once.languages),
            )
    finally:
        tree.close()
        shutil.rmtree(tree.folder)


@pytest.mark.parametrize("path", ["relative", "/no/such/directory"])
def test_a_path_that_is_no_directory_is_refused(tree, path):
    with pytest.raises(InvalidInput, match="path must be"):
        index.index(tree.open(), Path(path))
