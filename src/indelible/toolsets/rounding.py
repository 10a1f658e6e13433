"""Rounding of computed numbers in answers: 0.72, not 0.7200000000000001; numbers given by callers stay exact."""

import math
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NotRequired

DIGITS = 6  # that count; those before the point are always whole

_EXACT = "exact"  # a mark in the type of an answer's field

# A number that the caller gave, in an answer, or that is rounded already.
Exact = Annotated[float, _EXACT]


def rounded(number: float) -> float:
    """A computed number with the digits that count."""
    if -1 < number < 1:
        return float(f"{number:.{DIGITS}g}")  # the same in a third of the time, and most computed numbers are fractions
    if not math.isfinite(number):
        return number
    return round(number, max(0, DIGITS - 1 - math.floor(math.log10(abs(number)))))


def rounding(type_: Any) -> Callable[[Any], Any] | None:
    """Return a function that rounds the numbers in a value of a type, None if the type has no numbers.

    Fields of type Any (metadata) and those marked `Exact` are not rounded: they hold values from callers.
    """
    origin, inner = typing.get_origin(type_), typing.get_args(type_)
    if type_ is float:
        return _number
    if hasattr(type_, "__required_keys__"):  # a TypedDict, of typing or of typing_extensions
        return _fields(typing.get_type_hints(type_, include_extras=True))
    if origin in _MADE_OF and _EXACT not in inner:
        options = [found for found in map(rounding, inner) if found is not None]
        return _MADE_OF[origin](options) if options else None
    return None


def _number(value: Any) -> Any:
    return rounded(value) if isinstance(value, float) else value


def _each_of(options: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        for option in options:  # what is not of its type an option leaves as it is
            value = option(value)
        return value

    return run


def _list(items: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    each = _each_of(items)
    return lambda value: [each(item) for item in value] if isinstance(value, list) else value


def _dict(values: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    each = _each_of(values)
    return lambda value: {key: each(item) for key, item in value.items()} if isinstance(value, dict) else value


def _fields(hints: Mapping[str, Any]) -> Callable[[Any], Any] | None:
    fields = {name: found for name, hint in hints.items() if (found := rounding(hint)) is not None}
    if not fields:
        return None

    def run(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {**value, **{name: each(value[name]) for name, each in fields.items() if name in value}}

    return run


# What a type that is made of others makes of their roundings. Keys of a dict, notes of Annotated have none.
_MADE_OF: dict[Any, Callable[[list[Callable[[Any], Any]]], Callable[[Any], Any]]] = {
    Annotated: _each_of,
    NotRequired: _each_of,
    typing.Union: _each_of,
    types.UnionType: _each_of,
    list: _list,
    dict: _dict,
}
