"""`indelible index`: what is left out, secrets, processes that are killed or run at once, what stays who it is."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import store_file
from code_tree import Tree, stored
from indelible.core.context.call import Call, Caller
from indelible.errors import Cancelled, Conflict, InvalidInput
from indelible.model import Edge
from indelible.store.tables import edges, records, source_files, symbols
from indelible.toolsets.code import index


@pytest.fixture
def tree(tmp_path: Path):
    made = Tree(tmp_path)
    yield made
    made.close()


def paths(ctx, found) -> list[str]:
    with ctx.store.read() as tx:
        return [file.path for file in source_files.of_repository(tx, found.repository)]


def by_name(ctx, found) -> dict[str, int]:
    """The records of the symbols that are there, by qualified name."""
    with ctx.store.read() as tx:
        files = [file.record for file in source_files.of_repository(tx, found.repository)]
        return {each.row.qualified_name: each.row.record for each in symbols.of_files(tx, files) if not each.row.gone}


def test_what_nobody_wrote_here_is_left_out_and_counted(tree):
    code = "def f(): pass\n"
    tree.write(
        {
            ".gitignore": "ignored/\n*.gen.py\n",
            "kept.py": code,
            "broken.py": "def good(): pass\nclass (:\n    def also_good(self): pass\n",
            "ignored/a.py": code,
            "b.gen.py": code,
            "node_modules/x/index.js": "function f() {}\n",
            "web/package.json": '{"name": "web"}',
            "web/dist/out.js": "function f() {}\n",
            "web/app.js": "function app() {}\n",
            "web/lib.min.js": "function f(){}\n",
            "web/packed.js": "function f(){};" * 1_000,
            "large.py": "x = 1\n" * 200_000,
            "binary.py": "a\0b",
        }
    )
    (tree.root / "link.py").symlink_to("/etc/passwd")
    (tree.root / "out").symlink_to(tree.folder)
    ctx = tree.open()
    found = tree.index(ctx)
    assert paths(ctx, found) == ["broken.py", "kept.py", "web/app.js"]
    assert found.skipped == {
        "a link out of the tree": 2,
        "binary": 1,
        "build output": 1,
        "minified": 2,
        "over 1,048,576 bytes": 1,
        "vendored": 1,
    }
    assert found.files_skipped == 8
    assert {"broken.good", "kept.f", "web/app.app"} <= set(by_name(ctx, found))


def test_a_secret_in_the_source_is_not_stored(tree):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tree.write(
        {
            "a.py": f'def login(token="{secret}"):\n    """Use {secret}."""\n    return send("{secret}")\n',
            "b.py": 'def fine(password="as it is written"):\n    """A word here, a password there."""\n',
        }
    )
    ctx = tree.open()
    found = tree.index(ctx)
    ids = by_name(ctx, found)
    with ctx.store.read() as tx:
        texts = records.by_ids(tx, list(ids.values()))
    assert "[REDACTED:github-token]" in texts[ids["a.login"]].text
    assert texts[ids["b.fine"]].text == (
        'fine b\ndef fine(password="as it is written")\nA word here, a password there.'
    )  # the secret of one file leaves the others as they are
    ctx.close()
    tree.contexts.clear()
    assert secret.encode() not in store_file.kept(tree.folder / "data")


def test_a_symbol_that_moves_or_is_renamed_stays_who_it_is(tree):
    body = "    total = 0\n    for each in items:\n        total += each.price * each.count\n    return total\n"
    tree.write(
        {"a.py": f"def price(items):\n{body}\n\ndef other(): pass\n", "b.py": "x = 1\n", "c.py": "def c(): pass\n"}
    )
    ctx = tree.open()
    before = by_name(ctx, tree.index(ctx))
    tree.write({"a.py": "def other(): pass\n", "b.py": f"x = 1\n\ndef cost(items):\n{body}"})
    (tree.root / "c.py").rename(tree.root / "d.py")
    found = tree.index(ctx)
    after = by_name(ctx, found)
    assert (after["b.cost"], after["a.other"], after["d.c"]) == (before["a.price"], before["a.other"], before["c.c"])
    assert "a.price" not in after
    assert found.files_removed == 0
    with ctx.store.read() as tx:
        moved = records.by_ids(tx, [after["b.cost"]])[after["b.cost"]]
    assert (moved.key, moved.label, moved.metadata) == ("sym:b.cost", "cost", {"file_path": "b.py"})


def test_a_symbol_that_somebody_related_to_something_is_kept_when_it_goes_and_comes_back(tree):
    tree.write({"a.py": "def f(): g()\n\ndef g(): pass\n"})
    ctx = tree.open()
    ids = by_name(ctx, tree.index(ctx))
    ctx.store.write(lambda tx: edges.add(tx, Edge(ids["a.f"], ids["a.g"], "RELATES_TO", "RELATES_TO", 1.0, 1)))
    (tree.root / "a.py").unlink()
    gone = tree.index(ctx)
    assert (gone.symbols, gone.edges_resolved, gone.files_removed, gone.languages) == (0, 0, 1, {})
    assert (tree.index(ctx).files_removed, by_name(ctx, gone)) == (0, {})
    with ctx.store.read() as tx:
        assert [edge.relation for edge in edges.of_records(tx, [ids["a.f"]])] == ["RELATES_TO"]
    tree.write({"a.py": "def f(): g()\n\ndef g(): pass\n"})
    again = tree.index(ctx)
    assert by_name(ctx, again) == ids
    assert (again.symbols, again.edges_resolved) == (2, 1)


def test_overloads_of_a_file_are_one_symbol_and_equal_names_of_files_are_several(tree):
    tree.write(
        {
            "a.c": "static int init(void) { return 1; }\n",
            "b.c": "static int init(void) { return 2; }\n",
            "p.py": "class P:\n    @property\n    def v(self): return 1\n    @v.setter\n    def v(self, x): pass\n",
        }
    )
    ctx = tree.open()
    found = tree.index(ctx)
    with ctx.store.read() as tx:
        files = [file.record for file in source_files.of_repository(tx, found.repository)]
        there = symbols.of_files(tx, files)
    assert [each.key for each in there] == ["sym:init", "sym:init@b.c", "sym:p.P", "sym:p.P.v"]
    assert len(there[-1].row.places) == 1


@pytest.mark.process
def test_a_folder_is_the_codebase_that_it_stands_in_and_takes_in_those_in_it(tree):
    tree.write({"sub/a.py": "def f(): pass\n", "b.py": "def g(): pass\n"})
    (tree.root / ".git").mkdir()
    (tree.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    ctx = tree.open()
    inner = index.index(ctx, tree.root / "sub")
    ids = by_name(ctx, inner)
    whole = tree.index(ctx)
    assert inner.namespace == whole.namespace == str(tree.root)
    assert paths(ctx, whole) == ["b.py", "sub/a.py"]
    assert next(iter(ids.values())) in by_name(ctx, whole).values()
    assert index.index(ctx, tree.root / "sub").root == str(tree.root)


def test_who_may_not_write_gets_no_index(tree):
    ctx = tree.open()
    tree.write({"a.py": "def f(): pass\n"})
    with pytest.raises(InvalidInput, match="home directory"):
        index.index(ctx, Path("/"))
    reader = replace(ctx, settings=replace(ctx.settings, read_only=True))
    with pytest.raises(Conflict, match="read-only"):
        tree.index(reader)


def test_a_run_that_is_taken_back_is_gone_on_with(tree):
    tree.write({f"p/m{n}.py": f"from p.m{n - 1} import f as g\ndef f(): g()\n" for n in range(60)})
    ctx, whole = tree.open(), tree.open("whole")
    asked = []
    gone = Caller(cancelled=lambda: len(asked) > 1)
    with pytest.raises(Cancelled):
        index.index(ctx.for_call(Call(caller=gone)), tree.root, pause=lambda: asked.append(1))
    assert stored(ctx, tree.index(ctx)) == stored(whole, tree.index(whole))


def test_two_at_once_make_one_index(tree):
    tree.write({f"p/m{n}.py": f"from p.m{n - 1} import f as g\ndef f(): g()\n" for n in range(40)})
    ctx, other = tree.open(), tree.open()
    found = []
    threads = [threading.Thread(target=lambda ctx=ctx: found.append(tree.index(ctx))) for ctx in (ctx, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.files_parsed for each in found) == [0, 40]
    assert stored(ctx, found[0]) == stored(other, found[1])
    assert len(by_name(ctx, found[0])) == 40


# --- The command ---


def command(tree: Tree, *more: str) -> list[str]:
    data = str(tree.folder / "data")
    return [sys.executable, "-m", "indelible", "index", str(tree.root), "--data", data, *more]


@pytest.mark.process
def test_the_command_says_what_it_found(tree):
    tree.write({"a.py": "def f(): g()\n\ndef g(): pass\n"})
    done = subprocess.run(command(tree), capture_output=True, text=True, check=True)
    assert "1 file (python 1), parsed 1, removed 0; 2 symbols, 1 relation" in done.stderr
    assert done.stdout == ""


@pytest.mark.process
def test_processes_that_are_killed_leave_an_index_that_the_next_one_completes(tree):
    tree.write({f"p{n % 7}/m{n}.py": _module(n) for n in range(320)})  # enough for processes of its own
    for moment in (0.6, 1.0, 1.5):
        running = subprocess.Popen(command(tree), stderr=subprocess.DEVNULL)
        try:
            running.wait(moment)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
    ctx, whole = tree.open(), tree.open("whole")
    completed = tree.index(ctx)
    assert stored(ctx, completed) == stored(whole, tree.index(whole))
    assert completed.symbols == len(by_name(ctx, completed)) == 320 * 3


def _module(n: int) -> str:
    return (
        f"from p{(n - 1) % 7}.m{n - 1} import C{n - 1}\n\nclass C{n}(C{n - 1}):\n"
        f"    def run(self):\n        return self.run() or make{n}()\n\ndef make{n}():\n    return C{n}().run()\n"
    )


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_watch_follows_changes_and_ends_when_it_is_asked_to(tree):
    tree.write({"a.py": "def f(): pass\n"})
    watching = subprocess.Popen(command(tree, "--watch"), stderr=subprocess.PIPE, text=True)
    try:
        assert "1 symbol" in watching.stderr.readline()
        tree.write({"b.py": "def g(): pass\n"})
        assert "2 symbols" in watching.stderr.readline()
        watching.send_signal(signal.SIGTERM)
        assert watching.wait(15) == 0
        assert "stopped watching" in watching.stderr.read()
    finally:
        watching.kill()
        watching.wait()
        watching.stderr.close()
