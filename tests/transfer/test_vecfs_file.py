"""What is taken in of a file of VecFS, and how often."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import store_file
from existing_files import SEARCH, entry, many, served, told, write_lines
from indelible.core.context.call import Call as ContextCall
from indelible.core.context.call import Caller
from indelible.core.context.context import Context, open_context
from indelible.errors import Cancelled
from indelible.settings import Settings
from indelible.toolsets.vectors import vectors
from indelible.transfer.auto_import import take_in


@contextmanager
def beside(file: Path, store: str = "data") -> Iterator[Context]:
    """A context of a process beside a file of VecFS, whose store is in the same directory."""
    settings = Settings(data=file.parent / store, start=file.parent, home=file.parent)
    with closing(open_context(settings)) as ctx:
        yield ctx


def found(ctx: Context, file: Path, leaving: Callable[[], bool] = lambda: False) -> tuple[int, int, list[str]] | None:
    """What taking a file in came to: new, known, problems."""
    taken = take_in(ctx.for_call(ContextCall(caller=Caller(cancelled=leaving))), "VECFS_FILE", file)
    return None if taken is None else (taken.imported, taken.counts.skipped, taken.problems)


def test_an_import_that_was_broken_off_goes_on_with_the_next_start(tmp_path: Path):
    file = tmp_path / "vectors.jsonl"
    file.write_text(many(100))
    with beside(file) as ctx:
        looks = iter([False, False, True])
        with pytest.raises(Cancelled):
            found(ctx, file, lambda: next(looks))
    with beside(file) as ctx:
        assert found(ctx, file) == (36, 64, [])
        assert found(ctx, file) is None


def test_a_file_that_is_written_to_while_it_is_taken_in_is_looked_at_again(tmp_path: Path):
    file = tmp_path / "vectors.jsonl"
    file.write_text(many(40))
    later = iter([False, True])

    def written() -> bool:
        if next(later, False):
            file.write_text(many(40) + json.dumps(entry("later", {"1": 1})) + "\n")
        return False

    with beside(file) as ctx:
        first = found(ctx, file, written)
        assert first is not None
        again = found(ctx, file)
        assert again is not None
        assert first[0] + again[0] == 41
        assert found(ctx, file) is None


@pytest.mark.process
def test_an_empty_file_is_one_that_is_not_used_yet(tmp_path: Path):
    file = tmp_path / "vectors.jsonl"
    file.touch()
    _, errors = served({"VECFS_FILE": str(file)}, tmp_path)
    assert told(errors) == []
    write_lines(file)
    (matches,), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH)
    assert len(matches) == 3
    assert told(errors) == ["imported 3, skipped 0 that were known, 0 problems"]


def test_a_file_that_was_taken_in_is_not_looked_at_again_whatever_becomes_of_it(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    with beside(file) as ctx:
        assert found(ctx, file) == (3, 0, [])
        file.write_text(many(5))
        assert found(ctx, file) is None
        file.unlink()
        assert found(ctx, file) is None


@pytest.mark.sqlite("a store that moves with its directory")
def test_a_file_that_moves_with_the_store_beside_it_stays_known(tmp_path: Path):
    (tmp_path / "here").mkdir()
    file = write_lines(tmp_path / "here" / "vectors.jsonl")
    with beside(file) as ctx:
        assert found(ctx, file) == (3, 0, [])
    (tmp_path / "there").mkdir()
    store_file.copy(tmp_path / "here" / "data", tmp_path / "there" / "data")
    file = file.rename(tmp_path / "there" / "vectors.jsonl")
    shutil.rmtree(tmp_path / "here")
    with beside(file) as ctx:
        assert found(ctx, file) is None


LONG = "x" * 2001
ODD_LINES = {
    "a score that is null": (entry("x", [1], score=None), ("x", 0.0), []),
    "no score": ({"id": "x", "vector": [1]}, ("x", 0.0), []),
    "a whole number as score": (entry("x", [1], score=2), ("x", 2.0), []),
    "a score that is too large": (entry("x", [1], score=10**400), None, ["line 1: score must be a finite number"]),
    "a text as score": (entry("x", [1], score="1"), None, ['line 1: score must be a finite number, got "1"']),
    "a time of another world": (entry("x", [1], timestamp=10**400), ("x", 0.0), []),
    "a text as time": (entry("x", [1], timestamp="today"), ("x", 0.0), []),
    "no metadata": (entry("x", [1], metadata=None), ("x", 0.0), []),
    "a list as metadata": (entry("x", [1], metadata=[]), None, ["line 1: metadata must be an object"]),
    "no vector": ({"id": "x"}, None, ["line 1: vector must be an object"]),
    "null as weight": (entry("x", {"3": None}), None, ["line 1: vector has None at index 3"]),
    "an empty vector": (entry("x", {}), ("x", 0.0), []),
    "an id that is too long": (entry(LONG, [1]), None, ["line 1: id must have at most 2,000 bytes, got 2,001"]),
    "half a surrogate pair": (entry("\ud800", [1]), None, ["line 1: memories contains half of a surrogate pair"]),
}


@pytest.mark.parametrize(("line", "kept", "problems"), ODD_LINES.values(), ids=ODD_LINES)
def test_what_can_be_meant_is_taken_and_what_cannot_is_named(
    tmp_path: Path, line: dict[str, Any], kept: tuple[str, float] | None, problems: list[str]
):
    file = tmp_path / "vectors.jsonl"
    file.write_text(json.dumps(line) + "\n" + json.dumps(entry("good", [1])) + "\n")
    with beside(file) as ctx:
        taken = found(ctx, file)
        assert taken is not None
        assert len(taken[2]) == len(problems)
        assert all(said.startswith(words) for said, words in zip(taken[2], problems, strict=True)), taken[2]
        matches = {match["id"]: match["score"] for match in vectors.search(ctx, {0: 1.0}, 9)}
        assert matches == {"good": 0.0, **dict([kept] if kept else [])}


def test_of_several_lines_of_one_id_the_newest_counts(tmp_path: Path):
    """As servers of VecFS leave them that wrote to one file at once."""
    file = tmp_path / "vectors.jsonl"
    lines = [
        entry("a", [1], "second", timestamp=1771038002000),
        entry("b", [1], "only"),
        entry("a", [1], "first", timestamp=1771038001000),
        entry("c", [1], "of one time, before"),
        entry("c", [1], "of one time, behind"),
        entry("a", {"bad": 1}, "third", timestamp=1771038003000),
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with beside(file) as ctx:
        assert found(ctx, file) == (
            3,
            0,
            [
                "line 3: line 1 is newer and has the same id",
                "line 4: line 5 is newer and has the same id",
                "line 6: vector has the index 'bad'; an index is a whole number from 0 on, in digits without leading "
                'zeros: {"3": 0.42}',
            ],
        )
        texts = {match["id"]: match["metadata"]["text"] for match in vectors.search(ctx, {0: 1.0}, 9)}
        assert texts == {"a": "second", "b": "only", "c": "of one time, behind"}
