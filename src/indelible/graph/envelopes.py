"""Observations as text: plain, any JSON object, or an envelope of the taxonomy."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, NoReturn

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.graph.taxonomy import OBSERVATION_TYPES, Field, FieldForm

LONGEST_HEAD = 8 * 1024  # bytes of UTF-8 of stdoutHead and stderrHead, the mark of a cut included
HEADS = ("stdoutHead", "stderrHead")
WHOLE_STREAMS = ("stdout", "stderr")


@dataclass(frozen=True)
class Observation:
    """An observation as it was read.

    `envelope` is its type if it is an envelope, else None. `whole` is the JSON object that the text holds, None if it
    holds none. `broken` says that the text begins like an envelope and is not JSON.
    """

    text: str
    envelope: str | None = None
    whole: Mapping[str, Any] | None = None
    broken: bool = False
    fields: Mapping[str, Any] = field(default_factory=dict)


def parse_observation(text: str) -> Observation:
    """Read an observation; nothing is refused here, and text that is not a JSON object is plain text.

    An envelope is a JSON object whose `type` is one of the seven. Its fields stand beside `type` or, where `data` is an
    object, in there: `data` goes before what stands beside, where `mode` and the like are the caller's own.
    """
    if not text.lstrip(_JSON_SPACE).startswith("{"):
        return Observation(text)
    try:
        whole = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError):  # no JSON, NaN, infinity, an integer of too many digits, nested too deep
        return Observation(text, broken=_names_an_envelope(text))
    kind = whole.get("type")
    if not isinstance(kind, str) or kind not in OBSERVATION_TYPES:
        return Observation(text, whole=whole)
    data = whole.get("data")
    return Observation(text, kind, whole, fields={**whole, **(data if isinstance(data, dict) else {})})


_JSON_SPACE = " \t\r\n"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is not a finite number")
    return number


def _names_an_envelope(text: str) -> bool:
    return '"type"' in text and any(f'"{name}"' in text for name in OBSERVATION_TYPES)


def observation_text(observation: str | Mapping[str, Any]) -> str:
    """Return the text that is stored: as given, or of an object its JSON, compact, keys in the given order.

    InvalidInput for an object that is not JSON.
    """
    return observation if isinstance(observation, str) else _json(observation)


def _json(value: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"observations: an object must be JSON without NaN and infinity: {error}") from None
    if _HALF_PAIR.search(text):  # it came as an escape and stays one: raw it cannot be stored
        return json.dumps(value, separators=(",", ":"))
    return text


_HALF_PAIR = re.compile("[\ud800-\udfff]")


# --- Fields ---


def check_fields(observation: Observation, argument: str) -> None:
    """Raise InvalidInput where an envelope lacks a required field or a field holds what its type does not allow.

    An optional field may be null. No envelope: nothing is checked.
    """
    if observation.envelope is None:
        return
    known = OBSERVATION_TYPES[observation.envelope].fields
    given = observation.fields
    missing = [each.name for each in known if each.required and given.get(each.name) is None]
    if missing:
        required = ", ".join(each.name for each in known if each.required)
        raise InvalidInput(
            f"{argument}: {observation.envelope} lacks {', '.join(missing)};"
            f" it needs {required}, beside `type` or under `data`"
        )
    for each in known:
        if given.get(each.name) is not None:
            _check_field(each, given[each.name], f"{argument}: {each.name} of {observation.envelope}")


def _check_field(expected: Field, value: Any, where: str) -> None:
    if not _fits(expected.form, value):
        raise InvalidInput(f"{where} must be {expected.form}, got {_shown(value)}")
    if expected.allowed and value not in expected.allowed:
        raise InvalidInput(f"{where} must be one of {', '.join(expected.allowed)}, got {_shown(value)}")


def _fits(form: FieldForm, value: Any) -> bool:
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    is_number = (is_integer or isinstance(value, float)) and value >= 0
    is_filled = isinstance(value, str) and bool(value.strip())
    fitting = {
        FieldForm.TEXT: is_filled,
        FieldForm.TEXT_OR_EMPTY: isinstance(value, str),
        FieldForm.INTEGER: is_integer,
        FieldForm.NUMBER: is_number,
        FieldForm.DURATION: is_number or is_filled,
        FieldForm.LIST: isinstance(value, list) and bool(value),
        FieldForm.ANYTHING: True,
    }
    return fitting[form]


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else f"a list of {len(value)}"
    return f"{json.dumps(value, ensure_ascii=False):.80}"


# --- Output of commands ---


def check_streams(observation: Observation, argument: str) -> None:
    """Raise InvalidInput where an envelope carries a whole `stdout` or `stderr`, also in `data` or `context`."""
    if observation.envelope is None or observation.whole is None:
        return
    for place in _places(observation.whole):
        for stream in WHOLE_STREAMS:
            if place.get(stream) is not None:
                raise InvalidInput(
                    f"{argument}: {observation.envelope} carries a whole `{stream}`;"
                    f" give its beginning as {stream}Head, at most {LONGEST_HEAD // 1024} KiB"
                )


def cut_heads(observation: Observation) -> str:
    """Return the text of an envelope with each stdoutHead and stderrHead over 8 KiB cut, and a mark at the cut.

    The cut text and its mark have at most 8 KiB of UTF-8, so that cutting again changes nothing; characters stay whole.
    Where nothing is too long the text is returned as it was given.
    """
    if observation.envelope is None or observation.whole is None:
        return observation.text
    cut = _with_cut_heads(observation.whole)
    return observation.text if cut == observation.whole else _json(cut)


_INNER = ("data", "context")  # where output may stand beside the whole: `data`, and the `context` of either


def _places(place: Mapping[str, Any], inner: tuple[str, ...] = _INNER) -> Iterator[Mapping[str, Any]]:
    yield place
    for position, name in enumerate(inner):
        if isinstance(place.get(name), dict):
            yield from _places(place[name], inner[position + 1 :])


def _with_cut_heads(place: Mapping[str, Any], inner: tuple[str, ...] = _INNER) -> dict[str, Any]:
    made = {name: _cut(value) if name in HEADS and isinstance(value, str) else value for name, value in place.items()}
    for position, name in enumerate(inner):
        beneath = made.get(name)
        if isinstance(beneath, dict):
            made[name] = _with_cut_heads(beneath, inner[position + 1 :])
    return made


def _cut(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= LONGEST_HEAD:
        return text
    mark = f"… [cut: {len(raw):,} bytes in all]"
    end = LONGEST_HEAD - len(mark.encode())
    while raw[end] & 0xC0 == 0x80:  # inside a character
        end -= 1
    return raw[:end].decode("utf-8", "surrogatepass") + mark
