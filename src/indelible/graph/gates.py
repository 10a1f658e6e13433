"""The gates of the graph: keys, types, envelopes and relations checked against the taxonomy.

Modes (`graph_validation`):

- ``auto``: what is canonical must keep the taxonomy, all else is free. An entity is canonical whose name has a key
  prefix, or that carries an envelope.
- ``strict``: what is not canonical is refused too.
- ``off``: nothing is checked and nothing is cut.

Decisions where the taxonomy leaves room: an envelope belongs under a key, so a name without a prefix may carry none.
Types are compared with their case, relations without. Plain text is an observation of every entity that is let in, in
``strict`` too. A JSON object with another `type` than the seven, or text that begins like an envelope and is not JSON,
is none of an entity with a key; in ``strict`` no JSON object is but an envelope.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from indelible.errors import InvalidInput
from indelible.graph.envelopes import Observation, check_fields, check_streams, cut_heads, parse_observation
from indelible.graph.keys import check_key, command_key, doc_key, fix_key, key_form, outcome_key, run_key
from indelible.graph.taxonomy import ENTITY_TYPES, OBSERVATION_TYPES, RELATIONS, TYPE_OF_PREFIX

Mode = Literal["auto", "strict", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)
_ENVELOPE_OF_PREFIX = {
    "run#": "command.exec",
    "cmd#": "command.exec",
    "fix#": "fix.apply",
    "outcome#": "fix.outcome",
    "doc#": "doc.note",
}  # what holds the values that the hash of a key is made of


def check_entity(name: str, entity_type: str, observations: Iterable[str], mode: Mode = "auto") -> list[str]:
    """Return the observations that a new entity is stored with: those given, in order, heads over 8 KiB cut.

    InvalidInput names the first violation: an empty name or type, a key's form (with the whole key, where the
    observations say what it is made of), prefix and type that disagree, then the observations as `check_observations`
    takes them.
    """
    given = list(observations)
    if _is_off(mode):
        return given
    _check_filled(name, "name")
    _check_filled(entity_type, f"entityType of {_shown(name)}")
    try:
        check_key(name)
    except InvalidInput as error:
        key = _completed(name, given)
        if key is None:
            raise
        raise InvalidInput(f"{error}; the key of its content is {key!r}") from None
    if key_form(name) is not None:
        _check_agreement(name, entity_type, "a key")
    return check_observations(name, entity_type, given, mode)


def check_observations(name: str, entity_type: str, observations: Iterable[str], mode: Mode = "auto") -> list[str]:
    """Return the observations to add to an entity that exists: those given, in order, heads over 8 KiB cut.

    In auto plain text is taken whatever the entity is like; in strict the entity itself must be canonical. InvalidInput
    where an envelope lacks a required field or has a wrong one, carries a whole stdout or stderr, or is not for this
    entity. An entity's name is not checked for its form: it is there already.
    """
    given = list(observations)
    if _is_off(mode):
        return given
    if mode == "strict":
        _check_agreement(name, entity_type, "strict validation")
    read = [parse_observation(text) for text in given]
    for position, observation in enumerate(read):
        argument = f"observations[{position}] of {_shown(name)}"
        if observation.envelope is not None:
            _check_envelope(name, entity_type, observation, argument)
        elif key_form(name) is not None:
            _check_no_envelope(observation, argument, mode)
    return [cut_heads(observation) for observation in read]


def check_relation(
    source_name: str, source_type: str, target_name: str, target_type: str, relation: str, mode: Mode = "auto"
) -> None:
    """Raise InvalidInput where two entities may not be joined by a relation.

    auto: a relation of the vocabulary between two canonical entities, in this direction, must join their types; every
    other one is free. strict: both ends are canonical and the relation is of the vocabulary.
    """
    if _is_off(mode):
        return
    ends = ((source_name, source_type, "source"), (target_name, target_type, "target"))
    allowed = RELATIONS.get(relation.upper())
    if mode == "strict":
        if allowed is None:
            raise InvalidInput(f"relationType must be one of {', '.join(RELATIONS)}, got {_shown(relation)}")
        for name, entity_type, argument in ends:
            _check_agreement(name, entity_type, f"strict validation of the {argument}")
    if allowed is None or any(key_form(name) is None for name, _, _ in ends):
        return
    if (source_type, target_type) not in allowed:
        pairs = " or ".join(f"{source} to {target}" for source, target in allowed)
        raise InvalidInput(
            f"relationType {relation.upper()} joins {pairs},"
            f" got {_shown(source_name)} ({source_type}) to {_shown(target_name)} ({target_type})"
        )


def _is_off(mode: str) -> bool:
    if mode not in MODES:
        raise InvalidInput(f"graph_validation must be one of {', '.join(MODES)}, got {mode!r:.80}")
    return mode == "off"


def _check_filled(text: str, argument: str) -> None:
    if not text.strip():
        raise InvalidInput(f"{argument} must not be empty, got {text!r:.80}")


def _completed(name: str, observations: Iterable[str]) -> str | None:
    """Return the key that a name begins, completed from the first envelope that allows it; None where none does.

    A model cannot compute SHA-256, so the right key is returned to it.

    Without an envelope the name of a command or document may be enough: the command as typed, the URL.
    """
    prefix = key_form(name)
    if prefix not in _ENVELOPE_OF_PREFIX:
        return None
    read = map(parse_observation, observations)
    fields = next((each.fields for each in read if each.envelope == _ENVELOPE_OF_PREFIX[prefix]), None)
    if fields is None and prefix not in ("cmd#", "doc#"):
        return None
    try:
        return _key_of(prefix, name[len(prefix) :], fields or {})
    except InvalidInput:
        return None


def _key_of(prefix: str, rest: str, fields: Mapping[str, Any]) -> str:
    """Return the key of a prefix and fields. Raises InvalidInput where a value is missing or cannot be in a key."""
    execution: tuple[Any, ...] = tuple(fields.get(name) for name in ("cwd", "exitCode", "stdoutHead", "stderrHead"))
    if prefix == "cmd#":
        return command_key(fields.get("cmd", rest), *execution)
    if prefix == "run#":
        return run_key(rest.partition("#")[0], fields.get("cmd", ""), *execution)
    if prefix == "doc#":
        return doc_key(fields.get("url", rest))
    if prefix == "outcome#":
        verified = fields.get("verificationMethod"), fields.get("durationToVerify")
        return outcome_key(fields.get("status", ""), fields.get("fixId", ""), *verified)
    return fix_key(f"err#{rest.rpartition('#')[0] or rest}", fields.get("strategy"), fields.get("changes"))


def _check_agreement(name: str, entity_type: str, reason: str) -> None:
    """Raise InvalidInput unless the name has a prefix and it is that of the type."""
    prefix = key_form(name)
    if prefix is None:
        expected = ENTITY_TYPES.get(entity_type)
        allowed = expected.prefix if expected else ", ".join(TYPE_OF_PREFIX)
        raise InvalidInput(f"name must begin with {allowed} ({reason}), got {_shown(name)}")
    if TYPE_OF_PREFIX[prefix].name != entity_type:
        raise InvalidInput(
            f"entityType of {_shown(name)} must be {TYPE_OF_PREFIX[prefix].name!r}, as its prefix {prefix} says,"
            f" got {_shown(entity_type)}"
        )


def _check_envelope(name: str, entity_type: str, observation: Observation, argument: str) -> None:
    _check_agreement(name, entity_type, f"it carries the envelope {observation.envelope}")
    allowed = ENTITY_TYPES[entity_type].observations
    if observation.envelope not in allowed:
        raise InvalidInput(
            f"{argument}: {entity_type} takes {', '.join(allowed) or 'no envelope'} and plain text,"
            f" got {observation.envelope}"
        )
    check_streams(observation, argument)
    check_fields(observation, argument)


def _check_no_envelope(observation: Observation, argument: str, mode: Mode) -> None:
    if observation.broken:
        raise InvalidInput(f"{argument} begins like an envelope and is not JSON: {_shown(observation.text)}")
    kind = observation.whole.get("type") if observation.whole is not None else None
    if isinstance(kind, str) or (observation.whole is not None and mode == "strict"):
        got = _shown(kind) if isinstance(kind, str) else "an object without one"
        raise InvalidInput(f"{argument}: type must be one of {', '.join(OBSERVATION_TYPES)}, got {got}")


def _shown(text: str) -> str:
    return repr(text) if len(text) <= 80 else repr(text[:80]) + "..."
