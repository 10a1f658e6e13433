"""A tenant cannot tell whether others are in the database, whatever it calls (as a namespace in test_isolation)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

import apart
from apart import BEGAN, NEEDLE, World, differing, fill, reads, writes
from indelible.core.context.context import Context, open_context
from indelible.core.records import exporting
from indelible.settings import Settings
from indelible.toolsets import registry
from made_up_meaning import with_meaning

pytestmark = pytest.mark.process

OWN, OTHER, LATER = 202, 201, 203
SCHEMA = "alone"


class Tenant(World):
    """A tenant as it sees itself; `foreign` are the ids of the others' things."""

    @property
    def beta(self) -> Context:
        return self.ctx


def tenant(place: Path, url: str, number: int) -> Tenant:
    clock = apart.Clock()
    settings = Settings(data=place / "data", database=url, tenant=number, start=place, home=place)
    return Tenant(with_meaning(open_context(settings, clock)), clock)


def filled(world: Tenant, word: str, days: int) -> dict[str, str]:
    ids = fill(world.ctx, word, apart._moments(world.clock, BEGAN + timedelta(days=days)))
    apart._settled(world)
    return ids


@pytest.fixture(scope="module")
def worlds(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tenant, Tenant]]:
    """A tenant that has a schema to itself, and one among others in which the same was stored."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
    place = tmp_path_factory.mktemp("apart")
    alone = tenant(place, f"{database}&options=-csearch_path%3D{SCHEMA}", OWN)
    among, other, later = (tenant(place, database, number) for number in (OWN, OTHER, LATER))
    among.foreign = filled(other, NEEDLE, 0)
    for world in (alone, among):
        world.ids = filled(world, "wombat", 3)
    among.foreign |= {f"own {name}": id_ for name, id_ in filled(later, NEEDLE, 4).items()}
    yield alone, among
    for world in (alone, among, other, later):
        world.ctx.close()


def some(calls: Sequence[apart.Call], most: int = 4) -> list[apart.Call]:
    """A few of each tool's calls."""
    counts: Counter[str] = Counter()
    counts.update({"codemem_metrics": most})  # they are in one process here, and this tells of it
    found = []
    for tool, arguments in calls:
        counts[tool] += 1
        if counts[tool] <= most:
            found.append((tool, arguments))
    return found


def test_every_tool_answers_as_if_nobody_else_were_in_the_database(worlds: tuple[Tenant, Tenant]) -> None:
    _, among = worlds
    calls = reads(among.ids, among.foreign)
    assert {tool for tool, _ in calls} == {name for name, tool in registry.all_tools().items() if not tool.writes}
    assert differing(worlds, some(calls)) == []
    assert not any(NEEDLE in json.dumps(record) for record in exporting.export_all(among.ctx))


def test_every_tool_that_writes_leaves_the_other_tenants_as_they_were(
    worlds: tuple[Tenant, Tenant], database: str, tmp_path: Path
) -> None:
    alone, among = worlds
    others = [tenant(tmp_path, database, number) for number in (OTHER, LATER)]
    before = [list(exporting.export_all(other.ctx)) for other in others]
    calls = writes(among.ids, among.foreign)
    assert {tool for tool, _ in calls} == {name for name, tool in registry.all_tools().items() if tool.writes}
    assert differing((alone, among), [each for each in calls if each[0] != "index_codebase"]) == []  # says how long
    assert [list(exporting.export_all(other.ctx)) for other in others] == before
    for other in others:
        other.ctx.close()
