"""A token of a directory holds in that directory: not above it, not beside it, whichever tool is given the path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.errors import Forbidden, IndelibleError
from indelible.project import Location
from indelible.settings import Settings
from indexed_code import call, write

NEEDLE = "quokka"
ACME = {
    "package.json": f'{{"name": "{NEEDLE}-works", "workspaces": ["*"], "dependencies": {{"react": "19"}}}}',
    "rates.py": f'"""How {NEEDLE} sets its rates."""\n\nQUOKKA_RATE = 7\n',
    "bank/package.json": f'{{"name": "{NEEDLE}-bank"}}',
    "bank/ledger.py": f'def {NEEDLE}_ledger():\n    """What the {NEEDLE} owes."""\n',
    "shop/package.json": '{"name": "shop"}',
    "shop/prices.py": "def gross(net):\n    return net * 1.19\n",
}


def _git(directory: Path) -> None:
    (directory / ".git").mkdir()
    (directory / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


@pytest.fixture(params=["directories", "repositories", "one repository", "known above"])
def acme(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Context, Path]]:
    """A store, and a directory with two projects in it: as directories, repositories, or folders of one repository."""
    root = write(tmp_path / "srv" / "acme", ACME)
    for top in {"repositories": [root / "shop", root / "bank"], "one repository": [root]}.get(request.param, []):
        _git(top)
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    if request.param == "known above":  # the owner works there
        call(ctx.at(Location(str(root), None)), "store_memory", content=f"of the {NEEDLE}")
    yield ctx, root
    ctx.close()


def limited(ctx: Context, directory: Path) -> Context:
    return ctx.granted(Grant("tok_shop", "write", frozenset({str(directory)})))


def everything(ctx: Context) -> str:
    """What a caller is told by all that tells of code and of the project."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("search_symbols", {"query": ""}),
        ("search_symbols", {"query": NEEDLE}),
        ("search_code", {"query": f"what the {NEEDLE} owes", "k": 50}),
        ("get_pagerank", {"top_k": 100}),
        ("get_clusters", {}),
        ("get_cross_repo", {}),
        ("matrix_status", {}),
        ("list_namespaces", {}),
        ("codemem_stats", {}),
    ]
    told = []
    for tool, arguments in asked:
        try:
            told.append(json.dumps(call(ctx, tool, **arguments)))
        except IndelibleError as error:
            told.append(f"{error.code}: {error}")
    return "\n".join(told)


@pytest.mark.parametrize("tool", ["index_codebase", "get_cross_repo"])
def test_a_token_of_a_directory_reads_nothing_above_it_or_beside_it(acme: tuple[Context, Path], tool: str) -> None:
    ctx, root = acme
    me = limited(ctx, root / "shop")
    for path in (root, root.parent, root / "bank", root / "shop" / ".."):
        with pytest.raises(Forbidden, match=r"[Nn]othing was read"):
            call(me, tool, path=str(path))
    assert NEEDLE not in everything(me)


@pytest.mark.process
def test_a_token_of_a_directory_indexes_it_and_what_is_below(acme: tuple[Context, Path]) -> None:
    ctx, root = acme
    me = limited(ctx, root / "shop")
    assert call(me, "index_codebase", path=str(root / "shop"))["files_parsed"] == 1
    assert [hit["name"] for hit in call(me, "search_symbols", query="gross")] == ["gross"]
    assert [each["name"] for each in call(me, "get_cross_repo")["packages"]] == ["shop"]
    with pytest.raises(Forbidden):
        call(me, "get_cross_repo", path=str(root))
    assert NEEDLE not in everything(me)


@pytest.mark.process
def test_a_server_that_works_above_tells_a_limited_caller_nothing_of_it(acme: tuple[Context, Path]) -> None:
    ctx, root = acme
    at_acme = ctx.at(Location(str(root), None))
    call(at_acme, "store_memory", content=f"The {NEEDLE} is fed at night")
    call(at_acme, "index_codebase", path=str(root))
    me = limited(at_acme, root / "shop")
    call(me, "matrix_store", problem="the shop is slow", solution="cache its prices", scope="repo")
    assert NEEDLE not in everything(me)
    with pytest.raises(Forbidden, match="is not within this token's namespaces"):
        call(me, "store_memory", content="there", namespace=str(root))


def test_a_repository_of_another_project_below_is_not_read(tmp_path: Path) -> None:
    root = write(tmp_path / "srv" / "acme", ACME)
    _git(root / "bank")
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    me = limited(ctx, root)
    call(me, "index_codebase", path=str(root))
    for told in (everything(me), json.dumps(call(me, "get_cross_repo", path=str(root)))):
        assert f"{NEEDLE}_ledger" not in told
        assert f"{NEEDLE}-bank" not in told
    assert call(me, "search_symbols", query="gross")
    ctx.close()
