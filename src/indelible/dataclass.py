"""`dataclass` of the standard library, made in an eighth of the time: for a type checker it is that one.

The standard decorator compiles up to seven functions for each class, and the command line makes ninety classes before
it answers. Here comparison, hash, text and refusals to change are shared or closures, and `__init__` is compiled when a
class makes its first instance. The standard library makes the class and its fields, so `field`, `fields`, `replace`,
`asdict`, `is_dataclass`, `match` and `__post_init__` hold.
"""

import dataclasses
from collections.abc import Callable
from functools import cache, partial
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_MISSING = dataclasses.MISSING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, unsafe_hash=False, kw_only=False):
        """Return a class as a dataclass, as `dataclasses.dataclass` does; without `order`, `InitVar` and `KW_ONLY`.

        A default that stands before a field without one is told (SyntaxError) by the first instance: type checkers
        tell it first.
        """

        def made(given):
            named = frozenset(vars(given))
            built = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(given)
            methods = {"__init__": _first_init(built, frozen), "__repr__": _repr}
            if eq:
                methods["__eq__"] = _equality(built)
            if frozen:
                methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
            if frozen and slots:
                methods |= {"__getstate__": _state, "__setstate__": _restore}
            for name, method in methods.items():
                if name not in named:
                    setattr(built, name, method)
            if vars(given).get("__hash__") is None:
                if unsafe_hash or (eq and frozen):
                    built.__hash__ = _hash(built)
                elif eq:
                    built.__hash__ = None
            return built

        return made if cls is None else made(cls)


def _first_init(cls: type, frozen: bool) -> Callable[..., None]:
    """Return an `__init__` that compiles that of the class with its first call, and then gives way to it.

    It stays where it is no longer the class's own: who has wrapped it calls it each time.
    """
    making = cache(partial(_compiled_init, cls, frozen))

    def __init__(self: Any, /, *args: Any, **kwargs: Any) -> None:
        init = making()
        if cls.__init__ is __init__:  # type: ignore[misc]
            cls.__init__ = init  # type: ignore[misc]
        init(self, *args, **kwargs)

    return __init__


def _compiled_init(cls: type, frozen: bool) -> Callable[..., None]:
    fields = dataclasses.fields(cls)
    scope: dict[str, Any] = {"_MISSING": _MISSING, "_set": object.__setattr__}
    plain: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for field in fields:
        name, value = field.name, field.name
        parameter = name
        if field.default_factory is not _MISSING:
            scope[f"_make_{name}"] = field.default_factory
            parameter = f"{name}=_MISSING"
            value = f"_make_{name}() if {name} is _MISSING else {name}" if field.init else f"_make_{name}()"
        elif field.default is not _MISSING:
            scope[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
            value = name if field.init else f"_default_{name}"
        elif not field.init:
            continue  # which `__post_init__` sets
        if field.init:
            (by_name if field.kw_only else plain).append(parameter)
        if not frozen:
            body.append(f"self.{name} = {value}")
        elif isinstance(slot := getattr(cls, name, None), MemberDescriptorType):
            scope[f"_set_{name}"] = slot.__set__  # which takes half of the time of `object.__setattr__`
            body.append(f"_set_{name}(self, {value})")
        else:
            body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *plain, *(["*", *by_name] if by_name else [])])
    text = f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"])
    exec(text, scope)  # as the standard library does
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda value: ()


def _equality(cls: type) -> Callable[[Any, object], bool]:
    values = _values_of([field.name for field in dataclasses.fields(cls) if field.compare])

    def __eq__(self: Any, other: object) -> bool:
        return bool(values(self) == values(other)) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(cls: type) -> Callable[[Any], int]:
    counted = [field for field in dataclasses.fields(cls) if (field.compare if field.hash is None else field.hash)]
    values = _values_of([field.name for field in counted])

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
