"""The store as of a time says what it said then, whatever was changed, deleted, undone and imported since."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import released
import store_file
from apart import Clock, call
from command_line import done, opened, undo
from history_times import moment_between, next_millisecond
from indelible.clock import micros, time_text, utc_now
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.project import Location
from indelible.store.tables import trash, versions

WORD = "deploy"  # in each text: it finds them all
OTHERS = "tuesday canary rollback database cache queue release branch 発行 wdrożenie сборка".split()


@dataclass
class Told:
    """What the store said at a time."""

    time: int
    exported: list[dict[str, Any]]
    walked: dict[str, list[Any]]
    found: Any
    recalled: set[tuple[str, str]]


class History:
    """Random calls on a store, one after another."""

    def __init__(self, ctx: Context, seed: int):
        self.ctx = ctx
        self.draw = random.Random(seed)
        self.memories: list[str] = []
        self.entities: list[str] = []
        self.count = 0

    def text(self) -> str:
        self.count += 1
        return f"{WORD} {' '.join(self.draw.sample(OTHERS, 3))} {self.count}"

    def step(self) -> None:
        acts: list[Callable[[], Any]] = [
            *(self.store, self.store, self.update, self.refine, self.delete, self.undo, self.import_, self.relate),
            *(self.expire, self.pin, self.date, self.date_relation),
            *(self.create, self.observe, self.unobserve, self.delete_entity, self.link),
        ]
        try:
            self.draw.choice(acts)()
        except (NotFound, Conflict, InvalidInput, IndexError, ValueError):  # of what is not there
            self.store()

    def call(self, tool: str, **arguments: Any) -> Any:
        return call(self.ctx, tool, **arguments)

    def memory(self) -> str:
        return self.draw.choice(self.memories)

    def store(self) -> None:
        more = {"memory_type": self.draw.choice(["decision", "insight"]), "namespace": self.draw.choice(["a", "b"])}
        self.memories.append(self.call("store_memory", content=self.text(), tags=[f"t{self.count % 3}"], **more)["id"])

    def update(self) -> None:
        self.call("update_memory", id=self.memory(), content=self.text(), importance=self.draw.random())

    def refine(self) -> None:
        self.memories.append(self.call("refine_memory", id=self.memory(), content=self.text())["new_id"])

    def delete(self) -> None:
        self.call("delete_memory", id=self.memory())

    def undo(self) -> None:
        undo(self.ctx)

    def import_(self) -> None:
        key = f"imported-{self.count}"
        item = {"id": key, "content": self.text(), "created_at": "2024-02-03T04:05:06Z", "namespace": "a"}
        self.call("import_memories", memories=[item])
        self.memories.append(key)

    def expire(self) -> None:
        soon, later = (utc_now() + timedelta(milliseconds=ahead) for ahead in (50, 3_600_000))
        expires = self.draw.choice([soon.isoformat(), soon.isoformat(), later.isoformat(), ""])
        self.call("update_memory", id=self.memory(), content=self.text(), expires_at=expires)
        while utc_now() <= soon:  # no time passes between what is said now and what is said of now
            pass

    def pin(self) -> None:
        self.call("update_memory", id=self.memory(), content=self.text(), pinned=self.draw.choice([True, False]))

    def date(self) -> None:
        when = utc_now() + timedelta(hours=self.draw.choice([-1, 1]))
        span = {self.draw.choice(["valid_from", "valid_to"]): when.isoformat()}
        self.memories.append(self.call("store_memory", content=self.text(), namespace="a", **span)["id"])

    def date_relation(self) -> None:
        when = utc_now() + timedelta(hours=self.draw.choice([-1, 1]))
        ends = {"source_id": self.memory(), "target_id": self.memory()}
        self.call("associate_memories", **ends, relationship="LEADS_TO", valid_to=when.isoformat())

    def relate(self) -> None:
        name = self.draw.choice(["LEADS_TO", "SUPERSEDES", "CONTRADICTS"])
        weight = self.draw.choice([0.5, 1.0, 2.0])
        ends = {"source_id": self.memory(), "target_id": self.memory()}
        self.call("associate_memories", **ends, relationship=name, weight=weight)

    def create(self) -> None:
        name = f"{self.draw.choice(OTHERS)} {self.count % 5}"
        self.call("create_entities", entities=[{"name": name, "entityType": "Thing", "observations": [self.text()]}])
        self.entities.append(name)

    def observe(self) -> None:
        given = [{"entityName": self.draw.choice(self.entities), "contents": [self.text()]}]
        self.call("add_observations", observations=given)

    def unobserve(self) -> None:
        name = self.draw.choice(self.entities)
        (known,) = self.call("open_nodes", names=[name])["entities"]
        self.call("delete_observations", deletions=[{"entityName": name, "observations": known["observations"][:1]}])

    def delete_entity(self) -> None:
        self.call("delete_entities", entityNames=[self.draw.choice(self.entities)])

    def link(self) -> None:
        ends = {"from": self.draw.choice(self.entities), "to": self.draw.choice(self.entities)}
        self.call("create_relations", relations=[{**ends, "relationType": "needs"}])

    def told(self, at: int | None) -> Told:
        """What the store says now, or said at a time."""
        asked = {} if at is None else {"as_of": precise(at)}
        starts = [*self.memories[:3], *self.memories[-3:]]
        return Told(
            micros(utc_now()) if at is None else at,
            [without_access(each) for each in exporting.export_all(self.ctx, at)],
            {start: self.answer("graph_traverse", start_id=start, max_depth=5, **asked) for start in starts},
            [self.answer("search_nodes", query=query, **asked) for query in ("", OTHERS[0], WORD.upper())],
            {(hit["id"], hit["content"]) for hit in self.answer("recall_memory", query=WORD, k=500, **asked)},
        )

    def answer(self, tool: str, **arguments: Any) -> Any:
        try:
            return self.call(tool, **arguments)
        except NotFound:
            return []


def precise(at: int) -> str:
    return time_text(at, fraction=True)


def without_access(exported: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in exported.items() if name not in ("access_count", "last_accessed_at")}


def assert_as_of(ctx: Context, seed: int, steps: int) -> None:
    history = History(ctx, seed)
    said = []
    for _ in range(steps):
        history.step()
        next_millisecond()
        said.append((list(history.memories), history.told(None)))
        next_millisecond()
    for memories, told in said:
        history.memories = memories
        assert history.told(told.time) == told, json.dumps({"seed": seed, "time": told.time})


@pytest.mark.parametrize("seed", range(6))
def test_the_store_as_of_a_time_says_what_it_said_then(tmp_path: Path, seed: int):
    with opened(tmp_path / "data") as ctx:
        assert_as_of(ctx, seed, 14)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 300))
def test_the_store_as_of_a_time_says_what_it_said_then_in_200_histories(tmp_path: Path, seed: int):
    with opened(tmp_path / "data") as ctx:
        assert_as_of(ctx, seed, 25)


# --- Its borders ---


@pytest.mark.sqlite("a file that an earlier version left")
def test_a_time_before_the_history_of_an_older_store_is_refused_and_says_when_it_begins(tmp_path: Path):
    data = released.Released(11).make(tmp_path / "data")
    with opened(data) as ctx:
        with ctx.store.read() as tx:
            begins = versions.begins(tx)
        with pytest.raises(InvalidInput, match=f"which begins at {time_text(begins)}"):
            call(ctx, "recall_memory", query="backups", as_of="2026-11-22T00:00:00Z")
        assert [each["id"] for each in exporting.export_all(ctx, begins)]
        call(ctx, "store_memory", content="Backups are written to tape from now on")
        found = call(ctx, "recall_memory", query="backups", as_of=precise(begins))
        assert found
        assert "tape" not in str(found)


def test_a_new_store_knows_its_history_from_its_beginning(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        call(ctx, "store_memory", content="The first memory")
        assert call(ctx, "recall_memory", query="memory", as_of="2020-01-01T00:00:00Z") == []
        assert list(exporting.export_all(ctx, 0)) == []
        assert call(ctx, "search_nodes", query="", as_of="2020-01-01") == {"entities": [], "relations": []}


@pytest.mark.parametrize(
    ("given", "said"), [("yesterday", "must be an ISO 8601 time"), ("2999-01-01", "is ahead"), ("", "at least 1")]
)
def test_what_is_no_time_that_has_passed_is_refused(tmp_path: Path, given: str, said: str):
    with opened(tmp_path / "data") as ctx:
        key = call(ctx, "store_memory", content="The first memory")["id"]
        for tool, asked in (
            ("recall_memory", {"query": "memory"}),
            ("search_nodes", {"query": "memory"}),
            ("graph_traverse", {"start_id": key}),
        ):
            with pytest.raises(InvalidInput, match=said):
                call(ctx, tool, **asked, as_of=given)


def test_the_id_of_a_deleted_memory_names_it_then(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        one = call(ctx, "store_memory", content="Pin the base image")["id"]
        other = call(ctx, "store_memory", content="The image is rebuilt weekly", links=[one])["id"]
        then = precise(moment_between())
        call(ctx, "delete_memory", id=one)
        (hit,) = call(ctx, "recall_memory", query=one, as_of=then)
        assert hit["content"] == "Pin the base image"
        walked = call(ctx, "graph_traverse", start_id=one, as_of=then)
        assert [node["id"] for node in walked] == [one, other]
        with pytest.raises(NotFound, match="nothing had that id then"):
            call(ctx, "graph_traverse", start_id=one, as_of=precise(micros(utc_now())))


def test_what_a_decay_leaves_of_importance_is_no_version(tmp_path: Path):
    clock = Clock()
    with opened(tmp_path / "data", clock) as ctx:
        call(ctx, "store_memory", content="Nobody reads this", importance=0.9)
        clock.now += timedelta(days=100)
        assert call(ctx, "consolidate_decay")["affected"] == 1
        with ctx.store.read() as tx:
            assert list(versions.every(tx)) == []


# --- What goes for good ---


@pytest.mark.process
def test_a_purge_erases_the_history_of_what_it_erases_and_of_nothing_else(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        kept = call(ctx, "store_memory", content="Kept as it was")["id"]
        purged = call(ctx, "store_memory", content="The launch code is horse battery", links=[kept])["id"]
        call(ctx, "update_memory", id=purged, content="The launch code is staple correct")
        call(ctx, "update_memory", id=kept, content="Kept as it is")
        then = moment_between()
        call(ctx, "delete_memory", id=purged)
    done("purge", purged, "--yes", data=data)
    with opened(data) as ctx:
        with ctx.store.read() as tx:
            assert [(state.key, state.text) for state in versions.every(tx)] == [(kept, "Kept as it was")]
        assert [each["content"] for each in exporting.export_all(ctx, then)] == ["Kept as it is"]
    assert b"launch code" not in store_file.kept(data)


def test_an_export_of_a_time_has_the_relations_of_what_other_projects_do_not_see(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        shop = ctx.at(Location("/projects/shop", None, here=False))
        own = call(shop, "matrix_store", problem="The queue hangs", solution="Drain it", scope="repo")["id"]
        kept = call(shop, "store_memory", content="The queue is drained at night")["id"]
        call(shop, "associate_memories", source_id=own, target_id=kept, relationship="EXPLAINS")
        exported = [without_access(each) for each in exporting.export_all(ctx)]
        assert [[edge["target"] for edge in each["edges"]] for each in exported] == [[kept], []]
        assert [without_access(each) for each in exporting.export_all(ctx, moment_between())] == exported


@pytest.mark.process
def test_a_deleted_memory_whose_undo_has_ended_can_still_be_purged(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        key = call(ctx, "store_memory", content="The launch code is horse battery")["id"]
        call(ctx, "delete_memory", id=key)
        ctx.store.write(lambda tx: trash.trim(tx, 1 << 62))
    done("purge", key, "--yes", data=data)
    assert b"launch code" not in store_file.kept(data)


# --- Who sees what ---


def test_a_caller_of_some_namespaces_sees_what_these_had(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        own = call(ctx, "store_memory", content="Our queue is in Redis", namespace="a")["id"]
        other = call(ctx, "store_memory", content="Their queue is in Kafka", namespace="b", links=[own])["id"]
        then = precise(moment_between())
        for key in (own, other):
            call(ctx, "delete_memory", id=key)
        limited = ctx.granted(Grant("tok", "admin", frozenset({"a"})))
        assert [hit["id"] for hit in call(limited, "recall_memory", query="queue", as_of=then)] == [own]
        assert [node["id"] for node in call(limited, "graph_traverse", start_id=own, as_of=then)] == [own]
        with pytest.raises(NotFound):
            call(limited, "graph_traverse", start_id=other, as_of=then)
