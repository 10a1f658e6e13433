"""Three machines that change what they share at random, and meet now and then, become one in the end.

Some meetings end in the middle, by what stands for the end of a process.
"""

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from indelible.admin import doctor, purge
from indelible.core.records import undo
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.toolsets.context.documents import documents
from synced import Machine

WORDS = "redis postgres queue cache deploy retry timeout index cursor token branch merge".split()


def _store(one: Machine, draw: random.Random) -> None:
    one.call(
        "store_memory", content=_text(draw, 4), tags=draw.sample(WORDS, 2), namespace=draw.choice(["shop", "blog"])
    )


def _text(draw: random.Random, count: int) -> str:
    return " ".join(draw.choices(WORDS, k=count))


def _update(one: Machine, draw: random.Random) -> None:
    if found := one.ids("memory"):
        one.call("update_memory", id=draw.choice(found), content=_text(draw, 5), importance=draw.random())


def _delete(one: Machine, draw: random.Random) -> None:
    if found := one.ids("memory"):
        one.call("delete_memory", id=draw.choice(found))


def _refine(one: Machine, draw: random.Random) -> None:
    if found := one.ids("memory"):
        one.call("refine_memory", id=draw.choice(found), content=_text(draw, 6))


def _relate(one: Machine, draw: random.Random) -> None:
    if len(found := one.ids("memory")) > 1:
        source, target = draw.sample(found, 2)
        kind = draw.choice(["RELATES_TO", "SUPERSEDES", "DEPENDS_ON"])
        one.call("associate_memories", source_id=source, target_id=target, relationship=kind, weight=draw.random())


def _entity(one: Machine, draw: random.Random) -> None:
    made = {"name": draw.choice(WORDS), "entityType": "thing", "observations": [_text(draw, 3)]}
    one.call("create_entities", entities=[made])


def _observe(one: Machine, draw: random.Random) -> None:
    if found := one.ids("entity"):
        added = {"entityName": draw.choice(found), "contents": [_text(draw, 3)]}
        one.call("add_observations", observations=[added])


def _forget_entity(one: Machine, draw: random.Random) -> None:
    if found := one.ids("entity"):
        one.call("delete_entities", entityNames=[draw.choice(found)])


def _link(one: Machine, draw: random.Random) -> None:
    if len(found := one.ids("entity")) > 1:
        source, target = draw.sample(found, 2)
        one.call("create_relations", relations=[{"from": source, "to": target, "relationType": draw.choice(WORDS)}])


def _solution(one: Machine, draw: random.Random) -> None:
    one.call(
        "matrix_store",
        problem=_text(draw, 4),
        solution=_text(draw, 6),
        reward=draw.random(),
        tags=draw.sample(WORDS, 1),
    )


def _failure(one: Machine, draw: random.Random) -> None:
    one.call("matrix_failure", errorType="runtime", errorMessage=_text(draw, 1), rootCause=_text(draw, 4))


def _document(one: Machine, draw: random.Random) -> None:
    text = "\n\n".join(_text(draw, 40) for _ in "ab")
    ctx = one.memory.context
    documents.store(ctx, documents.NewDocument(f"{draw.choice(WORDS[:4])}.md", text))


def _todo(one: Machine, draw: random.Random) -> None:
    one.call("add_todo", title=_text(draw, 3), description=_text(draw, 5))


def _message(one: Machine, draw: random.Random) -> None:
    one.call("log_chat", content=_text(draw, 5), conversation_id=draw.choice(WORDS), role="user")


def _undo(one: Machine, draw: random.Random) -> None:
    undo.undo(one.memory.context)


def _purge(one: Machine, draw: random.Random) -> None:
    if found := one.ids("memory"):
        ctx = one.memory.context
        purge.run(ctx, purge.of_records(ctx, [draw.choice(found)]), lambda _: None)


CRASHES = 0.1  # of the meetings end in the middle

