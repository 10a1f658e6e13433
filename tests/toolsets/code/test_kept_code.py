"""What is kept of code because somebody related something to it: it is the code's again, and goes when nobody does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import purging
from command_line import opened, undo
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.errors import Conflict
from indelible.model import Edge, Record
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import edges, records, source_files, symbols
from indelible.toolsets.code import index as code_index

BOTH = "def foo():\n    return bar()\n\n\ndef bar():\n    return 1\n"
ONE = "def bar():\n    return 1\n"


class Project:
    """A directory with one file, and a memory about one of its functions."""

    def __init__(self, ctx: Context, root: Path) -> None:
        self.ctx, self.root = ctx, root
        root.mkdir()
        (root / "pyproject.toml").write_text('[project]\nname = "p"\n', encoding="utf-8")
        self.index(BOTH)
        self.foo = self.symbols()["a.foo"]
        why = Record("why", "memory", "why it is so", 5, 5, namespace=str(root))
        self.memory = ctx.store.write(lambda tx: records.insert(tx, why))
        said = Edge(self.memory, self.foo, "EXPLAINS", "EXPLAINS", 1.0, 7, {})
        ctx.store.write(lambda tx: edges.put(tx, said))

    def index(self, source: str | None) -> None:
        """Run the index with this text of the file, None for no file."""
        if source is None:
            (self.root / "a.py").unlink()
        else:
            (self.root / "a.py").write_text(source, encoding="utf-8")
        code_index.index(self.ctx, self.root)

    def symbols(self) -> dict[str, int]:
        """The records of symbols by the name in their key."""
        with self.ctx.store.read() as tx:
            ids = records.ids_in(tx, [str(self.root)], "symbol")
            return {r.key.removeprefix("sym:"): r.id for r in records.by_ids(tx, ids).values()}

    def files(self) -> list[str]:
        with self.ctx.store.read() as tx:
            ids = records.ids_in(tx, [str(self.root)], "file")
            return [record.key for record in records.by_ids(tx, ids).values()]

    def explained(self) -> set[int]:
        with self.ctx.store.read() as tx:
            return {edge.target for edge in edges.of_records(tx, [self.memory])}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with opened(tmp_path / "data") as ctx:
        yield Project(ctx, tmp_path / "p")


@pytest.mark.parametrize("without", [ONE, None], ids=["a symbol", "a file"])
def test_what_left_the_source_is_kept_until_nobody_relates_anything_to_it(project: Project, without: str | None):
    project.index(without)
    assert project.symbols()["a.foo"] == project.foo
    assert project.files() == ["file:a.py"]
    project.ctx.store.write(lambda tx: records.delete(tx, project.memory))
    code_index.index(project.ctx, project.root)
    assert "a.foo" not in project.symbols()
    assert project.files() == (["file:a.py"] if without else [])
    with project.ctx.store.read() as tx:
        assert [n for _, n in tx.rows("symbols.names")] == (["bar"] if without else [])


def test_a_symbol_that_came_back_with_an_undo_is_that_of_the_source_again(project: Project):
    purging.purge(project.ctx.for_call(Call(tool="purge")), str(project.root))
    undo(project.ctx)
    code_index.index(project.ctx, project.root)
    assert project.symbols().keys() == {"a.foo", "a.bar"}
    assert project.explained() == {project.foo}
    with project.ctx.store.read() as tx:
        (found,) = symbols.search_names(tx, "foo", [str(project.root)])
    assert found.row.record == project.foo
    assert [hit.row.name for hit in [found]] == ["foo"]


@pytest.mark.sqlite("salvage of a damaged file")
def test_a_file_that_went_before_a_salvaged_store_is_indexed_again_goes(project: Project, tmp_path: Path):
    project.ctx.store.write(lambda tx: records.delete(tx, project.memory))
    (tmp_path / "saved").mkdir()
    salvage(tmp_path / "data" / FILE, tmp_path / "saved" / FILE)
    with opened(tmp_path / "saved") as ctx:
        project.ctx = ctx
        project.index(None)
        assert (project.symbols(), project.files()) == ({}, [])
        with ctx.store.read() as tx:
            assert source_files.of_repository(tx, 1) == []


def test_a_project_is_not_purged_while_it_is_indexed(project: Project):
    refused: list[str] = []

    def pause() -> None:
        if refused:  # what is linked to code is linked when the run itself has ended
            return
        with pytest.raises(Conflict, match=r"is being indexed; repeat the purge"):
            purging.purge(project.ctx.for_call(Call(tool="purge")), str(project.root))
        refused.append("purge")

    (project.root / "a.py").write_text(ONE, encoding="utf-8")
    code_index.index(project.ctx, project.root, pause=pause)
    assert refused
    assert project.symbols().keys() == {"a.foo", "a.bar"}
    purging.purge(project.ctx.for_call(Call(tool="purge")), str(project.root))
    assert project.symbols() == {}
