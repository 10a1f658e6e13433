"""The taxonomy of canonical entities: observation types, entity types, relations, as tables and nothing else.

Source: the reference `memory-graph.md`. `gates.py` applies the tables, `keys.py` derives the names.
"""

from collections.abc import Mapping
from enum import StrEnum

from indelible.dataclass import dataclass


class FieldForm(StrEnum):
    """The values allowed in a field of an envelope; the text is used in error messages."""

    TEXT = "non-empty text"
    TEXT_OR_EMPTY = "text"
    INTEGER = "an integer"
    NUMBER = "a number of at least 0"
    DURATION = "a number of at least 0 or non-empty text"
    LIST = "a non-empty list"
    ANYTHING = "anything"


@dataclass(frozen=True)
class Field:
    """A field of an observation type. `allowed` are the only words that it may hold; empty means any."""

    name: str
    form: FieldForm = FieldForm.TEXT
    required: bool = True
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObservationType:
    """A kind of envelope: its `type` and its fields, required ones first."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class EntityType:
    """A type of canonical entity: the prefix of its keys and the envelopes that it may carry."""

    name: str
    prefix: str
    observations: tuple[str, ...] = ()


RESULTS = ("proposed", "applied")
STATUSES = ("verified_successful", "failed", "partially_effective")


def _optional(name: str, form: FieldForm = FieldForm.TEXT_OR_EMPTY) -> Field:
    return Field(name, form, required=False)


_CAPTURE = (
    Field("normalizedKey"),
    Field("kind"),
    Field("message"),
    Field("detector"),
    _optional("context", FieldForm.ANYTHING),
)

OBSERVATION_TYPES: Mapping[str, ObservationType] = {
    observation.name: observation
    for observation in (
        ObservationType(
            "command.exec",
            (
                Field("cmd"),
                Field("exitCode", FieldForm.INTEGER),
                _optional("cwd"),
                _optional("durationMs", FieldForm.NUMBER),
                _optional("stdoutHead"),
                _optional("stderrHead"),
            ),
        ),
        ObservationType("error.capture", _CAPTURE),
        ObservationType("warning.capture", _CAPTURE),
        ObservationType(
            "fix.apply", (Field("strategy"), Field("changes", FieldForm.LIST), Field("result", allowed=RESULTS))
        ),
        ObservationType(
            "fix.outcome",
            (
                Field("status", allowed=STATUSES),
                Field("verificationMethod"),
                Field("durationToVerify", FieldForm.DURATION),
                _optional("sideEffects", FieldForm.ANYTHING),
                _optional("testCoverage", FieldForm.ANYTHING),
            ),
        ),
        ObservationType(
            "doc.note",
            (
                Field("url"),
                Field("accessed_at"),
                _optional("title"),
                _optional("site"),
                _optional("author", FieldForm.ANYTHING),  # one name or a list of them
                _optional("published_at"),
                _optional("archive_url"),
                _optional("excerpt"),
            ),
        ),
        ObservationType("run.summary", (Field("summary"),)),
    )
}

ENTITY_TYPES: Mapping[str, EntityType] = {
    entity.name: entity
    for entity in (
        EntityType("Run", "run#", ("command.exec", "run.summary")),
        EntityType("Command", "cmd#", ("command.exec",)),
        EntityType("Error", "err#", ("error.capture",)),
        EntityType("Warning", "warn#", ("warning.capture",)),
        EntityType("Dependency", "dep#"),
        EntityType("Fix", "fix#", ("fix.apply", "fix.outcome")),
        EntityType("Outcome", "outcome#", ("fix.outcome",)),
        EntityType("Doc", "doc#", ("doc.note",)),
        EntityType("Mode", "mode#"),
        EntityType("Tool", "tool#"),
        EntityType("File", "file#"),
        EntityType("Concept", "concept#"),
    )
}

TYPE_OF_PREFIX: Mapping[str, EntityType] = {entity.prefix: entity for entity in ENTITY_TYPES.values()}

# Relation -> the pairs (type of the source, type of the target) that it may join.
RELATIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "EXECUTES": (("Run", "Command"),),
    "EMITS": (("Command", "Error"), ("Command", "Warning")),
    "CAUSED_BY": (("Error", "Dependency"),),
    "RESOLVES": (("Fix", "Error"),),
    "MITIGATES": (("Fix", "Warning"),),
    "HAS_OUTCOME": (("Fix", "Outcome"),),
    "DERIVED_FROM": (("Fix", "Doc"),),
    "REFERENCES": (("Doc", "Concept"),),
    "ABOUT": (("Error", "Concept"),),
    "PERFORMED_BY": (("Run", "Mode"),),
    "USES": (("Run", "Tool"),),
    "TOUCHES": (("Run", "File"),),
}
