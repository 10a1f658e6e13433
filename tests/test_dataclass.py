"""Classes of `indelible.dataclass` do what those of the standard library do: each case is asked of both."""

import copy
import dataclasses
import pickle
import sys
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, Generic, TypeVar

import pytest

from indelible.dataclass import dataclass

N = TypeVar("N")
MADE_BY = pytest.mark.parametrize("decorator", [dataclass, dataclasses.dataclass], ids=["ours", "standard"])
WAYS = [
    {},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"slots": True, "unsafe_hash": True},
    {"frozen": True, "slots": True, "eq": False},
    {"slots": True, "kw_only": True},
]
EACH_WAY = pytest.mark.parametrize("ways", WAYS, ids=lambda ways: ",".join(ways) or "plain")


def rectangle(decorator: Any, ways: dict[str, bool]) -> Any:
    class Rectangle:
        """Has fields of every kind."""

        width: int
        height: int
        name: str = "r"
        corners: list[int] = field(default_factory=list)
        secret: str = field(default="s", repr=False)
        place: int = field(default=0, compare=False)
        area: int = field(init=False)
        sides: int = field(init=False, default=4)
        uses: list[int] = field(init=False, default_factory=list)

        def __post_init__(self) -> None:
            object.__setattr__(self, "area", self.width * self.height)

    return decorator(**ways)(Rectangle)


def answers(decorator: Any, ways: dict[str, bool]) -> list[object]:
    """What a class says of itself, by one sentence or value for each question."""
    cls = rectangle(decorator, ways)
    one, same = cls(width=2, height=3), cls(width=2, height=3, place=7)
    other = dataclasses.replace(one, height=4)
    return [
        repr(one).rpartition(".")[2],
        one == same,
        one == other,
        one == (2, 3),
        dataclasses.asdict(other),
        [(each.name, each.init, each.repr, each.kw_only) for each in dataclasses.fields(cls)],
        cls.__match_args__,
        cls.__doc__,
        dataclasses.is_dataclass(cls),
        hasattr(one, "__dict__"),
        one.corners is same.corners,
        repr(copy.deepcopy(other)) == repr(other),
        copy.copy(other) == other,
        outcome(lambda: hash(one) == hash(same)),
        outcome(lambda: cls(2, 3, "n", [1], "t", 5)),
        outcome(lambda: cls(2)),
        outcome(lambda: cls(width=2)),
        outcome(lambda: cls(width=1, height=2, depth=3)),
        outcome(lambda: cls(width=1, height=2, area=3)),
        outcome(lambda: setattr(one, "width", 9)),
        outcome(lambda: delattr(one, "name")),
        outcome(lambda: one.name),
    ]


def outcome(ask: Callable[[], object]) -> str:
    try:
        return repr(ask()).rpartition(".")[2]
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


@EACH_WAY
def test_a_class_answers_as_one_of_the_standard_library(ways: dict[str, bool]) -> None:
    assert answers(dataclass, ways) == answers(dataclasses.dataclass, ways)


@MADE_BY
def test_methods_of_a_class_are_kept(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Word:
        text: str

        def __repr__(self) -> str:
            return f"<{self.text}>"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word) and self.text.lower() == other.text.lower()

        def __hash__(self) -> int:
            return hash(self.text.lower())

    assert repr(Word("A")) == "<A>"
    assert len({Word("A"), Word("a")}) == 1


@MADE_BY
def test_a_class_that_has_its_own_comparison_and_changes_has_no_hash(decorator: Any) -> None:
    @decorator(slots=True)
    class Word:  # noqa: PLW1641 - which is asked
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word)

    assert Word("a") == Word("b")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Word("a"))


@MADE_BY
def test_a_class_inherits_fields_and_their_order(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Base:
        a: int
        b: str = "b"

    @decorator(frozen=True, slots=True, kw_only=True)
    class Derived(Base):
        c: int

    assert Base(1) != Derived(1, c=2)
    assert [each.name for each in dataclasses.fields(Derived)] == ["a", "b", "c"]
    assert Derived(1, "x", c=2) == Derived(a=1, b="x", c=2)
    with pytest.raises(FrozenInstanceError, match="a"):
        Derived(1, c=2).a = 3  # type: ignore[misc]


@MADE_BY
def test_a_plain_child_calls_the_init_of_its_parent(decorator: Any) -> None:
    @decorator
    class Base:
        a: int

    class Child(Base):
        def __init__(self, a: int, more: int) -> None:
            super().__init__(a)
            self.more = more

    assert (Child(1, 2).a, Child(3, 4).a, Base(5).a) == (1, 3, 5)


@MADE_BY
def test_an_init_that_is_wrapped_before_the_first_instance_stays_wrapped(decorator: Any) -> None:
    @decorator(frozen=True)
    class Base:
        a: int

    plain, seen = Base.__init__, []

    def wrapped(self: Any, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        seen.append(self.a)

    Base.__init__ = wrapped  # type: ignore[method-assign]
    assert (Base(1).a, Base(a=2).a) == (1, 2)
    assert seen == [1, 2]


@MADE_BY
def test_generic_classes_and_classes_without_fields(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Pair(Generic[N]):
        left: N
        right: N

    @decorator(frozen=True, slots=True)
    class Nothing:
        pass

    assert Pair(1, 2) == Pair(1, 2) != Pair(2, 1)
    assert {Nothing(), Nothing()} == {Nothing()}
    assert repr(Nothing()).endswith("Nothing()")


@MADE_BY
def test_a_value_that_holds_itself_can_be_shown(decorator: Any) -> None:
    @decorator
    class Chain:
        parts: list[Any]

    chain = Chain([])
    chain.parts.append(chain)
    assert "..." in repr(chain)


@dataclass(frozen=True, slots=True)
class Sent:
    text: str
    sizes: tuple[int, ...] = ()


def test_a_value_passes_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(Sent("a", (1, 2)))) == Sent("a", (1, 2))


def test_the_first_instances_may_be_made_by_many_threads_at_once() -> None:
    at_once = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(50):
            cls = rectangle(dataclass, {"frozen": True, "slots": True})
            start, made = threading.Barrier(4), []

            def make(cls: Any = cls, start: threading.Barrier = start, made: list[Any] = made) -> None:
                start.wait()
                made.append(cls(2, 3))

            threads = [threading.Thread(target=make) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert made == [cls(2, 3)] * 4
    finally:
        sys.setswitchinterval(at_once)
