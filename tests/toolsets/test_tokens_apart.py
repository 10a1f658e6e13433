"""What is stored in several namespaces is there for those who may see it, and is exported and imported as it was.

That nobody else learns of it is held by `test_isolation.py`.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import apart
from apart import ALPHA, NEEDLE, World, call
from indelible.core.records import exporting
from indelible.toolsets.memory import importing


@pytest.fixture(scope="module")
def among(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A store in which several wrote."""
    clock = apart.Clock()
    world = apart.among_others(apart.opened(tmp_path_factory.mktemp("apart"), clock), clock)
    yield world
    world.ctx.close()


def test_the_others_are_there_for_who_may_see_them(among: World) -> None:
    owner = call(among.ctx, "recall_memory", query=f"{NEEDLE} cache", k=50)
    assert among.foreign["decision"] in {hit["id"] for hit in owner}
    for ctx in (among.ctx, among.alpha):
        assert NEEDLE in json.dumps(call(ctx, "read_graph"))
        assert ALPHA in json.dumps(call(ctx, "list_namespaces"))


def test_an_export_of_all_spaces_is_imported_as_it_was(among: World, tmp_path: Path) -> None:
    """Entities, entries and failures of one name in several of them, and relations between them."""
    before = list(exporting.export_all(among.ctx))
    named = [record["id"] for record in before if record["kind"] == "entity"]
    assert named.count("Ground") > 1
    assert sum(record["content"].startswith("test: Timeout") for record in before) > 1
    new = apart.opened(tmp_path / "new", among.clock)
    assert importing.import_items(new, before).errors == []
    assert sorted(map(json.dumps, exporting.export_all(new))) == sorted(map(json.dumps, before))
    new.close()
