"""Errors of a call's arguments in plain words: which argument, what was given, what is allowed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

SHOWN = 80  # characters of a wrong value that an error repeats

_KINDS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of at most 64 bits",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "dict_attributes_type": "an object",
    "model_attributes_type": "an object",
    "dataclass_type": "an object",
    "none_required": "null, or left out",
}
_BOUNDS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}
_SIZES = {
    "string_too_short": ("min_length", "at least", "character"),
    "string_too_long": ("max_length", "at most", "character"),
    "too_short": ("min_length", "at least", "item"),
    "too_long": ("max_length", "at most", "item"),
}


def explained(errors: Sequence[Any], schema: dict[str, Any]) -> Iterator[str]:
    """Yield one line for each mistake; for a union, the mistakes of all its alternatives are one line."""
    lines = set()
    for error in errors:
        place = _place_of(error, schema)
        forms = _at(schema, place[: _form(place, schema)]).get("anyOf")
        if forms is not None and len(errors) > 1:
            line = f"{_name(place[: _form(place, schema)])} must be {_one_of(forms)}; none of these is what was given"
        else:
            line = _explained(error, place, schema)
        if line not in lines:
            lines.add(line)
            yield line


def _explained(error: Any, place: tuple[str | int, ...], schema: dict[str, Any]) -> str:
    name, kind = _name(place), error["type"]
    if kind == "missing":
        return f"{name} is required"
    if kind == "extra_forbidden":
        return _unknown(place, schema)
    if kind in _SIZES:
        return _size(name, kind, error["ctx"], error["input"])
    return f"{name} must {_allowed(error, place, schema)}, got {_shown(error['input'])}"


def _allowed(error: Any, place: tuple[str | int, ...], schema: dict[str, Any]) -> str:
    kind, limits = error["type"], error.get("ctx", {})
    if kind in _KINDS:
        return f"be {_KINDS[kind]}"
    if kind == "literal_error":
        return f"be one of {limits['expected']}"
    if kind in _BOUNDS:
        return f"be {_range(kind, limits, _at(schema, place))}"
    if kind == "string_pattern_mismatch":
        return f"have the form {limits['pattern']}"
    _, should, allowed = str(error["msg"]).partition(" should ")  # what our own checks say: "text should have ..."
    return allowed if should else f"be otherwise: {error['msg'].removeprefix('Value error, ')}"


def _unknown(place: tuple[str | int, ...], schema: dict[str, Any]) -> str:
    """Return the message for an unknown argument or field, or for an alias given together with its argument."""
    allowed = _at(schema, place[:-1]).get("properties", {})
    other = next((known for known in allowed if known.lower().endswith(str(place[-1]).lower())), None)
    beside = f" (for {other!r}, give {other!r} alone)" if other is not None and len(place) > 1 else ""
    return f"unknown argument {_name(place)!r}{beside}; allowed are: {', '.join(allowed) or 'none'}"


def _range(kind: str, limits: dict[str, Any], number: dict[str, Any]) -> str:
    if {"minimum", "maximum"} <= number.keys():
        return f"between {_number(number['minimum'])} and {_number(number['maximum'])}"
    key, words = _BOUNDS[kind]
    return f"{words} {_number(limits[key])}"


def _number(given: float) -> str:
    """Return a bound as text: 0, not 0.0."""
    return str(int(given)) if isinstance(given, float) and given.is_integer() else str(given)


def _size(name: str, kind: str, limits: dict[str, Any], value: Any) -> str:
    key, words, unit = _SIZES[kind]
    most = limits[key]
    asked = f"{name} must have {words} {most:,} {unit}{'s' * (most != 1)}"
    is_long = kind in ("string_too_long", "too_long") and isinstance(value, (str, list, dict))
    return f"{asked}, got {len(value):,}" if is_long else f"{asked}, got {_shown(value)}"


def _shown(value: Any) -> str:
    given = repr(value)
    return given if len(given) <= SHOWN else given[: SHOWN - 1] + "…"


def _name(place: Iterable[str | int]) -> str:
    return ".".join(map(str, place)) or "the arguments"


# --- Places in the schema ---


def _place_of(error: Any, schema: dict[str, Any]) -> tuple[str | int, ...]:
    """Return the location of a mistake; the name of an unknown argument may be any text, also that of a type."""
    place = error["loc"]
    if error["type"] == "extra_forbidden":
        return (*_place(place[:-1], schema), place[-1])
    return tuple(_place(place, schema))


def _place(place: Iterable[Any], schema: dict[str, Any]) -> Iterator[str | int]:
    """Yield the steps of a location without those that pydantic adds for alternatives of a union and for validators."""
    node = schema
    for step in place:
        inner = _step(node, step)
        if inner is None:
            if node.get("properties") is None or not isinstance(step, str) or _is_form(step):
                continue
            inner = {}
        node = inner
        yield step


def _is_form(step: str) -> bool:
    """Return whether a step is the name of a type or validator: `list[float]`, `function-before[...]`, `str`."""
    return "[" in step or step in ("str", "int", "float", "bool", "list", "dict", "none")


def _step(node: dict[str, Any], step: str | int) -> dict[str, Any] | None:
    for form in (node, *node.get("anyOf", ())):
        inner = form.get("items") if isinstance(step, int) else form.get("properties", {}).get(step)
        if inner is None and isinstance(step, str) and isinstance(form.get("additionalProperties"), dict):
            inner = None if _is_form(step) else form["additionalProperties"]
        if inner is not None:
            return inner if isinstance(inner, dict) else {}
    return None


def _at(schema: dict[str, Any], place: Iterable[str | int]) -> dict[str, Any]:
    """Return the part of a schema for a location in the arguments (names of properties, indexes of items)."""
    for step in place:
        schema = _step(schema, step) or {}
    return schema


def _form(place: tuple[str | int, ...], schema: dict[str, Any]) -> int:
    """Return how many steps of a location lead to its first union; all of them if there is none."""
    node = schema
    for at, step in enumerate(place):
        if "anyOf" in node:
            return at
        node = _step(node, step) or {}
    return len(place)


def _one_of(forms: Sequence[dict[str, Any]]) -> str:
    names = {"string": "a text", "array": "a list", "object": "an object", "number": "a number", "null": "null"}
    names |= {"integer": "a whole number", "boolean": "true or false"}
    return " or ".join(dict.fromkeys(names.get(str(form.get("type")), "another value") for form in forms))