Step = Callable[[Machine, random.Random], None]
STEPS: dict[Step, int] = {
    _store: 10,
    _update: 8,
    _delete: 4,
    _refine: 4,
    _relate: 6,
    _entity: 6,
    _observe: 6,
    _forget_entity: 2,
    _link: 4,
    _solution: 2,
    _failure: 3,
    _document: 1,
    _todo: 2,
    _message: 3,
    _undo: 5,
    _purge: 1,
}


class Carrier:
    """What brings bundles again, later: copies of a directory as it was."""

    def __init__(self, path: Path, directory: Path, draw: random.Random) -> None:
        self.path, self.directory, self.draw = path, directory, draw
        self.copies: list[Path] = []

    def move(self, at: int) -> None:
        if self.draw.random() < 0.05:
            self.copies.append(self.path / f"copy {at}")
            shutil.copytree(self.directory, self.copies[-1])
        if self.copies and self.draw.random() < 0.05:
            again = self.copies.pop(self.draw.randrange(len(self.copies)))
            shutil.copytree(again, self.directory, dirs_exist_ok=True)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, 30), *(pytest.param(seed, 500, marks=[pytest.mark.full, pytest.mark.timeout(900)]) for seed in (2, 3))],
)
def test_machines_become_one(tmp_path: Path, seed: int, steps: int) -> None:
    become_one(tmp_path, seed, steps, STEPS)


@pytest.mark.parametrize("seed", [8, pytest.param(9, marks=pytest.mark.full)])
def test_documents_whose_names_are_taken_and_undone_become_one(tmp_path: Path, seed: int) -> None:
    become_one(tmp_path, seed, 15, {_document: 5, _undo: 4}, meeting=0.3)


@pytest.mark.process
@pytest.mark.sqlite("stores in files beside those in PostgreSQL")
@pytest.mark.parametrize(
    ("seed", "steps"), [(4, 5), pytest.param(5, 150, marks=[pytest.mark.full, pytest.mark.timeout(900)])]
)
def test_machines_become_one_whatever_their_databases(tmp_path: Path, seed: int, steps: int, database: str) -> None:
    become_one(tmp_path, seed, steps, STEPS, 0.3 if steps < 10 else 0.1, ("", database, database))


def become_one(
    tmp_path: Path,
    seed: int,
    steps: int,
    kinds: dict[Step, int],
    meeting: float = 0.1,
    databases: tuple[str, str, str] = ("", "", ""),
) -> None:
    """Let three machines take steps at random, with a chance to meet after each, and meet until all know all."""
    draw = random.Random(seed)
    starts = [datetime(year, 3, 1, tzinfo=UTC) for year in (2026, 2036, 2016)]
    machines = [
        Machine(tmp_path, name, start, database=database)
        for name, start, database in zip("abc", starts, databases, strict=True)
    ]
    places = [tmp_path / name for name in ("between a and b", "between all")]
    for place in places:
        place.mkdir()
    carrier = Carrier(tmp_path, places[1], draw)
    for at in range(steps):
        for one in machines:
            with suppress(Conflict, NotFound, InvalidInput):  # nothing to undo, a text that is known
                draw.choices(list(kinds), weights=list(kinds.values()))[0](one, draw)
            if draw.random() < meeting:
                place = draw.choice(places[one.name == "c" :])
                one.crash_in_a_meeting(place, draw.randrange(12)) if draw.random() < CRASHES else one.meet(place)
        carrier.move(at)
    for _ in range(4):
        for one in machines:
            one.meet(places[1])
    first, *others = [one.contents() for one in machines]
    assert first
    for other in others:
        assert other == first
    done = [one.meet(places[1]) for one in machines]
    assert [(each.noted, each.written, each.taken.waiting, each.problems) for each in done] == [(0, 0, [], [])] * 3
    for one in machines:
        one.memory.close()
        report = doctor.examine(one.settings)
        assert report.sound, report.lines
